#!/usr/bin/env bash
# Rows of observations by monitoring, and of work that is due by the clock. Sourced.

# Resets the peak of each process's memory to its present use.
forget_peaks() {
	local pid
	for pid in $(processes_of "$1"); do echo 5 >"/proc/$pid/clear_refs"; done
}

# The largest peak of the processes, in MB.
peak_of() {
	local pid
	for pid in $(processes_of "$1"); do sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status"; done |
		sort -n | tail -n 1 | awk '{ printf "%.0f", $1 / 1024 }'
}

questions() { sql "$1" "SHOW GLOBAL STATUS LIKE 'Questions'" | cut -f 2; }

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# pages_that_show LABEL TEXT: how many of the 500 pages show it.
pages_that_show() {
	grep -lF -- "$2" "$work/$1"/pages/public/s/fan-*/index.html 2>/dev/null | wc -l
}

measure_fan() {
	local label=$1 title before began hook deadline=$((SECONDS + 120))
	title="Outage $((++outages))"
	forget_peaks "$label"
	before=$(questions "$label") began=$(now_ms)
	hook=$(api "$label" "$(key_of 1301)" POST /hooks/generic -d monitor=300000 -d state=down -d "title=$title" \
		-o "$work/body" -w '%{time_total}') || return 1
	jq -e '.data.outcome == "opened"' "$work/body" >/dev/null || return 1
	until [ "$(pages_that_show "$label" "$title")" = 500 ]; do
		if [ "$SECONDS" -ge "$deadline" ]; then
			say "after 120 seconds $(pages_that_show "$label" "$title") of 500 pages of $label show the outage"
			return 1
		fi
		sleep 0.2
	done
	awk -v s="$hook" 'BEGIN { printf "hook %.2f\n", s }'
	printf 'pages %s\nqueries %s\npeak %s\n' "$(awk -v ms=$(($(now_ms) - began)) 'BEGIN { printf "%.2f", ms / 1000 }')" \
		"$(($(questions "$label") - before - 1))" "$(peak_of "$label")"
	api "$label" "$(key_of 1301)" POST /hooks/generic -d monitor=300000 -d state=up >/dev/null
	# The next round begins after all pages are published.
	wait_until 120 nothing_waits "$label"
}

# Does not ask /readyz, which also counts pages without files that belong to the rows of lists.
nothing_waits() {
	[ "$(sql "$1" 'SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL')" = 0 ]
}

# copy_seconds FOLDER...: how long a copy of these folders takes, until the disk has it.
copy_seconds() {
	local began
	mkdir "$work/copy"
	sync -f "$work"
	began=$(now_ms)
	printf '%s\0' "$@" | xargs -0 cp -r -t "$work/copy"
	sync -f "$work/copy"
	awk -v ms=$(($(now_ms) - began)) 'BEGIN { printf "%.2f", ms / 1000 }'
	rm -rf "$work/copy"
}

row_fan() {
	local label outages=0 copy
	with_seed fan
	in_rounds "$(((rounds + 1) / 2))" measure_fan "${labels[@]}"
	copy=$(copy_seconds "$work/${labels[-1]}"/pages/public/s/fan-*)
	for label in "${labels[@]}"; do
		row "a monitor of 500 pages of 100 goes down: hook" "$label" " s" "$(figure_of "$label" hook)" "" "" '<=1'
		row "  until all pages show it" "$label" " s" "$(figure_of "$label" pages)" "a copy of their files" "$copy" '<=10'
		row "  statements" "$label" "" "$(figure_of "$label" queries)" "" "" ""
		row "  peak memory of a process" "$label" " MB" "$(figure_of "$label" peak)" "" "" '<=32'
	done
}

# alerts_payload STATUS MONITOR START: 500 alerts; the same start and fingerprint identify an alert.
alerts_payload() {
	jq -cn --arg status "$1" --argjson first "$2" --argjson start "$3" '{version: "4", alerts: [range(500) | {status: $status,
		fingerprint: "\($start)-\(.)", startsAt: ($start | todate), endsAt: (now | todate),
		labels: {alertname: "Down", bench: "\($first + .)"}}]}'
}

# post_alerts LABEL ACCOUNT STATUS OUTCOME START: prints the time, the statements and the processor time
# of the request.
post_alerts() {
	local label=$1 status=$3 outcome=$4 processes before
	alerts_payload "$status" "$((360000 + ($2 - 1302) * 10000))" "$5" >"$work/payload"
	mapfile -t processes < <(processes_of "$label" && cat "$work/$label/run/mysql.pid")
	before=$(cpu_us "${processes[@]}")
	api "$label" "$(key_of "$2")" POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$work/payload" >"$work/body" || return 1
	echo "$status-cpu $((($(cpu_us "${processes[@]}") - before) / 1000))"
	if [ "$(jq --arg outcome "$outcome" '[.data.results[] | select(.outcome == $outcome)] | length' "$work/body")" != 500 ]; then
		say "not all of 500 alerts are $outcome: $(head -c 300 "$work/body")"
		return 1
	fi
	sleep 0.3
	grep -a 'route=/hooks/alertmanager' "$(log_of "$label")" | tail -n 1 | sed -n 's/.* us=\([0-9]*\) queries=\([0-9]*\) .*/\1 \2/p' |
		awk -v s="$status" '{ printf "%s %.1f\n%s-queries %d\n", s, $1 / 1000, s, $2 }'
}

