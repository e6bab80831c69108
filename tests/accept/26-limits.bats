# How often a client may ask, as the configuration has it by default.
load lib

list=/api/v1/status-pages

setup_file() {
	own_service_start <<-'END'
		[server]
		trusted_proxies = 127.0.0.5, 127.0.0.6
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
}

teardown() {
	[ -z "${holder:-}" ] || kill "$holder" 2>/dev/null || true
}

# times N [CURL ARGUMENT]...: the statuses of so many requests of the list, counted.
times() {
	local i urls=()
	for i in $(seq "$1"); do urls+=(-o /dev/null "$base$list"); done
	shift
	curl -sS --max-time 60 -w '%{http_code}\n' "$@" "${urls[@]}" | sort | uniq -c | tr -s ' \n' ' '
}

@test "a key has 300 requests a minute, and every answer says what is left" {
	fresh=$("$ctl" key create --account "$account" --json | jq -r .key)
	call "$fresh" GET "$list"
	want 200
	[ "$(header X-RateLimit-Limit)" = 300 ]
	[ "$(header X-RateLimit-Remaining)" = 299 ]
	[ -z "$(header Retry-After)" ]
	call "$fresh" GET "$list/999999"
	want 404
	[ "$(header X-RateLimit-Remaining)" = 298 ]
	[ "$(times 297 -H "Authorization: Bearer $fresh")" = ' 297 200 ' ]
	call "$fresh" GET "$list"
	want 200
	[ "$(header X-RateLimit-Remaining)" = 0 ]
	call "$fresh" POST "$list" -d name=x -d "slug=$(new_slug)"
	want 429 '.status == 429' '.message == "Too many requests of this key: the limit is 300 in a minute."'
	wait_s=$(header Retry-After)
	[ "$wait_s" -ge 1 ]
	[ "$wait_s" -le 60 ]
	[ $(($(header X-RateLimit-Reset) - wait_s - $(date +%s))) -le 1 ]
	[ "$(header X-RateLimit-Remaining)" = 0 ]
	[ "$(queries)" = 1 ]
	# Another key, and what needs none, go on.
	api GET "$list"
	want 200
	anyone GET /healthz
	want 200
	[ -z "$(header X-RateLimit-Limit)" ]
	# Plain CGI counts with the others.
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$list" HTTP_HOST=localhost \
		HTTP_AUTHORIZATION="Bearer $fresh" "${DAYMARK_BUILD:-$TOP/build}/daymark" | head -n 1 | grep '^Status: 429 '
}

@test "the keys of an account have 900 requests a minute together, however many there are" {
	account=$("$ctl" account add "Limits $(new_slug)" --json | jq .id)
	keys=()
	for _ in 1 2 3 4; do keys+=("$("$ctl" key create --account "$account" --json | jq -r .key)"); done
	for i in 0 1; do [ "$(times 299 -H "Authorization: Bearer ${keys[i]}")" = ' 299 200 ' ]; done
	# The tighter limit is told: of the key 1 of 300 is left, of the account 301 of 900.
	call "${keys[1]}" GET "$list"
	want 200
	[ "$(header X-RateLimit-Limit) $(header X-RateLimit-Remaining)" = '300 0' ]
	# What a key may not ask costs the others nothing.
	[ "$(times 50 -H "Authorization: Bearer ${keys[1]}")" = ' 50 429 ' ]
	[ "$(times 290 -H "Authorization: Bearer ${keys[2]}")" = ' 290 200 ' ]
	# A key that one of them makes is one more.
	call "${keys[3]}" POST /api/v1/keys
	want 201
	[ "$(header X-RateLimit-Limit) $(header X-RateLimit-Remaining)" = '900 10' ]
	keys+=("$(jq -r .data.key "$answer")")
	[ "$(times 10 -H "Authorization: Bearer ${keys[4]}")" = ' 10 200 ' ]
	call "${keys[4]}" GET "$list"
	want 429 '.message == "Too many requests of this account: the limit is 900 in a minute."'
	[ "$(header X-RateLimit-Limit) $(header X-RateLimit-Remaining)" = '900 0' ]
	[ "$(header Retry-After)" -ge 1 ]
	[ -n "$(header X-RateLimit-Reset)" ]
	# Plain CGI counts with the others, and another account is another.
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$list" HTTP_HOST=localhost \
		HTTP_AUTHORIZATION="Bearer ${keys[3]}" "${DAYMARK_BUILD:-$TOP/build}/daymark" | head -n 1 | grep '^Status: 429 '
	other GET "$list"
	want 200
}

