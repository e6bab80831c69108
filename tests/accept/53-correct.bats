# A page is correct whenever it is read, an hour after the last write, too.
load lib

# As if so many minutes had gone by since everything that the page shows.
pass_minutes() {
	sql "UPDATE incidents i JOIN status_page_monitors s ON s.monitor_id = i.monitor_id AND s.status_page_id = $page
		SET i.started_at = i.started_at - INTERVAL $1 MINUTE;
		UPDATE page_revisions SET next_change_at = next_change_at - INTERVAL $1 MINUTE WHERE page_id = $page"
	soon says "SELECT next_change_at > UTC_TIMESTAMP() FROM page_revisions WHERE page_id = $page" 1
}

# A page with one monitor that was up for 30 days.
known_page() {
	monitor=$("$ctl" monitor add "Known $(new_slug)" https://example.org/ --account "$account" --since "$(date -u +%FT%TZ -d '-30 days')" --json | jq .id)
	new_page -F "monitor_ids[]=$monitor" "$@"
	here=/s/$slug
}

percent() {
	see ''
	grep -oE '[0-9]+\.[0-9]+ % uptime (since [0-9]+ [A-Z][a-z]+ [0-9]+|in 90 days)' "$answer" | head -n 1
}

@test "an outage shows in today's bar and the percentage while it lasts, without any write" {
	known_page
	[[ "$(percent)" == '100.00 % uptime since '* ]]
	"$ctl" incident open --monitor "$monitor" --cause x
	see ''
	# At least partly down, from the first second on.
	grep -qE '<path class="[sd]" d="M447.5 0v' "$answer"
	shows '>Down<'
	asof=$(grep -o '<p class="asof".*' "$answer")
	sleep 1.1
	pass_minutes 240
	[[ "$(percent)" == 99.4* ]]
	[ "$(grep -o '<p class="asof".*' "$answer")" != "$asof" ]
	pass_minutes 480
	[[ "$(percent)" == 98.3* ]]
	see summary.json
	jq -e '.components[0].status == "major_outage" and .status.indicator == "critical"' "$answer"
	# The page is published when the percentage changes, and at the latest in a quarter of an hour.
	[ "$(sql "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), next_change_at) BETWEEN 1 AND 900 FROM page_revisions WHERE page_id = $page")" = 1 ]
	"$ctl" incident resolve --monitor "$monitor"
	[ "$(sql "SELECT next_change_at > UTC_TIMESTAMP() AND next_change_at <= UTC_DATE() + INTERVAL 1 DAY FROM page_revisions WHERE page_id = $page")" = 1 ]
}

@test "daymarkctl publish writes pages that the clock has changed" {
	known_page
	"$ctl" incident open --monitor "$monitor" --cause x
	sql "UPDATE incidents SET started_at = started_at - INTERVAL 5 HOUR WHERE monitor_id = $monitor"
	before=$(percent)
	"$ctl" publish >/dev/null
	[ "$(percent)" = "$before" ]
	# (The service's own publisher may be first.)
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE page_id = $page"
	"$ctl" publish >/dev/null
	[ "$(percent)" != "$before" ]
	"$ctl" incident resolve --monitor "$monitor"
}

@test "a page that a wrong clock has dated ahead is written again" {
	known_page
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() + INTERVAL 3 DAY WHERE page_id = $page"
	soon says "SELECT next_change_at <= UTC_TIMESTAMP() + INTERVAL 1 DAY FROM page_revisions WHERE page_id = $page" 1
}

