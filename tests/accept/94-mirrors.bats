# Mirrors, from the origin's side, with tests/lib/strict-mirror in place of a mirror host: it refuses
# what src/mirror/protocol.h does not allow, and fails when it is told to.
load lib

MIRROR_KEY=this-is-the-key-of-the-mirror-of-tests

setup_file() {
	export MIRROR_KEY MIRROR_PORT
	MIRROR_PORT=$(own_port)
	"$TOP/tests/lib/strict-mirror" "$MIRROR_PORT" "$MIRROR_KEY" 3>&- &
	echo $! >"$BATS_FILE_TMPDIR/mirror.pid"
	own_unlimited_service_start <<-END
		[mirrors]
		mirror = http://127.0.0.1:$MIRROR_PORT name=paris key=$MIRROR_KEY
	END
}

teardown_file() {
	own_service_stop
	kill "$(cat "$BATS_FILE_TMPDIR/mirror.pid")"
}

setup() {
	own_service
	mirror=http://127.0.0.1:$MIRROR_PORT
}

teardown() {
	curl -fsS -d 0 "$mirror/fail"
	[ "$(curl -fsS "$mirror/violations")" = '[]' ]
}

# mirrored JQ_FILTER: whether it is true of what the mirror has.
mirrored() {
	curl -fsS "$mirror/state" | jq -e "$1" >/dev/null
}

# on_mirror TEXT: whether the mirror's copy of the page has the text.
on_mirror() {
	curl -fsS "$mirror/s/$slug/index.html" 2>/dev/null | grep -q "$1"
}

pending='pending;names="paris"'

@test "a change is on the mirror, and /readyz says that the mirror is complete" {
	page_with_monitor
	soon on_mirror 'All systems operational'
	cmp "$pages/public/s/$slug/index.html" <(curl -fsS "$mirror/s/$slug/index.html")
	soon "$ctl" mirror status
	anyone GET /readyz
	want 200 '.mirrors == [{name: "paris", age_s: 0, pages_waiting: 0, error: null}]'
	[ "$(curl -fsS "$mirror/state" | jq -r .secret)" = "$(xxd -p -c 64 "$pages/secret")" ]
	api PUT "/api/v1/status-pages/$page" -d name=Renamed
	[ -z "$(header X-Daymark-Mirrors)" ]
	soon on_mirror Renamed
}

# own_style CSS: gives the page the style; sets $style to the name of its file.
own_style() {
	api PUT "/api/v1/status-pages/$page" --form-string "custom_css=$1"
	style=$(cd "$pages/public/s/$slug" && grep -oE 'custom-[0-9a-f]{12}\.css' index.html)
}

@test "a mirror has a replaced style as long as the origin" {
	page_with_monitor
	own_style 'a{}'
	soon on_mirror "$style"
	first=$style
	own_style 'b{}'
	soon on_mirror "$style"
	[ "$(curl -fsS "$mirror/s/$slug/$first")" = 'a{}' ]
	api PUT "/api/v1/status-pages/$page" -d custom_css=
	"$ctl" mirror push --wait
	refute curl -fsS "$mirror/s/$slug/$first"
	refute curl -fsS "$mirror/s/$slug/$style"
}

@test "a write that takes a page from visitors names the mirror" {
	page_with_monitor
	soon on_mirror 'All systems operational'
	curl -fsS -d 503 "$mirror/fail"
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug-moved"
	want 200
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d 'password=a long password'
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d 'password=another password'
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	[ -z "$(header X-Daymark-Mirrors)" ]
	api DELETE "/api/v1/status-pages/$page"
	want 200
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	# The pusher may not have tried yet.
	says_503() { run "$ctl" mirror status; [ "$status" = 1 ] && [[ "$output" == *'behind by '*'503'* ]]; }
	soon says_503
	[[ "$output" != *"$MIRROR_KEY"* ]]
	curl -fsS -d 0 "$mirror/fail"
	"$ctl" mirror push --wait
	mirrored ".pages | has(\"$page\") | not"
}

