# An origin that lost its pages folder, and two origins of one mirror. The mirror host and the service
# are real; the second origin is the same installation with another pages folder.
load lib

MIRROR_KEY=this-is-the-key-of-the-mirror-of-tests

setup_file() {
	export MIRROR_KEY MIRROR=$BATS_FILE_TMPDIR/mirror MIRROR_PORT
	MIRROR_PORT=$(own_port)
	own_unlimited_service_start <<-END
		[mirrors]
		mirror = http://127.0.0.1:$MIRROR_PORT name=paris key=$MIRROR_KEY
	END
	mirror_host_start "$MIRROR" "$MIRROR_PORT" "$(jq -r .base_url "$BATS_FILE_TMPDIR/own/quickstart.json")"
}

teardown_file() {
	with_service service_stop "$MIRROR" >&2
	own_service_stop
}

setup() {
	own_service
	other=$BATS_FILE_TMPDIR/other.conf
	# The tests follow each other: each begins with this service as the origin.
	"$ctl" mirror status >&2 || { soon is_filled; "$ctl" mirror take-over >&2; "$ctl" mirror push --confirm --wait >&2; }
	soon "$ctl" mirror status >&2
}

is_filled() { [ -e "$pages/filled" ]; }

# The second origin's configuration: the pages folder is its only difference.
other_origin() {
	sed "s|$pages|$1|; s|$dir/run/daymark.sock|$dir/run/other.sock|" "$conf" >"$other"
	chmod 0600 "$other"
}

# What visitors of the mirror can see, and its key.
tree() {
	(cd "$MIRROR/pages" && find public noindex private host former former-host state secret -type f -printf '%p ' \
		-exec sha256sum {} + | sort)
}

# needs_now TEXT [CONFIGURATION]: whether the status names this need.
needs_now() {
	"$ctl" mirror status --json --config "${2:-$conf}" | jq -e --arg text "$1" '.[0].needs == $text' >/dev/null
}

step_of_mirror() { cut -d ' ' -f 2 "$MIRROR/pages/received/origin"; }

has_stepped() { [ "$(step_of_mirror)" -gt "$1" ]; }

other_feeds='another origin feeds this mirror'

@test "another origin with the same configuration changes nothing on the mirror" {
	local before step
	page_with_monitor
	soon test -e "$MIRROR/pages/public/s/$slug/index.html"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	"$ctl" publish --wait
	before=$(tree)
	# An empty folder: it sends nothing before it is filled, and is refused then.
	other_origin "$BATS_TEST_TMPDIR/pages"
	run "$ctl" mirror push --config "$other"
	[ "$status" = 1 ]
	[[ $output == *'this pages folder is not filled from the database yet'* ]]
	"$ctl" publish --all --config "$other"
	run "$ctl" mirror push --config "$other"
	[ "$status" = 1 ]
	[[ $output == *"$other_feeds"*'mirror take-over --name paris'* ]]
	needs_now "$other_feeds" "$other"
	run "$ctl" doctor --config "$other"
	[[ $output =~ NOT\ OK\ +'mirror paris'\ +"$other_feeds" ]]
	# A copy of the disk, when the origin has gone on meanwhile.
	step=$(step_of_mirror)
	cp -a "$pages" "$BATS_TEST_TMPDIR/copy"
	soon has_stepped "$step"
	other_origin "$BATS_TEST_TMPDIR/copy"
	run "$ctl" mirror push --config "$other"
	[ "$status" = 1 ]
	[[ $output == *"$other_feeds"* ]]
	[ "$(tree)" = "$before" ]
	# The origin has noticed nothing.
	"$ctl" mirror status
	api PUT "/api/v1/status-pages/$page" -d name=Later
	"$ctl" publish --wait
	"$ctl" mirror status
}

@test "of two copies that start at the same step one feeds the mirror" {
	local pid refused=0
	page_with_monitor
	"$ctl" publish --wait
	pid=$(pgrep -P "$parent" -x daymark-mirrors)
	kill -STOP "$pid"
	cp -a "$pages" "$BATS_TEST_TMPDIR/copy"
	kill -CONT "$pid"
	other_origin "$BATS_TEST_TMPDIR/copy"
	"$ctl" mirror push --config "$other" || refused=1
	one_is_refused() {
		"$ctl" mirror push --config "$other" >&2 || refused=1
		if needs_now "$other_feeds"; then refused=2; fi
		[ $refused -gt 0 ]
	}
	soon one_is_refused
	if [ "$refused" = 2 ]; then refute needs_now "$other_feeds" "$other"; else refute needs_now "$other_feeds"; fi
}

