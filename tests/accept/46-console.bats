# The console: users, their links and sessions, and the screen of what is down now.
load console

@test "a link sets the password once, and signs the person in" {
	add_user "ada-$$" owner --email ada@example.org
	grep -q 'works once' "$BATS_TEST_TMPDIR/said"
	visit GET "$link"
	[ "$status" = 200 ]
	says_text "ada-$$"
	read_form
	submit "$link" -d password=short -d again=short
	[ "$status" = 422 ]
	says_text 'must have 10 to 128 bytes'
	submit "$link" -d password='correct horse' -d again='correct house'
	[ "$status" = 422 ]
	says_text 'must repeat the password'
	submit "$link" -d password='correct horse' -d again='correct horse'
	[ "$status" = 303 ]
	visit GET /console/
	[ "$status" = 200 ]
	says_text "ada-$$, owner of"
	visit GET "$link"
	[ "$status" = 404 ]
	says_text 'does not work'
	[ "$("$ctl" user list --json | jq -c ".[] | select(.name == \"ada-$$\") | [.email, .role, .disabled_at]")" = '["ada@example.org","owner",null]' ]
	# No log has the token, those of the web server included.
	refute grep -rqF "${link##*/}" "$dir/log"
	api GET '/api/v1/events?object=user&per_page=10'
	want 200 '.data[0].kind == "user.password_set"' '.data[0].actor.type == "user"' ".data[0].actor.label == \"ada-$$\"" \
		'[.data[].kind] | index("session.started") != null and index("user.created") != null'
}

@test "a link for signing in needs no password, and changes nothing by GET" {
	add_user "bea-$$" owner --sign-in
	visit GET "$link"
	visit GET "$link"
	[ "$status" = 200 ]
	read_form
	submit "$link"
	[ "$status" = 303 ]
	submit "$link"
	[ "$status" = 404 ]
	visit GET /console/
	[ "$status" = 200 ]
	[ "$("$ctl" user list --json | jq -c ".[] | select(.name == \"bea-$$\").signed_in_at != null")" = true ]
}

@test "signing in makes a new session, and ends the one before; signing out ends it on the server" {
	join_as "cy-$$" owner
	first=$(session)
	[ "${#first}" = 43 ]
	sign_in "CY-$$" 'correct horse'
	[ "$status" = 303 ]
	second=$(session)
	[ "$first" != "$second" ]
	anyone GET /console/ -H "Cookie: daymark_session=$first"
	[ "$status" = 303 ]
	[ "$(header Location)" = /console/login ]
	[ "$(sql "SELECT COUNT(*) FROM user_sessions WHERE token_hash = UNHEX(SHA2('$second', 256))")" = 1 ]
	visit GET /console/
	read_form
	submit /console/logout
	[ "$status" = 303 ]
	anyone GET /console/ -H "Cookie: daymark_session=$second"
	[ "$status" = 303 ]
	# A session that somebody else has chosen is not taken over.
	anyone GET /console/ -H "Cookie: daymark_session=$(printf 'x%.0s' {1..43})"
	[ "$status" = 303 ]
}

@test "the cookie and the headers keep other sites, caches and frames out" {
	add_user "di-$$" owner --sign-in
	visit GET "$link"
	read_form
	submit "$link"
	[[ $(header Set-Cookie) = *'; Path=/console; HttpOnly; SameSite=Lax; Max-Age=604800' ]]
	visit GET /console/
	[ "$(header Cache-Control)" = no-store ]
	[ "$(header Referrer-Policy)" = strict-origin ]
	[ "$(header Cross-Origin-Opener-Policy)" = same-origin ]
	[ "$(header Content-Security-Policy)" = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'" ]
	refute grep -qE '<script|<style| style=| on[a-z]+=' "$answer"
	# Only screens with a preview have a script, a file of the console.
	visit GET /console/incidents/new
	script=$(grep -o '<script.*' "$answer")
	[[ $script =~ ^'<script src="'(/console/static/console-[0-9a-f]*\.js)'" defer></script>'$ ]] || show
	refute grep -qE '<style| style=| on[a-z]+=' "$answer"
	anyone GET "${BASH_REMATCH[1]}"
	[ "$status" = 200 ]
	[[ $(header Content-Type) = text/javascript* ]]
	visit GET /console/
	style=$(grep -o '/console/static/console-[0-9a-f]*\.css' "$answer")
	anyone GET "$style"
	[ "$status" = 200 ]
	[[ $(header Content-Type) = text/css* ]]
	[[ $(header Cache-Control) = *immutable* ]]
	anyone GET /console/static/console-0.css
	[ "$status" = 404 ]
}

@test "over HTTPS the cookie has the prefix __Host-" {
	needs_cgi_console "https://status.example.org/cgi-bin/daymark.cgi" yes
	ask_cgi GET /console/login
	grep -q '^Status: 200' "$answer"
	grep -qE '^Set-Cookie: __Host-daymark_visit=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Secure' "$answer"
	grep -q 'action="/cgi-bin/daymark.cgi/console/login"' "$answer"
}

@test "over HTTPS a form from the same host over HTTP is refused" {
	needs_cgi_console "https://status.example.org" yes
	ask_cgi GET /console/login
	[[ $(cat "$answer") =~ (__Host-daymark_visit=[A-Za-z0-9_-]*).*name=\"csrf\"\ value=\"([^\"]*) ]]
	cookie=${BASH_REMATCH[1]} cgi_body="csrf=${BASH_REMATCH[2]}&name=ada-$$&password=wrong"
	for from in 'HTTP_ORIGIN=https://status.example.org|the password is wrong' 'HTTP_ORIGIN=http://status.example.org|sent from another site' \
		'HTTP_REFERER=http://status.example.org/|sent from another site' 'HTTP_REFERER=https://status.example.org/|the password is wrong'; do
		ask_cgi POST /console/login "${from%|*}" HTTP_COOKIE="$cookie" CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH=${#cgi_body}
		grep -q "${from#*|}" "$answer" || { echo "$from"; cat "$answer"; false; }
	done
}

# bats test_tags=server
@test "no header of a client names a person for single sign-on" {
	visit GET /console/login
	[ "$status" = 200 ]
	forge names_nobody /console/login
}

@test "as CGI the program reads DAYMARK_USER alone, and only if single sign-on is on" {
	needs_cgi_console "https://status.example.org" yes
	ask_cgi GET /console/login DAYMARK_USER=ada
	grep -q 'Continue as ada' "$answer"
	ask_cgi GET /console/login DAYMARK_USER=a DAYMARK_EMAIL=ada@example.org
	grep -q 'Continue as ada@example.org' "$answer"
	for name in REMOTE_USER HTTP_DAYMARK_USER REDIRECT_DAYMARK_USER HTTP_REMOTE_USER AUTH_USER; do
		ask_cgi GET /console/login "$name=ada"
		refute grep -q 'Continue as' "$answer"
	done
	ask_cgi GET /console/login "DAYMARK_USER= ada"
	refute grep -q 'Continue as' "$answer"
	sed -i 's/^sso = yes/sso = no/' "$BATS_TEST_TMPDIR/cgi.conf"
	ask_cgi GET /console/login DAYMARK_USER=ada
	refute grep -q 'Continue as' "$answer"
}

@test "an installation without the setting has no console, nor has another host" {
	needs_cgi_console "https://status.example.org" no
	ask_cgi GET /console/login
	grep -q '^Status: 404' "$answer"
	needs_cgi_console "https://status.example.org" yes
	ask_cgi GET /console/login HTTP_HOST=pages.example.net
	grep -q '^Status: 404' "$answer"
	ask_cgi POST /console/login HTTP_HOST=pages.example.net
	grep -q '^Status: 404' "$answer"
}

# needs_cgi_console BASE_URL ENABLED: a configuration of its own, for the program as CGI.
needs_cgi_console() {
	sed -e "s|^base_url = .*|base_url = $1|" -e "/^\[console\]/,/^\[/s|^enabled *=.*|enabled = $2|" \
		-e "s|^log_file = .*|log_file = $BATS_TEST_TMPDIR/cgi.log|" "$dir/conf/daymark.conf" >"$BATS_TEST_TMPDIR/cgi.conf"
}

# ask_cgi METHOD PATH [NAME=VALUE]...: sends $cgi_body.
ask_cgi() {
	printf %s "$cgi_body" | env -i DAYMARK_CONF="$BATS_TEST_TMPDIR/cgi.conf" REQUEST_METHOD="$1" PATH_INFO="$2" SCRIPT_NAME= \
		GATEWAY_INTERFACE=CGI/1.1 SERVER_PROTOCOL=HTTP/1.1 REMOTE_ADDR=127.0.0.1 HTTP_HOST=status.example.org \
		"${@:3}" "${DAYMARK_BUILD:-$TOP/build}/daymark" | tr -d '\r' >"$answer"
}

@test "a form without its token, or from another site, changes nothing" {
	join_as "eve-$$" owner
	incident
	visit GET /console/
	read_form
	reply=/console/incidents/$incident/reply
	visit POST "$reply" -d body=forged
	[ "$status" = 403 ]
	visit POST "$reply" -d csrf= -d body=forged
	[ "$status" = 403 ]
	visit POST "$reply" -d "csrf=$(printf 'a%.0s' {1..43})" -d body=forged
	[ "$status" = 403 ]
	for from in 'Sec-Fetch-Site: cross-site' 'Sec-Fetch-Site: same-site' 'Origin: null' 'Origin: https://evil.example' \
		"Origin: $base.evil.example" 'Referer: https://evil.example/' "Referer: $base.evil.example/console/" 'Referer: x'; do
		submit "$reply" -d body=forged -H "$from"
		[ "$status" = 403 ] || { echo "$from"; show; }
	done
	says_text 'Nothing was'
	# The token of another browser's form does not fit either.
	other_jar=$BATS_TEST_TMPDIR/other
	anyone GET /console/login -c "$other_jar"
	read_form
	submit "$reply" -d body=forged
	[ "$status" = 403 ]
	anyone POST /console/login -d "csrf=$csrf" -d "name=eve-$$" -d password='correct horse'
	[ "$status" = 403 ]
	anyone POST "$reply" -d "csrf=$csrf" -d body=forged -b "$other_jar"
	[ "$status" = 303 ]
	[ "$(header Location)" = /console/login ]
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []'
	visit GET /console/
	read_form
	# The referrer counts only if a browser tells nothing better.
	for from in "Origin: $base" 'Sec-Fetch-Site: same-origin' "X-Nothing: $base"; do
		submit "$reply" -d body=Ours -H "$from" -e "$([[ $from = X-* ]] && echo "$base" || echo https://evil.example)/console/"
		[ "$status" = 303 ] || { echo "$from"; show; }
	done
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '[.data[].body] | unique == ["Ours"]' '.data | length == 3'
}

@test "a reply is never a conflict: an update that came meanwhile stays above it" {
	join_as "rep-$$" responder
	incident
	visit GET "/console/incidents/$incident"
	read_form
	version=$(grep -o 'name="version" value="[0-9]*"' "$answer" | head -1 | tr -dc 0-9)
	api POST "/api/v1/incidents/$incident/updates" -d body=Meanwhile -d phase=identified
	want 201
	api PUT "/api/v1/incidents/$incident" -d title='Another title'
	want 200
	submit "/console/incidents/$incident/reply" -d body=Mine -d phase=monitoring -d idempotency_key="$form_key" -d version="$version"
	[ "$status" = 303 ] || show
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '[.data[].body] | sort == ["Meanwhile","Mine"]'
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.phase == "monitoring" and .data.title == "Another title"'
	# The same form of the title is a conflict.
	submit "/console/incidents/$incident" -d title='Third title' -d version="$version"
	[ "$status" = 409 ]
}

@test "from the alarm to the published update: one screen, one text, one button" {
	join_as "flo-$$" responder
	incident 'queue is <full>'
	visit GET /console/
	[ "$status" = 200 ]
	want_queries_at_most 4
	says_text 'Major outage'
	says_text 'queue is &lt;full&gt;'
	says_text 'Nobody has it yet.'
	read_form
	reply=/console/incidents/$incident/reply
	submit "$reply" --data-urlencode 'body=We know & repair it.' -d phase=identified -d idempotency_key="$form_key"
	[ "$status" = 303 ]
	[[ $(header Location) = "/console/incidents/$incident?notice=posted&update="*'&until='* ]]
	there=$(header Location)
	# The second press of the button posts nothing more.
	submit "$reply" --data-urlencode 'body=We know & repair it.' -d phase=identified -d idempotency_key="$form_key"
	[ "$status" = 303 ]
	[ "$(header Idempotent-Replayed)" = true ]
	submit "$reply" --data-urlencode 'body=Another text' -d phase=identified -d idempotency_key="$form_key"
	[ "$status" = 409 ]
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data | length == 1' '.data[0].body == "We know & repair it."' '.data[0].phase == "identified"'
	see summary.json
	soon see_update
	visit GET "$there"
	says_text 'The update is posted.'
	visit GET /console/
	says_text 'Last update: We know &amp; repair it.'
	api GET "/api/v1/events?object=incident&object_id=$incident"
	want 200 ".data[0].actor == {type: \"user\", id: .data[0].actor.id, label: \"flo-$$\"}"
}

see_update() {
	anyone GET "$here/" && grep -q 'We know &amp; repair it.' "$answer"
}

@test "a refused reply comes back as it was typed, with the reason" {
	join_as "gil-$$" responder
	incident
	visit GET /console/
	read_form
	submit "/console/incidents/$incident/reply" -d body= -d phase=monitoring
	[ "$status" = 422 ]
	says_text 'The body field'
	says_text '<option value="monitoring" selected>'
	submit "/console/incidents/$incident/reply" --data-urlencode 'body=</textarea><script>' -d phase=never
	[ "$status" = 422 ]
	says_text 'The selected phase is invalid.'
	says_text '&lt;/textarea&gt;&lt;script&gt;'
	submit "/console/incidents/999999999/reply" -d body=Lost
	[ "$status" = 404 ]
}

@test "the screen shows who has it, and which promise is overdue" {
	join_as "hal-$$" responder
	incident
	visit GET /console/
	read_form
	submit "/console/incidents/$incident/acknowledge"
	[ "$status" = 303 ]
	visit GET '/console/?notice=taken'
	says_text 'You have it.'
	says_text "hal-$$ has it, since"
	api POST "/api/v1/incidents/$incident/updates" -d body=Soon -d next_update_at="$(date -u -d '+1 hour' +%FT%TZ)"
	want 201
	visit GET /console/
	says_text 'Next update promised for'
	sql "UPDATE incidents SET next_update_at = UTC_TIMESTAMP() - INTERVAL 12 MINUTE WHERE id = $incident"
	visit GET /console/
	grep -qE 'promised for .* is 12.*min late' "$answer" || show
	grep -qE 'Incidents whose promised update is late: [1-9]' "$answer" || show
	want_queries_at_most 4
	[ "$(wc -c <"$answer")" -lt 30000 ]
}

@test "what needs a person is named" {
	join_as "ida-$$" reader
	sql "UPDATE alert_channels SET suspended_at = NULL WHERE account_id = $account"
	visit GET /console/
	refute grep -q 'channels that are suspended' "$answer"
	api POST /api/v1/alert-channels -d name=c -d type=webhook --data-urlencode 'value[url]=https://hooks.example.org/'
	want 201
	channel=$(jq .data.id "$answer")
	sql "UPDATE alert_channels SET suspended_at = UTC_TIMESTAMP() WHERE id = $channel"
	new_page
	# The service may publish the page between both.
	for _ in 1 2 3 4 5; do
		sql "UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP() - INTERVAL 61 SECOND WHERE page_id = $page"
		visit GET /console/
		grep -q 'Pages whose changes are not published: ' "$answer" && break
	done
	says_text 'Alert channels that are suspended: 1'
	says_text 'Pages whose changes are not published: '
	want_queries_at_most 4
	sql "UPDATE alert_channels SET suspended_at = NULL WHERE id = $channel"
	api DELETE "/api/v1/alert-channels/$channel"
	want 200
}

@test "the first screen tells which maintenance takes place, and which comes" {
	account=$("$ctl" account add "Own $$" --json | jq .id)
	key=$("$ctl" key create --account "$account" --json | jq -r .key)
	join_as "moa-$$" responder
	incident
	visit GET /console/
	refute grep -q 'aintenance' <(sed -n '/<main/,/<\/main>/p' "$answer")
	now=$(date +%s)
	for start in $((now - 60)) $((now + 86400)); do
		api POST /api/v1/maintenances -d title=Upgrade -d "monitor_ids[]=$monitor" -d "starts_at=$(date -u -d "@$start" +%FT%TZ)" \
			-d "ends_at=$(date -u -d "@$((start + 3600))" +%FT%TZ)"
		want 201
	done
	visit GET /console/
	says_text 'Maintenance windows under way: 1'
	grep -qF "$(date -u -d "@$((now + 86400))" +%FT%R)" <(grep 'The next maintenance begins' "$answer") || show
	want_queries_at_most 4
}

@test "each role does what its key may, and no other account's" {
	join_as "jo-$$" reader
	incident
	visit GET /console/
	[ "$status" = 200 ]
	refute grep -q '<textarea' "$answer"
	read_form
	submit "/console/incidents/$incident/reply" -d body=No
	[ "$status" = 403 ]
	submit "/console/incidents/$incident/acknowledge"
	[ "$status" = 403 ]
	says_text 'Your role does not allow this'
	# The role of the present counts. Another role ends the session.
	"$ctl" user add "jo-$$" --role responder --account "$account"
	submit "/console/incidents/$incident/reply" -d body=No
	[ "$(header Location)" = /console/login ]
	sign_in "jo-$$" 'correct horse'
	visit GET /console/
	read_form
	submit "/console/incidents/$incident/reply" -d body=Yes
	[ "$status" = 303 ]
	# A user of another account.
	other_account=$(sql "SELECT id FROM accounts WHERE id <> $account ORDER BY id LIMIT 1")
	link=$("$ctl" user add "kay-$$" --role owner --account "$other_account" --sign-in 2>/dev/null)
	: >"$jar"
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}"
	visit GET /console/
	[ "$status" = 200 ]
	refute grep -q "id=\"title-$incident\"" "$answer"
	read_form
	submit "/console/incidents/$incident/reply" -d body=No
	[ "$status" = 404 ]
}

@test "unknown and known names get the same answer, and wrong passwords lock nobody out" {
	join_as "lea-$$" owner
	: >"$jar"
	sign_in "lea-$$" 'wrong horse'
	[ "$status" = 403 ]
	says_text 'The name or the password is wrong.'
	sed -E "s/lea-$$|value=\"[^\"]*\"//g" "$answer" >"$BATS_TEST_TMPDIR/known"
	[ "$(queries)" = 1 ]
	grep -qE "request $(header X-Request-Id): sign-in refused: wrong password of user [0-9]+" "$log"
	sign_in "nobody-$$" 'wrong horse'
	[ "$status" = 403 ]
	[ "$(queries)" = 1 ]
	sed -E "s/nobody-$$|value=\"[^\"]*\"//g" "$answer" | cmp - "$BATS_TEST_TMPDIR/known"
	for ((i = 0; i < 10; i++)); do
		sign_in "lea-$$" "wrong $i"
	done
	[ "$status" = 429 ]
	[ "$(header Retry-After)" -gt 0 ]
	# Another address signs in with this name meanwhile.
	sign_in "lea-$$" 'correct horse' --interface 127.0.0.2
	[ "$status" = 303 ]
}

@test "a disabled user is out at once, and a new password ends the other sessions" {
	join_as "max-$$" owner
	link=$("$ctl" user reset "max-$$" 2>/dev/null)
	visit GET /console/
	[ "$status" = 200 ]
	mine=$(session)
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}" -d password='another horse' -d again='another horse'
	[ "$status" = 303 ]
	anyone GET /console/ -H "Cookie: daymark_session=$mine"
	[ "$status" = 303 ]
	visit GET /console/
	[ "$status" = 200 ]
	"$ctl" user disable "max-$$"
	visit GET /console/
	[ "$status" = 303 ]
	sign_in "max-$$" 'another horse'
	[ "$status" = 403 ]
	run "$ctl" user disable "no-such-$$"
	[ "$status" = 3 ]
	run "$ctl" user add "max-$$" --role king --account "$account"
	[ "$status" = 2 ]
	run "$ctl" user add "max-$$" --role owner --account "$account"
	[ "$status" = 4 ]
}

@test "a session ends after twelve idle hours, and after a week" {
	join_as "nia-$$" owner
	hash="UNHEX(SHA2('$(session)', 256))"
	sql "UPDATE user_sessions SET used_at = UTC_TIMESTAMP() - INTERVAL 11 HOUR WHERE token_hash = $hash"
	visit GET /console/
	[ "$status" = 200 ]
	soon says "SELECT used_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR FROM user_sessions WHERE token_hash = $hash" 1
	sql "UPDATE user_sessions SET created_at = UTC_TIMESTAMP() - INTERVAL 8 DAY WHERE token_hash = $hash"
	visit GET /console/
	[ "$status" = 303 ]
	sql "UPDATE user_sessions SET created_at = UTC_TIMESTAMP(), used_at = UTC_TIMESTAMP() - INTERVAL 13 HOUR
		WHERE token_hash = $hash"
	visit GET /console/
	[ "$status" = 303 ]
}

@test "an incident is reported with the fields that have a label" {
	join_as "oz-$$" responder
	page_with_monitor
	visit GET /console/incidents/new
	[ "$status" = 200 ]
	# The fifth counts the systems, if there are more than 100.
	want_queries_at_most 5
	read_form
	visit GET "/console/incidents/new?search=$(sql "SELECT name FROM monitors WHERE id = $monitor" | sed 's/ /%20/g')"
	for name in title body impact phase 'monitor_ids\[\]'; do
		grep -q "name=\"$name\"" "$answer" || { echo "$name"; show; }
	done
	refute grep -qE 'name="(started_at|status_page_ids)' "$answer"
	submit /console/incidents/new -d title= -d 'body=Some <text>' -d impact=partial_outage -d "monitor_ids[]=$monitor" \
		-d idempotency_key="$form_key"
	[ "$status" = 422 ]
	says_text 'The title field is required.'
	says_text 'Some &lt;text&gt;</textarea>'
	says_text '<option value="partial_outage" selected>'
	says_text "value=\"$monitor\" checked>"
	read_form
	submit /console/incidents/new --data-urlencode 'title=Orders & <mail>' -d 'body=We look.' -d impact=partial_outage \
		-d phase=identified -d "monitor_ids[]=$monitor" -d idempotency_key="$form_key"
	[ "$status" = 303 ]
	there=$(header Location)
	[[ $there =~ ^/console/incidents/([0-9]+)\?notice=reported$ ]]
	id=${BASH_REMATCH[1]}
	submit /console/incidents/new --data-urlencode 'title=Orders & <mail>' -d 'body=We look.' -d impact=partial_outage \
		-d phase=identified -d "monitor_ids[]=$monitor" -d idempotency_key="$form_key"
	[ "$(header Location)" = "$there" ]
	api GET "/api/v1/incidents/$id"
	want 200 '.data.title == "Orders & <mail>"' '.data.impact == "partial_outage"' '.data.phase == "identified"' \
		".data.monitor_ids == [$monitor]" '.data.updates[0].body == "We look."'
	visit GET "$there"
	[ "$status" = 200 ]
	# As GET /api/v1/incidents/{id}, the session, and who will get an update.
	want_queries_at_most 6
	says_text 'The incident is reported.'
	says_text '<h1 id="screen">Orders &amp; &lt;mail&gt;</h1>'
	says_text '<p>We look.</p>'
	# A search narrows the systems.
	visit GET '/console/incidents/new?search=no-such-system'
	refute grep -q 'type="checkbox"' "$answer"
}

@test "a search for systems keeps the template, and a template keeps the search" {
	join_as "ota-$$" responder
	page_with_monitor
	found=$(sql "SELECT name FROM monitors WHERE id = $monitor")
	api POST /api/v1/incident-templates -d "name=Template $(new_slug)" -d 'title=A template fails' -d "monitor_ids[]=$monitor"
	template=$(jq .data.id "$answer")
	visit GET "/console/incidents/new?template_id=$template&search=no-such-system"
	[ "$status" = 200 ]
	says_text 'value="A template fails"'
	says_text "<input type=\"hidden\" name=\"template_id\" value=\"$template\">"
	# A system that the template has chosen stays, whatever the search finds.
	says_text "value=\"$monitor\" checked>"
	visit GET "/console/incidents/new?search=${found// /%20}"
	says_text "<input type=\"hidden\" name=\"search\" value=\"$found\">"
}

@test "an incident is updated to its end, with a post-mortem" {
	join_as "pia-$$" responder
	incident
	visit GET "/console/incidents/$incident"
	[ "$status" = 200 ]
	read_form
	submit "/console/incidents/$incident/reply" -d body= -d phase=monitoring
	[ "$status" = 422 ]
	says_text 'The body field'
	says_text '<option value="monitoring" selected>'
	read_form
	submit "/console/incidents/$incident/reply" -d body=Repaired -d phase=resolved -d impact= -d idempotency_key="$form_key"
	[ "$status" = 303 ]
	visit GET "$(header Location)"
	says_text 'The update is posted.'
	says_text '<p>Repaired</p>'
	version=$(grep -o 'name="version" value="[0-9]*"' "$answer" | cut -d'"' -f4)
	read_form
	submit "/console/incidents/$incident" -d version="$version" -d 'title=Orders failed' --data-urlencode 'postmortem=*Why* it broke'
	[ "$status" = 303 ]
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.status == "resolved"' '.data.title == "Orders failed"' '.data.postmortem == "*Why* it broke"'
	# Somebody else has saved meanwhile: both texts are shown, and nothing is lost.
	submit "/console/incidents/$incident" -d version="$version" -d 'title=Orders failed' -d postmortem=Mine
	[ "$status" = 409 ]
	says_text 'Somebody else has changed the incident meanwhile.'
	says_text '<em>Why</em> it broke'
	says_text 'Mine</textarea>'
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.postmortem == "*Why* it broke"'
	visit GET "/console/incidents/$incident"
	version=$(grep -o 'name="version" value="[0-9]*"' "$answer" | cut -d'"' -f4)
	read_form
	submit "/console/incidents/$incident" -d version="$version" -d 'title=Orders failed' -d postmortem=Mine
	[ "$status" = 303 ]
	visit GET /console/incidents/999999999
	[ "$status" = 404 ]
	"$ctl" user add "pia-$$" --role reader --account "$account"
	sign_in "pia-$$" 'correct horse'
	visit GET "/console/incidents/$incident"
	[ "$status" = 200 ]
	refute grep -qE '<textarea|<select' "$answer"
	read_form
	submit "/console/incidents/$incident" -d version=1 -d title=No
	[ "$status" = 403 ]
	submit /console/incidents/new -d title=No
	[ "$status" = 403 ]
}
