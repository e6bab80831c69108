# Monitors, as the API creates, changes, lists and deletes them.
load lib

list=/api/v1/monitors

# add [CURL ARGUMENT]...: creates a monitor; sets $monitor.
add() {
	api POST "$list" "$@"
	want 201
	monitor=$(jq .data.id "$answer")
}

# row ID: the columns that a client may set, and the time of the pause.
row() {
	sql "SELECT JSON_OBJECT('name', name, 'url', url, 'group', \`group\`, 'description', description, 'position', position,
		'label', label, 'known_since', known_since, 'is_paused', is_paused, 'paused', IF(paused_at IS NULL, 0, 1))
		FROM monitors WHERE id = $1" | sed 's/\\\\/\\/g' >"$BATS_TEST_TMPDIR/row"
}

want_row() {
	jq -e "$1" "$BATS_TEST_TMPDIR/row" >/dev/null || { cat "$BATS_TEST_TMPDIR/row"; false; }
}

@test "a monitor is created, shown, changed and deleted" {
	add -d 'name= Wéb ' -d url=https://web.example.org/ -d group=Shop -d 'description=The shop' -d position=3 \
		-d "label=job=$(new_slug)" -d known_since=2026-01-02T03:04:05Z
	want 201 '.data.name == "Wéb"' '.data.url == "https://web.example.org/"' '.data.group == "Shop"' \
		'.data.description == "The shop"' '.data.position == 3' '.data.known_since == "2026-01-02T03:04:05Z"' \
		'.data.state == "up"' '.data.state_since == "2026-01-02T03:04:05Z"' '.data.is_paused == false' \
		'.data.last_cause == null' '.data.status_page_count == 0' '.data.incident_count == 0' '.data.retired_at == null' \
		'.data | del(.alert_channel_ids, .alert_condition, .alert_text_lookup, .cache_buster, .confirmations, .depends_on_id, .dns_expected,
			.dns_server, .dns_type, .domain_alert_days, .expected_statuses, .follow_redirects, .grace,
			.has_request_auth_password, .heartbeat_url, .interval, .issuer_alert, .json_operator, .json_path, .json_value, .period,
			.locations, .quorum, .recoveries, .request_auth_username, .request_body, .request_headers, .request_method, .slow_ms,
			.ssl_alert_days, .tcp_expect, .tcp_send, .timeout, .type, .verify_tls) |
			keys == ["checked_at", "created_at", "description", "domain_expires_at", "group", "id", "incident_count", "is_paused",
			"known_since", "label", "last_cause", "name", "position", "response_ms", "retired_at", "state",
			"state_since", "status_page_count", "tls_expires_at", "updated_at", "uptime_1d", "uptime_30d", "uptime_7d", "uptime_90d", "url"]'
	[ "$(header Location)" = "$base$list/$monitor" ]
	cp "$answer" "$BATS_TEST_TMPDIR/created"
	etag=$(header ETag)
	api GET "$list/$monitor"
	want 200
	[ "$(header ETag)" = "$etag" ]
	[ "$(jq -S .data "$answer")" = "$(jq -S .data "$BATS_TEST_TMPDIR/created")" ]
	want_queries 4
	api GET "$list/$monitor" -H "If-None-Match: $etag"
	want 304
	[ "$(header ETag)" = "$etag" ]
	api PUT "$list/$monitor" -d name=Web -H "If-Match: $etag"
	want 200 '.data.name == "Web"' '.data.group == "Shop"'
	api PATCH "$list/$monitor" -d name=Other -H "If-Match: $etag"
	want 412
	api DELETE "$list/$monitor" -H "If-Match: $etag"
	want 412
	api DELETE "$list/$monitor"
	want 200 ". == {id: $monitor, object: \"monitor\", deleted: true, deleted_incident_count: 0, status: 200}"
	for method in GET PUT DELETE; do
		api "$method" "$list/$monitor"
		want 404
	done
}

