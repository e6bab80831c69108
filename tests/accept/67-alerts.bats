# Payloads of Alertmanager that are large, or of many alerts.
load lib

list=/api/v1/incidents

new_monitor() {
	add_monitor "Alert $(new_slug)" https://example.org/
}

# alerts: sends the payload whose alerts are on standard input, one JSON object a line:
# {"f": fingerprint, "s": start, "e": end or null, "m": monitor, "l": more labels}.
alerts() {
	jq -cn '{version: "4", alerts: [inputs | {
		status: (if .e then "resolved" else "firing" end), fingerprint: .f, startsAt: ("2026-11-01T" + .s + "Z"),
		endsAt: ("2026-11-01T" + (.e // "00:00:00") + "Z"), labels: ({daymark_monitor: (.m | tostring)} + (.l // {})),
		annotations: {summary: (.f + " fires")}}]}' >"$BATS_TEST_TMPDIR/payload"
	send
}

send() {
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload" "$@"
}

# incidents FILTER: of $monitor, oldest first.
incidents() {
	api GET "$list?monitor_id=$monitor&sort_by=started_at&sort=asc"
	want 200 "$1"
}

@test "an incident of several alerts ends at the latest end, whatever their order" {
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:05:00\",\"m\":$monitor} {\"f\":\"b\",\"s\":\"10:00:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "opened"]' '.data.results | map(.incident_id) | unique | length == 1'
	incidents '.data | map(.started_at) == ["2026-11-01T10:00:00Z"]'
	alerts <<<"{\"f\":\"b\",\"s\":\"10:00:00\",\"e\":\"10:30:00\",\"m\":$monitor} {\"f\":\"a\",\"s\":\"10:05:00\",\"e\":\"10:20:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "resolved"]'
	incidents '.data | map(.ended_at) == ["2026-11-01T10:30:00Z"]'
	# In two payloads, too, of which the later one has the earlier end.
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor} {\"f\":\"b\",\"s\":\"10:01:00\",\"m\":$monitor}"
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"e\":\"10:30:00\",\"m\":$monitor}"
	want 200 '.data.results[0].outcome == "unchanged"'
	alerts <<<"{\"f\":\"b\",\"s\":\"10:01:00\",\"e\":\"10:20:00\",\"m\":$monitor}"
	want 200 '.data.results[0].outcome == "resolved"'
	incidents '.data | map(.ended_at) == ["2026-11-01T10:30:00Z"]'
	"$ctl" incident recount --check
}

@test "an incident starts with the earliest report, in whatever order reports come" {
	page_with_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:05:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["opened"]'
	# Sent in vain before, and now again.
	alerts <<<"{\"f\":\"b\",\"s\":\"10:00:00\",\"m\":$monitor} {\"f\":\"c\",\"s\":\"10:02:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "unchanged"]'
	incidents '.data | map(.started_at) == ["2026-11-01T10:00:00Z"]'
	grep -q '2026-11-01T10:00:00Z' "$pages/public/s/$slug/index.html"
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d at=2026-11-01T09:58:00Z
	want 200 '.data.outcome == "unchanged"'
	incidents '.data | map(.started_at) == ["2026-11-01T09:58:00Z"]'
	grep -q '2026-11-01T09:58:00Z' "$pages/public/s/$slug/index.html"
	# Never into or before another outage.
	alerts <<<"{\"f\":\"b\",\"s\":\"10:00:00\",\"e\":\"10:30:00\",\"m\":$monitor} {\"f\":\"a\",\"s\":\"10:05:00\",\"e\":\"10:30:00\",\"m\":$monitor} {\"f\":\"c\",\"s\":\"10:02:00\",\"e\":\"10:30:00\",\"m\":$monitor}"
	alerts <<<"{\"f\":\"d\",\"s\":\"11:00:00\",\"m\":$monitor}"
	alerts <<<"{\"f\":\"e\",\"s\":\"09:00:00\",\"m\":$monitor}"
	incidents '.data | map([.started_at, .ended_at]) == [["2026-11-01T09:58:00Z", "2026-11-01T10:30:00Z"], ["2026-11-01T11:00:00Z", null]]'
	"$ctl" incident recount --check
}

