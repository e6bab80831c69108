# Heartbeats while the database is away, and how many are taken.
load lib

setup_file() {
	own_service_start <<-'END'
		[server]
		trusted_proxies = 127.0.0.5
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
}

# A test that failed must not fail the others.
teardown() {
	mysql_is_there() { is_running "$(cat "$own/run/mysql.pid" 2>/dev/null)"; }
	mysql_is_there || start_database
}

heartbeat_monitor() {
	local url
	api POST /api/v1/monitors -d "name=Backup $(new_slug)" -d type=heartbeat -d period=3600
	[ "$status" = 201 ] || show
	read -r monitor url < <(jq -r '"\(.data.id) \(.data.heartbeat_url)"' "$answer")
	path=${url#"$base"}
}

taken() {
	sql "SELECT GROUP_CONCAT(value ORDER BY id) FROM check_signals WHERE monitor_id = $monitor AND kind = 4"
}

has_taken() {
	[ "$(taken)" = "$1" ]
}

stop_database() {
	kill -9 "$(cat "$own/run/mysql.pid")"
	soon has_ended "$(cat "$own/run/mysql.pid")"
}

start_database() {
	with_service service_start_mysql "$own" >&2
}

@test "heartbeats are taken while the database is away, and are in order afterwards" {
	heartbeat_monitor
	stop_database
	for i in 1 2 3; do
		anyone GET "$path/$i"
		want 200
	done
	[ -s "$pages/spool" ]
	[ "$(stat -c %a "$pages/spool")" = 600 ]
	api GET /api/v1/monitors
	want 503
	# The processes that took them die, too.
	kill -9 $(pgrep -P "$parent")
	anyone GET "$path/4"
	want 200
	before=$(date +%s)
	start_database
	soon has_taken 1,2,3,4
	soon gone "$pages/spool"
	anyone GET "$path/5"
	want 200
	has_taken 1,2,3,4,5
	[ "$(sql "SELECT COUNT(*) FROM check_signals WHERE monitor_id = $monitor AND value < 5 AND at <= FROM_UNIXTIME($before)")" = 4 ]
	[ "$(sql 'SELECT COUNT(*) FROM check_spools')" = 0 ]
}

@test "plain CGI and the service keep heartbeats in one file" {
	heartbeat_monitor
	stop_database
	cgi() {
		env -i GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$path/$1" SCRIPT_NAME= PATH_INFO="$path/$1" QUERY_STRING= HTTP_HOST="${base#*://}" \
			REMOTE_ADDR=127.0.0.1 SERVER_PROTOCOL=HTTP/1.1 DAYMARK_CONF="$conf" "${DAYMARK_BUILD:-$TOP/build}/daymark" </dev/null
	}
	for i in $(seq 1 8); do cgi "$i" >"$BATS_TEST_TMPDIR/cgi.$i" 3>&- & done
	wait
	anyone GET "$path/9"
	want 200
	[ "$(cat "$BATS_TEST_TMPDIR"/cgi.* | grep -c '^OK')" = 8 ]
	start_database
	soon says "SELECT COUNT(DISTINCT value), COUNT(*) FROM check_signals WHERE monitor_id = $monitor" $'9\t9'
	[ "$(sql "SELECT value FROM check_signals WHERE monitor_id = $monitor ORDER BY id DESC LIMIT 1")" = 9 ]
}

@test "on a full disk, without a database, a heartbeat is refused and changes nothing" {
	heartbeat_monitor
	stop_database
	anyone GET "$path/1"
	want 200
	as_root true 2>/dev/null || skip "only root may make a file immutable"
	as_root chattr +i "$pages/spool" 2>/dev/null || skip "the file system has no immutable files"
	anyone GET "$path/2"
	as_root chattr -i "$pages/spool"
	want 503 '.status == 503'
	[ -n "$(header Retry-After)" ]
	start_database
	soon has_taken 1
}

@test "a system has 300 heartbeats a minute, and an address 10 wrong tokens" {
	heartbeat_monitor
	urls=()
	for i in $(seq 301); do urls+=(-o /dev/null "$base$path"); done
	[ "$(curl -sS --max-time 60 -w '%{http_code}\n' "${urls[@]}" | sort | uniq -c | tr -s ' \n' ' ')" = ' 300 200 1 429 ' ]
	anyone GET "$path"
	want 429
	wait_s=$(header Retry-After)
	[ "$wait_s" -ge 1 ]
	[ "$wait_s" -le 60 ]
	# Another system of the same address goes on.
	heartbeat_monitor
	anyone GET "$path"
	want 200
	for i in $(seq 10); do
		anyone GET /hb/1-AAAAAAAAAAAAAAAAAAAAAA
		want 404
	done
	anyone GET /hb/1-AAAAAAAAAAAAAAAAAAAAAA
	want 429
	anyone GET "$path"
	want 200
}
