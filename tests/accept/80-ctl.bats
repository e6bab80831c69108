load lib

@test "every command explains itself" {
	"$ctl" --help | grep -q 'monitor rename'
	"$ctl" --version | grep -Eq '^daymarkctl [0-9]'
	# The names of the commands in the help, one in each line; the options begin after an empty line.
	mapfile -t commands < <("$ctl" --help | sed -nE '/^Options of every command/q; s/^  ([a-z-]+( [a-z-]+)?)  .*/\1/p')
	[ "${#commands[@]}" -ge 27 ]
	for command in "${commands[@]}"; do
		# shellcheck disable=SC2086
		"$ctl" $command --help >"$BATS_TEST_TMPDIR/help"
		grep -Eq "^Usage: daymarkctl $command \[OPTION\]" "$BATS_TEST_TMPDIR/help"
	done
	diff <(printf '%s\n' "${commands[@]}" | sort) \
		<(sed -nE 's/^\.It Cm ([a-z-]+( [a-z-]+)?).*/\1/p' "$TOP/man/daymarkctl.1" | sort)
}

# complete_words WORD...: the completions of the last word.
complete_words() {
	PATH=$(dirname "$ctl"):$PATH bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _daymarkctl; printf "%s\n" "${COMPREPLY[@]}"' \
		"$TOP/conf/completion/daymarkctl" "$@"
}

@test "the shell completes the options that the fields make" {
	complete_words daymarkctl monitor set --de | grep -qx -- --description
	complete_words daymarkctl maintenance add --re | grep -qx -- --remind
	complete_words daymarkctl incident edit --un | grep -qx -- --unacknowledge
	[ "$(complete_words daymarkctl monitor re | sort | paste -sd ' ')" = 'remove rename' ]
}

@test "each field that a client may send is an option, with the checks of the API" {
	id=$("$ctl" monitor add Options '' --account "$account" --label o=1 --position 3 --json | jq .id)
	"$ctl" monitor set "$id" --name Renamed --label '' --since now --json |
		jq -e '.name == "Renamed" and .label == null and .position == 3 and .known_since != null'
	"$ctl" monitor set "$id" --since '' --json | jq -e '.known_since == null'
	run "$ctl" monitor set "$id" --position 1e3
	[ "$status" = 2 ]
	[ "$output" = 'daymarkctl: --position must be an integer' ]
	run "$ctl" incident report x --account "$account" --impact ''
	[ "$output" = 'daymarkctl: --impact must not be empty' ]
	run "$ctl" maintenance add x --account "$account" --start 2026-12-01T00:00:00Z --status completed
	[ "$status" = 2 ]
	"$ctl" monitor set "$id" --position 7 --json | jq -e '.position == 7 and .name == "Renamed"'
}

@test "wrong usage has exit status 2 and changes nothing" {
	for words in '' nonsense 'account' 'account nonsense' 'account add' 'account add a b' 'key revoke x' \
		'monitor add x ftp://y --account 1' 'key create --account 1 --expires 3y' 'key create --nonsense' \
		'publish --all --page x' 'migrate --status --dry-run' 'migrate --sql --status' backup restore 'monitor rename 1'; do
		run "$ctl" $words
		[ "$status" = 2 ] || { echo "$words: $status"; false; }
	done
	run "$ctl" account add 123
	[ "$status" = 2 ]
	for word in -x -name --nonsense; do
		run "$ctl" monitor add --yes "$word" x
		[[ "$output" = "daymarkctl: there is no option $word; "* ]]
	done
}

@test "what is not there has exit status 3, what is there already 4" {
	run "$ctl" key revoke 999999
	[ "$status" = 3 ]
	run "$ctl" monitor rename 999999 x
	[ "$status" = 3 ]
	run "$ctl" account remove nobody --yes
	[ "$status" = 3 ]
	run "$ctl" key create --account nobody
	[ "$status" = 3 ]
	run "$ctl" account add Demo
	[ "$status" = 4 ]
	run "$ctl" publish --page no-such-page
	[ "$status" = 3 ]
}

