# Several locations check: their API, the judgement, and a checker that is elsewhere.
load lib

monitors=/api/v1/monitors
checks=/api/v1/checks

setup() {
	setup_of_lib
	check=${DAYMARK_BUILD:-$TOP/build}/daymark-check
	place=p$RANDOM$RANDOM
}

teardown() {
	local process
	for process in ${remote:-} ${target:-} ${centre:-}; do
		kill -9 "$process" 2>/dev/null || true
	done
	[ -z "${monitor:-}" ] || api DELETE "$monitors/$monitor"
}

now() {
	date -u +%FT%TZ
}

# new_check LOCATIONS [FIELD]...: sets $monitor.
new_check() {
	local locations=$1
	shift
	api POST $monitors -d "name=Check $(new_slug)" -d type=http -d url=https://example.org/ \
		-d "locations=$locations" -d interval=30 -d timeout=10 "$@"
	[ "$status" = 201 ] || show
	monitor=$(jq .data.id "$answer")
}

# find LOCATION STATE [AGE]: the location says so since now, by a check AGE seconds ago.
find() {
	local at since
	at=$(date -u -d "-${3:-0} seconds" +%FT%TZ)
	api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$1\", \"sent_at\": \"$(now)\", \"states\": [{
		\"monitor_id\": $monitor, \"state\": \"$2\", \"since\": \"$at\", \"checked_at\": \"$at\", \"failing_since\":
		$([ "$2" = up ] && echo null || echo "\"$at\""), \"well_since\": \"$at\", \"response_ms\": 20, \"cause\": \"refused by $1\"}]}"
	want 202 ".data.location == \"$1\""
}

phase_is() {
	[ "$(sql "SELECT phase FROM monitor_states WHERE monitor_id = $monitor AND location_id = 0")" = "$1" ]
}
up=1 down=3 no_data=4

state_is() {
	api GET "$monitors/$monitor"
	[ "$(jq -r .data.state "$answer")" = "$1" ]
}

# sees_votes: until the checker has read the votes so far. It reads them each second, all of them.
sees_votes() {
	local before
	before=$(sql "SELECT UNIX_TIMESTAMP(MAX(voted_at)) FROM monitor_states")
	soon eval '[ "$(sql "SELECT UNIX_TIMESTAMP()")" -gt "$(('"$before"' + 4))" ]'
}

@test "most of three locations decide, and a tie changes nothing" {
	new_check "$place-a,$place-b, $place-c"
	for location in a b c; do find "$place-$location" up; done
	soon phase_is "$up"
	find "$place-a" down
	sees_votes
	phase_is "$up"
	state_is up
	find "$place-b" down
	soon state_is down
	phase_is "$down"
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 1 ]
	[[ "$(sql "SELECT cause FROM incidents WHERE monitor_id = $monitor")" == "refused by $place-"* ]]
	# The third cannot tell: one says up, one says down.
	find "$place-c" pending
	find "$place-a" up
	sees_votes
	phase_is "$down"
	find "$place-c" up
	soon phase_is "$up"
	soon state_is up
}

@test "votes that are too old, and locations that are cut off, do not count" {
	new_check "$place-a,$place-b,$place-c"
	for location in a b c; do find "$place-$location" up; done
	soon phase_is "$up"
	# Older than two intervals and the time-out.
	find "$place-a" down 75
	find "$place-b" down
	sees_votes
	phase_is "$up"
	# Two that are cut off: fewer than the quorum can tell.
	find "$place-b" no_data
	find "$place-c" no_data
	sql "UPDATE monitor_checks SET changed_at = UTC_TIMESTAMP() WHERE monitor_id = $monitor"
	state_is up
	find "$place-a" up
	find "$place-c" up
	soon phase_is "$up"
}

