# The background loop: `daymarkctl work`, in an installation of the test's own.
load lib
load ../lib/world

teardown() {
	[ -z "${worker:-}" ] || kill -9 "$worker" 2>/dev/null || true
	[ -z "${second:-}" ] || kill -9 "$second" 2>/dev/null || true
	worlds_end
}

# work NAME [OPTION]...: in the background, its process in $started.
work() {
	local name=$1
	shift
	"$ctl" work --config "$(world_conf "$name")" "$@" \
		>>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	started=$!
}

# renamed NAME: all pages of the world, in its database only.
renamed() {
	world_sql one "UPDATE status_pages p JOIN page_revisions r ON r.page_id = p.id SET p.name = '$1', r.revision = r.revision + 1,
		r.changed_at = UTC_TIMESTAMP(), r.unpublished_since = UTC_TIMESTAMP() - INTERVAL 5 SECOND"
}

says() {
	grep -q "$1" "$(world_pages one)/public/s/$2/index.html"
}

count() {
	world_sql one "SELECT COUNT(*) FROM $1"
}

old_idempotency_key() {
	world_sql one "INSERT INTO idempotency_keys (account_id, key_hash, request_hash, created_at) SELECT id, 'a', 'b', '2020-01-01' FROM accounts LIMIT 1"
}

@test "work --once does all that is due, and then there is nothing to do" {
	world one
	world_page one shown
	gone=$page
	world_page one other
	renamed Later
	old_idempotency_key
	mkdir -p "$(world_pages one)/public/s/left-over"
	# As when an account goes, and as rows of pages that were deleted long ago.
	world_sql one "DELETE FROM status_pages WHERE id = $gone;
		INSERT INTO page_revisions (page_id, account_id, changed_at, deleted_at) VALUES (1000, 1, '2020-01-01', '2020-01-01')"
	"$ctl" work --once --json --config "$(world_conf one)" >"$BATS_TEST_TMPDIR/json"
	jq -e '.published == 1 and .removed >= 2 and .is_busy == false' "$BATS_TEST_TMPDIR/json" || { cat "$BATS_TEST_TMPDIR/json"; false; }
	says Later other
	gone "$(world_pages one)/public/s/left-over"
	gone "$(world_pages one)/public/s/shown"
	[ "$(count idempotency_keys)" = 0 ]
	[ "$(count 'page_revisions WHERE deleted_at IS NULL')" = 1 ]
	[ "$(count 'page_revisions WHERE page_id = 1000')" = 0 ]
	run "$ctl" work --once --config "$(world_conf one)"
	[ "$status" = 0 ]
	[ "$output" = '0 pages published, 0 folders of deleted pages removed.' ]
}

@test "old events are deleted, judged by the newest event as well as by the clock" {
	world one
	world_page one shown
	event="INSERT INTO events (account_id, object, actor_type, actor_label, kind, object_id, at) SELECT id, 'account', 'operator', '', 'account.created', id, UTC_TIMESTAMP()"
	world_sql one "DELETE FROM events; $event - INTERVAL 1000 DAY FROM accounts LIMIT 1; $event - INTERVAL 500 DAY FROM accounts LIMIT 1"
	"$ctl" work --once --config "$(world_conf one)"
	# As a clock that is 500 days ahead sees it.
	[ "$(count events)" = 1 ]
	world_sql one "$event FROM accounts LIMIT 1"
	"$ctl" work --once --config "$(world_conf one)"
	[ "$(count events)" = 1 ]
	[ "$(count 'events WHERE at > UTC_TIMESTAMP() - INTERVAL 1 DAY')" = 1 ]
}

@test "work --once: a page that fails is named, stops no other, and is the exit status" {
	world one
	world_page one broken
	world_page one other
	rm -r "$(world_pages one)/public/s/broken"
	touch "$(world_pages one)/public/s/broken"
	renamed Later
	old_idempotency_key
	run "$ctl" work --once --config "$(world_conf one)"
	[ "$status" = 1 ]
	grep -q 'page broken: ' <<<"$output"
	grep -q '1 page published, 1 failed' <<<"$output"
	says Later other
	[ "$(count idempotency_keys)" = 0 ]
	rm "$(world_pages one)/public/s/broken"
	"$ctl" work --once --config "$(world_conf one)"
	says Later broken
}