@test "a database that is away has exit status 69, a bad configuration 2" {
	sed 's|^socket = .*|socket = /nonexistent.sock|' "$conf" >"$BATS_TEST_TMPDIR/conf"
	run "$ctl" account list --config "$BATS_TEST_TMPDIR/conf"
	[ "$status" = 69 ]
	run "$ctl" check-config --config "$BATS_TEST_TMPDIR/conf"
	[ "$status" = 69 ]
	echo 'nonsense = 1' >>"$BATS_TEST_TMPDIR/conf"
	run "$ctl" account list --config "$BATS_TEST_TMPDIR/conf"
	[ "$status" = 2 ]
	[[ "$output" == *"unknown setting"* ]]
}

@test "migrate is done once and says so" {
	"$ctl" migrate | grep -q 'up to date'
	"$ctl" migrate --status
	[ "$("$ctl" migrate --status --json | jq 'map(.state) | unique == ["applied"]')" = true ]
	[ "$("$ctl" migrate --dry-run --json | jq .would_apply)" = 0 ]
}

# A second database, for what cannot be tried on the one in use.
fresh_database() {
	sql "CREATE DATABASE IF NOT EXISTS $1 CHARACTER SET utf8mb4"
	sed -e "s|^name = daymark|name = $1|" -e 's|^user = .*|user = root|' -e 's|^password = .*|password =|' \
		-e '/^migrate_/d' "$conf" >"$BATS_TEST_TMPDIR/fresh"
}

@test "migrate: status, dry run, two at once, a cut-off one, a changed one" {
	fresh_database fresh
	run "$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" = 6 ]
	"$ctl" migrate --dry-run --config "$BATS_TEST_TMPDIR/fresh" | grep -q 'CREATE TABLE status_pages'
	[ "$(sql "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'fresh'")" = 0 ]
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/a" &
	first=$!
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/b"
	wait "$first"
	[ "$(cat "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b" | grep -c '^schema.sql')" = 1 ]
	# As a kill -9 between the statement and its note leaves it.
	sql "UPDATE fresh.schema_migrations SET applied_at = NULL WHERE name LIKE '0199_page_links_is%'"
	run "$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" = 6 ]
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	sql "UPDATE fresh.schema_migrations SET checksum = REPEAT('0', 64) WHERE name LIKE '0196%'"
	run "$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" = 1 ]
	[[ "$output" == *"another text"* ]]
	sql 'DROP DATABASE fresh'
}

sleeping="SELECT id FROM information_schema.processlist WHERE state = 'User sleep' AND db = 'fresh'"

@test "migrate: of two processes one waits, names the other, and goes on once that was killed" {
	fresh_database fresh
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	[ "$(sql 'SELECT COUNT(*) FROM fresh.migration_lease')" = 0 ]
	# A statement of the first process that takes very long.
	sql "UPDATE fresh.schema_migrations SET applied_at = NULL WHERE name LIKE '0196%';
		CREATE TRIGGER fresh.slow BEFORE UPDATE ON fresh.schema_migrations FOR EACH ROW DO SLEEP(600)"
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/a" 2>&1 3>&- &
	first=$!
	until [ "$(sql "$sleeping")" ] || ! kill -0 "$first"; do sleep 0.1; done
	run "$ctl" migrate --wait 0 --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" != 0 ]
	[[ "$output" == *"$(hostname), process $first is migrating this database"* ]]
	# The first process renews its lease meanwhile.
	before=$(sql 'SELECT UNIX_TIMESTAMP(expires_at) FROM fresh.migration_lease')
	for _ in $(seq 100); do
		[ "$(sql 'SELECT UNIX_TIMESTAMP(expires_at) FROM fresh.migration_lease')" = "$before" ] || break
		sleep 0.1
	done
	[ "$(sql 'SELECT UNIX_TIMESTAMP(expires_at) FROM fresh.migration_lease')" -gt "$before" ]
	"$ctl" migrate --wait 60 --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/b" 2>&1 3>&- &
	second=$!
	soon grep -q "^Waiting: .*, process $first " "$BATS_TEST_TMPDIR/b"
	kill -9 "$first"
	sql "KILL $(sql "$sleeping"); DROP TRIGGER fresh.slow"
	wait "$second"
	grep -q '^0196' "$BATS_TEST_TMPDIR/b"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	[ "$(sql 'SELECT COUNT(*) FROM fresh.migration_lease')" = 0 ]
	sql 'DROP DATABASE fresh'
}

