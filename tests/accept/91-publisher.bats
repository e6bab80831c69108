# What a request leaves unpublished, and the process that publishes it.
load lib
load ../lib/publisher

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
	# The pages that the request has published are marked after its response.
	soon says 'SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL' 14
	kill -CONT "$(publisher)"
	want 200
	[ "$(header X-Daymark-Published)" = pending ]
	for prefix in $prefixes; do soon all_say "$prefix" 'Alert of three' 8; done
}

# has_tried SLUG COUNT: so many more attempts at a page whose folder cannot be opened.
has_tried() {
	[ "$(grep -c "\"$1\".*ENOTDIR" "$BATS_TEST_TMPDIR/tries")" -ge "$2" ]
}

@test "a page that fails delays no other, is told once, and is published once it can be" {
	needs strace
	needs_root
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
	as_root timeout 130 strace -qq -f -e trace=openat -p "$(publisher)" 2>"$BATS_TEST_TMPDIR/tries" 3>&- &
	tracer=$!
	soon has_tried "$prefix-0" 2
	as_root pkill -P "$tracer"
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
	# The pages of a group are marked when all of them are written.
	soon eval '[ "$(said "publishing is interrupted")" = $((interrupted + 1)) ]'
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

@test "a day that is over moves the bars of all pages" {
	page_with_monitor
	soon nothing_is_due
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() WHERE page_id = $page"
	# It looks at the days when it starts, and at midnight.
	kill -9 "$(publisher)"
	soon says "SELECT COUNT(*) FROM page_revisions WHERE deleted_at IS NULL AND next_change_at <= UTC_TIMESTAMP()" 0
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
