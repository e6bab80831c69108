# Each field of a status page, and of an incident, through create, show, update, list and the columns of its row: every
# field has a value of its own, so that one that goes to another's place is seen. The fields are
# those that openapi.json names.
load lib

list=/api/v1/status-pages

# values ROUND: a body, in which round after round another boolean is true.
values() {
	jq -c --argjson round "$1" --arg slug "$slug" --argjson monitors "$monitors" '
		.components.schemas as $all
		| [$all.StatusPageCreateJson.properties | to_entries[]
			| select($all.StatusPage.properties[.key])] as $fields
		| [$fields[] | select(.value.type == "boolean") | .key] as $booleans
		| [$fields[] | {key, value: (
			if .value.type == "boolean" then .key == $booleans[$round]
			elif .key == "time_zone" then ["Asia/Kathmandu", "America/Argentina/Buenos_Aires", "UTC", "Europe/Dublin", "Etc/GMT+12"][$round % 5]
			elif .key == "accent_color" then "#1f6fe\($round % 10)"
			elif .value.type == "integer" and .value.enum == null then .value.minimum + $round
			elif .value.enum then .value.enum[$round % (.value.enum | length)]
			elif .value.type == "array" then (if $round % 2 == 0 then $monitors else $monitors | reverse end)
			elif .key == "slug" then "\($slug)-\($round)"
			elif .key == "domain" then "\($slug)-\($round).example.org"
			elif .key | endswith("_url") then "https://\(.key | gsub("_"; "-"))-\($round).example.org/"
			else "\(.key) \($round)" end)}]
		| from_entries' "$BATS_TEST_TMPDIR/openapi"
}

