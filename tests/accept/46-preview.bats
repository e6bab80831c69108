# Previews in the console: the real page as it would be, in a frame, and nothing is changed.
load console

# What a preview must leave as it was: the rows, and the published files of the page without their time.
everything() {
	sql 'CHECKSUM TABLE status_pages, status_page_monitors, status_page_files, page_links, former_addresses, monitors, incidents,
		incident_updates, incident_monitors, maintenances, maintenance_monitors, maintenance_occurrences, maintenance_updates, incident_pages, incident_months, incident_counts, report_counts, account_usage,
		events, outbox, idempotency_keys'
	sql "SELECT page_id, revision, changed_at FROM page_revisions ORDER BY page_id"
	find "$dir/pages" -path "*/$slug/*" -type f -printf '%P\n' | sort
	find "$dir/pages" -path "*/$slug/*" -name index.html -exec sed '/class="asof"/d' {} +
}

# preview PATH [CURL ARGUMENT]...: posts the form that was read to the preview, and checks that this changes nothing.
preview() {
	everything >"$BATS_TEST_TMPDIR/before"
	submit "$@" --data-urlencode idempotency_key="$form_key"
	everything >"$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	[ -z "$(header X-Daymark-Published)$(header X-Daymark-Mirrors)$(header Set-Cookie)" ]
	is_confined
}

