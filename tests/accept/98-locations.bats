# Several locations check: their API, the judgement, and a checker that is elsewhere.
load lib

monitors=/api/v1/monitors
checks=/api/v1/checks

setup_file() {
	# The checker beside the database judges.
	DAYMARK_NO_CHECKER='' own_unlimited_service_start </dev/null
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
	declare -gA keys=()
	key_ids=()
	check=${DAYMARK_BUILD:-$TOP/build}/daymark-check
	place=p$RANDOM$RANDOM
}

teardown() {
	local process
	for process in ${remote:-} ${target:-} ${centre:-}; do
		kill -9 "$process" 2>/dev/null || true
	done
	[ -z "${monitor:-}" ] || api DELETE "$monitors/$monitor"
	for process in "${key_ids[@]}"; do api DELETE "/api/v1/keys/$process"; done
}

# new_key LOCATION: sets $key_of, and keys[LOCATION].
new_key() {
	api POST /api/v1/keys -d "label=checker of $1" -d "location=$1"
	want 201 ".data.location == \"$1\""
	key_ids+=("$(jq .data.id "$answer")")
	key_of=$(jq -r .data.key "$answer")
	keys[$1]=$key_of
}

# at LOCATION METHOD PATH [CURL ARGUMENT]...: asks with the key of the location.
at() {
	local location=$1
	shift
	[ -n "${keys[$location]:-}" ] || new_key "$location"
	call "${keys[$location]}" "$@"
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
	at "$1" POST $checks -H 'Content-Type: application/json' -d "{\"states\": [{
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

@test "a location reads what it has to check, with secrets, and only what is its" {
	new_check "$place" -d 'request_headers[0][key]=Authorization' -d 'request_headers[0][value]=Bearer secret-of-it'
	at "$place" GET "$checks"
	[ "$(header Cache-Control)" = 'private, no-store' ]
	want 200 '.data | length == 1' '.next == null' ".data[0].id == $monitor" '.data[0].interval == 30' \
		'.data[0].request_headers[0].value == "Bearer secret-of-it"' '.data[0].finding.state == "pending"'
	at "$place-b" GET "$checks"
	want 200 '.data == []'
	[ "$(sql "SELECT COUNT(*) FROM check_locations WHERE name = '$place-b'")" = 0 ]
	# The key of another location, or of another account, changes nothing.
	findings="{\"states\": [{\"monitor_id\": $monitor, \"state\": \"down\", \"checked_at\": \"$(now)\"}],
		\"hours\": [{\"monitor_id\": $monitor, \"hour\": \"$(date -u +%FT%H:00:00Z)\", \"checks\": 7}]}"
	at "$place-b" POST $checks -H 'Content-Type: application/json' -d "$findings"
	want 202 ".data.location == \"$place-b\""
	other POST /api/v1/keys -d "location=$place"
	want 201
	their_id=$(jq .data.id "$answer") theirs=$(jq -r .data.key "$answer")
	call "$theirs" GET "$checks"
	want 200 '.data == []'
	call "$theirs" POST $checks -H 'Content-Type: application/json' -d "$findings"
	want 202
	other DELETE "/api/v1/keys/$their_id"
	want 200
	[ "$(sql "SELECT COUNT(*) FROM monitor_states WHERE monitor_id = $monitor AND location_id > 0")" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM location_hours WHERE monitor_id = $monitor AND location_id > 0")" = 0 ]
	anyone GET "$checks"
	want 401
}

@test "the list of many monitors has parts" {
	new_check "$place"
	sql "INSERT INTO monitors (account_id, name, created_at, updated_at)
		SELECT $account, CONCAT('$place ', seq), UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM seq_1_to_250"
	sql "INSERT INTO monitor_checks (monitor_id, account_id, type, \`interval\`, timeout, confirmations, recoveries, slow_ms,
		depends_on_id, request_method, cache_buster, follow_redirects, verify_tls, alert_condition, json_operator, dns_type,
		ssl_alert_days, domain_alert_days, period, grace, locations, changed_at)
		SELECT id, account_id, 1, 60, 7, 3, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 14, 0, 0, 60, '$place', UTC_TIMESTAMP()
		FROM monitors WHERE name LIKE '$place %'"
	at "$place" GET "$checks"
	want 200 '.data | length == 200' '.next == .data[199].id' ".data[0].id == $monitor"
	next=$(jq .next "$answer")
	at "$place" GET "$checks?after=$next"
	want 200 '.data | length == 51' '.next == null' ".data[0].id > $next"
	sql "DELETE FROM monitors WHERE name LIKE '$place %'"
}

