# What an operator may get wrong: a migration that was forgotten, a wrong login, commands as
# root. Each is named where it is looked for, and breaks nothing.
load lib

setup() {
	setup_of_lib
	. "$TOP/tests/lib/world.bash"
}

teardown() {
	[ -z "${service:-}" ] || { kill "$service" 2>/dev/null && wait "$service" 2>/dev/null; } || true
	worlds_end
	[ -z "${away:-}" ] || rm -rf "$away"
	chmod 0700 "$dir"
}

@test "readyz names the migration that is missing" {
	world lack
	cgi lack GET /readyz
	want 200 '.migrations == "complete"'
	last=$(world_sql lack "SELECT MAX(name) FROM schema_migrations WHERE name < 'schema'")
	world_sql lack "DELETE FROM schema_migrations WHERE name = '$last'"
	cgi lack GET /readyz
	want 503 '.state == "not ready"' '.database == "up"' ".migrations == \"$last is missing\"" \
		'.oldest_unpublished_s == null' '.status == 503'
	grep -q 'level=error event=request .*status=503' "$BATS_TEST_TMPDIR/cgi-log"
	before=$(world_sql lack "SELECT name FROM schema_migrations WHERE name < 'schema' ORDER BY name DESC LIMIT 1")
	world_sql lack "DELETE FROM schema_migrations WHERE name = '$before'"
	cgi lack GET /readyz
	want 503 ".migrations == \"$before and 1 more are missing\""
	world_sql lack "UPDATE schema_migrations SET checksum = REPEAT('0', 64) WHERE name < 'schema' ORDER BY name LIMIT 1"
	cgi lack GET /readyz
	want 503 '.migrations | endswith("was applied with another text")'
}

@test "readyz tells an empty database from one that is down" {
	world_database empty
	cgi empty GET /readyz
	want 503 '.database == "up"' '.migrations | test("^schema.sql (is|and [0-9]+ more are) missing$")'
	sed -i 's/^password =.*/password = wrong/' "$(world_conf empty)"
	cgi empty GET /readyz
	want 503 '.database == "down"' '.migrations == null'
}

@test "the program works with the tables of a newer version, so that an upgrade can be undone" {
	world newer
	# Columns and a table that this version does not know, each table with one.
	for table in $(world_sql newer "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'schema_migrations'"); do
		world_sql newer "ALTER TABLE \`$table\` ADD COLUMN of_the_future VARCHAR(20) NOT NULL DEFAULT 'x' FIRST"
	done
	world_sql newer "CREATE TABLE future (id BIGINT PRIMARY KEY);
		INSERT INTO schema_migrations (name, checksum, begun_at, applied_at) VALUES ('9999_future.sql', REPEAT('0', 64), UTC_TIMESTAMP(), UTC_TIMESTAMP())"
	cgi newer GET /readyz
	want 200 '.migrations == "complete"'
	run "$ctl" migrate --config "$(world_conf newer)"
	[ "$output" = 'The database is up to date.' ]
	cgi newer POST /api/v1/status-pages 'name=Former&slug=former&monitor_ids[]=1'
	want 201 '.data.slug == "former"'
	cgi newer POST /api/v1/incidents 'title=Late&monitor_ids[]=1&body=Wait&impact=partial_outage'
	want 201 '.data.title == "Late"'
	"$ctl" incident open --monitor 1 --cause Because --config "$(world_conf newer)"
	"$ctl" maintenance add Upgrade --monitors 1 --start "$(date -u -d "+1 day" +%FT%TZ)" --end "$(date -u -d "+2 days" +%FT%TZ)" --config "$(world_conf newer)"
	"$ctl" work --once --config "$(world_conf newer)"
	grep -F Late "$(world_pages newer)/public/s/former/index.html"
	"$ctl" monitor remove 1 --yes --config "$(world_conf newer)"
}

# start NAME [COMMAND...]: the service of that world, run by the command; its log is $BATS_TEST_TMPDIR/service-log.
start() {
	local world=$1
	shift
	away=$(mktemp -d /tmp/daymark-operator-XXXXXX)
	sed -i -e "s|^listen = .*|listen = unix:$away/s|" -e '/^listen/a publisher = no' "$(world_conf "$world")"
	"$@" "$programs/daymark" --config "$(world_conf "$world")" 2>"$BATS_TEST_TMPDIR/service-log" 3>&- &
	service=$!
}

