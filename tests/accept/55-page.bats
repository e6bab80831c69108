# The page that visitors see: public ones, as files.
load lib

# atom XPATH: of the feed in $answer, with a: for its elements.
atom() {
	printf 'setns a=http://www.w3.org/2005/Atom\nxpath %s\n' "$1" | xmllint --shell "$answer" |
		sed -n 's/.*Boolean : //p; s/.*is a Boolean : //p' | head -n 1
}

# bats test_tags=server
@test "a new page is there at once, whole, with its own files only" {
	page_with_monitor -F 'meta_title=Title <b>' -F 'meta_description=Says "so"' -F website_url=https://example.org/
	see ''
	shows 'All systems operational'
	shows '<title>Title &lt;b&gt;</title>'
	shows 'content="Says &quot;so&quot;"'
	shows '100.00 % uptime since '
	refute grep -Eq '(src|href)="(https?:)?//[^"]*\.(js|css|png)"' "$answer"
	[ "$(header Content-Type)" = "text/html; charset=utf-8" ]
	[[ "$(header Content-Security-Policy)" == *"default-src 'none'"*sandbox* ]]
	[[ "$(header Cache-Control)" == *stale-while-revalidate*stale-if-error* ]]
	for file in $(grep -oE 'page-[0-9a-f]{12}\.(css|js)' "$answer" | sort -u); do
		see "$file"
		[[ "$(header Cache-Control)" == *immutable* ]]
	done
}

# bats test_tags=server
@test "the address without its slash leads to the one with it" {
	page_with_monitor
	anyone GET "$here"
	[[ "$status" =~ ^30[18]$ ]] || show
	[[ "$(header Location)" == *"$here/" ]]
}

# bats test_tags=server
@test "a file with a slash behind its name leads to the one without" {
	page_with_monitor
	for file in index.html feed.html "$(date -u +%Y-%m).html" badge.svg feed.atom history.atom calendar.ics summary.json \
		api/v2/summary.json api/v2/incidents/unresolved.json; do
		anyone GET "$here/$file/"
		[[ "$status" =~ ^30[18]$ ]] || { echo "$file"; show; }
		[[ "$(header Location)" == *"$here/$file" ]] || { echo "$file"; show; }
	done
	anyone GET "$here/a%0d%0aX-Other:%20b.html/"
	[[ "$status" =~ ^4 ]] || show
	[ -z "$(header X-Other)" ] || show
}

@test "an incident shows on the next request: opened, acknowledged, commented, resolved, deleted" {
	page_with_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause 'Disk <full>' --json | jq .id)
	see ''
	shows 'is down</h2>'
	shows 'Disk &lt;full&gt;'
	shows 'Ongoing since'
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1 --data-urlencode 'comment=We <are> on it'
	see ''
	shows 'Being worked on since'
	shows 'We &lt;are&gt; on it'
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	see ''
	shows 'All systems operational'
	shows 'Resolved after '
	api DELETE "/api/v1/incidents/$incident"
	see ''
	refute grep -q 'Disk' "$answer"
	anyone GET /readyz
	want 200 '.oldest_unpublished_s == 0'
}

@test "only pages that show the monitor are written" {
	page_with_monitor
	file=$pages/public/s/$slug/index.html
	before=$(stat -c %i "$file")
	new_monitor
	"$ctl" incident open --monitor "$monitor" --cause x
	[ "$(stat -c %i "$file")" = "$before" ]
}

@test "a monitor's new name and removal show on the next request" {
	page_with_monitor
	"$ctl" monitor rename "$monitor" 'Renamed & more'
	see ''
	shows 'Renamed &amp; more'
	"$ctl" monitor remove "$monitor" --yes
	see ''
	shows 'No systems are shown yet'
}

