# Removing accounts and monitors that have much: in small transactions, and again after a crash.
load lib
. "$TOP/tests/lib/world.bash"

setup() {
	setup_of_lib
	world one
}

teardown() {
	sql "SET GLOBAL slow_query_log = 0, long_query_time = 10, log_output = 'FILE'"
	worlds_end
}

# fill: gives the account 1 20,000 incidents with their history, and account 2 a few of all.
fill() {
	"$ctl" account add Other --config "$(world_conf one)" >/dev/null
	other_key=$("$ctl" key create --account Other --config "$(world_conf one)" --json | jq -r .key)
	"$ctl" monitor add Other https://example.org/ --account Other --config "$(world_conf one)" >/dev/null
	world_page one removed
	world_sql one "INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, created_at, updated_at)
		SELECT IF(seq <= 20000, 1, 2), IF(seq <= 20000, 1, 2), 'Timeout', '2020-01-01' + INTERVAL seq MINUTE,
			'2020-01-01' + INTERVAL seq + 1 MINUTE, '2020-01-01', '2020-01-01' FROM seq_1_to_20300;
		INSERT INTO incident_sources (account_id, source, incident_id) SELECT account_id, id, id FROM incidents;
		INSERT INTO incident_months (monitor_id, month, revision)
		SELECT 1 + seq % 2, '2000-01-01' + INTERVAL seq MONTH, 1 FROM seq_1_to_100"
	"$ctl" incident recount --config "$(world_conf one)" >/dev/null
}

# others: what the account 2 has.
others() {
	world_sql one "CHECKSUM TABLE timeline; SELECT * FROM accounts WHERE id = 2; SELECT id, HEX(key_hash), label FROM api_keys WHERE account_id = 2;
		SELECT * FROM monitors WHERE account_id = 2; SELECT * FROM incidents WHERE account_id = 2;
		SELECT * FROM incident_sources WHERE account_id = 2;
		SELECT * FROM incident_counts WHERE monitor_id = 2; SELECT * FROM incident_months WHERE monitor_id = 2;
		SELECT * FROM account_usage WHERE account_id = 2"
}

# without_cascades: a foreign key that would have to delete rows fails from here on.
without_cascades() {
	world_sql one "SELECT CONCAT('ALTER TABLE ', k.table_name, ' DROP FOREIGN KEY ', k.constraint_name, '; ALTER TABLE ', k.table_name,
			' ADD CONSTRAINT ', k.constraint_name, '_2 FOREIGN KEY (', k.column_name, ') REFERENCES ', k.referenced_table_name, ' (id);')
		FROM information_schema.key_column_usage k WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL" |
		mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" "$(world_name one)"
}

# log_statements: from here on mysql.slow_log has each statement with the rows that it changed.
log_statements() {
	sql "TRUNCATE mysql.slow_log; SET GLOBAL log_output = 'TABLE', long_query_time = 0, slow_query_log = 1"
}

# largest_transaction: the most rows that a transaction of the world's database has changed.
largest_transaction() {
	sql "SET GLOBAL slow_query_log = 0; SELECT thread_id, rows_affected, REPLACE(CONVERT(sql_text USING utf8mb4), '\n', ' ')
		FROM mysql.slow_log WHERE db = '$(world_name one)' ORDER BY thread_id, start_time" |
		awk -F'\t' '
		{ word = toupper(substr($3, 1, 6)) }
		word == "START " { rows[$1] = 0; open[$1] = 1 }
		word == "COMMIT" || word == "ROLLBA" { open[$1] = 0; next }
		word == "DELETE" || word == "UPDATE" || word == "INSERT" {
			rows[$1] = open[$1] ? rows[$1] + $2 : $2
			if (rows[$1] > most) most = rows[$1]
			seen++
		}
		END { if (seen < 20) print "only " seen " statements"; else print most + 0 }'
}

# sleeping: the connection of a statement that a trigger has stopped.
sleeping() {
	sql "SELECT id FROM information_schema.processlist WHERE state = 'User sleep' AND db = '$(world_name one)'"
}

is_stopped() {
	[ -n "$(sleeping)" ]
}

# kill_in_the_middle INCIDENT COMMAND...: with kill -9, while the command deletes that incident.
kill_in_the_middle() {
	world_sql one "CREATE TRIGGER stop BEFORE DELETE ON incidents FOR EACH ROW DO IF(OLD.id = $1, SLEEP(600), 0)"
	shift
	"$@" --config "$(world_conf one)" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	removing=$!
	soon is_stopped
	kill -9 "$removing"
	sql "KILL $(sleeping)"
	wait "$removing" || true
	world_sql one 'DROP TRIGGER stop'
}

@test "an account with 20,000 incidents is removed in transactions of at most 1,000 rows" {
	fill
	before=$(others)
	[ -e "$(world_pages one)/public/s/removed/index.html" ]
	without_cascades
	log_statements
	"$ctl" account remove 1 --yes --config "$(world_conf one)"
	most=$(largest_transaction)
	[ "$most" -le 1000 ] || { echo "$most rows"; return 1; }
	[ "$most" -ge 500 ]
	[ ! -e "$(world_pages one)/public/s/removed" ]
	[ "$(others)" = "$before" ]
	[ "$(world_sql one 'SELECT COUNT(*) FROM accounts')" = 1 ]
	for table in monitors incidents incident_sources incident_counts status_pages api_keys account_usage; do
		[ "$(world_sql one "SELECT COUNT(*) FROM $table WHERE account_id <> 2")" = 0 ] || { echo "$table"; return 1; }
	done
	"$ctl" incident recount --check --config "$(world_conf one)"
}

