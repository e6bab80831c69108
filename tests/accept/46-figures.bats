# A check on demand, and response times that were measured elsewhere.
load lib

monitors=/api/v1/monitors

# new_check TYPE [FIELD]...: creates a monitor; sets $monitor and $name.
new_check() {
	local type=$1
	shift
	name="Check $(new_slug)"
	api POST $monitors -d "name=$name" -d "type=$type" "$@"
	[ "$status" = 201 ] || show
	monitor=$(jq .data.id "$answer")
}

signals() {
	sql "SELECT COUNT(*) FROM check_signals WHERE monitor_id = $monitor"
}

@test "a monitor is checked on demand, and waits for that once" {
	new_check http -d url=https://example.org/
	api POST "$monitors/$monitor/check"
	want 202 ".data.id == $monitor" '.data.type == "http"' '.status == 202' '.data | has("uptime_90d")'
	[ -n "$(header ETag)" ]
	want_queries_at_most 14
	api POST "$monitors/$monitor/check" -d ''
	want 202
	[ "$(signals)" = 1 ]
	for i in 1 2 3 4 5 6 7 8; do
		curl -sS -o "$BATS_TEST_TMPDIR/check.$i" -X POST -H "Authorization: Bearer $key" "$base$monitors/$monitor/check" 3>&- &
	done
	wait
	[ "$(cat "$BATS_TEST_TMPDIR"/check.* | grep -o '"status":202' | wc -l)" = 8 ]
	[ "$(signals)" = 1 ]
	run "$ctl" monitor check "$monitor"
	[ "$status" = 0 ]
	[[ "$output" == "Monitor $monitor ($name) is checked"* ]]
	sql "DELETE FROM check_signals WHERE monitor_id = $monitor"
	[ "$("$ctl" monitor check "$name" --json | jq .id)" = "$monitor" ]
	[ "$(signals)" = 1 ]
}

@test "what Daymark does not check is not checked on demand" {
	new_check external
	api POST "$monitors/$monitor/check"
	want 409 '.message | contains("external")'
	run "$ctl" monitor check "$monitor"
	[ "$status" = 4 ]
	[[ "$output" == *"its type is external"* ]]
	new_check heartbeat -d period=60
	api POST "$monitors/$monitor/check"
	want 409 '.message | contains("heartbeats")'
	new_check tcp -d url=127.0.0.1:1 -d is_paused=1
	api POST "$monitors/$monitor/check"
	want 409 '.message | contains("paused")'
	[ "$(signals)" = 0 ]
	other POST "$monitors/$monitor/check"
	want 404
	anyone POST "$monitors/$monitor/check"
	want 401
	reader=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$reader" POST "$monitors/$monitor/check"
	want 403
	api GET "$monitors/$monitor/check"
	want 405
	run "$ctl" monitor check no-such-monitor
	[ "$status" = 3 ]
	name="Twin $(new_slug)"
	new_monitor "$name"
	new_monitor "$name"
	run "$ctl" monitor check "$name"
	[ "$status" = 2 ]
	[[ "$output" == *"2 monitors are named"* ]]
}

# sums TABLE: checks, failures, the sum and the bounds of the response times, in all rows of the monitor.
sums() {
	sql "SELECT SUM(checks), SUM(failures), SUM(response_sum_ms), MIN(response_min_ms), MAX(response_max_ms) FROM $1 WHERE monitor_id = $monitor" |
		tr '\t' ' '
}

# Of a day that is over.
yesterday() {
	date -u -d "yesterday $1" +%FT%TZ
}

@test "figures are taken alone and as lists, in all kinds of bodies" {
	new_check external
	api POST "$monitors/$monitor/figures" -d response_ms=120
	want 202 ".data.id == $monitor"
	api POST "$monitors/$monitor/figures" -d response_ms=0 -d state=down -d "at=$(yesterday 10:00:00)"
	want 202
	api POST "$monitors/$monitor/figures" -d 'figures[0][response_ms]=30' --data-urlencode "figures[0][at]=$(yesterday 10:59:59)" -d 'figures[7][response_ms]=40'
	want 202
	api POST "$monitors/$monitor/figures" -F 'figures[0][response_ms]=50' -F "figures[0][at]=$(yesterday 11:00:00)" -F 'figures[0][state]=up'
	want 202
	api POST "$monitors/$monitor/figures" -H 'Content-Type: application/json' \
		-d "{\"figures\":[{\"response_ms\":60,\"at\":\"$(yesterday 11:00:01)\"},{\"response_ms\":999,\"state\":\"down\"}]}"
	want 202
	api POST "$monitors/$monitor/figures" -H 'Content-Type: application/json' -d '{"response_ms":70}'
	want 202
	[ "$(sums monitor_hours)" = '8 2 370 30 120' ] || { sums monitor_hours; false; }
	[ "$(sums monitor_days)" = '8 2 370 30 120' ]
	[ "$(sql "SELECT checks, failures, response_sum_ms FROM monitor_hours WHERE monitor_id = $monitor AND hour = '$(date -u -d yesterday +%F) 10:00:00'" |
		tr '\t' ' ')" = '2 1 30' ]
}

