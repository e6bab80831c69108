# The people of the console: second factor, passwords, the own screen, forms that come too late.
load console

@test "with an app the sign-in asks for a code, which works once" {
	needs oathtool
	join_as "app-$$" owner
	set_up_app
	[ "$(sql "SELECT totp_secret LIKE '%$secret%' FROM users WHERE name = 'app-$$'")" = 0 ]
	refute grep -rqF "$secret" "$dir/log"
	: >"$jar"
	sign_in "app-$$" 'correct horse'
	[ "$status" = 200 ]
	says_text 'name="step"'
	[ -z "$(session)" ]
	cp "$answer" "$BATS_TEST_TMPDIR/step"
	give_code 000000
	[ "$status" = 403 ]
	says_text 'The code is wrong, or was used before.'
	# The code with which the app was set up is used up; the next one is accepted early.
	give_code "$used"
	[ "$status" = 403 ]
	next=$(code "$secret" 1)
	give_code "$next"
	[ "$status" = 303 ]
	visit GET /console/
	[ "$status" = 200 ]
	# Neither the code nor an older one works again.
	: >"$jar"
	sign_in "app-$$" 'correct horse'
	give_code "$next"
	[ "$status" = 403 ]
	grep -qE "sign-in refused: wrong code of user [0-9]+" "$log"
	# Steps further away than one are refused. A new step must not begin meanwhile.
	second=$(($(date +%s) % 30))
	[ "$second" -lt 10 ] || sleep $((30 - second))
	sql "UPDATE users SET totp_step = 0 WHERE name = 'app-$$'"
	for away in -2 2; do
		give_code "$(code "$secret" "$away")"
		[ "$status" = 403 ]
	done
	give_code "$(code "$secret" -1)"
	[ "$status" = 303 ]
}

@test "of two sign-ins with one code at the same time one succeeds" {
	needs oathtool
	join_as "twice-$$" owner
	set_up_app
	sql "UPDATE users SET totp_step = 0 WHERE name = 'twice-$$'"
	now=$(code "$secret")
	for i in 1 2 3 4; do
		jar=$BATS_TEST_TMPDIR/jar$i
		: >"$jar"
		sign_in "twice-$$" 'correct horse'
		read_form
		step=$(grep -o 'name="step" value="[^"]*"' "$answer" | cut -d'"' -f4)
		curl -s -o /dev/null -w '%{http_code}\n' -b "$jar" --data-urlencode "csrf=$csrf" --data-urlencode "step=$step" \
			-d code="$now" "$base/console/login/code" >"$BATS_TEST_TMPDIR/status$i" &
	done
	wait
	[ "$(cat "$BATS_TEST_TMPDIR"/status? | sort | xargs)" = '303 403 403 403' ]
}

@test "a recovery code works once, and new ones replace the others" {
	needs oathtool
	join_as "rec-$$" owner
	set_up_app
	for used in "${codes[0]^^}" "${codes[1]//-/ }"; do
		: >"$jar"
		sign_in "rec-$$" 'correct horse'
		give_code "$used"
		[ "$status" = 303 ]
	done
	visit GET /console/me
	says_text 'Recovery codes left: 8.'
	: >"$jar"
	sign_in "rec-$$" 'correct horse'
	give_code "${codes[0]}"
	[ "$status" = 403 ]
	give_code "${codes[2]}"
	[ "$status" = 303 ]
	visit GET /console/me
	read_form
	submit /console/me/codes
	[ "$status" = 200 ]
	new=$(grep -oE '<li><code>[^<]*' "$answer" | head -1 | cut -d'>' -f3)
	[ "$(sql "SELECT recovery_hashes LIKE '%$new%' FROM users WHERE name = 'rec-$$'")" = 0 ]
	: >"$jar"
	sign_in "rec-$$" 'correct horse'
	give_code "${codes[3]}"
	[ "$status" = 403 ]
	give_code "$new"
	[ "$status" = 303 ]
}

