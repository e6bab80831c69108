# The second person, the withdrawal of an update while its messages wait, and who will get a text.
load console

# another NAME ROLE: another browser, with another person.
another() {
	jar=$BATS_TEST_TMPDIR/jar-$1
	: >"$jar"
	join_as "2-$1-$$" "$2"
}

as() {
	jar=$BATS_TEST_TMPDIR/jar-$1
}

demand() {
	api PUT "/api/v1/status-pages/$page" -d needs_second_person="$1"
	want 200
}

# with_messages PATH [QUERY]: the screen, by a program that sends messages.
with_messages() {
	sed -E -e "/^\[notify\]/,/^\[/s|^#? *enabled *=.*|enabled = yes|" -e "s|^log_file = .*|log_file = $BATS_TEST_TMPDIR/cgi.log|" \
		"$dir/conf/daymark.conf" >"$BATS_TEST_TMPDIR/cgi.conf"
	grep -q '^\[notify\]' "$BATS_TEST_TMPDIR/cgi.conf" || printf '\n[notify]\nenabled = yes\n' >>"$BATS_TEST_TMPDIR/cgi.conf"
	env -i DAYMARK_CONF="$BATS_TEST_TMPDIR/cgi.conf" REQUEST_METHOD=GET PATH_INFO="$1" QUERY_STRING="${2:-}" SCRIPT_NAME= \
		GATEWAY_INTERFACE=CGI/1.1 SERVER_PROTOCOL=HTTP/1.1 REMOTE_ADDR=127.0.0.1 HTTP_HOST="${base#http://}" \
		HTTP_COOKIE="daymark_session=$(session)" "${DAYMARK_BUILD:-$TOP/build}/daymark" </dev/null | tr -d '\r' >"$answer"
}

@test "a text that a person has written is published by another one" {
	another ada responder
	another bea responder
	incident
	demand 1
	as ada
	visit GET "/console/incidents/$incident"
	read_form
	submit "/console/incidents/$incident/reply" --data-urlencode 'body=We know & repair it.' -d phase=identified
	[ "$status" = 303 ]
	[ "$(header Location)" = "/console/incidents/$incident?notice=pending" ]
	visit GET "$(header Location)"
	says_text 'Your text is published when another person agrees.'
	says_text "update by 2-ada-$$"
	says_text '<dt>Body</dt><dd><code>We know &amp; repair it.'
	says_text 'another person must publish it'
	refute grep -q 'pending/[0-9]*/publish' "$answer"
	id=$(grep -o 'pending/[0-9]*/decline' "$answer" | cut -d/ -f2)
	read_form
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []'
	# The author cannot publish it by another way.
	submit "/console/pending/$id/publish"
	[ "$status" = 403 ]
	says_text 'Another person must publish'
	as bea
	visit GET /console/
	want_queries_at_most 5
	says_text 'Texts that wait for a second person: '
	says_text '<dt>Body</dt><dd><code>We know &amp; repair it.'
	read_form
	submit "/console/pending/$id/publish" -d idempotency_key="$form_key"
	[ "$status" = 303 ]
	[ "$(header Location)" = "/console/incidents/$incident?notice=posted" ]
	submit "/console/pending/$id/publish" -d idempotency_key="$form_key"
	[ "$(header Idempotent-Replayed)" = true ]
	submit "/console/pending/$id/publish"
	[ "$status" = 404 ]
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '[.data[] | [.body, .phase]] == [["We know & repair it.", "identified"]]'
	api GET "/api/v1/events?object=incident&object_id=$incident"
	want 200 "any(.data[]; .kind == \"incident.update_pending\" and .actor.label == \"2-ada-$$\")" \
		"any(.data[]; .kind == \"incident.update_approved\" and .actor.label == \"2-bea-$$\" and (.detail | contains(\"2-ada-$$\")))"
	demand 0
}

