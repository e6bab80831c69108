#!/usr/bin/env bash
# Rows of lists of events, and of requests with and without limits. Sourced.

# events LABEL ACCOUNT COUNT: events of four kinds and 390 days, a quarter of them of seven monitors.
events() {
	sql "$1" "INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_id, actor_label, at, address, request_id, detail)
		SELECT $2, ELT(1 + seq % 4, 'incident.opened', 'incident.resolved', 'monitor.updated', 'incident.commented'),
		IF(seq % 4 = 2, 'monitor', 'incident'), ${2}0000000 + IF(seq % 4 = 2, seq % 7, seq DIV 4), 'key', 1, 'deploy',
		UTC_TIMESTAMP() - INTERVAL 399 DAY + INTERVAL FLOOR(seq * (390 * 86400 / $3)) SECOND, '192.0.2.1', 'bench', 'Timeout' FROM seq_0_to_$(($3 - 1))"
}

# Two accounts, with 1,000 and with 1,000,000 events, which the publisher has counted.
seed_events() {
	local label=$1
	accounts "$label" 1801 1802
	events "$label" 1801 1000
	events "$label" 1802 "$million"
	sql "$label" 'ANALYZE TABLE events'
	[ -n "$(sql "$label" "SHOW TABLES LIKE 'event_horizon'")" ] || return 0
	sql "$label" "UPDATE event_horizon SET next_id = (SELECT MAX(id) FROM events), next_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR"
	until [ "$(sql "$label" 'SELECT counted_id = next_id FROM event_horizon')" = 1 ]; do sleep 1; done
}

# measure_events SUBJECT: LABEL:ACCOUNT:QUERY, on one connection; LATE is an id near the newest.
measure_events() {
	local label=${1%%:*} account=${1#*:} query=${1#*:*:} pages
	account=${account%%:*}
	query=${query/LATE/$(sql "$label" "SELECT MAX(id) - 20 FROM events WHERE account_id = $account")}
	query=${query/MONITOR/${account}0000003}
	# A page has ten events.
	pages=$(($(sql "$label" "SELECT COUNT(*) FROM events WHERE account_id = $account") / 10))
	query=${query/LAST/$pages}
	query=${query/MIDDLE/$((pages / 2))}
	key_paths "$account" "$account" "/api/v1/events?$query" >"$work/requests"
	wrk_rate 1 1 "$(base_of "$label")" -- "$work/requests"
}

row_events() {
	local label query subjects=() queries=('page=1' 'kind=incident.opened' 'object=monitor' 'object=monitor&object_id=MONITOR'
		"since=$(date -u -d '200 days ago' +%FT%H:30:00Z)" 'after=LATE' 'page=LAST' 'page=MIDDLE')
	with_seed events
	for label in "${labels[@]}"; do
		for query in "${queries[@]}"; do subjects+=("$label:1801:$query" "$label:1802:$query"); done
	done
	in_rounds "$rounds" measure_events "${subjects[@]}"
	for label in "${labels[@]}"; do
		for query in "${queries[@]}"; do
			row "$million events: ${query%%=20*}" "$label" " ms" "$(figure_of "$label:1802:$query" ms)" \
				"1,000 events" "$(figure_of "$label:1801:$query" ms)" '<=1.2x'
		done
	done
}

# limits LABEL on|off: reloads the service with rates and quotas, none of which is reached, or without.
limits() {
	local conf=$work/$1/conf/daymark.conf rate=1000000 before
	before=$(processes_of "$1" | tail -n +2)
	sed -i '/^; Without quotas/,$d' "$conf"
	if [ "$2" = off ]; then
		rate=0
		printf '%s\n' '; Without quotas' '[quotas]' 'status_pages = 0' 'monitors = 0' 'maintenances = 0' 'upload_mb = 0' \
			'incidents_per_day = 0' 'response_mb_per_day = 0' >>"$conf"
	fi
	sed -i -E "s/^(account_)?requests_per_minute = .*/\\1requests_per_minute = $rate/" "$conf"
	kill -s HUP "$(cat "$work/$1/run/daymark.pid")"
	while ps -o pid= -p "${before//$'\n'/,}" >/dev/null; do sleep 0.1; done
}

# measure_limits SUBJECT: LABEL:on or LABEL:off.
measure_limits() {
	local label=${1%:*}
	limits "$label" "${1#*:}"
	key_paths 1001 1100 /api/v1/incidents?page={1,2,3,4,5} >"$work/requests"
	with_cpu "$label" wrk_rate 16 "$seconds" "$(base_of "$label")" -- "$work/requests" | grep -v ms && measure_create "$label"
}

row_limits() {
	local label subjects=()
	with_seed lists && with_seed writes
	for label in "${labels[@]}"; do subjects+=("$label:off" "$label:on"); done
	in_rounds "$rounds" measure_limits "${subjects[@]}"
	for label in "${labels[@]}"; do
		row "list of 10 of 2,000 incidents, with rates" "$label" /s "$(figure_of "$label:on" rate)" without "$(figure_of "$label:off" rate)" '>=0.9x'
		row "  processor time of the program" "$label" " us" "$(figure_of "$label:on" program)" without "$(figure_of "$label:off" program)" ""
		row "create a page of 5 monitors, with quotas" "$label" " ms" "$(figure_of "$label:on" ms)" without "$(figure_of "$label:off" ms)" '<=1.1x'
	done
}