@test "the second step is bound to the browser, the password and five minutes" {
	needs oathtool
	join_as "stp-$$" owner
	set_up_app
	: >"$jar"
	sign_in "stp-$$" 'correct horse'
	step=$(grep -o 'name="step" value="[^"]*"' "$answer" | cut -d'"' -f4)
	cp "$jar" "$BATS_TEST_TMPDIR/mine"
	: >"$jar"
	visit GET /console/login
	read_form
	submit /console/login/code --data-urlencode "step=$step" -d code="$(code "$secret" 1)"
	[ "$status" = 403 ]
	says_text 'Too much time has passed.'
	# Another person's number, or a later end.
	jar=$BATS_TEST_TMPDIR/mine
	visit GET /console/login
	read_form
	for forged in "1.${step#*.}" "${step%%.*}.9999999999.${step##*.}" "" "x"; do
		submit /console/login/code --data-urlencode "step=$forged" -d code="$(code "$secret" 1)"
		[ "$status" = 403 ]
		says_text 'Too much time has passed.'
	done
	sql "UPDATE users SET password_hash = CONCAT(password_hash, 'x') WHERE name = 'stp-$$'"
	submit /console/login/code --data-urlencode "step=$step" -d code="$(code "$secret" 1)"
	says_text 'Too much time has passed.'
}

@test "with and without an app a wrong password gets the same answer; wrong codes lock nobody out" {
	needs oathtool
	join_as "wit-$$" owner
	set_up_app
	join_as "wout-$$" owner
	: >"$jar"
	for name in "wit-$$" "wout-$$"; do
		sign_in "$name" 'wrong horse'
		[ "$status" = 403 ]
		[ "$(queries)" = 1 ]
		sed -E "s/$name|value=\"[^\"]*\"//g" "$answer" >"$BATS_TEST_TMPDIR/$name"
	done
	cmp "$BATS_TEST_TMPDIR/wit-$$" "$BATS_TEST_TMPDIR/wout-$$"
	# From one address: ten tries a minute.
	sign_in "wit-$$" 'correct horse'
	for ((i = 0; i < 11; i++)); do
		[[ $(code "$secret" 1) = 00000* ]] || give_code "00000$((i % 10))"
	done
	[ "$status" = 429 ]
	[ "$(header Retry-After)" -gt 0 ]
	# From many addresses: thirty an hour. A recovery code still works.
	for n in 2 3 4; do
		: >"$jar"
		sign_in "wit-$$" 'correct horse' --interface 127.0.0.$n
		for ((i = 0; i < 9; i++)); do
			give_code "00000$i" --interface 127.0.0.$n
		done
	done
	[ "$status" = 429 ]
	says_text 'A recovery code still works'
	give_code "${codes[5]}" --interface 127.0.0.4
	[ "$status" = 303 ]
}

@test "after ten minutes sensitive changes ask for the password, and change nothing before" {
	needs oathtool
	join_as "fre-$$" owner
	set_up_app
	visit GET /console/me
	read_form
	grow_stale "fre-$$"
	submit /console/me/app/remove
	[ "$status" = 403 ]
	says_text 'Is it you?'
	[ "$(sql "SELECT totp_at IS NOT NULL FROM users WHERE name = 'fre-$$'")" = 1 ]
	# With an app, the password alone does not do, and a new password neither.
	submit /console/me/app/remove --data-urlencode 'confirm=correct horse'
	[ "$status" = 403 ]
	says_text 'The password, the code or the passkey is wrong'
	submit /console/me -d current='correct horse' -d password='correct horse' -d again='correct horse'
	[ "$(header Location)" = '/console/me?notice=password' ]
	visit GET /console/me
	read_form
	submit /console/me/app/remove
	[ "$status" = 403 ]
	submit /console/me/app/remove -d confirm="$used"
	[ "$status" = 403 ]
	submit /console/me/codes -d confirm="$(code "$secret" 1)"
	[ "$status" = 200 ]
	submit /console/me/app/remove
	[ "$(header Location)" = '/console/me?notice=removed' ]
	[ "$(sql "SELECT totp_at IS NULL AND totp_secret IS NULL AND recovery_hashes IS NULL FROM users WHERE name = 'fre-$$'")" = 1 ]
	grow_stale "fre-$$"
	visit GET /console/me/app
	read_form
	secret=$(grep -o 'name="secret" value="[^"]*"' "$answer" | cut -d'"' -f4)
	submit /console/me/app -d secret="$secret" -d code="$(code "$secret")"
	[ "$status" = 403 ]
	says_text "name=\"secret\" value=\"$secret\""
	submit /console/me/app -d secret="$secret" -d code="$(code "$secret")" --data-urlencode 'confirm=correct horse'
	[ "$status" = 200 ]
	api GET "/api/v1/events?object=user&per_page=100"
	want 200 '[.data[] | select(.actor.label == "fre-'$$'") | .kind] | index("user.factor_set") != null and index("user.factor_removed") != null'
}

