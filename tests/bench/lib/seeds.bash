#!/usr/bin/env bash
# The data of the rows, by SQL: the same for each build. Sourced.

# An account's key is its number; the table has the key's SHA-256.
key_of() { printf 'dm_%043d' "$1"; }
key_sql() { printf "CONCAT('dm_', LPAD(%s, 43, '0'))" "$1"; }

# accounts LABEL FROM TO: accounts with a key each.
accounts() {
	sql "$1" "INSERT INTO accounts (id, name, created_at) SELECT seq, CONCAT('Bench ', seq), '2020-01-01' FROM seq_$2_to_$3;
		INSERT INTO api_keys (account_id, key_hash, label, created_at)
			SELECT seq, UNHEX(SHA2($(key_sql seq), 256)), 'bench', '2020-01-01' FROM seq_$2_to_$3;
		INSERT IGNORE INTO account_usage (account_id, quota) SELECT a.seq, q.quota FROM seq_$2_to_$3 a JOIN (SELECT DISTINCT quota FROM account_usage) q"
}

# monitors LABEL ACCOUNT FROM COUNT: an account's monitors, with ids from FROM on. ACCOUNT may be an
# expression with `seq`, the number of the monitor from 0 on.
monitors() {
	sql "$1" "INSERT INTO monitors (id, account_id, name, url, created_at, updated_at, known_since, label)
		SELECT $3 + seq, $2, CONCAT('System ', seq), CONCAT('https://system-', seq, '.example.org/health'), '2020-01-01', '2020-01-01', '2020-01-01',
		CONCAT('bench=', $3 + seq) FROM seq_0_to_$(($4 - 1))"
}

# incidents LABEL COUNT ACCOUNT MONITOR START MINUTES: incidents that are over. ACCOUNT, MONITOR and
# START are expressions with `seq`, the number of the incident; MINUTES is how long each lasted.
incidents() {
	local label=$1 count=$2 account=$3 monitor=$4 start=$5 minutes=$6 ends='' end
	end="$start + INTERVAL $minutes MINUTE"
	# The column may be generated.
	[ "$(sql "$label" "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'daymark' AND table_name = 'incidents'
		AND column_name = 'ends_at' AND COALESCE(generation_expression, '') = ''")" = 0 ] || ends=", ends_at"
	sql "$label" "SET unique_checks = 0, foreign_key_checks = 0;
		INSERT INTO incidents (account_id, monitor_id, cause, comment, started_at, created_at, updated_at, ended_at$ends)
		SELECT $account, $monitor, CONCAT(ELT(1 + seq % 6, 'Timeout', 'HTTP 503', 'DNS failure', 'Connection refused', 'TLS expired', 'Slow'),
			' at check ', seq % 997), IF(seq % 3, NULL, 'A router of our provider failed. We now have a second way out.'),
		$start, $start, $start, $end${ends:+, $end} FROM seq_0_to_$((count - 1))"
}

# count_incidents LABEL FROM TO: the kept counts and other derived rows for the incidents of these accounts.
count_incidents() {
	sql "$1" "REPLACE INTO incident_months (monitor_id, month, revision)
		SELECT monitor_id, DATE_FORMAT(started_at, '%Y-%m-01') m, 1 FROM incidents WHERE account_id BETWEEN $2 AND $3 GROUP BY monitor_id, m;
		REPLACE INTO incident_counts (monitor_id, status, account_id, total)
		SELECT monitor_id, status, account_id, COUNT(*) FROM incidents WHERE account_id BETWEEN $2 AND $3 GROUP BY monitor_id, status, account_id"
	ctl "$1" incident recount
	sql "$1" 'ANALYZE TABLE accounts, api_keys, monitors, incidents, incident_monitors, incident_counts, incident_months, status_pages, status_page_monitors, page_revisions'
}