said() {
	grep -q "$1" "$BATS_TEST_TMPDIR/service-log"
}

@test "a service that starts with a wrong password says so at once, and again when it reloads" {
	: >"$BATS_TEST_TMPDIR/err"
	world_database wrong
	sed -i 's/^password =.*/password = wrong/' "$(world_conf wrong)"
	start wrong
	soon said 'level=warn event=start .*database cannot be used: .*1045 Access denied'
	# The first line names the version, which a report of a defect needs.
	version=$("$programs/daymark" --version)
	head -1 "$BATS_TEST_TMPDIR/service-log" | grep "event=start .*version ${version##* }, "
	# With the right one it lacks its tables.
	sed -i 's/^password =.*/password =/' "$(world_conf wrong)"
	kill -HUP "$service"
	soon said 'level=warn event=start .*not up to date: schema.sql .*missing: daymarkctl migrate'
	"$ctl" migrate --config "$(world_conf wrong)" >/dev/null
	lines=$(grep -c event=start "$BATS_TEST_TMPDIR/service-log")
	kill -HUP "$service"
	soon said 'event=reload'
	python3 "$TOP/tests/lib/fcgi-get" "$away/s" /readyz | grep '"state":"ready"'
	[ "$(grep -c event=start "$BATS_TEST_TMPDIR/service-log")" = "$lines" ]
}

@test "a reload during the start ends nothing, and takes place" {
	needs strace
	: >"$BATS_TEST_TMPDIR/err"
	world early
	start early strace -D -qq -o /dev/null -e trace=listen -e inject=listen:signal=HUP
	soon said 'event=reload'
	python3 "$TOP/tests/lib/fcgi-get" "$away/s" /readyz | grep '"state":"ready"'
}

@test "where migrate_user cannot log in, the message says what to do" {
	world_database login
	printf '\n[database]\nmigrate_user = daymark_nobody\nmigrate_password = none\n' >>"$(world_conf login)"
	run "$ctl" migrate --config "$(world_conf login)"
	[ "$status" = 69 ]
	[[ "$output" == *"Access denied for user 'daymark_nobody'"* ]]
	[[ "$output" == *'if the database has one user only, remove migrate_user and migrate_password'* ]]
	sed -i '/^migrate_/d' "$(world_conf login)"
	"$ctl" migrate --config "$(world_conf login)"
	# Of another login the advice would be wrong.
	sed -i 's/^password =.*/password = wrong/' "$(world_conf login)"
	run "$ctl" migrate --config "$(world_conf login)"
	[ "$status" = 69 ]
	[[ "$output" == *'Access denied'* ]]
	refute grep -q migrate_user <<<"$output"
}

@test "a base_url that is not set is a warning, and no failure" {
	# Here an ordinary user's nginx needs no group.
	"$ctl" check-config --json | jq -e 'all(.[]; .ok and (.check == "socket" or (.warning | not)))'
	sed '/^base_url/d' "$conf" >"$BATS_TEST_TMPDIR/conf"
	chmod 600 "$BATS_TEST_TMPDIR/conf"
	"$ctl" check-config --config "$BATS_TEST_TMPDIR/conf" | grep '^warning  base_url  *not set'
	"$ctl" check-config --config "$BATS_TEST_TMPDIR/conf" --json |
		jq -e '.[] | select(.check == "base_url") | .ok and .warning'
}

# A world whose pages belong to the user nobody, in a folder that it may enter; in $away.
world_of_nobody() {
	[ "$(id -u)" = 0 ] || skip "only root works as somebody else"
	# The database's socket lies there.
	chmod 0711 "$dir"
	world "$1"
	away=$(mktemp -d /tmp/daymark-operator-XXXXXX)
	chmod 0755 "$away"
	install -d -o nobody -g nogroup "$away/pages"
	sed -i "s|^dir = .*|dir = $away/pages|" "$(world_conf "$1")"
	cp "$(world_conf "$1")" "$away/conf"
	chown root:nogroup "$away/conf"
	chmod 0640 "$away/conf"
	export DAYMARK_CONF=$away/conf
}

