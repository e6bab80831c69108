# daymark-check, in installations of the tests' own: real checks of listeners on this machine.
load lib
load ../lib/world

setup() {
	setup_of_lib
	check=${DAYMARK_BUILD:-$TOP/build}/daymark-check
}

teardown() {
	local process
	for process in ${checker:-} ${second:-} ${target:-} ${hanging:-} ${receiver:-}; do
		kill -9 "$process" 2>/dev/null || true
	done
	worlds_end
}

# target PORT: a system that is checked, in the background, its process in $target.
target() {
	# It says what its port is, and responds to everything.
	python3 -c '
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
	def do_GET(self):
		self.send_response(200)
		self.send_header("Content-Length", "3")
		self.end_headers()
		self.wfile.write(b"ok\n")
	def log_message(self, *args):
		pass
http.server.ThreadingHTTPServer.allow_reuse_address = True
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()' "$1" 3>&- &
	target=$!
	disown "$target"
	soon curl -fs "http://127.0.0.1:$1/"
}

# hangs PORT: accepts connections, and never responds.
hangs() {
	python3 -c '
import socket, sys, time
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=100)
time.sleep(1000)' "$1" 3>&- &
	hanging=$!
	disown "$hanging"
	soon bash -c "exec 9<>/dev/tcp/127.0.0.1/$1"
}

# Starts a receiver of messages: its process in $receiver, its port in the file `port`, what it gets in `received`.
receiver() {
	mkfifo "$BATS_TEST_TMPDIR/input"
	"$TOP/tests/lib/channel-server" "$BATS_TEST_TMPDIR" <>"$BATS_TEST_TMPDIR/input" >"$BATS_TEST_TMPDIR/port" 3>&- &
	receiver=$!
	disown "$receiver"
	soon test -s "$BATS_TEST_TMPDIR/port"
}

# checked_world NAME: a world whose checks may connect to this machine.
checked_world() {
	world "$1"
	printf '\n[checker]\ncheck_allow_private = yes\n' >>"$(world_conf "$1")"
}

# monitor NAME WORLD URL [OPTION]...: sets $monitor to its id.
monitor() {
	local name=$1 world=$2 url=$3
	shift 3
	monitor=$("$ctl" monitor add "$name" "$url" --config "$(world_conf "$world")" --json --timeout 2s "$@" | jq .id)
}

# checks NAME [OPTION]...: in the background, its process in $checker.
checks() {
	local name=$1
	shift
	"$check" --config "$(world_conf "$name")" "$@" >>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	checker=$!
}

# phase NAME MONITOR: of the last check that is stored.
phase_is() {
	[ "$(world_sql "$1" "SELECT phase FROM monitor_states WHERE monitor_id = $2")" = "$3" ]
}
up=1 down=3 no_data=4

open_incidents() {
	world_sql "$1" "SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL"
}

# page_has SLUG TEXT
page_has() {
	grep -q "$2" "$(world_pages one)/public/s/$1/index.html"
}

@test "systems that die are on the page, and so is their end" {
	checked_world one
	port=$(own_port)
	target "$port"
	monitor Shop one "http://127.0.0.1:$port/" --type http --interval 1s
	shop=$monitor
	monitor Port one "127.0.0.1:$port" --type tcp --interval 1s
	monitor Machine one 127.0.0.1 --type ping --interval 1s
	machine=$monitor
	world_page one shown "monitor_ids[]=$shop&monitor_ids[]=$monitor&show_causes=1"
	checks one
	for id in "$shop" "$machine"; do soon phase_is one "$id" "$up"; done
	kill "$target"
	soon page_has shown 'connection refused'
	has_two_open() { [ "$(open_incidents one)" = 2 ]; }
	soon has_two_open
	phase_is one "$machine" "$up"
	# The outage began with the first failure, and is told once.
	world_sql one "SELECT cause FROM incidents" | sort -u | grep -qx 'connection refused'
	target "$port"
	soon has_no_open_incidents one
	soon phase_is one "$shop" "$up"
	[ "$(world_sql one "SELECT COUNT(*) FROM incidents WHERE ended_at >= started_at")" = 2 ]
	kill "$checker"
	wait "$checker"
	[ ! -s "$BATS_TEST_TMPDIR/out" ]
	refute grep -q level=warn "$BATS_TEST_TMPDIR/err"
}