@test "each field goes to its own column and comes back under its own name" {
	label=job=$(new_slug)
	add -d name=n1 -d url=https://u1.example.org/ -d group=g1 -d description=d1 -d position=11 -d "label=$label" \
		-d known_since=2026-01-01T01:01:01Z -d is_paused=0
	row "$monitor"
	want_row ". == {name: \"n1\", url: \"https://u1.example.org/\", group: \"g1\", description: \"d1\", position: 11,
		label: \"$label\", known_since: \"2026-01-01 01:01:01\", is_paused: 0, paused: 0}"
	api PUT "$list/$monitor" -H 'Content-Type: application/json' -d "{\"name\": \"n2\", \"url\": \"https://u2.example.org/\",
		\"group\": \"g2\", \"description\": \"d2\", \"position\": 2147483647, \"label\": \"${label}2\",
		\"known_since\": \"2026-02-02T02:02:02Z\", \"is_paused\": true}"
	want 200 '.data.name == "n2"' '.data.url == "https://u2.example.org/"' '.data.group == "g2"' '.data.description == "d2"' \
		'.data.position == 2147483647' ".data.label == \"${label}2\"" '.data.known_since == "2026-02-02T02:02:02Z"' \
		'.data.is_paused == true'
	row "$monitor"
	want_row ". == {name: \"n2\", url: \"https://u2.example.org/\", group: \"g2\", description: \"d2\", position: 2147483647,
		label: \"${label}2\", known_since: \"2026-02-02 02:02:02\", is_paused: 1, paused: 1}"
	# What was read may be sent back.
	api PUT "$list/$monitor" -H 'Content-Type: application/json' -d "$(jq -c .data "$answer")"
	want 200 '.data.name == "n2"' '.data.state == "paused"'
}

@test "an update changes only what is sent, and an empty value or null clears" {
	add -d name=Keep -d url=https://keep.example.org/ -d group=g -d description=d -d position=5 -d "label=a=$(new_slug)" \
		-d known_since=2026-01-01T00:00:00Z -d is_paused=1
	row "$monitor"
	cp "$BATS_TEST_TMPDIR/row" "$BATS_TEST_TMPDIR/before"
	api PUT "$list/$monitor" -d description=new
	want 200
	row "$monitor"
	[ "$(jq -S 'del(.description)' "$BATS_TEST_TMPDIR/row")" = "$(jq -S 'del(.description)' "$BATS_TEST_TMPDIR/before")" ]
	want_row '.description == "new"'
	api POST "$list/$monitor" -F _method=put -F group= -F url= -F description= -F label= -F known_since=
	want 200 '.data.group == null' '.data.url == null' '.data.description == null' '.data.label == null' \
		'.data.known_since == null' '.data.position == 5' '.data.name == "Keep"'
	api PATCH "$list/$monitor" -d group=x -d url=https://x.example.org/
	want 200 '.data.group == "x"' '.data.url == "https://x.example.org/"'
	api PATCH "$list/$monitor" -H 'Content-Type: application/json' -d '{"group": null, "url": null}'
	want 200 '.data.group == null' '.data.url == null'
	api PUT "$list/$monitor"
	want 200 '.data.name == "Keep"'
	incident=$("$ctl" incident open --monitor "$monitor" --cause c --json | jq .id)
	api GET "/api/v1/incidents/$incident"
	want 200 ".data.monitor == {id: $monitor, name: \"Keep\", url: null}"
}

@test "a value that is not allowed is named, and all at once" {
	add -d name=Good -d "label=a=$(new_slug)"
	taken=$(jq -r .data.label "$answer")
	api POST "$list" -d url=x
	want 422 '.errors | keys == ["name", "url"]' '.message == "The name field is required. (and 1 more error)"'
	for pair in name= url=ftp://x.example.org/ position=-1 position=2147483648 position=x position= is_paused=2 label=x \
		known_since=soon known_since=2999-01-01T00:00:00Z 'name[]=x' id=1 state=up incident_count=7 status_page_count=1 \
		retired_at=2026-01-01T00:00:00Z created_at=2026-01-01T00:00:00Z; do
		name=${pair%%=*}
		api PUT "$list/$monitor" -d "$pair"
		want_fault "${name%\[\]}"
	done
	api PUT "$list/$monitor" --data-urlencode "name=$(printf 'ü%.0s' $(seq 256))"
	want_fault name
	api PUT "$list/$monitor" --data-urlencode "group=$(printf 'ü%.0s' $(seq 256))"
	want_fault group
	api PUT "$list/$monitor" --data-urlencode "description=$(printf 'ü%.0s' $(seq 1001))"
	want_fault description
	api PUT "$list/$monitor" --data-urlencode "description=$(printf 'ü%.0s' $(seq 1000))" \
		--data-urlencode "group=$(printf 'ü%.0s' $(seq 255))" --data-urlencode "name=$(printf 'ü%.0s' $(seq 255))"
	want 200
	add -d name=Second
	api PUT "$list/$monitor" -d "label=$taken"
	want_fault label 'already been taken'
	api POST "$list" -d name=Third -d "label=$taken"
	want_fault label 'already been taken'
	api GET "$list/$monitor"
	want 200 '.data.label == null'
	[ "$(sql "SELECT COUNT(*) FROM monitors WHERE name = 'Third'")" = 0 ]
}