# pages LABEL FROM COUNT ACCOUNT SLUG MONITORS MONITOR UNPUBLISHED: pages with ids from FROM on.
# ACCOUNT and MONITOR are expressions with `page` and `place`, both numbers from 0 on. UNPUBLISHED is
# when the first publishing became due, or NULL: the page needs no files.
pages() {
	sql "$1" "INSERT INTO status_pages (id, account_id, name, slug, created_at, updated_at)
			SELECT $2 + page, $4, CONCAT('Page ', page), CONCAT('$5-', page), '2020-01-01', '2020-01-01' FROM (SELECT seq AS page FROM seq_0_to_$(($3 - 1))) n;
		INSERT INTO status_page_monitors (status_page_id, monitor_id, position)
			SELECT $2 + page, $7, place + 1 FROM (SELECT seq AS page FROM seq_0_to_$(($3 - 1))) n, (SELECT seq AS place FROM seq_0_to_$(($6 - 1))) p;
		INSERT INTO page_revisions (page_id, account_id, changed_at, unpublished_since, next_change_at)
			SELECT id, account_id, UTC_TIMESTAMP(), $8, UTC_TIMESTAMP() + INTERVAL 20 HOUR FROM status_pages WHERE id >= $2 AND id < $2 + $3"
}

# create_page LABEL ACCOUNT SLUG FROM COUNT [FIELD]...: by the API, with monitors from an id on.
create_page() {
	local label=$1 account=$2 slug=$3 fields=() id
	for id in $(seq "$4" "$(($4 + $5 - 1))"); do fields+=(-d "monitor_ids[]=$id"); done
	for id in "${@:6}"; do fields+=(-d "$id"); done
	api "$label" "$(key_of "$account")" POST /api/v1/status-pages -d "name=$slug" -d "slug=$slug" "${fields[@]}"
}

# 100 accounts, each with 50 monitors, 2,000 incidents of 400 days, 20 pages of 5 monitors.
seed_lists() {
	accounts "$1" 1001 1100
	monitors "$1" '1001 + seq DIV 50' 100000 5000
	incidents "$1" 200000 '1001 + seq DIV 2000' '100000 + 50 * (seq DIV 2000) + seq % 50' \
		"UTC_TIMESTAMP() - INTERVAL 400 DAY + INTERVAL (seq % 2000) * 287 MINUTE" 10
	pages "$1" 10000 2000 '1001 + page DIV 20' list 5 '100000 + 50 * (page DIV 20) + (5 * page + place) % 50' NULL
	count_incidents "$1" 1001 1100
}

# reports LABEL COUNT ACCOUNT MONITOR START MINUTES: as incidents, but reported: of three systems each, from
# MONITOR on.
reports() {
	local label=$1 count=$2 account=$3 monitor=$4 start=$5 minutes=$6 first
	first=$(sql "$label" 'SELECT COALESCE(MAX(id), 0) + 1 FROM incidents')
	sql "$label" "SET unique_checks = 0, foreign_key_checks = 0;
		INSERT INTO incidents (id, account_id, monitor_id, cause, title, comment, impact, started_at, acknowledged_at, created_at, updated_at, ended_at)
		SELECT $first + seq, $account, NULL, '', CONCAT('Outage ', seq), IF(seq % 3, NULL, 'A router of our provider failed. We now have a second way out.'),
		1 + seq % 3, $start, $start, $start, $start, $start + INTERVAL $minutes MINUTE FROM seq_0_to_$((count - 1));
		INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, impact, lesser_impact, has_outage, started_at, acknowledged_at, ended_at)
		SELECT $first + seq, place, $account, $monitor + place, i.impact, IF(i.impact = 3, 0, i.impact), i.impact = 3, i.started_at, i.acknowledged_at, i.ended_at
		FROM (SELECT seq FROM seq_0_to_$((count - 1))) n, (SELECT seq AS place FROM seq_0_to_2) p, incidents i WHERE i.id = $first + n.seq"
	# A former build has no such column.
	sql "$label" "UPDATE incidents SET names_pages = 0 WHERE id >= $first" 2>/dev/null
	return 0
}

# As seed_lists, but with reported incidents of three systems, in 50 accounts.
seed_reports() {
	accounts "$1" 1701 1750
	monitors "$1" '1701 + seq DIV 50' 600000 2500
	reports "$1" 100000 '1701 + seq DIV 2000' '600000 + 50 * (seq DIV 2000) + seq % 48' \
		"UTC_TIMESTAMP() - INTERVAL 400 DAY + INTERVAL (seq % 2000) * 287 MINUTE" 10
	pages "$1" 60000 1000 '1701 + page DIV 20' report 5 '600000 + 50 * (page DIV 20) + (5 * page + place) % 50' NULL
	count_incidents "$1" 1701 1750
}

