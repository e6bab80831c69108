# The lines for curl below the forms of the console: each is run as it is printed, and does what its form does.
load console

# find_line PATTERN: the first line of the last screen that matches; the address of the API ends each.
find_line() {
	if grep -q '<pre>curl' "$answer"; then cp "$answer" "$BATS_TEST_TMPDIR/screen"; fi
	python3 - "$BATS_TEST_TMPDIR/screen" "$1" <<-'PYTHON'
		import html, re, sys
		lines = re.findall(r'<pre>(curl .*?)</pre>', open(sys.argv[1]).read(), re.S)
		lines = [html.unescape(line).replace(" \\\n  ", " ") for line in lines]
		print(next(line for line in lines if re.search(sys.argv[2], line, re.S)))
	PYTHON
}

# run_line PATTERN [SED]: runs the line of the last screen that matches, with the key, and changed by sed. The response is as after api.
run_line() {
	local line
	line=$(find_line "$1") || show
	line=$(sed -zE -e "${2:-}" <<<"$line")
	status=$(DAYMARK_KEY=$key bash -c "$line -s -o '$answer' -D '$headers' -w '%{http_code}'")
	[[ $status = 20* ]] || {
		echo "$line"
		show
	}
}

# same PATH PATH: both objects have the same values, except for those that tell them apart.
same() {
	local path
	for path; do
		api GET "/api/v1/$path"
		[ "$status" = 200 ] || show
		jq -S '.data | walk(if type == "object" then del(.id, .created_at, .updated_at, .url, .slug, .heartbeat_url, .etag, .state_since, .started_at, .duration, .occurrence_id) else . end)' \
			"$answer" >"$BATS_TEST_TMPDIR/$(tr / - <<<"$path")"
	done
	diff "$BATS_TEST_TMPDIR/$(tr / - <<<"$1")" "$BATS_TEST_TMPDIR/$(tr / - <<<"$2")"
}

# made PATH [CURL ARGUMENT]...: sets $id to that of a new object.
made() {
	local path=$1
	shift
	api POST "/api/v1/$path" "$@"
	[ "$status" = 201 ] || show
	id=$(jq .data.id "$answer")
}

# form_id: the id in the redirect of a form.
form_id() {
	[ "$status" = 303 ] || show
	local to
	to=$(header Location)
	to=${to%%\?*}
	echo "${to##*/}"
}

@test "the line of a stored object makes another one like it" {
	join_as "curl-ada-$$" owner
	made alert-channels -d name="Bell $$" -d type=ntfy -d 'value[topic]=down' -d delay=60 -d takes_all_monitors=1
	channel=$id
	made alert-channels -d name="Bell 2 $$" -d type=ntfy -d 'value[topic]=other'
	visit GET "/console/channels/$channel"
	run_line "PUT .*alert-channels/$channel'" "s|/$channel'|/$id'|"
	same "alert-channels/$channel" "alert-channels/$id"

	made monitors --data-urlencode "name=It's <one> \$HOME \`x\` $$" -d type=http -d url=https://shop.example.org/ -d interval=30 -d verify_tls=0 -d group=Web \
		-d 'request_headers[0][key]=X-From' --data-urlencode 'request_headers[0][value]=a b&c' -d 'request_headers[1][key]=X-To' -d 'request_headers[1][value]=é' \
		-d "alert_channel_ids[]=$channel" -d "alert_channel_ids[]=$id" --data-urlencode $'description=two\nlines' -d is_paused=1 -d confirmations=4
	monitor=$id
	made monitors -d name=Other -d url=https://other.example.org/ -d type=http
	visit GET "/console/monitors/$monitor"
	run_line "PUT .*monitors/$monitor'" "s|/$monitor'|/$id'|"
	same "monitors/$monitor" "monitors/$id"

	made incident-templates -d name="T $$" -d title='{system} fails' -d body='Since {since}.' -d phase=identified -d impact=major_outage -d "monitor_ids[]=$monitor"
	template=$id
	made incident-templates -d name="U $$" -d title=x
	visit GET "/console/templates/$template"
	run_line "PUT .*incident-templates/$template'" "s|/$template'|/$id'|; s/name=T/name=V/"
	api PUT "/api/v1/incident-templates/$template" -d name="W $$"
	api PUT "/api/v1/incident-templates/$id" -d name="X $$"
	api GET "/api/v1/incident-templates/$id"
	want 200 '.data.title == "{system} fails"' '.data.phase == "identified"' '.data.impact == "major_outage"' ".data.monitor_ids == [$monitor]"

	day=$(date -u -d '30 days' +%F)
	made maintenances -d title="Disks $$" -d body=Text -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00:30Z -d ends_at=${day}T11:00:00Z -d remind_before=3600
	window=$id
	made maintenances -d title=Other -d starts_at=${day}T12:00:00Z -d ends_at=${day}T13:00:00Z
	visit GET "/console/maintenances/$window"
	run_line "PUT .*maintenances/$window'" "s|/$window'|/$id'|"
	api GET "/api/v1/maintenances/$id"
	want 200 ".data.title == \"Disks $$\"" ".data.starts_at == \"${day}T10:00:30Z\"" ".data.monitor_ids == [$monitor]" '.data.remind_before == 3600' '.data.body == "Text"'

	made status-pages -d name="Page $$" -d slug="curl-$$" -d language=de -d privacy=2 -d password='open sesame' -d accent_color=#1f6feb \
		--data-urlencode $'custom_css=h1 {\n  color: red }' -d noindex=1 -d logo_height=48 -d "monitor_ids[]=$monitor"
	page=$id
	made status-pages -d name="Other $$" -d slug="curl-$$-2" -d password='open sesame' -d privacy=2
	for tab in "" /design /access /systems; do
		visit GET "/console/pages/$page$tab"
		run_line "PUT .*status-pages/$page'" "s|/$page'|/$id'|; s/ --data-urlencode 'slug=[^']*'//"
	done
	same "status-pages/$page" "status-pages/$id"
	# Pictures are a line of their own.
	png 8 8 >"$BATS_TEST_TMPDIR/logo"
	visit GET "/console/pages/$page/design"
	run_line "logo=@FILE" "s|/$page'|/$id'|; s|@FILE|@$BATS_TEST_TMPDIR/logo|g"
	api GET "/api/v1/status-pages/$id"
	want 200 '.data.logo_url != null' '.data.favicon_url != null'
}