@test "alerts that are over already make one incident where they overlap" {
	new_monitor
	alerts <<END
{"f":"c","s":"12:00:00","e":"12:10:00","m":$monitor}
{"f":"b","s":"10:05:00","e":"10:40:00","m":$monitor}
{"f":"a","s":"10:00:00","e":"10:20:00","m":$monitor}
{"f":"d","s":"10:40:00","e":"10:41:00","m":$monitor}
END
	want 200 '.data.results | map(.outcome) == ["recorded", "unchanged", "recorded", "unchanged"]'
	incidents '.data | map([.started_at, .ended_at]) == [["2026-11-01T10:00:00Z", "2026-11-01T10:41:00Z"], ["2026-11-01T12:00:00Z", "2026-11-01T12:10:00Z"]]'
	send
	want 200 '.data.results | all(.outcome == "unchanged" and .incident_id > 0)'
	incidents '.meta.total == 2'
}

@test "an alert that begins goes on with an incident that it overlaps, and follows one that it does not" {
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor}"
	alerts <<<"{\"f\":\"b\",\"s\":\"10:19:00\",\"m\":$monitor} {\"f\":\"a\",\"s\":\"10:00:00\",\"e\":\"10:20:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "unchanged"]'
	incidents '.meta.total == 1' '.data[0].status == "unresolved"'
	alerts <<<"{\"f\":\"c\",\"s\":\"10:50:00\",\"m\":$monitor} {\"f\":\"b\",\"s\":\"10:19:00\",\"e\":\"10:30:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["opened", "resolved"]'
	incidents '.data | map([.started_at, .ended_at]) == [["2026-11-01T10:00:00Z", "2026-11-01T10:30:00Z"], ["2026-11-01T10:50:00Z", null]]'
	# The same alert twice in a payload: it begins and ends.
	alerts <<<"{\"f\":\"e\",\"s\":\"11:00:00\",\"m\":$monitor} {\"f\":\"e\",\"s\":\"11:00:00\",\"e\":\"11:01:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "unchanged"]'
	"$ctl" incident recount --check
}

@test "what one alert has matched by two labels is reported once; a monitor that is gone is unknown" {
	new_monitor
	"$ctl" monitor label "$monitor" "twice=$monitor"
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor,\"l\":{\"twice\":\"$monitor\"}} {\"f\":\"b\",\"s\":\"10:00:00\",\"m\":999999999}"
	want 200 '.data.results | map(.outcome) == ["opened", "unknown"]' '.data.results | map(.alert) == [0, 1]'
}

@test "a payload that says nothing new takes few statements, however many alerts it has" {
	new_monitor
	for i in $(seq 200); do echo "{\"f\":\"f$i\",\"s\":\"10:00:00\",\"m\":$monitor}"; done >"$BATS_TEST_TMPDIR/lines"
	alerts <"$BATS_TEST_TMPDIR/lines"
	want 200 '.data.results | map(.outcome) | group_by(.) | map(length) == [1, 199]'
	want_queries_at_most 16
	send
	want 200 '.data.results | all(.outcome == "unchanged")'
	want_queries_at_most 8
}

@test "a repeated alert's page is published beside a new one" {
	page_with_monitor
	old=$monitor old_here=$here
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$old}"
	want 200
	# As if the worker had ended between commit and publishing.
	sql "UPDATE status_pages p JOIN page_revisions r ON r.page_id = p.id SET r.unpublished_since = '2026-11-01 10:00:00', r.revision = r.revision + 1, p.name = 'Heard again' WHERE p.id = $page"
	page_with_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$old} {\"f\":\"b\",\"s\":\"10:00:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["unchanged", "opened"]'
	here=$old_here
	see ''
	shows 'Heard again'
}

# memory: the largest resident size that a worker of the service has ever had, in KiB.
memory() {
	local pid most=0 size
	for pid in $(pgrep -P "$(cat "$dir/run/daymark.pid")"); do
		size=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status")
		[ "$size" -le "$most" ] || most=$size
	done
	echo "$most"
}

