# The people of an account by the API and by daymarkctl: the same operations, the same rules.
load console

list=/api/v1/users

# create NAME ROLE: sets $id.
create() {
	api POST "$list" -d name="$1" -d role="$2"
	want 201 ".data.name == \"$1\"" ".data.role == \"$2\"" '.data.disabled_at == null'
	id=$(jq .data.id "$answer")
	[ "$(header Location)" = "$base$list/$id" ]
}

# An account of its own, with an owner; sets $account, $other, $other_key, $boss and $owner.
new_account() {
	other=people-$$-$RANDOM
	boss=boss-$other
	account=$("$ctl" account add "$other" --json | jq .id)
	other_key=$("$ctl" key create --account "$account" --label people --json | jq -r .key)
	api_of POST "$list" -d name="$boss" -d role=owner
	want 201
	owner=$(jq .data.id "$answer")
	can_sign_in "$owner"
}

# An owner without a password does not count as one who is left.
can_sign_in() {
	sql "UPDATE users SET password_hash = 'x' WHERE id = $1"
}

# api_of METHOD PATH [CURL ARGUMENT]...: with the key of that account.
api_of() {
	anyone "$@" -H "Authorization: Bearer $other_key"
}

@test "a person is created, listed, shown, changed and deleted" {
	create "api-$$" editor
	api GET "$list/$id"
	want 200 '.data | keys == ["account_id","created_at","disabled_at","email","id","name","passkey_count","role","signed_in_at","sso_subject","totp_at"]'
	want_queries_at_most 3
	api GET "$list?search=api-$$&sort_by=name&sort=asc"
	want 200 '.meta.total == 1' ".data[0].id == $id"
	want_queries_at_most 3
	api PATCH "$list/$id" -d role=responder
	want 200 '.data.role == "responder"'
	api PATCH "$list/$id" -d role=king
	want 422 '.errors.role != null'
	api PATCH "$list/$id" -d name=other
	want 422 '.errors.name != null'
	api PATCH "$list/$id" -d disabled_at=true
	want 200 '.data.disabled_at != null'
	api PATCH "$list/$id" -d disabled_at=false
	want 200 '.data.disabled_at == null'
	api POST "$list" -d name="API-$$" -d role=reader
	want 422 '.errors.name == ["The name has already been taken."]'
	api POST "$list" -d role=reader
	want 422 '.errors.name != null'
	api DELETE "$list/$id" -H 'If-Match: "0-0"'
	want 412
	api DELETE "$list/$id"
	want 200 ".id == $id" '.object == "user"' '.deleted'
	api GET "$list/$id"
	want 404
	[ "$(sql "SELECT COUNT(*) FROM users WHERE id = $id")" = 0 ]
	api GET "/api/v1/events?object=user&object_id=$id"
	want 200 '[.data[].kind] == ["user.deleted","user.enabled","user.disabled","user.updated","user.created"]' \
		'all(.data[]; .actor.type == "key")' "all(.data[]; .detail | startswith(\"api-$$\"))"
}

@test "the link of a reset works once, and the stored response does not have it" {
	create "lnk-$$" reader
	api POST "$list/$id/reset" -H "Idempotency-Key: lnk-$$"
	want 200 '.data.ends_at != null'
	[ "$(header Cache-Control)" = 'private, no-store' ]
	link=$(jq -r .data.link "$answer")
	[[ $link = "$base/console/reset/"* ]]
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%${link##*/}%'")" = 0 ]
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}" -d password='correct horse' -d again='correct horse'
	[ "$status" = 303 ]
	visit GET /console/
	says_text "lnk-$$, reader of"
	# Sessions, which an owner sees and ends.
	api GET "$list/$id/sessions"
	want 200 '.meta.total == 1' '.data[0] | keys == ["account_id","address","agent","began","created_at","id","used_at"]'
	want_queries_at_most 4
	one=$(jq '.data[0].id' "$answer")
	api DELETE "$list/$id/sessions/999"
	want 404
	api DELETE "$list/$id/sessions/$one"
	want 200 ".id == $one" '.object == "session"'
	visit GET /console/
	[ "$status" = 303 ]
}

@test "the last owner can be neither demoted, nor disabled, nor deleted" {
	new_account
	for change in 'PATCH -d role=editor' 'PATCH -d disabled_at=true' 'DELETE'; do
		# shellcheck disable=SC2086
		set -- $change
		api_of "$1" "$list/$owner" "${@:2}"
		want 409 '.message | startswith("This is the last owner")'
	done
	api_of POST "$list" -d name="second-$$" -d role=owner
	want 201
	second=$(jq .data.id "$answer")
	# An owner who cannot sign in does not count.
	api_of PATCH "$list/$owner" -d role=editor
	want 409
	can_sign_in "$second"
	api_of PATCH "$list/$second" -d disabled_at=true
	want 200
	api_of PATCH "$list/$owner" -d role=editor
	want 409
	api_of PATCH "$list/$second" -d disabled_at=false
	want 200
	api_of PATCH "$list/$owner" -d role=editor
	want 200
	api_of DELETE "$list/$second"
	want 409
}