@test "another account sees, changes, retires and deletes nothing" {
	add -d "name=Mine $(new_slug)"
	new_page -F "monitor_ids[]=$monitor"
	for ask in "GET $list/$monitor" "PUT $list/$monitor" "PATCH $list/$monitor" "DELETE $list/$monitor" \
		"DELETE $list/$monitor?keep_history=1"; do
		read -r method path <<<"$ask"
		other "$method" "$path"
		want 404
	done
	other POST "$list/$monitor" -d _method=PUT -d name=Theirs
	want 404
	other GET "$list?status_page_id=$page"
	want 200 '.data == []'
	other GET "$list?per_page=100&sort=asc"
	want 200 ".data | map(.id) | index($monitor) == null"
	read_only=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	for ask in "POST $list" "PUT $list/$monitor" "DELETE $list/$monitor"; do
		read -r method path <<<"$ask"
		call "$read_only" "$method" "$path" -d name=x
		want 403
	done
	call "$read_only" GET "$list/$monitor"
	want 200
	for path in "$list/0" "$list/x" "$list/9223372036854775807"; do
		api GET "$path"
		want 404
	done
	anyone GET "$list"
	want 401
	api POST "$list/$monitor" -d name=x
	want 405
	api PUT "$list"
	want 405
	[[ "$(header Allow)" == *GET*POST* ]]
}

@test "the list searches names and URLs, with % and _ as ordinary characters" {
	tag=$(new_slug)
	add -d "name=$tag 100% ÜBER_x" -d "url=https://$tag.example.org/a_b"
	match=$monitor
	add -d "name=$tag 1000 uber-x" -d "url=https://other-$tag.example.org/aXb"
	api GET "$list" --get --data-urlencode "search=${tag^^} 100%"
	want 200 '.meta.total == 1' ".data[0].id == $match"
	api GET "$list" --get --data-urlencode "search=${tag} 100% über_" -d search_by=name
	want 200 '.meta.total == 1' ".data[0].id == $match"
	api GET "$list" --get --data-urlencode "search=$tag.EXAMPLE.org/a_b" -d search_by=url
	want 200 '.meta.total == 1' ".data[0].id == $match"
	api GET "$list" --get --data-urlencode "search=$tag" -d search_by=url -d sort_by=url -d sort=asc
	want 200 '.meta.total == 2' ".data[1].id == $match" ".links.first | contains(\"search_by=url\")"
	api GET "$list?search=nobody-has-this-name"
	want 200 '.data == []' '.meta.total == 0' '.meta.last_page == 1'
	for pair in search_by=id sort_by=group sort=up state=down2 per_page=20 page=0 status_page_id=0 'search=a%00b'; do
		api GET "$list?$pair"
		want_fault "${pair%%=*}"
	done
}

@test "the list filters by page, group and state" {
	tag=$(new_slug)
	add -d "name=$tag up" -d "group=$tag" -d known_since=2026-01-01T00:00:00Z
	up=$monitor
	add -d "name=$tag none" -d "group=$tag"
	none=$monitor
	add -d "name=$tag down" -d "group=$tag" -d known_since=2026-01-01T00:00:00Z -d is_paused=1
	down=$monitor
	"$ctl" incident open --monitor "$down" --cause 'It is down'
	add -d "name=$tag paused" -d "group=$tag" -d is_paused=1
	paused=$monitor
	add -d "name=$tag retired" -d "group=$tag" -d known_since=2026-01-01T00:00:00Z
	retired=$monitor
	api DELETE "$list/$retired?keep_history=1"
	want 200
	for state in up:$up no_data:$none down:$down paused:$paused retired:$retired; do
		api GET "$list?group=$tag&state=${state%:*}"
		want 200 '.meta.total == 1' ".data[0].id == ${state#*:}" ".data[0].state == \"${state%:*}\""
		want_queries_at_most 4
	done
	api GET "$list?group=${tag^^}&sort=asc"
	want 200 ".data | map(.id) == [$up, $none, $down, $paused]" '.meta.total == 4'
	api GET "$list?group=nobody-$tag"
	want 200 '.data == []'
	new_page -F "monitor_ids[]=$down" -F "monitor_ids[]=$up"
	api GET "$list?status_page_id=$page&sort=asc"
	want 200 ".data | map(.id) == [$up, $down]" '.data | all(.status_page_count == 1)'
	api GET "$list?status_page_id=$page&state=down&search=$tag"
	want 200 ".data | map(.id) == [$down]" '.data[0].last_cause == "It is down"' '.data[0].incident_count == 1'
}

