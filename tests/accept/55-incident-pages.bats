# The permanent address of each incident: its own page, or its month, however old it is.
load lib

# incident_of QUERY: sets $incident.
incident_of() {
	incident=$(sql "SELECT id FROM incidents WHERE monitor_id = $monitor AND $1 ORDER BY started_at, id LIMIT 1")
	[ -n "$incident" ]
}

# Many past incidents, of which nobody has said anything, and the newest of today.
page_with_history() {
	page_with_monitor "$@"
	{
		echo 'monitor_id,cause,started_at,ended_at'
		for i in $(seq 30); do
			printf '%s,Old,2024-03-%02dT10:00:00Z,2024-03-%02dT11:00:00Z\n' "$monitor" "$i" "$i"
		done
		for i in $(seq 30); do
			printf '%s,Cause %d,2024-04-%02dT10:00:00Z,2024-04-%02dT11:00:00Z\n' "$monitor" "$i" "$i" "$i"
		done
	} | import_lines
}

# leads_to ADDRESS: the last response redirects to that address, of an absolute URL or of a path.
leads_to() {
	[ "$status" = 302 ] || show
	[[ "$(header Location)" == *"$1" ]] || show
}

# bats test_tags=server
@test "a new incident has a page of its own, from a file" {
	page_with_monitor
	"$ctl" incident open --monitor "$monitor" --cause 'Broken disk'
	incident_of true
	for address in "incidents/$incident" "incidents/$incident.html"; do
		see "$address"
		[ "$(header Content-Type | tr '[:upper:]' '[:lower:]' | tr -d ' ')" = 'text/html;charset=utf-8' ] || show
		[ -z "$(header X-Request-Id)" ] || show
		[[ "$(header Content-Security-Policy)" == *sandbox* ]] || show
		[[ "$(header Cache-Control)" == *s-maxage=5* ]] || show
		shows 'Broken disk'
	done
	# Its links lead to files of the page.
	for file in $(grep -oE '\.\./page-[0-9a-f]{12}\.(css|js)' "$answer"); do see "incidents/$file" --path-as-is; done
	# The program gives out the same.
	see "incidents/$incident?plain=1"
	[ -n "$(header X-Request-Id)" ] || show
	shows 'Broken disk'
	anyone GET "$here/incidents/$((incident + 1000000))"
	[ "$status" = 404 ] || show
	anyone POST "$here/incidents/$incident" -d x=1
	[ "$status" = 405 ] || show
}

# bats test_tags=server
@test "an incident that nobody has said anything about leads to its month" {
	page_with_history
	incident_of "started_at = '2024-03-02 10:00:00'"
	anyone GET "$here/incidents/$incident"
	leads_to "$here/2024-03.html#incident-$incident"
	see "2024-03.html"
	shows "id=\"incident-$incident\""
}

# bats test_tags=server
@test "the feed has the names that readers of other status pages ask for" {
	page_with_history
	see feed.atom
	cp "$answer" "$BATS_TEST_TMPDIR/feed"
	see history.atom
	cmp "$answer" "$BATS_TEST_TMPDIR/feed"
	[[ "$(header Content-Type)" == application/atom+xml* ]] || show
	see history.rss
	[[ "$(header Content-Type)" == application/rss+xml* ]] || show
	[ -z "$(header X-Request-Id)" ] || show
	shows '<rss version="2.0"'
	anyone GET "$here/history.json"
	[ "$status" = 404 ] || show
}

@test "what people have said about an incident stays at its address, and the rest is a month" {
	page_with_history
	incident_of "started_at = '2024-03-03 10:00:00'"
	api PUT "/api/v1/incidents/$incident" -d 'comment=The <old> disk.'
	want 200
	see "incidents/$incident"
	shows 'The &lt;old&gt; disk.'
	shows '</html>'
	etag=$(header ETag)
	[ -n "$etag" ]
	anyone GET "$here/incidents/$incident" -H "If-None-Match: $etag"
	[ "$status" = 304 ] || show
	# Of the 60 incidents the newest have files, whatever their number.
	[ "$(find "$pages/public/s/$slug" -name 'incident-*.html' | wc -l)" = 25 ]
	api DELETE "/api/v1/incidents/$incident"
	want 200
	anyone GET "$here/incidents/$incident"
	[ "$status" = 404 ] || show
	incident_of "started_at = '2024-04-29 10:00:00'"
	see "incidents/$incident"
	api DELETE "/api/v1/incidents/$incident"
	anyone GET "$here/incidents/$incident"
	[ "$status" = 404 ] || show
	gone "$pages/public/s/$slug/incident-$incident.html"
}

