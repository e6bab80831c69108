# Followers: they write nothing to the database, see what their own disk has lost, and /readyz
# says what it lacks.
load lib
load ../lib/world

teardown() {
	publisher_goes_on
	follow_end
	worlds_end
	[ -z "${reader:-}" ] || sql "DROP USER IF EXISTS '$reader'@'localhost'"
}

# A second machine, whose database user may only read.
second_that_reads() {
	world one
	reader=daymark_reader
	sql "CREATE OR REPLACE USER '$reader'@'localhost' IDENTIFIED BY 'reads'; GRANT SELECT ON $(world_name one).* TO '$reader'@'localhost'"
	sed -e "s|^dir = .*|dir = $(world_pages two)|" -e "s|^user = .*|user = $reader|" -e 's|^password =.*|password = reads|' \
		-e 's|^; check_disk_s = .*|check_disk_s = 2|' \
		"$(world_conf one)" >"$(world_conf two)"
	disk=$(world_pages two)
}

oldest() {
	cgi "$1" GET /readyz
	jq -e .oldest_unpublished_s "$answer"
}

# ready NAME TEST...: whether the age passes the test, as -eq 0.
ready() {
	[ "$(oldest "$1")" "$2" "$3" ]
}

@test "a follower needs only to read, says nothing of errors, and marks nothing" {
	second_that_reads
	world_page one shown
	# As when the machine of the write died before it published.
	world_sql one "UPDATE status_pages p JOIN page_revisions r ON r.page_id = p.id SET p.name = 'Unmarked', r.revision = r.revision + 1, r.unpublished_since = UTC_TIMESTAMP() - INTERVAL 300 SECOND"
	before=$(world_sql one 'SELECT revision, unpublished_since, next_change_at FROM page_revisions')
	follow two
	soon grep -q Unmarked "$disk/public/s/shown/index.html"
	rounds two
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	[ "$(world_sql one 'SELECT revision, unpublished_since, next_change_at FROM page_revisions')" = "$before" ]
	# Each machine's own disk counts.
	ready two -eq 0
	ready one -ge 300
	"$ctl" publish --config "$(world_conf one)"
	ready one -eq 0
	[ "$(world_sql one 'SELECT unpublished_since FROM page_revisions')" = NULL ]
}

@test "a follower with --mark does what a timer does" {
	second_that_reads
	world_page one shown
	world_sql one "UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP()"
	world_sql one "INSERT INTO idempotency_keys (account_id, key_hash, request_hash, created_at) SELECT id, 'a', 'b', '2020-01-01' FROM accounts"
	"$ctl" publish --follow --mark --config "$(world_conf one)" >>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	follower=$!
	is_marked() { [ "$(world_sql one 'SELECT unpublished_since IS NULL FROM page_revisions')" = 1 ]; }
	soon is_marked
	is_pruned() { [ "$(world_sql one 'SELECT COUNT(*) FROM idempotency_keys')" = 0 ]; }
	soon is_pruned
	follow_end
	run "$ctl" publish --mark
	[ "$status" = 2 ]
}

@test "a follower notices that its disk was wiped, or has lost a page's files" {
	second_that_reads
	world_page one shown domain=
	world_page one other noindex=1
	follow two
	soon test -e "$disk/noindex/s/other/index.html"
	rm -r "$disk/noindex/s/other"
	soon test -e "$disk/noindex/s/other/index.html"
	# A file that disappears while the follower writes its page is an error.
	rounds two
	# The follower may write into a folder that is being deleted.
	soon find "$disk" -mindepth 1 -delete
	soon test -e "$disk/noindex/s/other/index.html"
	soon test -e "$disk/public/s/shown/index.html"
	# The deletion may meet the follower in the middle of a page: that is a warning, until all is well.
	rounds two
	is_well() { [ ! -s "$BATS_TEST_TMPDIR/err" ] || [ "$(tail -n 1 "$BATS_TEST_TMPDIR/err")" = 'daymarkctl: recheck: works again' ]; }
	soon is_well
	refute grep -v '^daymarkctl: recheck: ' "$BATS_TEST_TMPDIR/err"
}