@test "an account whose removal was killed is closed, and the next command goes on" {
	fill
	before=$(others)
	kill_in_the_middle 5000 "$ctl" account remove 'World one' --yes
	left=$(world_sql one 'SELECT COUNT(*) FROM incidents WHERE account_id = 1')
	[ "$left" -gt 0 ]
	[ "$left" -lt 20000 ]
	# Its keys are refused, its pages and itself are gone.
	cgi one GET /api/v1/status-pages
	[ "$status" = 401 ]
	[ ! -e "$(world_pages one)/public/s/removed" ]
	[ "$("$ctl" account list --json --config "$(world_conf one)" | jq -c 'map(.id)')" = '[2]' ]
	[ "$("$ctl" monitor list --json --config "$(world_conf one)" | jq -c 'map(.account_id) | unique')" = '[2]' ]
	[ "$("$ctl" key list --json --config "$(world_conf one)" | jq -c 'map(.account_id) | unique')" = '[2]' ]
	run "$ctl" key create --account 1 --config "$(world_conf one)"
	[ "$status" != 0 ]
	run "$ctl" account add 'World one' --config "$(world_conf one)"
	[ "$status" = 4 ]
	[[ "$output" == *'account World one is being removed'* ]]
	world_key=$other_key
	cgi one GET /api/v1/incidents
	[ "$status" = 200 ]
	[ "$(jq .meta.total "$answer")" = 300 ]
	# Without a question: it was answered before.
	"$ctl" account remove 'World one' --config "$(world_conf one)" </dev/null
	[ "$(world_sql one 'SELECT COUNT(*) FROM accounts')" = 1 ]
	[ "$(world_sql one 'SELECT COUNT(*) FROM incidents')" = 300 ]
	[ "$(others)" = "$before" ]
	run "$ctl" account remove 'World one' --yes --config "$(world_conf one)"
	[ "$status" != 0 ]
	[[ "$output" == *'no account World one'* ]]
}

@test "a page with many monitors and many pages go in small transactions, too" {
	world_sql one "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
			SELECT 1, CONCAT('M', seq), 'https://example.org/', '2020-01-01', '2020-01-01' FROM seq_2_to_900;
		INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
			SELECT 1, CONCAT('P', seq), CONCAT('p', seq), '2020-01-01', '2020-01-01' FROM seq_1_to_150;
		INSERT INTO status_page_monitors (status_page_id, monitor_id, position)
			SELECT p.id, m.id, m.id FROM status_pages p JOIN monitors m WHERE p.id % 30 = 0"
	without_cascades
	log_statements
	"$ctl" account remove 1 --yes --config "$(world_conf one)"
	most=$(largest_transaction)
	[ "$most" -le 1000 ] || { echo "$most rows"; return 1; }
	for table in status_pages status_page_monitors monitors accounts; do
		[ "$(world_sql one "SELECT COUNT(*) FROM $table")" = 0 ] || { echo "$table"; return 1; }
	done
}

@test "a monitor with 20,000 incidents is removed in small transactions, and after a kill -9" {
	fill
	before=$(others)
	log_statements
	kill_in_the_middle 5000 "$ctl" monitor remove 1 --yes
	left=$(world_sql one 'SELECT COUNT(*) FROM incidents WHERE monitor_id = 1')
	[ "$left" -gt 0 ]
	[ "$left" -lt 20000 ]
	# No page shows it any more, and the kept counts are right at each moment.
	[ "$(world_sql one 'SELECT COUNT(*) FROM status_page_monitors')" = 0 ]
	"$ctl" incident recount --check --config "$(world_conf one)"
	"$ctl" monitor remove 1 --yes --config "$(world_conf one)"
	most=$(largest_transaction)
	[ "$most" -le 1003 ] || { echo "$most rows"; return 1; }
	[ "$(world_sql one 'SELECT COUNT(*) FROM monitors')" = 1 ]
	[ "$(world_sql one 'SELECT COUNT(*) FROM incidents')" = 300 ]
	[ "$(others)" = "$before" ]
	"$ctl" incident recount --check --config "$(world_conf one)"
	[ "$(world_sql one "SELECT COUNT(*) FROM events WHERE kind = 'monitor.deleted'")" = 1 ]
}

@test "work --once completes all interrupted removals, and removes their pages" {
	fill
	"$ctl" publish --all --config "$(world_conf one)"
	[ -e "$(world_pages one)/public/s/removed" ]
	world_sql one 'UPDATE accounts SET removed_at = UTC_TIMESTAMP()'
	"$ctl" work --once --config "$(world_conf one)"
	[ "$(world_sql one 'SELECT COUNT(*) FROM accounts')" = 0 ]
	[ "$(world_sql one 'SELECT COUNT(*) FROM incidents')" = 0 ]
	[ ! -e "$(world_pages one)/public/s/removed" ]
}
