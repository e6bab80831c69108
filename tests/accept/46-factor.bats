# An account that demands a second factor: which sessions have one, and what the others reach.
load console

setup() {
	setup_of_lib
	jar=$BATS_TEST_TMPDIR/jar
	: >"$jar"
	account_name=factor-$$-$RANDOM
	account=$("$ctl" account add "$account_name" --json | jq .id)
}

# demand [no-]: by the operator.
demand() {
	"$ctl" account set "$account" "--${1-}needs-second-factor" >&2
}

# is_held: the session reaches the own access alone. tests/unit/app/test_console_routes.c has all routes.
is_held() {
	local path
	for path in '' incidents/new people audit; do
		visit GET "/console/$path"
		[ "$status" = 303 ] || show
		[ "$(header Location)" = /console/me ]
	done
	for path in me/app me/passkeys accounts; do
		visit GET "/console/$path"
		[ "$status" = 200 ] || show
	done
	visit GET /console/me
	[ "$status" = 200 ] || show
	says_text 'This account demands a second factor.'
	refute grep -q 'href="/console/monitors"' "$answer"
	read_form
	for path in incidents/new people/factor pages/preview; do
		submit "/console/$path" -d name="held-$$" -d title=Held -d slug="held-$$"
		[ "$status" = 403 ] || show
		says_text 'This account demands a second factor.'
	done
	visit GET /console/me
	read_form
}

is_free() {
	visit GET /console/
	[ "$status" = 200 ] || show
	visit GET /console/me
	refute grep -q 'demands a second factor' "$answer"
}

@test "without a second factor a session reaches only the own access, until an app is set up; without the app again" {
	needs oathtool
	join_as "fa-app-$$" owner
	is_free
	demand
	is_held
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE account_id = $account")" = 0 ]
	set_up_app
	is_free
	# The removal is allowed, and its screen is the one that is left.
	visit GET /console/me
	read_form
	submit /console/me/app/remove
	[ "$(header Location)" = '/console/me?notice=removed' ]
	is_held
	submit /console/me -d current='correct horse' -d password='another horse' -d again='another horse'
	[ "$(header Location)" = '/console/me?notice=password' ]
	demand no-
	is_free
	read_form
	demand
	submit /console/logout
	[ "$(header Location)" = /console/login ]
}

@test "a sign-in with app, also after a link, has a second factor; a link that removes the app has none" {
	needs oathtool
	join_as "fa-link-$$" reader
	set_up_app
	demand
	sql "UPDATE users SET totp_step = 0 WHERE name = 'fa-link-$$'"
	: >"$jar"
	sign_in "fa-link-$$" 'correct horse'
	give_code "$(code "$secret")"
	is_free
	visit GET /console/me
	says_text 'Signed in with password and app.'
	link=$("$ctl" user reset "fa-link-$$" --sign-in 2>/dev/null)
	: >"$jar"
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}"
	give_code "${codes[0]}"
	is_free
	says_text 'Signed in by a link, with the app.'
	link=$("$ctl" user reset "fa-link-$$" --remove-2fa 2>/dev/null)
	: >"$jar"
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}" -d password='another horse' -d again='another horse'
	[ "$status" = 303 ]
	is_held
	says_text 'Signed in by a link.'
}

@test "a session by a passkey has a second factor as long as the person has one; by password it has none" {
	needs oathtool
	join_as "fa-key-$$" owner
	other=$("$ctl" account add "other-$account_name" --json | jq .id)
	"$ctl" user add "fa-key-$$" --role owner --account "$other" >&2
	demand
	visit GET /console/me
	says_text 'add a passkey there, sign out, and sign in with it'
	sql "UPDATE users SET passkey_count = 1 WHERE name = 'fa-key-$$'"
	is_held
	says_text 'Sign out, and sign in with your passkey. If you have lost it, an owner can reset your access.'
	# Who has only the password neither adds a factor nor removes the passkey, not even from an account without the demand.
	for account_now in "$account" "$other"; do
		sql "UPDATE user_sessions SET account_id = $account_now WHERE user_id = (SELECT id FROM users WHERE name = 'fa-key-$$')"
		visit GET /console/me/app
		read_form
		secret=$(grep -o 'name="secret" value="[^"]*"' "$answer" | cut -d'"' -f4)
		submit /console/me/app -d secret="$secret" -d code="$(code "$secret")"
		[ "$status" = 403 ] || show
		says_text 'sign in with your passkey'
		visit GET /console/me/app
		read_form
		submit /console/me/passkeys -d name=Mine -d passkey=x
		[ "$status" = 403 ] || show
		submit /console/me/passkeys/1/remove
		[ "$status" = 403 ] || show
	done
	[ "$(sql "SELECT totp_at IS NULL AND passkey_count = 1 FROM users WHERE name = 'fa-key-$$'")" = 1 ]
	sql "UPDATE user_sessions SET account_id = $account WHERE user_id = (SELECT id FROM users WHERE name = 'fa-key-$$')"
	# tests/page/passkeys.cjs signs in with a real one.
	sql "UPDATE user_sessions SET began = 5 WHERE user_id = (SELECT id FROM users WHERE name = 'fa-key-$$')"
	is_free
	says_text 'Signed in with a passkey.'
	sql "UPDATE users SET passkey_count = 0 WHERE name = 'fa-key-$$'"
	is_held
}

