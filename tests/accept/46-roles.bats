# Who may do what in the console: each route, as each person, with objects that exist.
load console

# begin NAME ROLE ACCOUNT: adds the person's name and the token of a session to $names and $sessions.
begin() {
	local link
	link=$("$ctl" user add "$1-$$" --role "$2" --account "$3" --sign-in 2>/dev/null)
	: >"$jar"
	visit GET "${link#"$base"}"
	read_form
	submit "${link#"$base"}"
	[ "$status" = 303 ] || show
	names+="${names:+, }\"$1\": \"$1-$$\""
	sessions+="${sessions:+, }\"$1\": \"$(session)\""
}

@test "each person may do in the console what the table says, and nothing from another site" {
	account=$("$ctl" account add "roles-$$" --json | jq .id)
	key=$("$ctl" key create --account "$account" --label roles --json | jq -r .key)
	other_account=$("$ctl" account add "other-roles-$$" --json | jq .id)
	for role in reader responder editor owner; do
		begin "$role" "$role" "$account"
	done
	begin other owner "$other_account"
	begin disabled owner "$account"
	"$ctl" user disable "disabled-$$"
	# A session that outlived its person, as of a version that did not end it.
	sql "INSERT INTO user_sessions (token_hash, id, user_id, account_id, created_at, used_at)
		SELECT UNHEX(SHA2('$(session)', 256)), 1, id, $account, UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM users WHERE name = 'disabled-$$'"
	visit GET /console/login
	file=$(grep -o '/static/[^"]*' "$answer" | head -1)
	python3 "$TOP/tests/lib/console-roles" "$TOP/tests/accept/console-routes" "$base" "$key" "$account" <<END
{ "run": $$, "file": "${file##*/}", "names": { $names }, "sessions": { $sessions },
  "sql": ["mariadb", "--no-defaults", "-uroot", "-S", "$dir/run/mysql.sock", "-N", "-B", "daymark", "-e"] }
END
}