@test "a wrong code sets nothing up" {
	needs oathtool
	join_as "res-$$" owner
	visit GET /console/me/app
	want_queries_at_most 4
	[ "$(wc -c <"$answer")" -lt 30000 ]
	read_form
	secret=$(grep -o 'name="secret" value="[^"]*"' "$answer" | cut -d'"' -f4)
	submit /console/me/app -d secret="$secret" -d code=000000
	[ "$status" = 422 ]
	says_text 'The code field is not the present code of the app.'
	says_text "name=\"secret\" value=\"$secret\""
	submit /console/me/app -d secret=AAAA -d code=000000
	[ "$status" = 422 ]
	[ "$(sql "SELECT totp_at IS NULL FROM users WHERE name = 'res-$$'")" = 1 ]
}

# use_link LINK PASSWORD: a browser without a session chooses a password.
use_link() {
	: >"$jar"
	visit GET "${1#"$base"}"
	read_form
	submit "${1#"$base"}" -d password="$2" -d again="$2"
}

# events_of NAME: the kinds of the events of the user, the newest first.
events_of() {
	sql "SELECT GROUP_CONCAT(kind ORDER BY id DESC) FROM events WHERE object_id = (SELECT id FROM users WHERE name = '$1')
		AND (kind LIKE 'user.%' OR kind LIKE 'session.%')"
}

@test "a reset by a link keeps the app: the code is asked for after the new password" {
	needs oathtool
	join_as "keep-$$" owner
	set_up_app
	sql "UPDATE users SET totp_step = 0 WHERE name = 'keep-$$'"
	link=$("$ctl" user reset "keep-$$" 2>"$BATS_TEST_TMPDIR/said")
	grep -q 'stay; --remove-2fa' "$BATS_TEST_TMPDIR/said"
	"$ctl" user disable "keep-$$"
	link=$("$ctl" user reset "keep-$$" 2>/dev/null)
	use_link "$link" 'another horse'
	[ "$status" = 200 ]
	says_text 'name="step"'
	[ -z "$(session)" ]
	[ "$(sql "SELECT COUNT(*) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'keep-$$'")" = 0 ]
	[[ $(events_of "keep-$$") = user.enabled,user.password_set,user.linked,* ]]
	give_code 000000
	[ "$status" = 403 ]
	give_code "$(code "$secret")"
	[ "$status" = 303 ]
	visit GET /console/
	[ "$status" = 200 ]
	[ "$(sql "SELECT detail FROM events WHERE kind = 'session.started' ORDER BY id DESC LIMIT 1")" = "keep-$$; password and app" ]
	# The link is used up, also without the code.
	visit GET "${link#"$base"}"
	[ "$status" = 404 ]
	# A link that sets no password asks for the code, too.
	link=$("$ctl" user reset "keep-$$" --sign-in 2>/dev/null)
	use_link "$link" ''
	[ "$status" = 200 ]
	[ -z "$(session)" ]
	give_code "${codes[0]}"
	[ "$status" = 303 ]
	[ "$(sql "SELECT detail FROM events WHERE kind = 'session.started' ORDER BY id DESC LIMIT 1")" = "keep-$$; link and app" ]
	: >"$jar"
	sign_in "keep-$$" 'another horse'
	[ "$status" = 200 ]
	says_text 'name="step"'
}

@test "only a reset that says so removes the app and the passkeys" {
	needs oathtool
	join_as "rem-$$" owner
	set_up_app
	run "$ctl" user reset "rem-$$" --remove-2fa --sign-in
	[ "$status" = 2 ]
	link=$("$ctl" user reset "rem-$$" --remove-2fa 2>"$BATS_TEST_TMPDIR/said")
	[[ $link = "$base/console/recover/"* ]]
	grep -q 'removed when the link is used' "$BATS_TEST_TMPDIR/said"
	[[ $(events_of "rem-$$") = user.recovery_linked,* ]]
	[ "$(sql "SELECT totp_at IS NOT NULL FROM users WHERE name = 'rem-$$'")" = 1 ]
	# The kind of a link cannot be chosen by its address.
	: >"$jar"
	visit GET "/console/reset/${link##*/}"
	[ "$status" = 404 ]
	plain=$("$ctl" user reset "rem-$$" 2>/dev/null)
	visit GET "/console/recover/${plain##*/}"
	[ "$status" = 404 ]
	link=$("$ctl" user reset "rem-$$" --remove-2fa 2>/dev/null)
	use_link "$link" 'another horse'
	[ "$status" = 303 ]
	[[ $(events_of "rem-$$") = user.factor_removed,* ]]
	: >"$jar"
	sign_in "rem-$$" 'another horse'
	[ "$status" = 303 ]
}

