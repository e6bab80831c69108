# Heartbeats: who may send them, and what becomes of them.
load lib

# heartbeat_monitor: creates a monitor; sets $monitor and $path, the path of its heartbeats.
heartbeat_monitor() {
	local url
	api POST /api/v1/monitors -d "name=Backup $(new_slug)" -d type=heartbeat -d period=3600 -d grace=60
	[ "$status" = 201 ] || show
	read -r monitor url < <(jq -r '"\(.data.id) \(.data.heartbeat_url)"' "$answer")
	path=${url#"$base"}
	[[ $path == /hb/* ]]
}

# taken: the kinds and values of the monitor's signals, in their order. The checker takes them away.
taken() {
	sql "SELECT GROUP_CONCAT(kind, ' ', value ORDER BY id SEPARATOR ',') FROM check_signals WHERE monitor_id = $monitor"
}

has_taken() {
	[ "$(taken)" = "$1" ]
}

is_ok() {
	[ "$status" = 200 ] || show
	[ "$(cat "$answer")" = OK ]
	[[ "$(header Content-Type)" == text/plain* ]] || show
	[ "$(header Cache-Control)" = no-store ] || show
}

# bats test_tags=server, cgi
@test "a heartbeat is taken by GET, HEAD and POST, with a report or without one" {
	heartbeat_monitor
	anyone GET "$path"
	is_ok
	anyone POST "$path/start" -d ''
	is_ok
	anyone HEAD "$path/fail"
	[ "$status" = 200 ] || show
	[ "$(header Cache-Control)" = no-store ] || show
	anyone GET "$path/0"
	is_ok
	anyone POST "$path/255" -d ''
	is_ok
	# A program is not asked for a key.
	api GET "$path"
	is_ok
	soon has_taken '1 0,2 0,3 0,4 0,4 255,1 0'
}

# bats test_tags=server
@test "the body of a heartbeat is ignored, whatever it is" {
	heartbeat_monitor
	head -c 300000 /dev/urandom >"$BATS_TEST_TMPDIR/body"
	for type in text/plain application/json 'multipart/form-data; boundary=x' application/x-www-form-urlencoded; do
		anyone POST "$path" -H "Content-Type: $type" --data-binary "@$BATS_TEST_TMPDIR/body"
		is_ok
	done
	anyone POST "$path" -d _method=PUT
	is_ok
}

# bats test_tags=server, cgi
@test "a token that is not valid is not found, in the form of the API" {
	heartbeat_monitor
	other_end=${path%?}x
	[ "$other_end" != "$path" ] || other_end=${path%?}y
	for wrong in /hb/x "/hb/$monitor" "/hb/$monitor-" "$other_end" "${path}x" "/hb/$((monitor + 1))-${path##*-}" "$path/256" "$path/-1" "$path/00" \
		"$path/stop" "$path/start/1" /hb/; do
		anyone GET "$wrong"
		[ "$status" = 404 ] || [ "$status" = 400 ] || show
		want "$status" ".status == $status" '.message | length > 0'
	done
	anyone PUT "$path"
	want 405
	[ "$(header Allow)" = 'GET, HEAD, POST' ] || show
	anyone DELETE "$path/fail"
	want 405
	[ -z "$(taken | tr -d NUL)" ]
}

@test "a monitor that is deleted, retired or of another type takes no heartbeats" {
	heartbeat_monitor
	anyone GET "$path"
	is_ok
	want_queries 1
	[[ "$(log_line)" == *" route=/hb/{token} "*" monitor=$monitor"* ]]
	api PUT "/api/v1/monitors/$monitor" -d type=external
	want 200
	anyone GET "$path"
	want 404
	api PUT "/api/v1/monitors/$monitor" -d type=heartbeat -d period=60
	want 200
	anyone GET "$path"
	is_ok
	api DELETE "/api/v1/monitors/$monitor"
	want 200
	anyone GET "$path"
	want 404
}