@test "migrate goes on where it was interrupted in the schema, and not in that of another version" {
	fresh_database fresh
	# Each table in turn is the first that an interrupted run has not made, and so is each row.
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	whole=$(tables_of fresh)
	# Without foreign keys, which would keep the tables from being dropped one by one.
	mapfile -t names < <(sed -nE 's/^CREATE TABLE ([a-z_]+) \($/\1/p' "$TOP/sql/schema.sql" | tac)
	# Tables, columns and keys of later migrations are not there before the schema is whole.
	later=$(for file in "$TOP"/sql/migrations/*.sql; do
		grep -q "'${file##*/}'" "$TOP/sql/schema.sql" ||
			sed -nE 's/^CREATE TABLE ([a-z_]+) .*/DROP TABLE IF EXISTS fresh.\1;/p
				s/^ALTER TABLE ([a-z_]+) ADD COLUMN ([a-z_]+) .*/ALTER TABLE fresh.\1 DROP COLUMN \2;/p
				s/^ALTER TABLE ([a-z_]+) ADD KEY ([a-z_]+) .*/ALTER TABLE fresh.\1 DROP KEY \2;/p
				s/^ALTER TABLE ([a-z_]+) DROP KEY ([a-z_]+)$/ALTER TABLE fresh.\1 ADD KEY \2 (id);/p' "$file"
	done | awk '/^DROP/ { gone[substr($5, 1, length($5) - 1)] } !($3 in gone)')
	for count in 1 7 "$((${#names[@]} - 1))" "${#names[@]}"; do
		for name in "${names[@]:0:count}"; do echo "DROP TABLE IF EXISTS fresh.$name;"; done >"$BATS_TEST_TMPDIR/drops"
		sql "SET foreign_key_checks = 0; $later $(cat "$BATS_TEST_TMPDIR/drops")
			UPDATE fresh.schema_migrations SET applied_at = NULL WHERE name = 'schema.sql';
			DELETE FROM fresh.schema_migrations WHERE name <> 'schema.sql'"
		run "$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
		[ "$status" = 6 ]
		[[ "$output" == *'schema.sql'*'cut off'* ]]
		"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
		"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
		[ "$(tables_of fresh)" = "$whole" ]
		[ "$(sql 'SELECT COUNT(*) FROM fresh.event_horizon, fresh.timeline')" = 1 ]
	done
	sql "UPDATE fresh.schema_migrations SET applied_at = NULL, checksum = REPEAT('0', 64) WHERE name = 'schema.sql'"
	run "$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" = 1 ]
	[[ "$output" == *'another version of Daymark began to make the tables and was interrupted: empty the database'* ]]
	# Of a database with all tables the schema's text may be another: later versions change it.
	sql "UPDATE fresh.schema_migrations SET applied_at = UTC_TIMESTAMP() WHERE name = 'schema.sql'"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	sql 'DROP DATABASE fresh'
}

tables_of() {
	mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" --no-data --skip-comments "$1" |
		sed -E 's/ AUTO_INCREMENT=[0-9]+//' | sort
}

