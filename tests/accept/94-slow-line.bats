# A mirror host behind a slow line. The full form, in ten minutes:
# SLOW_LINE_RATE=30000 SLOW_LINE_PAGES=85 bats tests/accept/94-slow-line.bats
load lib

MIRROR_KEY=this-is-the-key-of-the-mirror-of-tests

setup_file() {
	export MIRROR_KEY MIRROR=$BATS_FILE_TMPDIR/mirror MIRROR_PORT LINE=$BATS_FILE_TMPDIR/line
	MIRROR_PORT=$(own_port)
	mkfifo "$LINE.in"
	"$TOP/tests/lib/slow-line" "$MIRROR_PORT" "${SLOW_LINE_RATE:-200000}" <"$LINE.in" >"$LINE.out" 3>&- &
	# The line is open until its last writer has gone.
	sleep infinity 3>&- >"$LINE.in" &
	echo $! >"$LINE.pid"
	soon [ -s "$LINE.out" ]
	own_unlimited_service_start <<-END
		[mirrors]
		mirror = http://127.0.0.1:$(cat "$LINE.out") name=paris key=$MIRROR_KEY
	END
	mirror_host_start "$MIRROR" "$MIRROR_PORT" "$(jq -r .base_url "$BATS_FILE_TMPDIR/own/quickstart.json")"
}

teardown_file() {
	with_service service_stop "$MIRROR" >&2
	own_service_stop
	kill "$(cat "$LINE.pid")"
}

setup() {
	own_service
}

# Sets $passed to the bytes that have passed the line.
count_bytes() {
	local lines
	lines=$(wc -l <"$LINE.out")
	echo >"$LINE.in"
	more_lines() { [ "$(wc -l <"$LINE.out")" -gt "$lines" ]; }
	soon more_lines
	passed=$(tail -n 1 "$LINE.out")
}

# The large pages that were put in place after the private page $secret.
later_pages() {
	find "$MIRROR/pages/public/s" -maxdepth 1 -name 'large-*' -newer "$MIRROR/pages/private/$secret"
}

# How many of the large pages the mirror has.
count_pages() {
	find "$MIRROR/pages/public/s" -path '*/large-*/index.html' | wc -l
}

has_received() { [ -n "$(ls "$MIRROR/pages/received/files")" ]; }

# The full form takes minutes.
push_all() {
	"$ctl" mirror push --wait=$((60 + ${SLOW_LINE_PAGES:-5} * 20)) >&2
}

@test "a slow mirror is completed, no file is sent twice, and a tightening overtakes the batch" {
	local n bytes before pusher pages_there=${SLOW_LINE_PAGES:-5} secret
	page_with_monitor
	secret=$slug
	push_all
	test -e "$MIRROR/pages/public/s/$secret/index.html"
	# All large pages are in batches of one push: two files of 64 kB and their twins each.
	pusher=$(pgrep -P "$parent" -x daymark-mirrors)
	kill -STOP "$pusher"
	for n in $(seq "$pages_there"); do
		{ printf '/*'; head -c 32760 /dev/urandom | xxd -p -c 0; printf '*/'; } | tr -d '\n' >"$BATS_TEST_TMPDIR/text"
		api POST /api/v1/status-pages -F name=Large -F "slug=large-$n" -F "custom_css=<$BATS_TEST_TMPDIR/text" -F "custom_js=<$BATS_TEST_TMPDIR/text"
		want 201
	done
	bytes=$(cat "$pages"/public/s/large-*/* | wc -c)
	count_bytes
	before=$passed
	kill -CONT "$pusher"
	soon has_received
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ "$(header X-Daymark-Mirrors)" = 'pending;names="paris"' ]
	soon gone "$MIRROR/pages/public/s/$secret"
	push_all
	# It has overtaken the batch. The folders say so whenever a busy machine looks at them.
	[ -n "$(later_pages)" ]
	"$ctl" mirror status
	[ "$(count_pages)" = "$pages_there" ]
	diff -r "$pages/public/s" "$MIRROR/pages/public/s"
	count_bytes
	echo "$((passed - before)) bytes for $bytes bytes of files"
	[ $((passed - before)) -le $((bytes * 3 / 2)) ]
}