@test "only files that changed are written" {
	page_with_history
	incident_of "started_at = '2024-04-28 10:00:00'"
	stat -c '%n %i %Y' "$pages/public/s/$slug"/incident-*.html "$pages/public/s/$slug"/*.incidents >"$BATS_TEST_TMPDIR/before"
	api PUT "/api/v1/incidents/$incident" -d 'comment=A text.'
	want 200
	stat -c '%n %i %Y' "$pages/public/s/$slug"/incident-*.html "$pages/public/s/$slug"/*.incidents >"$BATS_TEST_TMPDIR/after"
	[ "$(diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" | grep -c '^>')" = 2 ]
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" | grep -q "^> .*/incident-$incident.html "
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" | grep -q '^> .*/2024-04.incidents '
}

# bats test_tags=server
@test "addresses that are no incident's are not found, in HTML" {
	page_with_history
	for name in 0 -1 07 1.htm 1.html.html x 99999999999999999999 1%2f2; do
		anyone GET "$here/incidents/$name"
		[ "$status" = 404 ] || { echo "$name"; show; }
		grep -qi '<h1>' "$answer" || { echo "$name"; show; }
	done
	for file in 2024-03.incidents history.incidents; do
		[ -e "$pages/public/s/$slug/$file" ]
		anyone GET "$here/$file"
		[ "$status" = 404 ] || show
	done
}

# bats test_tags=server
@test "the incidents of a private page are as those of a page that does not exist" {
	page_with_history -F privacy=1
	incident_of "started_at = '2024-04-30 10:00:00'"
	newest=$incident
	incident_of "started_at = '2024-03-02 10:00:00'"
	anyone GET "/s/no-such-page/incidents/$incident"
	cp "$answer" "$BATS_TEST_TMPDIR/unknown"
	for id in "$newest" "$incident" 999999999; do
		anyone GET "$here/incidents/$id"
		[ "$status" = 404 ] || show
		cmp "$answer" "$BATS_TEST_TMPDIR/unknown"
	done
	api GET "$here/incidents/$newest"
	[ "$status" = 200 ] || show
	[[ "$(header Cache-Control)" == *no-store* ]] || show
	# The browser of an admitted visitor gets the style by a token.
	shows '.css?pass='
	api GET "$here/incidents/$incident"
	leads_to "$here/2024-03.html#incident-$incident"
	[[ "$(header Cache-Control)" == *no-store* ]] || show
	# The page was public before.
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	see "incidents/$newest"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	want 200
	anyone GET "$here/incidents/$newest"
	[ "$status" = 404 ] || show
	gone "$pages/public/s/$slug"
}

# bats test_tags=server
@test "a page's own domain has the incidents at its root" {
	domain=$(new_slug).example.com
	page_with_history -F "domain=$domain"
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	incident_of "started_at = '2024-04-30 10:00:00'"
	for address in "incidents/$incident" "incidents/$incident.html"; do
		anyone GET "/$address" -H "Host: $domain"
		[ "$status" = 200 ] || show
		[ -z "$(header X-Request-Id)" ] || show
		[[ "$(header Content-Security-Policy)" != *sandbox* ]] || show
		shows 'Cause 30'
	done
	incident_of "started_at = '2024-03-02 10:00:00'"
	anyone GET "/incidents/$incident" -H "Host: $domain"
	leads_to "/2024-03.html#incident-$incident"
}

@test "a page with a password asks for the password" {
	page_with_history -F privacy=2 -F password=let-me-in
	incident_of "started_at = '2024-04-30 10:00:00'"
	anyone GET "$here/incidents/$incident"
	[ "$status" = 303 ] || show
	[[ "$(header Location)" == *"$here/" ]] || show
	anyone POST "$here/" -c "$BATS_TEST_TMPDIR/jar" -d password=let-me-in
	see "incidents/$incident" -b "$BATS_TEST_TMPDIR/jar"
	shows 'Cause 30'
}