@test "ten wrong keys a minute from an address; a right one goes on" {
	wrong="dm_$(printf 'x%.0s' $(seq 43))"
	[ "$(times 10 -H "Authorization: Bearer $wrong" --interface 127.0.0.3)" = ' 10 401 ' ]
	for as in "$wrong" nonsense; do
		call "$as" GET "$list" --interface 127.0.0.3
		want 429 '.status == 429'
		[ "$(header Retry-After)" -ge 1 ]
	done
	api GET "$list" --interface 127.0.0.3
	want 200
	# No key at all is no wrong one, and other addresses are others.
	anyone GET "$list" --interface 127.0.0.3
	want 401
	call "$wrong" GET "$list" --interface 127.0.0.4
	want 401
}

@test "behind a proxy each client counts for itself, and none can count as another" {
	wrong="dm_$(printf 'y%.0s' $(seq 43))"
	proxied() {
		call "$wrong" GET "$list" --interface "$1" "${@:2}"
	}
	# Ten of one client, each claiming to come from elsewhere; as further lines, too.
	for i in $(seq 5); do
		proxied 127.0.0.5 -H "X-Forwarded-For: 203.0.113.$i, 198.51.100.1"
		want 401
		proxied 127.0.0.5 -H "X-Forwarded-For: 203.0.113.$i" -H 'X-Forwarded-For: 198.51.100.1, 127.0.0.6'
		want 401
	done
	proxied 127.0.0.5 -H 'X-Forwarded-For: 203.0.113.9, 198.51.100.1'
	want 429
	proxied 127.0.0.5 -H 'X-Forwarded-For: 198.51.100.2'
	want 401
	# A network is what one IPv6 client has.
	for i in $(seq 10); do
		proxied 127.0.0.5 -H "X-Forwarded-For: 2001:db8:0:1::$i"
		want 401
	done
	proxied 127.0.0.5 -H 'X-Forwarded-For: 2001:db8:0:1:ffff::1'
	want 429
	proxied 127.0.0.5 -H 'X-Forwarded-For: 2001:db8:0:2::1'
	want 401
	# Whoever is no proxy of ours says so in vain.
	for i in $(seq 10); do
		proxied 127.0.0.7 -H "X-Forwarded-For: 198.51.100.$i"
		want 401
	done
	proxied 127.0.0.7 -H 'X-Forwarded-For: 198.51.100.99'
	want 429
}

# tries N PATH [CURL ARGUMENT]...: the statuses of so many GETs, counted.
tries() {
	local i urls=() path=$2
	for i in $(seq "$1"); do urls+=(-o /dev/null "$base$path"); done
	shift 2
	curl -sS --max-time 60 -w '%{http_code}\n' "$@" "${urls[@]}" | sort | uniq -c | tr -s ' \n' ' '
}

# What a client is told, but for what differs from answer to answer.
told() {
	tr -d '\r' <"$headers" | grep -viE '^(x-request-id|date|content-length|transfer-encoding):'
	cat "$answer"
}