@test "migrate refuses tables of another program, each time, and changes nothing" {
	fresh_database fresh
	sql 'CREATE TABLE fresh.events (name INT); CREATE TABLE fresh.of_a_shop (name INT)'
	for _ in 1 2; do
		run "$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
		[ "$status" != 0 ]
		[[ "$output" == *'the database has a table events that Daymark did not make'* ]]
	done
	# Those of other names may be there.
	sql 'DROP TABLE fresh.events'
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	sql 'DROP DATABASE fresh'
}

@test "migrate refuses tables of before the schema, and names the version that brings them to it" {
	fresh_database fresh
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	now="UTC_TIMESTAMP()" last=0195_status_page_monitors_is_retired_fill.sql
	for rows in "('0001_accounts.sql', '', $now, $now)" "('0001_accounts.sql', '', $now, $now), ('$last', '', $now, NULL)"; do
		sql "DELETE FROM fresh.schema_migrations; INSERT INTO fresh.schema_migrations VALUES $rows"
		for how in '' --dry-run; do
			# shellcheck disable=SC2086
			run "$ctl" migrate $how --config "$BATS_TEST_TMPDIR/fresh"
			[ "$status" = 1 ]
			[[ "$output" == *'older than version 0.1: bring them to its start with commit 6f43eb0'* ]]
		done
		run "$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
		[ "$status" = 6 ]
		[[ "$output" == *'schema.sql'*older* ]]
		[ "$(sql 'SELECT COUNT(*) FROM fresh.schema_migrations')" = "$(grep -o "'0" <<<"$rows" | wc -l)" ]
	done
	sql 'DROP DATABASE fresh'
}

@test "migrate stops when another process has taken the lease meanwhile" {
	fresh_database fresh
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	sql "UPDATE fresh.schema_migrations SET applied_at = NULL WHERE name LIKE '0196%' OR name LIKE '0197_status_pages_next%'"
	# As if this process had been suspended while it ran the first of the two.
	sql "CREATE TRIGGER fresh.taken AFTER UPDATE ON fresh.schema_migrations FOR EACH ROW
		UPDATE fresh.migration_lease SET token = 'another', holder = 'another host, process 1'"
	run "$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" != 0 ]
	[[ "$output" == *'0197'*'another process has taken it'* ]]
	[ "$(sql "SELECT applied_at IS NULL FROM fresh.schema_migrations WHERE name LIKE '0197_status_pages_next%'")" = 1 ]
	# An expired lease is taken over at once.
	sql "DROP TRIGGER fresh.taken; UPDATE fresh.migration_lease SET expires_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND"
	"$ctl" migrate --wait 0 --config "$BATS_TEST_TMPDIR/fresh"
	sql 'DROP DATABASE fresh'
}

@test "migrate tries again when the database rolls back a write of its lease" {
	fresh_database fresh
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	sql "UPDATE fresh.schema_migrations SET applied_at = NULL WHERE name LIKE '0196%'"
	# As two processes on two nodes of Galera meet, or as a deadlock: each first write is rolled back.
	# The counts are kept, since their table has no transactions.
	sql "CREATE TABLE fresh.tries (kind CHAR(6) PRIMARY KEY, count INT NOT NULL) ENGINE=Aria TRANSACTIONAL=0"
	for kind in insert update delete; do
		sql "INSERT INTO fresh.tries VALUES ('$kind', 0);
			DELIMITER //
			CREATE TRIGGER fresh.meets_$kind BEFORE $kind ON fresh.migration_lease FOR EACH ROW BEGIN
				UPDATE fresh.tries SET count = count + 1 WHERE kind = '$kind';
				IF (SELECT count FROM fresh.tries WHERE kind = '$kind') < 3 THEN
					SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213; END IF; END //"
	done
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh"
	[ "$(sql "SELECT COUNT(*) FROM fresh.tries WHERE count >= 3")" = 3 ]
	[ "$(sql 'SELECT COUNT(*) FROM fresh.migration_lease')" = 0 ]
	sql 'DROP DATABASE fresh'
}