@test "two owners who demote each other at the same time: one remains" {
	new_account
	api_of POST "$list" -d name="pair-$$" -d role=owner
	second=$(jq .data.id "$answer")
	can_sign_in "$second"
	for i in 1 2 3 4 5; do
		sql "UPDATE user_roles SET role = 3 WHERE account_id = $account"
		for one in "$owner" "$second"; do
			curl -s -o /dev/null -w '%{http_code}\n' -X PATCH -H "Authorization: Bearer $other_key" -d role=reader \
				"$base$list/$one" >"$BATS_TEST_TMPDIR/pair$one" &
		done
		wait
		[ "$(cat "$BATS_TEST_TMPDIR"/pair* | sort | xargs)" = '200 409' ]
		[ "$(sql "SELECT COUNT(*) FROM user_roles WHERE account_id = $account AND role = 3")" = 1 ]
	done
}

@test "an owner has no power over people of other accounts" {
	create "far-$$" reader
	new_account
	for request in "GET $list/$id" "DELETE $list/$id" "GET $list/$id/sessions" "POST $list/$id/reset" "PATCH $list/$id -d role=owner"; do
		# shellcheck disable=SC2086
		api_of $request
		want 404
	done
	# A role in both accounts: what concerns the person everywhere is for the operator.
	"$ctl" user add "far-$$" --role reader --account "$account"
	api_of POST "$list/$id/reset"
	want 409 '.message | contains("another account")'
	api_of PATCH "$list/$id" -d disabled_at=true
	want 409
	api_of PATCH "$list/$id" -d role=editor
	want 200
	api_of DELETE "$list/$id"
	want 200
	api GET "$list/$id"
	want 200 '.data.role == "reader"'
	"$ctl" user delete "far-$$" --account "$(jq .data.account_id "$answer")"
	[ "$(sql "SELECT COUNT(*) FROM users WHERE id = $id")" = 0 ]
	run "$ctl" user delete "far-$$" --account "$account"
	[ "$status" = 3 ]
}

@test "only owners see the people" {
	read_only=$("$ctl" key create --account "$account" --label reading --read-only --json | jq -r .key)
	for request in "GET $list" "POST $list -d name=x -d role=owner"; do
		# shellcheck disable=SC2086
		anyone $request -H "Authorization: Bearer $read_only"
		want 403
	done
	join_as "edi-$$" editor
	visit GET /console/people
	[ "$status" = 403 ]
	visit GET /console/
	refute grep -q 'href="/console/people"' "$answer"
	read_form
	submit /console/people -d name="edi2-$$" -d role=owner
	[ "$status" = 403 ]
	submit "/console/people/1" -d role=owner
	[ "$status" = 403 ]
}

