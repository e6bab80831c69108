load lib

list=/api/v1/status-pages

# An account of its own with 10,000 pages, each with one of two monitors.
setup_file() {
	load lib
	setup
	"$ctl" account add "Scale $$" --json | jq -r .id >"$BATS_FILE_TMPDIR/account"
	big=$(cat "$BATS_FILE_TMPDIR/account")
	"$ctl" key create --account "$big" --json | jq -r .key >"$BATS_FILE_TMPDIR/key"
	one=$("$ctl" monitor add A https://a.example/ --account "$big" --json | jq -r .id)
	two=$("$ctl" monitor add B https://b.example/ --account "$big" --json | jq -r .id)
	echo "$one" >"$BATS_FILE_TMPDIR/monitor"
	digits="(SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
	sql "INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
		SELECT $big, CONCAT('Page ', a.i, b.i, c.i, d.i), CONCAT('scale-', $big, '-', a.i, b.i, c.i, d.i),
		UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM $digits a, $digits b, $digits c, $digits d"
	sql "INSERT INTO page_revisions (page_id, account_id, changed_at, next_change_at)
		SELECT id, account_id, UTC_TIMESTAMP(), UTC_DATE() + INTERVAL 1 DAY FROM status_pages WHERE account_id = $big"
	sql "INSERT INTO status_page_monitors (status_page_id, monitor_id, position)
		SELECT id, IF(id % 2, $one, $two), 1 FROM status_pages WHERE account_id = $big"
}

teardown_file() {
	load lib
	setup
	"$ctl" account remove "$(cat "$BATS_FILE_TMPDIR/account")" --yes
}

@test "10,000 pages: list, search and monitor filter take the queries that ten take" {
	new_page
	key=$(cat "$BATS_FILE_TMPDIR/key") one=$(cat "$BATS_FILE_TMPDIR/monitor")
	for query in "" "?per_page=100" "?search=99&per_page=100" "?monitor_id=$one&sort_by=name" \
		"?search=9&monitor_id=$one&sort=asc" "?page=500" "?page=1000&sort_by=name"; do
		api GET "$list$query"
		want 200 '.data | length >= 10'
		large=$(queries)
		other GET "$list${query%%page=*}"
		want 200
		[ "$large" = "$(queries)" ]
		[ "$large" = 2 ]
	done
	api GET "$list"
	want 200 '.meta.total == 10000'
	api GET "$list?search=99&monitor_id=$one"
	# Names and monitors both go by number: which half it is depends on the first id.
	want 200 '.meta.total >= 80 and .meta.total <= 200'
}

@test "10,000 pages: the list reads few rows beyond those it shows" {
	key=$(cat "$BATS_FILE_TMPDIR/key") big=$(cat "$BATS_FILE_TMPDIR/account")
	# Ids come from an index that covers the question: no row of the table, no sorting.
	plan=$(sql "EXPLAIN SELECT id FROM status_pages WHERE account_id = $big ORDER BY name DESC, id DESC LIMIT 10")
	grep -q status_pages_account_name <<<"$plan"
	refute grep -q filesort <<<"$plan"
	plan=$(sql "EXPLAIN SELECT id FROM status_pages WHERE account_id = $big ORDER BY id DESC LIMIT 10")
	refute grep -q filesort <<<"$plan"
}