@test "a further write names the mirror while it shows what the first one has taken" {
	page_with_monitor
	soon on_mirror 'All systems operational'
	soon "$ctl" mirror status
	curl -fsS -d 503 "$mirror/fail"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	want 200
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d name='A title only'
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	# An address that the page has given up.
	page_with_monitor
	curl -fsS -d 0 "$mirror/fail"
	"$ctl" mirror push --wait
	curl -fsS -d 503 "$mirror/fail"
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug-moved"
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug-moved"
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	# A page of which the mirror shows nothing more than this disk.
	new_page
	api PUT "/api/v1/status-pages/$page" -d name='A new page'
	[ -z "$(header X-Daymark-Mirrors)" ]
	curl -fsS -d 0 "$mirror/fail"
	"$ctl" mirror push --wait
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	"$ctl" publish --wait
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ -z "$(header X-Daymark-Mirrors)" ]
}

@test "a page that no mirror has gives no header" {
	curl -fsS -d 503 "$mirror/fail"
	# The pusher may be about to send the page: it is then one that the mirror may have.
	"$ctl" mirror push >&2
	soon_fails() { run "$ctl" mirror status; [ "$status" = 1 ]; }
	soon soon_fails
	page_with_monitor
	api DELETE "/api/v1/status-pages/$page"
	want 200
	[ -z "$(header X-Daymark-Mirrors)" ]
}

@test "--wait tells whether the mirror has everything" {
	page_with_monitor
	"$ctl" publish --wait=30
	mirrored ".pages | has(\"$page\")"
	curl -fsS -d 503 "$mirror/fail"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	run "$ctl" publish --wait=1
	[ "$status" = 6 ]
	[[ "$output" == *'paris'* ]]
	run "$ctl" publish --wait=0
	[ "$status" = 2 ]
	curl -fsS -d 0 "$mirror/fail"
	"$ctl" mirror push --wait=60
	mirrored ".pages[\"$page\"].place == \"private\""
}

@test "former addresses and private pages are on the mirror, too" {
	page_with_monitor
	old=$slug
	slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	soon mirrored ".former[\"former $old\"] == $page"
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d 'password=a long password'
	soon mirrored ".pages[\"$page\"] | .place == \"private\" and (.files | has(\"gate\"))"
}

# put_former COUNT: so many former addresses of the page, of 239 characters, as a former version let one
# key make: in the database and on the disk.
put_former() {
	# The rows first: the service deletes folders of addresses that no row has. It may make some of the folders itself.
	sql "SET SESSION max_recursive_iterations = 1000000; INSERT INTO former_addresses (kind, name, page_id, left_at)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $1 - 1)
		SELECT 'domain', CONCAT('n', LPAD(i, 5, '0'), '.', REPEAT(CONCAT(REPEAT('x', 56), '.'), 4), 'test'),
		$page, '2026-01-01' FROM n"
	python3 - "$pages" "$page" "$1" <<-'END'
		import os, sys
		pages, page, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
		for number in range(count):
		    folder = f"{pages}/former-host/n{number:05}." + ".".join(["x" * 56] * 4) + ".test"
		    os.makedirs(folder, 0o700, exist_ok=True)
		    if not os.path.exists(f"{folder}/page"):
		        with open(f"{folder}/page", "w") as file:
		            file.write(page)
	END
}