@test "an owner resets the access of a person with an app, and removes the app only with the box" {
	needs oathtool
	join_as "fac-$$" editor
	set_up_app
	person=$(sql "SELECT id FROM users WHERE name = 'fac-$$'")
	join_as "res-boss-$$" owner
	visit GET "/console/people/$person"
	says_text 'name="remove_2fa"'
	read_form
	submit "/console/people/$person/reset" -d remove_2fa=0
	[ "$status" = 200 ]
	says_text "$base/console/reset/"
	submit "/console/people/$person/reset" -d remove_2fa=0 -d remove_2fa=1
	[ "$status" = 200 ]
	says_text "$base/console/recover/"
	says_text 'the authenticator app, the recovery codes and the passkeys are removed'
	[[ $(events_of "fac-$$") = user.recovery_linked,user.linked,* ]]
	visit GET "/console/people/$(sql "SELECT id FROM users WHERE name = 'res-boss-$$'")"
	refute grep -q 'remove_2fa' "$answer"
}

@test "a sign-in with a password that is changed meanwhile begins no session" {
	add_user "late-$$" reader
	visit GET "$link"
	read_form
	submit "$link" -d password='correct horse' -d again='correct horse'
	visit GET /console/me
	read_form
	submit /console/logout
	# The row is locked from before the check of the password until the change.
	sql "START TRANSACTION; UPDATE users SET password_hash = 'x' WHERE name = 'late-$$'; SELECT SLEEP(2); COMMIT" 3>&- &
	changing=$!
	sleep 0.5
	sign_in "late-$$" 'correct horse'
	wait "$changing"
	[ "$status" = 403 ] || show
	[ "$(sql "SELECT COUNT(*) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'late-$$'")" = 0 ]
}

@test "a session that goes on in another account does so once" {
	join_as "fork-$$" owner
	other=$("$ctl" account add "fork-$$" --json | jq .id)
	"$ctl" user add "fork-$$" --role owner --account "$other" >&2
	visit GET /console/accounts
	read_form
	cp "$jar" "$jar.first"
	for i in 1 2 3 4; do
		curl -s -o /dev/null -b "$jar.first" -w '%{http_code}\n' --data-urlencode "csrf=$csrf" "$base/console/accounts/$other" 3>&- >"$BATS_TEST_TMPDIR/status-$i" &
	done
	wait
	cat "$BATS_TEST_TMPDIR"/status-*
	[ "$(sql "SELECT s.account_id FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'fork-$$'")" = "$other" ]
	[ "$(sql "SELECT COUNT(*) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'fork-$$'")" = 1 ]
}

@test "common passwords are refused, and the error names the field" {
	add_user "com-$$" owner
	visit GET "$link"
	read_form
	for common in password12 1234567890 qwertyuiop iloveyou123 P@ssw0rd123 aaaaaaaaaaaa abcdefghij michael1990 1q2w3e4r5t \
		"com-$$-com-$$" basketball; do
		submit "$link" --data-urlencode "password=$common" --data-urlencode "again=$common"
		[ "$status" = 422 ] || { echo "$common"; show; }
		says_text 'The password field has one of the first passwords that strangers'
		says_text 'id="problem-password"'
	done
	submit "$link" -d password='die Katze schnurrt' -d again='die Katze schnurrt'
	[ "$status" = 303 ]
}