@test "after a take-over the former origin is refused, and learns it" {
	local before key_before
	page_with_monitor
	"$ctl" publish --wait
	key_before=$(xxd -p -c 64 "$pages/secret")
	other_origin "$BATS_TEST_TMPDIR/pages"
	"$ctl" publish --all --config "$other"
	# The new origin has made a key of its own; the mirror's is that of the links that were given out.
	head -c 32 /dev/urandom >"$BATS_TEST_TMPDIR/pages/secret"
	"$ctl" mirror take-over --config "$other"
	[ "$(xxd -p -c 64 "$BATS_TEST_TMPDIR/pages/secret")" = "$key_before" ]
	"$ctl" mirror push --config "$other"
	"$ctl" mirror status --config "$other"
	soon needs_now "$other_feeds"
	anyone GET /readyz
	want 200 ".mirrors[0].error == \"$other_feeds\""
	run "$ctl" mirror status
	[ "$(grep -o "$other_feeds" <<<"$output" | wc -l)" = 1 ]
	grep "mirror paris does not get all changes: $other_feeds" "$log"
	before=$(tree)
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	api DELETE "/api/v1/status-pages/$page"
	run "$ctl" mirror push --wait=1
	[ "$status" -ne 0 ]
	# The next pusher asks nobody: it has learnt it.
	kill -KILL "$(pgrep -P "$parent" -x daymark-mirrors)"
	soon pgrep -P "$parent" -x daymark-mirrors
	run "$ctl" mirror push
	[ "$(tree)" = "$before" ]
	# Its return.
	"$ctl" mirror take-over
	"$ctl" mirror push --wait
	"$ctl" mirror status
	gone "$MIRROR/pages/public/s/$slug"
	run "$ctl" mirror push --config "$other"
	[ "$status" = 1 ]
}

@test "a folder that is emptied while the service runs is filled, and the mirror keeps its pages" {
	local before key_before at
	page_with_monitor
	"$ctl" publish --wait
	before=$(tree)
	key_before=$(xxd -p -c 64 "$pages/secret")
	find "$pages" -mindepth 1 -delete
	soon test -e "$pages/public/s/$slug/index.html"
	soon is_filled
	soon needs_now "$other_feeds"
	[ "$(tree)" = "$before" ]
	"$ctl" mirror take-over
	"$ctl" mirror push --wait
	[ "$(xxd -p -c 64 "$pages/secret")" = "$key_before" ]
	"$ctl" mirror status
	api PUT "/api/v1/status-pages/$page" -d name=Again
	"$ctl" publish --wait
	grep -q Again "$MIRROR/pages/public/s/$slug/index.html"
}

start_service() {
	with_service service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" >&2
	parent=$(cat "$dir/run/daymark.pid")
}

stop_service() {
	with_service stop_process "$dir/run/daymark.pid" "$dir" TERM
}

@test "an empty folder without the database sends nothing, and is filled when the database is back" {
	local before
	page_with_monitor
	"$ctl" publish --wait
	before=$(tree)
	stop_service
	with_service stop_process "$dir/run/mysql.pid" "$dir" TERM
	rm -r "$pages"
	start_service
	soon needs_now 'this pages folder is not filled from the database yet'
	anyone GET /readyz
	jq -e '.mirrors[0].error == "this pages folder is not filled from the database yet"' "$answer"
	[ "$(tree)" = "$before" ]
	with_service service_start_mysql "$dir"
	soon test -e "$pages/public/s/$slug/index.html"
	soon needs_now "$other_feeds"
	[ "$(tree)" = "$before" ]
}

@test "a folder that was not mounted goes on when it is back" {
	local before
	page_with_monitor
	"$ctl" publish --wait
	before=$(tree)
	mv "$pages" "$BATS_FILE_TMPDIR/unmounted"
	soon needs_now "$other_feeds"
	[ "$(tree)" = "$before" ]
	# Mounted over the folder that the service has made meanwhile.
	mv --exchange "$BATS_FILE_TMPDIR/unmounted" "$pages" 2>/dev/null || {
		mv "$pages" "$BATS_TEST_TMPDIR/below"
		[ ! -e "$pages" ] || rm -r "$pages"
		mv "$BATS_FILE_TMPDIR/unmounted" "$pages"
	}
	api PUT "/api/v1/status-pages/$page" -d name=Back
	"$ctl" publish --wait
	"$ctl" mirror status
	grep -q Back "$MIRROR/pages/public/s/$slug/index.html"
}

@test "a deletion while the pusher is dead is on the mirror after a restart of everything" {
	local pid
	page_with_monitor
	"$ctl" publish --wait
	pid=$(pgrep -P "$parent" -x daymark-mirrors)
	kill -STOP "$pid"
	api DELETE "/api/v1/status-pages/$page"
	want 200
	gone "$pages/state/$page"
	kill -KILL "$parent" "$pid"
	soon is_gone_process
	rm -f "$dir/run/daymark.sock"
	start_service
	soon gone "$MIRROR/pages/public/s/$slug"
	soon "$ctl" mirror status
}

