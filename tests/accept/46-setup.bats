# /console/setup: an operator without a shell becomes an owner, by the file setup.token.
# bats file_tags=htaccess
load console

setup() {
	setup_of_lib
	jar=$BATS_TEST_TMPDIR/jar
	: >"$jar"
	file=${conf%/*}/setup.token
	token=$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')
	[ "${#token}" = 32 ]
	rm -f "$file"
}

teardown() {
	rm -f "$file"
}

# Behind a web server that starts the program, its user owns the configuration, and not the folder.
upload() {
	echo "$1" >"$file"
	chmod 0644 "$file"
	owner=$(stat -c %U "${conf%/*}")
	[ "$(stat -c %U "$conf")" = "$owner" ] || chown "$(stat -c %U "$conf")" "${conf%/*}"
}

# set_up NAME ACCOUNT [CURL ARGUMENT]...
set_up() {
	visit GET /console/setup
	read_form
	submit /console/setup --data-urlencode "token=$token" --data-urlencode "name=$1" --data-urlencode "account=$2" \
		-d password='correct horse' -d again='correct horse' "${@:3}"
}

# users NAME: how many have a name that begins so.
users() {
	sql "SELECT COUNT(*) FROM users WHERE name LIKE 'set-$1%-$$'"
}

@test "without a file with a token nothing can be set up, and the page says how to make one" {
	visit GET /console/setup
	[ "$status" = 200 ] || show
	says_text 'make a text file with the name setup.token'
	refute grep -q 'name="token"' "$answer"
	visit GET /console/login
	read_form
	for content in '' "${token:0:31}"; do
		[ -z "$content" ] || upload "$content"
		visit GET /console/login
		submit /console/setup -d token="$content" -d name="set-no-$$" -d account=Example -d password='correct horse' -d again='correct horse'
		[ "$status" = 403 ] || show
		says_text 'make a text file with the name setup.token'
		[ -z "$(session)" ]
	done
	says_text 'its content is too short or too long'
	[ "$(users no)" = 0 ]
}

@test "the file makes an owner of a new account, once, and is deleted" {
	upload "$token"
	set_up "set-new-$$" "Set up $$"
	[ "$status" = 303 ] || show
	[[ $(header Location) = */console/ ]]
	[ "$(compgen -G "$file*")" = '' ]
	visit GET /console/
	[ "$status" = 200 ]
	says_text "of Set up $$"
	[ "$(sql "SELECT CONCAT_WS('|', r.role, a.name, u.password_hash LIKE '\$argon2id\$%', u.link_hash IS NULL) FROM users u JOIN user_roles r
		ON r.user_id = u.id JOIN accounts a ON a.id = r.account_id WHERE u.name = 'set-new-$$'")" = "3|Set up $$|1|1" ]
	[ "$(sql "SELECT GROUP_CONCAT(kind, ': ', detail ORDER BY e.id SEPARATOR '|') FROM events e JOIN accounts a ON a.id = e.account_id
		WHERE a.name = 'Set up $$'")" = \
		"account.created: Set up $$|user.created: set-new-$$; role: owner; setup.token|session.started: set-new-$$; password; setup.token" ]
	visit GET /console/keys/new
	read_form
	submit /console/keys -d label=First
	[ "$status" = 200 ] || show
	says_text dm_
	: >"$jar"
	sign_in "set-new-$$" 'correct horse'
	[ "$status" = 303 ]
	refute grep -rqF "$token" "$dir/log"
}

@test "an account that exists gets another owner; a user who exists is not taken over, and the file stays" {
	upload "$token"
	"$ctl" user add "set-old-$$" --role reader --account "$account" >/dev/null
	set_up "SET-old-$$" "Another $$"
	[ "$status" = 422 ]
	says_text 'The name has already been taken.'
	[ -z "$(session)" ]
	[ "$(cat "$file")" = "$token" ]
	[ "$(sql "SELECT COUNT(*) FROM accounts WHERE name = 'Another $$'")" = 0 ]
	set_up "set-num-$$" 17
	[ "$status" = 422 ]
	says_text 'The account field must have 1 to 255 characters, and must not be a number.'
	set_up '' ''
	[ "$status" = 422 ]
	says_text 'The name field is required.'
	set_up "set-weak-$$" Other -d password=password123 -d again=password123
	[ "$status" = 422 ]
	[ "$(users num)$(users weak)" = 00 ]
	name=$(sql "SELECT name FROM accounts WHERE id = $account")
	set_up "set-two-$$" "$name"
	[ "$status" = 303 ] || show
	[ "$(sql "SELECT role FROM user_roles r JOIN users u ON u.id = r.user_id WHERE u.name = 'set-two-$$' AND account_id = $account")" = 3 ]
	[ "$(compgen -G "$file*")" = '' ]
}

@test "a wrong token is refused, and delayed like a wrong password" {
	upload "$token"
	good=$token
	from=127.0.1.$((RANDOM % 250 + 1))
	for token in "" "${good}x" "${good:0:31}" "$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')"; do
		set_up "set-wrong-$$" Other --interface "$from"
		[ "$status" = 403 ]
		says_text 'The file has another content.'
	done
	for _ in {1..7}; do
		set_up "set-wrong-$$" Other --interface "$from"
	done
	[ "$status" = 429 ]
	[ "$(header Retry-After)" -gt 0 ]
	token=$good
	set_up "set-wrong-$$" Other --interface "$from"
	[ "$status" = 429 ]
	[ "$(users wrong)" = 0 ]
	[ "$(cat "$file")" = "$good" ]
	[ -n "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] || grep -q 'sign-in refused: wrong content of setup.token' "$log"
}

@test "of two requests at once only one uses the file" {
	upload "$token"
	visit GET /console/setup
	read_form
	for i in 1 2 3; do
		(
			answer=$BATS_TEST_TMPDIR/answer$i
			jar=$BATS_TEST_TMPDIR/jar$i
			cp "$BATS_TEST_TMPDIR/jar" "$jar"
			submit /console/setup -d token="$token" -d name="set-at$i-$$" -d account="At once $$" -d password='correct horse' -d again='correct horse'
			echo "$status" >"$BATS_TEST_TMPDIR/status$i"
		) &
	done
	wait
	[ "$(sort "$BATS_TEST_TMPDIR"/status? | xargs)" = '303 403 403' ]
	[ "$(users at)" = 1 ]
}

@test "a file that the program may not delete is refused before anything is changed" {
	[ -n "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] && [ "$(id -u)" = 0 ] || skip "the program here is root, or owns the folder"
	upload "$token"
	chown root "${conf%/*}"
	set_up "set-stuck-$$" "Stuck $$"
	[ "$status" = 409 ] || show
	says_text 'the program may not delete the file setup.token'
	[ "$(users stuck)" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM accounts WHERE name = 'Stuck $$'")" = 0 ]
	[ "$(cat "$file")" = "$token" ]
}