@test "a person changes the own password, and ends the own sessions" {
	join_as "own-$$" reader
	first=$(session)
	: >"$jar"
	sign_in "own-$$" 'correct horse' -A 'Phone <1>'
	second=$(session)
	visit GET /console/me
	[ "$status" = 200 ]
	want_queries_at_most 4
	[ "$(wc -c <"$answer")" -lt 30000 ]
	says_text 'Phone &lt;1&gt;'
	says_text 'This is the session that you use now.'
	read_form
	submit /console/me -d current='wrong horse' -d password='another horse' -d again='another horse'
	[ "$status" = 403 ]
	submit /console/me -d current='correct horse' -d password=password12 -d again=password12
	[ "$status" = 422 ]
	says_text 'id="problem-password"'
	refute grep -q 'correct horse' "$answer"
	submit /console/me -d current='correct horse' -d password='another horse' -d again='another horse'
	[ "$(header Location)" = '/console/me?notice=password' ]
	for token in "$first" "$second"; do
		anyone GET /console/ -H "Cookie: daymark_session=$token"
		[ "$status" = 303 ]
	done
	[ "$(session)" != "$second" ]
	visit GET '/console/me?notice=password'
	says_text 'The password is changed'
	read_form
	# One of three sessions, and then all others.
	mine=$jar
	for i in 1 2; do
		jar=$BATS_TEST_TMPDIR/other$i
		: >"$jar"
		sign_in "own-$$" 'another horse'
		[ "$status" = 303 ]
	done
	third=$(session)
	jar=$mine
	id=$(sql "SELECT id FROM user_sessions WHERE token_hash = UNHEX(SHA2('$third', 256))")
	visit GET /console/me
	read_form
	submit "/console/me/sessions/$id/end"
	[ "$(header Location)" = '/console/me?notice=ended' ]
	submit "/console/me/sessions/$id/end"
	[ "$status" = 404 ]
	[ "$(sql "SELECT COUNT(*) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'own-$$'")" = 2 ]
	submit /console/me/sessions/end
	[ "$status" = 303 ]
	[ "$(sql "SELECT HEX(token_hash) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'own-$$'")" = \
		"$(sql "SELECT UPPER(SHA2('$(session)', 256))")" ]
	# Another person's session.
	id=$(sql "SELECT MAX(s.id) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name <> 'own-$$'")
	submit "/console/me/sessions/$id/end"
	[ "$status" = 404 ]
}

@test "what was typed into a form outlasts the session, and is not sent by itself" {
	join_as "typ-$$" responder
	incident
	visit GET "/console/incidents/$incident"
	read_form
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	typed=(--data-urlencode 'body=Long & <typed> text' -d phase=identified -d made_for="$for_me" -d idempotency_key="$form_key")
	sql "UPDATE user_sessions SET used_at = UTC_TIMESTAMP() - INTERVAL 13 HOUR WHERE user_id = (SELECT id FROM users WHERE name = 'typ-$$')"
	# Another site cannot leave a form here.
	submit "/console/incidents/$incident/reply" "${typed[@]}"
	[ "$(header Location)" = /console/login ]
	submit "/console/incidents/$incident/reply" "${typed[@]}" -H "Origin: $base"
	[ "$status" = 403 ]
	says_text 'Your session has ended.'
	kept=$(grep -o 'name="kept" value="[^"]*"' "$answer" | cut -d'"' -f4 | sed 's/&amp;/\&/g')
	[ -n "$kept" ]
	read_form
	submit /console/login -d name="typ-$$" -d password='wrong horse' --data-urlencode "kept=$kept"
	[ "$status" = 403 ]
	says_text 'name="kept"'
	read_form
	submit /console/login -d name="typ-$$" -d password='correct horse' --data-urlencode "kept=$kept"
	[ "$status" = 200 ]
	says_text 'Your text is still here'
	says_text 'Long &amp; &lt;typed&gt; text</textarea>'
	says_text '<option value="identified" selected>'
	says_text "action=\"/console/incidents/$incident/reply\""
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []'
	visit GET /console/
	read_form
	submit "/console/incidents/$incident/reply" "${typed[@]}"
	[ "$status" = 303 ]
	# Somebody else who signs in does not see the text.
	join_as "oth-$$" responder
	visit GET /console/login
	read_form
	submit /console/login -d name="oth-$$" -d password='correct horse' --data-urlencode "kept=$kept"
	[ "$status" = 303 ]
	refute grep -q 'Long' "$answer"
}

@test "a kept report keeps the chosen systems, by their names" {
	join_as "kept-$$" responder
	page_with_monitor
	first=$monitor
	page_with_monitor
	visit GET /console/incidents/new
	read_form
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	sql "DELETE FROM user_sessions WHERE user_id = (SELECT id FROM users WHERE name = 'kept-$$')"
	submit /console/incidents/new -H "Origin: $base" -d title=Kept -d body=Long -d made_for="$for_me" -d idempotency_key="$form_key" \
		-d 'monitor_ids[]=' -d "monitor_ids[]=$first" -d "monitor_ids[]=$monitor"
	[ "$status" = 403 ] || show
	kept=$(grep -o 'name="kept" value="[^"]*"' "$answer" | cut -d'"' -f4 | sed 's/&amp;/\&/g')
	read_form
	submit /console/login -d name="kept-$$" -d password='correct horse' --data-urlencode "kept=$kept"
	[ "$status" = 200 ] || show
	[ "$(grep -c 'name="monitor_ids\[\]"[^>]* checked' "$answer")" = 2 ]
	for id in "$first" "$monitor"; do
		grep -qE "name=\"monitor_ids\[\]\" value=\"$id\" checked> [^#]" "$answer" || show
	done
}