@test "a text that was typed before the account demanded a second factor is kept" {
	join_as "fa-kept-$$" responder
	visit GET /console/incidents/new
	read_form
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	demand
	submit /console/incidents/new -H "Origin: $base" -d title=Kept -d body='Long text' -d made_for="$for_me" -d idempotency_key="$form_key"
	[ "$status" = 403 ] || show
	says_text 'This account demands a second factor.'
	# The forms of the sign-in, not those of the session.
	says_text 'action="/console/login"'
	refute grep -q 'action="/console/logout"' "$answer"
	kept=$(grep -o 'name="kept" value="[^"]*"' "$answer" | cut -d'"' -f4 | sed 's/&amp;/\&/g')
	[[ $kept = *Long%20text* ]] || show
	# A session without the factor does not learn the names of systems from a form that it claims to have kept.
	read_form
	submit /console/login -d name="fa-kept-$$" -d password='correct horse' --data-urlencode "kept=incidents/new?title=x&made_for=$for_me&monitor_ids%5B%5D=1"
	[ "$status" = 200 ] || show
	refute grep -q 'name="monitor_ids' "$answer"
	demand no-
	visit GET /console/login
	read_form
	submit /console/login -d name="fa-kept-$$" -d password='correct horse' --data-urlencode "kept=$kept"
	[ "$status" = 200 ] || show
	says_text 'Long text</textarea>'
}

@test "of two accounts only the one that demands it is closed" {
	join_as "fa-two-$$" owner
	first=$account
	account=$("$ctl" account add "free-$$" --json | jq .id)
	"$ctl" user add "fa-two-$$" --role owner --account "$account" >&2
	account=$first
	demand
	visit GET /console/me
	says_text 'href="/console/accounts"'
	is_held
	visit GET /console/accounts
	read_form
	submit "/console/accounts/$("$ctl" account list --json | jq ".[] | select(.name == \"free-$$\") | .id")"
	[ "$(header Location)" = /console/ ]
	is_free
	says_text 'Signed in by a link.'
	visit GET /console/accounts
	read_form
	submit "/console/accounts/$first"
	[ "$(header Location)" = /console/ ]
	is_held
}

@test "an owner switches the demand, on only with a second factor, and sees who has none" {
	needs oathtool
	add_user "fa-none-$$" reader
	join_as "fa-boss-$$" owner
	visit GET /console/people
	want_queries_at_most 4
	says_text 'No second factor.'
	[ "$(grep -c 'No second factor' "$answer")" = 2 ]
	read_form
	[ -n "$form_key" ]
	submit /console/people/factor -d needs_second_factor=1 -d idempotency_key="$form_key"
	[ "$status" = 422 ]
	says_text 'would lock yourself out'
	[ "$(sql "SELECT needs_second_factor FROM accounts WHERE id = $account")" = 0 ]
	set_up_app
	visit GET /console/people
	[ "$(grep -c 'No second factor' "$answer")" = 1 ]
	read_form
	submit /console/people/factor -d needs_second_factor=1 -d idempotency_key="$form_key"
	[ "$(header Location)" = '/console/people?notice=saved' ]
	submit /console/people/factor -d needs_second_factor=0 -d idempotency_key="$form_key"
	[ "$status" = 409 ]
	[ "$(sql "SELECT GROUP_CONCAT(actor_label, ' ', detail) FROM events WHERE account_id = $account AND kind = 'account.updated'")" = \
		"fa-boss-$$ needs_second_factor: true" ]
	visit GET /console/people
	grep -qE 'name="needs_second_factor"[^>]* checked' "$answer" || show
	read_form
	grow_stale "fa-boss-$$"
	submit /console/people/factor -d needs_second_factor=0
	[ "$status" = 403 ]
	says_text 'Is it you?'
	submit /console/people/factor -d needs_second_factor=0 -d confirm="${codes[0]}"
	[ "$(header Location)" = '/console/people?notice=saved' ]
	[ "$(sql "SELECT needs_second_factor FROM accounts WHERE id = $account")" = 0 ]
}

@test "the operator switches the demand by the name of the account, and lists it" {
	"$ctl" account set "$account_name" --needs-second-factor | grep -q 'need a second factor'
	"$ctl" account list --json | jq -e ".[] | select(.id == $account) | .needs_second_factor == true"
	"$ctl" account set "$account" --no-needs-second-factor --json | jq -e '.needs_second_factor == false'
	"$ctl" audit --account "$account" --json | jq -e 'map(.kind) == ["account.updated", "account.updated", "account.created"]'
	run "$ctl" account set "$account"
	[ "$status" = 2 ]
	run "$ctl" account set "nobody-$$" --needs-second-factor
	[ "$status" != 0 ]
	[[ $output = *"no account nobody-$$"* ]] || show
}