@test "what root's commands write into the pages folder belongs to the folder's owner" {
	world_of_nobody root
	world_page root gated 'privacy=1'
	world_page root open
	rm -rf "$away/pages"
	install -d -o nobody -g nogroup "$away/pages"
	"$ctl" publish --all
	link=$("$ctl" page link gated)
	"$ctl" incident open --monitor 1 --cause Timeouts
	"$ctl" check-config
	[ -f "$away/pages/private/gated/gate" ]
	[ -f "$away/pages/public/s/open/index.html" ]
	[ "$(find "$away/pages" ! -user nobody)" = "" ]
	[ "$(find "$away/pages" ! -group nogroup)" = "" ]
	# What they write elsewhere is root's, wherever only root may write.
	install -d -m 0700 "$away/backups"
	"$ctl" backup "$away/backups/daymark.sql"
	[ "$(stat -c '%U %a' "$away/backups/daymark.sql")" = "root 600" ]
	echo '{"monitor_id":1,"cause":"Old","started_at":"2024-02-03T00:00:00Z","ended_at":"2024-02-03T01:00:00Z"}' >"$away/backups/old.jsonl"
	chmod 0600 "$away/backups/old.jsonl"
	"$ctl" incident import "$away/backups/old.jsonl"
	# A folder that is not there yet belongs to whoever has the one around it.
	install -d -o nobody -g nogroup "$away/state"
	sed -i "s|^dir = .*|dir = $away/state/pages|" "$away/conf"
	"$ctl" check-config
	[ "$(find "$away/state" ! -user nobody)" = "" ]
	world_database copy
	sed -i 's/^name = .*/name = daymark_test_copy/' "$away/conf"
	"$ctl" restore "$away/backups/daymark.sql"
	[ -f "$away/state/pages/private/gated/gate" ]
	[ "$(find "$away/state" ! -user nobody)" = "" ]
}

@test "check-config names what another user has left in the pages folder, and a configuration out of reach" {
	world_of_nobody foreign
	world_page foreign gated 'privacy=1'
	chown -R nobody:nogroup "$away/pages"
	"$ctl" check-config
	chown -R root:root "$away/pages/private/gated"
	run "$ctl" check-config
	[ "$status" = 1 ]
	[[ "$output" == *"NOT OK"*"$away/pages/private/gated belongs to another user than the folder"*"fix: chown -R nobody: $away/pages"* ]]
	chown -R nobody: "$away/pages"
	"$ctl" check-config
	chmod 0600 "$away/conf"
	run "$ctl" check-config
	[ "$status" = 1 ]
	[[ "$output" == *"NOT OK"*"nobody cannot read it"* ]]
}

# cgi_as_nobody METHOD PATH [BODY]: the service's user asks.
cgi_as_nobody() {
	cp "$programs/daymark" "$away/daymark"
	programs=$away cgi foreign "$1" "$2" "${3:-}" DAYMARK_CONF="$away/conf" \
		setpriv --reuid nobody --regid nogroup --clear-groups
}

@test "a gate that cannot be opened is 503 and a line in the log, never a page that is not there" {
	world_of_nobody foreign
	world_page foreign gated 'privacy=2&password=open sesame'
	chown -R nobody:nogroup "$away/pages"
	cgi_as_nobody GET /s/gated/
	[ "$status" = 200 ] || show
	"$ctl" page link gated >/dev/null
	cgi_as_nobody GET /s/nothing/
	[ "$status" = 404 ] || show
	for file in private/gated private/gated/gate secret; do
		chown root "$away/pages/$file"
		cgi_as_nobody GET /s/gated/
		[ "$status" = 503 ] || show
		grep 'level=error .*status=503 .*error=.*Permission denied' "$BATS_TEST_TMPDIR/cgi-log"
		refute grep -q 'database' "$answer"
		cgi_as_nobody POST /s/gated 'password=open sesame'
		[ "$status" = 503 ] || show
		chown nobody "$away/pages/$file"
	done
	cgi_as_nobody POST /s/gated 'password=open sesame'
	[ "$status" = 303 ] || show
	# The page itself, behind a gate that opens: the request brings a key of the account.
	chown root "$away/pages/private/gated/index.html"
	cgi_as_nobody GET /s/gated/
	[ "$status" = 503 ] || show
	grep 'level=error .*status=503 .*error=.*index.html: Permission denied' "$BATS_TEST_TMPDIR/cgi-log"
}