@test "wrong keys at pages count with the others, whether there is a page or not" {
	wrong="Authorization: Bearer dm_$(printf 'z%.0s' $(seq 43))"
	new_page -F privacy=1
	private=/s/$slug/
	new_page -F privacy=2 -F password=x
	asking=/s/$slug/
	anyone GET "$private" --interface 127.0.0.10
	told >"$BATS_TEST_TMPDIR/nothing"
	anyone GET "$asking" --interface 127.0.0.10
	[ "$status" = 200 ]
	told >"$BATS_TEST_TMPDIR/form"
	from=11
	for path in "$private" "$asking" /s/there-is-no-such-page/; do
		wanted=404 as=nothing
		[ "$path" != "$asking" ] || wanted=200 as=form
		at=127.0.0.$((from++))
		[ "$(tries 9 "$path" -H "$wrong" --interface $at)" = " 9 $wanted " ]
		# The tenth is looked for, the eleventh is not; the answers are the same.
		anyone GET "$path" -H "$wrong" --interface $at
		told | diff "$BATS_TEST_TMPDIR/$as" -
		[ "$(queries)" = 1 ]
		asked=0
		for word in "$(printf 'a%.0s' {1..43})" "$(printf 'b%.0s' {1..43})" "$(printf 'c%.0s' {1..43})" ''; do
			anyone GET "$path" -H "Authorization: Bearer dm_$word" --interface $at
			told | diff "$BATS_TEST_TMPDIR/$as" -
			((asked += $(queries))) || true
		done
		# One of 4,096 wrong keys has the mark of a right one.
		[ "$asked" -le 1 ]
		api GET "$list" --interface $at
		want 200
		anyone GET "$list" -H "$wrong" --interface $at
		want 429
	done
}

# opens KEY PATH [CURL ARGUMENT]...: the key opens the page.
opens() {
	call "$1" GET "$2" "${@:3}"
	[ "$status" = 200 ] || show
}