@test "migrate creates the tables with the configured collation" {
	fresh_database fresh
	sed 's|^\[database\]|&\ncollation = utf8mb4_general_ci|' -i "$BATS_TEST_TMPDIR/fresh"
	"$ctl" migrate --dry-run --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/dry"
	"$ctl" migrate --sql --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/sql"
	for file in dry sql; do
		grep -q 'COLLATE=utf8mb4_general_ci' "$BATS_TEST_TMPDIR/$file"
		refute grep -q utf8mb4_unicode_520_ci "$BATS_TEST_TMPDIR/$file"
	done
	"$ctl" migrate --config "$BATS_TEST_TMPDIR/fresh" >/dev/null
	collations="SELECT GROUP_CONCAT(DISTINCT table_collation) FROM information_schema.tables WHERE table_schema = 'fresh'
		AND table_name <> 'migration_lease'"
	[ "$(sql "$collations")" = utf8mb4_general_ci ]
	"$ctl" check-config --json --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/check" || true
	jq -e '.[] | select(.check == "collation") | .ok and (.warning | not)' "$BATS_TEST_TMPDIR/check"
	# The checksums do not depend on it: the default finds all applied, and warns.
	sed '/^collation/d' -i "$BATS_TEST_TMPDIR/fresh"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/fresh"
	"$ctl" check-config --json --config "$BATS_TEST_TMPDIR/fresh" >"$BATS_TEST_TMPDIR/check" || true
	jq -e '.[] | select(.check == "collation") | .warning and (.detail | test("utf8mb4_general_ci"))' "$BATS_TEST_TMPDIR/check"
	sed "s|^\[database\]|&\ncollation = utf8mb4_general_ci'|" -i "$BATS_TEST_TMPDIR/fresh"
	run "$ctl" migrate --sql --config "$BATS_TEST_TMPDIR/fresh"
	[ "$status" != 0 ]
	[[ "$output" == *'collation must be utf8mb4_unicode_520_ci, '* ]]
	sql 'DROP DATABASE fresh'
}

@test "the service's user may not change tables" {
	password=$(sed -n 's/^password = //p' "$conf")
	run mariadb --no-defaults -udaymark "-p$password" -S "$dir/run/mysql.sock" daymark -e 'DROP TABLE api_keys'
	[ "$status" != 0 ]
	run mariadb --no-defaults -udaymark "-p$password" -S "$dir/run/mysql.sock" daymark -e 'CREATE TABLE x (i INT)'
	[ "$status" != 0 ]
	run mariadb --no-defaults -udaymark "-p$password" -S "$dir/run/mysql.sock" mysql -e 'SELECT * FROM user'
	[ "$status" != 0 ]
	[ "$(stat -c %a "$conf")" = 600 ]
}