@test "summary, status, components and incidents have the shape that others read" {
	page_with_monitor
	"$ctl" incident open --monitor "$monitor" --cause Broken
	for path in summary.json api/v2/summary.json; do
		see "$path"
		jq -e --arg id "$page" '.page.id == $id and .status.indicator == "critical" and (.components | length) == 1
			and .components[0].status == "major_outage" and .incidents[0].status == "investigating"
			and .scheduled_maintenances == []' "$answer"
	done
	see api/v2/status.json
	jq -e 'keys == ["page", "status"]' "$answer"
	see components.json
	jq -e 'keys == ["components", "page"]' "$answer"
	see incidents.json
	jq -e '.incidents[0].incident_updates[0].body | endswith("Broken")' "$answer"
}

@test "every published file is UTF-8 and XML, whatever characters people send" {
	needs xmllint
	# What XML does not have, raw and as references; and neighbours, which it has.
	bad=$'\ufffe \uffff \x01 \x1f \x7f \ufdd0 \U0001fffe' marks="$bad &#xfffe; &#65535; &#1; &#xd800; &#0; &#x1fffe;"
	new_monitor "M$bad"
	api PUT "/api/v1/monitors/$monitor" --form-string "group=G$bad" --form-string "description=D$bad"
	want 200
	new_page -F "monitor_ids[]=$monitor" -F show_causes=1 --form-string "name=N$bad" --form-string "meta_title=T$bad" \
		--form-string "meta_description=D$bad" --form-string "support_text=S$bad"
	"$ctl" incident open --monitor "$monitor" --cause "C$bad"
	for phase in investigating resolved; do
		api POST /api/v1/incidents --form-string "title=I$marks" -F "monitor_ids[]=$monitor" -F "phase=$phase" \
			--form-string "body=$marks"$'\n\n# '"$marks"$'\n\n`'"$marks"'` [a](https://a.test/&#xfffe; "&#xffff;")'$'\n\n```&#xfffe;\nx\n```'
		want 201
	done
	api PUT "/api/v1/incidents/$(jq .data.id "$answer")" --form-string "postmortem=$marks"
	want 200
	api POST /api/v1/maintenances --form-string "title=W$marks" --form-string "body=$marks" -F "monitor_ids[]=$monitor" \
		-F "starts_at=$(date -u -d '+1 day' +%FT%TZ)" -F "ends_at=$(date -u -d '+2 days' +%FT%TZ)"
	want 201
	python3 - "$dir/pages/public/s/$slug" 3>&- <<'END'
import glob, gzip, json, re, sys
import xml.etree.ElementTree as xml

files = sorted(path for path in glob.glob(sys.argv[1] + "/**/*", recursive=True) if re.search(r"\.(html|xml|atom|rss|svg|json|ics)(\.gz)?$", path))
assert len(files) > 15, files
for path in files:
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    text = data.decode("utf-8")
    # JSON escapes control characters, and U+FFFE is a character of JSON.
    forbidden = "[\x00-\x08\x0b\x0c\x0e-\x1f]" if re.search(r"\.(json|ics)", path) else "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
    found = re.search(forbidden, text)
    assert not found, (path, text[max(0, found.start() - 60):found.end() + 60])
    if re.search(r"\.(atom|rss|svg|xml)", path):
        xml.fromstring(data)
    if ".json" in path:
        json.loads(text)
END
}