@test "one worker of a machine and folder: others wait, and take over when it dies" {
	world one
	world_page one shown
	work one
	worker=$started
	renamed First
	soon says First shown
	run "$ctl" work --once --json --config "$(world_conf one)"
	[ "$status" = 0 ]
	jq -e .is_busy <<<"$output"
	work one
	second=$started
	kill -STOP "$worker"
	renamed Second
	sleep 2
	refute says Second shown
	# `publish` asks nobody.
	"$ctl" publish --config "$(world_conf one)"
	says Second shown
	renamed Third
	kill -9 "$worker"
	soon says Third shown
	kill "$second"
	wait "$second"
	second=
}

@test "a worker without its database waits idly, says so once, and goes on" {
	needs strace
	world one
	world_page one shown
	sed "s|^socket = .*|socket = $BATS_TEST_TMPDIR/none|" "$(world_conf one)" >"$(world_conf two)"
	strace -f -qq -e trace=connect -o "$BATS_TEST_TMPDIR/connects" "$ctl" work --config "$(world_conf two)" \
		>>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	worker=$!
	soon test -s "$BATS_TEST_TMPDIR/err"
	sleep 3
	pkill -TERM -P "$worker"
	wait "$worker"
	worker=
	[ "$(wc -l <"$BATS_TEST_TMPDIR/err")" = 1 ] || { cat "$BATS_TEST_TMPDIR/err"; false; }
	: >"$BATS_TEST_TMPDIR/err"
	[ "$(grep -c "$BATS_TEST_TMPDIR/none" "$BATS_TEST_TMPDIR/connects")" -le 20 ]
	# Away only for a while: a table is as good as a server.
	work one
	worker=$started
	sql "RENAME TABLE $(world_name one).page_revisions TO $(world_name one).hidden"
	soon grep -q 'pages: .*trying again' "$BATS_TEST_TMPDIR/err"
	sql "RENAME TABLE $(world_name one).hidden TO $(world_name one).page_revisions"
	renamed Back
	soon says Back shown
	soon grep -q 'pages: works again' "$BATS_TEST_TMPDIR/err"
}

# In a world of its own: its worker looks at once, that of a service which runs already each minute.
@test "a worker continues a monitor's deletion that was interrupted, and the account no longer sees the monitor" {
	world one
	"$ctl" incident open --monitor 1 --cause half --config "$(world_conf one)"
	world_sql one "UPDATE monitors SET retired_at = UTC_TIMESTAMP(), removed_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR WHERE id = 1"
	for method in GET PUT DELETE; do
		cgi one "$method" /api/v1/monitors/1
		want 404
	done
	cgi one GET '/api/v1/monitors?state=retired'
	want 200 '.data == []'
	[ "$(count monitors) $(count incidents)" = '1 1' ]
	work one
	worker=$started
	is_deleted() { [ "$(count monitors)" = 0 ]; }
	soon is_deleted
	[ "$(count incidents)" = 0 ]
}

@test "an account with 300 due pages delays another account's page by one page" {
	world one
	world_page one first
	world_sql one "INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
		SELECT account_id, name, CONCAT('copy-', seq), created_at, updated_at FROM status_pages JOIN seq_1_to_300 WHERE id = $page"
	"$ctl" account add Small --config "$(world_conf one)" >/dev/null
	world_sql one "INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
		SELECT MAX(id), 'Test', 'small', UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM accounts"
	world_sql one "REPLACE INTO page_revisions (page_id, account_id, changed_at, unpublished_since)
		SELECT id, account_id, UTC_TIMESTAMP(), UTC_TIMESTAMP() - INTERVAL IF(slug = 'small', 2, 60) SECOND FROM status_pages"
	find "$(world_pages one)/public" -name index.html -delete
	work one
	worker=$started
	soon test -e "$(world_pages one)/public/s/copy-300/index.html"
	[ "$(find "$(world_pages one)/public/s" -name index.html | wc -l)" = 302 ]
	place=$(find "$(world_pages one)/public/s" -name index.html -printf '%T@ %p\n' | sort -n | grep -n '/small/' | cut -d : -f 1)
	[ "$place" -le 2 ] || { echo "the page came as number $place"; false; }
}