@test "accounts, keys and monitors come and go" {
	name="Über $(new_slug)"
	id=$("$ctl" account add "$name" --json | jq .id)
	"$ctl" account list | grep -q "$name"
	monitor=$("$ctl" monitor add ' Wéb ' https://example.org/ --account "$name" --json | jq .id)
	[ "$("$ctl" monitor list --account "$id" --json | jq -r '.[0].name')" = Wéb ]
	"$ctl" monitor rename "$monitor" Site
	[ "$("$ctl" monitor list --account "$id" --json | jq -r '.[0].name')" = Site ]
	new=$("$ctl" key create --account "$id" --label 'for "ci"' --expires 90d 2>/dev/null)
	[[ "$new" =~ ^dm_[A-Za-z0-9_-]{43}$ ]]
	"$ctl" key list --account "$id" | grep -q 'for "ci".*valid.*write'
	refute grep -qF "$new" <<<"$("$ctl" key list --account "$id")"
	[ "$("$ctl" key list --account "$id" --json | jq -r '.[0].label')" = 'for "ci"' ]
	run "$ctl" account remove "$id" </dev/null
	[ "$status" = 5 ]
	[[ "$output" == *"1 key, 1 monitor and 0 status pages"* ]]
	"$ctl" account remove "$id" --yes
	run "$ctl" account remove "$id" --yes
	[ "$status" = 3 ]
}

@test "a command that changes much waits longer for the database than the service does" {
	name="Slow $(new_slug)"
	id=$("$ctl" account add "$name" --json | jq .id)
	sed 's/^\[database\]$/&\ntimeout_s = 1/' "$conf" >"$BATS_TEST_TMPDIR/daymark.conf"
	chmod 600 "$BATS_TEST_TMPDIR/daymark.conf"
	grep -q '^timeout_s = 1$' "$BATS_TEST_TMPDIR/daymark.conf"
	sql "CREATE TRIGGER slow_removal BEFORE DELETE ON accounts FOR EACH ROW SET @slept = IF(OLD.id = $id, SLEEP(2.5), 0)"
	run "$ctl" account remove "$id" --yes --config "$BATS_TEST_TMPDIR/daymark.conf"
	sql "DROP TRIGGER slow_removal"
	echo "$output"
	[ "$status" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM accounts WHERE id = $id")" = 0 ]
}

@test "removing an account takes its pages' files away" {
	id=$("$ctl" account add "Gone $(new_slug)" --json | jq .id)
	key=$("$ctl" key create --account "$id" 2>/dev/null)
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	[ -d "$pages/public/s/$slug" ]
	"$ctl" account remove "$id" --yes
	[ ! -e "$pages/public/s/$slug" ]
	api GET /api/v1/status-pages
	want 401
}

@test "removing a monitor takes it off its pages, and those move on" {
	monitor=$("$ctl" monitor add Gone https://example.org/ --account "$account" --json | jq .id)
	new_page -F "monitor_ids[]=$monitor"
	etag=$(header ETag)
	run "$ctl" monitor remove "$monitor" </dev/null
	[ "$status" = 5 ]
	[[ "$output" == *"from 1 status page."* ]]
	"$ctl" monitor remove "$monitor" --yes
	api GET "/api/v1/status-pages/$page" -H "If-None-Match: $etag"
	want 200 '.data.monitor_ids == []'
	anyone GET /readyz
	want 200 '.oldest_unpublished_s == 0'
}

@test "messages name what is missing and the command that helps" {
	run "$ctl" monitor rename 999999 x
	[ "$output" = 'daymarkctl: there is no monitor 999999; see `daymarkctl monitor list`' ]
	run "$ctl" incident show 999999
	[[ "$output" == *'there is no incident 999999; see `daymarkctl incident list`'* ]]
	run "$ctl" account remove nobody --yes
	[[ "$output" == *'there is no account nobody; see `daymarkctl account list`'* ]]
	run "$ctl" incident resolve --monitor 999999
	[[ "$output" == *'there is no monitor 999999'* ]]
	run "$ctl" monitor remove "$("$ctl" monitor add Short https://example.org/ --account "$account" --json | jq .id)" </dev/null
	[ "$status" = 5 ]
	[[ "$output" == *'Delete monitor '*' (Short)? It will be removed from 0 status pages. Its 0 incidents will be deleted, unless you use --keep-history.'*'not a terminal: use --yes to confirm'* ]]
}

@test "a group alone lists its commands; help is found whichever way it is asked for" {
	run "$ctl" monitor
	[ "$status" = 2 ]
	[[ "$output" == *'monitor add '*'monitor remove '* ]]
	[[ "$output" != *'account add'* ]]
	for ask in 'help' '-h' '--help' 'help monitor' 'monitor -h' 'monitor --help' 'help monitor add' 'monitor add -h'; do
		# shellcheck disable=SC2086
		"$ctl" $ask | grep -q '^Usage: daymarkctl .*$'
	done
	"$ctl" help monitor add | cmp - <("$ctl" monitor add --help)
	run "$ctl" help monitor nothing
	[ "$status" = 2 ]
}

@test "common options may precede the command" {
	"$ctl" --config "$conf" account list | cmp - <("$ctl" account list --config "$conf")
	"$ctl" --json "--config=$conf" --yes key list --account 1 | cmp - <("$ctl" key list --account 1 --json)
	sed 's|^socket = .*|socket = /nonexistent.sock|' "$conf" >"$BATS_TEST_TMPDIR/conf"
	for command in 'account list' check-config 'monitor rename 1 x'; do
		# shellcheck disable=SC2086
		run "$ctl" --config "$BATS_TEST_TMPDIR/conf" $command
		[ "$status" = 69 ]
	done
	run "$ctl" --json --config "$conf" monitor rename 999999 x
	[ "$status" = 3 ]
	[[ "$output" == *'"exit_status": 3'* ]]
	"$ctl" --json help monitor add | cmp - <("$ctl" monitor add --help)
	for wrong in '--config' '--json --config' '--config x nonsense' '--yes' '--bogus monitor list'; do
		# shellcheck disable=SC2086
		run "$ctl" $wrong
		[ "$status" = 2 ]
	done
}

@test "an invalid value is refused by the name of its argument or option" {
	while IFS='|' read -r words message; do
		eval "run \"\$ctl\" $words --account 1"
		[ "$status" = 2 ]
		[ "$output" = "daymarkctl: $message" ] || { echo "$words: $output"; false; }
	done <<-'END'
	monitor add '' https://example.org/|NAME must have 1 to 255 characters
	monitor add x ftp://example.org/|URL must be an absolute http or https URL
	monitor add x https://example.org/ --since 2999-01-01T00:00:00Z|--since must not be in the future
	key create --label ' '|--label must have 1 to 255 characters
	END
	run "$ctl" incident open --monitor 1
	[ "$output" = 'daymarkctl: --cause is required' ]
	run "$ctl" incident open --cause Because
	[ "$output" = 'daymarkctl: --monitor is required' ]
	run "$ctl" incident open --monitor 1 --cause ' '
	[ "$output" = 'daymarkctl: --cause must have 1 to 1,000 characters' ]
	run "$ctl" monitor label 1 nonsense
	[ "$output" = 'daymarkctl: LABEL must be NAME=VALUE, or empty to remove it' ]
	run "$ctl" monitor rename 1 ' '
	[ "$output" = 'daymarkctl: NAME must have 1 to 255 characters' ]
}

@test "wrong usage is JSON with --json" {
	for wrong in nothing 'monitor nothing' monitor '' 'monitor add --bogus' 'monitor rename' 'monitor rename x y' \
		'monitor add' 'monitor add x https://x.example.org/ y'; do
		code=0
		# shellcheck disable=SC2086
		"$ctl" $wrong --json >"$BATS_TEST_TMPDIR/out" 2>/dev/null || code=$?
		[ "$code" = 2 ]
		jq -e '.exit_status == 2 and (.error | length > 0)' "$BATS_TEST_TMPDIR/out"
	done
	"$ctl" account list --js | jq -e 'length > 0'
}

@test "who may not read the configuration is told whom to be" {
	[ "$(id -u)" = 0 ] || skip 'only root can be another user here'
	cp "$conf" "$BATS_TEST_TMPDIR/conf"
	chmod 755 "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" 2>/dev/null || true
	cp "$ctl" /tmp/daymarkctl-$$
	chmod 755 /tmp/daymarkctl-$$
	install -m 600 -o daemon "$conf" /tmp/daymark-conf-$$
	run setpriv --reuid=nobody --clear-groups /tmp/daymarkctl-$$ monitor list --config /tmp/daymark-conf-$$
	rm -f /tmp/daymarkctl-$$ /tmp/daymark-conf-$$
	[ "$status" = 2 ]
	[[ "$output" == *'Permission denied'*'sudo -u daemon daymarkctl'* ]]
}

@test "check-config says what is wrong" {
	"$ctl" check-config
	"$ctl" check-config | grep -E '^ok +time zones'
	TZDIR=/nonexistent "$ctl" check-config | grep -A 1 -E '^warning +time zones ' | grep 'fix: install tzdata'
	sed "s|^dir = .*|dir = /proc/nonexistent|" "$conf" >"$BATS_TEST_TMPDIR/conf"
	run "$ctl" check-config --config "$BATS_TEST_TMPDIR/conf" --json
	[ "$status" = 1 ]
	jq -e '.[] | select(.check == "pages folder") | .ok == false' <<<"$output"
}

# reports CHECK TEXT [ARGUMENT]...: check-config fails, and says that text about the check.
reports() {
	run "$ctl" check-config "${@:3}"
	[ "$status" = 1 ]
	grep -E "^NOT OK +$1 .*$2" <<<"$output" || { echo "$output" && false; }
}

@test "check-config reports a signing key and private files that others can use" {
	new_page -F privacy=1
	"$ctl" page link "$slug" >"$BATS_TEST_TMPDIR/link"
	"$ctl" check-config | grep -E '^ok +private files'
	for file in secret private state; do
		for mode in 4 2 1 40 20 10; do
			before=$(stat -c %a "$dir/pages/$file")
			chmod "$(printf '%o' $((8#$before | 8#$mode)))" "$dir/pages/$file"
			who='other users of this machine'
			[ "$mode" -lt 10 ] || who='the members of its group'
			reports 'private files' "$who may use $dir/pages/$file"
			[[ "$output" == *"fix: chmod go= $dir/pages/$file"* ]]
			chmod "$before" "$dir/pages/$file"
		done
	done
	"$ctl" check-config
}

@test "check-config reports a signing key of another user" {
	[ "$(id -u)" = 0 ] || skip "only root can give a file to another user"
	new_page -F privacy=1
	"$ctl" page link "$slug" >"$BATS_TEST_TMPDIR/link"
	chown nobody "$dir/pages/secret"
	reports 'pages folder' "$dir/pages/secret belongs to another user than the folder"
	chown root "$dir/pages/secret"
	"$ctl" check-config
}

@test "check-config reports a daymark.conf whose group or owner is not the service's" {
	[ "$(id -u)" = 0 ] || skip "only root can give a file to another user"
	cp "$conf" "$BATS_TEST_TMPDIR/daymark.conf"
	chmod 640 "$BATS_TEST_TMPDIR/daymark.conf"
	"$ctl" check-config --config "$BATS_TEST_TMPDIR/daymark.conf"
	chgrp nogroup "$BATS_TEST_TMPDIR/daymark.conf"
	reports daymark.conf 'the group nogroup, which is not the service.s' --config "$BATS_TEST_TMPDIR/daymark.conf"
	chmod 600 "$BATS_TEST_TMPDIR/daymark.conf"
	"$ctl" check-config --config "$BATS_TEST_TMPDIR/daymark.conf"
	chown nobody "$BATS_TEST_TMPDIR/daymark.conf"
	reports daymark.conf 'the user nobody, who is not the service.s' --config "$BATS_TEST_TMPDIR/daymark.conf"
}

@test "check-config reports a daymark.conf that any user can read" {
	cp "$conf" "$BATS_TEST_TMPDIR/conf"
	for mode in 600 640; do
		chmod "$mode" "$BATS_TEST_TMPDIR/conf"
		"$ctl" check-config --config "$BATS_TEST_TMPDIR/conf"
	done
	for mode in 644 604 602; do
		chmod "$mode" "$BATS_TEST_TMPDIR/conf"
		run "$ctl" check-config --config "$BATS_TEST_TMPDIR/conf"
		[ "$status" = 1 ]
		[[ "$output" == *'NOT OK'*'any user can read its passwords'*'fix: chmod o= '* ]]
	done
}