@test "a key gets 202, and a reader sees what waits but decides nothing" {
	another cy reader
	incident
	demand 1
	api POST "/api/v1/incidents/$incident/updates" -d body=Waits -d phase=monitoring -H "Idempotency-Key: wait-$$"
	want 202 '.data.kind == "update"' ".data.incident_id == $incident" '.data.author.type == "key"' \
		'.data.request | fromjson == {body: "Waits", phase: "monitoring"}'
	id=$(jq .data.id "$answer")
	[ "$(header Location)" = "$base/api/v1/pending-updates/$id" ]
	api POST "/api/v1/incidents/$incident/updates" -d body=Waits -d phase=monitoring -H "Idempotency-Key: wait-$$"
	want 202 ".data.id == $id"
	api POST "/api/v1/incidents/$incident/updates" -d body= -d phase=monitoring
	want 422
	api PUT "/api/v1/incidents/$incident" -d comment=Waits -d acknowledged_at=1
	want 202 '.data.kind == "change"'
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.comment == null' '.data.acknowledged_at == null' '.data.updates == []'
	# Who has it is not public.
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1
	want 200 '.data.acknowledged_at != null'
	api GET "/api/v1/pending-updates?incident_id=$incident&sort=asc"
	want 200 '.meta.total == 2' ".data[0].id == $id"
	api GET "/api/v1/pending-updates?incident_id=$((incident + 1))"
	want 200 '.data == []'
	api GET "/api/v1/pending-updates/$id"
	want 200 ".data.id == $id"
	other GET "/api/v1/pending-updates/$id"
	want 404
	other DELETE "/api/v1/pending-updates/$id"
	want 404
	visit GET "/console/incidents/$incident"
	says_text 'Waits'
	refute grep -q 'pending/[0-9]*/' "$answer"
	visit GET /console/
	read_form
	submit "/console/pending/$id/publish"
	[ "$status" = 403 ]
	submit "/console/pending/$id/decline"
	[ "$status" = 403 ]
	api DELETE "/api/v1/pending-updates/$id"
	want 200 '.deleted'
	api GET "/api/v1/pending-updates/$id"
	want 404
	# Monitoring does not wait; the other text dies with the incident.
	api POST /hooks/generic -d monitor="$monitor" -d state=up
	[ "$status" = 200 ]
	api DELETE "/api/v1/incidents/$incident"
	want 200
	[ "$(sql "SELECT COUNT(*) FROM pending_updates WHERE incident_id = $incident")" = 0 ]
	demand 0
}

@test "a report waits, and what the present does not allow is refused with the reason" {
	another di responder
	another eli responder
	page_with_monitor
	demand 1
	as di
	visit GET /console/incidents/new
	read_form
	submit /console/incidents/new -d title=Mail -d body=Slow -d impact=partial_outage -d "monitor_ids[]=$monitor" \
		-d next_update_at="$(date -u -d '+1 hour' +%FT%TZ)"
	[ "$status" = 303 ]
	[ "$(header Location)" = '/console/?notice=pending' ]
	id=$(sql "SELECT MAX(id) FROM pending_updates WHERE account_id = $account")
	sql "UPDATE pending_updates SET request = REGEXP_REPLACE(request, '20[0-9]{2}-', '2020-') WHERE id = $id"
	as eli
	visit GET /console/
	says_text "report by 2-di-$$"
	says_text "[$monitor]"
	read_form
	submit "/console/pending/$id/publish"
	[ "$status" = 422 ]
	says_text 'next update at must be in the future'
	sql "UPDATE pending_updates SET request = REGEXP_REPLACE(request, '\"2020-[^\"]*\"', 'null') WHERE id = $id"
	submit "/console/pending/$id/publish"
	[ "$status" = 303 ]
	[[ $(header Location) =~ ^/console/incidents/([0-9]+)\?notice=posted$ ]]
	api GET "/api/v1/incidents/${BASH_REMATCH[1]}"
	want 200 '.data.title == "Mail"' ".data.monitor_ids == [$monitor]" '.data.updates[0].body == "Slow"'
	demand 0
}

@test "the author withdraws a text by declining it, and only an owner ends the demand" {
	another fay editor
	incident
	demand 1
	visit GET "/console/incidents/$incident"
	read_form
	submit "/console/incidents/$incident/reply" -d body=Wrong -d phase=identified
	id=$(sql "SELECT MAX(id) FROM pending_updates WHERE account_id = $account")
	submit "/console/pending/$id/decline"
	[ "$(header Location)" = '/console/?notice=declined' ]
	visit GET "$(header Location)"
	says_text 'was not published'
	submit "/console/pages/$page" -d needs_second_person=0
	[ "$status" = 422 ]
	says_text 'Only an owner can switch off'
	another gus owner
	visit GET "/console/pages/$page"
	read_form
	submit "/console/pages/$page" -d needs_second_person=0
	[ "$status" = 303 ]
	submit "/console/incidents/$incident/reply" -d body=Alone -d phase=identified
	[[ $(header Location) = *notice=posted* ]]
}

@test "only an owner adds systems to a page with the demand" {
	another eda editor
	another oma owner
	incident
	shown=$page
	demand 1
	mine=$monitor
	new_monitor
	for who in eda oma; do
		as "$who"
		visit GET "/console/pages/$shown"
		read_form
		submit "/console/pages/$shown" -d "monitor_ids[]=$mine" -d "monitor_ids[]=$monitor"
		if [ "$who" = eda ]; then
			[ "$status" = 422 ] || show
			says_text 'Only an owner can add systems to a page that needs a second person.'
			# Other changes and fewer systems are allowed.
			submit "/console/pages/$shown" -d name="Named $$" -d "monitor_ids[]=$mine"
		fi
		[ "$status" = 303 ] || show
	done
	api GET "/api/v1/status-pages/$shown"
	want 200 ".data.monitor_ids == [$mine, $monitor]"
}