@test "a pause ends the outage, and what fails after it is another" {
	checked_world one
	monitor Shop one "127.0.0.1:$(own_port)" --type tcp --interval 1s
	checks one
	is_open() { [ "$(open_incidents one)" = 1 ]; }
	soon is_open
	"$ctl" monitor set "$monitor" --pause --config "$(world_conf one)"
	soon has_no_open_incidents one
	soon phase_is one "$monitor" "$no_data"
	"$ctl" monitor set "$monitor" --resume --config "$(world_conf one)"
	soon is_open
	[ "$(world_sql one 'SELECT COUNT(*) FROM incidents')" = 2 ]
	"$ctl" monitor set "$monitor" --type external --url '' --config "$(world_conf one)" --json | jq -e '.state != "down"'
	has_no_open_incidents one
}

has_no_open_incidents() {
	[ "$(open_incidents "$1")" = 0 ]
}

@test "SIGTERM ends within two seconds, without a result of what runs" {
	checked_world one
	port=$(own_port)
	hangs "$port"
	for i in 1 2 3 4 5 6; do
		monitor "Shop $i" one "http://127.0.0.1:$port/" --type http --interval 30s --timeout 30s --confirmations 1
	done
	checks one
	soon grep -q 'this checker checks' "$BATS_TEST_TMPDIR/err"
	soon has_connections "$port" 4
	# Four at once against one host.
	[ "$(connections "$port")" = 4 ]
	kill "$checker"
	timeout 2 tail --pid="$checker" -f /dev/null
	wait "$checker"
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitor_states WHERE checked_at IS NOT NULL')" = 0 ]
	[ "$(open_incidents one)" = 0 ]
	# The lease is given back: the next one begins at once.
	[ "$(world_sql one 'SELECT COUNT(*) FROM check_locations WHERE holder IS NOT NULL')" = 0 ]
}

# Connections to the port, counted at the client's side.
connections() {
	ss -Htn state established "( dport = :$1 )" | wc -l
}

has_connections() {
	[ "$(connections "$1")" -ge "$2" ]
}

@test "--once checks what is due, with repetitions, stores it, and ends" {
	checked_world one
	port=$(own_port)
	target "$port"
	monitor Shop one "http://127.0.0.1:$port/" --type http --interval 60s
	world_page one shown "monitor_ids[]=$monitor&show_causes=1"
	"$check" --once --config "$(world_conf one)"
	phase_is one "$monitor" "$up"
	[ "$(world_sql one "SELECT known_since IS NOT NULL FROM monitors WHERE id = $monitor")" = 1 ]
	kill "$target"
	# Nothing is due yet.
	"$check" --once --config "$(world_conf one)"
	phase_is one "$monitor" "$up"
	[ "$(world_sql one 'SELECT SUM(checks) FROM monitor_hours')" = 1 ]
	world_sql one 'UPDATE monitor_states SET checked_at = checked_at - INTERVAL 60 SECOND'
	"$check" --once --config "$(world_conf one)"
	phase_is one "$monitor" "$down"
	page_has shown 'connection refused'
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitor_gaps')" = 0 ]
	# Every run comes five minutes after the last.
	world_sql one 'UPDATE monitor_states SET checked_at = checked_at - INTERVAL 300 SECOND'
	world_sql one 'UPDATE check_locations SET seen_at = seen_at - INTERVAL 300 SECOND'
	"$check" --once --config "$(world_conf one)"
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitor_gaps')" = 0 ]
	[ "$(world_sql one 'SELECT TIMESTAMPDIFF(SECOND, seen_at, lease_until) BETWEEN 660 AND 720 FROM check_locations')" = 1 ]
	# A run that comes late makes a gap, which is not down.
	world_sql one 'UPDATE monitor_states SET checked_at = checked_at - INTERVAL 300 SECOND'
	"$check" --once --config "$(world_conf one)"
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitor_gaps WHERE ended_at IS NOT NULL')" = 1 ]
	[ "$(open_incidents one)" = 1 ]
}

