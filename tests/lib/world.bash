# A world is another installation in the MariaDB server of the running service: it has its own
# database, pages folder and configuration. The program serves its requests as plain CGI, so that
# a test can run it under strace and the like.
# shellcheck shell=bash

programs=${DAYMARK_BUILD:-$TOP/build}

# world NAME: creates a world with an account, its key in $world_key, and monitor 1.
world() {
	world_database "$1"
	"$ctl" migrate --config "$(world_conf "$1")" >/dev/null
	"$ctl" account add "World $1" --config "$(world_conf "$1")" >/dev/null
	world_key=$("$ctl" key create --config "$(world_conf "$1")" --json | jq -r .key)
	"$ctl" monitor add Website https://example.org/ --config "$(world_conf "$1")" >/dev/null
}

# world_database NAME: creates the configuration and a database without tables.
world_database() {
	local database
	database=$(world_name "$1")
	sql "DROP DATABASE IF EXISTS $database; CREATE DATABASE $database CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"
	sed -e "s|^name = daymark|name = $database|" -e 's|^user = .*|user = root|' -e 's|^password = .*|password =|' \
		-e '/^migrate_/d' -e '/^log_file/d' -e "s|^dir = .*|dir = $(world_pages "$1")|" "$conf" >"$(world_conf "$1")"
	echo "$database" >>"$BATS_TEST_TMPDIR/worlds"
}

# world_disk NAME OTHER: creates a second machine of NAME: the same database, another pages folder.
world_disk() {
	sed "s|^dir = .*|dir = $(world_pages "$2")|" "$(world_conf "$1")" >"$(world_conf "$2")"
}

# world_copy NAME OTHER: replaces the database of OTHER by a copy of NAME's database.
world_copy() {
	local to
	to=$(world_name "$2")
	sql "DROP DATABASE IF EXISTS $to; CREATE DATABASE $to CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"
	mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" "$(world_name "$1")" |
		mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" "$to"
	echo "$to" >>"$BATS_TEST_TMPDIR/worlds"
}

world_name() {
	echo "daymark_test_$1"
}

world_conf() {
	echo "$BATS_TEST_TMPDIR/$1.conf"
}

world_pages() {
	echo "$BATS_TEST_TMPDIR/$1-pages"
}

world_sql() {
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B "$(world_name "$1")" -e "$2"
}

worlds_end() {
	local database
	[ ! -e "$BATS_TEST_TMPDIR/worlds" ] || while read -r database; do
		sql "DROP DATABASE IF EXISTS $database"
	done < <(sort -u "$BATS_TEST_TMPDIR/worlds")
}

# cgi NAME METHOD PATH [BODY] [PROGRAM]...: one request; PROGRAM, such as strace, starts the
# service. Sets $status, $answer and $headers.
cgi() {
	local name=$1 method=$2 path=$3 body=${4:-}
	shift 3
	[ $# = 0 ] || shift
	headers=$BATS_TEST_TMPDIR/headers
	printf '%s' "$body" >"$BATS_TEST_TMPDIR/body"
	env -i PATH="$PATH" DAYMARK_CONF="$(world_conf "$name")" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD="$method" \
		REQUEST_URI="$path" HTTP_HOST=localhost REMOTE_ADDR=127.0.0.1 HTTP_AUTHORIZATION="Bearer $world_key" \
		CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH="${#body}" \
		"$@" "$programs/daymark" <"$BATS_TEST_TMPDIR/body" >"$BATS_TEST_TMPDIR/cgi" 2>"$BATS_TEST_TMPDIR/cgi-log" || true
	tr -d '\r' <"$BATS_TEST_TMPDIR/cgi" | sed '/^$/,$d' >"$headers"
	tr -d '\r' <"$BATS_TEST_TMPDIR/cgi" | sed '1,/^$/d' >"$answer"
	status=$(sed -n 's/^Status: \([0-9]*\).*/\1/p' "$headers")
}

# world_page NAME SLUG [FIELDS]: creates a page; sets $page.
world_page() {
	cgi "$1" POST /api/v1/status-pages "name=Test&slug=$2&monitor_ids[]=1${3:+&$3}"
	[ "$status" = 201 ] || show
	page=$(jq .data.id "$answer")
}

# follow NAME: starts daymarkctl publish --follow in the background; sets $follower to its pid.
follow() {
	"$ctl" publish --follow --config "$(world_conf "$1")" \
		>>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	follower=$!
}

follow_end() {
	[ -z "${follower:-}" ] || kill "$follower" 2>/dev/null || return 0
	wait "$follower" 2>/dev/null || true
	follower=
}

# rounds NAME [COUNT]: waits until the follower of this disk has ended COUNT more rounds (2).
rounds() {
	local n before
	for n in $(seq "${2:-2}"); do
		before=$(checked "$1")
		soon has_checked_again "$1" "$before"
	done
}

# Prints when the disk was last compared with the database.
checked() {
	stat -c %y "$(world_pages "$1")/checked" 2>/dev/null || echo never
}

has_checked_again() {
	[ "$(checked "$1")" != "$2" ]
}