@test "a list of former addresses that the mirror refuses stops no page" {
	local other
	page_with_monitor
	other=$page
	page_with_monitor
	soon on_mirror 'All systems operational'
	soon "$ctl" mirror status
	curl -fsS -d '503 /site' "$mirror/fail"
	# The address that stays refused: a page that becomes private has no former addresses.
	api PUT "/api/v1/status-pages/$other" -d "slug=$(new_slug)"
	old=$slug slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	soon on_mirror 'All systems operational'
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ "$(header X-Daymark-Mirrors)" = "$pending" ]
	# The pages are confirmed; the mirror is not complete, and says so everywhere.
	"$ctl" publish --wait=30
	mirrored ".pages[\"$page\"].place == \"private\""
	says_site() { run "$ctl" mirror status; [ "$status" = 1 ] && [[ "$output" == *'/site: status 503'* ]]; }
	soon says_site
	soon mirrored '.beat == "incomplete"'
	doctor_says() { run "$ctl" doctor; [[ "$output" == *'mirror paris'*'/site: status 503'* ]]; }
	soon doctor_says
	# A push is complete when the status is.
	run "$ctl" mirror push --wait=1
	[ "$status" = 6 ]
	[[ "$output" == *'have not confirmed all changes: paris'*'0 mirrors complete'* ]]
	run "$ctl" mirror status
	[ "$status" = 1 ]
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	curl -fsS -d 0 "$mirror/fail"
	run "$ctl" mirror push --wait
	[[ "$output" == *'1 mirror complete, 0 failed, 0 compared'* ]]
	"$ctl" mirror status
	mirrored ".former[\"former $old\"] == $page"
	soon mirrored '.beat == "complete"'
}

@test "a mirror of an older version gets all pages, and the status names the remedy" {
	page_with_monitor
	soon on_mirror 'All systems operational'
	curl -fsS -X POST "$mirror/old"
	old=$slug slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	# The pusher asks for the lists again when it has compared the pages.
	"$ctl" mirror push >&2 || true
	soon on_mirror 'All systems operational'
	says_old() { run "$ctl" mirror status; [ "$status" = 1 ] && [[ "$output" == *'/site: status 405'*'runs an older version of the program, or is no mirror: upgrade the host'* ]]; }
	soon says_old
	run "$ctl" doctor
	[[ "$output" == *'mirror paris'*'upgrade the host'* ]]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	"$ctl" publish --wait=30
	mirrored ".pages[\"$page\"].place == \"private\""
	# After the upgrade of the mirror nothing is missing.
	curl -fsS -X POST "$mirror/new"
	"$ctl" mirror push --wait
	"$ctl" mirror status
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	soon mirrored ".former[\"former $old\"] == $page"
}

@test "a push to one mirror waits for that mirror only" {
	sed "s|^mirror = .*|&\nmirror = http://127.0.0.1:9 name=rome key=$MIRROR_KEY|" "$conf" >"$BATS_TEST_TMPDIR/two.conf"
	chmod 0600 "$BATS_TEST_TMPDIR/two.conf"
	page_with_monitor
	run "$ctl" mirror push --name paris --wait=0 --config "$BATS_TEST_TMPDIR/two.conf"
	[ "$status" = 2 ]
	run "$ctl" mirror push --name paris --wait --config "$BATS_TEST_TMPDIR/two.conf"
	[ "$status" = 0 ]
	[[ "$output" == *'1 mirror complete, 0 failed, 0 compared'* ]]
	run "$ctl" mirror status --config "$BATS_TEST_TMPDIR/two.conf"
	[ "$status" = 1 ]
	[[ "$output" =~ paris\ +host\ +complete ]]
}