# row TABLE ID: by the names of its columns.
row() {
	local columns
	columns=$(sql "SELECT GROUP_CONCAT(QUOTE(column_name), ', ', column_name) FROM information_schema.columns
		WHERE table_schema = 'daymark' AND table_name = '$1'")
	sql "SELECT JSON_OBJECT($columns) FROM $1 WHERE id = $2" | sed 's/\\\\/\\/g'
}

# shows_all FILTER: what the filter finds in the answer has each value that was sent.
shows_all() {
	jq -e --argjson sent "$sent" "$1 | . as \$shown | \$sent | all(to_entries[]; .value == \$shown[.key])" "$answer" >/dev/null ||
		{ echo "sent: $sent"; show; }
}

stores_all() {
	row status_pages "$page" >"$BATS_TEST_TMPDIR/row"
	jq -e --argjson sent "$sent" '. as $row
		| [$sent | to_entries[] | select(.key != "monitor_ids") | .value |= (if . == true then 1 elif . == false then 0 else . end)]
		| length > 10 and all(.[]; $row[.key] == .value)' "$BATS_TEST_TMPDIR/row" >/dev/null ||
		{ echo "sent: $sent"; cat "$BATS_TEST_TMPDIR/row"; false; }
}

@test "each field goes to its own column and comes back under its own name" {
	anyone GET /api/v1/openapi.json
	cp "$answer" "$BATS_TEST_TMPDIR/openapi"
	new_monitor
	monitors=$monitor
	new_monitor
	monitors="[$monitors, $monitor]"
	slug=$(new_slug)
	rounds=$(jq '[.components.schemas.StatusPageCreateJson.properties[] | select(.type == "boolean")] | length' "$BATS_TEST_TMPDIR/openapi")
	[ "$rounds" -ge 2 ]
	for round in $(seq 0 "$rounds"); do
		sent=$(values "$round")
		body=$(jq -c '. + {password: "open sesame"}' <<<"$sent")
		if [ "$round" = 0 ]; then
			api POST "$list" -H 'Content-Type: application/json' -d "$body"
			want 201
			page=$(jq .data.id "$answer")
		else
			api PUT "$list/$page" -H 'Content-Type: application/json' -d "$body"
			want 200
		fi
		shows_all .data
		stores_all
		api GET "$list/$page"
		want 200 ".data.id == $page" '.data.has_password' '.data.created_at <= .data.updated_at'
		shows_all .data
		api GET "$list?search=name%20$round&monitor_id=$monitor"
		want 200 '.data | length == 1' '.data[0] | has("custom_css") or has("custom_js") | not'
		sent=$(jq -c 'del(.custom_css, .custom_js)' <<<"$sent")
		shows_all '.data[0]'
	done
}

@test "each picture goes to its own column" {
	png 8 8 >"$BATS_TEST_TMPDIR/logo.png"
	png 9 9 >"$BATS_TEST_TMPDIR/favicon.png"
	png 7 7 >"$BATS_TEST_TMPDIR/dark.png"
	png 6 6 >"$BATS_TEST_TMPDIR/top.png"
	new_page -F "header_image=@$BATS_TEST_TMPDIR/top.png" -F "logo=@$BATS_TEST_TMPDIR/logo.png" -F "logo_dark=@$BATS_TEST_TMPDIR/dark.png" -F "favicon=@$BATS_TEST_TMPDIR/favicon.png"
	for call in create update; do
		[ "$call" = create ] || api PUT "$list/$page" -d "name=Of $call"
		jq -e '.data | (.logo_url | test("/logo-")) and (.logo_dark_url | test("/logodark-")) and (.header_image_url | test("/header-")) and (.favicon_url | test("/favicon-"))' "$answer" >/dev/null || show
		row status_pages "$page" | jq -e '(.logo_file | startswith("logo-")) and (.logo_dark_file | startswith("logodark-")) and (.header_image_file | startswith("header-")) and (.favicon_file | startswith("favicon-"))' >/dev/null
	done
}

@test "each field of an incident goes to its own column and comes back under its own name" {
	new_monitor
	now=$(date +%s)
	start=$(date -u -d "@$((now - 1200))" +%FT%TZ) end=$(date -u -d "@$((now - 300))" +%FT%TZ)
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d title='The title' -d cause='The cause' -d "at=$start"
	want 200 '.data.outcome == "opened"'
	incident=$(jq .data.incident_id "$answer")
	api PUT "/api/v1/incidents/$incident" -d comment='The comment' -d acknowledged_at=1
	want 200
	api POST /hooks/generic -d "monitor=$monitor" -d state=up -d "at=$end"
	want 200 '.data.outcome == "resolved"'
	api GET "/api/v1/incidents/$incident"
	want 200 ".data.id == $incident and .data.monitor_id == $monitor and .data.monitor.id == $monitor" \
		'.data.monitor.url == "https://example.org/"' '.data.cause == "The cause"' '.data.comment == "The comment"' \
		".data.started_at == \"$start\"" ".data.ended_at == \"$end\"" '.data.status == "resolved"' \
		'.data.duration == 900' '.data.acknowledged_at > .data.ended_at' '.data.created_at > .data.ended_at'
	row incidents "$incident" >"$BATS_TEST_TMPDIR/row"
	times=$(sql "SELECT started_at = '${start//[TZ]/ }' AND ended_at = '${end//[TZ]/ }' AND acknowledged_at > ended_at
		AND created_at > ended_at AND updated_at >= created_at FROM incidents WHERE id = $incident")
	[ "$times" = 1 ] || { cat "$BATS_TEST_TMPDIR/row"; false; }
	jq -e --argjson account "$account" --argjson monitor "$monitor" '.title == "The title" and .cause == "The cause"
		and .comment == "The comment" and .account_id == $account and .monitor_id == $monitor and .revision == 3' \
		"$BATS_TEST_TMPDIR/row" || { cat "$BATS_TEST_TMPDIR/row"; false; }
}

@test "an empty time zone or language sets the default, in each kind of body" {
	new_page
	for type in application/x-www-form-urlencoded application/json; do
		api PUT "/api/v1/status-pages/$page" -d time_zone=Europe/Berlin -d language=de
		want 200 '.data.time_zone == "Europe/Berlin"' '.data.language == "de"'
		body='time_zone=%20&language='
		[ "$type" != application/json ] || body='{"time_zone": null, "language": ""}'
		api PUT "/api/v1/status-pages/$page" -H "Content-Type: $type" -d "$body"
		want 200 '.data.time_zone == "UTC"' '.data.language == "en"'
	done
	api POST /api/v1/status-pages -d name=x -d "slug=$(new_slug)" -d time_zone= -d language=
	want 201 '.data.time_zone == "UTC"' '.data.language == "en"'
	# Other texts that a page must have may still not be empty.
	api PUT "/api/v1/status-pages/$page" -d time_zone= -d name=
	want_fault name required
}

@test "an accent color must stand out in a mode of the page" {
	new_page
	api PUT "$list/$page" -d accent_color=%23FFCC00 -d logo_height=161
	want_fault logo_height 160
	api PUT "$list/$page" -d accent_color=yellow
	want_fault accent_color 'such as #1f6feb'
	api PUT "$list/$page" -d accent_color=%23FFCC00
	want 200 '.data.accent_color == "#ffcc00"'
	api PUT "$list/$page" -d color_scheme=light
	want_fault color_scheme ':1 with the backgrounds of light mode; it needs 3:1'
	api PUT "$list/$page" -d color_scheme=light -d accent_color=%23ffcc00
	want_fault accent_color 'light mode; it needs 3:1'
	api PUT "$list/$page" -d color_scheme=dark
	want 200 '.data.color_scheme == "dark"'
	api PUT "$list/$page" -d color_scheme=grey
	want_fault color_scheme 'auto, light, dark'
	api PUT "$list/$page" --data-urlencode $'support_text=One\n\nTwo'
	want_fault support_text 'a single paragraph'
}

@test "the brand is on the page" {
	png 30 8 >"$BATS_TEST_TMPDIR/top.png"
	new_page -F accent_color=#7c5cff -F 'support_text=Call **us**.' -F "header_image=@$BATS_TEST_TMPDIR/top.png"
	anyone GET "/s/$slug/"
	grep -q '<img class="across" src="header-[0-9a-f]*.png" alt="" width="30" height="8">' "$answer"
	grep -q '<p>Call <strong>us</strong>.</p>' "$answer"
	grep -q '<meta name="twitter:card" content="summary_large_image">' "$answer"
	style=$(grep -o 'page-[0-9a-f]*\.css' "$answer")
	picture=$(grep -o 'header-[0-9a-f]*\.png' "$answer" | head -n 1)
	anyone GET "/s/$slug/$style"
	grep -q -- '--accent:#7c5cff' "$answer"
	anyone GET "/s/$slug/$picture"
	[ "$(head -n 1 "$headers" | tr -d '\r')" != '' ]
	api PUT "$list/$page" -d remove_header_image=1 -d accent_color=
	want 200 '.data.header_image_url == null' '.data.accent_color == null'
	anyone GET "/s/$slug/"
	run grep -c 'class="across"' "$answer"
	[ "$output" = 0 ]
}

# preview_of URI: the page's picture for previews, without the address.
preview_of() {
	anyone GET "$1"
	sed -n 's/^<meta property="og:image" content=".*\/\([^\/]*\)">$/\1/p' "$answer"
}

@test "a link to the page is shown with a picture of the page's state" {
	png 30 8 >"$BATS_TEST_TMPDIR/top.png"
	new_monitor
	new_page -F "monitor_ids[]=$monitor"
	well=$(preview_of "/s/$slug/")
	[[ $well == preview-*.png ]]
	grep -q '<meta property="og:image:width" content="1200">' "$answer"
	anyone GET "/s/$slug/$well"
	want 200
	grep -qi '^content-type: image/png' "$headers"
	# The width and the height are in the first part of the file.
	[ "$(od -An -tx1 -j16 -N8 "$answer" | tr -d ' ')" = 000004b000000276 ]

	api POST /api/v1/incidents -d "title=Slow" -d "monitor_ids[]=$monitor" -d impact=major_outage -d body=Looking -d phase=investigating
	want 201
	incident=$(jq .data.id "$answer")
	down=$(preview_of "/s/$slug/")
	[ "$down" != "$well" ]
	# A site may still ask for the picture of a moment ago.
	for picture in "$well" "$down"; do
		anyone GET "/s/$slug/$picture"
		want 200
	done
	# The page of an incident keeps its text, so it has the page's own picture, if any.
	[ -z "$(preview_of "/s/$slug/incident-$incident.html")" ]
	api PUT "$list/$page" -F "header_image=@$BATS_TEST_TMPDIR/top.png"
	want 200
	[[ $(preview_of "/s/$slug/incident-$incident.html") == header-*.png ]]
	[ "$(preview_of "/s/$slug/")" = "$down" ]

	api PUT "$list/$page" -d privacy=1
	want 200
	anyone GET "/s/$slug/$down"
	[ "$status" = 404 ]
}