@test "the screen of people: invite, change the role, reset, disable, remove" {
	join_as "boss-$$" owner
	visit GET /console/people
	[ "$status" = 200 ]
	want_queries_at_most 4
	[ "$(wc -c <"$answer")" -lt 30000 ]
	read_form
	submit /console/people -d name= -d role=editor
	[ "$status" = 422 ]
	says_text 'id="problem-name"'
	submit /console/people -d name="newcomer-$$" -d email=new@example.org -d role=editor -d idempotency_key="key-$$"
	[ "$status" = 200 ]
	link=$(grep -oE "<code>[^<]*" "$answer" | cut -d'>' -f2)
	[[ $link = "$base/console/invite/"* ]]
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%${link##*/}%'")" = 0 ]
	person=$(sql "SELECT id FROM users WHERE name = 'newcomer-$$'")
	visit GET "/console/people/$person"
	[ "$status" = 200 ]
	want_queries_at_most 4
	says_text 'Has not set a password yet.'
	says_text '<option value="editor" selected>'
	read_form
	submit "/console/people/$person" -d role=owner
	[ "$(header Location)" = "/console/people/$person?notice=saved" ]
	sql "UPDATE user_sessions SET confirmed_at = UTC_TIMESTAMP() - INTERVAL 601 SECOND
		WHERE user_id = (SELECT id FROM users WHERE name = 'boss-$$')"
	submit "/console/people/$person/disable"
	[ "$status" = 403 ]
	says_text 'Is it you?'
	[ "$(sql "SELECT disabled_at IS NULL FROM users WHERE id = $person")" = 1 ]
	submit "/console/people/$person/disable" --data-urlencode 'confirm=correct horse'
	[ "$status" = 303 ]
	[ "$(sql "SELECT disabled_at IS NULL FROM users WHERE id = $person")" = 0 ]
	submit "/console/people/$person/enable"
	[ "$status" = 303 ]
	submit "/console/people/$person/reset"
	[ "$status" = 200 ]
	says_text "$base/console/reset/"
	submit "/console/people/$person/delete"
	[ "$(header Location)" = '/console/people?notice=deleted' ]
	visit GET "/console/people/$person"
	[ "$status" = 404 ]
}

# press PATH [CURL ARGUMENT]...: sends the form of a screen, which has its key, twice; the second press makes nothing, and
# leads to $led, where a sentence tells it.
press() {
	local path=$1 shown
	shift
	shown=$(grep -A9 "action=\"$path\"" "$answer" | grep -o 'name="idempotency_key" value="[^"]*"' | head -1 | cut -d'"' -f4)
	[ -n "$shown" ] || show
	submit "$path" "$@" --data-urlencode "idempotency_key=$shown"
	[ "$status" = 200 ] || show
	# Not the id of a key, which is a part of many bodies.
	secret=$(grep -oE '(<code>[^<]{8}|dm_)[^<]*' "$answer" | head -1)
	[ -n "$secret" ]
	submit "$path" "$@" --data-urlencode "idempotency_key=$shown"
	[ "$(header Location)" = "$led?notice=repeated" ] || show
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%${secret#<code>}%'")" = 0 ]
	visit GET "$led?notice=repeated"
	says_text 'You have sent this form before, and nothing more was done.'
}

@test "a form that shows a secret makes one thing, however often it is sent" {
	needs oathtool
	join_as "press-$$" owner
	visit GET /console/people
	read_form
	led=/console/people press /console/people -d name="once-$$" -d role=reader
	person=$(sql "SELECT id FROM users WHERE name = 'once-$$'")
	visit GET "/console/people/$person"
	led=/console/people/$person press "/console/people/$person/reset"
	[ "$(sql "SELECT COUNT(*) FROM events WHERE kind = 'user.linked' AND object_id = $person")" = 2 ]
	visit GET /console/keys/new
	led=/console/keys press /console/keys -d label="once-$$"
	[ "$(sql "SELECT COUNT(*) FROM api_keys WHERE label = 'once-$$'")" = 1 ]
	visit GET /console/me/app
	secret=$(grep -o 'name="secret" value="[^"]*"' "$answer" | cut -d'"' -f4)
	led=/console/me press /console/me/app -d secret="$secret" -d code="$(oathtool --totp -b "$secret")"
	led=/console/me press /console/me/codes
	# The key goes through the proof of who it is.
	sql "UPDATE user_sessions SET confirmed_at = UTC_TIMESTAMP() - INTERVAL 601 SECOND
		WHERE user_id = (SELECT id FROM users WHERE name = 'press-$$')"
	sql "UPDATE users SET totp_at = NULL WHERE name = 'press-$$'"
	visit GET /console/people
	submit /console/people -d name="proof-$$" -d role=reader -d idempotency_key="proof-$$"
	[ "$status" = 403 ]
	says_text "name=\"idempotency_key\" value=\"proof-$$\""
	for _ in 1 2; do
		submit /console/people -d name="proof-$$" -d role=reader -d idempotency_key="proof-$$" -d 'confirm=correct horse'
	done
	[ "$(header Location)" = '/console/people?notice=repeated' ]
}

@test "an owner ends one session of a person, and all of them" {
	join_as "ends-$$" reader
	mine=$(session)
	theirs=$jar
	person=$(sql "SELECT id FROM users WHERE name = 'ends-$$'")
	other_jar=$BATS_TEST_TMPDIR/second
	jar=$other_jar
	: >"$jar"
	sign_in "ends-$$" 'correct horse'
	one=$(sql "SELECT id FROM user_sessions WHERE token_hash = UNHEX(SHA2('$mine', 256))")
	jar=$BATS_TEST_TMPDIR/owner
	: >"$jar"
	join_as "ender-$$" owner
	visit GET "/console/people/$person"
	says_text "action=\"/console/people/$person/sessions/$one/end\""
	read_form
	submit "/console/people/$person/sessions/$one/end"
	[ "$(header Location)" = "/console/people/$person?notice=ended" ]
	submit "/console/people/$person/sessions/$one/end"
	[ "$status" = 404 ]
	# The session of another person is not one of this person's.
	own=$(sql "SELECT id FROM user_sessions WHERE token_hash = UNHEX(SHA2('$(session)', 256))")
	submit "/console/people/$person/sessions/$own/end"
	[ "$status" = 404 ]
	jar=$theirs visit GET /console/
	[ "$status" = 303 ]
	jar=$other_jar visit GET /console/
	[ "$status" = 200 ]
	submit "/console/people/$person/sessions/end"
	[ "$status" = 303 ]
	jar=$other_jar visit GET /console/
	[ "$status" = 303 ]
	visit GET /console/
	[ "$status" = 200 ]
}

@test "the last owner reads why nothing was changed" {
	new_account
	link=$("$ctl" user reset "$boss" --sign-in 2>/dev/null)
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}"
	visit GET "/console/people/$owner"
	read_form
	submit "/console/people/$owner" -d role=reader
	[ "$status" = 409 ]
	says_text 'This is the last owner of the account.'
	submit "/console/people/$owner/delete"
	[ "$status" = 409 ]
}

@test "a person of two accounts changes between them, and forms stay in theirs" {
	join_as "duo-$$" responder
	visit GET /console/
	refute grep -q 'href="/console/accounts"' "$answer"
	incident
	here_account=$account
	new_account
	"$ctl" user add "duo-$$" --role reader --account "$account"
	visit GET /console/
	says_text 'href="/console/accounts"'
	visit GET "/console/incidents/$incident"
	read_form
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	first=$csrf
	# A session that is used is not idle, however old.
	sql "UPDATE user_sessions SET created_at = created_at - INTERVAL 13 HOUR WHERE token_hash = UNHEX(SHA2('$(session)', 256))"
	began=$(sql "SELECT created_at FROM user_sessions WHERE token_hash = UNHEX(SHA2('$(session)', 256))")
	visit GET /console/accounts
	want_queries_at_most 4
	read_form
	before=$(session)
	submit "/console/accounts/$account"
	[ "$status" = 303 ]
	[ "$(session)" != "$before" ]
	[ "$(sql "SELECT created_at FROM user_sessions WHERE token_hash = UNHEX(SHA2('$(session)', 256))")" = "$began" ]
	anyone GET /console/ -H "Cookie: daymark_session=$before"
	[ "$status" = 303 ]
	visit GET /console/
	says_text "duo-$$, reader of $other"
	# The form of the first account is neither sent nor lost.
	csrf=$first
	submit "/console/incidents/$incident/reply" -d body='For the first' -d phase=identified -d made_for="$for_me" -H "Origin: $base"
	[ "$status" = 409 ]
	says_text 'The form belongs to another of your accounts'
	refute grep -q '<textarea' "$answer"
	says_text "action=\"/console/accounts/$here_account\""
	kept=$(grep -o 'name="kept" value="[^"]*"' "$answer" | cut -d'"' -f4 | sed 's/&amp;/\&/g')
	read_form
	submit /console/accounts/999999999
	[ "$status" = 404 ]
	submit "/console/accounts/$here_account" --data-urlencode "kept=$kept"
	[ "$status" = 200 ]
	says_text 'For the first</textarea>'
	says_text "duo-$$, responder of"
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []'
}

@test "a link opens no account that was added after it, and enables nobody before it is used" {
	new_account
	api_of POST "$list" -d name="two-$$" -d role=editor
	id=$(jq .data.id "$answer")
	can_sign_in "$id"
	api_of PATCH "$list/$id" -d disabled_at=true
	want 200
	api_of POST "$list/$id/reset"
	want 200
	link=$(jq -r .data.link "$answer")
	api_of GET "$list/$id"
	want 200 '.data.disabled_at != null'
	"$ctl" user add "two-$$" --role owner --account "$("$ctl" account add "further-$other" --json | jq .id)"
	anyone GET "/${link#"$base/"}"
	[ "$status" = 404 ]
	# A key cannot go past a second factor: the code is asked for after the link, but nothing in place of a passkey.
	api_of POST "$list" -d name="app-$other" -d role=editor
	id=$(jq .data.id "$answer")
	sql "UPDATE users SET totp_at = UTC_TIMESTAMP(), passkey_count = 1 WHERE id = $id"
	api_of POST "$list/$id/reset"
	want 200 '.data.link | contains("/console/reset/")'
	api_of PATCH "$list/$id" -d sso_subject="app-$other"
	want 409
	sql "UPDATE users SET totp_at = NULL WHERE id = $id"
	api_of POST "$list/$id/reset"
	want 409 '.message | startswith("This person has an authenticator app")'
}