@test "a location whose clock is wrong votes all the same" {
	new_check "$place"
	for by in -1day +1day; do
		at=$(date -u -d "$by" +%FT%TZ)
		api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place\", \"sent_at\": \"$at\", \"states\": [
			{\"monitor_id\": $monitor, \"state\": \"up\", \"since\": \"$at\", \"checked_at\": \"$at\"}]}"
		want 202
		[ "$(sql "SELECT ABS(TIMESTAMPDIFF(SECOND, checked_at, UTC_TIMESTAMP())) < 60 FROM monitor_states
			WHERE monitor_id = $monitor AND location_id > 0")" = 1 ]
	done
	soon phase_is "$up"
}

@test "a location reads what it has to check, with secrets, and only what is its" {
	new_check "$place" -d 'request_headers[0][key]=Authorization' -d 'request_headers[0][value]=Bearer secret-of-it'
	api GET "$checks?location=$place"
	want 200 '.data | length == 1' '.next == null' ".data[0].id == $monitor" '.data[0].interval == 30' \
		'.data[0].request_headers[0].value == "Bearer secret-of-it"' '.data[0].finding.state == "pending"'
	api GET "$checks?location=$place-b"
	want 200 '.data == []'
	[ "$(sql "SELECT COUNT(*) FROM check_locations WHERE name = '$place-b'")" = 0 ]
	# Another account's key sees nothing of it, and changes nothing.
	other GET "$checks?location=$place"
	want 200 '.data == []'
	other POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place\", \"states\": [{\"monitor_id\": $monitor,
		\"state\": \"down\", \"checked_at\": \"$(now)\"}], \"hours\": [{\"monitor_id\": $monitor, \"hour\": \"$(date -u +%FT%H:00:00Z)\", \"checks\": 7}]}"
	want 202
	[ "$(sql "SELECT COUNT(*) FROM monitor_states WHERE monitor_id = $monitor AND location_id > 0")" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM location_hours WHERE monitor_id = $monitor AND location_id > 0")" = 0 ]
	anyone GET "$checks?location=$place"
	want 401
	api GET "$checks?location=a/b"
	want 422 '.errors.location'
	api GET $checks
	want 422 '.errors.location'
}

@test "asking again costs little, and a change is seen" {
	new_check "$place"
	sql "UPDATE monitor_checks SET changed_at = changed_at - INTERVAL 1 HOUR WHERE monitor_id = $monitor"
	sql "UPDATE monitors SET updated_at = updated_at - INTERVAL 1 HOUR WHERE id = $monitor"
	api GET "$checks?location=$place"
	want 200
	etag=$(header ETag)
	[ -n "$etag" ]
	api GET "$checks?location=$place" -H "If-None-Match: $etag"
	[ "$status" = 304 ]
	want_queries_at_most 8
	api PUT "$monitors/$monitor" -d is_paused=1
	want 200
	api GET "$checks?location=$place" -H "If-None-Match: $etag"
	want 200 '.data[0].is_paused == true'
	api PUT "$monitors/$monitor" -d is_paused=0 -d locations=
	want 200 '.data.locations == null'
	api GET "$checks?location=$place" -H "If-None-Match: $etag"
	want 200 '.data == []'
}

@test "sums are absolute, and those of several locations are added" {
	new_check "$place-a,$place-b"
	hour=$(date -u +%FT%H:00:00Z)
	for checks_made in 3 5 5; do
		for location in a b; do
			api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place-$location\", \"hours\": [{\"monitor_id\": $monitor,
				\"hour\": \"$hour\", \"checks\": $checks_made, \"failures\": 1, \"response_sum_ms\": 40, \"response_min_ms\": 5, \"response_max_ms\": 12}]}"
			want 202
		done
	done
	[ "$(sql "SELECT checks, failures, response_sum_ms, response_min_ms, response_max_ms FROM monitor_hours
		WHERE monitor_id = $monitor AND checks > 0")" = $'10\t2\t80\t5\t12' ]
	api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place-a\", \"hours\": [{\"monitor_id\": $monitor,
		\"hour\": \"2026-01-01T00:30:00Z\", \"checks\": 5}], \"states\": [{\"state\": \"well\"}]}"
	want 422 '.errors["hours.0.hour"]' '.errors["states.0.monitor_id"]' '.errors["states.0.state"]'
}

@test "many states cost a bounded number of statements" {
	new_check "$place"
	rows=$(jq -n --argjson id "$monitor" --arg now "$(now)" '[range(200) | {monitor_id: ($id + .), state: "up", checked_at: $now}]')
	api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place\", \"states\": $rows}"
	want 202
	want_queries_at_most 15
	rows=$(jq -n --argjson id "$monitor" '[range(201) | {monitor_id: ($id + .), state: "up"}]')
	api POST $checks -H 'Content-Type: application/json' -d "{\"location\": \"$place\", \"states\": $rows}"
	want 422 '.errors.states'
}

@test "names of locations and the quorum are checked" {
	for wrong in 'locations=a b' 'locations=a,A' 'locations=a,,b' 'quorum=2' 'quorum=17'; do
		api POST $monitors -d name=Wrong -d type=http -d url=https://example.org/ -d "$wrong"
		want 422 ".errors.${wrong%%=*}"
	done
	api POST $monitors -d name=Wrong -d type=heartbeat -d period=60 -d locations=a
	want 422 .errors.locations
	new_check "$place-a,$place-b" -d quorum=2
	api GET "$monitors/$monitor"
	want 200 ".data.locations == \"$place-a,$place-b\"" '.data.quorum == 2'
}

@test "doctor names a location whose checker is silent" {
	new_check "$place"
	api GET "$checks?location=$place"
	want 200
	run "$ctl" doctor
	refute grep -q "$place" <<<"$output"
	sql "UPDATE check_locations SET seen_at = seen_at - INTERVAL 3 MINUTE WHERE name = '$place'"
	run "$ctl" doctor
	grep -qE "^warning +locations .*$place.* 3 minutes" <<<"$output"
	# It is nobody's business when no monitor names it.
	api PUT "$monitors/$monitor" -d locations=
	run "$ctl" doctor
	refute grep -q "$place" <<<"$output"
}

# target PORT: responds to everything.
target() {
	python3 -m http.server --bind 127.0.0.1 --directory "$BATS_TEST_TMPDIR" "$1" >/dev/null 2>&1 3>&- &
	target=$!
	disown "$target"
	soon curl -fs "http://127.0.0.1:$1/"
}

# line PORT: to the service; the test breaks it.
line() {
	python3 -c '
import socket, sys, threading
def pass_on(one, other):
	try:
		while data := one.recv(65536):
			other.sendall(data)
		other.shutdown(socket.SHUT_WR)
	except OSError:
		pass
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=100)
while True:
	client = listener.accept()[0]
	server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
	for pair in (client, server), (server, client):
		threading.Thread(target=pass_on, args=pair, daemon=True).start()' "$1" "${base##*:}" 3>&- &
	centre=$!
	disown "$centre"
}