@test "pages of the list follow one another without a gap, ties broken by id" {
	tag=$(new_slug)
	for _ in $(seq 12); do add -d "name=$tag" -d "url=https://$tag.example.org/"; done
	for order in name id url; do
		for sort in asc desc; do
			: >"$BATS_TEST_TMPDIR/ids"
			url="$base$list?search=$tag&sort_by=$order&sort=$sort"
			while [ "$url" != null ]; do
				api GET "${url#"$base"}"
				want 200 '.meta.total == 12' '.meta.last_page == 2'
				jq -r '.data[].id' "$answer" >>"$BATS_TEST_TMPDIR/ids"
				url=$(jq -r .links.next "$answer")
			done
			[ "$(wc -l <"$BATS_TEST_TMPDIR/ids")" = 12 ]
			flags=-n
			[ "$sort" = asc ] || flags=-nr
			sort $flags -u "$BATS_TEST_TMPDIR/ids" | cmp - "$BATS_TEST_TMPDIR/ids"
		done
	done
}

@test "a list takes two queries, two more for uptimes, and a third past the end" {
	new_page
	tag=$(new_slug)
	for i in 1 2 3; do add -d "name=$tag $i" -d known_since=2026-01-01T00:00:00Z; done
	for query in "" "&sort_by=name&per_page=10"; do
		api GET "$list?search=$tag$query"
		want 200 '.data | all(.uptime_1d == 100)' '.data | length == 3'
		want_queries 4
	done
	for query in "" "?sort_by=name&per_page=100" "?sort_by=url&sort=asc"; do
		api GET "$list$query"
		want 200
		# A test before this one may have left a monitor with maintenance.
		want_queries_at_most 5
	done
	for query in "?search=e&search_by=url&group=g&state=up" "?status_page_id=$page&state=down&search=x"; do
		api GET "$list$query"
		want 200 '.data == []'
		want_queries 2
	done
	api GET "$list?page=1000000"
	want 200 '.data == []' '.meta.total > 0'
	want_queries 3
}