@test "a form of before a new sign-in is shown again, with the token of the present session" {
	join_as "sta-$$" responder
	incident
	visit GET "/console/incidents/$incident"
	read_form
	old=$csrf
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	sign_in "sta-$$" 'correct horse'
	csrf=$old
	submit "/console/incidents/$incident/reply" -d body=Kept -d phase=identified -d made_for="$for_me" -H "Sec-Fetch-Site: same-origin"
	[ "$status" = 409 ]
	says_text 'Kept</textarea>'
	refute grep -q "value=\"$old\"" "$answer"
	submit "/console/incidents/$incident/reply" -d body=Kept -d phase=identified -d made_for="$for_me"
	[ "$status" = 403 ]
	refute grep -q Kept "$answer"
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []'
}

@test "taking an incident keeps the text of its row; a reply keeps the promise unless it is withdrawn" {
	join_as "tak-$$" responder
	incident
	promise=$(date -u -d '+3 hours' +%FT%TZ)
	api POST "/api/v1/incidents/$incident/updates" -d body=Soon -d next_update_at="$promise"
	want 201
	visit GET /console/
	says_text "<option value=\"$promise\" selected>As promised: "
	says_text '<option value="">Withdraw the promise</option>'
	read_form
	submit "/console/incidents/$incident/acknowledge" --data-urlencode 'body=Half a <text' -d phase=identified \
		-d next_update_at="$promise" -d idempotency_key="$form_key"
	[ "$status" = 200 ]
	says_text 'You have it.'
	says_text 'Half a &lt;text</textarea>'
	says_text '<option value="identified" selected>'
	says_text "tak-$$ has it, since"
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data | length == 1'
	visit GET /console/
	read_form
	submit "/console/incidents/$incident/reply" -d body=Kept -d phase=identified -d next_update_at="$promise"
	[ "$status" = 303 ]
	api GET "/api/v1/incidents/$incident"
	want 200 ".data.next_update_at == \"$promise\""
	submit "/console/incidents/$incident/reply" -d body=Withdrawn -d phase=identified -d next_update_at=
	[ "$status" = 303 ]
	api GET "/api/v1/incidents/$incident"
	want 200 '.data.next_update_at == null'
	# The end of the incident is no error because of the promise that the form keeps.
	submit "/console/incidents/$incident/reply" -d body=Over -d phase=resolved -d next_update_at="$promise"
	[ "$status" = 303 ]
}

# Browsers make passkeys in tests/page/passkeys.cjs.
@test "a passkey that nobody has is refused and limited as a wrong password is" {
	visit GET /console/login
	says_text '<button type="button" class="plain" hidden data-challenge="/console/login/challenge"'
	read_form
	visit GET /console/login/challenge
	[ "$status" = 200 ]
	grep -qE '^[0-9]{16}\.[A-Za-z0-9_-]{43}$' "$answer"
	[ "$(header Cache-Control)" = no-store ]
	for _ in {1..10}; do
		submit /console/login -d passkey=e30.AAAA.AAAA.AAAA -H "Origin: $base" --interface 127.0.0.4
		[ "$status" = 403 ]
		says_text 'The passkey does not work here'
		[ -z "$(session)" ]
	done
	submit /console/login -d passkey=e30.AAAA.AAAA.AAAA -H "Origin: $base" --interface 127.0.0.4
	[ "$status" = 429 ]
	# Other addresses, and passwords, are counted apart.
	submit /console/login -d passkey=e30.AAAA.AAAA.AAAA -H "Origin: $base" --interface 127.0.0.5
	[ "$status" = 403 ]
	join_as "alike-$$" owner
	sign_in "alike-$$" 'correct horse'
	[ "$status" = 303 ]
}

