load lib

list=/api/v1/incidents

new_monitor() {
	add_monitor "Hook $(new_slug)" https://example.org/
	label="instance=web-$monitor:9100"
	"$ctl" monitor label "$monitor" "$label"
}

# alert STATUS STARTS ENDS [FINGERPRINT]: one alert of $monitor, as Alertmanager sends it.
alert() {
	jq -n --arg status "$1" --arg starts "$2" --arg ends "$3" --arg fingerprint "${4:-f$monitor}" \
		--arg instance "${label#instance=}" '{version: "4", groupKey: "{}:{}", truncatedAlerts: 0, status: $status,
		 receiver: "daymark", groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: "http://x",
		 alerts: [{status: $status, labels: {alertname: "Down", instance: $instance, severity: "page"},
		  annotations: {summary: "Web is down"}, startsAt: $starts, endsAt: $ends, generatorURL: "", fingerprint: $fingerprint}]}' \
		>"$BATS_TEST_TMPDIR/alert"
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/alert"
}

never=0001-01-01T00:00:00Z

@test "a monitor's whole story: hook, acknowledge, comment, hook, lists" {
	new_monitor
	alert firing 2026-11-01T10:00:00.123Z $never
	want 200 '.data.results[0].outcome == "opened"' ".data.results[0].monitor_id == $monitor"
	incident=$(jq .data.results[0].incident_id "$answer")
	api GET "$list?monitor_id=$monitor&status=unresolved"
	want 200 ".data[0].id == $incident" '.data[0].cause == "Web is down"' '.data[0].started_at == "2026-11-01T10:00:00Z"'
	api PUT "$list/$incident" -d acknowledged_at=1
	want 200 '.data.status == "acknowledged"'
	api PUT "$list/$incident" --data-urlencode 'comment=Restarting'
	want 200
	api GET "$list?monitor_id=$monitor&status=acknowledged"
	want 200 '.meta.total == 1'
	alert resolved 2026-11-01T10:00:00.123Z 2026-11-01T10:30:00Z
	want 200 '.data.results[0].outcome == "resolved"'
	api GET "$list?monitor_id=$monitor&status=resolved&sort_by=started_at&sort=asc"
	want 200 '.meta.total == 1' '.data[0].duration == 1800' '.data[0].comment == "Restarting"'
	for by in "search=Web+is+down&search_by=cause" "search=Hook&search_by=monitor" "search=example.org&search_by=url"; do
		api GET "$list?monitor_id=$monitor&$by"
		want 200 '.meta.total == 1'
	done
	"$ctl" incident show "$incident" --json |
		jq -e '.history | map(.action) == ["opened", "acknowledged", "commented", "resolved"]'
	"$ctl" incident recount --check
}

@test "alerts that come twice or in the wrong order change nothing twice" {
	new_monitor
	alert firing 2026-11-01T10:00:00Z $never
	alert firing 2026-11-01T10:00:00Z $never
	want 200 '.data.results[0].outcome == "unchanged"' '.data.results[0].incident_id > 0'
	alert resolved 2026-11-01T10:00:00Z 2026-11-01T10:05:00Z
	want 200 '.data.results[0].outcome == "resolved"'
	alert resolved 2026-11-01T10:00:00Z 2026-11-01T10:05:00Z
	want 200 '.data.results[0].outcome == "unchanged"'
	alert firing 2026-11-01T10:00:00Z $never
	want 200 '.data.results[0].outcome == "unchanged"'
	# The end comes before the beginning.
	alert resolved 2026-11-02T10:00:00Z 2026-11-02T10:05:00Z
	want 200 '.data.results[0].outcome == "recorded"'
	alert firing 2026-11-02T10:00:00Z $never
	want 200 '.data.results[0].outcome == "unchanged"'
	api GET "$list?monitor_id=$monitor"
	want 200 '.meta.total == 2' '.data | all(.status == "resolved" and .duration == 300)'
}

