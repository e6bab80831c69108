# An installation of the former version, with its data, is upgraded: every response and every page stays what it was,
# except for what tests/upgrade/differences.sed declares.
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
	python3 "$TOP/tests/upgrade/ask" "$world/daymark.sock" "$world/keys.json" "$world/responses" >"$world/now"
	python3 "$TOP/tests/upgrade/compare" "$world/recorded" "$world/now" "$world/pages"
	then_ctl incident recount --check
}