# elsewhere PORT: a checker of the location $place that reaches the service there; its process in $remote.
elsewhere() {
	local host=${base#http://}
	mkdir -p "$BATS_TEST_TMPDIR/elsewhere"
	printf '[pages]\ndir = %s\n[checker]\ncheck_allow_private = yes\nlocation = %s\ncentre = http://%s:%s\ncentre_key = %s\n' \
		"$BATS_TEST_TMPDIR/elsewhere" "$place" "${host%:*}" "$1" "$key" >"$BATS_TEST_TMPDIR/elsewhere.conf"
	"$check" --config "$BATS_TEST_TMPDIR/elsewhere.conf" >>"$BATS_TEST_TMPDIR/elsewhere.log" 2>&1 3>&- &
	remote=$!
	disown "$remote"
}

# counted: the checks of the location that the service knows.
counted() {
	sql "SELECT COALESCE(SUM(checks), 0) FROM location_hours WHERE monitor_id = $monitor AND location_id > 0"
}

has_counted_more_than() {
	[ "$(counted)" -gt "$1" ]
}

@test "a checker elsewhere goes on while the service is away, also after kill -9" {
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	far=$(own_port)
	line "$far"
	elsewhere "$far"
	soon phase_is "$up"
	soon has_counted_more_than 3
	kill "$target"
	soon state_is down
	target "$port"
	soon state_is up
	# The line is cut: the service knows nothing, and nothing goes down.
	kill -9 "$centre"
	before=$(counted)
	soon phase_is "$no_data"
	state_is up
	kill -9 "$remote"
	elsewhere "$far"
	soon grep -q 'works again\|the lease, lists' "$BATS_TEST_TMPDIR/elsewhere.log"
	sleep 4
	line "$far"
	soon phase_is "$up"
	soon has_counted_more_than "$((before + 4))"
	# Nothing was reported of the time without it.
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 1 ]
	[ "$(stat -c %a "$BATS_TEST_TMPDIR/elsewhere/checks-of-location")" = 600 ]
	refute grep -q "$key" "$BATS_TEST_TMPDIR/elsewhere.log" "$BATS_TEST_TMPDIR/elsewhere/checks-of-location"
}

@test "a checker elsewhere checks once, and ends" {
	new_check "$place" -d url=127.0.0.1:1 -d type=tcp -d confirmations=1
	elsewhere "${base##*:}"
	kill -9 "$remote"
	"$check" --once --config "$BATS_TEST_TMPDIR/elsewhere.conf"
	[ "$(counted)" = 1 ]
	soon state_is down
}

@test "a wrong key, and settings that lack something, are said" {
	port=$(own_port)
	key=dm_wrong
	elsewhere "${base##*:}"
	soon grep -q 'the centre refuses the key' "$BATS_TEST_TMPDIR/elsewhere.log"
	run "$check" --explain 1 --config "$BATS_TEST_TMPDIR/elsewhere.conf"
	[ "$status" = 2 ]
	[[ "$output" == *'--explain is for the machine with the database'* ]]
	sed -i '/^location/d' "$BATS_TEST_TMPDIR/elsewhere.conf"
	run "$check" --config "$BATS_TEST_TMPDIR/elsewhere.conf"
	[ "$status" = 78 ]
	[[ "$output" == *'centre needs centre_key and location'* ]]
}