@test "12,000 alerts of 8 MiB are heard, each with labels of its own, in memory of little more" {
	new_monitor
	# The monitor's label is the last of 60,000.
	"$ctl" monitor label "$monitor" "instance=web-$monitor"
	jq -cn --arg instance "web-$monitor" '{version: "4", alerts: [range(12000) as $i | {
		status: "firing", startsAt: "2026-11-01T10:00:00Z", fingerprint: "f\($i)",
		labels: {alertname: "Down", job: "job-\($i)", pod: "pod-\($i)", container: "c-\($i)",
			path: "/a/long/way/to/the/thing/number/\($i)", instance: (if $i == 11999 then $instance else "host-\($i):9100" end)},
		annotations: {summary: "Number \($i) is down", description: ("x" * 150 + "\($i)"),
			runbook_url: ("https://runbooks.example.org/" + "y" * 150 + "/\($i)")}}]}' >"$BATS_TEST_TMPDIR/payload"
	size=$(stat -c %s "$BATS_TEST_TMPDIR/payload")
	[ "$size" -gt 7000000 ]
	[ "$size" -lt 8388608 ]
	send
	want 200 '.data.results | length == 12000' '.data.results[11999].outcome == "opened"' \
		'.data.results[0:11999] | all(.outcome == "unknown")'
	# 72,000 labels are looked up by 18 statements of 4,096.
	want_queries_at_most 28
	used=$(memory)
	[ "$used" -lt 200000 ] || { echo "$used KiB"; return 1; }
}

@test "10,500 alerts of 1,500 monitors fire at once and are over at once" {
	flood=$(new_slug)
	sql "INSERT INTO monitors (account_id, name, url, label, created_at, updated_at)
		SELECT $account, CONCAT('Flood ', seq), 'https://example.org/', CONCAT('flood=$flood-', seq), UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM seq_1_to_1500"
	payload() {
		jq -cn --arg status "$1" --arg flood "$flood" '{version: "4", alerts: [range(10500) | {status: $status, fingerprint: "flood-\(.)",
			startsAt: "2026-11-01T10:00:00Z", endsAt: "2026-11-01T11:00:00Z", labels: {alertname: "Down", flood: "\($flood)-\(. % 1500 + 1)", pod: "pod-\(.)"}}]}' \
			>"$BATS_TEST_TMPDIR/payload"
	}
	payload firing
	send
	want 200 '.data.results | map(.outcome) | group_by(.) | map([.[0], length]) == [["opened", 1500], ["unchanged", 9000]]' \
		'.data.results | all(.incident_id > 0)'
	send
	want 200 '.data.results | all(.outcome == "unchanged" and .incident_id > 0)'
	payload resolved
	send
	want 200 '.data.results | map(.outcome) | group_by(.) | map([.[0], length]) == [["resolved", 1500], ["unchanged", 9000]]'
	"$ctl" incident recount --check
	sql "DELETE i FROM incidents i JOIN monitors m ON m.id = i.monitor_id WHERE m.label LIKE 'flood=$flood-%'"
	sql "DELETE FROM monitors WHERE label LIKE 'flood=$flood-%'"
	"$ctl" incident recount >/dev/null
}

@test "7,000 alerts of an incident with the longest comment end no worker" {
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"e\":\"11:00:00\",\"m\":$monitor}"
	want 200 '.data.results[0].outcome == "recorded"'
	incident=$(jq '.data.results[0].incident_id' "$answer")
	# Of four bytes each.
	sql "UPDATE incidents SET comment = REPEAT(_utf8mb4 x'F09F9880' COLLATE utf8mb4_bin, 10000) WHERE id = $incident"
	seq 7000 | sed "s/.*/{\"f\":\"f&\",\"s\":\"10:30:00\",\"e\":\"10:31:00\",\"m\":$monitor}/" >"$BATS_TEST_TMPDIR/lines"
	alerts <"$BATS_TEST_TMPDIR/lines"
	want 200 ".data.results | length == 7000 and all(.incident_id == $incident)"
}

@test "a payload over 8 MiB is refused, other JSON over 1 MiB" {
	{
		printf '{"version":"4","alerts":[]'
		head -c 8388608 /dev/zero | tr '\0' ' '
		printf '}'
	} >"$BATS_TEST_TMPDIR/payload"
	send
	want 413
	send -H 'Transfer-Encoding: chunked'
	want 413
	{
		printf '{"monitor":"1","state":"up","x":"'
		head -c 1048576 /dev/zero | tr '\0' x
		printf '"}'
	} >"$BATS_TEST_TMPDIR/payload"
	api POST /hooks/generic -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
	want 413
	# One alert may have as much as other JSON.
	printf '{"version":"4","alerts":[{"x":"%s"}]}' "$(head -c 1048576 /dev/zero | tr '\0' x)" >"$BATS_TEST_TMPDIR/payload"
	send
	want 413
}