@test "only the key of a location may check, and it may do nothing else" {
	new_check "$place"
	for asks in "GET $checks" "POST $checks"; do
		read -r method path <<<"$asks"
		for refused in "$key" "$other_key"; do
			call "$refused" "$method" "$path"
			want 403 '.message | test("daymarkctl key create --location NAME")'
		done
	done
	new_key "$place"
	for asks in "GET /api/v1/account" "GET $monitors" "GET $monitors/$monitor" "PUT $monitors/$monitor" "POST $monitors" \
		"DELETE $monitors/$monitor" "POST $monitors/$monitor/check" "POST $monitors/$monitor/figures" "GET /api/v1/keys" \
		"POST /api/v1/keys" "DELETE /api/v1/keys/${key_ids[0]}" "GET /api/v1/events" "GET /api/v1/status-pages" \
		"POST /api/v1/incidents" "POST /hooks/alertmanager" "GET /api/v1/maintenances"; do
		read -r method path <<<"$asks"
		call "$key_of" "$method" "$path"
		want 403 '.message | test("for the checker of a location")'
	done
	at "$place" GET $checks
	want 200
}

@test "a location belongs to its key from the beginning" {
	for wrong in location=a/b location=Centre "location=$(printf 'x%.0s' {1..33})"; do
		api POST /api/v1/keys -d "$wrong"
		want 422 .errors.location
	done
	api POST /api/v1/keys -d "location=$place" -d is_read_only=1
	want 422 .errors.is_read_only
	new_key "$place"
	api PUT "/api/v1/keys/${key_ids[0]}" -d is_read_only=1
	want 422 .errors.is_read_only
	api PUT "/api/v1/keys/${key_ids[0]}" -d location=other
	want 422 .errors.location
	api PUT "/api/v1/keys/${key_ids[0]}" -d location=
	want 422 .errors.location
	api PUT "/api/v1/keys/${key_ids[0]}" -d label=anew -d "location=$place"
	want 200 ".data.location == \"$place\"" '.data.label == "anew"'
	api POST /api/v1/keys
	want 201 '.data.location == null'
	key_ids+=("$(jq .data.id "$answer")")
	api PUT "/api/v1/keys/${key_ids[1]}" -d "location=$place"
	want 422 .errors.location
	key_of=$("$ctl" key create --location "$place-b" --account "$account" 2>/dev/null)
	call "$key_of" GET $checks
	want 200
	run "$ctl" key list --account "$account"
	grep -qE "check +$place-b" <<<"$output"
}

@test "the certificate of a monitor is the one that its first location sees" {
	new_check "$place-a,$place-b"
	for location in a b; do find "$place-$location" up; done
	soon phase_is "$up"
	for location in a b; do
		at "$place-$location" POST $checks -H 'Content-Type: application/json' -d "{\"states\": [{\"monitor_id\": $monitor, \"state\": \"up\",
			\"checked_at\": \"$(now)\", \"tls_expires_at\": \"2999-01-01T00:00:00Z\", \"tls_issuer\": \"issuer $location\"}]}"
		want 202
	done
	[ "$(sql "SELECT tls_issuer, tls_seen_at > UTC_TIMESTAMP() - INTERVAL 1 MINUTE FROM monitor_states
		WHERE monitor_id = $monitor AND location_id = 0")" = $'issuer a\t1' ]
	api GET "$monitors/$monitor"
	want 200 '.data.tls_expires_at == "2999-01-01T00:00:00Z"'
}

@test "asking again costs little, and a change is seen" {
	new_check "$place"
	sql "UPDATE monitor_checks SET changed_at = changed_at - INTERVAL 1 HOUR WHERE monitor_id = $monitor"
	sql "UPDATE monitors SET updated_at = updated_at - INTERVAL 1 HOUR WHERE id = $monitor"
	at "$place" GET "$checks"
	want 200
	etag=$(header ETag)
	[ -n "$etag" ]
	at "$place" GET "$checks" -H "If-None-Match: $etag"
	[ "$status" = 304 ]
	want_queries_at_most 8
	api PUT "$monitors/$monitor" -d is_paused=1
	want 200
	at "$place" GET "$checks" -H "If-None-Match: $etag"
	want 200 '.data[0].is_paused == true'
	api PUT "$monitors/$monitor" -d is_paused=0 -d locations=
	want 200 '.data.locations == null'
	at "$place" GET "$checks" -H "If-None-Match: $etag"
	want 200 '.data == []'
}