@test "the person of the session adds passkeys, after a proof, and sees what is wrong" {
	anyone GET /console/me/challenge
	[ "$status" = 303 ]
	join_as "keys-$$" reader
	visit GET /console/me/challenge
	[ "$status" = 200 ]
	visit GET /console/me/passkeys
	want_queries_at_most 4
	read_form
	submit /console/me/passkeys --data-urlencode 'name=<Key>' -d passkey=e30.AAAA.AAAA.AAAA -H "Origin: $base"
	[ "$status" = 422 ]
	says_text 'The browser has made no valid passkey'
	says_text 'value="&lt;Key&gt;"'
	submit /console/me/passkeys -d passkey=e30.AAAA.AAAA.AAAA
	[ "$status" = 422 ]
	says_text 'The name field is required.'
	grow_stale "keys-$$"
	submit /console/me/passkeys -d name=Key -d passkey=e30.AAAA.AAAA.AAAA
	[ "$status" = 403 ]
	says_text 'Is it you?'
	says_text 'name="passkey" value="e30.AAAA.AAAA.AAAA"'
	refute grep -q data-challenge "$answer"
	# Who has a passkey may prove it by the passkey.
	sql "UPDATE users SET passkey_count = 1 WHERE name = 'keys-$$'"
	submit /console/me/passkeys/1/remove
	[ "$status" = 403 ]
	says_text 'data-challenge="/console/me/challenge" data-field="confirm"'
	submit /console/me/passkeys/1/remove -d confirm="$(printf 'x%.0s' {1..129})"
	[ "$status" = 403 ]
	submit /console/me/passkeys/1/remove --data-urlencode confirm='correct horse'
	[ "$status" = 404 ]
}

@test "a person chooses language, colours and time zone, for all screens" {
	join_as "mine-ada-$$" owner
	visit GET /console/me
	[ "$status" = 200 ]
	refute grep -q data-scheme "$answer"
	says_text '<option value="auto" selected>As the browser says</option>'
	says_text '<option value="ja">日本語</option>'
	says_text 'value="UTC"'
	read_form
	submit /console/me/preferences -d language=xx -d color_scheme=pink -d time_zone=Mars/Base
	[ "$status" = 422 ] || show
	[ "$(grep -c '^<p class="problem"' "$answer")" = 3 ]
	says_text 'value="Mars/Base"'
	# An empty value is the usual one.
	submit /console/me/preferences -d language= -d color_scheme= -d time_zone=
	[ "$(header Location)" = '/console/me?notice=saved' ]
	visit GET /console/me
	says_text 'value="UTC"'
	submit /console/me/preferences -d language=de -d color_scheme=dark -d time_zone=Asia/Tokyo
	[ "$status" = 303 ] || show
	# Another account's events do not tell of it, nor does another person see it.
	[ "$(sql "SELECT COUNT(*) FROM users WHERE name LIKE 'mine-%-$$' AND time_zone = 'Asia/Tokyo'")" = 1 ]
	visit GET '/console/me?notice=saved' -H 'Accept-Language: fr'
	says_text '<html lang="de" dir="ltr" data-scheme="dark">'
	says_text 'Die Änderung ist gespeichert.'
	says_text '<option value="dark" selected>'
	says_text ' JST</time>'
	refute grep -q ' UTC' "$answer"
	# The same in another browser of the person, but not before the sign-in.
	: >"$jar"
	visit GET /console/login -H 'Accept-Language: fr'
	says_text '<html lang="fr" dir="ltr">'
	sign_in "mine-ada-$$" 'correct horse'
	visit GET /console/ -H 'Accept-Language: fr'
	says_text '<html lang="de" dir="ltr" data-scheme="dark">'
	read_form
	submit /console/me/preferences -d language=auto -d color_scheme=light
	visit GET /console/me -H 'Accept-Language: fr'
	says_text '<html lang="fr" dir="ltr" data-scheme="light">'
	says_text 'value="Asia/Tokyo"'
}