@test "the order of a list without a filter reads an index only" {
	for order in 'monitors_listed|m.id' 'monitors_listed_name|m.name, m.id'; do
		sql "EXPLAIN SELECT m.id FROM monitors m FORCE INDEX (${order%|*}) WHERE m.account_id = 1 AND m.retired_at IS NULL
			ORDER BY ${order#*|} LIMIT 10" >"$BATS_TEST_TMPDIR/plan"
		grep -q 'Using index' "$BATS_TEST_TMPDIR/plan"
		refute grep -q filesort "$BATS_TEST_TMPDIR/plan"
	done
}

@test "the state follows incidents and the pause, and changes the ETag" {
	add -d name=Stateful
	want 201 '.data.state == "no_data"' '.data.state_since == null'
	etag=$(header ETag)
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d cause=Timeout
	want 200
	incident=$(jq .data.incident_id "$answer")
	api GET "$list/$monitor" -H "If-None-Match: $etag"
	want 200 '.data.state == "down"' '.data.last_cause == "Timeout"' '.data.incident_count == 1' '.data.known_since != null'
	api GET "/api/v1/incidents/$incident"
	started=$(jq -r .data.started_at "$answer")
	api PUT "$list/$monitor" -d is_paused=1
	want 200 '.data.state == "down"' ".data.state_since == \"$started\"" '.data.is_paused == true'
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200
	api GET "$list/$monitor"
	want 200 '.data.state == "paused"' '.data.last_cause == "Timeout"' '.data.state_since != null'
	api GET "/api/v1/incidents/$incident"
	ended=$(jq -r .data.ended_at "$answer")
	api PUT "$list/$monitor" -d is_paused=0
	want 200 '.data.state == "up"' ".data.state_since == \"$ended\"" '.data.is_paused == false'
	api GET "$list/$monitor"
	[ "$(header ETag)" != "$etag" ]
	sql "UPDATE monitors SET is_paused = 1, paused_at = '2026-01-01 00:00:00' WHERE id = $monitor"
	api PUT "$list/$monitor" -d is_paused=1
	want 200 ".data.state_since == \"$ended\""
	[ "$(sql "SELECT paused_at FROM monitors WHERE id = $monitor")" = '2026-01-01 00:00:00' ]
}

@test "the state follows reported outages, as pages do, in the list, too" {
	tag=$(new_slug)
	add -d "name=$tag" -d known_since=2026-01-01T00:00:00Z
	api POST /api/v1/incidents -d title=Reported -d "monitor_ids[]=$monitor" -d impact=degraded_performance -d body=Slow
	want 201
	incident=$(jq .data.id "$answer")
	started=$(jq -r .data.started_at "$answer")
	api GET "$list/$monitor"
	want 200 '.data.state == "up"'
	api POST "/api/v1/incidents/$incident/updates" -d impact=major_outage -d body=Down
	want 201
	api GET "$list/$monitor"
	want 200 '.data.state == "down"' ".data.state_since >= \"$started\""
	since=$(jq -r .data.state_since "$answer")
	api POST /api/v1/maintenances -d title=Work -d "monitor_ids[]=$monitor" -d starts_at=2026-01-01T00:00:00Z \
		-d "ends_at=$(date -u -d '+1 hour' +%FT%TZ)"
	want 201
	api GET "$list?state=down&search=$tag"
	want 200 '.meta.total == 1' ".data[0].id == $monitor" '.data[0].state == "down"' \
		".data[0].state_since == \"$since\""
	[ "$("$ctl" monitor list --account "$account" --json | jq -r ".[] | select(.id == $monitor).state")" = down ]
	for state in up maintenance; do
		api GET "$list?state=$state&search=$tag"
		want 200 '.meta.total == 0'
	done
	api POST "/api/v1/incidents/$incident/updates" -d phase=resolved -d body=Fixed
	want 201
	api GET "$list?state=maintenance&search=$tag"
	want 200 '.meta.total == 1' '.data[0].state == "maintenance"'
	sql "UPDATE maintenances SET deleted_at = '2026-01-01' WHERE account_id = $account"
	api GET "$list/$monitor"
	want 200 '.data.state == "up"' ".data.state_since >= \"$since\""
}

@test "a change of the name or the description is on the page when the response arrives" {
	page_with_monitor
	api PUT "$list/$monitor" -d "name=<New> $slug" --data-urlencode "description=Runs & <b>runs</b> $slug"
	want 200 '.data.status_page_count == 1'
	[ -z "$(header X-Daymark-Published)" ]
	anyone GET "$here/"
	shows "&lt;New&gt; $slug"
	shows "Runs &amp; &lt;b&gt;runs&lt;/b&gt; $slug"
	anyone GET "$here/summary.json"
	want 200 ".components[0].description == \"Runs & <b>runs</b> $slug\"" ".components[0].name == \"<New> $slug\""
	api PUT "$list/$monitor" -d description=
	want 200
	anyone GET "$here/"
	refute shows "$slug</p>"
	anyone GET "$here/summary.json"
	want 200 '.components[0].description == null'
}

@test "a deletion takes the incidents with it, and the page forgets both" {
	page_with_monitor
	for cause in "first $slug" "second $slug"; do
		incident=$("$ctl" incident open --monitor "$monitor" --cause "$cause" --json | jq .id)
		[ "$cause" != "first $slug" ] || "$ctl" incident resolve "$incident"
	done
	anyone GET "$here/"
	shows "second $slug"
	api DELETE "$list/$monitor" -H 'Idempotency-Key: again'"$monitor"
	want 200 '.deleted_incident_count == 2' '.object == "monitor"'
	anyone GET "$here/"
	[ "$status" = 200 ]
	refute shows "second $slug"
	refute shows "first $slug"
	api GET "/api/v1/incidents?monitor_id=$monitor"
	want 200 '.data == []' '.meta.total == 0'
	api GET "/api/v1/incidents/$incident"
	want 404
	api GET "/api/v1/status-pages/$page"
	want 200 '.data.monitor_ids == []'
	[ "$(sql "SELECT COUNT(*) FROM monitors WHERE id = $monitor")" = 0 ]
	api DELETE "$list/$monitor" -H 'Idempotency-Key: again'"$monitor"
	want 200 '.deleted_incident_count == 2'
	[ "$(header Idempotent-Replayed)" = true ]
	api DELETE "$list/$monitor?keep_history=1" -H 'Idempotency-Key: again'"$monitor"
	want 409
	api DELETE "$list/$monitor"
	want 404
	api GET "/api/v1/events?object=monitor&object_id=$monitor"
	want 200 '.data[0].kind == "monitor.deleted"' '.data[0].actor.type == "key"' 'any(.data[]; .kind == "monitor.created")'
}

@test "with keep_history the monitor is no system any more, and its incidents stay" {
	page_with_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause "kept $slug" --json | jq .id)
	api DELETE "$list/$monitor?keep_history=maybe"
	want_fault keep_history
	api DELETE "$list/$monitor?keep_history=1"
	want 200 '.deleted == true' '.deleted_incident_count == 0'
	anyone GET "$here/"
	shows "kept $slug"
	anyone GET "$here/summary.json"
	want 200 '.components == []'
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.status == "resolved"' ".data.monitor_id == $monitor"
	api GET "$list/$monitor"
	want 200 '.data.state == "retired"' '.data.retired_at != null' '.data.state_since == .data.retired_at' '.data.incident_count == 1'
	api GET "$list?sort=desc&per_page=100"
	want 200 ".data | map(.id) | index($monitor) == null"
	api PUT "$list/$monitor" -d "label=a=$slug"
	want_fault label
	api DELETE "$list/$monitor?keep_history=1"
	want 404
	api DELETE "$list/$monitor"
	want 200 '.deleted_incident_count == 1'
	api GET "/api/v1/incidents/$incident"
	want 404
	anyone GET "$here/"
	[ "$status" = 200 ]
	refute shows "kept $slug"
}