@test "a right key or cookie opens a page after any number of wrong keys, cookies and links" {
	new_page -F privacy=1
	at=(--interface 127.0.0.15)
	mapfile -t wrong < <(for i in {1..20}; do printf 'dm_%043d\n' "$i"; done)
	# Wrong keys at the API are wrong keys at a page.
	for one in "${wrong[@]:0:8}"; do call "$one" GET "$list" "${at[@]}"; done
	for one in "${wrong[@]:8}" nonsense; do call "$one" GET "/s/$slug/" "${at[@]}"; done
	[ "$status" = 404 ]
	opens "$key" "/s/$slug/" "${at[@]}"
	[ "$(queries)" = 1 ]
	# A key that no process has seen before, and one that may only read.
	"$ctl" key create --account "$account" --json >"$BATS_TEST_TMPDIR/new"
	opens "$(jq -r .key "$BATS_TEST_TMPDIR/new")" "/s/$slug/" "${at[@]}"
	opens "$("$ctl" key create --account "$account" --read-only --json | jq -r .key)" "/s/$slug/" "${at[@]}"
	api POST /api/v1/keys -d label=by-the-api
	want 201
	opens "$(jq -r .data.key "$answer")" "/s/$slug/" "${at[@]}"
	# Keys that open nothing are not made right by that.
	call "$other_key" GET "/s/$slug/" "${at[@]}"
	[ "$status" = 404 ]
	"$ctl" key revoke "$(jq .id "$BATS_TEST_TMPDIR/new")"
	call "$(jq -r .key "$BATS_TEST_TMPDIR/new")" GET "/s/$slug/" "${at[@]}"
	[ "$status" = 404 ]
	# Both kinds mixed: a wrong key, a wrong link, and cookies of which the last one is right.
	link=$("$ctl" page link "$slug")
	link=${link##*link=}
	anyone GET "/s/$slug/?link=$link" -c "$BATS_TEST_TMPDIR/jar"
	cookie=$(awk '$6 == "daymark_page" { print $7 }' "$BATS_TEST_TMPDIR/jar")
	foreign=$(for i in {1..50}; do printf 'daymark_page=%d.%043d; ' "$((EPOCHSECONDS + 900))" "$i"; done)
	call "${wrong[0]}" GET "/s/$slug/?link=${link}x" "${at[@]}" -H "Cookie: ${foreign}daymark_page=$cookie"
	[ "$status" = 200 ] || show
	[ "$(queries)" = 0 ]
	opens "$key" "/s/$slug/" "${at[@]}" -H "Cookie: $foreign"
	call "${wrong[0]}" GET "/s/$slug/" "${at[@]}" -H "Cookie: $foreign"
	[ "$status" = 404 ]
}

@test "behind a proxy the wrong keys of a client hide a page neither from it nor from others" {
	new_page -F privacy=1
	at=(--interface 127.0.0.5 -H 'X-Forwarded-For: 198.51.100.40')
	for i in {1..15}; do call "$(printf 'dm_p%042d' "$i")" GET "/s/$slug/" "${at[@]}"; done
	opens "$key" "/s/$slug/" "${at[@]}"
	opens "$key" "/s/$slug/" --interface 127.0.0.5 -H 'X-Forwarded-For: 198.51.100.41'
}

@test "right keys at pages are not counted, nor are other accounts' or other schemes" {
	new_page -F privacy=1
	[ "$(tries 12 "/s/$slug/" -H "Authorization: Bearer $key" --interface 127.0.0.20)" = ' 12 200 ' ]
	for path in "/s/$slug/" /s/there-is-no-such-page/; do
		[ "$(tries 12 "$path" -H "Authorization: Bearer $other_key" --interface 127.0.0.20)" = ' 12 404 ' ]
		[ "$(tries 12 "$path" -H 'Authorization: Basic dTpw' --interface 127.0.0.20)" = ' 12 404 ' ]
	done
	api GET "/s/$slug/" --interface 127.0.0.20
	[ "$status" = 200 ]
	call nonsense GET "$list" --interface 127.0.0.20
	want 401
}

# enter PAGE PASSWORD ADDRESS
enter() {
	anyone POST "/s/$1/" -d "password=$2" --interface "$3"
}

@test "thirty wrong passwords a minute from an address, at all pages together" {
	here=()
	for i in 1 2 3 4 5; do
		new_page -F privacy=2 -F password=right
		here+=("$slug")
	done
	for page in "${here[@]:0:4}"; do
		enter "$page" right 127.0.0.30
		[ "$status" = 303 ] || show
		for i in 1 2 3 4 5 6 7; do
			enter "$page" wrong 127.0.0.30
			[ "$status" = 403 ] || show
		done
	done
	for i in 1 2; do
		enter "${here[4]}" wrong 127.0.0.30
		[ "$status" = 403 ] || show
	done
	enter "${here[4]}" right 127.0.0.30
	[ "$status" = 429 ] || show
	[ "$(header Retry-After)" -ge 1 ]
	[ "$(header Retry-After)" -le 60 ]
	enter "${here[4]}" right 127.0.0.31
	[ "$status" = 303 ]
}

@test "where too many passwords are hashed, others wait and are then asked to come again" {
	new_page -F privacy=2 -F password=right
	# As if other processes had all turns of the machine.
	python3 - "$pages/lock/hashing" <<'END' 3>&- &
import fcntl, sys, time
file = open(sys.argv[1], 'r+')
fcntl.lockf(file, fcntl.LOCK_EX)
open(sys.argv[1] + '.held', 'w').close()
time.sleep(120)
END
	holder=$!
	for i in $(seq 100); do [ ! -e "$pages/lock/hashing.held" ] || break; sleep 0.05; done
	[ -e "$pages/lock/hashing.held" ]
	rm "$pages/lock/hashing.held"
	# More often than wrong passwords are allowed: what was not looked at was no try.
	for i in $(seq 11); do
		enter "$slug" right 127.0.0.40
		[ "$status" = 503 ] || show
	done
	[ "$(header Content-Type)" = 'text/html; charset=utf-8' ]
	[ "$(header Retry-After)" -ge 1 ]
	grep -q '<form method="post">' "$answer"
	api PUT "$list/$page" -d password=other
	want 503 '.message | contains("Too many passwords")'
	[ "$(header Retry-After)" -ge 1 ]
	[ "$(queries)" = 1 ]
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d password=other
	want 503
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=POST REQUEST_URI="/s/$slug/" HTTP_HOST=localhost \
		CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH=14 "${DAYMARK_BUILD:-$TOP/build}/daymark" \
		<<<'password=right' | head -n 1 | grep '^Status: 503 '
	# What hashes nothing goes on.
	api PUT "$list/$page" -d name=Renamed
	want 200
	kill "$holder"
	wait "$holder" || true
	enter "$slug" right 127.0.0.40
	[ "$status" = 303 ] || show
}

@test "where counts cannot be kept, the service goes on" {
	mv "$pages/throttle" "$pages/throttle.away"
	mkdir "$pages/throttle"
	kill -HUP "$(cat "$dir/run/daymark.pid")"
	# Former workers still count.
	soon eval 'api GET "$list" && want 200 && grep -q "requests are not counted" "$log"'
	rmdir "$pages/throttle"
	mv "$pages/throttle.away" "$pages/throttle"
	# Nor where the system lets no file be written.
	(ulimit -f 0 && exec env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$list" HTTP_HOST=localhost \
		HTTP_AUTHORIZATION="Bearer $key" "${DAYMARK_BUILD:-$TOP/build}/daymark") | head -n 1 | grep '^Status: 200 '
}

# serve_from_disk COMMAND: starts the service anew, its pages on a disk of its own, of 4 MiB.
serve_from_disk() {
	kill "$(cat "$dir/run/daymark.pid")"
	for i in $(seq 400); do [ -e "$dir/run/daymark.sock" ] || break; sleep 0.05; done
	: >"$log"
	setsid unshare -m sh -c 'mount -t tmpfs -o size=4m none "$1" && eval "$4" && exec "$2" --config "$3"' \
		sh "$pages" "${DAYMARK_BUILD:-$TOP/build}/daymark" "$conf" "$1" >>"$log" 2>&1 </dev/null 3>&- &
	echo $! >"$dir/run/daymark.pid"
	for i in $(seq 400); do [ ! -S "$dir/run/daymark.sock" ] || break; sleep 0.05; done
	disk=/proc/$!/root$pages
}

left() {
	api GET "$list"
	want 200
	header X-RateLimit-Remaining
}

# is_counted: the service counts requests; it looks for room every few seconds.
is_counted() {
	local i
	for i in $(seq 300); do
		[ "$(left)" = 300 ] || return 0
		sleep 0.1
	done
	return 1
}

@test "a full disk costs counts, and no request" {
	unshare -m sh -c 'mount -t tmpfs none /mnt' 2>/dev/null || skip "nothing can be mounted here"
	serve_from_disk 'head -c 8m /dev/zero >"$1/filler" 2>/dev/null || true'
	for as in "$key" "$other_key" nonsense "dm_$(printf 'f%.0s' $(seq 43))"; do
		wanted=200
		[ "$as" = "$key" ] || [ "$as" = "$other_key" ] || wanted=401
		for i in $(seq 20); do
			call "$as" GET "$list"
			want $wanted
		done
	done
	[ "$(left)" = 300 ]
	# Once for each process at most.
	[ "$(grep -c 'requests are not counted' "$log")" -ge 1 ]
	[ "$(grep -c 'requests are not counted' "$log")" -le 2 ]
	# With room again, counts are kept again, and go on when the disk is full once more.
	rm "$disk/filler"
	is_counted
	head -c 8m /dev/zero >"$disk/filler" 2>/dev/null || true
	before=$(left)
	for i in $(seq 20); do left >/dev/null; done
	[ "$(left)" -lt $((before - 15)) ]
	# A file that somebody has cut counts from the beginning.
	rm "$disk/filler"
	: >"$disk/throttle"
	before=$(left)
	[ "$before" -ge 298 ]
	[ "$(left)" -lt 300 ]
	refute grep -q 'died\|signal' "$log"
}