measure_large() {
	local slug began id
	for slug in large-20 large-0; do
		id=$(sql "$1" "SELECT id FROM status_pages WHERE slug = '$slug'")
		rm -rf "$work/$1/pages/state/${id:?}" "$work/$1/pages/public/s/$slug"
		began=$(now_ms)
		ctl "$1" publish --page $slug >/dev/null || return 1
		echo "$slug $(($(now_ms) - began))"
		[ -s "$work/$1/pages/public/s/$slug/index.html" ] || return 1
	done
}

row_large() {
	local label
	with_seed large
	in_rounds "$rounds" measure_large "${labels[@]}"
	for label in "${labels[@]}"; do
		row "a whole page of 1,000 monitors, three years" "$label" " ms" "$(figure_of "$label" large-0)" "20 monitors" "$(figure_of "$label" large-20)" ""
	done
}

# measure_alerts SUBJECT: LABEL:ACCOUNT, or sql.
measure_alerts() {
	local label=${1%:*} account=${1#*:} start
	if [ "$label" = sql ]; then
		bare_alerts
		return
	fi
	# Times are of whole seconds, and the incidents of a monitor must not overlap.
	sleep 1.1
	start=$(date +%s)
	post_alerts "$label" "$account" firing opened "$start" || return 1
	sleep 1.1
	post_alerts "$label" "$account" resolved resolved "$start"
}

# The same rows in one transaction, without a program: incidents and events.
bare_alerts() {
	sql "${labels[-1]}" "CREATE DATABASE IF NOT EXISTS reference;
		CREATE TABLE IF NOT EXISTS reference.alerts LIKE incidents; CREATE TABLE IF NOT EXISTS reference.alert_events LIKE events;
		SET @began = SYSDATE(6); START TRANSACTION;
		INSERT INTO reference.alerts (account_id, monitor_id, cause, started_at, ended_at, created_at, updated_at)
			SELECT 1, 360000 + seq, 'Down', UTC_TIMESTAMP(), UTC_TIMESTAMP(), UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM seq_1_to_500;
		INSERT INTO reference.alert_events (account_id, kind, object, object_id, actor_type, actor_label, at)
			SELECT 1, 'incident.opened', 'incident', seq, 'key', 'bench', UTC_TIMESTAMP() FROM seq_1_to_500;
		COMMIT; SELECT CONCAT('ms ', ROUND(TIMESTAMPDIFF(MICROSECOND, @began, SYSDATE(6)) / 1000, 1))"
}

# alert_rows LABEL ACCOUNT WHAT
alert_rows() {
	local label=$1 subject=$1:$2 status goal='<=150'
	for status in firing resolved; do
		row "500 alerts of 500 monitors, $3, $status" "$label" " ms" "$(figure_of "$subject" $status)" "SQL alone" "$(figure_of sql ms)" "$goal"
		row "  processor time, database included" "$label" " ms" "$(figure_of "$subject" $status-cpu)" "" "" ""
		row "  statements" "$label" "" "$(figure_of "$subject" $status-queries)" "" "" "${goal:+<=40}"
		goal=''
	done
}

row_alerts() {
	local label subjects=()
	with_seed alerts
	for label in "${labels[@]}"; do subjects+=("$label:1302" "$label:1303"); done
	in_rounds "$rounds" measure_alerts "${subjects[@]}" sql
	for label in "${labels[@]}"; do
		alert_rows "$label" 1302 "no page"
		alert_rows "$label" 1303 "one page"
	done
}

# Runs daymarkctl with the clock of the next day, while the service is stopped.
measure_days() {
	local label=$1 began before
	sql "$label" "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() + INTERVAL 36 HOUR WHERE account_id NOT BETWEEN 1401 AND 1500;
		UPDATE page_revisions SET next_change_at = UTC_DATE() + INTERVAL 1 DAY WHERE account_id BETWEEN 1401 AND 1500"
	# Pages that other rows have left must not be published in this time.
	ctl "$label" publish >"$work/published" 2>&1 || return 1
	touch "$work/before"
	before=$(questions "$label")
	began=$(now_ms)
	# Without NO_FAKE_STAT the times of files change, too, as if an operator had changed the files.
	NO_FAKE_STAT=1 faketime -f '+1d' "${programs[$label]}/daymarkctl" publish --config "$work/$label/conf/daymark.conf" >"$work/published" 2>&1 || {
		say "$(tail -n 3 "$work/published")"
		return 1
	}
	awk -v ms=$(($(now_ms) - began)) -v queries=$(($(questions "$label") - before)) -v pages="$pages" \
		'BEGIN { printf "s %.2f\nqueries %.1f\n", ms / 1000, queries / pages }'
	# Each page shows the new day.
	[ "$(find "$work/$label"/pages/public/s/day-* -name index.html -newer "$work/before" | wc -l)" = "$pages" ]
}

row_days() {
	local label copy
	command -v faketime >/dev/null || { say "the row days needs faketime"; return; }
	with_seed days
	for label in "${labels[@]}"; do stop_process "$work/$label/run/daymark.pid" "$work" TERM; done
	in_rounds 1 measure_days "${labels[@]}"
	copy=$(copy_seconds "$work/${labels[-1]}"/pages/public/s/day-*)
	for label in "${labels[@]}"; do
		row "day change, $pages pages of 20 monitors" "$label" " s" "$(figure_of "$label" s)" "a copy of their files" "$copy" \
			"<=$(awk -v n="$pages" 'BEGIN { print 20 * n / 10000 }')"
		row "  statements for a page" "$label" "" "$(figure_of "$label" queries)" "" "" ""
	done
}