@test "figures that are not allowed are refused as a whole, by their place" {
	new_check external
	wrong() { api POST "$monitors/$monitor/figures" "$@"; }
	wrong -d at=
	want_fault response_ms required
	wrong -d response_ms=-1
	want_fault response_ms
	wrong -d response_ms=3600001
	want_fault response_ms
	wrong -d response_ms=1 -d "at=$(date -u -d '+6 minutes' +%FT%TZ)"
	want_fault at future
	wrong -d response_ms=1 -d "at=$(date -u -d '-14 days -1 minute' +%FT%TZ)"
	want_fault at '14 days'
	wrong -d response_ms=1 -d state=broken
	want_fault state
	wrong -d 'figures=1'
	want_fault figures
	wrong -d 'figures[0][response_ms]=1' -d 'figures[1][at]=2020-01-01T00:00:00Z' -d 'figures[2][response_ms]=x'
	want_fault figures.1.response_ms required
	want_fault figures.2.response_ms
	wrong -d 'figures[0][response_ms]=1' -d 'figures[1][response_ms]=2' -d 'figures[1][at]=2020-01-01T00:00:00Z'
	want_fault figures.1.at '14 days'
	wrong -d 'figures[0][response_ms]=1' -d response_ms=1
	want_fault figures
	# In time for the clock of another machine, and as old as it may be.
	wrong -d response_ms=1 -d "at=$(date -u -d '+4 minutes' +%FT%TZ)"
	want 202
	wrong -d response_ms=1 -d "at=$(date -u -d '-14 days +1 minute' +%FT%TZ)"
	want 202
	[ "$(sums monitor_hours)" = '2 0 2 1 1' ]
}

@test "a request has up to 1,000 figures, and a constant number of statements" {
	new_check external
	api POST "$monitors/$monitor/figures" -d response_ms=1
	want 202
	one=$(queries)
	many() {
		jq -n --argjson count "$1" --argjson now "$(date +%s)" \
			'{figures: [range($count) | {response_ms: ., state: "up", at: ($now - . * 1200 | todate)}]}' >"$BATS_TEST_TMPDIR/many"
		api POST "$monitors/$monitor/figures" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/many"
	}
	many 1000
	want 202
	[ "$(queries)" = "$one" ]
	many 1001
	want_fault figures
	[ "$(sums monitor_hours)" = '1001 0 499501 0 999' ] || { sums monitor_hours; false; }
	# A form may have 2,000 fields.
	for i in $(seq 0 999); do echo "figures[$i][response_ms]=1&figures[$i][state]=up"; done | paste -sd '&' >"$BATS_TEST_TMPDIR/form"
	api POST "$monitors/$monitor/figures" --data-binary "@$BATS_TEST_TMPDIR/form"
	want 202
}

@test "figures are for external monitors, and a repeated request adds them once" {
	new_check http -d url=https://example.org/
	api POST "$monitors/$monitor/figures" -d response_ms=1
	want 409 '.message | contains("external")'
	new_check external
	other POST "$monitors/$monitor/figures" -d response_ms=1
	want 404
	reader=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$reader" POST "$monitors/$monitor/figures" -d response_ms=1
	want 403
	for i in 1 2; do
		api POST "$monitors/$monitor/figures" -d response_ms=5 -H "Idempotency-Key: $monitor"
		want 202
	done
	[ "$(header Idempotent-Replayed)" = true ]
	[ "$(sums monitor_hours)" = '1 0 5 5 5' ]
	api DELETE "$monitors/$monitor?keep_history=1"
	want 200
	api POST "$monitors/$monitor/figures" -d response_ms=1
	[ "$status" = 404 ] || [ "$status" = 409 ] || show
}
