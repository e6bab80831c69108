# The steps of docs/MIRRORS.md by which a mirror becomes the origin, and the old origin a mirror.
load lib

MIRROR_KEY=this-is-the-key-of-the-mirror-of-tests

setup_file() {
	local base
	export MIRROR_KEY PARIS=$BATS_FILE_TMPDIR/paris ROME=$BATS_FILE_TMPDIR/rome PARIS_PORT ROME_PORT
	PARIS_PORT=$(own_port)
	ROME_PORT=$(own_port)
	own_unlimited_service_start <<-END
		[mirrors]
		mirror = http://127.0.0.1:$PARIS_PORT name=paris key=$MIRROR_KEY
		mirror = http://127.0.0.1:$ROME_PORT name=rome key=$MIRROR_KEY
	END
	base=$(jq -r .base_url "$BATS_FILE_TMPDIR/own/quickstart.json")
	mirror_host_start "$PARIS" "$PARIS_PORT" "$base"
	mirror_host_start "$ROME" "$ROME_PORT" "$base"
}

teardown_file() {
	with_service service_stop "$PARIS" >&2
	with_service service_stop "$ROME" >&2
	own_service_stop
}

setup() {
	own_service
}

stop_daymark() {
	with_service stop_process "$1/run/daymark.pid" "$1" TERM
	rm -f "$1/run/daymark.sock"
}

start_daymark() {
	with_service service_start_daymark "$1" "${DAYMARK_BUILD:-$TOP/build}" >&2
}

# on PORT PATH [CURL ARGUMENT]...: the status of a visitor's request by the installation's name.
on() {
	curl -sS -o /dev/null -w '%{http_code}' -H "Host: ${base#http://}" "http://127.0.0.1:$1$2" "${@:3}"
}

public_tree() {
	(cd "$1/public/s" && find . -name index.html -exec sha256sum {} + | sort)
}

@test "a mirror becomes the origin, and the old origin returns as its mirror" {
	local file=$BATS_TEST_TMPDIR/backup.sql link private new service
	new_page -F privacy=1
	private=$slug
	link=$(path_of "$("$ctl" page link "$private")")
	page_with_monitor
	"$ctl" mirror push --wait >&2
	[ "$(on "$PARIS_PORT" "$link")" = 303 ]
	"$ctl" backup "$file" >&2
	stop_daymark "$dir"

	# Promotion, 1: the origin's configuration with this machine's paths, database and mirrors.
	new=$PARIS/conf/daymark.conf
	cp -p "$new" "$BATS_TEST_TMPDIR/mirror.conf"
	stop_daymark "$PARIS"
	sed -e "s|$pages|$PARIS/pages|; s|$dir/run/|$PARIS/run/|; s|$dir/log/|$PARIS/log/|; /name=paris/d" "$conf" >"$new"
	# Visitors have the pages meanwhile.
	[ "$(on "$PARIS_PORT" "/s/$slug/")" = 200 ]
	# 2: OPERATING 2 without migrate.
	with_service service_start_mysql "$PARIS"
	service=$(sed -n 's/^ *password *= *//p' "$new" | head -n 1)
	sed -e "s/service-password/$service/; s/migrate-password/$(sed -n 's/^ *migrate_password *= *//p' "$new")/" \
		"$TOP/sql/grants.sql" | mariadb --no-defaults -uroot -S "$PARIS/run/mysql.sock"
	# 3.
	start_daymark "$PARIS"
	"$ctl" restore "$file" --config "$new"
	[ "$(on "$PARIS_PORT" "/s/$slug/")" = 200 ]
	"$ctl" mirror take-over --wait --config "$new"
	"$ctl" mirror status --config "$new"
	[ "$(on "$PARIS_PORT" "$link")" = 303 ]
	[ "$(on "$ROME_PORT" "$link")" = 303 ]
	# 4: the names lead here. What is written here is on the other mirror.
	[ "$(on "$PARIS_PORT" "/api/v1/status-pages/$page" -X PUT -H "Authorization: Bearer $key" -d name=Promoted)" = 200 ]
	"$ctl" publish --wait --config "$new"
	grep -q Promoted "$ROME/pages/public/s/$slug/index.html"

	# The old origin starts again: it is refused.
	start_daymark "$dir"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	refused() { "$ctl" mirror status --json | jq -e '.[] | select(.name == "rome") | .needs == "another origin feeds this mirror"'; }
	soon refused
	grep -q Promoted "$ROME/pages/public/s/$slug/index.html"
	[ "$(on "$PARIS_PORT" "/s/$slug/")" = 200 ]

	# Return, 1.
	stop_daymark "$dir"
	mv "$pages" "$pages.before"
	with_service stop_process "$dir/run/mysql.pid" "$dir" TERM
	# 2.
	sed "s|$PARIS/|$dir/|" "$BATS_TEST_TMPDIR/mirror.conf" >"$conf"
	start_daymark "$dir"
	# 3.
	sed -i "s|^mirror = .*|&\nmirror = $base name=old key=$MIRROR_KEY|" "$new"
	kill -HUP "$(cat "$PARIS/run/daymark.pid")"
	has_old() { "$ctl" mirror status --config "$new" --json | jq -e 'any(.[]; .name == "old" and .complete)'; }
	soon has_old
	"$ctl" mirror push --wait --config "$new"
	[ "$(public_tree "$pages")" = "$(public_tree "$PARIS/pages")" ]
	[ "$(public_tree "$ROME/pages")" = "$(public_tree "$PARIS/pages")" ]
	anyone GET "$link"
	[ "$status" = 303 ]
	anyone GET /readyz
	want 200 '.role == "mirror"' .complete
}