@test "readyz says what its own disk lacks, whatever the other machine has published" {
	second_that_reads
	world_page one shown
	follow two
	soon test -e "$disk/public/s/shown/index.html"
	rounds two
	ready two -eq 0
	# The disk takes no change of this page any more.
	rm -r "$disk/public/s/shown"
	echo x >"$disk/public/s/shown"
	cgi one PUT "/api/v1/status-pages/$page" name=Newer
	ready one -eq 0
	soon ready two -gt 0
	grep -q 'page shown' "$BATS_TEST_TMPDIR/err"
	rm "$disk/public/s/shown"
	soon ready two -eq 0
}

@test "readyz tells that no follower runs" {
	second_that_reads
	world_page one shown
	follow two
	soon test -e "$disk/public/s/shown/index.html"
	follow_end
	cgi one PUT "/api/v1/status-pages/$page" name=Newer
	ready one -eq 0
	# Nobody has looked for some time.
	past=$(date -u +%s -d '100 seconds ago')
	printf '%-20d %-20d\n' "$past" 0 >"$disk/checked"
	ready two -ge 100
	# A page that is gone, or a disk without anything, is no other case.
	follow two
	soon ready two -eq 0
}

@test "readyz of one machine: an unpublished change is seen at once, and asked for cheaply" {
	world one
	world_page one shown
	ready one -eq 0
	world_sql one "UPDATE page_revisions SET revision = revision + 1, unpublished_since = UTC_TIMESTAMP() - INTERVAL 60 SECOND"
	ready one -ge 60
	grep 'event=request' "$BATS_TEST_TMPDIR/cgi-log" | grep -q 'queries=2 '
}

# copies COUNT: pages that changed long ago, one a minute.
copies() {
	world_sql one "INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
		SELECT account_id, name, CONCAT('copy-', seq), created_at, updated_at FROM status_pages JOIN seq_1_to_$1 WHERE id = $page"
	world_sql one "INSERT INTO page_revisions (page_id, account_id, changed_at)
		SELECT id, account_id, UTC_TIMESTAMP() - INTERVAL id MINUTE FROM status_pages WHERE id <> $page"
}

rows_read() {
	sql "SHOW GLOBAL STATUS LIKE 'Handler_read%'" | awk '{ sum += $2 } END { print sum }'
}

statements() {
	sql "SHOW GLOBAL STATUS LIKE 'Com_stmt_execute'" | cut -f 2
}

@test "a round without changes reads two rows, however many pages there are" {
	second_that_reads
	world_page one shown
	copies 200
	follow two
	soon test -e "$disk/public/s/copy-200/index.html"
	soon test -e "$disk/checked"
	rounds two 2
	# It would read rows while those of the follower are counted.
	publisher_rests
	before=$(rows_read)
	own=$(($(rows_read) - before))
	asked=$(statements) before=$(rows_read)
	rounds two 4
	after=$(rows_read)
	asked=$(($(statements) - asked))
	publisher_goes_on
	echo "$((after - before)) rows, $own of them by the question itself, $asked statements"
	# A round is one statement; for a minute it also reads the youngest changes again.
	[ "$asked" -ge 3 ]
	[ $((after - before - own)) -le $((asked * 10)) ]
	# Changes, new pages and deletions are still seen.
	cgi one PUT "/api/v1/status-pages/$page" name=Newer
	soon grep -q Newer "$disk/public/s/shown/index.html"
	cgi one DELETE "/api/v1/status-pages/$page"
	soon gone "$disk/public/s/shown"
	world_page one later
	soon test -e "$disk/public/s/later/index.html"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "a change that is committed after a younger one is seen, too" {
	second_that_reads
	world_page one early
	early=$page
	world_page one late
	follow two
	soon test -e "$disk/public/s/late/index.html"
	world_sql one "START TRANSACTION; UPDATE status_pages p JOIN page_revisions r ON r.page_id = p.id
		SET p.name = 'Committed late', r.revision = r.revision + 1, r.changed_at = UTC_TIMESTAMP() WHERE p.id = $early; DO SLEEP(5); COMMIT" 3>&- &
	sleep 2
	cgi one PUT "/api/v1/status-pages/$page" name=Younger
	soon grep -q Younger "$disk/public/s/late/index.html"
	rounds two 2
	refute grep -q 'Committed late' "$disk/public/s/early/index.html"
	wait $!
	soon grep -q 'Committed late' "$disk/public/s/early/index.html"
}

@test "pages that went with their account are noticed" {
	second_that_reads
	world_page one shown
	follow two
	soon test -e "$disk/public/s/shown/index.html"
	"$ctl" account remove 'World one' --yes --config "$(world_conf one)"
	soon gone "$disk/public/s/shown"
}
