# One command takes a backup, one brings it back on an empty machine.
load lib

list=/api/v1/status-pages

teardown() {
	[ ! -d "$BATS_TEST_TMPDIR/own" ] || "$TOP/tools/quickstart" --stop --dir "$BATS_TEST_TMPDIR/own"
}

# Another machine, with a database that has nothing and no page on disk. Its pages say that
# they are at the first one's address.
empty_machine() {
	own=$BATS_TEST_TMPDIR/own
	service_in "$own" --extra "$TOP/tests/lib/unlimited.conf"
	mariadb --no-defaults -uroot -S "$own/run/mysql.sock" \
		-e 'DROP DATABASE daymark; CREATE DATABASE daymark CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'
	find "$own/pages" -mindepth 1 -delete
	sed -i "s|^base_url = .*|base_url = $base|" "$own/conf/daymark.conf"
	kill -HUP "$(cat "$own/run/daymark.pid")"
	there=$(jq -r .base_url "$own/quickstart.json")
}

# What everybody sees and may do, as one text; times of publishing left out.
everything() {
	local file
	for file in "$list?per_page=100" "$list/$page" "$list/$private" "/api/v1/incidents?per_page=100"; do
		curl -sS -g -H "Authorization: Bearer $key" "$1$file" | jq -S 'del(.data.duration?) | del(.data[]?.duration?)'
	done
	for file in "$here/" "$here/feed.atom" "$here/summary.json" "$here/$logo" "$here/2024-02.html"; do
		# A file that is written twice in a second has further empty lines.
		curl -sS "$1$file" | sed -E '/^$/d; s|<p class="asof".*||; s|"updated_at": ?"[^"]*"||g' | sed '$a\' | sha256sum | sed "s|-|${file##*/}|"
	done
	curl -sS -o /dev/null -w '%{http_code} %{redirect_url}\n' "$1$(path_of "$link")" | sed "s|$1||"
	curl -sS -H "Host: $domain" "$1/" | grep -c '</html>'
	curl -sS -H "Authorization: Bearer $other_key" "$1$list" | jq .meta.total
}