is_gone_process() { ! pgrep -f "daymark --config $conf" >/dev/null; }

@test "a mirror whose folder is an older one is compared within its next beat" {
	page_with_monitor
	"$ctl" publish --wait
	cp -a "$MIRROR/pages" "$BATS_TEST_TMPDIR/older"
	api PUT "/api/v1/status-pages/$page" -d name=Newer
	"$ctl" publish --wait
	grep -q Newer "$MIRROR/pages/public/s/$slug/index.html"
	rm -r "$MIRROR/pages" && mv "$BATS_TEST_TMPDIR/older" "$MIRROR/pages"
	soon grep -q Newer "$MIRROR/pages/public/s/$slug/index.html"
	soon "$ctl" mirror status
}

new_database() {
	sql 'DROP DATABASE daymark'
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -e 'CREATE DATABASE daymark CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'
}

@test "pages that the backup does not have wait for a person, after the documented restore" {
	local file=$BATS_TEST_TMPDIR/backup.sql key_before n first first_page late=()
	page_with_monitor
	first=$slug first_page=$page
	"$ctl" backup "$file"
	key_before=$(xxd -p -c 64 "$pages/secret")
	for n in 1 2 3 4; do
		new_page
		late+=("$slug")
	done
	"$ctl" publish --wait
	# The machine is lost. The new one: the service starts first.
	stop_service
	rm -r "$pages"
	new_database
	start_service
	soon needs_now 'this pages folder is not filled from the database yet'
	"$ctl" restore "$file"
	[ "$(xxd -p -c 64 "$pages/secret")" = "$key_before" ]
	soon needs_now "$other_feeds"
	for slug in "${late[@]}"; do test -e "$MIRROR/pages/public/s/$slug/index.html"; done
	"$ctl" mirror take-over
	soon needs_now 'the removal of pages waits for confirmation'
	run "$ctl" mirror status
	[ "$status" = 1 ]
	[[ $output == *'mirror push --confirm --name paris'* ]]
	anyone GET /readyz
	jq -e '.mirrors[0].error == "the removal of pages waits for confirmation"' "$answer"
	run "$ctl" mirror status
	[ "$(grep -o 'the removal of pages waits' <<<"$output" | wc -l)" = 1 ]
	[[ "$output" == *'`daymarkctl mirror push --confirm --name '* ]]
	run "$ctl" doctor
	[[ $output == *'mirror push --confirm --name paris'* ]]
	# Everything else is sent.
	api PUT "/api/v1/status-pages/$first_page" -d privacy=1
	want 200
	soon gone "$MIRROR/pages/public/s/$first"
	test -e "$MIRROR/pages/public/s/${late[0]}/index.html"
	"$ctl" mirror push --confirm --wait
	for slug in "${late[@]}"; do gone "$MIRROR/pages/public/s/$slug"; done
	"$ctl" mirror status
}

@test "an empty database, and an older one, take no page from the disk or the mirror" {
	local file=$BATS_TEST_TMPDIR/backup.sql before n late=()
	page_with_monitor
	"$ctl" backup "$file"
	for n in 1 2 3 4; do
		new_page
		late+=("$slug")
	done
	"$ctl" publish --wait
	before=$(cd "$pages" && find public state -type f | sort)
	stop_service
	new_database
	"$ctl" migrate
	start_service
	soon grep -q 'sweep failed.*the database does not know' "$log"
	run "$ctl" doctor
	[[ $output =~ NOT\ OK\ +'lost pages'.*'publish --all' ]]
	[ "$(cd "$pages" && find public state -type f | sort)" = "$before" ]
	for slug in "${late[@]}"; do test -e "$MIRROR/pages/public/s/$slug/index.html"; done
	# A person restores the backup in place: the mirror's pages wait all the same.
	stop_service
	new_database
	"$ctl" restore "$file"
	start_service
	for slug in "${late[@]}"; do gone "$pages/public/s/$slug"; done
	soon needs_now 'the removal of pages waits for confirmation'
	for slug in "${late[@]}"; do test -e "$MIRROR/pages/public/s/$slug/index.html"; done
	"$ctl" mirror push --confirm --wait
	for slug in "${late[@]}"; do gone "$MIRROR/pages/public/s/$slug"; done
}

