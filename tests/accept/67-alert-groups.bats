# The impact of alerts by their severity, and groups of alerts that make one incident.
load lib

list=/api/v1/incidents

new_monitor() {
	add_monitor "Group $(new_slug)" https://example.org/
}

# payload GROUP: what Alertmanager sends for the alerts on standard input, one JSON object a line:
# {"f": fingerprint, "s": start, "e": end or null, "m": monitor, "v": severity or null}.
payload() {
	jq -cn --arg group "$1" '{version: "4", groupKey: $group, commonAnnotations: {title: "Payments fail"},
		commonLabels: {alertname: "Down"}, alerts: [inputs | {
		status: (if .e then "resolved" else "firing" end), fingerprint: .f, startsAt: ("2026-11-01T" + .s + "Z"),
		endsAt: ("2026-11-01T" + (.e // "00:00:00") + "Z"),
		labels: ({daymark_monitor: (.m | tostring)} + if .v then {severity: .v} else {} end),
		annotations: {summary: (.f + " fires")}}]}' >"$BATS_TEST_TMPDIR/payload"
}

send() {
	api POST "/hooks/alertmanager$1" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
}

group() {
	payload "$group"
	send '?group_as_one=1'
	want 200
}

# reported FILTER...: of the reported incidents that cover $first, oldest first.
reported() {
	api GET "$list?monitor_id=$first&sort_by=started_at&sort=asc"
	jq '{data: [.data[] | select(.kind == "reported")]}' "$answer" >"$BATS_TEST_TMPDIR/reported"
	mv "$BATS_TEST_TMPDIR/reported" "$answer"
	want 200 "$@"
}

@test "the severity of an alert gives the incident its impact" {
	new_monitor
	payload g <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor,\"v\":\"warning\"}"
	send ''
	api GET "$list?monitor_id=$monitor"
	want 200 '.data | map([.kind, .impact]) == [["detected", "degraded_performance"]]'
	# A worse alert makes it worse, whether or not it began before; a lesser one does not make it better.
	payload g <<<"{\"f\":\"b\",\"s\":\"10:01:00\",\"m\":$monitor,\"v\":\"info\"}"
	send ''
	api GET "$list?monitor_id=$monitor"
	want 200 '.data[0].impact == "degraded_performance"'
	payload g <<<"{\"f\":\"c\",\"s\":\"09:59:00\",\"m\":$monitor,\"v\":\"critical\"}"
	send ''
	api GET "$list?monitor_id=$monitor"
	want 200 '.data | map([.impact, .started_at]) == [["major_outage", "2026-11-01T09:59:00Z"]]'
	payload g <<<"{\"f\":\"c\",\"s\":\"09:59:00\",\"e\":\"10:30:00\",\"m\":$monitor,\"v\":\"critical\"}"
	send ''
	api GET "$list?monitor_id=$monitor"
	want 200 '.data[0].impact == "major_outage"' '.data[0].status == "unresolved"'
	# Without a severity, or with another one, it is a major outage.
	for severity in null '"page"'; do
		new_monitor
		payload g <<<"{\"f\":\"$monitor\",\"s\":\"10:00:00\",\"m\":$monitor,\"v\":$severity}"
		send ''
		api GET "$list?monitor_id=$monitor"
		want 200 '.data[0].impact == "major_outage"'
	done
	# In one payload the worst counts, also of alerts that are over.
	new_monitor
	payload g <<END
{"f":"d$monitor","s":"10:00:00","e":"10:10:00","m":$monitor,"v":"info"}
{"f":"e$monitor","s":"10:05:00","e":"10:20:00","m":$monitor,"v":"warning"}
{"f":"f$monitor","s":"11:00:00","m":$monitor,"v":"info"}
{"f":"g$monitor","s":"11:00:30","m":$monitor,"v":"warning"}
END
	send ''
	api GET "$list?monitor_id=$monitor&sort_by=started_at&sort=asc"
	want 200 '.data | map(.impact) == ["degraded_performance", "degraded_performance"]'
	# A degraded system does not count as down.
	page_with_monitor
	payload g <<<"{\"f\":\"h$monitor\",\"s\":\"10:00:00\",\"m\":$monitor,\"v\":\"warning\"}"
	send ''
	anyone GET "$here/summary.json"
	want 200 '.components[0].status == "degraded_performance"'
}

@test "a group of alerts makes one incident, which ends with the last of them" {
	page_with_monitor
	first=$monitor
	new_monitor
	group=$(new_slug)
	group <<<"{\"f\":\"a$group\",\"s\":\"10:00:00\",\"m\":$first} {\"f\":\"b$group\",\"s\":\"10:01:00\",\"m\":$monitor}"
	want 200 '.data.results | map(.outcome) == ["opened", "opened"]'
	reported '.data | length == 1' '.data[0].title == "Payments fail"' '.data[0].impact == "major_outage"' \
		".data[0].monitor_ids == [$first, $monitor]" '.data[0].started_at == "2026-11-01T10:00:00Z"' '.data[0].status == "unresolved"'
	anyone GET "$here/"
	grep -q 'Payments fail' "$answer"
	# The same payload again, and a further system.
	send '?group_as_one=1'
	new_monitor
	group <<<"{\"f\":\"a$group\",\"s\":\"10:00:00\",\"m\":$first} {\"f\":\"c$group\",\"s\":\"10:05:00\",\"m\":$monitor}"
	reported '.data | length == 1' '.data[0].monitor_ids | length == 3'
	# The end of one alert is not that of the group.
	group <<<"{\"f\":\"a$group\",\"s\":\"10:00:00\",\"e\":\"10:20:00\",\"m\":$first} {\"f\":\"c$group\",\"s\":\"10:05:00\",\"e\":\"10:40:00\",\"m\":$monitor}"
	reported '.data[0].status == "unresolved"'
	second=$(jq '.data[0].monitor_ids[1]' "$answer")
	group <<<"{\"f\":\"b$group\",\"s\":\"10:01:00\",\"e\":\"10:30:00\",\"m\":$second}"
	reported '.data | length == 1' '.data[0].status == "resolved"' '.data[0].ended_at == "2026-11-01T10:40:00Z"'
	# A late copy of the first payload opens nothing.
	group <<<"{\"f\":\"a$group\",\"s\":\"10:00:00\",\"m\":$first} {\"f\":\"b$group\",\"s\":\"10:01:00\",\"m\":$second}"
	reported '.data | map(.status) == ["resolved"]'
	# The group fires anew.
	group <<<"{\"f\":\"a$group\",\"s\":\"12:00:00\",\"m\":$first}"
	reported '.data | map(.status) == ["resolved", "unresolved"]' ".data[1].monitor_ids == [$first]"
	"$ctl" incident recount --check
}

@test "people may resolve or delete the incident of a group" {
	new_monitor
	first=$monitor
	group=$(new_slug)
	alert="{\"f\":\"a$group\",\"s\":\"10:00:00\",\"m\":$first}"
	group <<<"$alert"
	reported '.data | length == 1'
	"$ctl" incident resolve "$(jq '.data[0].id' "$answer")"
	group <<<"$alert"
	reported '.data | map(.status) == ["resolved"]'
	new_monitor
	group <<<"$alert {\"f\":\"b$group\",\"s\":\"10:10:00\",\"m\":$monitor}"
	api GET "$list?monitor_id=$monitor"
	want 200 '[.data[] | select(.kind == "reported") | .status] == ["unresolved"]'
	"$ctl" incident delete "$(jq '[.data[] | select(.kind == "reported")][0].id' "$answer")" --yes
	group <<<"$alert {\"f\":\"b$group\",\"s\":\"10:10:00\",\"e\":\"10:20:00\",\"m\":$monitor}"
	api GET "$list?monitor_id=$monitor"
	want 200 '.data | map([.kind, .status]) == [["detected", "resolved"]]'
}

@test "two groups are two incidents, and another account's group a third" {
	new_monitor
	first=$monitor
	for group in a b; do
		group="$group-$first"
		group <<<"{\"f\":\"$group\",\"s\":\"10:00:00\",\"m\":$first}"
	done
	reported '.data | length == 2'
	# Its monitors are unknown to the other account: nothing is opened.
	payload "a-$first" <<<"{\"f\":\"x\",\"s\":\"10:00:00\",\"m\":$first}"
	other POST '/hooks/alertmanager?group_as_one=1' -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
	want 200 '.data.results[0].outcome == "unknown"'
	reported '.data | length == 2'
}

@test "a group without its name, and a wrong parameter, are refused" {
	new_monitor
	first=$monitor
	payload '' <<<"{\"f\":\"a\",\"s\":\"10:00:00\",\"m\":$monitor}"
	send '?group_as_one=1'
	want_fault groupKey
	send '?group_as_one=maybe'
	want_fault group_as_one
	reported '.data == []'
	api GET "$list?monitor_id=$monitor"
	want 200 '.data == []'
	# Without the parameter the group makes no incident.
	send '?group_as_one=0'
	reported '.data == []'
}

@test "a group of 500 systems is one incident" {
	group=$(new_slug)
	mapfile -t ids < <(jq -n --arg g "$group" '{monitors: [range(500) | {name: "\($g) \(.)"}]}' | "$ctl" apply - --account "$account" --json >/dev/null
		"$ctl" monitor list --account "$account" --json | jq --arg g "$group" '.[] | select(.name | startswith($g)) | .id')
	[ "${#ids[@]}" = 500 ]
	first=${ids[0]}
	for id in "${ids[@]}"; do echo "{\"f\":\"$id\",\"s\":\"10:00:00\",\"m\":$id}"; done >"$BATS_TEST_TMPDIR/alerts"
	group <"$BATS_TEST_TMPDIR/alerts"
	want_queries_at_most 36
	reported '.data | length == 1' '.data[0].monitor_ids | length == 500'
	for id in "${ids[@]}"; do echo "{\"f\":\"$id\",\"s\":\"10:00:00\",\"e\":\"10:30:00\",\"m\":$id}"; done >"$BATS_TEST_TMPDIR/alerts"
	group <"$BATS_TEST_TMPDIR/alerts"
	want_queries_at_most 36
	reported '.data[0].status == "resolved"'
	"$ctl" incident recount --check
}

@test "a group that is sent many times at once is one incident" {
	new_monitor
	first=$monitor
	new_monitor
	group=$(new_slug)
	payload "$group" <<<"{\"f\":\"a$group\",\"s\":\"10:00:00\",\"m\":$first} {\"f\":\"b$group\",\"s\":\"10:01:00\",\"m\":$monitor}"
	for i in {1..12}; do
		curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
			--data-binary "@$BATS_TEST_TMPDIR/payload" "$base/hooks/alertmanager?group_as_one=1" >"$BATS_TEST_TMPDIR/status.$i" &
	done
	wait
	[ "$(sort -u "$BATS_TEST_TMPDIR"/status.*)" = 200 ]
	reported '.data | length == 1' '.data[0].monitor_ids | length == 2'
	[ "$("$ctl" audit --object incident --object-id "$(jq '.data[0].id' "$answer")" --json | jq -c 'map(.kind)')" = '["incident.reported"]' ]
}