@test "times are shown in the zone of the person, and typed in the zone that the form names" {
	incident
	join_as "mine-bea-$$" owner
	visit GET /console/me
	read_form
	submit /console/me/preferences -d language=en -d color_scheme=auto -d time_zone=Europe/Berlin
	[ "$status" = 303 ] || show
	day=$(($(date +%Y) + 1))-07-10
	visit GET /console/maintenances/new
	says_text 'value="Europe/Berlin"'
	read_form
	submit /console/maintenances -d title="Summer $$" -d "monitor_ids[]=$monitor" -d starts_at=${day}T10:00 -d ends_at=${day}T11:00 -d time_zone=Europe/Berlin -d rrule=
	[ "$status" = 303 ] || show
	window=$(header Location)
	window=${window%%\?*}
	api GET "/api/v1/maintenances/${window##*/}"
	want 200 ".data.starts_at == \"${day}T08:00:00Z\"" ".data.ends_at == \"${day}T09:00:00Z\"" '.data.time_zone == null'
	visit GET "$window"
	says_text "datetime=\"${day}T08:00:00Z\">10 Jul ${day%%-*}, 10:00 CEST</time>"
	says_text 'Next times (Europe/Berlin)'
	says_text "type=\"datetime-local\" value=\"${day}T10:00\""
	# The line for the API has what the API has.
	says_text "starts_at=${day}T08:00:00Z'"
	refute grep -q "'time_zone=" "$answer"
	read_form
	submit "$window" -d version=1 -d title="Summer $$" -d starts_at=${day}T10:00 -d ends_at=${day}T11:30 -d time_zone=Europe/Berlin -d rrule=
	[ "$status" = 409 ] || show
	says_text "Now: ${day}T11:00"
	refute grep -q "Now: ${day}T10" "$answer"
	# The person's zone does not change what is typed in another one.
	submit "$window" -d title="Summer $$" -d starts_at=${day}T10:00 -d ends_at=${day}T11:30 -d time_zone=America/New_York -d rrule=
	api GET "/api/v1/maintenances/${window##*/}"
	want 200 ".data.starts_at == \"${day}T14:00:00Z\""
	# A time in the hour that clocks repeat is shown in UTC, in which it is one time.
	api POST /api/v1/maintenances -d title="Night $$" -d starts_at=2030-10-27T01:30:00Z -d ends_at=2030-10-27T03:00:00Z
	window=$(jq .data.id "$answer")
	visit GET "/console/maintenances/$window"
	says_text 'value="2030-10-27T01:30"'
	says_text 'value="UTC"'
	# Other forms say that they are in UTC, and the promise of an update names the zone.
	visit GET /console/keys/new
	says_text 'Expires at (UTC)'
	read_form
	submit /console/keys -d label="Summer $$" -d expires_at=${day}T10:00
	[ "$(sql "SELECT expires_at FROM api_keys WHERE label = 'Summer $$'")" = "$day 10:00:00" ]
	visit GET "/console/incidents/$incident"
	grep -qE 'In 30 minutes: [0-9]{2}:[0-9]{2} CES?T' "$answer" || show
}

# twice PATH [CURL ARGUMENT]...: sends the form that was read, and sends it again; the second press changes nothing.
twice() {
	local events
	[ -n "$form_key" ]
	submit "$@" -d idempotency_key="$form_key"
	[ "$status" = 303 ] || show
	events=$(sql "SELECT MAX(id) FROM events")
	submit "$@" -d idempotency_key="$form_key"
	[ "$status" = 303 ] || show
	[[ $(header Location) = *notice=repeated ]]
	[ "$(sql "SELECT MAX(id) FROM events")" = "$events" ]
}

# key_of PATH: sets $form_key to the key of the form with this path.
key_of() {
	form_key=$(tr -d '\n' <"$answer" | sed 's/<form /\n&/g' | grep -F "action=\"/console/$1\"" | grep -o 'name="idempotency_key" value="[^"]*"' | cut -d'"' -f4)
}

@test "a role, a passkey and an app are changed once, also by a double press" {
	needs oathtool
	add_user "once-rea-$$" reader
	join_as "once-$$" owner
	person=$(sql "SELECT id FROM users WHERE name = 'once-rea-$$'")
	visit GET "/console/people/$person"
	read_form
	key_of "people/$person"
	twice "/console/people/$person" -d role=editor
	[ "$(sql "SELECT role FROM user_roles WHERE user_id = $person")" = 2 ]
	visit GET /console/me/passkeys
	key_of me/passkeys
	[ -n "$form_key" ]
	for name in a b; do
		sql "INSERT INTO user_passkeys (user_id, credential_id, public_key, rp_id, name, counter, created_at)
			SELECT id, 'once-$name-$$', '', '', '$name', 0, NOW() FROM users WHERE name = 'once-$$'"
	done
	first=$(sql "SELECT MIN(id) FROM user_passkeys WHERE credential_id LIKE 'once-_-$$'")
	visit GET /console/me/passkeys
	read_form
	key_of "me/passkeys/$first/remove"
	twice "/console/me/passkeys/$first/remove"
	[ "$(sql "SELECT COUNT(*) FROM user_passkeys WHERE credential_id LIKE 'once-_-$$'")" = 1 ]
	set_up_app
	visit GET /console/me
	read_form
	key_of me/app/remove
	twice /console/me/app/remove
}
