# What a request leaves unpublished, and the process that publishes it: a service of its own,
# whose processes may be killed.
load lib

setup_file() {
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

# long_incidents COUNT MONITOR: incidents of the last days, each with a comment of 40,000 bytes.
long_incidents() {
	sql "INSERT INTO incidents (account_id, monitor_id, cause, comment, started_at, ended_at, created_at, updated_at)
		SELECT $account, $2, CONCAT('Long ', n), CONCAT('$2 ', n, REPEAT(' word', 7990), ' end'), UTC_TIMESTAMP() - INTERVAL n * 2 MINUTE, UTC_TIMESTAMP() - INTERVAL n * 2 - 1 MINUTE, UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM $numbers WHERE n > 0 AND n <= $1"
	sql "INSERT INTO incident_months (monitor_id, month, revision)
		SELECT monitor_id, DATE_FORMAT(started_at, '%Y-%m-01'), COUNT(*) FROM incidents WHERE monitor_id = $2 GROUP BY 1, 2
		ON DUPLICATE KEY UPDATE revision = incident_months.revision + VALUES(revision)"
	"$ctl" incident recount >/dev/null
}

# Every page of a prefix says it, and is marked as published.
all_say() {
	local prefix=$1 text=$2 count=$3
	[ "$(grep -lF -- "$text" "$pages"/public/s/"$prefix"-*/index.html | wc -l)" = "$count" ] && nothing_is_due
}

deaths() {
	grep -acE 'event=died|ended: (signal|status)' "$log" || true
}

@test "a monitor on many pages: the response is pending, and all pages follow at once" {
	new_monitor
	prefix=$(new_slug)
	many_pages 200 "$monitor" "$prefix"
	soon all_say "$prefix" 'All systems operational' 200
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'title=On all of them'
	want 200 '.data.outcome == "opened"'
	[ "$(header X-Daymark-Published)" = pending ]
	soon all_say "$prefix" 'On all of them' 200
	# What fits is published before the response, without a header.
	new_page -F "monitor_ids[]=$monitor"
	[ -z "$(header X-Daymark-Published)" ]
	grep -q 'On all of them' "$pages/public/s/$slug/index.html"
	# So is the page that a request is about, whatever else is due.
	sql "UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP() WHERE page_id IN (SELECT id FROM status_pages WHERE slug LIKE '$prefix-%')"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	want 200
	[ -z "$(header X-Daymark-Published)" ]
	[ ! -e "$pages/public/s/$slug" ]
	soon nothing_is_due
}

@test "the bound is that of a request, not of each monitor in it" {
	labels='' prefixes=''
	for i in 1 2 3; do
		new_monitor
		prefix=$(new_slug)
		many_pages 8 "$monitor" "$prefix"
		prefixes+=" $prefix"
		labels+=",{\"status\":\"firing\",\"labels\":{\"daymark_monitor\":\"$monitor\"},\"annotations\":{\"title\":\"Alert of three\"},\"startsAt\":\"$(date -u +%FT%TZ)\"}"
	done
	soon nothing_is_due
	# Only what the request publishes by itself.
	stop_publisher "$(publisher)"
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data "{\"version\":\"4\",\"alerts\":[${labels#,}]}"
	done_at_once=$(sql 'SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL')
	kill -CONT "$(publisher)"
	want 200
	[ "$(header X-Daymark-Published)" = pending ]
	[ "$done_at_once" = 14 ] || { echo "$done_at_once are due"; false; }
	for prefix in $prefixes; do soon all_say "$prefix" 'Alert of three' 8; done
}

@test "many pages with long comments end no process, and hold up nobody" {
	new_monitor
	shown=$monitor prefix=$(new_slug)
	long_incidents 40 "$shown"
	many_pages 90 "$shown" "$prefix"
	soon nothing_is_due
	before=$(deaths)
	for state in down up down; do
		api POST /hooks/generic -d "monitor=$shown" -d "state=$state" -d 'title=A small report'
		want 200
		other GET /api/v1/status-pages
		want 200
	done
	soon all_say "$prefix" 'A small report' 90
	[ "$(deaths)" = "$before" ]
	refute grep -q 'arena' "$log"
	# What is shown is whole.
	grep -q 'word end' "$pages/public/s/$prefix-1/index.html"
	[ "$(grep -o 'class="comment"' "$pages/public/s/$prefix-1/$(date -u +%Y-%m).html" | wc -l)" -gt 5 ]
	kill -0 "$parent"
}

@test "a page of 7,000 long incidents is published, and its neighbours with it, by every way" {
	page_with_monitor
	heavy=$slug
	long_incidents 7000 "$monitor"
	page_with_monitor
	due="UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP(), revision = revision + 1, changed_at = UTC_TIMESTAMP() WHERE page_id IN (SELECT id FROM status_pages WHERE slug IN ('$heavy', '$slug'))"
	sql "$due"
	soon nothing_is_due
	"$ctl" publish --all
	grep -q 'word end' "$pages/public/s/$heavy/index.html"
	# A day shows ten, and says how many more there are.
	grep -qE '[0-9]+ more</a>' "$pages/public/s/$heavy/index.html"
	# A month shows as many as a browser can bear, and counts the rest.
	grep -qhE 'And [0-9]+ before these' "$pages/public/s/$heavy/"20*-*.html
	[ "$(stat -c %s "$pages/public/s/$heavy/index.html")" -lt 12000000 ]
	sql "$due"
	"$ctl" publish
	mkdir -m 0777 "$BATS_TEST_TMPDIR/second"
	sed "s|^dir = .*|dir = $BATS_TEST_TMPDIR/second/pages|" "$conf" >"$BATS_TEST_TMPDIR/second.conf"
	"$ctl" publish --follow --config "$BATS_TEST_TMPDIR/second.conf" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	follower=$!
	soon grep -qx "$heavy" "$BATS_TEST_TMPDIR/out"
	soon grep -qx "$slug" "$BATS_TEST_TMPDIR/out"
	kill -0 "$follower"
	refute grep -q 'arena' "$log" "$BATS_TEST_TMPDIR/out"
}

# has_tried SLUG COUNT: so many more attempts at a page whose folder cannot be opened.
has_tried() {
	[ "$(grep -c "\"$1\".*ENOTDIR" "$BATS_TEST_TMPDIR/tries")" -ge "$2" ]
}

@test "a page that fails delays no other, is told once, and is published once it can be" {
	needs strace
	new_monitor
	prefix=$(new_slug)
	many_pages 3 "$monitor" "$prefix"
	soon all_say "$prefix" 'All systems operational' 3
	# A file stands where the first page's folder has to be.
	rm -r "$pages/public/s/$prefix-0"
	touch "$pages/public/s/$prefix-0"
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'title=Not on the first'
	want 200
	[ "$(header X-Daymark-Published)" = no ]
	grep -q 'Not on the first' "$pages/public/s/$prefix-1/index.html"
	grep -q 'Not on the first' "$pages/public/s/$prefix-2/index.html"
	soon grep -aq "page $prefix-0 is not published yet" "$log"
	strace -qq -f -e trace=openat -o "$BATS_TEST_TMPDIR/tries" -p "$(publisher)" 3>&- &
	tracer=$!
	soon has_tried "$prefix-0" 2
	kill "$tracer"
	[ "$(grep -ac "page $prefix-0 is not published yet" "$log")" = 1 ]
	rm "$pages/public/s/$prefix-0"
	soon all_say "$prefix" 'Not on the first' 3
	soon grep -aq "page $prefix-0 is published" "$log"
}

# said TEXT: how often, in the log.
said() {
	grep -acF -- "$1" "$log" || true
}

published_as() {
	grep -lF -- "$1" "$pages"/public/s/"$prefix"-*/index.html | wc -l
}

@test "a read-only database interrupts publishing: no page is its own failure, and none is written each round" {
	new_monitor
	prefix=$(new_slug)
	many_pages 40 "$monitor" "$prefix"
	soon all_say "$prefix" 'All systems operational' 40
	interrupted=$(said 'publishing is interrupted') works=$(said 'publishing works again') failed=$(said 'is not published yet')
	sql 'SET GLOBAL read_only = 1'
	sql "UPDATE status_pages JOIN page_revisions ON page_id = id SET name = 'Second', page_revisions.revision = page_revisions.revision + 1, page_revisions.unpublished_since = UTC_TIMESTAMP() WHERE slug LIKE '$prefix-%'"
	# Each round ends at the first page that is not taken.
	soon eval '[ "$(published_as Second)" -ge 5 ]'
	written=$(published_as Second)
	sql 'SET GLOBAL read_only = 0'
	[ "$written" -lt 20 ] || { echo "$written pages"; false; }
	soon all_say "$prefix" Second 40
	soon eval '[ "$(said "publishing works again")" = $((works + 1)) ]'
	[ "$(said 'publishing is interrupted')" = $((interrupted + 1)) ]
	[ "$(said 'is not published yet')" = "$failed" ]
}

@test "a page whose row is locked delays the others by a round" {
	new_monitor
	prefix=$(new_slug)
	many_pages 5 "$monitor" "$prefix"
	soon all_say "$prefix" 'All systems operational' 5
	mkfifo "$BATS_TEST_TMPDIR/hold"
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B --unbuffered daymark <"$BATS_TEST_TMPDIR/hold" >"$BATS_TEST_TMPDIR/held" 3>&- &
	exec 8>"$BATS_TEST_TMPDIR/hold"
	# Not due before the lock is held; the locked one is the first of them.
	sql "UPDATE status_pages JOIN page_revisions ON page_id = id SET name = 'Second', page_revisions.revision = page_revisions.revision + 1, page_revisions.unpublished_since = UTC_TIMESTAMP() + INTERVAL 4 SECOND WHERE slug LIKE '$prefix-%'"
	echo "BEGIN; SELECT page_id FROM status_pages JOIN page_revisions ON page_id = id WHERE slug = '$prefix-0' FOR UPDATE;" >&8
	soon test -s "$BATS_TEST_TMPDIR/held"
	soon says "SELECT COUNT(*) FROM status_pages JOIN page_revisions r ON page_id = id WHERE r.unpublished_since IS NOT NULL AND slug LIKE '$prefix-%'" 1
	[ "$(published_as Second)" -ge 4 ]
	exec 8>&-
	soon all_say "$prefix" Second 5
}

strays() {
	find "$pages/private" -maxdepth 1 -name 'stray-*' | wc -l
}

@test "a publisher that is told to end does not finish its sweep" {
	for i in $(seq 6000); do echo "$pages/private/stray-$i"; done | xargs mkdir
	before=$(publisher)
	kill -9 "$before"
	soon eval '[ "$(strays)" -lt 6000 ]'
	sweeping=$(publisher)
	kill -TERM "$sweeping"
	soon has_ended "$sweeping"
	left=$(strays)
	rm -rf "$pages/private/"stray-*
	[ "$left" -gt 1000 ] || { echo "$left folders"; false; }
}

@test "processes that do not end are killed before the time of a service manager is over" {
	stuck="$(publisher) $(pgrep -P "$parent" -x daymark | head -n 1)"
	kill -STOP $stuck
	began=$SECONDS
	kill -TERM "$parent"
	soon has_ended "$parent"
	took=$((SECONDS - began))
	refute kill -0 $stuck
	start_daymark
	[ "$took" -lt 40 ] || { echo "$took seconds"; false; }
}

start_mysql() {
	with_service service_start_mysql "$dir"
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

# A notice is stored while publishing waits for a lock; then everything is killed at once.
kill_before_publishing() {
	page_with_monitor
	new_page
	gone=$slug gone_page=$page
	slug=${here#/s/}
	# Not the other way round: a publisher that is stopped may hold the lock.
	exec 7>>"$pages/lock/all"
	flock 7
	kill -STOP "$(publisher)"
	curl -sS -o /dev/null -H "Authorization: Bearer $key" -d "monitor=$monitor" -d state=down \
		-d 'title=Told before the crash' "$base/hooks/generic" 3>&- 7>&- &
	curl -sS -o /dev/null -H "Authorization: Bearer $key" -X DELETE \
		"$base/api/v1/status-pages/$gone_page" 3>&- 7>&- &
	soon says "SELECT (SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor) - (SELECT COUNT(*) FROM status_pages WHERE id = $gone_page)" 1
	children=$(pgrep -P "$parent")
	kill -9 "$parent" $children
	wait $(jobs -p)
	exec 7>&-
	refute grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	[ -e "$pages/public/s/$gone" ]
}

@test "everything killed between commit and publishing: the next start publishes" {
	kill_before_publishing
	start_daymark
	soon grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	soon nothing_is_due
	# What was deleted is away, too.
	soon test ! -e "$pages/public/s/$gone"
}

@test "the database away at the start: published as soon as it is back" {
	kill_before_publishing
	kill -9 "$(cat "$dir/run/mysql.pid")"
	start_daymark
	soon grep -aq 'publishing is interrupted, and tried again every second' "$log"
	start_mysql
	soon grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	soon test ! -e "$pages/public/s/$gone"
	soon grep -aq 'publishing works again' "$log"
}

@test "a day that is over moves the bars of all pages" {
	page_with_monitor
	soon nothing_is_due
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() WHERE page_id = $page"
	# It looks at the days when it starts, and at midnight.
	kill -9 "$(publisher)"
	soon says "SELECT COUNT(*) FROM page_revisions WHERE deleted_at IS NULL AND next_change_at <= UTC_TIMESTAMP()" 0
}

@test "the publisher ends behind the workers, and is replaced with them" {
	before=$(publisher)
	[ -n "$before" ]
	kill -HUP "$parent"
	soon has_ended "$before"
	soon publisher
	[ "$(publisher | wc -l)" = 1 ]
	sed -i 's/^publish_in_request_pages = .*/publish_in_request_pages = 0/' "$conf"
	printf '[server]\npublisher = no\n' >>"$conf"
	kill -HUP "$parent"
	soon refute publisher
	# Without it the rest is the next publish's.
	page_with_monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'title=Later'
	[ "$(header X-Daymark-Published)" = pending ]
	"$ctl" publish
	grep -q Later "$pages/public/s/$slug/index.html"
	sed -i '$d' "$conf"
	kill -HUP "$parent"
	soon publisher
	kill -TERM "$parent"
	soon has_ended "$parent"
	[ ! -e "$dir/run/daymark.sock" ]
	start_daymark
}

@test "plain CGI publishes the rest behind its response" {
	new_monitor
	prefix=$(new_slug)
	sed 's|^publish_in_request_pages = .*|publish_in_request_pages = 2|' "$conf" >"$BATS_TEST_TMPDIR/cgi.conf"
	many_pages 6 "$monitor" "$prefix"
	"$ctl" publish
	body="monitor=$monitor&state=down&title=By+CGI"
	printf %s "$body" | env -i GATEWAY_INTERFACE=CGI/1.1 DAYMARK_CONF="$BATS_TEST_TMPDIR/cgi.conf" \
		REQUEST_METHOD=POST REQUEST_URI=/hooks/generic SERVER_NAME=localhost HTTP_HOST=localhost \
		CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH=${#body} \
		HTTP_AUTHORIZATION="Bearer $key" "${DAYMARK_BUILD:-$TOP/build}/daymark" >"$BATS_TEST_TMPDIR/out"
	grep -q 'X-Daymark-Published: pending' "$BATS_TEST_TMPDIR/out"
	all_say "$prefix" 'By CGI' 6
}