@test "uptimes leave out maintenance, move with the clock, and are not part of the ETag" {
	ago() { date -u -d "@$(($(date +%s) - $1))" +%FT%TZ; }
	add -d "name=$(new_slug)" -d "known_since=$(ago 8640000)"
	want 201 '[.data | .uptime_1d, .uptime_7d, .uptime_30d, .uptime_90d] == [100, 100, 100, 100]'
	etag=$(header ETag)
	incident=$("$ctl" incident open --monitor "$monitor" --cause x --started-at "$(ago 64800)" --json | jq .id)
	"$ctl" incident resolve "$incident" --at "$(ago 43200)"
	api GET "$list/$monitor"
	# Six hours of a day; the test may take some seconds.
	want 200 '.data.uptime_1d | . >= 74.9 and . <= 75' '.data.uptime_7d | . >= 96.4 and . <= 96.43' \
		'.data.uptime_30d == 99.16' '.data.uptime_90d == 99.72' '.data.checked_at == null' '.data.response_ms == null'
	want_queries_at_most 5
	grep -q '"uptime_30d":99.16,' "$answer"
	[ "$(header ETag)" != "$etag" ]
	etag=$(header ETag)
	# The resource as it was read some time ago.
	jq '.data | .uptime_1d = 12.5 | .uptime_90d = null | .description = "d"' "$answer" >"$BATS_TEST_TMPDIR/body"
	api PUT "$list/$monitor" -H "If-Match: $etag" -H 'Content-Type: application/json' --data-binary @"$BATS_TEST_TMPDIR/body"
	want 200 '.data.description == "d"' '.data.uptime_30d == 99.16'
	api PUT "$list/$monitor" -d uptime_1d=1 -d checked_at=x -d response_ms=5
	want 200 '.data.uptime_30d == 99.16' '.data.response_ms == null'
	etag=$(header ETag)
	api GET "$list/$monitor" -H "If-None-Match: $etag"
	want 304
	# Half of the outage began in a window, which is entered afterwards.
	api POST /api/v1/maintenances -d title=t -d "monitor_ids[]=$monitor" -d "starts_at=$(ago 65000)" -d "ends_at=$(ago 54000)"
	want 201
	api GET "$list?search=$(jq -r .name "$BATS_TEST_TMPDIR/body")"
	want 200 '.data[0].uptime_1d | . >= 87.4 and . <= 87.5'
	want_queries 5
	"$ctl" monitor list --account "$account" --json | jq -e "map(select(.id == $monitor)) | .[0].uptime_30d == 99.58"
	api DELETE "/api/v1/incidents/$incident"
	want 200
	api GET "$list/$monitor"
	want 200 '.data.uptime_1d == 100'
	api DELETE "$list/$monitor?keep_history=1"
	want 200
	api GET "$list/$monitor"
	want 200 '.data.uptime_1d == null'
}