@test "17,456 former addresses of one page are sent in parts, after what visitors are to lose" {
	local first other third
	page_with_monitor
	first=$page
	page_with_monitor
	other=$page
	soon on_mirror 'All systems operational'
	soon "$ctl" mirror status
	page=$first
	# A page of another account: if the page or its account changed an address, the service would delete its oldest
	# former addresses, thousands here, and change all lists.
	other POST /api/v1/status-pages -d name=Third -d "slug=$(new_slug)"
	third=$(jq .data.id "$answer")
	put_former 17456
	curl -fsS -d 503 "$mirror/fail"
	api PUT "/api/v1/status-pages/$other" -d privacy=1
	says_503() { run "$ctl" mirror status; [ "$status" = 1 ] && [[ "$output" == *'503'* ]]; }
	soon says_503
	since=$(curl -fsS "$mirror/state" | jq '.log | length')
	curl -fsS -d 0 "$mirror/fail"
	"$ctl" mirror push --wait
	soon mirrored ".former | length >= 17456"
	curl -fsS "$mirror/state" >"$BATS_TEST_TMPDIR/state"

	jq -e ".pages[\"$other\"].place == \"private\"" "$BATS_TEST_TMPDIR/state"
	jq --argjson since "$since" '.log[$since:]' "$BATS_TEST_TMPDIR/state" >"$BATS_TEST_TMPDIR/log"
	# The private page before any list, and the list in bodies that a slow line passes in seconds.
	jq -e '(map(.[0] == "POST" and .[1] == "/pages") | index(true)) as $pages |
		(map(.[1] == "/site") | index(true)) as $site | $pages < $site' "$BATS_TEST_TMPDIR/log"
	jq -e 'map(select(.[1] == "/files") | .[2]) | max < 1100000 and length > 4' "$BATS_TEST_TMPDIR/log"
	# A further change sends the lists that it changes.
	since=$(curl -fsS "$mirror/state" | jq '.log | length')
	slug=$(new_slug)
	other PUT "/api/v1/status-pages/$third" -d "slug=$slug"
	other PUT "/api/v1/status-pages/$third" -d "slug=$slug-2"
	soon mirrored ".former[\"former $slug\"] == $third"
	curl -fsS "$mirror/state" | jq -c --argjson since "$since" '.log[$since:]' | tee "$BATS_TEST_TMPDIR/log"
	jq -e '[.[] | select(.[1] == "/site") | .[2]] | max < 1000' "$BATS_TEST_TMPDIR/log"
}

@test "a pusher that was killed is started again, and goes on" {
	page_with_monitor
	soon on_mirror 'All systems operational'
	pusher=$(pgrep -P "$parent" -x daymark-mirrors)
	kill -KILL "$pusher"
	api PUT "/api/v1/status-pages/$page" -d name=Afterwards
	soon on_mirror Afterwards
	[ "$(pgrep -P "$parent" -x daymark-mirrors)" != "$pusher" ]
}

@test "without a service, work --once pushes" {
	sed 's/name=paris/name=once/' "$conf" >"$BATS_TEST_TMPDIR/once.conf"
	chmod 0600 "$BATS_TEST_TMPDIR/once.conf"
	page_with_monitor
	"$ctl" work --once --config "$BATS_TEST_TMPDIR/once.conf"
	mirrored ".pages | has(\"$page\")"
	"$ctl" mirror status --config "$BATS_TEST_TMPDIR/once.conf" --json | jq -e '.[0].complete'
	curl -fsS -d 401 "$mirror/fail"
	run "$ctl" work --once --config "$BATS_TEST_TMPDIR/once.conf"
	[ "$status" = 1 ]
	[[ "$output" == *'mirror once: '*'401'* ]]
	[[ "$output" != *"$MIRROR_KEY"* ]]
}

