# For the files of tests about the publisher, the process that publishes what requests leave unpublished:
# a service of the file's own, whose processes may be killed.
# shellcheck shell=bash

setup_file() {
	publisher_service_start
}

publisher_service_start() {
	own_unlimited_service_start <<-'END'
		[pages]
		publish_in_request_pages = 10
		; The number is the bound, however slow the machine is.
		publish_in_request_ms = 60000
		; The largest page is read by several statements, on a machine that runs other tests.
		[database]
		timeout_s = 30
		[server]
		processes = 2
		threads = 2
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
}

teardown() {
	[ -z "${follower:-}" ] || kill "$follower" 2>/dev/null || true
}

publisher() {
	pgrep -P "$parent" -x daymark-publish
}

nothing_is_due() {
	says 'SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL' 0
}

digits="(SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
numbers="(SELECT a.i + 10 * b.i + 100 * c.i + 1000 * d.i AS n FROM $digits a, $digits b, $digits c, $digits d) numbers"

# many_pages COUNT MONITOR PREFIX: pages of the account that show the monitor, all due.
many_pages() {
	sql "INSERT INTO status_pages (account_id, name, slug, created_at, updated_at)
		SELECT $account, CONCAT('Many ', n), CONCAT('$3-', n), UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM $numbers WHERE n < $1"
	sql "INSERT IGNORE INTO page_revisions (page_id, account_id, changed_at, unpublished_since)
		SELECT id, account_id, UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM status_pages WHERE slug LIKE '$3-%'"
	sql "INSERT INTO status_page_monitors (status_page_id, position, monitor_id)
		SELECT id, 0, $2 FROM status_pages WHERE slug LIKE '$3-%'"
}

# Whether every page with the prefix shows the text, and is marked as published.
all_say() {
	local prefix=$1 text=$2 count=$3
	[ "$(grep -lF -- "$text" "$pages"/public/s/"$prefix"-*/index.html | wc -l)" = "$count" ] && nothing_is_due
}

start_daymark() {
	(
		top=$TOP
		. "$TOP/tools/lib/common.sh"
		. "$TOP/tools/lib/service.sh"
		service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" 3>&-
	)
	parent=$(cat "$dir/run/daymark.pid")
}
