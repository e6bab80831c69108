# The console: changes of several systems at once, and the screens "Health" and "Share".
load console

# add_systems COUNT NAME: sets $ids, and $picked to the fields that choose the systems.
add_systems() {
	local i
	ids=() picked=()
	for ((i = 1; i <= $1; i++)); do
		api POST /api/v1/monitors -d name="$2 $i" -d group=Old
		ids+=("$(grep -o '"id":[0-9]*' "$answer" | head -1 | cut -d: -f2)")
		picked+=(-d "monitor_ids[]=${ids[-1]}")
	done
}

# add_channel NAME: sets $channel.
add_channel() {
	api POST /api/v1/alert-channels -d name="$1" -d type=webhook -d 'value[url]=https://hooks.example.org/'
	[ "$status" = 201 ] || show
	channel=$(jq .data.id "$answer")
}

# list_of NAME: the list that the search finds, with its form.
list_of() {
	visit GET "/console/monitors?search=$1"
	[ "$status" = 200 ] || show
	read_form
}

# bulk NAME [CURL ARGUMENT]...: sends the form around the list, as a browser does: every input is sent.
bulk() {
	local name=$1
	shift
	submit "/console/monitors/bulk?search=$name" --data-urlencode idempotency_key="$form_key" -d takes_all=0 -d sets_group=0 "$@"
}

@test "the chosen systems are paused, grouped and get alert channels, with an event each, and once" {
	join_as "bulk-ada-$$" editor
	name="Bulk$$-a"
	add_systems 3 "$name"
	add_channel "First $$"
	first=$channel
	add_channel "Second $$"
	api PUT "/api/v1/monitors/${ids[0]}" -d "alert_channel_ids[]=$first"
	list_of "$name"
	[ "$(grep -c 'class="pick"' "$answer")" = 3 ]
	says_text "value=\"$channel\"> Second $$"
	[ "$(queries)" -le 4 ]
	for _ in 1 2; do
		bulk "$name" "${picked[@]:0:4}" -d pause=pause -d sets_group=1 -d group=New -d replaces_channels=0 -d "alert_channel_ids[]=$channel"
		[ "$status" = 303 ] || show
		[ "$(header Location)" = "/console/monitors?search=$name&notice=changed&count=2" ]
	done
	visit GET "$(header Location)"
	says_text 'Systems that have changed: 2'
	api GET "/api/v1/monitors?search=$name&sort_by=id&sort=asc"
	want 200 '[.data[] | .is_paused] == [true, true, false]' '[.data[] | .group] == ["New", "New", "Old"]' \
		".data[0].alert_channel_ids == [$first, $channel]" ".data[1].alert_channel_ids == [$channel]" '.data[2].alert_channel_ids == []'
	api GET '/api/v1/events?object=monitor&per_page=10'
	want 200 "[.data[] | select(.kind == \"monitor.updated\" and .actor.label == \"bulk-ada-$$\") | .object_id] | sort == [${ids[0]}, ${ids[1]}]"
	# An empty group, and no channels any more; what is unchanged has no event.
	list_of "$name"
	bulk "$name" "${picked[@]}" -d pause= -d sets_group=1 -d group= -d replaces_channels=0 -d replaces_channels=1
	[ "$status" = 303 ] || show
	api GET "/api/v1/monitors?search=$name"
	want 200 'all(.data[]; .group == null and .alert_channel_ids == [])' '[.data[] | select(.is_paused)] | length == 2'
	list_of "$name"
	bulk "$name" "${picked[@]}" -d pause=resume
	# The form that was sent does nothing else.
	bulk "$name" -d pause=resume
	[ "$status" = 409 ] || show
	list_of "$name"
	bulk "$name" "${picked[@]}" -d pause=resume
	[ "$(header Location)" = "/console/monitors?search=$name&notice=changed&count=0" ]
}

@test "a page that shows one of the systems shows the new group" {
	join_as "bulk-bea-$$" editor
	name="Bulk$$-b"
	add_systems 2 "$name"
	api POST /api/v1/status-pages -d name="$name" -d slug="bulk-$$" -d "monitor_ids[]=${ids[1]}"
	list_of "$name"
	bulk "$name" "${picked[@]}" -d sets_group=1 -d group="Shown $$"
	[ "$status" = 303 ] || show
	anyone GET "/s/bulk-$$/"
	says_text "Shown $$"
}