@test "of two checkers one checks, and --once says that another does" {
	checked_world one
	checks one
	second=$checker
	soon grep -q 'this checker checks' "$BATS_TEST_TMPDIR/err"
	run "$check" --once --config "$(world_conf one)"
	[ "$status" = 75 ]
	[[ "$output" == *'another checker checks'* ]]
	# The one dies, and the other takes over when the lease is over.
	checks one
	kill -9 "$second"
	soon grep -q 'another checker checks' "$BATS_TEST_TMPDIR/err"
	world_sql one 'UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3)'
	soon eval '[ "$(grep -c "this checker checks" "$BATS_TEST_TMPDIR/err")" = 2 ]'
}

@test "--explain shows each step, and stores nothing" {
	checked_world one
	port=$(own_port)
	target "$port"
	monitor $'Shop\e[2J' one "http://127.0.0.1:$port/" --type http
	shop=$monitor
	monitor Twin one "127.0.0.1:$port" --type tcp
	monitor Twin one "127.0.0.1:$port" --type tcp --label "job=web"
	twin=$monitor
	monitor Job one '' --type heartbeat --period 60s
	conf=$(world_conf one)
	run "$check" --explain "$shop" --config "$conf"
	[ "$status" = 0 ]
	[[ "$output" == *'connect '*' 127.0.0.1 '*' ms'* && "$output" == *'status 200'* && "$output" == *'up: '* ]]
	# What is shown does not control the terminal.
	[[ "$output" != *$'\e'* ]]
	run "$check" --explain job=web --config "$conf"
	[ "$status" = 0 ]
	run "$check" --explain Twin --config "$conf"
	[ "$status" = 2 ]
	[[ "$output" == *"$twin"* && "$output" == *'give an id'* ]]
	for wrong in 1 nobody Job ''; do
		run "$check" --explain "$wrong" --config "$conf"
		[ "$status" = 2 ]
	done
	# The first step that was not reached has the name that it has in this type.
	monitor Sealed one "https://127.0.0.1:$port/" --type http
	run "$check" --explain "$monitor" --config "$conf"
	[ "$status" = 1 ]
	[[ "$output" == *'TLS '*' not reached'* && "$output" != *'first byte'* && "$output" == *'down: the TLS handshake failed'* ]]
	monitor Sealed one "127.0.0.1:$port" --type tls
	run "$check" --explain "$monitor" --config "$conf"
	[ "$status" = 1 ]
	[[ "$output" == *'TLS '*' not reached'* && "$output" != *'first byte'* ]]
	monitor Here one 127.0.0.1 --type ping
	run "$check" --explain "$monitor" --config "$conf"
	[[ "$output" == *'reply '* || "$output" == *'note '*TCP* ]]
	monitor Records one example.org --type dns --dns-server 127.0.0.1:1 --timeout 1s
	run "$check" --explain "$monitor" --config "$conf"
	[ "$status" = 1 ]
	[[ "$output" == *'answer '* && "$output" != *'first byte'* && "$output" != *'name  '* ]]
	kill "$target"
	run "$check" --explain "$shop" --config "$conf"
	[ "$status" = 1 ]
	[[ "$output" == *'down: connection refused'* ]]
	# Without the setting nobody gets to this machine.
	sed -i '/^check_allow_private/d' "$conf"
	run "$check" --explain "$shop" --config "$conf"
	[ "$status" = 1 ]
	[[ "$output" == *'down: the address is not public'* ]]
	[ "$(world_sql one 'SELECT (SELECT COUNT(*) FROM monitor_states) + (SELECT COUNT(*) FROM incidents)')" = 0 ]
}

@test "SIGHUP reads the configuration again, if it is right" {
	checked_world one
	port=$(own_port)
	target "$port"
	monitor Shop one "http://127.0.0.1:$port/" --type http --interval 1s
	checks one
	soon phase_is one "$monitor" "$up"
	echo 'concurrency = many' >>"$(world_conf one)"
	kill -HUP "$checker"
	soon grep -q 'the former configuration stays in force.*concurrency' "$BATS_TEST_TMPDIR/err"
	sed -i -e '/^concurrency/d' -e '/^check_allow_private/d' "$(world_conf one)"
	kill -HUP "$checker"
	soon phase_is one "$monitor" "$down"
	[ "$(world_sql one 'SELECT cause FROM incidents')" = 'the address is not public' ]
}