@test "a bucket follows one origin, too" {
	local port objects bucket before
	coproc BUCKET { exec "$TOP/tests/lib/s3-server" 3>&-; }
	read -r port <&"${BUCKET[0]}"
	objects=http://127.0.0.1:$port
	for name in one two; do
		sed "s|$pages|$BATS_TEST_TMPDIR/$name|; /^mirror = /d" "$conf" >"$BATS_TEST_TMPDIR/$name.conf"
		printf 'mirror = s3:%s/bucket/status region=test-region-1 access_key=AKIDEXAMPLE secret_key=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY\n' \
			"$objects" >>"$BATS_TEST_TMPDIR/$name.conf"
		chmod 0600 "$BATS_TEST_TMPDIR/$name.conf"
	done
	page_with_monitor
	one=$BATS_TEST_TMPDIR/one.conf two=$BATS_TEST_TMPDIR/two.conf
	"$ctl" publish --all --config "$one"
	"$ctl" mirror push --config "$one"
	before=$(curl -fsS "$objects/-/keys")
	cp -a "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/copy"
	run "$ctl" mirror push --config "$two"
	[[ $output == *'not filled'* ]]
	"$ctl" publish --all --config "$two"
	run "$ctl" mirror push --config "$two"
	[ "$status" = 1 ]
	[[ $output == *"$other_feeds"* ]]
	[ "$(curl -fsS "$objects/-/keys")" = "$before" ]
	# A copy of the disk that is behind.
	"$ctl" mirror push --config "$one"
	rm -r "$BATS_TEST_TMPDIR/two" && mv "$BATS_TEST_TMPDIR/copy" "$BATS_TEST_TMPDIR/two"
	run "$ctl" mirror push --config "$two"
	[[ $output == *"$other_feeds"* ]]
	"$ctl" mirror take-over --config "$two"
	"$ctl" mirror push --config "$two"
	run "$ctl" mirror push --config "$one"
	[ "$status" = 1 ]
	needs_now "$other_feeds" "$one"
	"$ctl" mirror take-over --config "$one"
	"$ctl" mirror push --config "$one"
	run "$ctl" mirror push --config "$two"
	[ "$status" = 1 ]
	kill "$BUCKET_PID"
}

@test "another signing key is named, and replaced only when a person says so" {
	local key_before
	page_with_monitor
	"$ctl" publish --wait
	key_before=$(xxd -p -c 64 "$pages/secret")
	rm "$pages/secret"
	"$ctl" backup "$BATS_TEST_TMPDIR/new-key.sql"
	kill -KILL "$(pgrep -P "$parent" -x daymark-mirrors)"
	soon needs_now 'the mirror has another signing key'
	[ "$(xxd -p -c 64 "$MIRROR/pages/secret")" = "$key_before" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	soon gone "$MIRROR/pages/public/s/$slug"
	"$ctl" mirror push --confirm --wait
	cmp "$pages/secret" "$MIRROR/pages/secret"
	"$ctl" mirror status
}

# push STEP...: sends as a program before the mark of the origin does.
push_without_mark() {
	"$TOP/tests/lib/mirror-push" --host "${base#http://}" "$pages" "http://127.0.0.1:$MIRROR_PORT" "$@"
}

@test "an origin of an older version feeds a mirror until a newer one has come, and after going back" {
	local before old next
	page_with_monitor
	"$ctl" publish --wait
	"$ctl" mirror status
	before=$(tree)
	run push_without_mark beat
	[[ $output == *'409 another-origin'* ]]
	printf 'gone %s\n' "$page" >"$BATS_TEST_TMPDIR/gone"
	push_without_mark POST/pages <"$BATS_TEST_TMPDIR/gone" | grep '^409 another-origin$'
	push_without_mark PUT/site <<<"secret $(head -c 32 /dev/zero | xxd -p -c 64)" | grep '^409 another-origin$'
	[ "$(tree)" = "$before" ]
	# Without the record of its origin the mirror admits the older one.
	kill -STOP "$(pgrep -P "$parent" -x daymark-mirrors)"
	rm "$MIRROR/pages/received/origin"
	old=$slug next=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$next"
	push_without_mark pages beat
	push_without_mark PUT/site <<<"secret $(xxd -p -c 64 "$pages/secret")" | grep '^204 '
	test -e "$MIRROR/pages/public/s/$next/index.html"
	gone "$MIRROR/pages/public/s/$old"
	# The upgrade of the origin.
	kill -CONT "$(pgrep -P "$parent" -x daymark-mirrors)"
	"$ctl" mirror push --wait
	"$ctl" mirror status
	test -e "$MIRROR/pages/received/origin"
	[ "$(curl -sS -o /dev/null -w '%{redirect_url}' -H "Host: ${base#http://}" "http://127.0.0.1:$MIRROR_PORT/s/$old/")" = "$base/s/$next/" ]
}