@test "two alerts of a monitor share an incident, which ends with the last" {
	new_monitor
	alert firing 2026-11-01T10:00:00Z $never a
	incident=$(jq .data.results[0].incident_id "$answer")
	alert firing 2026-11-01T10:01:00Z $never b
	want 200 '.data.results[0].outcome == "unchanged"' ".data.results[0].incident_id == $incident"
	alert resolved 2026-11-01T10:00:00Z 2026-11-01T10:10:00Z a
	want 200 '.data.results[0].outcome == "unchanged"'
	alert resolved 2026-11-01T10:01:00Z 2026-11-01T10:20:00Z b
	want 200 '.data.results[0].outcome == "resolved"'
	api GET "$list/$incident"
	want 200 '.data.ended_at == "2026-11-01T10:20:00Z"'
}

@test "unknown alerts are reported, known ones of the payload applied; a label may name the id" {
	new_monitor
	jq -n --arg id "$monitor" '{version: "4", alerts: [
		{status: "firing", labels: {instance: "nobody"}, startsAt: "2026-11-01T10:00:00Z"},
		{status: "firing", labels: {daymark_monitor: $id}, startsAt: "2026-11-01T10:00:00+05:45"}]}' >"$BATS_TEST_TMPDIR/p"
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/p"
	want 200 '.data.results | map(.outcome) == ["unknown", "opened"]'
	api GET "$list?monitor_id=$monitor"
	want 200 '.data[0].started_at == "2026-11-01T04:15:00Z"'
}

@test "a payload that is none is refused whole" {
	new_monitor
	post() { api POST /hooks/alertmanager -H 'Content-Type: application/json' -d "$1"; }
	post '{"version":"3","alerts":[]}'
	want_fault version
	post '{"version":"4"}'
	want_fault alerts
	for alerts in '{}' '"x"' null 7 '{"a":[1]}'; do
		post "{\"version\":\"4\",\"alerts\":$alerts}"
		want_fault alerts
	done
	post '{"version":"4","alerts":[]}'
	want 200 '.data.results == []'
	# The last one counts, as of any member that comes twice.
	post '{"version":"4","alerts":[1],"alerts":[]}'
	want 200 '.data.results == []'
	post '{"version":"4","alerts":[],"alerts":{}}'
	want_fault alerts
	post '{"version":"4","alerts":[{},null,1,[]]}'
	want 422 '.errors | length == 12'
	post '{"version":"4","alerts":[{"status":"x","labels":{},"startsAt":"never"}]}'
	want 422 '.errors | keys == ["alerts.0.labels", "alerts.0.startsAt", "alerts.0.status"]'
	post "{\"version\":\"4\",\"alerts\":[{\"status\":\"firing\",\"labels\":{\"daymark_monitor\":\"$monitor\"},\"startsAt\":\"2026-11-01T10:00:00Z\"},1]}"
	want 422
	api GET "$list?monitor_id=$monitor"
	want 200 '.meta.total == 0'
	post '{'
	want 400
	api POST /hooks/alertmanager -d x=y
	want 415
	api GET /hooks/alertmanager
	want 405
}

@test "the generic hook: by id and by label, from each body" {
	new_monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d cause=Timeout -d at=2026-11-01T10:00:00Z
	want 200 '.data.outcome == "opened"' ".data.monitor_id == $monitor"
	# One of them counts what the account opens in a day.
	want_queries_at_most 12
	api POST /hooks/generic -F "monitor=$label" -F state=UP
	want_fault state
	api POST /hooks/generic -F "monitor=$label" -F state=up -F at=2026-11-01T10:05:00Z
	want 200 '.data.outcome == "resolved"'
	want_queries_at_most 11
	api POST /hooks/generic -H 'Content-Type: application/json' -d "{\"monitor\":$monitor,\"state\":\"down\"}"
	want 200 '.data.outcome == "opened"'
	api POST /hooks/generic -H 'Content-Type: application/json' -d "{\"monitor\":\"$monitor\",\"state\":\"up\",\"at\":null}"
	want 200 '.data.outcome == "resolved"'
	api GET "$list?monitor_id=$monitor&sort_by=started_at&sort=asc"
	want 200 '.data | map(.cause) == ["Timeout", "Down"]' '.data[0].duration == 300'
}