@test "all or nothing: a system of another account, a channel of another account, nothing chosen" {
	join_as "bulk-cy-$$" editor
	name="Bulk$$-c"
	add_systems 2 "$name"
	other POST /api/v1/monitors -d name="Theirs $$"
	theirs=$(jq .data.id "$answer")
	other POST /api/v1/alert-channels -d name="Theirs $$" -d type=webhook -d 'value[url]=https://hooks.example.org/'
	foreign=$(jq .data.id "$answer")
	list_of "$name"
	bulk "$name" "${picked[@]}" -d "monitor_ids[]=$theirs" -d pause=pause -d group='Typed'
	[ "$status" = 422 ] || show
	says_text 'Not all of the chosen systems exist'
	[ "$(grep -c 'class="pick".* checked>' "$answer")" = 2 ]
	says_text 'value="Typed"'
	says_text "bulk?search=$name"
	bulk "$name" "${picked[@]}" -d pause=pause -d "alert_channel_ids[]=$foreign"
	[ "$status" = 422 ] || show
	says_text "The alert channel ids field must have ids of alert channels of the account."
	bulk "$name" -d pause=pause
	[ "$status" = 422 ] || show
	says_text 'Choose from 1 to 1000 systems.'
	bulk "$name" "${picked[@]}" -d sets_group=1 -d group="$(printf 'g%.0s' {1..300})"
	[ "$status" = 422 ] || show
	says_text 'The group field must'
	api GET "/api/v1/monitors?search=$name"
	want 200 'all(.data[]; .is_paused == false and .group == "Old")'
	other GET "/api/v1/monitors/$theirs"
	want 200 '.data.is_paused == false'
	visit POST '/console/monitors/bulk' "${picked[@]}" -d pause=pause
	[ "$status" = 403 ]
}

@test "a system that has too many channels with the new one is named, and nothing changes" {
	join_as "bulk-di-$$" editor
	name="Bulk$$-d"
	add_systems 2 "$name"
	full=()
	for i in $(seq 1 51); do
		add_channel "Full $$-$i"
		full+=(-d "alert_channel_ids[]=$channel")
	done
	api PUT "/api/v1/monitors/${ids[1]}" "${full[@]:0:100}"
	[ "$status" = 200 ] || show
	list_of "$name"
	bulk "$name" "${picked[@]}" -d pause=pause -d "alert_channel_ids[]=$channel"
	[ "$status" = 422 ] || show
	says_text "$name 2: The alert channel ids field must have at most 50 items."
	api GET "/api/v1/monitors?search=$name"
	want 200 'all(.data[]; .is_paused == false)'
	for i in $(grep -o '[0-9]*$' <<<"$(printf '%s\n' "${full[@]}")"); do
		api DELETE "/api/v1/alert-channels/$i"
	done
}