@test "sums are absolute, and those of several locations are added" {
	new_check "$place-a,$place-b"
	hour=$(date -u +%FT%H:00:00Z)
	for checks_made in 3 5 5; do
		for location in a b; do
			at "$place-$location" POST $checks -H 'Content-Type: application/json' -d "{\"hours\": [{\"monitor_id\": $monitor,
				\"hour\": \"$hour\", \"checks\": $checks_made, \"failures\": 1, \"response_sum_ms\": 40, \"response_min_ms\": 5, \"response_max_ms\": 12}]}"
			want 202
		done
	done
	[ "$(sql "SELECT checks, failures, response_sum_ms, response_min_ms, response_max_ms FROM monitor_hours
		WHERE monitor_id = $monitor AND checks > 0")" = $'10\t2\t80\t5\t12' ]
	# An hour that a checker has kept for too long, or that has not begun, is left out.
	at "$place-a" POST $checks -H 'Content-Type: application/json' -d "{\"hours\": [
		{\"monitor_id\": $monitor, \"hour\": \"2026-01-01T00:00:00Z\", \"checks\": 5},
		{\"monitor_id\": $monitor, \"hour\": \"2999-01-01T00:00:00Z\", \"checks\": 5}]}"
	want 202
	[ "$(sql "SELECT COUNT(*) FROM location_hours WHERE monitor_id = $monitor AND checks > 0")" = 2 ]
	at "$place-a" POST $checks -H 'Content-Type: application/json' -d "{\"hours\": [{\"monitor_id\": $monitor,
		\"hour\": \"2026-01-01T00:30:00Z\", \"checks\": 5}], \"states\": [{\"state\": \"well\"}]}"
	want 422 '.errors["hours.0.hour"]' '.errors["states.0.monitor_id"]' '.errors["states.0.state"]'
}

@test "many states cost a bounded number of statements" {
	new_check "$place"
	# With all that they can have.
	many=$(jq -n --argjson id "$monitor" --arg now "$(now)" --arg hour "$(date -u +%FT%H:00:00Z)" '{
		states: [range(150) | {monitor_id: ($id + .), state: "up", since: $now, checked_at: $now, failing_since: null, well_since: $now,
			failures: 0, successes: 0, is_slow: false, changes: 0, changes_since: null, is_flapping: false, response_ms: 5,
			cause: "c", tls_expires_at: $now, tls_issuer: "i"}],
		hours: [range(150) | {monitor_id: ($id + .), hour: $hour, checks: 1, failures: 0, response_sum_ms: 5, response_min_ms: 5,
			response_max_ms: 5}]}')
	at "$place" POST $checks -H 'Content-Type: application/json' -d "$many"
	want 202
	want_queries_at_most 15
	at "$place" POST $checks -H 'Content-Type: application/json' -d "$(jq '.states += [.states[0]]' <<<"$many")"
	want 422 '.errors.states'
	at "$place" POST $checks -H 'Content-Type: application/json' -d "$(jq '.hours += [.hours[0]]' <<<"$many")"
	want 422 '.errors.hours'
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

@test "daymarkctl sets locations and the quorum, and exports and applies them" {
	name=$(new_slug)
	"$ctl" account add "$name"
	"$ctl" monitor add Shop https://shop.example.org --type http --locations a,centre --quorum 2 --account "$name"
	"$ctl" export --account "$name" >"$BATS_TEST_TMPDIR/exported"
	jq -e '.monitors[0] | .locations == "a,centre" and .quorum == 2' "$BATS_TEST_TMPDIR/exported"
	jq '.monitors[0] += {locations: "a,b,c", quorum: 3}' "$BATS_TEST_TMPDIR/exported" | "$ctl" apply - --account "$name" --yes
	jq -e '.[0] | .locations == "a,b,c" and .quorum == 3' <("$ctl" monitor list --json --account "$name")
	"$ctl" account remove "$name" --yes
}

@test "an event tells that a location that was cut off asks again" {
	new_check "$place,centre"
	at "$place" GET "$checks"
	want 200
	# As the background work does after two minutes.
	sql "UPDATE check_locations SET seen_at = seen_at - INTERVAL 10 MINUTE, cut_off_since = seen_at WHERE name = '$place'"
	for turn in 1 2; do
		at "$place" GET "$checks"
		want 200
	done
	api GET "/api/v1/events?kind=checker.reconnected&search=$place"
	want 200 '.meta.total == 1' '.data[0].object == "account"' ".data[0].detail == \"$place\"" '.data[0].actor.type == "checker"'
}

@test "doctor names a location whose checker is silent" {
	new_check "$place,centre"
	run "$ctl" doctor
	grep -qE "^warning +locations .*has ever asked for the monitors of $place " <<<"$output"
	at "$place" GET "$checks"
	want 200
	run "$ctl" doctor
	refute grep -qE "$place|centre" <<<"$output"
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
	python3 -m http.server --bind 127.0.0.1 --directory "$BATS_TEST_TMPDIR" "$1" >/dev/null 2>>"$BATS_TEST_TMPDIR/target.log" 3>&- &
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

# elsewhere PORT [PROGRAM ARGUMENT]...: a checker of the location $place that reaches the service there, perhaps run by a
# program; its process in $remote.
elsewhere() {
	local host=${base#http://} port=$1
	shift
	mkdir -p "$BATS_TEST_TMPDIR/elsewhere"
	[ -n "${keys[$place]:-}" ] || new_key "$place"
	printf '[pages]\ndir = %s\n[checker]\ncheck_allow_private = yes\ncentre = http://%s:%s\ncentre_key = %s\n' \
		"$BATS_TEST_TMPDIR/elsewhere" "${host%:*}" "$port" "${keys[$place]}" >"$BATS_TEST_TMPDIR/elsewhere.conf"
	"$@" "$check" --config "$BATS_TEST_TMPDIR/elsewhere.conf" >>"$BATS_TEST_TMPDIR/elsewhere.log" 2>&1 3>&- &
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
	state_is no_data
	kill -9 "$remote"
	elsewhere "$far"
	soon grep -q 'the list of the centre' "$BATS_TEST_TMPDIR/elsewhere.log"
	sleep 4
	line "$far"
	soon phase_is "$up"
	soon has_counted_more_than "$((before + 4))"
	# Nothing was reported of the time without it.
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 1 ]
	[ "$(stat -c %a "$BATS_TEST_TMPDIR/elsewhere/checks-of-location")" = 600 ]
	refute grep -q "${keys[$place]}" "$BATS_TEST_TMPDIR/elsewhere.log" "$BATS_TEST_TMPDIR/elsewhere/checks-of-location"
}

@test "a checker elsewhere checks once, and ends" {
	new_check "$place" -d url=127.0.0.1:1 -d type=tcp -d confirmations=1
	elsewhere "${base##*:}"
	kill -9 "$remote"
	"$check" --once --config "$BATS_TEST_TMPDIR/elsewhere.conf"
	[ "$(counted)" = 1 ]
	soon state_is down
}

@test "a checker whose clock is wrong goes by that of the service" {
	needs faketime
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	for by in +1d -1d; do
		before=$(counted)
		# faketime itself would stay as a second process.
		mapfile -t clock < <(faketime -f "$by" env | grep -E '^(LD_PRELOAD|FAKETIME)=')
		elsewhere "${base##*:}" env "${clock[@]}"
		soon has_counted_more_than "$((before + 2))"
		soon phase_is "$up"
		[ "$(sql "SELECT MIN(ABS(TIMESTAMPDIFF(SECOND, checked_at, UTC_TIMESTAMP())) < 60) FROM monitor_states
			WHERE monitor_id = $monitor")" = 1 ]
		[ "$(sql "SELECT COUNT(*) FROM location_hours WHERE monitor_id = $monitor AND checks > 0
			AND ABS(TIMESTAMPDIFF(MINUTE, hour, UTC_TIMESTAMP())) > 65")" = 0 ]
		kill "$remote"
		soon refute kill -0 "$remote"
	done
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 0 ]
}

@test "a revoked key ends the checks, and what was found is kept" {
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	elsewhere "${base##*:}"
	soon has_counted_more_than 1
	api DELETE "/api/v1/keys/${key_ids[0]}"
	want 200
	soon grep -q 'the list of the centre: the centre refuses the key, which is wrong, expired or revoked' "$BATS_TEST_TMPDIR/elsewhere.log"
	soon grep -q 'this checker no longer checks' "$BATS_TEST_TMPDIR/elsewhere.log"
	found=$BATS_TEST_TMPDIR/elsewhere/checks-of-location
	[ "$(tail -n 1 "$found" | jq -r '.states[0].state')" = up ]
	checks_made=$(tail -n 1 "$found" | jq '.hours | map(.checks) | add')
	[ "$checks_made" -ge "$(counted)" ]
	asked=$(wc -l <"$BATS_TEST_TMPDIR/target.log")
	# Also after a restart.
	kill "$remote"
	soon refute kill -0 "$remote"
	elsewhere "${base##*:}"
	soon eval '[ "$(grep -c "this checker no longer checks" "$BATS_TEST_TMPDIR/elsewhere.log")" -ge 2 ]'
	[ "$(wc -l <"$BATS_TEST_TMPDIR/target.log")" = "$asked" ]
	kill "$remote"
	soon refute kill -0 "$remote"
	[ "$(tail -n 1 "$found" | jq '.hours | map(.checks) | add')" = "$checks_made" ]
	# With a new key it goes on, and the sums of the past are there.
	unset "keys[$place]"
	elsewhere "${base##*:}"
	soon has_counted_more_than "$checks_made"
}

@test "a file that is damaged, or of long ago, harms nothing" {
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	mkdir -p "$BATS_TEST_TMPDIR/elsewhere"
	found=$BATS_TEST_TMPDIR/elsewhere/checks-of-location
	{
		printf '{"data": [{"id": 1, "na\n\0\377[[[\n[]\n7\n\n{"data": 5}\n{"states": 7}\n'
		printf '{"states":[{"monitor_id":%s,"state":"down","since":"2019-01-01T00:00:00Z","checked_at":"2019-01-01T00:00:00Z","failing_since":"2019-01-01T00:00:00Z"}],' "$monitor"
		printf '"hours":[{"monitor_id":%s,"hour":"2019-01-01T00:00:00Z","checks":9}]}\n{"states":[{"monitor' "$monitor"
	} >"$found"
	elsewhere "${base##*:}"
	soon has_counted_more_than 2
	soon phase_is "$up"
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM location_hours WHERE monitor_id = $monitor AND hour < '2026-01-01'")" = 0 ]
	refute grep -q refused "$BATS_TEST_TMPDIR/elsewhere.log"
}

@test "while the database is away, what is found is kept and sent later" {
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	elsewhere "${base##*:}"
	soon has_counted_more_than 1
	mysql_pid=$(cat "$dir/run/mysql.pid")
	before=$(counted)
	kill -STOP "$mysql_pid"
	soon grep -qE 'the centre responds with 503|no progress' "$BATS_TEST_TMPDIR/elsewhere.log"
	kill -CONT "$mysql_pid"
	soon has_counted_more_than "$((before + 4))"
	soon phase_is "$up"
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor")" = 0 ]
}

@test "a monitor that no longer names the location is left in peace" {
	port=$(own_port)
	target "$port"
	new_check "$place" -d "url=http://127.0.0.1:$port/" -d interval=1 -d timeout=2
	elsewhere "${base##*:}"
	soon has_counted_more_than 1
	api PUT "$monitors/$monitor" -d "locations=$place-b"
	want 200
	soon eval 'before=$(wc -l <"$BATS_TEST_TMPDIR/target.log"); sleep 2.5; [ "$(wc -l <"$BATS_TEST_TMPDIR/target.log")" = "$before" ]'
	# Then the location has nothing to say of it.
	find "$place" down
	[ "$(sql "SELECT COUNT(*) FROM monitor_states WHERE monitor_id = $monitor AND location_id > 0 AND phase = $down")" = 0 ]
}

@test "a wrong key, and settings that lack something, are said" {
	keys[$place]=dm_wrong
	elsewhere "${base##*:}"
	soon grep -q 'the centre refuses the key, which is wrong' "$BATS_TEST_TMPDIR/elsewhere.log"
	kill -9 "$remote"
	keys[$place]=$key
	elsewhere "${base##*:}"
	soon grep -q 'the centre refuses the key, which is not of a location' "$BATS_TEST_TMPDIR/elsewhere.log"
	run "$check" --explain 1 --config "$BATS_TEST_TMPDIR/elsewhere.conf"
	[ "$status" = 2 ]
	[[ "$output" == *'--explain is for the machine with the database'* ]]
	for lacks in centre centre_key; do
		sed "/^$lacks =/d" "$BATS_TEST_TMPDIR/elsewhere.conf" >"$BATS_TEST_TMPDIR/lacks.conf"
		run "$check" --config "$BATS_TEST_TMPDIR/lacks.conf"
		[ "$status" = 78 ]
		[[ "$output" == *'centre and centre_key need each other'* ]]
	done
}
