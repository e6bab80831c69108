# Followers: they write nothing to the database, see what their own disk has lost, and /readyz
# says what it lacks.
load lib
load ../lib/world

teardown() {
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
	world_sql one "UPDATE status_pages SET name = 'Unmarked', revision = revision + 1, unpublished_since = UTC_TIMESTAMP() - INTERVAL 300 SECOND"
	before=$(world_sql one 'SELECT published_revision, unpublished_since FROM status_pages')
	follow two
	soon grep -q Unmarked "$disk/public/s/shown/index.html"
	rounds two
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	[ "$(world_sql one 'SELECT published_revision, unpublished_since FROM status_pages')" = "$before" ]
	# Each machine's own disk counts.
	ready two -eq 0
	ready one -ge 300
	"$ctl" publish --config "$(world_conf one)"
	ready one -eq 0
	[ "$(world_sql one 'SELECT published_revision = revision, unpublished_since FROM status_pages')" = "$(printf '1\tNULL')" ]
}

@test "a follower with --mark does what a timer does" {
	second_that_reads
	world_page one shown
	world_sql one "UPDATE status_pages SET unpublished_since = UTC_TIMESTAMP()"
	world_sql one "INSERT INTO idempotency_keys (account_id, key_hash, request_hash, created_at) SELECT id, 'a', 'b', '2020-01-01' FROM accounts"
	"$ctl" publish --follow --mark --config "$(world_conf one)" >>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	follower=$!
	is_marked() { [ "$(world_sql one 'SELECT unpublished_since IS NULL FROM status_pages')" = 1 ]; }
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
	find "$disk" -mindepth 1 -delete
	soon test -e "$disk/noindex/s/other/index.html"
	soon test -e "$disk/public/s/shown/index.html"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
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
	world_sql one "UPDATE status_pages SET revision = revision + 1, unpublished_since = UTC_TIMESTAMP() - INTERVAL 60 SECOND"
	ready one -ge 60
	grep 'event=request' "$BATS_TEST_TMPDIR/cgi-log" | grep -q 'queries=2 '
}