@test "dump, restore on an empty machine: everything is as it was" {
	domain=$(new_slug).example.com
	page_with_monitor -F "logo=@$TOP/docs/logo.png" -F "domain=$domain"
	# Of a monitor that is seconds old there would be no data first, and then some.
	sql "UPDATE monitors SET created_at = created_at - INTERVAL 1 DAY WHERE id = $monitor"
	public=$page shown=$here
	logo=$(jq -r .data.logo_url "$answer") logo=${logo##*/}
	# What lasts makes the bars of two machines differ by seconds: this one does not.
	at=$(date -u +%FT%TZ)
	incident=$("$ctl" incident open --monitor "$monitor" --started-at "$at" --cause $'Back\\slash, \'quotes\', emoji 🔥\nand lines' --json | jq .id)
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1 -d comment=Working
	"$ctl" incident resolve "$incident" --at "$at"
	printf 'monitor_id,cause,started_at,ended_at\n%s,Long ago,2024-02-03T00:00:00Z,2024-02-03T01:00:00Z\n' "$monitor" | import_lines
	new_page -F privacy=1
	private=$page page=$public
	link=$("$ctl" page link "$slug")
	here=$shown
	"$ctl" publish --all
	file=$BATS_TEST_TMPDIR/backup.sql
	"$ctl" backup "$file"
	[ "$(stat -c %a "$file")" = 600 ]
	empty_machine
	"$ctl" restore "$file" --config "$own/conf/daymark.conf" | grep 'All data are restored'
	everything "$base" >"$BATS_TEST_TMPDIR/here"
	everything "$there" >"$BATS_TEST_TMPDIR/there"
	diff "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/there"
	grep -q '^303 ' "$BATS_TEST_TMPDIR/there"
	"$ctl" incident show "$incident" --config "$own/conf/daymark.conf" --json >"$BATS_TEST_TMPDIR/incident"
	cmp "$BATS_TEST_TMPDIR/incident" <("$ctl" incident show "$incident" --json)
	# And it goes on there.
	base=$there api PUT "/api/v1/incidents/$incident" -d comment=Moved
	want 200
	base=$there see ''
	shows Moved
	"$ctl" migrate --status --config "$own/conf/daymark.conf"
	"$ctl" incident recount --check --config "$own/conf/daymark.conf"
}

@test "what is no whole backup, and a database that has something, are refused" {
	file=$BATS_TEST_TMPDIR/backup.sql
	[ "$("$ctl" backup "$file" --json | jq .bytes)" = "$(stat -c %s "$file")" ]
	run "$ctl" restore "$file"
	[ "$status" = 4 ]
	[[ "$output" == *'already has tables'* ]]
	head -c -20 "$file" >"$BATS_TEST_TMPDIR/cut"
	: >"$BATS_TEST_TMPDIR/none"
	for name in cut none; do
		run "$ctl" restore "$BATS_TEST_TMPDIR/$name"
		[ "$status" = 2 ]
		[[ "$output" == *'not a complete backup'* ]]
	done
	run "$ctl" restore "$BATS_TEST_TMPDIR/nothing"
	[ "$status" = 1 ]
}

@test "a backup is readable by its owner only, whatever lies in its way" {
	cd "$BATS_TEST_TMPDIR"
	umask 000
	# The name that was used while writing, as another user may leave it in a shared folder.
	: >backup.sql.new
	chmod 0666 backup.sql.new
	: >elsewhere
	ln -s elsewhere link.sql.new
	ln -s elsewhere link.sql
	for file in backup.sql link.sql; do
		"$ctl" backup "$file"
		[ ! -L "$file" ]
		[ "$(stat -c %a "$file")" = 600 ]
		tail -n 1 "$file" | grep -q '^-- Daymark backup ends'
	done
	[ ! -s elsewhere ]
	[ ! -s backup.sql.new ]
	[ "$(ls | grep -c '\.sql\.......$')" = 0 ]
}

@test "a backup that fails leaves the former one" {
	file=$BATS_TEST_TMPDIR/backup.sql
	"$ctl" backup "$file"
	before=$(sha256sum <"$file")
	sed 's|^migrate_password = .*|migrate_password = wrong\\"|' "$conf" >"$BATS_TEST_TMPDIR/conf"
	run "$ctl" backup "$file" --config "$BATS_TEST_TMPDIR/conf"
	[ "$status" = 1 ]
	[ "$(sha256sum <"$file")" = "$before" ]
	[ "$(ls "$file"*)" = "$file" ]
	"$ctl" backup - | tail -n 1 | grep -q '^-- Daymark backup ends'
}

@test "passwords with quotes and backslashes reach MySQL's own programs, and no list of processes" {
	password='a\b"c#d'"'"
	sql "CREATE USER IF NOT EXISTS 'odd'@'localhost'; ALTER USER 'odd'@'localhost' IDENTIFIED BY '$(sed "s|[\\\\']|\\\\&|g" <<<"$password")'; GRANT ALL ON daymark.* TO 'odd'@'localhost'"
	sed -e '/^migrate_/d' -e 's|^user = .*|user = odd|' "$conf" |
		awk -v line="password = $(sed 's|\\|\\\\|g' <<<"$password")" '/^password = / { print line; next } { print }' >"$BATS_TEST_TMPDIR/conf"
	# What stands in for the program shows how it was called.
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho "$@" >%s/called\nexec %s "$@"\n' "$BATS_TEST_TMPDIR" "$(command -v mariadb-dump)" >"$BATS_TEST_TMPDIR/bin/mariadb-dump"
	chmod +x "$BATS_TEST_TMPDIR/bin/mariadb-dump"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH "$ctl" backup "$BATS_TEST_TMPDIR/backup" --config "$BATS_TEST_TMPDIR/conf"
	grep -q 'single-transaction' "$BATS_TEST_TMPDIR/called"
	refute grep -qF 'c#d' "$BATS_TEST_TMPDIR/called"
	sql "DROP USER 'odd'@'localhost'"
}

@test "the one SQL file makes the same tables as the migrations, and says that they are applied" {
	"$ctl" migrate --sql >"$BATS_TEST_TMPDIR/daymark.sql"
	sql 'CREATE DATABASE imported CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" imported <"$BATS_TEST_TMPDIR/daymark.sql"
	tables() {
		mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" --no-data --skip-comments "$1" |
			sed -E 's/ AUTO_INCREMENT=[0-9]+//'
	}
	diff <(tables daymark) <(tables imported)
	diff <(sql 'SELECT name, checksum FROM schema_migrations ORDER BY name') \
		<(sql 'SELECT name, checksum FROM imported.schema_migrations ORDER BY name')
	sed -e 's|^name = daymark|name = imported|' -e 's|^user = .*|user = root|' -e 's|^password = .*|password =|' \
		-e '/^migrate_/d' "$conf" >"$BATS_TEST_TMPDIR/conf"
	"$ctl" migrate --status --config "$BATS_TEST_TMPDIR/conf"
	sql 'DROP DATABASE imported'
	# The installed one is this one.
	built=${DAYMARK_BUILD:-$TOP/build}/sql/daymark.sql
	cmp "$built" "$BATS_TEST_TMPDIR/daymark.sql"
}