@test "feed and badge are well-formed, whatever the names are" {
	needs xmllint tidy
	new_monitor 'A <&"> 🚨 שלום'
	new_page -F "monitor_ids[]=$monitor" -F show_causes=1 --form-string 'name=Ü <script>&amp;"'
	here=/s/$slug
	# U+FFFE and U+FFFF are text in UTF-8, and not in XML.
	"$ctl" incident open --monitor "$monitor" --cause $'x\ty ]]> <b> \ufffe\uffff \U0001fffe'
	see feed.atom
	[ "$(header Content-Type)" = "application/atom+xml; charset=utf-8" ]
	xmllint --noout "$answer"
	# What RFC 4287 4.1 wants of a feed and of each entry.
	for rule in 'count(/a:feed/a:id) = 1' 'count(/a:feed/a:title) = 1' 'count(/a:feed/a:updated) = 1' \
		'count(/a:feed/a:link[@rel="self"]) = 1' 'count(/a:feed/a:author/a:name) = 1' \
		'count(//a:entry[count(a:id) != 1 or count(a:title) != 1 or count(a:updated) != 1]) = 0' \
		'count(//a:entry[not(a:link[not(@rel)]/@href) and not(a:content)]) = 0' 'count(//a:entry) >= 1'; do
		[ "$(atom "boolean($rule)")" = true ] ||
			{ echo "not true: $rule"; cat "$answer"; return 1; }
	done
	xmllint --noout --relaxng "$TOP/tests/lib/schemas/atom.rng" "$answer"
	xmllint --xpath '//*[local-name()="entry"]/*[local-name()="link"]/@href' "$answer" | grep -q "$base$here/incidents/[1-9]"
	see history.atom
	xmllint --noout --relaxng "$TOP/tests/lib/schemas/atom.rng" "$answer"
	see history.rss
	[ "$(header Content-Type)" = "application/rss+xml; charset=utf-8" ]
	xmllint --noout --relaxng "$TOP/tests/lib/schemas/rss.rng" "$answer"
	[ "$(xmllint --xpath 'count(//item)' "$answer")" = 1 ]
	see badge.svg
	[ "$(header Content-Type)" = "image/svg+xml; charset=utf-8" ]
	xmllint --noout "$answer"
	shows 'is down</title>'
	shows '>status</text>'
	for file in "badge-$monitor.svg" "uptime-$monitor.svg"; do
		see "$file"
		[ "$(header Content-Type)" = "image/svg+xml; charset=utf-8" ]
		xmllint --noout "$answer"
	done
	anyone GET "$here/badge-1.svg"
	want 404
	anyone GET "$here/systems.badges"
	want 404
	see ''
	tidy -q -e --drop-empty-elements no "$answer" 2>&1 | grep -E 'Error|<script>alert' && false
	refute grep -q '<script>&' "$answer"
}