@test "the line of a typed form makes what the form makes" {
	join_as "curl-bea-$$" owner
	made alert-channels -d name="Bell $$" -d type=ntfy -d 'value[topic]=down'
	channel=$id
	visit GET /console/monitors/new
	read_form
	typed=(-d name="Typed $$" -d type=http -d url=https://shop.example.org/ -d verify_tls=0 -d follow_redirects=0 -d follow_redirects=1
		-d 'request_headers[0][key]=X-From' -d 'request_headers[0][value]=console' -d 'request_headers[1][key]=' -d 'request_headers[1][value]='
		-d alert_channel_ids= -d "alert_channel_ids[]=$channel" -d group= -d confirmations=3)
	submit /console/monitors "${typed[@]}" -d interval=0
	[ "$status" = 422 ] || show
	run_line 'POST .*/monitors' 's/interval=0/interval=45/'
	line=$(jq .data.id "$answer")
	submit /console/monitors "${typed[@]}" -d interval=45
	same "monitors/$(form_id)" "monitors/$line"

	visit GET '/console/channels/new?type=ntfy'
	read_form
	typed=(-d type=ntfy -d 'value[topic]=up' -d 'value[server]=' -d is_enabled=0 -d is_enabled=1 -d takes_all_monitors=0 -d takes_all_monitors=1)
	submit /console/channels "${typed[@]}" -d name=
	[ "$status" = 422 ] || show
	run_line 'POST .*/alert-channels' "s/name=/name=Typed $$/"
	line=$(jq .data.id "$answer")
	submit /console/channels "${typed[@]}" -d name="Typed $$"
	same "alert-channels/$(form_id)" "alert-channels/$line"

	made monitors -d name="Shown $$"
	monitor=$id
	day=$(date -u -d '30 days' +%F)
	visit GET /console/maintenances/new
	read_form
	typed=(-d body= -d monitor_ids= -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00 -d auto_transition=0 -d auto_transition=1 -d duration=3600
		-d time_zone=Europe/Berlin -d rrule='FREQ=DAILY;COUNT=3' -d ends_at= -d remind_before= -d status=)
	submit /console/maintenances "${typed[@]}" -d title=
	[ "$status" = 422 ] || show
	run_line 'POST .*/maintenances' "s/title=/title=Daily $$/"
	line=$(jq .data.id "$answer")
	submit /console/maintenances "${typed[@]}" -d title="Daily $$"
	same "maintenances/$(form_id)" "maintenances/$line"

	visit GET /console/incidents/new
	read_form
	typed=(--data-urlencode $'body=Some *text*,\nand more.' -d "monitor_ids[]=$monitor" -d impact=major_outage -d next_update_at= -d title="Typed $$")
	submit /console/incidents/new "${typed[@]}" -d phase=never
	[ "$status" = 422 ] || show
	run_line 'POST .*/incidents' 's/phase=never/phase=identified/'
	line=$(jq .data.id "$answer")
	submit /console/incidents/new "${typed[@]}" -d phase=identified
	incident=$(form_id)
	same "incidents/$incident" "incidents/$line"
	visit GET "/console/incidents/$incident"
	run_line "POST .*incidents/$incident/updates'" "s/body=/body=By the line/; s/phase=[a-z]*/phase=monitoring/"
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.updates[0].body == "By the line"' '.data.phase == "monitoring"'
}