@test "an update can be withdrawn while its messages wait, and edited" {
	another hui responder
	incident
	visit GET "/console/incidents/$incident"
	read_form
	submit "/console/incidents/$incident/reply" -d body=First -d phase=identified
	there=$(header Location)
	visit GET "$there"
	says_text 'The update is posted.'
	refute grep -q 'Messages to subscribers' "$answer"
	with_messages "${there%%\?*}" "${there#*\?}"
	grep -qE 'Messages to subscribers wait for (30|2[0-9]) s' "$answer" || show
	update=$(grep -o 'updates/[0-9]*/withdraw' "$answer" | cut -d/ -f2)
	with_messages "/console/incidents/$incident" "notice=posted&update=$update&until=1"
	says_text 'The update is posted.'
	refute grep -q 'Messages to subscribers wait' "$answer"
	visit GET "/console/incidents/$incident/updates/$update"
	[ "$status" = 200 ]
	says_text 'First</textarea>'
	says_text "/api/v1/incidents/$incident/updates/$update"
	read_form
	version=$(grep -o 'name="version" value="[0-9]*"' "$answer" | cut -d'"' -f4)
	submit "/console/incidents/$incident/updates/$update" -d body= -d version="$version"
	[ "$status" = 422 ]
	submit "/console/incidents/$incident/updates/$update" -d body=Second -d version="$version"
	[ "$status" = 303 ]
	[ "$(header Location)" = "/console/incidents/$incident?notice=saved" ]
	submit "/console/incidents/$incident/updates/$update" -d body=Third -d version="$version"
	[ "$status" = 409 ]
	says_text 'Second'
	api GET "/api/v1/incidents/$incident/updates/$update"
	want 200 '.data.body == "Second"' '.data.edited_at != null'
	submit "/console/incidents/$incident/updates/$update/withdraw"
	[ "$status" = 303 ]
	[ "$(header Location)" = "/console/incidents/$incident?notice=withdrawn" ]
	visit GET "$(header Location)"
	says_text 'The update is withdrawn.'
	api GET "/api/v1/incidents/$incident/updates/$update"
	want 404
	submit "/console/incidents/$incident/updates/$update/withdraw"
	[ "$status" = 404 ]
}

@test "the form says who will get the text, and has its curl line" {
	another ivo responder
	incident
	sql "DELETE FROM subscribers WHERE account_id = $account"
	sql "UPDATE alert_channels SET is_enabled = 0 WHERE account_id = $account"
	visit GET "/console/incidents/$incident"
	want_queries_at_most 5
	says_text 'This service sends no messages.'
	with_messages "/console/incidents/$incident"
	says_text 'Nobody gets a message about this'
	sql "INSERT INTO subscribers (account_id, page_id, type, address, address_hash, takes_all, created_at, confirmed_at)
		VALUES ($account, $page, 0, 'a@example.org', SHA2('$page a', 256), 1, UTC_TIMESTAMP(), UTC_TIMESTAMP() - INTERVAL 1 MINUTE),
		($account, $page, 1, 'https://hook.example.org/', SHA2('$page b', 256), 1, UTC_TIMESTAMP(), UTC_TIMESTAMP() - INTERVAL 1 MINUTE),
		($account, $page, 0, 'c@example.org', SHA2('$page c', 256), 1, UTC_TIMESTAMP(), NULL)"
	sql "UPDATE alert_channels SET is_enabled = 1 WHERE account_id = $account"
	with_messages "/console/incidents/$incident"
	says_text 'Will get this: subscribers by e-mail 1, by webhook 1; alert channels '
	says_text 'This service sends no mail.'
	says_text "/api/v1/incidents/$incident/updates"
	says_text 'curl -X PUT '
	# Another page's subscribers do not hear of it.
	with_page=$page
	incident
	[ "$page" != "$with_page" ]
	with_messages "/console/incidents/$incident"
	refute grep -q 'by e-mail 1, by webhook 1' "$answer"
	visit GET /console/incidents/new
	want_queries_at_most 7
	says_text 'curl -X POST '
	for path in /console/incidents/new /console/; do
		with_messages "$path"
		says_text 'as far as they follow the systems: subscribers by e-mail 1, by webhook 1;'
	done
}

@test "the name of a user has no invisible characters" {
	for name in $'a\u200bda' $'a\u202eda' $'a\u0085da' $'a\u2066da'; do
		run "$ctl" user add "$name" --role reader --account "$account"
		[ "$status" = 2 ] || { printf '%q\n' "$name"; echo "$output"; false; }
		[[ $output = *invisible* ]]
	done
	"$ctl" user add "Ádá–名-$$" --role reader --account "$account"
}