@test "every day that an outage touches names it, and none of them is quiet" {
	known_page
	from=$(date -u +%FT%TZ -d '-3 days') to=$(date -u +%FT%TZ -d '-1 day')
	printf 'monitor_id,cause,started_at,ended_at\n%s,x,%s,%s\n' "$monitor" "$from" "$to" | import_lines
	see ''
	for ago in 3 2 1; do
		day=$(date -u +'%-d %b %Y' -d "-$ago days")
		grep -qE "<h3 id=\"day-[0-9-]*\">$day</h3>" "$answer" || { echo "quiet: $day"; cat "$answer"; false; }
	done
	[ "$(grep -c 'id="incident-' "$answer")" = 1 ]
	# The lines of the later days lead to where the incident always stands.
	id=$(grep -o 'href="incidents/[0-9]*"' "$answer" | head -n 1 | tr -cd 0-9)
	see "incidents/$id"
	shows 'was down'
	see "$(date -u +%Y-%m -d "$from").html"
	shows "id=\"incident-$id\""
}

@test "what is known does not shrink when outages are deleted, and grows with an old import" {
	known_page
	"$ctl" incident open --monitor "$monitor" --cause x --started-at "$(date -u +%FT%TZ -d '-40 days')"
	"$ctl" incident resolve --monitor "$monitor" --at "$(date -u +%FT%TZ -d '-39 days')"
	api GET "/api/v1/incidents?monitor_id=$monitor"
	id=$(jq '.data[0].id' "$answer")
	since=$(date -u +'%-d %b %Y' -d '-40 days')
	before=$(percent)
	[[ "$before" == 97.[45]*" % uptime since $since" ]]
	api DELETE "/api/v1/incidents/$id"
	want 200
	[ "$(percent)" = "100.00 % uptime since $since" ]
	# Older than all bars: the record is longer, and no day becomes unknown.
	printf 'monitor_id,cause,started_at,ended_at\n%s,x,2020-01-01T00:00:00Z,2020-01-01T01:00:00Z\n' "$monitor" | import_lines
	[ "$(percent)" = "100.00 % uptime in 90 days" ]
	see ''
	refute grep -q '<path class="b0"' "$answer"
}

@test "a monitor of which nothing was heard has no data, until it is reported or its record is given" {
	monitor=$("$ctl" monitor add "New $(new_slug)" https://example.org/ --account "$account" --json | jq .id)
	new_page -F "monitor_ids[]=$monitor"
	here=/s/$slug
	see ''
	shows '>No data<'
	shows 'No data yet'
	refute grep -qi operational "$answer"
	see summary.json
	jq -e '.components[0].status == "" and (.status.description | test("perational") | not)' "$answer"
	see badge.svg
	shows 'No data yet'
	see "badge-$monitor.svg"
	shows '>No data<'
	see "uptime-$monitor.svg"
	shows '>no data<'
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200
	see ''
	shows '>Operational<'
	shows 'All systems operational'
	shows "% uptime since $(date -u +'%-d %b %Y')"
	run "$ctl" monitor add x https://example.org/ --account "$account" --since "$(date -u +%FT%TZ -d '+1 hour')"
	[ "$status" = 2 ]
	"$ctl" monitor add x https://example.org/ --account "$account" --since now --json | jq -e '.known_since != null'
}

@test "a cause stays inside, a title is public; show_causes shows both" {
	known_page
	"$ctl" incident open --monitor "$monitor" --cause 'connect 10.1.2.3:5432 refused'
	for file in '' feed.atom summary.json incidents.json "$(date -u +%Y-%m).html"; do
		see "$file"
		refute grep -q '10\.1\.2\.3' "$answer"
		grep -qE 'is down' "$answer"
	done
	api PUT "/api/v1/status-pages/$page" -d show_causes=1
	want 200 '.data.show_causes == true'
	for file in '' feed.atom summary.json incidents.json "$(date -u +%Y-%m).html"; do
		see "$file"
		shows 'connect 10.1.2.3:5432 refused'
	done
	"$ctl" incident resolve --monitor "$monitor"
	api PUT "/api/v1/status-pages/$page" -d show_causes=0
	want 200 '.data.show_causes == false'
	"$ctl" incident open --monitor "$monitor" --title 'Payments fail' --cause 'connect 10.1.2.3:5432 refused'
	see ''
	shows ': Payments fail'
	refute grep -q '10\.1\.2\.3' "$answer"
	"$ctl" incident resolve --monitor "$monitor"
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'cause=10.1.2.3' --data-urlencode 'title=Checkout is slow'
	see ''
	shows ': Checkout is slow'
	api POST /hooks/generic -d "monitor=$monitor" -d state=down --data-urlencode "title=$(printf 'x%.0s' $(seq 256))"
	want_fault title
	"$ctl" incident resolve --monitor "$monitor"
	printf '{"version":"4","alerts":[{"status":"firing","labels":{"daymark_monitor":"%s"},"annotations":{"title":"Mail is late","summary":"10.1.2.3"},"startsAt":"%s"}]}' \
		"$monitor" "$(date -u +%FT%TZ)" >"$BATS_TEST_TMPDIR/alert"
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/alert"
	want 200
	see ''
	shows ': Mail is late'
	refute grep -q '10\.1\.2\.3' "$answer"
}

@test "times of a system never run backwards" {
	known_page
	moment() {
		see components.json
		jq -r '.components[0].updated_at' "$answer"
	}
	last=$(moment)
	sleep 1.1
	"$ctl" incident open --monitor "$monitor" --cause x
	for step in resolve delete; do
		now=$(moment)
		[[ "$now" > "$last" ]] || { echo "$now is not after $last"; false; }
		last=$now
		sleep 1.1
		if [ "$step" = resolve ]; then
			"$ctl" incident resolve --monitor "$monitor"
		else
			api GET "/api/v1/incidents?monitor_id=$monitor"
			api DELETE "/api/v1/incidents/$(jq '.data[0].id' "$answer")"
		fi
	done
	[[ "$(moment)" > "$last" ]]
}

@test "feed and incidents.json have the newest 25 whatever their age, with ids and links that stay" {
	needs xmllint
	known_page
	{
		echo monitor_id,cause,started_at,ended_at
		for i in $(seq 30); do
			printf '%s,x,2024-%02d-%02dT00:00:00Z,2024-%02d-%02dT01:00:00Z\n' "$monitor" $((i % 12 + 1)) "$i" $((i % 12 + 1)) "$i" | sed 's/-02-30/-02-20/g'
		done
	} | import_lines
	see incidents.json
	jq -e '.incidents | length == 25 and (map(.started_at) | . == (sort | reverse))' "$answer"
	url=$(jq -r '.incidents[24].shortlink' "$answer")
	see feed.atom
	[ "$(grep -c '<entry>' "$answer")" = 25 ]
	grep -o '<id>[^<]*</id>' "$answer" >"$BATS_TEST_TMPDIR/ids"
	refute grep -qv '^<id>urn:uuid:[0-9a-f-]\{36\}</id>$' "$BATS_TEST_TMPDIR/ids"
	[ "$(sort -u "$BATS_TEST_TMPDIR/ids" | wc -l)" = 26 ]
	anyone GET "$(path_of "${url%%#*}")"
	[ "$status" = 200 ]
	shows 'was down'
	# Another slug: other links, the same ids.
	slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	here=/s/$slug
	see feed.atom
	grep -o '<id>[^<]*</id>' "$answer" | cmp - "$BATS_TEST_TMPDIR/ids"
	xmllint --noout "$answer"
}

# bats test_tags=server
@test "the documents below a folder are there, for those who ask as for a Statuspage" {
	known_page
	for file in incidents/unresolved scheduled-maintenances scheduled-maintenances/upcoming scheduled-maintenances/active; do
		see "api/v2/$file.json"
		[[ "$(header Content-Type)" == application/json* ]]
		jq -e '.page.id and ((.incidents // .scheduled_maintenances) == [])' "$answer"
	done
	"$ctl" incident open --monitor "$monitor" --cause x
	see api/v2/incidents/unresolved.json
	jq -e '.incidents | length == 1' "$answer"
	"$ctl" incident resolve --monitor "$monitor"
	see api/v2/incidents/unresolved.json
	jq -e '.incidents == []' "$answer"
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d password=secret
	anyone GET "$here/api/v2/incidents/unresolved.json"
	[ "$status" = 404 ] || [ "$status" = 403 ] || show
	anyone GET "$here/api/v2/incidents/unresolved.json" -H "Authorization: Bearer $key"
	want 200 '.incidents == []'
}

@test "a removed monitor takes its incidents along, unless its history is kept" {
	known_page
	second=$("$ctl" monitor add 'Stays' https://example.org/ --account "$account" --since now --json | jq .id)
	api PUT "/api/v1/status-pages/$page" -d "monitor_ids[]=$monitor" -d "monitor_ids[]=$second"
	at=$(date -u +%FT%TZ -d '-1 day')
	"$ctl" incident open --monitor "$monitor" --title 'Old trouble' --cause x --started-at "$at"
	run "$ctl" monitor remove "$monitor" </dev/null
	[ "$status" = 5 ]
	[[ "$output" == *'Its 1 incident will be deleted, unless you use --keep-history.'* ]]
	"$ctl" monitor remove "$monitor" --keep-history --yes | grep -qx 'Retired monitor .*; its history of 1 incident remains\.'
	see ''
	shows ': Old trouble'
	shows 'All systems operational'
	[ "$(grep -c '<li><div class="row">' "$answer")" = 1 ]
	api GET "/api/v1/incidents?monitor_id=$monitor"
	want 200 '.data[0].status == "resolved"'
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids == [$second]"
	# The page's list may be set anew, without the monitor, and the history stays.
	api PUT "/api/v1/status-pages/$page" -d "monitor_ids[]=$second" -d "monitor_ids[]=$monitor"
	want_fault monitor_ids.1
	api PUT "/api/v1/status-pages/$page" -d "monitor_ids[]="
	api PUT "/api/v1/status-pages/$page" -d "monitor_ids[]=$second"
	see ''
	shows ': Old trouble'
	# It takes no reports any more.
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	want_fault monitor
	"$ctl" monitor remove "$second" --yes | grep -qx 'Removed monitor Stays and 0 incidents\.'
}
