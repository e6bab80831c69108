# Pages with many long incidents, and the process that publishes them.
load lib
load ../lib/publisher

# Test data of 280 MB: MariaDB holds them in its memory and its log. No test here ends it.
setup_file() {
	export DAYMARK_MYSQL_OPTIONS='--innodb-log-file-size=512M --innodb-buffer-pool-size=512M --innodb-doublewrite=0 --innodb-flush-log-at-trx-commit=0'
	publisher_service_start
}

# long_incidents COUNT MONITOR: incidents of the last days, each with a comment of 40,000 bytes.
long_incidents() {
	sql "INSERT INTO incidents (account_id, monitor_id, cause, comment, started_at, ended_at, created_at, updated_at)
		SELECT $account, $2, CONCAT('Long ', n), CONCAT('$2 ', n, REPEAT(' word', 7990), ' end'), UTC_TIMESTAMP() - INTERVAL n * 2 MINUTE, UTC_TIMESTAMP() - INTERVAL n * 2 - 1 MINUTE, UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM $numbers WHERE n > 0 AND n <= $1"
	sql "INSERT INTO incident_months (monitor_id, month, revision)
		SELECT monitor_id, DATE_FORMAT(started_at, '%Y-%m-01'), COUNT(*) FROM incidents WHERE monitor_id = $2 GROUP BY 1, 2
		ON DUPLICATE KEY UPDATE revision = incident_months.revision + VALUES(revision)"
	"$ctl" incident recount >/dev/null
}

@test "a page of 7,000 long incidents is published, and its neighbours with it, by every way" {
	page_with_monitor
	heavy=$slug
	long_incidents 7000 "$monitor"
	page_with_monitor
	due="UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP(), revision = revision + 1, changed_at = UTC_TIMESTAMP() WHERE page_id IN (SELECT id FROM status_pages WHERE slug IN ('$heavy', '$slug'))"
	sql "$due"
	soon nothing_is_due
	"$ctl" publish --all
	grep -q 'word end' "$pages/public/s/$heavy/index.html"
	# A day shows ten, and says how many more there are.
	grep -qE '[0-9]+ more</a>' "$pages/public/s/$heavy/index.html"
	# A month shows as many as a browser can bear, and counts the rest.
	grep -qhE 'And [0-9]+ before these' "$pages/public/s/$heavy/"20*-*.html
	[ "$(stat -c %s "$pages/public/s/$heavy/index.html")" -lt 12000000 ]
	sql "$due"
	"$ctl" publish
	mkdir -m 0777 "$BATS_TEST_TMPDIR/second"
	sed "s|^dir = .*|dir = $BATS_TEST_TMPDIR/second/pages|" "$conf" >"$BATS_TEST_TMPDIR/second.conf"
	"$ctl" publish --follow --config "$BATS_TEST_TMPDIR/second.conf" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	follower=$!
	soon grep -qx "$heavy" "$BATS_TEST_TMPDIR/out"
	soon grep -qx "$slug" "$BATS_TEST_TMPDIR/out"
	kill -0 "$follower"
	refute grep -q 'arena' "$log" "$BATS_TEST_TMPDIR/out"
}

deaths() {
	grep -acE 'event=died|ended: (signal|status)' "$log" || true
}

@test "many pages with long comments end no process, and delay no other page" {
	new_monitor
	shown=$monitor prefix=$(new_slug)
	long_incidents 40 "$shown"
	many_pages 90 "$shown" "$prefix"
	soon nothing_is_due
	before=$(deaths)
	for state in down up down; do
		api POST /hooks/generic -d "monitor=$shown" -d "state=$state" -d 'title=A small report'
		want 200
		other GET /api/v1/status-pages
		want 200
	done
	soon all_say "$prefix" 'A small report' 90
	[ "$(deaths)" = "$before" ]
	refute grep -q 'arena' "$log"
	# What is shown is whole.
	grep -q 'word end' "$pages/public/s/$prefix-1/index.html"
	[ "$(grep -o 'class="text"' "$pages/public/s/$prefix-1/$(date -u +%Y-%m).html" | wc -l)" -gt 5 ]
	kill -0 "$parent"
}