@test "a bucket and a command get what is public, and lose what becomes private" {
	local copied=$BATS_TEST_TMPDIR/copied port objects
	coproc BUCKET { exec "$TOP/tests/lib/s3-server" 3>&-; }
	read -r port <&"${BUCKET[0]}"
	objects=http://127.0.0.1:$port
	printf '#!/bin/sh -e\nrm -rf "%s"\ncp -r "$DAYMARK_PAGES" "%s"\n' "$copied" "$copied" >"$BATS_TEST_TMPDIR/copy-pages"
	chmod +x "$BATS_TEST_TMPDIR/copy-pages"
	cp "$conf" "$BATS_TEST_TMPDIR/before.conf"
	cat >>"$conf" <<-END
		[mirrors]
		mirror = s3:$objects/bucket/status region=test-region-1 access_key=AKIDEXAMPLE secret_key=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
		mirror = command:$BATS_TEST_TMPDIR/copy-pages
	END
	kill -HUP "$parent"
	page_with_monitor
	in_bucket() { cmp "$pages/public/s/$slug/index.html" <(curl -fsS "$objects/bucket/status/s/$slug/index.html"); }
	soon in_bucket
	cmp "$pages/public/s/$slug/summary.json" <(curl -fsS "$objects/bucket/status/s/$slug/api/v2/summary.json")
	cmp "$pages/public/s/$slug/unresolved.json" \
		<(curl -fsS "$objects/bucket/status/s/$slug/api/v2/incidents/unresolved.json")
	cmp "$pages/public/s/$slug/404.html" <(curl -fsS "$objects/bucket/status/s/$slug/404.html")
	soon cmp "$pages/public/s/$slug/index.html" "$copied/s/$slug/index.html"
	cmp "$pages/public/s/$slug/summary.json" "$copied/s/$slug/api/v2/summary.json"
	cmp "$pages/public/s/$slug/unresolved.json" "$copied/s/$slug/api/v2/incidents/unresolved.json"
	cmp "$pages/public/s/$slug/404.html" "$copied/s/$slug/404.html"
	soon "$ctl" mirror status
	own_style 'a{}'
	soon in_bucket
	first=$style
	own_style 'b{}'
	soon in_bucket
	[ "$(curl -fsS "$objects/bucket/status/s/$slug/$first")" = 'a{}' ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[ "$(header X-Daymark-Mirrors)" = 'pending;names="paris bucket copy-pages"' ]
	"$ctl" mirror push --wait
	curl -fsS "$objects/-/keys" >"$BATS_TEST_TMPDIR/keys"
	grep -q '^status/daymark-mirror ' "$BATS_TEST_TMPDIR/keys"
	refute grep -F "/$slug/" "$BATS_TEST_TMPDIR/keys"
	gone "$copied/s/$slug"
	[ -z "$(curl -fsS "$objects/-/broken")" ]
	cp "$BATS_TEST_TMPDIR/before.conf" "$conf"
	kill -HUP "$parent"
	kill "$BUCKET_PID"
}

@test "/readyz names a mirror that always fails, and says nothing that is only for the operator" {
	local failed='the last attempt failed'
	says() { anyone GET /readyz; jq -e "$1" "$answer"; }
	cp "$conf" "$BATS_TEST_TMPDIR/before.conf"
	printf '[mirrors]\nmirror = command:echo secret; exit 3\n' >>"$conf"
	kill -HUP "$parent"
	soon says ".mirrors | map(.error) == [null, \"$failed\"]"
	refute grep -q secret "$answer"
	names_output() { run "$ctl" mirror status; [[ "$output" == *'ended with status 3; the end of its output: secret'* ]]; }
	soon names_output
	# The same of a mirror host, until it works again.
	curl -fsS -d 503 "$mirror/fail"
	page_with_monitor
	soon says ".mirrors[0].error == \"$failed\""
	curl -fsS -d 0 "$mirror/fail"
	soon says '.mirrors[0].error == null'
	cp "$BATS_TEST_TMPDIR/before.conf" "$conf"
	kill -HUP "$parent"
}

@test "a wrong line is an error that names it, and no key" {
	sed "s/ key=$MIRROR_KEY/ key=$MIRROR_KEY kee=x/" "$conf" >"$BATS_TEST_TMPDIR/wrong.conf"
	chmod 0600 "$BATS_TEST_TMPDIR/wrong.conf"
	run "$ctl" check-config --config "$BATS_TEST_TMPDIR/wrong.conf"
	[ "$status" = 1 ]
	[[ "$output" == *'mirrors '*"line $(grep -n '^mirror = ' "$conf" | cut -d : -f 1)"* ]]
	[[ "$output" != *"$MIRROR_KEY"* ]]
	run "${DAYMARK_BUILD:-$TOP/build}/daymark" --config "$BATS_TEST_TMPDIR/wrong.conf"
	[ "$status" = 78 ]
	run "$ctl" check-config
	[[ "$output" == *'mirrors '*'paris'* ]]
}