@test "a creation is done once for its Idempotency-Key, and leaves an event" {
	tag=$(new_slug)
	for _ in 1 2; do
		api POST "$list" -d "name=$tag" -H "Idempotency-Key: $tag"
		want 201 ".data.name == \"$tag\""
	done
	[ "$(header Idempotent-Replayed)" = true ]
	[ "$(header Location)" = "$base$list/$(jq .data.id "$answer")" ]
	[ "$(sql "SELECT COUNT(*) FROM monitors WHERE name = '$tag'")" = 1 ]
	api POST "$list" -d "name=other $tag" -H "Idempotency-Key: $tag"
	want 409
	monitor=$(sql "SELECT id FROM monitors WHERE name = '$tag'")
	api PUT "$list/$monitor" -d "name=renamed $tag" -d "label=l=$tag" -d group=g -d created_at=2999-01-01T00:00:00Z
	want_fault created_at
	api PUT "$list/$monitor" -d "name=renamed $tag" -d "label=l=$tag" -d group=g
	want 200
	want_queries_at_most 9
	api PUT "$list/$monitor" -d description=d
	want 200
	api GET "/api/v1/events?object=monitor&object_id=$monitor"
	want 200 '.data | map(.kind) == ["monitor.updated", "monitor.updated", "monitor.labelled", "monitor.renamed", "monitor.created"]' \
		'.data | all(.actor.type == "key")'
	# As it was read, it changes nothing; with another label, only that.
	api GET "$list/$monitor"
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/read"
	etag=$(header ETag)
	api PUT "$list/$monitor" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/read"
	want 200 ".data.updated_at == $(jq .updated_at "$BATS_TEST_TMPDIR/read")"
	[ "$(header ETag)" = "$etag" ]
	api PUT "$list/$monitor" -d "name=renamed $tag" -d "label=m=$tag" -d is_paused=0
	want 200
	api GET "/api/v1/events?object=monitor&object_id=$monitor"
	want 200 '.data | map(.kind)[:2] == ["monitor.labelled", "monitor.updated"] and length == 6'
}

@test "daymarkctl adds and sets the same fields, and names what is wrong" {
	monitor=$("$ctl" monitor add Ctl --account "$account" --group g --description d --position 4 --paused --json | jq .id)
	api GET "$list/$monitor"
	want 200 '.data | .url == null and .group == "g" and .description == "d" and .position == 4 and .is_paused'
	"$ctl" monitor set "$monitor" --description d2 --resume
	api GET "$list/$monitor"
	want 200 '.data | .group == "g" and .description == "d2" and .position == 4 and (.is_paused | not)'
	"$ctl" monitor set "$monitor" --group '' --position 5 --url https://ctl.example.org/ --since 2026-01-01T00:00:00Z --pause
	api GET "$list/$monitor"
	want 200 '.data | .group == null and .description == "d2" and .position == 5 and .url == "https://ctl.example.org/"' \
		'.data.known_since == "2026-01-01T00:00:00Z"' '.data.state == "paused"'
	for wrong in '--position x' '--position -1' '--url ftp://x' '--since soon' '--pause --resume' ''; do
		# shellcheck disable=SC2086
		run "$ctl" monitor set "$monitor" $wrong
		[ "$status" = 2 ]
	done
	run "$ctl" monitor set 999999999 --group x
	[ "$status" = 3 ]
}

# checked ID PHASE: the monitor ID as the checker has stored it, a minute ago.
checked() {
	sql "REPLACE INTO monitor_checks (monitor_id, account_id, type, \`interval\`, timeout, confirmations, recoveries, slow_ms,
			depends_on_id, request_method, cache_buster, follow_redirects, verify_tls, alert_condition, json_operator,
			dns_type, ssl_alert_days, domain_alert_days, period, grace, changed_at)
		SELECT id, account_id, 1, 60, 10, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, UTC_TIMESTAMP()
		FROM monitors WHERE id = $1;
		REPLACE INTO monitor_states (monitor_id, phase, since, checked_at, failures, successes, is_slow, changes,
			is_flapping, response_ms, cause, tls_expires_at, domain_expires_at)
		VALUES ($1, $2, UTC_TIMESTAMP() - INTERVAL 1 MINUTE, '2026-01-02 03:04:05', 0, 0, 0, 0, 0, 87, 'no route',
			'2030-01-01', '2030-02-01')"
}