@test "with its own line cut the checker reports that, and no outage" {
	checked_world one
	port=$(own_port)
	target "$port"
	anchor=$target
	printf '%s\n' "anchors = http://127.0.0.1:$port/" '[notify]' 'enabled = yes' >>"$(world_conf one)"
	receiver
	"$ctl" alert-channel add Ops slack --value "{\"url\": \"http://127.0.0.1:$(cat "$BATS_TEST_TMPDIR/port")/slack/ops\"}" \
		--all-monitors --events checker --config "$(world_conf one)"
	other=$(bash -c '. "$0" && free_port 18900' "$TOP/tools/lib/common.sh")
	target "$other"
	monitor Shop one "http://127.0.0.1:$other/" --type http --interval 1s
	checks one
	soon phase_is one "$monitor" "$up"
	kill "$anchor" "$target"
	soon phase_is one "$monitor" "$no_data"
	[ "$(open_incidents one)" = 0 ]
	[ "$(world_sql one 'SELECT cut_off_since IS NOT NULL FROM check_locations')" = 1 ]
	"$ctl" deliver --once --config "$(world_conf one)"
	jq -e '.body.text == "The checker is cut off" and .status == 200' "$BATS_TEST_TMPDIR/received"
	# The line is back, and the system is not.
	target "$port"
	anchor=$target
	soon phase_is one "$monitor" "$down"
	[ "$(open_incidents one)" = 1 ]
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitor_gaps WHERE ended_at > started_at')" = 1 ]
	"$ctl" deliver --once --config "$(world_conf one)"
	jq -s -e 'length == 2 and (.[1].body.text | startswith("The checker is connected again after "))' "$BATS_TEST_TMPDIR/received"
	kill "$anchor"
}

@test "a system that depends on one that is down is named in its message, and has none of its own" {
	checked_world one
	printf '%s\n' '[notify]' 'enabled = yes' >>"$(world_conf one)"
	receiver
	"$ctl" alert-channel add Ops slack --value "{\"url\": \"http://127.0.0.1:$(cat "$BATS_TEST_TMPDIR/port")/slack/ops\"}" \
		--all-monitors --config "$(world_conf one)"
	port=$(own_port)
	target "$port"
	monitor Router one "http://127.0.0.1:$port/" --type http --interval 1s --confirmations 1
	router=$monitor
	monitor Login one "http://127.0.0.1:$port/login" --type http --interval 1s --confirmations 1 --depends-on-id "$router"
	login=$monitor
	monitor Shop one "http://127.0.0.1:$port/shop" --type http --interval 1s --confirmations 1 --depends-on-id "$login"
	checks one
	for id in "$router" "$login" "$monitor"; do soon phase_is one "$id" "$up"; done
	kill "$target"
	soon phase_is one "$router" "$down"
	for id in "$login" "$monitor"; do soon phase_is one "$id" "$no_data"; done
	[ "$(open_incidents one)" = 1 ]
	"$ctl" deliver --once --config "$(world_conf one)"
	jq -s -e 'length == 1 and .[0].body.text == "Router is down" and
		(.[0].body.blocks[0].text.text | endswith("\nDepends on it: Login, Shop"))' "$BATS_TEST_TMPDIR/received"
	target "$port"
	for id in "$router" "$login" "$monitor"; do soon phase_is one "$id" "$up"; done
	"$ctl" deliver --once --config "$(world_conf one)"
	jq -s -e 'length == 2 and (.[1].body.text | startswith("Router is up again after "))' "$BATS_TEST_TMPDIR/received"
}

@test "wrong options and configurations are refused" {
	run "$check" --once --explain 1
	[ "$status" = 2 ]
	run "$check" everything
	[ "$status" = 2 ]
	[ "$("$check" --version)" = "daymark-check $("$ctl" --version | cut -d ' ' -f 2)" ]
	"$check" --help | grep -q -- --explain
	printf '[database]\nsocket = /nowhere\n[checker]\nanchors = http://\n' >"$BATS_TEST_TMPDIR/wrong.conf"
	run "$check" --once --config "$BATS_TEST_TMPDIR/wrong.conf"
	[ "$status" = 78 ]
	[[ "$output" == *'[checker] anchors'* ]]
	echo 'location = x' >>"$BATS_TEST_TMPDIR/wrong.conf"
	run "$check" --config "$BATS_TEST_TMPDIR/wrong.conf"
	[ "$status" = 78 ]
	[[ "$output" == *'wrong.conf:5: unknown setting [checker] location'* ]]
}