@test "1000 systems are changed at once by few statements, also by the search, and 1001 are not" {
	join_as "bulk-ed-$$" editor
	name="Bulk$$-e"
	sql "INSERT INTO monitors (account_id, name, created_at, updated_at)
		SELECT $account, CONCAT('$name ', seq), UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM seq_1_to_1001"
	mapfile -t ids < <(sql "SELECT id FROM monitors WHERE name LIKE '$name %' ORDER BY id")
	[ ${#ids[@]} = 1001 ]
	list_of "$name"
	bulk "$name" "${ids[@]/#/-dmonitor_ids[]=}" -d pause=pause
	[ "$status" = 422 ] || show
	says_text 'The monitor ids field must not have more than 1000 items.'
	bulk "$name" -d takes_all=1 -d pause=pause
	[ "$status" = 422 ] || show
	says_text 'The search finds more than 1000 systems.'
	api GET "/api/v1/monitors?search=$name&state=paused"
	want 200 '.meta.total == 0'
	add_channel "All $$"
	picked=("${ids[@]:0:1000}")
	bulk "$name" "${picked[@]/#/-dmonitor_ids[]=}" -d pause=pause -d sets_group=1 -d group=New -d "alert_channel_ids[]=$channel"
	[ "$status" = 303 ] || show
	[ "$(header Location)" = "/console/monitors?search=$name&notice=changed&count=1000" ]
	[ "$(queries)" -le 25 ] || log_line
	[ "$(queries)" -le 25 ]
	api DELETE "/api/v1/monitors/${ids[1000]}"
	list_of "$name"
	for _ in 1 2; do
		visit POST "/console/monitors/bulk?search=$name&state=paused&page=2" --data-urlencode "csrf=$csrf" \
			--data-urlencode idempotency_key="$form_key" -d takes_all=1 -d pause=resume
		[ "$status" = 303 ] || show
		[ "$(header Location)" = "/console/monitors?search=$name&state=paused&page=2&notice=changed&count=1000" ]
	done
	api GET "/api/v1/monitors?search=$name&state=paused"
	want 200 '.meta.total == 0'
	api GET "/api/v1/monitors?search=$name"
	want 200 ".data[0].alert_channel_ids == [$channel]" '.data[0].group == "New"'
	api GET '/api/v1/events?object=monitor'
	want 200 '.meta.total >= 2000'
}

@test "a reader and a responder get no boxes, and change nothing" {
	name="Bulk$$-f"
	add_systems 1 "$name"
	for role in reader responder; do
		join_as "bulk-$role-$$" "$role"
		list_of "$name"
		refute grep -qE 'class="pick"|monitors/bulk' "$answer"
		bulk "$name" "${picked[@]}" -d pause=pause
		[ "$status" = 403 ] || show
	done
	api GET "/api/v1/monitors/${ids[0]}"
	want 200 '.data.is_paused == false'
}

@test "a reader sees the health of the service by four statements" {
	join_as "bulk-gil-$$" reader
	visit GET /console/more
	says_text 'console/health'
	visit GET /console/health
	[ "$status" = 200 ] || show
	[ "$(queries)" -le 4 ]
	grep -qE '<dt>Answer of the database \(ms\)</dt><dd>[0-9]+</dd>' "$answer"
	says_text 'Needs a person'
}

@test "a page has its snippets as text, and those of widgets only while it is public" {
	join_as "bulk-hal-$$" editor
	api POST /api/v1/status-pages --data-urlencode "name=Say \"<hi>\" $$" -d slug="share-$$"
	page=$(jq .data.id "$answer")
	url=$(jq -r .data.url "$answer")
	visit GET "/console/pages/$page/share"
	[ "$status" = 200 ] || show
	says_text "<pre class=\"copy\">$url</pre>"
	says_text '<svg class="qr"'
	says_text "<pre class=\"copy\">${url}calendar.ics</pre>"
	says_text "&lt;img src=\"${url}badge.svg\" alt=\"Say &amp;quot;&amp;lt;hi"
	[ "$(grep -oE '[a-z]+\.(atom|rss|json|svg|js|html)\b' "$answer" | sort -u | tr '\n' ' ')" = \
		'badge.svg feed.atom widget.html widget.js ' ]
	for file in feed.atom badge.svg widget.js widget.html; do
		anyone GET "/s/share-$$/$file"
		[ "$status" = 200 ] || show
	done
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	visit GET "/console/pages/$page/share"
	says_text "${url}badge.svg"
	refute grep -q widget "$answer"
	other POST /api/v1/status-pages -d name="Theirs $$" -d slug="share-other-$$"
	visit GET "/console/pages/$(jq .data.id "$answer")/share"
	[ "$status" = 404 ]
}

@test "subscribers come from a file, and go into one" {
	join_as "bulk-ida-$$" owner
	api POST /api/v1/status-pages -d name="Import $$" -d slug="import-$$"
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/subscribers"
	says_text 'enctype="multipart/form-data"'
	read_form
	printf 'address\nimported-%s@example.org\nnot an address\n' $$ >"$BATS_TEST_TMPDIR/list.csv"
	visit POST "/console/pages/$page/subscribers/import" -F csrf="$csrf" -F "file=@$BATS_TEST_TMPDIR/list.csv"
	[ "$status" = 200 ] || [ "$status" = 422 ] || show
	printf 'address\nimported-%s@example.org\n' $$ >"$BATS_TEST_TMPDIR/list.csv"
	visit POST "/console/pages/$page/subscribers/import" -F csrf="$csrf" -F "file=@$BATS_TEST_TMPDIR/list.csv"
	[ "$status" = 200 ] || show
	says_text '<dt>Added</dt><dd><code>1</code>'
	visit GET "/console/pages/$page/subscribers"
	read_form
	for added in 1 1; do
		printf 'address\ntwice-%s@example.org\n' $$ >"$BATS_TEST_TMPDIR/list.csv"
		visit POST "/console/pages/$page/subscribers/import" -F csrf="$csrf" -F idempotency_key="$form_key" -F "file=@$BATS_TEST_TMPDIR/list.csv"
		[ "$status" = 200 ] || show
		[ "$(header Content-Type)" = 'text/html; charset=utf-8' ]
		says_text "<dt>Added</dt><dd><code>$added</code>"
	done
	[ "$(header Idempotent-Replayed)" = true ]
	visit POST "/console/pages/$page/subscribers/import" -F csrf="$csrf" -F 'file=;filename='
	[ "$status" = 422 ] || show
	says_text 'The file field is required'
	visit GET "/console/pages/$page/subscribers"
	says_text "imported-$$@example.org"
	says_text "pages/$page/subscribers/export"
	visit GET "/console/pages/$page/subscribers/export"
	[ "$status" = 200 ] || show
	says_text "imported-$$@example.org"
	join_as "bulk-jo-$$" editor
	visit GET "/console/pages/$page/subscribers/export"
	[ "$status" = 403 ]
}