@test "the checker sets state, response time and certificate, and a gap is no data" {
	tag=$(new_slug)
	add -d "name=$tag" -d "group=$tag" -d known_since=2026-01-01T00:00:00Z
	number=0
	for state in pending up confirming; do
		checked "$monitor" "$number"
		number=$((number + 1))
		api GET "$list/$monitor"
		want 200 ".data.state == \"$state\"" '.data.checked_at == "2026-01-02T03:04:05Z"' '.data.response_ms == 87' \
			'.data.tls_expires_at == "2030-01-01T00:00:00Z"' '.data.domain_expires_at == null' \
			".data.last_cause == $([ $state = confirming ] && echo '"no route"' || echo null)"
		want_queries 4
		for other in up confirming down pending no_data paused maintenance retired; do
			api GET "$list?group=$tag&state=$other"
			want 200 ".meta.total == $([ $other = $state ] && echo 1 || echo 0)"
			want_queries_at_most 4
		done
	done
	sql "UPDATE monitor_checks SET domain_alert_days = 30 WHERE monitor_id = $monitor"
	api GET "$list/$monitor"
	want 200 '.data.domain_expires_at == "2030-02-01T00:00:00Z"'
	checked "$monitor" 1
	sql "INSERT INTO monitor_gaps (monitor_id, started_at) VALUES ($monitor, UTC_TIMESTAMP() - INTERVAL 2 DAY)"
	api GET "$list?group=$tag&state=no_data"
	want 200 ".data[0].id == $monitor" '.data[0].state == "no_data"' '.data[0].uptime_1d == null' '.data[0].uptime_7d == 100' \
		'(now - (.data[0].state_since | fromdate) - 172800) | fabs < 60'
	# The gap ends: the day is unknown, and the system is up since then.
	sql "UPDATE monitor_gaps SET ended_at = UTC_TIMESTAMP(), ends_at = UTC_TIMESTAMP()"
	api GET "$list/$monitor"
	want 200 '.data.state == "up"' '(now - (.data.state_since | fromdate)) | fabs < 60'
	# Gaps cost lists a query, which other tests count.
	want_queries 5
	api DELETE "$list/$monitor"
	want 200
}

# figures TABLE COLUMN START CHECKS FAILURES SUM MIN MAX: a row of $monitor.
figures() {
	sql "INSERT INTO $1 (monitor_id, $2, checks, failures, response_sum_ms, response_min_ms, response_max_ms)
		VALUES ($monitor, $3, $4, $5, $6, $7, $8)"
}

@test "response times are listed by the hour or the day" {
	add -d name=Fast
	times=$list/$monitor/response-times
	api GET "$times"
	want 200 ".data == {\"monitor_id\": $monitor, \"range\": \"1d\", \"points\": []}"
	this="UTC_TIMESTAMP() - INTERVAL MINUTE(UTC_TIMESTAMP()) * 60 + SECOND(UTC_TIMESTAMP()) SECOND"
	figures monitor_hours hour "$this" 3 1 250 100 150
	figures monitor_hours hour "$this - INTERVAL 24 HOUR" 60 60 0 0 0
	figures monitor_hours hour "$this - INTERVAL 25 HOUR" 60 0 600 9 11
	figures monitor_hours hour "$this - INTERVAL 169 HOUR" 1 0 1 1 1
	figures monitor_days day 'UTC_DATE()' 1440 0 14400 8 12
	figures monitor_days day 'UTC_DATE() - INTERVAL 31 DAY' 1440 1440 0 0 0
	api GET "$times"
	want 200 '.data.points | length == 2' '.data.points[0] | del(.at) == {checks: 60, failures: 60, average_ms: null, min_ms: null, max_ms: null}' \
		'.data.points[1] | del(.at) == {checks: 3, failures: 1, average_ms: 125, min_ms: 100, max_ms: 150}' \
		'.data.points[1].at | endswith(":00:00Z")'
	want_queries 2
	api GET "$times?range=7d"
	want 200 '.data.range == "7d"' '.data.points | map(.checks) == [60, 60, 3]'
	api GET "$times?range=30d"
	want 200 '.data.points | map(.average_ms) == [10]' '.data.points[0].at | endswith("T00:00:00Z")'
	api GET "$times?range=90d"
	want 200 '.data.points | map(.checks) == [1440, 1440]'
	api GET "$times?range=2d"
	want 422 '.errors.range != null'
	api GET "$list/999999999/response-times"
	want 404
	other GET "$times"
	want 404
	api DELETE "$list/$monitor"
	want 200
	api GET "$times"
	want 404
}