# An account with 1,000 incidents of 300 days, a page of 20 monitors, one of 5, and monitors without.
seed_writes() {
	accounts "$1" 1201 1201
	monitors "$1" 1201 200000 60
	incidents "$1" 1000 1201 '200000 + seq % 40' 'UTC_TIMESTAMP() - INTERVAL 300 DAY + INTERVAL seq * 431 MINUTE' 10
	count_incidents "$1" 1201 1201
	create_page "$1" 1201 writes-20 200000 20
	create_page "$1" 1201 writes-5 200020 5
}

# Two accounts, with 1,000 and with 1,000,000 incidents of the years 2020 to 2023, and a page of 5 of
# their 20 monitors. Each first monitor has an incident of today.
seed_growth() {
	local account
	accounts "$1" 1202 1203
	monitors "$1" 1202 210000 20
	monitors "$1" 1203 220000 20
	incidents "$1" 1000 1202 '210000 + seq % 20' "'2020-01-01' + INTERVAL seq * 2000 MINUTE" 1
	incidents "$1" "$million" 1203 '220000 + seq % 20' "'2020-01-01' + INTERVAL seq * 2 MINUTE" 1
	incidents "$1" 1 1202 210000 'UTC_TIMESTAMP() - INTERVAL 1 HOUR' 10
	incidents "$1" 1 1203 220000 'UTC_TIMESTAMP() - INTERVAL 1 HOUR' 10
	count_incidents "$1" 1202 1203
	for account in 1202 1203; do
		create_page "$1" $account "growth-$account" $((account * 10000 - 11810000)) 5
	done
}

# One account with 500 pages of 100 monitors with an incident each; the first is on all pages.
seed_fan() {
	accounts "$1" 1301 1301
	monitors "$1" 1301 300000 50000
	incidents "$1" 50000 1301 '300000 + seq' 'UTC_TIMESTAMP() - INTERVAL 80 DAY + INTERVAL (seq % 80) * 1431 MINUTE' 10
	pages "$1" 20000 500 1301 fan 100 'IF(place, 300000 + 100 * page + place, 300000)' 'UTC_TIMESTAMP()'
	count_incidents "$1" 1301 1301
	ctl "$1" publish
}

# Two accounts with 500 monitors each, which are on no page, and on one.
seed_alerts() {
	accounts "$1" 1302 1303
	monitors "$1" 1302 360000 500
	monitors "$1" 1303 370000 500
	create_page "$1" 1303 alerts 370000 500
}

# 100 accounts, each with 50 monitors and pages of 20 of them, and 250 incidents of 80 days.
seed_days() {
	accounts "$1" 1401 1500
	monitors "$1" '1401 + seq DIV 50' 400000 5000
	incidents "$1" 25000 '1401 + seq DIV 250' '400000 + 50 * (seq DIV 250) + seq % 50' \
		'UTC_TIMESTAMP() - INTERVAL 80 DAY + INTERVAL (seq % 250) * 431 MINUTE' 10
	pages "$1" 30000 "$pages" '1401 + page % 100' day 20 '400000 + 50 * (page % 100) + (page DIV 100 + place) % 50' 'UTC_TIMESTAMP()'
	count_incidents "$1" 1401 1500
	ctl "$1" publish
}

# Pages of 20 and of 1,000 monitors, with 100 incidents each in three years.
seed_large() {
	accounts "$1" 1602 1602
	monitors "$1" 1602 510000 1020
	incidents "$1" 102000 1602 '510000 + seq % 1020' 'UTC_TIMESTAMP() - INTERVAL 1095 DAY + INTERVAL seq * 15 MINUTE' 10
	count_incidents "$1" 1602 1602
	create_page "$1" 1602 large-20 510000 20
	pages "$1" 50000 1 1602 large 1000 '510020 + place' 'UTC_TIMESTAMP()'
	ctl "$1" publish --page large-0
}

# A page of 20 monitors with a few incidents, public, noindex and with a password.
seed_views() {
	accounts "$1" 1601 1601
	monitors "$1" 1601 500000 20
	incidents "$1" 40 1601 '500000 + seq % 20' 'UTC_TIMESTAMP() - INTERVAL 60 DAY + INTERVAL seq * 2000 MINUTE' 30
	count_incidents "$1" 1601 1601
	create_page "$1" 1601 view-public 500000 20
	create_page "$1" 1601 view-noindex 500000 20 noindex=1
	create_page "$1" 1601 view-password 500000 20 privacy=2 password=bench
}
