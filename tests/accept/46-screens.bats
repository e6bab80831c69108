# The screens of resources in the console: lists, forms that the field tables make, actions.
load console

# version: of the form that was read.
version() {
	grep -o 'name="version" value="[^"]*"' "$answer" | tail -1 | cut -d'"' -f4
}

# location: the path of the redirect, without the notice.
location() {
	local to
	to=$(header Location)
	echo "${to%%\?*}"
}

@test "a system is added, changed, checked, retired and deleted" {
	join_as "screens-ada-$$" editor
	visit GET /console/monitors/new
	[ "$status" = 200 ]
	read_form
	submit /console/monitors --data-urlencode idempotency_key="$form_key" -d name= -d type=http -d url=ftp://x -d interval=0
	[ "$status" = 422 ] || show
	says_text 'The name field is required'
	says_text 'value="ftp://x"'
	says_text 'The interval field must be from 1 to'
	read_form
	for _ in 1 2; do
		submit /console/monitors --data-urlencode idempotency_key="$form_key" --data-urlencode 'name=Shop <1>' -d type=http \
			-d url=https://shop.example.org/ -d interval=60 -d verify_tls=0 -d follow_redirects=0 -d follow_redirects=1 \
			-d 'request_headers[0][key]=X-From' -d 'request_headers[0][value]=console' -d 'request_headers[1][key]=' -d 'request_headers[1][value]='
		[ "$status" = 303 ] || show
	done
	monitor=$(location)
	monitor=${monitor##*/}
	api GET "/api/v1/monitors?search=Shop%20%3C1%3E"
	want 200 '.data | length == 1' '.data[0].verify_tls == false' '.data[0].follow_redirects == true' \
		'.data[0].request_headers == [{"key":"X-From","value":"console"}]' '.data[0].confirmations == 2'
	visit GET "/console/monitors/$monitor?notice=added"
	says_text 'Added.'
	says_text 'Shop &lt;1&gt;'
	says_text 'name="request_headers[0][key]"'
	says_text "curl -X PUT"
	read_form
	first=$(version)
	submit "/console/monitors/$monitor" -d version="$first" -d is_paused=0 -d is_paused=1 -d group=Web
	[ "$status" = 303 ] || show
	[ "$(location)" = "/console/monitors/$monitor" ]
	# Somebody else has changed the system meanwhile: both values are shown, and nothing is saved.
	submit "/console/monitors/$monitor" -d version="$first" -d group=Other
	[ "$status" = 409 ] || show
	says_text 'Now: Web'
	says_text 'value="Other"'
	[ "$(version)" != "$first" ]
	api GET "/api/v1/monitors/$monitor"
	want 200 '.data.group == "Web"' '.data.is_paused' '.data.url == "https://shop.example.org/"'
	submit "/console/monitors/$monitor" -d version="$(version)" -d request_headers=
	api GET "/api/v1/monitors/$monitor"
	want 200 '.data.request_headers == []'
	submit "/console/monitors/$monitor/delete?keep_history=1"
	[ "$status" = 303 ]
	[ "$(header Location)" = '/console/monitors?notice=deleted' ]
	api GET "/api/v1/monitors/$monitor"
	want 200 '.data.state == "retired"'
	submit "/console/monitors/$monitor/delete"
	api GET "/api/v1/monitors/$monitor"
	[ "$status" = 404 ]
	api GET '/api/v1/events?object=monitor&per_page=10'
	want 200 ".data[0].kind == \"monitor.deleted\" and .data[0].actor.label == \"screens-ada-$$\""
}

@test "the secret value of a header is neither shown again nor kept" {
	join_as "screens-oz-$$" editor
	visit GET /console/monitors/new
	read_form
	made_for=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	fields=(-d made_for="$made_for" -d url=https://shop.example.org/ -d type=http -d 'request_headers[0][value]=s3cret-42' -d 'request_headers[0][key]=Authorization'
		-d 'request_headers[1][key]=X-From' -d 'request_headers[1][value]=here-43')
	submit /console/monitors -d name= "${fields[@]}"
	[ "$status" = 422 ] || show
	says_text here-43
	says_text 'value="Authorization"'
	refute grep -q s3cret-42 "$answer"
	: >"$jar"
	submit /console/monitors -H "Origin: $base" -d name=Kept "${fields[@]}"
	[ "$status" = 403 ] || show
	says_text here%2D43
	refute grep -q s3cret-42 "$answer"
}

@test "a refusal of which no input tells stands above the form" {
	join_as "screens-quo-$$" owner
	api POST /api/v1/status-pages -d name="Q $$" -d slug="q-$$"
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/design"
	read_form
	submit "/console/pages/$page/design" -d version="$(version)" -d time_zone=Nowhere
	[ "$status" = 422 ] || show
	says_text 'The time zone field must be'
}

@test "a form for something new has numbers that the API takes" {
	join_as "screens-pat-$$" owner
	visit GET /console/monitors/new
	for name in position domain_alert_days; do
		grep -q "name=\"$name\" .*value=\"0\"" "$answer" || show
	done
	grep -q 'name="slow_ms" .*value=""' "$answer" || show
	visit GET '/console/channels/new?type=ntfy'
	grep -q 'name="delay" .*value="0"' "$answer" || show
}

@test "lists are searched, filtered and read in parts" {
	join_as "screens-bea-$$" reader
	for i in $(seq 1 21); do
		api POST /api/v1/monitors -d name="List $$-$i" >/dev/null
	done
	visit GET "/console/monitors?search=List+$$-&state=&group="
	[ "$status" = 200 ] || show
	[ "$(grep -c '<article' "$answer")" = 20 ]
	says_text "search=List+$$-&amp;page=2"
	visit GET "/console/monitors?search=List+$$-&page=2"
	[ "$(grep -c '<article' "$answer")" = 1 ]
	says_text 'Previous'
	visit GET "/console/monitors?search=List+$$-&state=down"
	says_text 'There is nothing to show.'
	# An open incident is marked.
	incident
	visit GET '/console/incidents?status=unresolved'
	says_text '<article class="row">'
	visit GET '/console/incidents?status=resolved'
	refute grep -qF '<article class="row">' "$answer"
	visit GET "/console/monitors?search=List+$$-&state=down"
	# A reader gets no form and no button.
	refute grep -qE 'monitors/new|method="post" action="/console/monitors' "$answer"
	visit GET /console/monitors/new
	[ "$status" = 403 ]
}

@test "a page is made with logo, colours, systems, password and link" {
	join_as "screens-cy-$$" owner
	api POST /api/v1/monitors -d name="Paged $$"
	monitor=$(jq .data.id "$answer")
	visit GET /console/pages/new
	read_form
	submit /console/pages --data-urlencode idempotency_key="$form_key" -d name="Page $$" -d slug="page-$$" -d language=de -d time_zone=Europe/Berlin -d website_url=
	[ "$status" = 303 ] || show
	page=$(location)
	page=${page##*/}
	png 8 8 >"$BATS_TEST_TMPDIR/logo"
	visit GET "/console/pages/$page/design"
	says_text 'enctype="multipart/form-data"'
	read_form
	visit POST "/console/pages/$page/design" -F csrf="$csrf" -F version="$(version)" -F accent_color=#1f6feb -F color_scheme=dark \
		-F logo_height=48 -F remove_logo=0 -F custom_css= -F "logo=@$BATS_TEST_TMPDIR/logo" -F "favicon=;filename="
	[ "$status" = 303 ] || show
	[ "$(location)" = "/console/pages/$page/design" ]
	visit GET "/console/pages/$page/access"
	read_form
	submit "/console/pages/$page/access" -d version="$(version)" -d privacy=2 -d password='open sesame' -d noindex=0 -d noindex=1
	[ "$status" = 303 ] || show
	# The empty input of a password keeps the password.
	visit GET "/console/pages/$page/access"
	submit "/console/pages/$page/access" -d version="$(version)" -d privacy=2 -d password= -d allow_subscribers=0
	[ "$status" = 303 ] || show
	api GET "/api/v1/status-pages/$page"
	want 200 '.data.has_password' '.data.privacy == 2' '.data.noindex' '.data.allow_subscribers == false' \
		'.data.accent_color == "#1f6feb"' '.data.logo_url != null' '.data.language == "de"'
	visit GET "/console/pages/$page/links"
	read_form
	submit "/console/pages/$page/links" -d expires_in=3600 -d label=press
	[ "$status" = 200 ] || show
	says_text '<dt>URL</dt>'
	visit GET "/console/pages/$page/links"
	says_text press
	refute grep -q 'access=' "$answer"
	read_form
	link=$(grep -o "pages/$page/links/[0-9]*/delete" "$answer" | head -1)
	submit "/console/$link"
	[ "$status" = 303 ] || show
	visit GET "/console/pages/$page/links"
	refute grep -q press "$answer"
	visit GET "/console/pages/$page/subscribers"
	read_form
	submit "/console/pages/$page/subscribers" -d address=not-an-address
	[ "$status" = 422 ]
	says_text 'value="not-an-address"'
	submit "/console/pages/$page/subscribers" -d address="reader-$$@example.org"
	[ "$status" = 303 ] || show
	visit GET "/console/pages/$page/subscribers"
	says_text "reader-$$@example.org"
}

# place N ID SHOWN PLACE: the fields of a system in the form of a page.
place() {
	printf -- '-d systems[%s][monitor_id]=%s -d systems[%s][is_shown]=%s -d systems[%s][place]=%s ' "$1" "$2" "$1" "$3" "$1" "$4"
}

@test "the systems of a page are chosen and ordered, whatever part of them is on the screen" {
	join_as "screens-ida-$$" editor
	ids=()
	for i in $(seq 1 45); do
		api POST /api/v1/monitors -d name="Order $$-$i"
		ids+=("$(jq .data.id "$answer")")
	done
	api POST /api/v1/status-pages -d name="Order $$" -d slug="order-$$" $(printf -- '-d monitor_ids[]=%s ' "${ids[@]:0:44}")
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/systems?search=Order+$$-45"
	[ "$status" = 200 ] || show
	[ "$(grep -c 'value="1" checked' "$answer")" = 40 ]
	says_text "Order $$-45"
	says_text "?page=2"
	[ "$(wc -c <"$answer")" -lt 24000 ]
	read_form
	# The first one leaves, the last of the screen comes first, a new one comes second; the other four parts stay.
	submit "/console/pages/$page/systems" -d version="$(version)" $(place 0 "${ids[0]}" 0 1) $(place 1 "${ids[1]}" 1 2) \
		$(place 39 "${ids[39]}" 1 1) $(place 40 "${ids[44]}" 1 2)
	[ "$status" = 303 ] || show
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids[0] == ${ids[39]}" ".data.monitor_ids[1] == ${ids[44]}" ".data.monitor_ids[2] == ${ids[1]}" \
		".data.monitor_ids[-1] == ${ids[43]}" '.data.monitor_ids | length == 44'
	visit GET "/console/pages/$page/systems?page=2"
	[ "$(grep -c 'value="1" checked' "$answer")" = 4 ]
	says_text "Order $$-44"
	says_text "systems?page=1\">Previous"
	read_form
	# The part of the list stays, and a second press of the button changes nothing more.
	read_version=$(version)
	for _ in 1 2; do
		submit "/console/pages/$page/systems" -d version="$read_version" -d idempotency_key="$form_key" -d page=2 $(place 0 "${ids[43]}" 1 43)
		[ "$status" = 303 ] || show
		[ "$(header Location)" = "/console/pages/$page/systems?notice=saved&page=2" ]
	done
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids[42] == ${ids[43]}"
	submit "/console/pages/$page/systems" -d version=1 $(place 0 "${ids[39]}" 0 1)
	[ "$status" = 409 ] || show
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids[0] == ${ids[39]}"
}

@test "a report begins with a template, whose placeholders are filled in" {
	join_as "screens-jo-$$" editor
	api POST /api/v1/monitors --data-urlencode "name=Till $$"
	monitor=$(jq .data.id "$answer")
	visit GET /console/templates/new
	read_form
	submit /console/templates --data-urlencode idempotency_key="$form_key" -d name="Down $$" -d title='{system} is down' \
		-d body='Since {since}.' -d phase=identified -d impact=major_outage -d monitor_ids= -d "monitor_ids[]=$monitor"
	[ "$status" = 303 ] || show
	template=$(location)
	template=${template##*/}
	visit GET /console/incidents/new
	says_text ">Down $$</option>"
	[ "$(queries)" -le 4 ]
	visit GET "/console/incidents/new?template_id=$template"
	[ "$status" = 200 ] || show
	[ "$(queries)" -le 5 ]
	says_text "value=\"Till $$ is down\""
	grep -q 'Since 20..-..-..T' "$answer"
	says_text "value=\"$monitor\" checked"
	says_text '<option value="identified" selected>'
	says_text '<option value="major_outage" selected>'
	visit GET '/console/incidents/new?template_id=999999999'
	[ "$status" = 404 ]
	visit GET "/console/templates/$template"
	read_form
	submit "/console/templates/$template/delete"
	[ "$status" = 303 ]
}

@test "a form that is saved unchanged changes neither line feeds nor seconds" {
	join_as "screens-lil-$$" owner
	day=$(date -u -d '30 days' +%F)
	api POST /api/v1/incident-templates -d name="Lines $$" -d title=x --data-urlencode $'body=a\nb'
	template=$(jq .data.id "$answer")
	visit GET "/console/templates/$template"
	read_form
	# Browsers send CR LF.
	submit "/console/templates/$template" -d version="$(version)" -d body='a%0D%0Ab'
	[ "$status" = 303 ] || show
	api GET "/api/v1/incident-templates/$template"
	want 200 '.data.body == "a\nb"'
	visit POST "/console/templates/$template" -F csrf="$csrf" -F body=$'c\r\nd'
	[ "$status" = 303 ] || show
	api GET "/api/v1/incident-templates/$template"
	want 200 '.data.body == "c\nd"'
	api POST /api/v1/maintenances -d title="Seconds $$" -d starts_at=${day}T10:00:30Z -d ends_at=${day}T11:00:00Z
	window=$(jq .data.id "$answer")
	visit GET "/console/maintenances/$window"
	says_text "step=\"1\" value=\"${day}T10:00:30\""
	says_text "type=\"datetime-local\" value=\"${day}T11:00\""
	# The line for the API has whole times.
	says_text "starts_at=${day}T10:00:30Z'"
	says_text "ends_at=${day}T11:00:00Z'"
	read_form
	submit "/console/maintenances/$window" -d version="$(version)" -d starts_at=${day}T10:00:30 -d ends_at=${day}T11:00
	[ "$status" = 303 ] || show
	api GET "/api/v1/maintenances/$window"
	want 200 ".data.starts_at == \"${day}T10:00:30Z\""
	# Only times that differ from the stored ones are shown with them.
	submit "/console/maintenances/$window" -d version=1 -d title=Other -d starts_at=${day}T10:00:30 -d ends_at=${day}T11:30
	[ "$status" = 409 ] || show
	says_text "Now: ${day}T11:00"
	refute grep -q "Now: ${day}T10" "$answer"
}

@test "the form of a page's systems may name a system twice, or none, and tells of an invalid place" {
	join_as "screens-mo-$$" editor
	ids=()
	for i in 1 2; do
		api POST /api/v1/monitors -d name="Twice $$-$i"
		ids+=("$(jq .data.id "$answer")")
	done
	api POST /api/v1/status-pages -d name="Twice $$" -d slug="twice-$$" -d "monitor_ids[]=${ids[0]}"
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/systems"
	read_form
	submit "/console/pages/$page/systems" $(place 0 "${ids[1]}" 1 1) $(place 1 "${ids[1]}" 1 2)
	[ "$status" = 303 ] || show
	submit "/console/pages/$page/systems"
	[ "$status" = 303 ] || show
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids == [${ids[0]}, ${ids[1]}]"
	submit "/console/pages/$page/systems" $(place 0 "${ids[0]}" 1 5000)
	[ "$status" = 422 ] || show
	says_text 'class="problem"'
	says_text 'name="systems[0][place]"'
}

@test "a refused form of a page's systems keeps ticks and places, and shows what is stored beside them" {
	join_as "screens-uma-$$" editor
	ids=()
	for i in 1 2 3; do
		api POST /api/v1/monitors -d name="Kept $$-$i"
		ids+=("$(jq .data.id "$answer")")
	done
	api POST /api/v1/status-pages -d name="Kept $$" -d slug="kept-$$" -d "monitor_ids[]=${ids[0]}"
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/systems?search=Kept+$$"
	says_text "curl -X PUT"
	says_text "'{&quot;monitor_ids&quot;:[${ids[0]}]}'"
	read_form
	first=$(version)
	typed=(-d search="Kept $$" $(place 0 "${ids[0]}" 0 1) $(place 1 "${ids[1]}" 1 1))
	submit "/console/pages/$page/systems" -d version="$first" "${typed[@]}" $(place 2 "${ids[2]}" 1 1001)
	[ "$status" = 422 ] || show
	says_text 'value="1001"'
	says_text "<input type=\"hidden\" name=\"search\" value=\"Kept $$\">"
	grep -A1 'value="1001"' "$answer" | grep -q 'class="problem" role="alert">The systems' || show
	[ "$(grep -c 'value="1" checked' "$answer")" = 2 ]
	api PUT "/api/v1/status-pages/$page" -d "monitor_ids[]=${ids[0]}" -d "monitor_ids[]=${ids[2]}"
	submit "/console/pages/$page/systems" -d version="$first" "${typed[@]}"
	[ "$status" = 409 ] || show
	says_text 'Somebody else has changed this meanwhile.'
	says_text 'Now: 1'
	says_text 'Now: not on the page'
	[ "$(grep -c 'Now: ' "$answer")" = 2 ]
	# The system that somebody else has added is on the screen, and stays.
	says_text "Kept $$-3"
	says_text "{&quot;monitor_ids&quot;:[${ids[1]},${ids[2]}]}"
	submit "/console/pages/$page/systems" -d version="$(version)" "${typed[@]}"
	[ "$status" = 303 ] || show
	api GET "/api/v1/status-pages/$page"
	want 200 ".data.monitor_ids == [${ids[1]}, ${ids[2]}]"
}

@test "a retired system stays chosen, and a conflict shows the choices that are stored" {
	join_as "screens-nia-$$" editor
	ids=()
	for i in 1 2; do
		api POST /api/v1/monitors -d name="Chosen $$-$i"
		ids+=("$(jq .data.id "$answer")")
	done
	api POST /api/v1/incident-templates -d name="Chosen $$" -d title=x -d "monitor_ids[]=${ids[0]}"
	template=$(jq .data.id "$answer")
	visit GET "/console/templates/$template"
	read_form
	first=$(version)
	api PUT "/api/v1/incident-templates/$template" -d "monitor_ids[]=${ids[1]}"
	submit "/console/templates/$template" -d version="$first" -d monitor_ids= -d "monitor_ids[]=${ids[0]}"
	[ "$status" = 409 ] || show
	says_text "Now: Chosen $$-2"
	api DELETE "/api/v1/monitors/${ids[1]}?keep_history=1"
	visit GET "/console/templates/$template"
	says_text "value=\"${ids[1]}\" checked> #${ids[1]}"
}

@test "maintenance is planned in UTC, moved, told about and deleted" {
	join_as "screens-di-$$" responder
	day=$(date -u -d '30 days' +%F)
	api POST /api/v1/monitors -d name="Kept $$"
	monitor=$(jq .data.id "$answer")
	visit GET /console/maintenances/new
	read_form
	submit /console/maintenances --data-urlencode idempotency_key="$form_key" -d title="Disks $$" -d body= -d monitor_ids= -d "monitor_ids[]=$monitor" \
		-d starts_at=${day}T10:00 -d ends_at=${day}T09:00 -d rrule= -d time_zone= -d duration= -d remind_before= -d status=
	[ "$status" = 422 ] || show
	says_text 'must be after starts_at'
	says_text "value=\"${day}T10:00\""
	says_text "value=\"$monitor\" checked"
	submit /console/maintenances -d title="Disks $$" -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00 -d ends_at=${day}T11:30 \
		-d auto_transition=0 -d auto_transition=1
	[ "$status" = 303 ] || show
	window=$(location)
	window=${window##*/}
	api GET "/api/v1/maintenances/$window"
	want 200 ".data.starts_at == \"${day}T10:00:00Z\"" ".data.ends_at == \"${day}T11:30:00Z\"" '.data.auto_transition' ".data.monitor_ids == [$monitor]"
	visit GET "/console/maintenances/$window"
	read_form
	submit "/console/maintenances/$window/updates" -d body='Parts are here.' -d phase=in_progress
	[ "$status" = 303 ] || show
	[ "$(location)" = "/console/maintenances/$window" ]
	api GET "/api/v1/maintenances/$window"
	want 200 '.data.status == "in_progress"' '.data.updates[0].body == "Parts are here."'
	# A refused update comes back in its own form, and leaves the other as it is.
	submit "/console/maintenances/$window/updates" -d body="$(printf 'long%.0s' $(seq 2501))" -d phase=in_progress
	[ "$status" = 422 ] || show
	grep -A9 'id="body-part"' "$answer" | grep -q longlong
	says_text "value=\"Disks $$\""
	says_text "value=\"$monitor\" checked"
	visit GET "/console/maintenances/$window"
	says_text '<p>Parts are here.</p>'
	submit /console/maintenances -d title="Daily $$" -d starts_at=${day}T10:00 -d rrule='FREQ=DAILY' -d time_zone=Europe/Berlin -d duration=3600 -d auto_transition=1
	[ "$status" = 303 ] || show
	daily=$(location)
	api GET "/api/v1/maintenances/${daily##*/}"
	want 200 ".data.starts_at == \"${day}T10:00:00\""
	submit "/console/maintenances/$window/delete"
	[ "$(header Location)" = '/console/maintenances?notice=deleted' ]
}

# second_sunday MONTHS: the second Sunday of the month so many months ahead.
second_sunday() {
	local first
	first=$(date -u -d "$(date -u +%Y-%m-15) $1 months" +%Y-%m-01)
	date -u -d "$first $((14 - $(date -u -d "$first" +%u))) days" +%F
}

# begins DATE: that day at 22:00 in Berlin, in UTC.
begins() {
	date -u -d "TZ=\"Europe/Berlin\" $1 22:00" +%FT%TZ
}

@test "a window repeats by a choice in words, at the same local time in summer and in winter" {
	join_as "screens-rue-$$" responder
	day=$(second_sunday 1)
	visit GET /console/maintenances/new
	says_text '<option value="" selected>Does not repeat</option>'
	says_text '<option value="FREQ=MONTHLY;BYDAY=nth">Every month, on the same weekday (such as the second Sunday)</option>'
	says_text 'Starts at (in the time zone below)</label>'
	# A window that repeats is not moved by hand.
	says_text 'name="auto_transition" aria-describedby="help-auto_transition" checked>'
	read_form
	form=(-d title="Monthly $$" -d body= -d monitor_ids= -d starts_at="${day}T22:00" -d time_zone=Europe/Berlin)
	submit /console/maintenances "${form[@]}" -d ends_at="${day}T21:00" -d rrule='FREQ=MONTHLY;BYDAY=nth' -d other=
	[ "$status" = 422 ] || show
	says_text 'The ends at field must be after starts_at.'
	[ "$(grep -c 'role="alert"' "$answer")" = 1 ]
	says_text "value=\"${day}T22:00\""
	says_text '<option value="FREQ=MONTHLY;BYDAY=nth" selected>'
	submit /console/maintenances "${form[@]}" -d ends_at="${day}T23:30" -d rrule='FREQ=MONTHLY;BYDAY=nth' -d other= -d auto_transition=1
	[ "$status" = 303 ] || show
	window=$(location)
	api GET "/api/v1/maintenances/${window##*/}"
	want 200 '.data.rrule == "FREQ=MONTHLY;BYDAY=2SU"' '.data.duration == 5400' '.data.time_zone == "Europe/Berlin"' ".data.starts_at == \"${day}T22:00:00\""
	visit GET "$window"
	says_text 'Every month: the second Sunday'
	says_text 'Next times (Europe/Berlin)'
	starts_shown | diff - <(for months in 1 2 3 4 5; do begins "$(second_sunday $months)"; done)
	says_text '<option value="FREQ=MONTHLY;BYDAY=nth" selected>'
	says_text "value=\"${day}T22:00\""
	says_text "value=\"${day}T23:30\""
	visit GET "/console/maintenances?search=Monthly%20$$"
	says_text 'Every month: the second Sunday'
	refute grep -q 'FREQ=' "$answer"
	# Another start has another weekday, and the form may be saved unchanged.
	next=$(date -u -d "$day 1 day" +%F)
	for _ in 1 2; do
		visit GET "$window"
		read_form
		submit "$window" -d version="$(version)" "${form[@]}" -d starts_at="${next}T22:00" -d ends_at="${next}T23:30" -d rrule='FREQ=MONTHLY;BYDAY=nth'
		[ "$status" = 303 ] || show
		api GET "/api/v1/maintenances/${window##*/}"
		want 200 "(.data.rrule | test(\"^FREQ=MONTHLY;BYDAY=[23]MO\$\"))" '.data.duration == 5400'
	done
	# The window takes place once, and then again and again.
	submit "$window" "${form[@]}" -d ends_at="${day}T23:30" -d rrule=
	[ "$status" = 303 ] || show
	api GET "/api/v1/maintenances/${window##*/}"
	want 200 '.data.rrule == null' ".data.starts_at == \"$(begins "$day")\"" '.data.time_zone == null' '.data.duration == null'
	submit "$window" "${form[@]}" -d ends_at="${day}T23:30" -d rrule=FREQ=DAILY
	[ "$status" = 303 ] || show
	visit GET "$window"
	says_text '<dd>Every day</dd>'
	starts_shown | diff - <(for days in 0 1 2 3 4; do begins "$(date -u -d "$day $days days" +%F)"; done)
}

@test "another rule of a window is kept, and comes back as it was typed" {
	join_as "screens-rex-$$" responder
	day=$(second_sunday 1)
	visit GET /console/maintenances/new
	read_form
	form=(-d title="Other $$" -d starts_at="${day}T22:00" -d ends_at="${day}T23:30" -d time_zone=Europe/Berlin -d rrule=other -d auto_transition=1)
	for rule in 'FREQ=HOURLY' '' ' '; do
		submit /console/maintenances "${form[@]}" -d other="$rule"
		[ "$status" = 422 ] || show
		says_text 'id="problem-rrule"'
		says_text '<option value="other" selected>Another rule</option>'
		grep -q "name=\"other\" maxlength=\"255\" autocapitalize=\"none\" value=\"$rule\"" "$answer"
		says_text "value=\"${day}T23:30\""
	done
	says_text 'must have FREQ of DAILY, WEEKLY, MONTHLY or YEARLY'
	submit /console/maintenances "${form[@]}" -d other='FREQ=WEEKLY;BYDAY=SU,WE;COUNT=9'
	[ "$status" = 303 ] || show
	window=$(location)
	visit GET "$window"
	says_text '<dd>Every week: Wednesday, Sunday (9 ×)</dd>'
	says_text '<option value="other" selected>Another rule</option>'
	says_text 'value="FREQ=WEEKLY;BYDAY=SU,WE;COUNT=9"'
	read_form
	first=$(version)
	submit "$window" -d version="$first" "${form[@]}" -d other='FREQ=WEEKLY;BYDAY=SU,WE;COUNT=9' -d title="Renamed $$"
	[ "$status" = 303 ] || show
	api GET "/api/v1/maintenances/${window##*/}"
	want 200 '.data.rrule == "FREQ=WEEKLY;BYDAY=SU,WE;COUNT=9"' '.data.duration == 5400'
	# Somebody else has changed the rule meanwhile.
	submit "$window" -d version="$first" "${form[@]}" -d other=FREQ=YEARLY
	[ "$status" = 409 ] || show
	says_text 'Now: FREQ=WEEKLY;BYDAY=SU,WE;COUNT=9'
	says_text 'value="FREQ=YEARLY"'
	# A rule that no sentence says is shown as it is.
	submit "$window" "${form[@]}" -d other='FREQ=MONTHLY;BYDAY=SU;BYSETPOS=2'
	visit GET "$window"
	says_text '<dd>FREQ=MONTHLY;BYDAY=SU;BYSETPOS=2</dd>'
	# A form that was typed before the session ended has the rule, too.
	: >"$jar"
	submit "$window" -H 'Sec-Fetch-Site: same-origin' -d made_for="$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)" "${form[@]}" -d other='FREQ=DAILY;COUNT=3'
	kept=$(grep -o 'name="kept" value="[^"]*"' "$answer" | cut -d'"' -f4)
	[[ $kept = *other=FREQ%3DDAILY%3BCOUNT%3D3* ]] || show
}

@test "a zone that does not exist is refused, also where the window takes place once" {
	join_as "screens-zoe-$$" responder
	day=$(date -u -d '30 days' +%F)
	visit GET /console/maintenances/new
	read_form
	submit /console/maintenances -d title="Zone $$" -d starts_at="${day}T22:00" -d ends_at="${day}T23:30" -d time_zone=Mars/Base -d rrule=
	[ "$status" = 422 ] || show
	says_text 'id="problem-time_zone"'
	says_text 'must be an IANA zone name'
	says_text 'value="Mars/Base"'
	says_text "value=\"${day}T22:00\""
}

@test "an alert channel is added by its type, and its secret is neither shown nor lost" {
	join_as "screens-ed-$$" owner
	visit GET /console/channels/new
	says_text 'channels/new?type=ntfy'
	visit GET '/console/channels/new?type=ntfy'
	says_text 'name="value[topic]"'
	refute grep -q 'value\[routing_key\]' "$answer"
	read_form
	submit /console/channels --data-urlencode idempotency_key="$form_key" -d name="Phone $$" -d type=ntfy -d 'value[topic]=' -d is_enabled=0 -d is_enabled=1 -d takes_all_monitors=0
	[ "$status" = 422 ] || show
	says_text 'The topic of the value is required'
	submit /console/channels -d name="Phone $$" -d type=ntfy -d 'value[topic]=down' -d 'value[token]=tk_s3cret' -d 'value[server]=' -d is_enabled=1 -d takes_all_monitors=0
	[ "$status" = 303 ] || show
	channel=$(location)
	visit GET "$channel"
	refute grep -q tk_s3cret "$answer"
	read_form
	submit "$channel" -d version="$(version)" -d name="Phone $$" -d type=ntfy -d 'value[topic]=up' -d 'value[token]=' -d 'value[server]='
	[ "$status" = 303 ] || show
	api GET "/api/v1/alert-channels/${channel##*/}"
	want 200 '.data.value.topic == "up"'
	# Another type has other inputs.
	submit "$channel" -d name="Phone $$" -d type=slack -d 'value[topic]=up'
	[ "$status" = 422 ] || show
	says_text 'name="value[url]"'
	# The sender still has the token: a channel without one would have been changed to public.
	submit "$channel/test"
	[ "$status" = 200 ] || show
}

@test "a key is created behind a fresh sign-in, and its text is shown once" {
	join_as "screens-flo-$$" owner
	visit GET /console/keys/new
	read_form
	submit /console/keys -d label="ci-$$" -d is_read_only=0 -d is_read_only=1 -d expires_at=2037-01-01T00:00
	[ "$status" = 200 ] || show
	text=$(grep -o '<dt>Key</dt><dd><code>[^<]*' "$answer" | sed 's/.*>//')
	[ -n "$text" ]
	anyone GET /api/v1/account -H "Authorization: Bearer $text"
	[ "$status" = 200 ]
	visit GET /console/keys
	says_text "ci-$$"
	refute grep -qF "$text" "$answer"
	key_path=$(grep -o "/console/keys/[0-9]*\">ci-$$" "$answer" | grep -o '/console/keys/[0-9]*')
	# Of two changes behind "Is it you?", the one that was made for a former version is refused.
	visit GET "$key_path"
	read_form
	former=$(version)
	api PUT "/api/v1/keys/${key_path##*/}" -d label="ci-$$ renamed"
	sql "UPDATE user_sessions SET confirmed_at = UTC_TIMESTAMP() - INTERVAL 601 SECOND"
	submit "$key_path" -d version="$former" -d label="ci-$$ mine"
	[ "$status" = 403 ] || show
	says_text "name=\"version\" value=\"$former\""
	submit "$key_path" -d version="$former" -d label="ci-$$ mine" -d confirm='correct horse'
	[ "$status" = 409 ] || show
	visit GET "$key_path"
	read_form
	submit "$key_path/delete"
	[ "$status" = 303 ] || show
	anyone GET /api/v1/account -H "Authorization: Bearer $text"
	[ "$status" = 401 ]
}

@test "objects of another account are not there, and forms need the token" {
	join_as "screens-gil-$$" owner
	api POST /api/v1/monitors -d name="Mine $$"
	mine=$(jq .data.id "$answer")
	other POST /api/v1/monitors -d name="Theirs $$"
	theirs=$(jq .data.id "$answer")
	other POST /api/v1/status-pages -d name="Theirs $$" -d slug="theirs-$$"
	page=$(jq .data.id "$answer")
	for path in "monitors/$theirs" "pages/$page" "pages/$page/design" "pages/$page/access"; do
		visit GET "/console/$path"
		[ "$status" = 404 ] || show
	done
	visit GET /console/monitors
	read_form
	submit "/console/monitors/$theirs" -d name=Stolen
	[ "$status" = 404 ]
	visit POST "/console/monitors/$mine" -d name=Stolen
	[ "$status" = 403 ]
	visit POST "/console/monitors/$mine/delete" -H 'Sec-Fetch-Site: cross-site' -d csrf="$csrf"
	[ "$status" = 403 ]
	api GET "/api/v1/monitors/$mine"
	want 200 ".data.name == \"Mine $$\""
}

@test "an address without a screen leads back, in the language of the person" {
	anyone GET /console/nope
	[ "$status" = 404 ] || show
	says_text '<h1 id="screen">This did not work</h1>'
	join_as "nope-$$" reader
	sql "UPDATE users SET language = 'de' WHERE name = 'nope-$$'"
	for path in nope incidents/x/y me/nope monitors/abc; do
		visit GET "/console/$path"
		[ "$status" = 404 ] || show
		says_text '<html lang="de"'
		says_text 'href="/console/incidents"'
		says_text "nope-$$"
	done
	refute grep -q "$(session)" "$answer"
}

@test "events of a page name the fields that differ, not all that a form sends" {
	join_as "diff-$$" owner
	page_with_monitor -F accent_color=#0055aa
	visit GET "/console/pages/$page/design"
	read_form
	submit "/console/pages/$page/design" -d version="$(version)" -d accent_color=#004488 -d color_scheme=auto -d remove_logo=1 -d custom_css= -d custom_js=
	[ "$status" = 303 ] || show
	api GET "/api/v1/events?object=status_page&object_id=$page&kind=status_page.updated"
	want 200 '.data | map(.detail) == ["accent_color"]'
	api POST "/api/v1/status-pages/$page" -d _method=PUT -d privacy=2 -d password=abcdefgh -d name=Test
	want 200
	api GET "/api/v1/events?object=status_page&object_id=$page&kind=status_page.updated"
	want 200 '.data[0].detail | split(", ") | sort == ["password", "privacy"]'
}

@test "the design of a page offers to remove only the pictures that it has" {
	join_as "pics-$$" owner
	base64 -d <<<iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg== >"$BATS_TEST_TMPDIR/dot.png"
	page_with_monitor -F "logo=@$BATS_TEST_TMPDIR/dot.png"
	visit GET "/console/pages/$page/design"
	[ "$(grep -o ' name="remove_[a-z_]*"' "$answer" | sort -u)" = ' name="remove_logo"' ] || show
}

@test "a test message says whether the receiver has accepted it" {
	join_as "sent-$$" owner
	api POST /api/v1/alert-channels -d name="Gone $$" -d type=webhook -d 'value[url]=https://127.0.0.1:1/x'
	want 201
	channel=$(jq .data.id "$answer")
	visit GET "/console/channels/$channel"
	read_form
	submit "/console/channels/$channel/test"
	[ "$status" = 200 ] || show
	says_text '<h1 id="screen">This did not work</h1>'
	says_text '<p class="problem" role="alert">The receiver has not accepted the test message.</p>'
	says_text '>Back</a>'
	refute grep -q 'secrets are not shown' "$answer"
}

@test "the list of changes is saved as CSV, with the filter of the list" {
	join_as "audit-pat-$$" owner
	visit GET /console/templates/new
	read_form
	visit POST /console/templates -F csrf="$csrf" -F form_key="$form_key" -F "name==Late $$" -F title=Late -F body=Wait
	[ "$status" = 303 ] || show
	visit GET '/console/audit?search=&object=incident_template&notice=saved'
	[ "$status" = 200 ] || show
	template=$(sql "SELECT MAX(id) FROM incident_templates WHERE name = '=Late $$'")
	says_text "<h2><a href=\"/console/templates/$template\">Incident template: created</a></h2>"
	file=$(sed -n 's|.*href="\(/console/audit/export[^"]*\)".*|\1|p' "$answer" | sed 's/&amp;/\&/g')
	[ "$file" = '/console/audit/export?object=incident_template&page=1' ]
	visit GET "$file"
	[ "$status" = 200 ] || show
	[ "$(header Content-Type)" = 'text/csv; charset=utf-8' ]
	[ "$(header Content-Disposition)" = 'attachment; filename="audit.csv"' ]
	[ "$(head -n 1 "$answer")" = $'id,kind,object,object_id,actor.type,actor.id,actor.label,at,address,request_id,detail\r' ]
	grep -E "^[0-9]+,incident_template\.created,incident_template,[0-9]+,user,[0-9]+,audit-pat-$$,[0-9TZ:-]+,127\.0\.0\.1,[^,]+,'=Late $$"$'\r$' "$answer" || show
	[ "$(cut -d, -f3 "$answer" | sort -u | tr '\n' ' ')" = 'incident_template object ' ]
	# A deleted object has no screen.
	visit GET "/console/templates/$template"
	submit "/console/templates/$template/delete"
	[ "$status" = 303 ] || show
	visit GET '/console/audit?object=incident_template'
	says_text '<h2>Incident template: deleted</h2>'
	visit GET '/console/audit?search=nothing+such&object=key'
	[ "$status" = 200 ] || show
	refute grep -q audit/export "$answer"
	visit GET '/console/audit/export?since=never'
	[ "$status" = 422 ] || show
	says_text 'since'
}

@test "each screen takes at most 30 kB with its style" {
	join_as "screens-hal-$$" owner
	style=$(visit GET /console/ && grep -o '/console/static/console-[0-9a-f]*\.css' "$answer")
	anyone GET "$style"
	css=$(wc -c <"$answer")
	for path in incidents maintenances monitors pages channels deliveries keys audit more health monitors/new maintenances/new pages/new 'channels/new?type=slack'; do
		visit GET "/console/$path"
		[ "$status" = 200 ] || show
		[ $(($(wc -c <"$answer") + css)) -lt 30000 ] || {
			echo "$path: $(wc -c <"$answer") and $css"
			return 1
		}
	done
}

@test "the language of the browser is that of the screen, of its times and of its labels" {
	incident
	join_as "lang-$$" owner
	visit GET /console/ -H 'Accept-Language: sv, de-AT;q=0.8, en;q=0.7'
	[ "$status" = 200 ]
	says_text '<html lang="de" dir="ltr">'
	says_text 'Ich kümmere mich</button>'
	says_text 'seit dem '
	grep -qE 'datetime="[^"]*">[0-9]+\. [^<]*, [0-9:]+ UTC</time>' "$answer" || show
	visit GET /console/monitors/new -H 'Accept-Language: de'
	says_text '<label for="name">Name</label>'
	says_text '<label for="interval">Intervall (Sekunden)</label>'
	says_text 'id="help-interval">Die Zeit '
	# Errors are those of the API.
	read_form
	submit /console/monitors -H 'Accept-Language: de' -d idempotency_key="$form_key" -d name=
	[ "$status" = 422 ]
	says_text 'lang="en">The name field is required.'
	visit GET /console/ -H 'Accept-Language: pt'
	says_text '<html lang="pt-BR"'
	visit GET /console/ -H 'Accept-Language: sv'
	says_text '<html lang="en"'
	refute grep -q ' lang="en">[A-Z]' "$answer"
	# Without a token the form is refused in the language.
	visit POST /console/logout -H 'Accept-Language: fr' -d csrf=wrong
	[ "$status" = 403 ]
	says_text '<p>Le formulaire est trop ancien'
	anyone GET /console/login -H 'Accept-Language: ja'
	says_text 'サインイン</button>'
}

@test "an update of a window is edited and withdrawn on a screen of its own" {
	join_as "screens-notes-$$" responder
	api POST /api/v1/monitors -d name="Notes $$"
	monitor=$(jq .data.id "$answer")
	api POST /api/v1/maintenances -d title="Move $$" -d "monitor_ids[]=$monitor" -d starts_at=2030-01-01T10:00:00Z -d ends_at=2030-01-01T11:00:00Z
	window=$(jq .data.id "$answer")
	api POST "/api/v1/maintenances/$window/updates" -d body='We beginn soon.'
	note=$(jq .data.id "$answer")
	visit GET "/console/maintenances/$window"
	says_text "maintenances/$window/updates/$note\">Edit or withdraw"
	visit GET "/console/maintenances/$window/updates/$note"
	[ "$(queries)" -le 5 ]
	says_text 'We beginn soon.'
	read_form
	submit "/console/maintenances/$window/updates/$note" -d version="$(version)" -d body=
	[ "$status" = 422 ] || show
	says_text 'The body field is required'
	submit "/console/maintenances/$window/updates/$note" -d version="$(version)" --data-urlencode body='We begin soon.'
	[ "$status" = 303 ] || show
	[ "$(location)" = "/console/maintenances/$window" ]
	api GET "/api/v1/maintenances/$window"
	want 200 '[.data.updates[].body] == ["We begin soon."]'
	visit GET "/console/maintenances/$window/updates/$note"
	says_text "<a href=\"/console/maintenances/$window\">Back</a>"
	submit "/console/maintenances/$window/updates/$note/withdraw"
	[ "$(header Location)" = "/console/maintenances/$window?notice=withdrawn" ]
	[ "$status" = 303 ] || show
	[ "$(location)" = "/console/maintenances/$window" ]
	api GET "/api/v1/maintenances/$window"
	want 200 '.data.updates == []'
	# A reader sees the update, and no link to its form.
	api POST "/api/v1/maintenances/$window/updates" -d body='Moved.'
	join_as "screens-notes-reader-$$" reader
	visit GET "/console/maintenances/$window"
	says_text 'Moved.'
	refute grep -q 'Edit or withdraw' "$answer"
}

@test "an incident is deleted from its screen, behind a question" {
	join_as "screens-del-$$" responder
	api POST /api/v1/monitors -d name="Wrong $$"
	api POST /api/v1/incidents -d title="By mistake $$" -d impact=degraded_performance -d "monitor_ids[]=$(jq .data.id "$answer")"
	incident=$(jq .data.id "$answer")
	visit GET "/console/incidents/$incident"
	grep -A 8 '<details>' "$answer" | grep -q "/console/incidents/$incident/delete"
	says_text "curl -X DELETE"
	read_form
	submit "/console/incidents/$incident/delete"
	[ "$status" = 303 ] || show
	[ "$(header Location)" = '/console/incidents?notice=deleted' ]
	api GET "/api/v1/incidents/$incident"
	[ "$status" = 404 ]
	visit GET '/console/incidents?notice=deleted'
	says_text 'Deleted.'
	join_as "screens-del-reader-$$" reader
	api POST /api/v1/incidents -d title="Right $$" -d impact=degraded_performance -d "monitor_ids[]=$(sql "SELECT MAX(id) FROM monitors WHERE account_id = $account")"
	visit GET "/console/incidents/$(jq .data.id "$answer")"
	refute grep -q '/delete' "$answer"
}

@test "the report of a month shows what the API says, leads to other months, and is saved as CSV" {
	join_as "screens-rep-$$" reader
	api POST /api/v1/monitors -d name="Shop <$$>"
	monitor=$(jq .data.id "$answer")
	api POST /api/v1/status-pages -d name="Months $$" -d slug="months-$$" -d "monitor_ids[]=$monitor"
	page=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/reports"
	[ "$status" = 200 ] || show
	refute grep -q '<table>' "$answer"
	sql "UPDATE monitors SET known_since = UTC_TIMESTAMP() - INTERVAL 70 DAY WHERE id = $monitor"
	now=$(date -u +%Y-%m)
	last=$(date -u -d "$now-15 -1 month" +%Y-%m)
	before=$(date -u -d "$now-15 -2 month" +%Y-%m)
	api POST /api/v1/incidents -d title="Slow $$" -d impact=major_outage -d "monitor_ids[]=$monitor" -d started_at="$last-10T10:00:00Z" -d ended_at="$last-10T12:30:00Z"
	[ "$status" = 201 ] || show
	visit GET "/console/pages/$page/reports"
	[ "$(queries)" -le 6 ] || log_line
	says_text "Months $$"
	says_text "pages/$page/reports/$last\">Previous"
	refute grep -q '>Next<' "$answer"
	visit GET "/console/pages/$page/reports/$last"
	[ "$status" = 200 ] || show
	says_text "pages/$page/reports/$before\">Previous"
	says_text "pages/$page/reports/$now\">Next"
	grep -q "<tr><th scope=\"row\">Shop &lt;$$&gt;</th><td>99.6[0-9] %</td><td>1</td><td>" "$answer"
	says_text "<h3><a href=\"/console/incidents/$(sql "SELECT MAX(id) FROM incidents WHERE title = 'Slow $$'")\">Slow $$</a></h3>"
	says_text "<dt>Systems</dt><dd>Shop &lt;$$&gt;</dd>"
	visit GET "/console/incidents?search=Slow+$$"
	says_text "<dt>Systems</dt><dd>Shop &lt;$$&gt;</dd>"
	visit GET "/console/pages/$page/reports/$last.csv"
	[ "$status" = 200 ] || show
	[[ $(header Content-Type) == text/csv* ]]
	[[ $(header Content-Security-Policy) == "default-src 'none'"* ]]
	[ "$(header Cache-Control)" = 'private, no-store' ]
	says_text "Shop <$$>"
	for month in 1999-01 now 2026-13 .csv; do
		visit GET "/console/pages/$page/reports/$month"
		[ "$status" = 404 ] || show
	done
}

@test "the response times of a system stand in a table and in a line, newest first" {
	join_as "screens-times-$$" reader
	api POST /api/v1/monitors -d name="Fast $$" -d type=http -d url=http://127.0.0.1:9/
	monitor=$(jq .data.id "$answer")
	visit GET "/console/monitors/$monitor/response-times"
	[ "$status" = 200 ] || show
	[ "$(queries)" -le 4 ]
	says_text "Fast $$"
	refute grep -q '<table>' "$answer"
	says_text '<p>There is nothing to show.</p>'
	sql "INSERT INTO monitor_hours (monitor_id, hour, checks, failures, response_sum_ms, response_min_ms, response_max_ms)
		SELECT $monitor, DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:00:00') - INTERVAL n.seq HOUR, 10, 2, 800 * n.seq, 10, 500 * n.seq FROM seq_1_to_3 n"
	visit GET "/console/monitors/$monitor/response-times?range=7d"
	[ "$status" = 200 ] || show
	[ "$(grep -o '<tr><th scope="row">[^<]*</th><td>[0-9]*</td><td>[0-9]*</td><td>[0-9]*</td>' "$answer" | sed 's/.*<\/th>//')" = \
		"$(printf '<td>%d</td><td>%d</td><td>2</td>\n' 100 500 200 1000 300 1500)" ]
	says_text '<path d="M0 0h0L1 34L2 67"/>'
	grep -q '<option value="7d" selected>' "$answer"
	# The line leaves out an hour in which all checks failed, and hours without checks.
	sql "REPLACE INTO monitor_hours (monitor_id, hour, checks, failures, response_sum_ms, response_min_ms, response_max_ms)
		SELECT $monitor, DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:00:00') - INTERVAL n.seq HOUR, 10, IF(n.seq = 2, 10, 2), IF(n.seq = 2, 0, 800 * n.seq), 10, 500 FROM seq_1_to_6 n WHERE n.seq <> 5"
	visit GET "/console/monitors/$monitor/response-times?range=7d"
	says_text '<path d="M0 0h0M2 34h0L3 50M5 84h0"/>'
	# A day is one of UTC for a person in any zone.
	sql "INSERT INTO monitor_days (monitor_id, day, checks, failures, response_sum_ms, response_min_ms, response_max_ms)
		SELECT $monitor, UTC_DATE() - INTERVAL n.seq DAY, 10, 0, 1000, 100, 150 FROM seq_1_to_2 n"
	sql "UPDATE users SET time_zone = 'America/Argentina/Buenos_Aires' WHERE name = 'screens-times-$$'"
	visit GET "/console/monitors/$monitor/response-times?range=30d"
	for days in 1 2; do
		says_text "<tr><th scope=\"row\">$(date -u -d "$days days ago" +%F)</th><td>100</td>"
	done
	visit GET "/console/monitors/$monitor/response-times?range=2d"
	[ "$status" = 422 ] || show
	# 168 hours, and the screen stays small.
	sql "REPLACE INTO monitor_hours (monitor_id, hour, checks, failures, response_sum_ms, response_min_ms, response_max_ms)
		SELECT $monitor, DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:00:00') - INTERVAL n.seq HOUR, 10, 2, 80000, 1000, 50000 FROM seq_0_to_166 n"
	visit GET "/console/monitors/$monitor/response-times?range=7d"
	[ "$(wc -c <"$answer")" -lt 25000 ]
	[ "$(grep -c '<tr><th scope="row">' "$answer")" -gt 160 ]
}

@test "a message in the list of messages says in words what happened" {
	join_as "screens-words-$$" owner
	api POST /api/v1/alert-channels -d name="Words $$" -d type=ntfy -d 'value[topic]=words' -d takes_all_monitors=0
	want 201
	sql "SET FOREIGN_KEY_CHECKS = 0; INSERT INTO deliveries (account_id, outbox_id, channel_id, round, event, kind, object_id, state, created_at, due_at, first_due_at)
		VALUES ($account, 0, $(jq .data.id "$answer"), 0, 0, 'incident.update_posted', 7, 2, UTC_TIMESTAMP(), UTC_TIMESTAMP(), UTC_TIMESTAMP())"
	visit GET /console/deliveries
	says_text 'Incident: update posted'
	refute grep -q 'incident\.update_posted' "$answer"
	sql 'DELETE FROM deliveries WHERE outbox_id = 0'
}