@test "generic reports that come twice or late change nothing twice" {
	new_monitor
	report() { api POST /hooks/generic -d "monitor=$monitor" -d "state=$1" -d "at=2026-11-01T$2Z"; want 200 ".data.outcome == \"$3\""; }
	report down 10:00:00 opened
	report down 10:00:00 unchanged
	# The start moves, and no other incident begins.
	report down 09:59:00 unchanged
	report up 09:58:00 unchanged
	report up 10:05:00 resolved
	report up 10:05:00 unchanged
	report down 10:00:00 unchanged
	report down 10:03:00 unchanged
	# Up is heard of before down.
	report up 11:05:00 unchanged
	report down 11:00:00 recorded
	report down 11:00:00 unchanged
	report down 12:00:00 opened
	api GET "$list?monitor_id=$monitor&sort_by=started_at&sort=asc"
	want 200 '.data | map(.duration)[0:2] == [360, 300]' '.meta.total == 3'
	"$ctl" incident recount --check
}

@test "generic reports with bad values are refused by field" {
	new_monitor
	api POST /hooks/generic -d cause=x
	want 422 '.errors | keys == ["monitor", "state"]'
	api POST /hooks/generic -d monitor=999999999 -d state=down
	want_fault monitor
	api POST /hooks/generic -d monitor=x=y -d state=down
	want_fault monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d at=yesterday
	want_fault at
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d at=2999-01-01T00:00:00Z
	want_fault at future
	api POST /hooks/generic -d "monitor=$monitor" -d state=down --data-urlencode "cause=$(printf 'ü%.0s' $(seq 1001))"
	want_fault cause greater
	api GET "$list?monitor_id=$monitor"
	want 200 '.meta.total == 0'
}

@test "the real Alertmanager opens an incident and ends it" {
	. "$TOP/tools/lib/common.sh"
	top=$TOP
	program=$(find_alertmanager 2>/dev/null) || skip "Alertmanager is not installed"
	[ -d /usr/share/prometheus/alertmanager ] || needs proot
	new_monitor
	port=$(free_port 18900)
	printf '%s' "$key" >"$BATS_TEST_TMPDIR/key"
	sed -e "s|https://status.example.org|$base|" -e "s|/etc/prometheus/daymark.key|$BATS_TEST_TMPDIR/key|" \
		-e 's/group_wait: .*/group_wait: 0s/' -e 's/group_interval: .*/group_interval: 1s/' \
		"$TOP/conf/alertmanager.yml" >"$BATS_TEST_TMPDIR/alertmanager.yml"
	# One that was unpacked finds its templates by proot, where they would be installed.
	run=()
	[ -d /usr/share/prometheus/alertmanager ] ||
		run=(proot -b "${program%/bin/*}/share/prometheus:/usr/share/prometheus")
	setsid "${run[@]}" "$program" --config.file="$BATS_TEST_TMPDIR/alertmanager.yml" \
		--storage.path="$BATS_TEST_TMPDIR/am" --web.listen-address=127.0.0.1:$port \
		--cluster.listen-address= >"$BATS_TEST_TMPDIR/am.log" 2>&1 3>&- &
	alertmanager=$!
	wait_until 60 curl -fsS "http://127.0.0.1:$port/-/ready"
	send() {
		curl -fsS -H 'Content-Type: application/json' "http://127.0.0.1:$port/api/v2/alerts" \
			-d "[{\"labels\":{\"alertname\":\"Down\",\"instance\":\"web-$monitor:9100\"},\"annotations\":{\"summary\":\"From the real one\"},\"startsAt\":\"2026-11-01T10:00:00Z\"$1}]"
	}
	total() { api GET "$list?monitor_id=$monitor&status=$1" && [ "$(jq .meta.total "$answer")" = 1 ]; }
	send ''
	wait_until 60 total unresolved
	[ "$(jq -r '.data[0].cause' "$answer")" = "From the real one" ]
	send ',"endsAt":"2026-11-01T10:01:00Z"'
	wait_until 60 total resolved
	[ "$(jq '.data[0].duration' "$answer")" = 60 ]
	kill -- "-$alertmanager"
	wait "$alertmanager" || true
}
