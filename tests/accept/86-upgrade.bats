# An installation of the former version, with its data, is upgraded: every response and every page stays what it was,
# except for what tests/upgrade/differences.sed and redrawn.sed declare.
load lib

set=$TOP/tests/upgrade/0.1-dev.tar.xz

setup() {
	setup_of_lib
	needs faketime xz python3
	. "$TOP/tests/lib/world.bash"
	world=$BATS_TEST_TMPDIR/world
	mkdir "$world"
	tar -C "$world" -xJf "$set"
	conf_of_world
}

teardown() {
	[ -z "${service:-}" ] || { kill "$service" && wait "$service"; } 2>/dev/null || true
	worlds_end
}

# The configuration of the data set, its database in the server of the tests.
conf_of_world() {
	sed -e "s|@dir@/run/mysql.sock|$dir/run/mysql.sock|" -e "s|@dir@|$world|" -e "s|@database@|$(world_name upgraded)|" \
		"$TOP/tests/upgrade/daymark.conf" >"$(world_conf upgraded)"
	chmod 0600 "$(world_conf upgraded)"
	sql "DROP DATABASE IF EXISTS $(world_name upgraded)"
	sql "CREATE DATABASE $(world_name upgraded) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"
	world_name upgraded >"$BATS_TEST_TMPDIR/worlds"
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" "$(world_name upgraded)" <"$world/database.sql"
}

# The second at which the responses were recorded.
then=(env TZ=UTC NO_FAKE_STAT=1 DONT_FAKE_MONOTONIC=1 'FAKETIME=2026-11-20 15:30:00'
	LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1)

then_ctl() {
	"${then[@]}" "$ctl" "$@" --config "$(world_conf upgraded)"
}

start_service() {
	"${then[@]}" "$programs/daymark" --config "$(world_conf upgraded)" >"$world/log" 2>&1 </dev/null 3>&- &
	service=$!
	soon test -S "$world/daymark.sock"
}

@test "after an upgrade with data every response and every page is what it was" {
	mkdir "$world/recorded"
	cp -a "$world/pages" "$world/responses" "$world/recorded"
	then_ctl migrate
	then_ctl migrate --status
	then_ctl publish --all
	start_service
	nothing_has_changed
	then_ctl incident recount --check
	# A client that repeats a request of before the upgrade.
	python3 - "$TOP/tests/upgrade" "$world" <<-'END'
	import json, sys
	sys.path.insert(0, sys.argv[1])
	from client import Client, form
	world = sys.argv[2]
	key = json.load(open(f"{world}/keys.json"))["main"]
	status, head, _ = Client(f"{world}/daymark.sock").send("POST", "/api/v1/monitors", key, form({"name": "Sent twice"}),
	                                                        HTTP_IDEMPOTENCY_KEY="once")
	assert status == 201 and "Idempotent-Replayed: true" in head, head
	END
}

nothing_has_changed() {
	python3 "$TOP/tests/upgrade/ask" "$world/daymark.sock" "$world/keys.json" "$world/responses" >"$world/now"
	python3 "$TOP/tests/upgrade/compare" "$world/recorded" "$world/now" "$world/pages"
}

@test "a backup of the former version is restored, with all that it shows" {
	mkdir "$world/recorded"
	mv "$world/pages" "$world/recorded/pages"
	cp "$world/responses" "$world/recorded"
	{
		echo '-- Daymark backup 1, by 0.1.0, 2026-11-20T15:30:00Z'
		cat "$world/database.sql"
		echo "-- Daymark backup ends, gate key $(od -An -v -tx1 "$world/recorded/pages/secret" | tr -d ' \n')"
	} >"$BATS_TEST_TMPDIR/backup"
	world_sql upgraded "DROP DATABASE $(world_name upgraded); CREATE DATABASE $(world_name upgraded)"
	then_ctl restore "$BATS_TEST_TMPDIR/backup"
	then_ctl migrate --status
	start_service
	nothing_has_changed
}

# structure DATABASE: the columns, indexes, foreign keys and options of its tables, a line for each; not the order of
# columns, which no statement depends on.
structure() {
	sql "SET @of = '$1';
		SELECT table_name, column_name, column_type, is_nullable, column_default, extra, character_set_name, collation_name,
			generation_expression FROM information_schema.columns WHERE table_schema = @of ORDER BY 1, 2;
		SELECT table_name, index_name, non_unique, seq_in_index, column_name, sub_part, index_type, nullable
			FROM information_schema.statistics WHERE table_schema = @of ORDER BY 1, 2, 4;
		SELECT k.table_name, k.constraint_name, k.ordinal_position, k.column_name, k.referenced_table_name,
			k.referenced_column_name, r.update_rule, r.delete_rule FROM information_schema.key_column_usage k
			LEFT JOIN information_schema.referential_constraints r ON r.constraint_schema = k.constraint_schema
				AND r.constraint_name = k.constraint_name WHERE k.table_schema = @of ORDER BY 1, 2, 3;
		SELECT table_name, engine, table_collation, row_format, create_options FROM information_schema.tables
			WHERE table_schema = @of ORDER BY 1;
		SELECT table_name, COUNT(partition_name) FROM information_schema.partitions WHERE table_schema = @of GROUP BY 1"
}

@test "the schema makes the tables that the migrations make of the former version's" {
	then_ctl migrate
	structure "$(world_name upgraded)" >"$BATS_TEST_TMPDIR/migrated"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/migrated")" -gt 300 ]
	world_database fresh
	"$ctl" migrate --config "$(world_conf fresh)"
	structure "$(world_name fresh)" | diff "$BATS_TEST_TMPDIR/migrated" -
	# Both know the same migrations, however each database came to them.
	recorded="SELECT name, checksum FROM schema_migrations WHERE name BETWEEN '0196' AND 's' ORDER BY name"
	diff <(world_sql upgraded "$recorded") <(world_sql fresh "$recorded")
	"$TOP/tools/schema" --check
}

@test "an interrupted upgrade goes on where it was" {
	then_ctl migrate
	structure "$(world_name upgraded)" >"$BATS_TEST_TMPDIR/migrated"
	mapfile -t names < <(world_sql upgraded "SELECT name FROM schema_migrations WHERE name BETWEEN '0196' AND 's' ORDER BY name")
	for name in "${names[@]}"; do
		# As a kill -9 after the statement, and before its note: each ALTER is done already. Rows change only once.
		[[ $name != *delete* ]] || continue
		world_sql upgraded "UPDATE schema_migrations SET applied_at = NULL WHERE name = '$name'"
		then_ctl migrate
	done
	then_ctl migrate --status
	structure "$(world_name upgraded)" | diff "$BATS_TEST_TMPDIR/migrated" -
}
