load lib

list=/api/v1/incidents

# An account of its own with 20 monitors.
setup_file() {
	load lib
	setup
	"$ctl" account add "Growth $$" --json | jq -r .id >"$BATS_FILE_TMPDIR/account"
	big=$(cat "$BATS_FILE_TMPDIR/account")
	"$ctl" key create --account "$big" --json | jq -r .key >"$BATS_FILE_TMPDIR/key"
	for i in $(seq 20); do
		"$ctl" monitor add "Growing $i" "https://g$i.example/" --account "$big" --json | jq -r .id
	done >"$BATS_FILE_TMPDIR/monitors"
	# It would read rows while those of a list are counted.
	publisher_rests
}

teardown_file() {
	load lib
	setup
	publisher_goes_on
	"$ctl" account remove "$(cat "$BATS_FILE_TMPDIR/account")" --yes
}

# grow FROM TO: incidents number FROM to TO - 1; the last of each monitor lasts.
grow() {
	local big first digits
	big=$(cat "$BATS_FILE_TMPDIR/account") first=$(head -n 1 "$BATS_FILE_TMPDIR/monitors")
	digits="(SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
	sql "INSERT INTO incidents (account_id, monitor_id, cause, started_at, acknowledged_at, ended_at, created_at, updated_at)
		SELECT $big, $first + n % 20, CONCAT('Cause ', n % 50), '2020-01-01' + INTERVAL n MINUTE,
		IF(n % 3, NULL, '2020-01-01' + INTERVAL n MINUTE),
		IF(n < 20, NULL, '2020-01-01' + INTERVAL n + 1 MINUTE), '2020-01-01', '2020-01-01'
		FROM (SELECT a.i + 10 * b.i + 100 * c.i + 1000 * d.i + 10000 * e.i AS n
		 FROM $digits a, $digits b, $digits c, $digits d, $digits e) numbers WHERE n >= $1 AND n < $2"
	sql 'ANALYZE TABLE incidents, incident_counts' >/dev/null
	"$ctl" incident recount >/dev/null
}

reads() {
	sql "SHOW GLOBAL STATUS LIKE 'Handler_read%'" | awk '{ sum += $2 } END { print sum }'
}

# cost QUERY: rows that the list reads, without what the question itself costs.
cost() {
	local idle before after
	before=$(reads)
	idle=$(($(reads) - before))
	before=$(reads)
	api GET "$list?$1"
	after=$(reads)
	[ "$status" = 200 ] || return 1
	echo $((after - before - idle))
}

all_lists() {
	local filter sort order monitor
	monitor=$(sed -n 5p "$BATS_FILE_TMPDIR/monitors")
	for filter in "" "&monitor_id=$monitor" "&status=unresolved" "&status=acknowledged" "&status=resolved" \
		"&monitor_id=$monitor&status=resolved" "&monitor_id=$monitor&status=unresolved"; do
		for sort in started_at ended_at; do
			for order in asc desc; do echo "sort_by=$sort&sort=$order$filter"; done
		done
	done
}

measure() {
	local query
	api GET "$list"
	for query in $(all_lists); do echo "$query $(cost "$query")"; done
}

@test "every list costs at 100,000 incidents what it costs at 1,000" {
	key=$(cat "$BATS_FILE_TMPDIR/key")
	grow 0 1000
	measure >"$BATS_TEST_TMPDIR/small"
	api GET "$list"
	want 200 '.meta.total == 1000'
	grow 1000 100000
	measure >"$BATS_TEST_TMPDIR/large"
	api GET "$list"
	want 200 '.meta.total == 100000'
	paste -d ' ' "$BATS_TEST_TMPDIR/small" "$BATS_TEST_TMPDIR/large" | awk '
		$2 < 5 { print "too cheap to be true: " $0; bad = 1 }
		$4 > 2 * $2 { print "grows: " $0; bad = 1 }
		END { print NR " lists"; exit bad || NR != 28 }'
}

@test "a deep page skips rows once, over the index alone" {
	key=$(cat "$BATS_FILE_TMPDIR/key")
	[ "$(cost page=5000)" -lt 50300 ]
	plan=$(sql "EXPLAIN SELECT id FROM incidents FORCE INDEX (incidents_ends) WHERE account_id = 1 ORDER BY ends_at DESC, id DESC LIMIT 10 OFFSET 50000")
	grep -q 'Using index' <<<"$plan"
	refute grep -q filesort <<<"$plan"
}

@test "the kept counts can be verified, and made anew when they are wrong" {
	"$ctl" incident recount --check
	sql "UPDATE incident_counts SET total = total + 5 WHERE monitor_id = $(head -n 1 "$BATS_FILE_TMPDIR/monitors") AND status = 2"
	run "$ctl" incident recount --check --json
	[ "$status" = 6 ]
	[ "$(jq .wrong <<<"$output")" = 1 ]
	"$ctl" incident recount
	"$ctl" incident recount --check
}