@test "payloads made to cost much are answered, and end no worker" {
	before=$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)
	# many lists, each with a fault; an alert of a million values; too many alerts; a long cause
	python3 - "$BATS_TEST_TMPDIR" <<'END'
import json, sys
folder, limit = sys.argv[1], 8 << 20
alert = '{"status":"firing","startsAt":"2026-11-01T10:00:00Z","labels":{"a":"b"}}'
def write(name, text):
    with open(folder + '/' + name, 'w') as file:
        file.write(text)
write('1', '{"version":"4",' + ','.join(['"alerts":[1]'] * ((limit - 100) // 13)) + '}')
write('2', '{"version":"4","alerts":[{"x":[' + ','.join(['{}'] * 300000) + ']}]}')
write('3', '{"version":"4","alerts":[' + ','.join([alert] * ((limit - 100) // 73)) + ']}')
write('4', '{"version":"4","alerts":[' + ','.join(['1'] * ((limit - 100) // 2)) + ']}')
write('5', json.dumps({'version': '4', 'alerts': [{'status': 'firing', 'startsAt': '2026-11-01T10:00:00Z',
    'labels': {'a': 'b'}, 'annotations': {'summary': 'x' * 1000000}}]}))
def many(i):
    labels = ','.join('"%x":"%x"' % (i * 15000 + k, k) for k in range(15000))
    return '{"status":"firing","startsAt":"2026-11-01T10:00:00Z","labels":{' + labels + '}}'
write('6', '{"version":"4","alerts":[' + ','.join(many(i) for i in range(34)) + ']}')
END
	for try in 1:413 2:413 3:422 4:422 5:200 6:200; do
		[ "$(stat -c %s "$BATS_TEST_TMPDIR/${try%:*}")" -le 8388608 ]
		mv "$BATS_TEST_TMPDIR/${try%:*}" "$BATS_TEST_TMPDIR/payload"
		send
		[ "$status" = "${try#*:}" ] || { echo "payload $try"; head -c 500 "$answer"; return 1; }
	done
	[ "$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)" = "$before" ]
	used=$(memory)
	[ "$used" -lt 300000 ] || { echo "$used KiB"; return 1; }
}

@test "alerts that match no monitor are warnings in the log, with their labels, a few of each payload" {
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor} {\"f\":\"b\",\"s\":\"10:00:00\",\"m\":0,\"l\":{\"instance\":\"typo:9100\",\"odd\":\"a\\nb\"}}"
	want 200 '.data.results | map(.outcome) == ["opened", "unknown"]'
	id=$(header X-Request-Id)
	log_line
	grep -a "event=alert .*request=$id" "$log" >"$BATS_TEST_TMPDIR/warnings"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/warnings")" = 1 ]
	grep -F 'level=warn' "$BATS_TEST_TMPDIR/warnings" | grep -F 'matches no monitor' |
		grep -F 'daymark_monitor=0' | grep -F 'instance=typo:9100'
	long=$(printf 'x%.0s' $(seq 240))
	for i in $(seq 8); do
		echo "{\"f\":\"n$i\",\"s\":\"10:00:00\",\"m\":0,\"l\":{\"a\":\"$long\",\"b\":\"$long\",\"c\":\"$long\"}}"
	done | alerts
	want 200
	id=$(header X-Request-Id)
	log_line
	[ "$(grep -ac "event=alert .*request=$id" "$log")" = 5 ]
	[ "$(grep -a "event=alert .*request=$id" "$log" | awk '{ if (length > most) most = length } END { print most }')" -lt 800 ]
	grep -a 'event=alert message="3 more alerts of the payload match no monitor"' "$log"
}

# flood COUNT: as many monitors with a label, in $flood; their ids by number in $BATS_TEST_TMPDIR/monitors.
flood() {
	flood=$(new_slug)
	sql "INSERT INTO monitors (account_id, name, url, label, created_at, updated_at)
		SELECT $account, CONCAT('Flood ', seq), 'https://example.org/', CONCAT('flood=$flood-', seq), UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM seq_1_to_$1"
}

# flood_payload COUNT STATUS START END: an alert for each monitor of the flood.
flood_payload() {
	jq -cn --arg flood "$flood" --argjson count "$1" --arg status "$2" --arg from "$3" --arg to "$4" \
		'{version: "4", alerts: [range($count) | {status: $status, fingerprint: "\($from)-\(.)",
		startsAt: "2026-11-01T\($from)Z", endsAt: "2026-11-01T\($to)Z", labels: {flood: "\($flood)-\($count - .)"},
		annotations: {summary: "Cause \($count - .)"}}]}' >"$BATS_TEST_TMPDIR/payload"
}

# flood_says QUERY VALUE: of the incidents `i` and monitors `m` of the flood.
flood_says() {
	says "SELECT $1 FROM monitors m JOIN incidents i ON i.monitor_id = m.id WHERE m.label LIKE 'flood=$flood-%'" "$2" ||
		{ sql "SELECT $1 FROM monitors m JOIN incidents i ON i.monitor_id = m.id WHERE m.label LIKE 'flood=$flood-%'"; return 1; }
}

@test "alerts of as many monitors as the lists of statements have rows, one more and one less" {
	flood 1
	flood_payload 0 firing 10:00:00 11:00:00
	send
	want 200 '.data.results == []'
	for count in 1 7 8 9 64 65 511 512 513; do
		flood "$count"
		flood_payload "$count" firing 10:00:00 11:00:00
		send
		want 200 ".data.results | length == $count and all(.outcome == \"opened\")" \
			".data.results | map(.incident_id) | unique | length == $count"
		want_queries_at_most 24
		flood_says "COUNT(*), SUM(i.cause = CONCAT('Cause ', SUBSTRING_INDEX(m.label, '-', -1))), MIN(i.started_at), COUNT(i.ended_at)" \
			"$count	$count	2026-11-01 10:00:00	0"
		flood_says 'SUM(m.known_since = i.started_at)' "$count"
		send
		want 200 '.data.results | all(.outcome == "unchanged" and .incident_id > 0)'
		want_queries_at_most 7
		flood_payload "$count" resolved 10:00:00 11:00:00
		send
		want 200 '.data.results | all(.outcome == "resolved")'
		want_queries_at_most 24
		flood_says 'COUNT(*), MIN(i.ended_at), MAX(i.ended_at), SUM(i.revision)' "$count	2026-11-01 11:00:00	2026-11-01 11:00:00	$((2 * count))"
		flood_payload "$count" resolved 12:00:00 12:30:00
		send
		want 200 '.data.results | all(.outcome == "recorded")' ".data.results | map(.incident_id) | unique | length == $count"
		want_queries_at_most 24
		flood_says 'COUNT(*), MAX(i.ended_at)' "$((2 * count))	2026-11-01 12:30:00"
		[ "$(sql "SELECT GROUP_CONCAT(n ORDER BY kind) FROM (SELECT e.kind, COUNT(*) AS n FROM events e JOIN monitors m ON m.id = e.monitor_id
			WHERE m.label LIKE 'flood=$flood-%' GROUP BY e.kind) found")" = "$count,$count,$count" ]
		[ "$(sql "SELECT MIN(h.revision), MAX(h.revision) FROM incident_months h JOIN monitors m ON m.id = h.monitor_id
			WHERE m.label LIKE 'flood=$flood-%'")" = '3	3' ]
	done
	"$ctl" incident recount --check
}

@test "alerts of more monitors than a list of a statement has rows end no worker" {
	before=$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)
	flood 4097
	flood_payload 4097 firing 10:00:00 11:00:00
	send
	want 200 '.data.results | length == 4097 and all(.outcome == "opened")'
	flood_payload 4097 resolved 10:00:00 11:00:00
	send
	want 200 '.data.results | all(.outcome == "resolved")'
	flood_payload 4097 resolved 12:00:00 12:30:00
	send
	want 200 '.data.results | all(.outcome == "recorded")'
	[ "$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)" = "$before" ]
	"$ctl" incident recount --check
	# The account may have 5,000 monitors.
	sql "DELETE FROM monitors WHERE label LIKE 'flood=$flood-%'"
}

@test "alerts of many monitors of a page change and publish the page once" {
	flood 30
	sql "SELECT id FROM monitors WHERE label LIKE 'flood=$flood-%' ORDER BY id" >"$BATS_TEST_TMPDIR/ids"
	slug=$(new_slug)
	jq -Rn --arg slug "$slug" '{name: "All", slug: $slug, monitor_ids: [inputs | tonumber]}' "$BATS_TEST_TMPDIR/ids" >"$BATS_TEST_TMPDIR/json"
	api POST /api/v1/status-pages -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json"
	want 201
	page=$(jq .data.id "$answer")
	flood_payload 30 firing 10:00:00 11:00:00
	send
	want 200 '.data.results | all(.outcome == "opened")'
	want_queries_at_most 28
	soon says "SELECT CONCAT(revision, ' ', unpublished_since IS NULL) FROM page_revisions WHERE page_id = $page" '2 1'
	[ "$(grep -c 'major_outage' "$pages/public/s/$slug/summary.json")" -gt 0 ]
	[ "$(jq '.incidents | length' "$pages/public/s/$slug/summary.json")" = 30 ]
}

# send_at_once N: the payload, so many times at once; prints the outcomes, counted.
send_at_once() {
	local i
	for i in $(seq "$1"); do
		curl -sS -o "$BATS_TEST_TMPDIR/once.$i" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
			--data-binary "@$BATS_TEST_TMPDIR/payload.$((i % 2))" "$base/hooks/alertmanager" 3>&- &
	done
	wait $(jobs -p)
	cat "$BATS_TEST_TMPDIR"/once.* | jq -r '.data.results[].outcome' | sort | uniq -c | tr -s ' \n' ' '
}

@test "a payload that is sent many times at once, in two orders, opens, ends and records each incident once" {
	flood 60
	for step in 'firing 10:00:00 opened' 'resolved 10:00:00 resolved' 'resolved 14:00:00 recorded'; do
		set -- $step
		flood_payload 60 "$1" "$2" "${2%%:*}:30:00"
		cp "$BATS_TEST_TMPDIR/payload" "$BATS_TEST_TMPDIR/payload.0"
		jq -c '.alerts |= reverse' "$BATS_TEST_TMPDIR/payload" >"$BATS_TEST_TMPDIR/payload.1"
		outcomes=$(send_at_once 6)
		[ "$outcomes" = " 60 $3 300 unchanged " ] || { echo "$step: $outcomes"; head -c 300 "$BATS_TEST_TMPDIR"/once.*; return 1; }
	done
	flood_says 'COUNT(*), SUM(i.revision)' '120	180'
	says "SELECT COUNT(*) FROM events e JOIN monitors m ON m.id = e.monitor_id WHERE m.label LIKE 'flood=$flood-%'" 180
	"$ctl" incident recount --check
}

@test "a payload with an alert that is invalid changes nothing" {
	flood 9
	flood_payload 9 firing 10:00:00 11:00:00
	jq -c '.alerts[4].startsAt = "yesterday"' "$BATS_TEST_TMPDIR/payload" >"$BATS_TEST_TMPDIR/wrong"
	cp "$BATS_TEST_TMPDIR/wrong" "$BATS_TEST_TMPDIR/payload"
	send
	want 422 '.errors | has("alerts.4.startsAt")'
	flood_says 'COUNT(*)' 0
}

@test "over alerts between known incidents join those that lasted, and are recorded beside them" {
	new_monitor
	alerts <<<"{\"f\":\"a\",\"s\":\"12:00:00\",\"e\":\"14:00:00\",\"m\":$monitor}"
	alerts <<<"{\"f\":\"b\",\"s\":\"08:00:00\",\"e\":\"09:00:00\",\"m\":$monitor}"
	want 200 '.data.results[0].outcome == "recorded"'
	alerts <<END
{"f":"c","s":"13:00:00","e":"13:10:00","m":$monitor}
{"f":"d","s":"10:00:00","e":"10:10:00","m":$monitor}
{"f":"e","s":"08:30:00","e":"08:40:00","m":$monitor}
{"f":"g","s":"10:05:00","e":"10:20:00","m":$monitor}
{"f":"h","s":"16:00:00","e":"16:10:00","m":$monitor}
END
	want 200 '.data.results | map(.outcome) == ["unchanged", "recorded", "unchanged", "unchanged", "recorded"]' \
		'.data.results | .[1].incident_id == .[3].incident_id and all(.incident_id > 0)'
	incidents '.data | map([.started_at[11:16], .ended_at[11:16]]) == [["08:00", "09:00"], ["10:00", "10:20"], ["12:00", "14:00"], ["16:00", "16:10"]]'
	"$ctl" incident recount --check
}