@test "the addresses need no database and no program for new incidents, and no database for old ones" {
	page_with_history
	incident_of "started_at = '2024-03-02 10:00:00'"
	anyone GET "$here/incidents/$incident"
	want_queries 0
	api PUT "/api/v1/incidents/$incident" -d comment=Said
	see "incidents/$incident"
	want_queries 0
}

@test "a page with noindex says so at the addresses of incidents" {
	page_with_history -F noindex=1
	incident_of "started_at = '2024-04-30 10:00:00'"
	see "incidents/$incident"
	[ "$(header X-Robots-Tag)" = noindex ] || show
	shows '<meta name="robots" content="noindex">'
	incident_of "started_at = '2024-03-02 10:00:00'"
	anyone GET "$here/incidents/$incident"
	[ "$(header X-Robots-Tag)" = noindex ] || show
}

@test "feed and JSON name the address" {
	page_with_history
	incident_of "started_at = '2024-04-30 10:00:00'"
	see incidents.json
	jq -e --arg url "$base$here/incidents/$incident" '.incidents[0].shortlink == $url' "$answer"
	see feed.atom
	shows "$base$here/incidents/$incident"
	see history.rss
	shows "<link>$base$here/incidents/$incident</link>"
}

# bats test_tags=server
@test "the history is searched by words of titles, without the database" {
	page_with_history -F show_causes=1
	"$ctl" incident open --monitor "$monitor" --title 'Slow <b> & "late" deliveries' --cause x
	incident_of 'ended_at IS NULL'
	see ''
	shows '<a href="history">Search the history</a>'
	anyone GET "$here/history"
	want 200
	shows '<input type="search" name="q"'
	refute grep -q incidents/ "$answer"
	[ "$(grep -c '<main' "$answer")" = 1 ]
	anyone GET "$here/history" -G --data-urlencode 'q= DELIVERIES slow '
	want 200
	shows "$here/incidents/$incident\""
	shows 'Slow &lt;b&gt; &amp; &quot;late&quot; deliveries</a>'
	[ "$(grep -c /incidents/ "$answer")" = 1 ]
	[ "$(header Cache-Control)" = 'private, no-store' ] || show
	[[ "$(header Content-Security-Policy)" == *"form-action 'self'"*"sandbox allow-scripts allow-forms"* ]] || show
	anyone GET "$here/history" -G --data-urlencode 'q="><script>'
	shows 'value="&quot;&gt;&lt;script&gt;"'
	shows 'No title has these words.'
	# All are found, newest first; not more than 50 are shown.
	anyone GET "$here/history?q=cause"
	[ "$(grep -c /incidents/ "$answer")" = 30 ]
	grep -m1 /incidents/ "$answer" | grep -q 'Cause 30'
	anyone GET "$here/history" -G --data-urlencode "q=$(sql "SELECT name FROM monitors WHERE id = $monitor")"
	[ "$(grep -c /incidents/ "$answer")" = 50 ]
	shows 'The newest 50 are shown.'
	anyone GET "$here/history?q=$(printf 'x%.0s' $(seq 101))"
	[ "$status" = 422 ] || show
	anyone POST "$here/history" -d q=x
	[ "$status" = 405 ] || show
	anyone GET /s/no-such-page-here/history?q=x
	[ "$status" = 404 ] || show
}

@test "the search finds maintenance, in the page's own style" {
	page_with_monitor -F custom_css='p{}' -F custom_js='x()'
	day=$(date -u -d '-40 days' +%Y-%m-%d)
	api POST /api/v1/maintenances -d title='Moved racks' -d "monitor_ids[]=$monitor" \
		-d "starts_at=${day}T10:00:00Z" -d "ends_at=${day}T11:00:00Z"
	want 201
	anyone GET "$here/history?q=racks"
	want 200
	shows '>Moved racks</a> <span class="meta">'"$(LC_ALL=C date -u -d "$day" '+%-d %b %Y')</span>"
	shows "$here/maintenance/"
	shows 'href="'"$here"'/custom-'
}