# Neither the response nor what it shows has the rights of the console.
is_confined() {
	local policy nonce
	policy=$(header Content-Security-Policy)
	nonce=${policy#*script-src \'nonce-}
	nonce=${nonce%%\'*}
	[ ${#nonce} = 43 ]
	[ "$policy" = "default-src 'none'; img-src data:; font-src data:; style-src 'nonce-$nonce'; script-src 'nonce-$nonce'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox" ] || show
	[ "$(header Cache-Control)" = no-store ]
	[ "$(header X-Robots-Tag)" = noindex ]
}

@test "the forms of a page show it with the typed values, its colours and its pictures" {
	page_with_monitor -F "custom_css=h1 { color: red }" -F 'custom_js=document.title = "mine"'
	join_as "preview-ada-$$" owner
	visit GET "/console/pages/$page"
	says_text "formaction=\"/console/pages/$page/preview\" formtarget=\"preview\""
	says_text '<iframe name="preview" title="Preview" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" srcdoc='
	says_text 'The preview appears here.'
	[[ $(header Content-Security-Policy) = *"frame-src 'self'"* ]]
	[[ $(header Content-Security-Policy) = *"frame-ancestors 'none'"* ]]
	[ "$(wc -c <"$answer")" -lt 30000 ]
	read_form
	# An old version of the form still shows what it would do.
	preview "/console/pages/$page/preview" -d version=999 --data-urlencode 'name=Typed <name>' -d language=de \
		-d website_url=https://typed.example.org/
	[ "$status" = 200 ] || show
	says_text '<html lang="de"'
	says_text '<bdi>Typed &lt;name&gt;</bdi></h1>'
	says_text 'href="https://typed.example.org/"'
	says_text "$(sql "SELECT name FROM monitors WHERE id = $monitor")"
	# The page needs no file, but its own links lead to the page.
	says_text '<link rel="stylesheet" href="data:text/css;base64,'
	says_text "<script src=\"data:text/javascript;base64,$(printf 'document.title = "mine"' | base64 -w0)\" nonce="
	says_text "data:text/css;base64,$(printf 'h1 { color: red }' | base64 -w0)\" nonce="
	says_text "href=\"$base/s/$slug/feed.html\""
	says_text 'href="#main"'
	refute grep -qE '(href|src|srcset)="(page-|custom-|feed|\.|")' "$answer"
	# The key of the form is not used up, and the form can be saved.
	submit "/console/pages/$page" --data-urlencode idempotency_key="$form_key" -d version=0 -d name=Saved
	[ "$status" = 303 ] || show

	visit GET "/console/pages/$page/design"
	says_text "formaction=\"/console/pages/$page/design/preview\""
	read_form
	png 8 8 >"$BATS_TEST_TMPDIR/logo"
	everything >"$BATS_TEST_TMPDIR/before"
	visit POST "/console/pages/$page/design/preview" -F csrf="$csrf" -F idempotency_key="$form_key" -F accent_color=#123456 \
		-F "logo=@$BATS_TEST_TMPDIR/logo" -F "favicon=;filename="
	[ "$status" = 200 ] || show
	is_confined
	everything | diff "$BATS_TEST_TMPDIR/before" -
	says_text "src=\"data:image/png;base64,$(base64 -w0 "$BATS_TEST_TMPDIR/logo")\" alt=\"\" width=\"8\" height=\"8\" class=\"mark"
	grep -o 'href="data:text/css;base64,[^"]*' "$answer" | head -1 | sed 's/.*base64,//' | base64 -d | grep -q 'accent:#123456'
	# A stored logo is shown without being sent.
	api PUT "/api/v1/status-pages/$page" -F "logo=@$BATS_TEST_TMPDIR/logo"
	preview "/console/pages/$page/design/preview" -d custom_css=
	says_text "src=\"data:image/png;base64,$(base64 -w0 "$BATS_TEST_TMPDIR/logo")\""
	visit GET "/console/pages/$page/access"
	read_form
	preview "/console/pages/$page/access/preview" -d privacy=1 -d meta_title="Typed title $$" -d noindex=0
	says_text "<title>Typed title $$</title>"
	# The systems in the typed order, without the one that is taken away.
	api POST /api/v1/monitors -d name="Added $$"
	added=$(jq .data.id "$answer")
	visit GET "/console/pages/$page/systems"
	says_text "formaction=\"/console/pages/$page/systems/preview\""
	[[ $(header Content-Security-Policy) = *"frame-src 'self'"* ]]
	read_form
	name=$(sql "SELECT name FROM monitors WHERE id = $monitor")
	preview "/console/pages/$page/systems/preview" -d "systems[0][monitor_id]=$monitor" -d "systems[1][monitor_id]=$added" \
		-d 'systems[1][is_shown]=1' -d 'systems[1][place]=1'
	[ "$status" = 200 ] || show
	says_text "Added $$"
	refute grep -qF "$name<" "$answer"
	preview "/console/pages/$page/systems/preview" -d "systems[0][monitor_id]=$monitor" -d 'systems[0][place]=1001'
	[ "$status" = 422 ] || show
	says_text 'There is no preview'
	# Other screens have no frame.
	visit GET /console/pages
	[ "$status" = 200 ]
	refute grep -q '<iframe' "$answer"
	refute grep -qi 'frame-src' "$headers"
}

@test "a preview says what is wrong with the values, as text" {
	page_with_monitor
	join_as "preview-bea-$$" editor
	visit GET "/console/pages/$page"
	read_form
	preview "/console/pages/$page/preview" -d name= -d slug='A B' -d website_url=ftp://x
	[ "$status" = 422 ]
	says_text 'There is no preview'
	says_text 'The name field is required.'
	says_text 'slug'
	refute grep -q '<form' "$answer"
	api POST /api/v1/status-pages -F name=Taken -F slug="$slug-2"
	preview "/console/pages/$page/preview" -d slug="$slug-2"
	[ "$status" = 422 ]
	says_text 'has already been taken'
}

@test "an update is shown on the page before it is posted" {
	incident
	join_as "preview-cy-$$" responder
	visit GET "/console/incidents/$incident"
	says_text "formaction=\"/console/incidents/$incident/preview\""
	[[ $(header Content-Security-Policy) = *"frame-src 'self'"* ]]
	read_form
	preview "/console/incidents/$incident/preview" -d phase=identified --data-urlencode 'body=We *know* the <cause>.'
	[ "$status" = 200 ] || show
	says_text 'We <em>know</em> the &lt;cause&gt;.'
	says_text 'Identified'
	says_text 'id="open"'
	says_text 'Subscribers of this page get no mail of this.'
	says_text '<h2>Entry of the feed</h2>'
	sed -n '/<h2>Entry of the feed/,$p' "$answer" | grep -qF 'We know the &lt;cause&gt;.' || show
	preview "/console/incidents/$incident/preview" -d phase=resolved -d body=Over.
	says_text 'Over.'
	refute grep -q 'id="open"' "$answer"
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.ended_at == null' '.data.updates == []'
	preview "/console/incidents/$incident/preview" -d phase=identified -d body=
	[ "$status" = 422 ]
	says_text 'The body field is required'
	# The same form is posted afterwards.
	submit "/console/incidents/$incident/reply" --data-urlencode idempotency_key="$form_key" -d phase=identified -d body='Now posted.'
	[ "$status" = 303 ] || show
	preview "/console/incidents/$incident/preview" -d phase=monitoring -d body='Watching.'
	says_text 'Now posted.'
	says_text 'Watching.'
}

@test "an edited update, a title and a post-mortem are shown before they are saved" {
	incident
	api POST "/api/v1/incidents/$incident/updates" -d phase=identified -d body='First words.'
	update=$(jq .data.updates[0].id "$answer")
	[ "$update" -gt 0 ] || update=$(sql "SELECT MAX(id) FROM incident_updates")
	join_as "preview-gus-$$" responder
	visit GET "/console/incidents/$incident/updates/$update"
	says_text "formaction=\"/console/incidents/$incident/updates/$update/preview\""
	read_form
	preview "/console/incidents/$incident/updates/$update/preview" -d body='Better words.'
	[ "$status" = 200 ] || show
	says_text 'Better words.'
	refute grep -q 'First words' "$answer"
	visit GET "/console/incidents/$incident"
	says_text "formaction=\"/console/incidents/$incident/edit/preview\" formtarget=\"preview-edit\""
	says_text '<iframe name="preview-edit"'
	read_form
	# An old version of the form still shows what it would do.
	preview "/console/incidents/$incident/edit/preview" -d version=1 -d title="Titled $$"
	[ "$status" = 200 ] || show
	says_text "Titled $$"
	preview "/console/incidents/$incident/edit/preview" --data-urlencode "title=$(printf 'x%.0s' $(seq 500))"
	[ "$status" = 422 ] || show
	says_text 'There is no preview'
}

@test "maintenance, its updates and a new page are shown before they are saved" {
	page_with_monitor
	join_as "preview-hal-$$" editor
	day=$(date -u -d '3 days' +%F)
	visit GET /console/maintenances/new
	says_text 'formaction="/console/maintenances/preview"'
	[[ $(header Content-Security-Policy) = *"frame-src 'self'"* ]]
	read_form
	preview /console/maintenances/preview -d title="Disks $$" -d body='New *disks*.' -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00 -d ends_at=${day}T11:00
	[ "$status" = 200 ] || show
	says_text "Disks $$"
	sed -n '/<h2>Entry of the feed/,$p' "$answer" | grep -qF 'New disks.' || show
	preview /console/maintenances/preview -d title="Nowhere $$" -d starts_at=${day}T10:00 -d ends_at=${day}T11:00
	says_text 'No page would show this.'
	preview /console/maintenances/preview -d title="Disks $$" -d starts_at=${day}T10:00 -d ends_at=${day}T09:00
	[ "$status" = 422 ] || show
	preview /console/maintenances/preview -d title="Weekly $$" -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00 -d ends_at=${day}T11:00 \
		-d time_zone=America/New_York -d rrule=FREQ=WEEKLY -d auto_transition=1
	says_text 'Next times (America/New_York)'
	starts_shown | diff - <(for weeks in 0 1 2 3 4; do date -u -d "TZ=\"America/New_York\" $(date -u -d "$day $weeks weeks" +%F) 10:00" +%FT%TZ; done)
	api POST /api/v1/maintenances -d title="Disks $$" -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00:00Z -d ends_at=${day}T11:00:00Z
	window=$(jq .data.id "$answer")
	visit GET "/console/maintenances/$window"
	says_text "formaction=\"/console/maintenances/$window/preview\" formtarget=\"preview\""
	says_text "formaction=\"/console/maintenances/$window/updates/preview\" formtarget=\"preview-part\""
	read_form
	preview "/console/maintenances/$window/preview" -d title="Moved $$"
	says_text "Moved $$"
	preview "/console/maintenances/$window/updates/preview" -d phase=in_progress -d body='We *begin*.'
	[ "$status" = 200 ] || show
	says_text 'We <em>begin</em>.'
	visit GET /console/pages/new
	says_text 'formaction="/console/pages/preview"'
	read_form
	preview /console/pages/preview -d name="Fresh $$" -d slug="fresh-$$" -d language=fr
	[ "$status" = 200 ] || show
	says_text '<html lang="fr"'
	says_text "Fresh $$"
	[ ! -e "$dir/pages/fresh-$$" ]
}

@test "a report is shown on each page that has it, or on none" {
	page_with_monitor
	second=$(new_page -F name="Second $$" -F "monitor_ids[]=$monitor" >/dev/null; echo "$page")
	join_as "preview-dee-$$" responder
	visit GET /console/incidents/new
	says_text 'formaction="/console/incidents/new/preview"'
	read_form
	preview /console/incidents/new/preview -d title="Reported $$" -d body='Some text.' -d "monitor_ids[]=$monitor" -d impact=major_outage -d phase=investigating
	[ "$status" = 200 ] || show
	says_text "Reported $$"
	says_text 'Some text.'
	says_text "would show this, too."
	api POST /api/v1/monitors -d name="Hidden $$"
	hidden=$(jq .data.id "$answer")
	preview /console/incidents/new/preview -d title="Reported $$" -d "monitor_ids[]=$hidden" -d impact=major_outage -d phase=investigating
	[ "$status" = 200 ] || show
	says_text 'No page would show this.'
	preview /console/incidents/new/preview -d title=
	[ "$status" = 422 ]
}

@test "previews need the role, the account, the token and the session" {
	incident
	join_as "preview-eva-$$" reader
	visit GET /console/me
	read_form
	submit "/console/pages/$page/preview" -d name=X
	[ "$status" = 403 ]
	is_confined
	submit "/console/incidents/$incident/preview" -d body=X
	[ "$status" = 403 ]
	join_as "preview-fay-$$" editor
	visit GET "/console/pages/$page"
	read_form
	visit POST "/console/pages/$page/preview" -d name=X
	[ "$status" = 403 ]
	is_confined
	says_text 'The form is too old'
	submit "/console/pages/$page/preview" -d name=X -H 'Origin: null'
	[ "$status" = 403 ]
	anyone POST "/console/pages/$page/preview" -d name=X
	[ "$status" = 403 ]
	is_confined
	refute grep -q '<form' "$answer"
	other POST /api/v1/status-pages -F name=Other -F "slug=$(new_slug)"
	others=$(jq .data.id "$answer")
	submit "/console/pages/$others/preview" -d name=X
	[ "$status" = 404 ]
	is_confined
	submit "/console/incidents/999999999/preview" -d body=X -d phase=identified
	[ "$status" = 404 ]
	visit GET "/console/pages/$page/preview"
	[ "$status" = 405 ]
}