@test "noindex is said on the page, and a private page is not there at all" {
	page_with_monitor -F noindex=1
	see ''
	shows '<meta name="robots" content="noindex">'
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	for file in '' index.html feed.atom summary.json badge.svg api/v2/status.json; do
		anyone GET "$here/$file"
		[ "$status" = 404 ] || show
	done
	[ -f "$pages/private/$slug/index.html" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	see ''
}

# bats test_tags=server
@test "noindex is said with every file, and only while it holds" {
	page_with_monitor -F noindex=1
	for file in '' feed.atom summary.json badge.svg; do
		see "$file"
		[ "$(header X-Robots-Tag)" = noindex ] || show
	done
	api PUT "/api/v1/status-pages/$page" -d noindex=0
	for file in '' feed.atom summary.json badge.svg; do
		see "$file"
		[ -z "$(header X-Robots-Tag)" ] || show
	done
}

@test "older incidents are on pages by month, written only when they change" {
	page_with_monitor
	{
		echo 'monitor_id,cause,started_at,ended_at'
		echo "$monitor,Long <ago>,2024-02-29T23:50:00Z,2024-03-01T00:10:00Z"
		echo "$monitor,Later,2024-05-02T10:00:00Z,2024-05-02T11:00:00Z"
	} | import_lines
	see ''
	shows '<a href="2024-05.html">May 2024</a>'
	see 2024-02.html
	shows 'Long &lt;ago&gt;'
	# It went on in March, which has no incident of its own.
	shows '<a href="2024-03.html">Later: March 2024</a>'
	refute grep -q 'Earlier:' "$answer"
	see 2024-03.html
	shows '</a> began on 29 Feb 2024, and ended on this day.'
	shows '<a href="2024-05.html">Later: May 2024</a>'
	see 2024-05.html
	shows '<a href="2024-03.html">Earlier: March 2024</a>'
	folder=$pages/public/s/$slug
	february=$(stat -c %i "$folder/2024-02.html") may=$(stat -c %i "$folder/2024-05.html")
	api GET "/api/v1/incidents?monitor_id=$monitor&sort=asc"
	incident=$(jq '.data[0].id' "$answer")
	api PUT "/api/v1/incidents/$incident" -d 'comment=It was the leap day'
	see 2024-02.html
	shows 'It was the leap day'
	[ "$(stat -c %i "$folder/2024-02.html")" != "$february" ]
	[ "$(stat -c %i "$folder/2024-05.html")" = "$may" ]
	"$ctl" monitor rename "$monitor" 'Another name'
	see 2024-05.html
	shows 'Another name'
	api DELETE "/api/v1/incidents/$incident"
	see 2024-02.html
	shows 'No incidents.'
	anyone GET "$here/2024-04.html"
	[ "$status" = 404 ]
}

@test "of a day with many incidents the page shows ten, and leads to the rest" {
	page_with_monitor
	{
		echo 'monitor_id,cause,started_at,ended_at'
		for minute in {10..22}; do
			echo "$monitor,Flap $minute,$(date -u +%Y-%m-%d -d yesterday)T05:$minute:00Z,$(date -u +%Y-%m-%d -d yesterday)T05:$minute:30Z"
		done
	} | import_lines
	see ''
	[ "$(grep -o ': Flap' "$answer" | wc -l)" = 10 ]
	shows "<a href=\"$(date -u +%Y-%m -d yesterday).html\">3 more</a>"
	see "$(date -u +%Y-%m -d yesterday).html"
	[ "$(grep -o ': Flap' "$answer" | wc -l)" = 13 ]
}

# bats test_tags=server
@test "an unchanged file is a 304, a changed one is not, within the same second too" {
	page_with_monitor
	see badge.svg
	etag=$(header ETag)
	[ -n "$etag" ]
	anyone GET "$here/badge.svg" -H "If-None-Match: $etag"
	[ "$status" = 304 ] || show
	"$ctl" incident open --monitor "$monitor" --cause x
	"$ctl" incident resolve --monitor "$monitor"
	"$ctl" incident open --monitor "$monitor" --cause x
	see badge.svg
	etag=$(header ETag)
	"$ctl" incident resolve --monitor "$monitor"
	anyone GET "$here/badge.svg" -H "If-None-Match: $etag"
	[ "$status" = 200 ] || show
}

# bats test_tags=server
@test "larger files lie there compressed, and say the same" {
	page_with_monitor
	folder=$pages/public/s/$slug
	gunzip -c "$folder/index.html.gz" | cmp - "$folder/index.html"
	[ ! -e "$folder/badge.svg.gz" ]
	see '' --compressed
	shows '</html>'
	if [ -z "${DAYMARK_ACCEPT_BASE:-}" ]; then
		[ "$(header Content-Encoding)" = gzip ]
		[ "$(header Vary)" = Accept-Encoding ]
	fi
}

# bats test_tags=server
@test "a view asks neither the program nor the database" {
	[ -z "${DAYMARK_ACCEPT_BASE:-}" ] || skip "here the program serves the files"
	page_with_monitor
	publisher_rests
	# Asking for the number counts itself.
	questions() { sql "SHOW GLOBAL STATUS LIKE 'Questions'" | cut -f 2; }
	# Whether views leave the log and the database alone.
	is_quiet() {
		local lines first second count
		lines=$(grep -c event=request "$log")
		first=$(questions)
		second=$(questions)
		for file in '' feed.atom summary.json badge.svg api/v2/status.json; do see "$file"; done
		count=$(questions)
		[ "$(grep -c event=request "$log")" = "$lines" ] || return 1
		[ "$count" -le $((second + second - first)) ]
	}
	# A process of the service that starts or ends meanwhile asks something of its own.
	for i in $(seq 60); do is_quiet && break; sleep 0.3; done
	[ "$i" -lt 60 ]
	publisher_goes_on
}

teardown() {
	publisher_goes_on
	sql 'SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ'
}

@test "bars move on at midnight, by the next publish" {
	page_with_monitor
	publisher_rests
	is_due_at_midnight() { [ "$(sql "SELECT next_change_at = UTC_DATE() + INTERVAL 1 DAY FROM page_revisions WHERE page_id = $page")" = 1 ]; }
	# When the page was published: other pages of the lane may be due.
	published_at() { stat -c %y "$pages/state/$page/page"; }
	local before
	"$ctl" publish
	is_due_at_midnight
	before=$(published_at)
	"$ctl" publish
	[ "$(published_at)" = "$before" ]
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() WHERE page_id = $page"
	"$ctl" publish
	is_due_at_midnight
	[ "$(published_at)" != "$before" ]
	before=$(published_at)
	"$ctl" publish
	[ "$(published_at)" = "$before" ]
}

@test "publishing takes the same few queries with 200 monitors and 20,000 incidents" {
	page_with_monitor
	# A page without a recent incident takes one query less.
	"$ctl" incident open --monitor "$monitor" --cause x
	api PUT "/api/v1/status-pages/$page" -d name=x
	small=$(queries)
	digits="(SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
	sql "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
		SELECT $account, CONCAT('bulk ', a.i, b.i, c.i), 'https://example.org/', '2020-01-01', '2020-01-01' FROM $digits a, $digits b, (SELECT 0 i UNION SELECT 1) c"
	sql "INSERT INTO status_page_monitors (status_page_id, monitor_id, position) SELECT $page, id, id FROM monitors WHERE name LIKE 'bulk %'"
	sql "INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, created_at, updated_at)
		SELECT $account, m.id, 'bulk', UTC_TIMESTAMP() - INTERVAL (a.i + 10 * b.i) * 20 HOUR, UTC_TIMESTAMP() - INTERVAL (a.i + 10 * b.i) * 20 * 60 - 5 MINUTE, '2020-01-01', '2020-01-01'
		FROM monitors m, $digits a, $digits b WHERE m.name LIKE 'bulk %'"
	api PUT "/api/v1/status-pages/$page" -d name=y
	want 200 '.data.monitor_ids | length == 201'
	# Two more: the month has more incidents than are read with the page, and some of the month before.
	[ "$(queries)" = "$((small + 2))" ]
	see ''
	[ "$(grep -o '<li><div class="row">' "$answer" | wc -l)" = 201 ]
	sql "DELETE FROM monitors WHERE name LIKE 'bulk %'"
	"$ctl" incident recount >/dev/null
}

@test "a page is of one moment, whatever isolation the server gives new sessions" {
	page_with_monitor
	publisher_rests
	incident=$("$ctl" incident open --monitor "$monitor" --title Earlier --cause x --json | jq .id)
	sql 'SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED'
	# The publisher reads the page, and then waits for the table of incidents.
	mkfifo "$BATS_TEST_TMPDIR/hold"
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -n daymark \
		<"$BATS_TEST_TMPDIR/hold" >"$BATS_TEST_TMPDIR/held" 3>&- &
	exec 6>"$BATS_TEST_TMPDIR/hold"
	echo "LOCK TABLES incidents WRITE; SELECT 'locked';" >&6
	soon grep -q locked "$BATS_TEST_TMPDIR/held"
	"$ctl" publish --page "$slug" 3>&- &
	soon waits_for_a_table
	echo "UPDATE incidents SET title = 'Meanwhile' WHERE id = $incident; UNLOCK TABLES;" >&6
	wait $!
	exec 6>&-
	see ''
	shows 'Earlier'
	refute grep -q Meanwhile "$answer"
	"$ctl" publish --page "$slug"
	see ''
	shows 'Meanwhile'
}

waits_for_a_table() {
	[ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'")" = 1 ]
}

@test "a page of 20 monitors is small" {
	page_with_monitor
	sql "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
		SELECT $account, CONCAT('twenty ', id), 'https://example.org/', '2020-01-01', '2020-01-01' FROM monitors LIMIT 19"
	sql "INSERT INTO status_page_monitors (status_page_id, monitor_id, position) SELECT $page, id, id FROM monitors WHERE name LIKE 'twenty %'"
	"$ctl" publish --page "$slug"
	see ''
	[ "$(gzip -c "$answer" | wc -c)" -lt 30000 ]
	# The page, its style, its script: three requests.
	[ "$(grep -oE '(src|href)="[^"#]*\.(css|js|png)"' "$answer" | wc -l)" -le 4 ]
	sql "DELETE FROM monitors WHERE name LIKE 'twenty %'"
}