@test "parts, buttons and people have lines, too" {
	join_as "curl-cy-$$" owner
	made monitors -d name="Part $$" -d type=http -d url=https://shop.example.org/
	monitor=$id
	visit GET "/console/monitors/$monitor"
	run_line "monitors/$monitor/check'"
	[ "$status" = 202 ]
	made maintenances -d title="Disks $$" -d "monitor_ids[]=$monitor" -d starts_at="$(date -u -d '-1 hour' +%FT%TZ)" -d ends_at="$(date -u -d '1 hour' +%FT%TZ)"
	visit GET "/console/maintenances/$id"
	run_line "maintenances/$id/updates'" 's/body=/body=We work./'
	api GET "/api/v1/maintenances/$id"
	want 200 '.data.updates[0].body == "We work."'
	visit GET "/console/maintenances/$id"
	run_line "DELETE .*maintenances/$id'"
	visit GET "/console/monitors/$monitor"
	run_line "DELETE .*keep_history=1'"
	api GET "/api/v1/monitors/$monitor"
	want 200 '.data.state == "retired"'

	made status-pages -d name="Parts $$" -d slug="parts-$$" -d privacy=1
	visit GET "/console/pages/$id/subscribers"
	run_line "status-pages/$id/subscribers'" "s/address=/address=one-$$@example.org/"
	printf 'address\ntwo-%s@example.org\n' $$ >"$BATS_TEST_TMPDIR/file.csv"
	run_line "status-pages/$id/subscribers/import'" "s|@FILE|@$BATS_TEST_TMPDIR/file.csv|"
	visit GET "/console/pages/$id/subscribers"
	says_text "one-$$@example.org"
	says_text "two-$$@example.org"
	subscriber=$(sql "SELECT MAX(id) FROM subscribers")
	run_line "DELETE .*subscribers/ID'" "s/ID'/$subscriber'/"
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE id = $subscriber")" = 0 ]
	visit GET "/console/pages/$id/links"
	run_line "status-pages/$id/links'"
	[[ $(jq -r .data.url "$answer") = *link=* ]] || show

	visit GET /console/people
	run_line "POST .*/users'" "s/name=/name=curl-dan-$$/; s/role=[a-z]*/role=editor/"
	dan=$(jq .data.id "$answer")
	visit GET /console/people
	run_line "users/ID/reset'" "s/ID/$dan/"
	visit GET "/console/people/$dan"
	run_line "PUT .*role" 's/role=editor/role=responder/'
	run_line "PUT .*disabled_at"
	api GET "/api/v1/users/$dan"
	want 200 '.data.role == "responder"' '.data.disabled_at != null'
	run_line "DELETE .*users/$dan'"
	api GET "/api/v1/users/$dan"
	[ "$status" = 404 ]
}

@test "the first screen has a line for its replies, and a text that waits has the line that declines it" {
	join_as "curl-now-$$" owner
	made monitors -d name="Now $$"
	monitor=$id
	made status-pages -d name="Now $$" -d slug="curl-now-$$" -d "monitor_ids[]=$monitor"
	page=$id
	made incidents -d title="Now $$" -d impact=major_outage -d phase=investigating -d "monitor_ids[]=$monitor"
	visit GET /console
	run_line 'POST .*/incidents/ID/updates' "s|/ID/|/$id/|; s|body=[^']*|body=By the line.|"
	api GET "/api/v1/incidents/$id"
	want 200 'any(.data.updates[]; .body == "By the line.")'
	api PUT "/api/v1/status-pages/$page" -d needs_second_person=1
	api POST "/api/v1/incidents/$id/updates" -d body='It waits.'
	[ "$status" = 202 ] || show
	visit GET "/console/incidents/$id"
	run_line 'DELETE .*/pending-updates/'
	api GET "/api/v1/pending-updates?incident_id=$id"
	want 200 '.data == []'
}
