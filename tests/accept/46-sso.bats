# Single sign-on of the console by the web server's own authentication, and its own host: conf/ behind the real
# servers. tests/lib/sso-server stands for oauth2-proxy and Authelia, and is a strict OpenID provider.
load console

setup_file() {
	local port
	own_unlimited_service_start <<-'END'
		[console]
		sso = yes
		sso_logout_url = https://login.example.org/logout/?next=a&b
	END
	mkdir -p "$BATS_FILE_TMPDIR/sso"
	port=$(own_port)
	echo "$port" >"$BATS_FILE_TMPDIR/sso/port"
	setsid "$TOP/tests/lib/sso-server" "$port" "$BATS_FILE_TMPDIR/sso" >&2 3>&- </dev/null &
	echo $! >"$BATS_FILE_TMPDIR/sso/pid"
	cp "$BATS_FILE_TMPDIR/own/conf/daymark.conf" "$BATS_FILE_TMPDIR/daymark.conf"
	with_service wait_until 20 curl -sS -o /dev/null "http://127.0.0.1:$port/jwks"
	with_service start_nginx oauth2-proxy "$(own_port)"
}

teardown_file() {
	local name
	for name in oauth2-proxy authelia basic fcgid openidc console-nginx console-apache; do
		with_service stop_process "$BATS_FILE_TMPDIR/$name/run/nginx.pid" "$BATS_FILE_TMPDIR/$name" QUIT
		with_service stop_process "$BATS_FILE_TMPDIR/$name/server.pid" "$BATS_FILE_TMPDIR/$name" TERM
	done
	with_service stop_process "$BATS_FILE_TMPDIR/sso/pid" "$BATS_FILE_TMPDIR/sso" TERM
	own_service_stop
}

setup() {
	own_service
	sso=$BATS_FILE_TMPDIR/sso
	jar=$BATS_TEST_TMPDIR/jar
	: >"$jar"
	rm -f "$sso/person"
	plain=$base
	front=http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/oauth2-proxy/port")
	base=$front
}

teardown() {
	cmp -s "$BATS_FILE_TMPDIR/daymark.conf" "$conf" || configure
}

# start_nginx NAME PORT: conf/nginx with the snippet daymark-sso-NAME.conf; or, as console-nginx, with the console at localhost.
start_nginx() {
	local into=$BATS_FILE_TMPDIR/$1 port=$2 name=$1
	service_copy_nginx "$into" "$BATS_FILE_TMPDIR/own" "$port"
	echo "$port" >"$into/port"
	sed -i -E "s/127\.0\.0\.1:(4180|9091)/127.0.0.1:$(cat "$BATS_FILE_TMPDIR/sso/port")/" "$into"/conf/nginx/snippets/daymark-sso-*.conf
	if [ "$name" = console-nginx ]; then
		sed -i 's/ localhost;/;/' "$into/conf/nginx/daymark.conf"
		sed -e '/ssl_/d' -e "s/listen 443 ssl http2/listen 127.0.0.1:$port/" -e 's/server_name console.example.org/server_name localhost/' \
			"$into/conf/nginx/daymark-console.conf" >>"$into/conf/nginx/daymark.conf"
	else
		sed -i "s|^\tinclude .*/daymark-shared.conf;|&\n\tinclude $into/conf/nginx/snippets/daymark-sso-$name.conf;|" \
			"$into/conf/nginx/daymark.conf"
	fi
	service_run_nginx "$into" "$(find_nginx)" "$into/conf/nginx/daymark.conf" && wait_until 20 curl -fsS "http://127.0.0.1:$port/healthz"
}

# start_apache NAME PORT SITE INCLUDE MODULE...: the site of conf/apache with an Include line in the virtual host of the console.
start_apache() {
	local dir=$BATS_FILE_TMPDIR/$1 port=$2 site=$3 include=$4 service=$BATS_FILE_TMPDIR/own module lines='' user=''
	local sso conf=$TOP/conf name=$1
	sso=$(cat "$BATS_FILE_TMPDIR/sso/port")
	shift 4
	for module; do
		[[ $module = /* ]] || module=/usr/lib/apache2/modules/mod_$module.so
		lines+="LoadModule $(basename "$module" .so | sed -e 's/^mod_//')_module $module"$'\\n'
	done
	mkdir -p "$dir/htdocs" "$dir/fcgid"
	echo "$port" >"$dir/port"
	cp -r "$conf/apache/daymark" "$dir/daymark"
	cp "$BATS_FILE_TMPDIR/htpasswd" "$dir/daymark.htpasswd"
	sed -i -e "s|/etc/apache2/daymark/|$dir/daymark/|" -e "s|/etc/apache2/daymark.htpasswd|$dir/daymark.htpasswd|" \
		-e "s|https://id.example.org|http://127.0.0.1:$sso|" -e "s|https://console.example.org|http://localhost:$port|" "$dir/daymark/"*.conf
	sed -E -e "s|/var/lib/daymark/pages|$service/pages|" -e "s|/etc/apache2/daymark/|$dir/daymark/|" \
		-e "s|/var/log/apache2/access.log|$dir/apache-access.log|" -e '/^\tSSL/d' \
		-e "s|VirtualHost \*:[0-9]+|VirtualHost *:$port|" -e "s/ServerName (status|console).example.org/ServerName localhost/" \
		-e "s|/run/daymark/daymark.sock|$service/run/daymark.sock|" -e "s|/usr/local/libexec/daymark|$dir/libexec|" \
		-e "s|/etc/daymark/daymark.conf|$dir/daymark.conf|" \
		-e "s|^\tInclude .*/(shared\|console).conf|&\n\tInclude $dir/daymark/$include|" "$conf/apache/$site" >"$dir/site.conf"
	# All sites need what daymark.conf defines.
	[ "$site" != daymark-console.conf ] || sed -i "1iDefine DAYMARK_PAGES $service/pages\nDefine DAYMARK_LOG $dir/apache-access.log\nInclude $dir/daymark/pages.conf" "$dir/site.conf"
	if [ "$(id -u)" = 0 ]; then
		user='User nobody\nGroup nogroup'
		chmod 0755 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR" "$dir" "$service" "$service/run"
		chown nobody "$service/run/daymark.sock" "$dir/fcgid"
	fi
	awk -v dir="$dir" -v port="$port" -v user="$user" -v module="$lines" \
		'{ gsub(/@DIR@/, dir); gsub(/@PORT@/, port); gsub(/@USER@/, user); gsub(/@MODULE@/, module); print }' \
		"$TOP/tests/lib/apache.conf.in" >"$dir/apache.conf"
	[[ $lines != *mod_fcgid* ]] || printf 'FcgidIPCDir %s\nFcgidProcessTableFile %s\n' "$dir/fcgid" "$dir/fcgid/table" >>"$dir/apache.conf"
	/usr/sbin/apache2 -d "$dir" -f "$dir/apache.conf" && wait_until 20 curl -sS -o /dev/null "http://localhost:$port/"
}

# configure [SETTING]...: the file's configuration with further settings of [console].
configure() {
	cp "$BATS_FILE_TMPDIR/daymark.conf" "$conf"
	[ $# -eq 0 ] || printf '%s\n' '[console]' "$@" >>"$conf"
	former_workers=$(cat "/proc/$parent/task/$parent/children")
	kill -HUP "$parent"
	soon is_reloaded
}

# The workers that read the former configuration are gone.
is_reloaded() {
	local pid
	for pid in $former_workers; do
		[ ! -e "/proc/$pid" ] || return 1
	done
}

# person SUBJECT [EMAIL [GROUP]...]: who is signed in at the front.
person() {
	local sub=$1 email=${2:-}
	shift "$(($# < 2 ? $# : 2))"
	jq -n --arg sub "$sub" --arg email "$email" '{sub: $sub, email: $email, groups: $ARGS.positional}' --args "$@" >"$sso/person.new"
	mv "$sso/person.new" "$sso/person"
}

# Presses "Continue as NAME".
continue_as() {
	visit GET /console/login
	[ "$status" = 200 ] || show
	read_form
	submit /console/login/sso
}

bind() {
	"$ctl" user add "$1" --role "$2" --account "$account" --sso "$3" "${@:4}" >&2
}

@test "an identity is bound by an owner or the operator, and no name or address of the front matches a user" {
	visit GET /console/login
	[ "$status" = 302 ]
	[[ $(header Location) = *'/oauth2/start?rd=/console/login' ]]
	person "issuer|a-$$" "ada-$$@example.org"
	visit GET /console/login
	says_text "Continue as ada-$$@example.org"
	says_text 'name="password"'
	"$ctl" user add "ada-$$@example.org" --role owner --account "$account" >&2
	"$ctl" user add "issuer|a-$$" --role owner --account "$account" --email "ada-$$@example.org" >&2
	continue_as
	[ "$status" = 403 ]
	says_text "can give access to your identity: issuer|a-$$"
	[ -z "$(session)" ]
	bind "ada-$$" editor "issuer|a-$$"
	continue_as
	[ "$status" = 303 ] || show
	[ "$(header Location)" = /console/ ]
	visit GET /console/
	says_text "ada-$$, editor of"
	[ "$(sql "SELECT detail FROM events WHERE kind = 'session.started' ORDER BY id DESC LIMIT 1")" = "ada-$$; single sign-on" ]
	# Exactly this text.
	for other in "ISSUER|a-$$" "issuer|a-$$x" "issuer|á-$$"; do
		person "$other"
		continue_as
		[ "$status" = 403 ]
	done
	"$ctl" user disable "ada-$$" >&2
	person "issuer|a-$$"
	continue_as
	[ "$status" = 403 ]
	grep -q 'sign-in refused: user [0-9]* has no access' "$log"
}

@test "a session ends to count as soon as the web server names somebody else, or nobody" {
	bind "eve-$$" owner "eve-$$"
	bind "fay-$$" owner "fay-$$"
	person "eve-$$"
	continue_as
	[ "$status" = 303 ]
	visit GET /console/me
	[ "$status" = 200 ]
	read_form
	person "fay-$$"
	for path in /console/ /console/me /console/people; do
		visit GET "$path"
		[ "$status" = 303 ]
		[ "$(header Location)" = /console/login ]
	done
	submit /console/me/sessions/end
	[ "$status" = 303 ]
	[ "$(header Location)" = /console/login ]
	# Without the front, by another way to the program.
	person "eve-$$"
	visit GET /console/
	[ "$status" = 200 ]
	base=$plain
	visit GET /console/
	[ "$status" = 303 ]
	base=$front
	# The next person's session takes its place.
	person "fay-$$"
	former=$(session)
	continue_as
	[ "$status" = 303 ]
	visit GET /console/
	says_text "fay-$$, owner of"
	person "eve-$$"
	anyone GET /console/ -H "Cookie: daymark_session=$former"
	[ "$status" = 303 ]
	# The setting ends all of them.
	person "fay-$$"
	configure 'sso = no'
	visit GET /console/
	[ "$status" = 303 ]
}

names_only() {
	visit GET /console/login "${@:2}"
	refute grep -q 'Continue as admin' "$answer"
	[[ $status != 200 ]] || says_text "Continue as $1"
}

@test "no request header names a person, behind the front, without it, and by another way" {
	bind "adm-$$" owner admin
	forge names_nobody /console/login
	person "gil-$$"
	forge names_only "gil-$$"
	base=$plain
	forge names_nobody /console/login
	base=$front
	rm "$sso/person"
	for path in //console/login /s/../console/login /%63onsole/login /console%2flogin '/s/x/?link=1' /console/../console/login; do
		forge names_nobody "$path" --path-as-is
	done
	# The button alone begins no session.
	base=$plain
	visit GET /console/login
	read_form
	forge submit /console/login/sso
	[ "$status" = 403 ]
	says_text 'does not know who you are'
	[ -z "$(session)" ]
}

@test "the button needs the token of the browser, and a GET begins no session" {
	bind "han-$$" owner "han-$$"
	person "han-$$"
	visit GET /console/login
	visit GET /console/login
	[ "$(sql "SELECT COUNT(*) FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.name = 'han-$$'")" = 0 ]
	read_form
	visit POST /console/login/sso -d x=1
	[ "$status" = 403 ]
	submit /console/login/sso -H 'Origin: https://example.net'
	[ "$status" = 403 ]
	visit GET /console/login/sso
	[ "$status" = 405 ]
	[ -z "$(session)" ]
}

@test "unknown people become readers of the account, groups give roles, and the last owner stays" {
	"$ctl" account add "Groups $$" >&2
	account=$("$ctl" account list --json | jq ".[] | select(.name == \"Groups $$\").id")
	configure 'sso_create = reader' "sso_account = Groups $$" "sso_groups = cn=admins=owner, oncall=responder, oncall-lead=editor"
	"$ctl" user add "ivy-$$@example.org" --role owner --account "$account" >&2
	# The name of a user who exists is not the person's.
	person "ivy-$$" "ivy-$$@example.org"
	continue_as
	[ "$status" = 303 ] || show
	[ "$(sql "SELECT CONCAT_WS('|', u.name LIKE 'sso-%', u.email, r.role, u.password_hash IS NULL) FROM users u JOIN user_roles r ON r.user_id = u.id
		WHERE sso_subject = 'ivy-$$'")" = "1|ivy-$$@example.org|0|1" ]
	[ "$(sql "SELECT GROUP_CONCAT(CONCAT_WS('|', kind, RIGHT(detail, 28)) ORDER BY id SEPARATOR ' ') FROM events WHERE kind LIKE 'user.%' AND object_id =
		(SELECT id FROM users WHERE sso_subject = 'ivy-$$')")" = 'user.created|role: reader; single sign-on' ]
	role() { sql "SELECT role FROM user_roles WHERE user_id = (SELECT id FROM users WHERE sso_subject = 'ivy-$$')"; }
	# The highest of the roles; a role lasts while the group does.
	person "ivy-$$" '' staff oncall oncall-lead
	continue_as
	[ "$(role)" = 2 ]
	visit GET /console/
	says_text ', editor of'
	person "ivy-$$" '' oncall
	continue_as
	[ "$(role)" = 1 ]
	person "ivy-$$" '' Oncall 'cn=admin'
	continue_as
	[ "$(role)" = 0 ]
	person "ivy-$$" '' 'cn=admins'
	continue_as
	[ "$(role)" = 3 ]
	person "ivy-$$" '' oncall
	continue_as
	[ "$status" = 303 ]
	[ "$(role)" = 3 ]
	[[ $(sql "SELECT detail FROM events WHERE kind = 'session.started' ORDER BY id DESC LIMIT 1") = *'; single sign-on; stays the last owner' ]]
	# Another owner who can sign in.
	person "jon-$$" '' 'cn=admins'
	continue_as
	person "ivy-$$" '' oncall
	continue_as
	[ "$(role)" = 1 ]
	person "kim-$$"
	configure 'sso_create = no'
	continue_as
	[ "$status" = 403 ]
}

@test "sensitive changes ask for the button, or for the app or password that the person has" {
	bind "leo-$$" owner "leo-$$"
	person "leo-$$"
	continue_as
	stale() { sql "UPDATE user_sessions SET confirmed_at = UTC_TIMESTAMP() - INTERVAL 601 SECOND"; }
	stale
	visit GET /console/people
	read_form
	submit /console/people -d name="max-$$" -d role=reader
	[ "$status" = 403 ]
	says_text "Continue as leo-$$"
	[ "$(sql "SELECT COUNT(*) FROM users WHERE name = 'max-$$'")" = 0 ]
	read_form
	submit /console/people -d name="max-$$" -d role=reader -d confirm=front
	[ "$status" = 200 ] || show
	[ "$(sql "SELECT COUNT(*) FROM users WHERE name = 'max-$$'")" = 1 ]
	# The front does not stand for the app or the passkey of a person, not even just after the sign-in.
	sql "UPDATE users SET passkey_count = 1 WHERE name = 'leo-$$'"
	continue_as
	visit GET /console/people
	read_form
	submit /console/people -d name="nia-$$" -d role=reader
	[ "$status" = 403 ]
	[ "$(sql "SELECT COUNT(*) FROM users WHERE name = 'nia-$$'")" = 0 ]
	# Nor may such a person choose a first password, which would prove the person.
	submit /console/me -d password='correct horse' -d again='correct horse'
	[ "$status" = 403 ] || show
	[ "$(sql "SELECT password_hash IS NULL FROM users WHERE name = 'leo-$$'")" = 1 ]
	sql "UPDATE users SET passkey_count = 0 WHERE name = 'leo-$$'"
	sql "UPDATE users SET password_hash = 'x' WHERE name = 'leo-$$'"
	stale
	submit /console/people -d name="nia-$$" -d role=reader -d confirm=front
	[ "$status" != 200 ]
	[ "$(sql "SELECT COUNT(*) FROM users WHERE name = 'nia-$$'")" = 0 ]
	# A session by password does not become one by the button.
	base=$plain
	join_as "oda-$$" owner
	sql "UPDATE users SET password_hash = NULL WHERE name = 'oda-$$'"
	stale
	visit GET /console/people
	read_form
	submit /console/people -d name="nia-$$" -d role=reader -d confirm=front
	[ "$status" = 403 ]
}

@test "the sign-out leads on to that of the front; another account keeps the identity" {
	bind "pia-$$" owner "pia-$$"
	person "pia-$$"
	continue_as
	second=$("$ctl" account add "Second $$" --json | jq .id)
	"$ctl" user add "pia-$$" --role reader --account "$second" >&2
	visit GET /console/accounts
	read_form
	submit "/console/accounts/$second"
	[ "$status" = 303 ]
	visit GET /console/
	says_text "of Second $$"
	person "nobody-$$"
	visit GET /console/
	[ "$status" = 303 ]
	person "pia-$$"
	visit GET /console/
	read_form
	submit /console/logout
	[ "$status" = 303 ]
	[ "$(header Location)" = /console/logout ]
	visit GET /console/logout
	[ "$status" = 200 ]
	[ "$(header Refresh)" = '0; url=https://login.example.org/logout/?next=a&b' ]
	says_text 'href="https://login.example.org/logout/?next=a&amp;b"'
	visit GET /console/
	[ "$status" = 303 ]
}

@test "without passwords only the front and the operator's links let people in" {
	base=$plain
	add_user "quin-$$" owner --sign-in
	base=$front
	configure 'passwords = no'
	person "ray-$$"
	visit GET /console/login
	says_text "Continue as ray-$$"
	refute grep -q 'type="password"' "$answer"
	read_form
	submit /console/login -d name=x -d password=y
	[ "$status" = 404 ]
	base=$plain
	visit GET /console/login
	says_text 'does not know who you are'
	visit GET "$link"
	read_form
	submit "$link"
	[ "$status" = 303 ]
	visit GET /console/me
	[ "$status" = 200 ]
	refute grep -q 'type="password"' "$answer"
}

@test "the API and daymarkctl bind identities; each belongs to one user" {
	base=$plain
	api POST /api/v1/users -d name="sam-$$" -d role=editor --data-urlencode "sso_subject=s-$$"
	want 201 ".data.sso_subject == \"s-$$\""
	id=$(jq .data.id "$answer")
	api POST /api/v1/users -d name="tim-$$" -d role=editor --data-urlencode "sso_subject=s-$$"
	want_fault sso_subject 'has already been taken'
	sql "INSERT INTO user_sessions (token_hash, user_id, account_id, created_at, used_at) VALUES (REPEAT('x', 32), $id, $account, NOW(), NOW())"
	api PUT "/api/v1/users/$id" --data-urlencode "sso_subject=t-$$"
	want 200 ".data.sso_subject == \"t-$$\""
	[ "$(sql "SELECT COUNT(*) FROM user_sessions WHERE user_id = $id")" = 0 ]
	# The identity would replace the app, and opens the other accounts.
	sql "UPDATE users SET totp_at = NOW() WHERE id = $id"
	api PUT "/api/v1/users/$id" -d sso_subject=
	want 409
	sql "UPDATE users SET totp_at = NULL WHERE id = $id"
	"$ctl" user add "sam-$$" --role reader --account "$("$ctl" account add "More $$" --json | jq .id)" >&2
	api PUT "/api/v1/users/$id" -d sso_subject=x
	want 409
	bind "sam-$$" editor "u-$$"
	[ "$("$ctl" user list --account "$account" --json | jq -r ".[] | select(.id == $id).sso_subject")" = "u-$$" ]
	refute bind "sam-$$" editor "u-$$"
	refute bind "uma-$$" editor "u-$$"
	"$ctl" user list | grep -qE "sam-$$ .* sso "
}

@test "nginx with Authelia" {
	[ -e "$BATS_FILE_TMPDIR/authelia/port" ] || with_service start_nginx authelia "$(own_port)"
	base=http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/authelia/port")
	forge names_nobody /console/login
	visit GET /console/login
	[ "$status" = 302 ]
	[ "$(header Location)" = "https://login.example.org/?rd=$base/console/login" ]
	bind "vic-$$" owner "vic-$$"
	person "vic-$$" "vic@example.org" oncall
	forge names_only vic@example.org
	continue_as
	[ "$status" = 303 ]
	visit GET /console/
	says_text "vic-$$, owner of"
}

@test "Apache with its own authentication" {
	needs apache2
	openssl passwd -apr1 secret | sed 's/^/wim:/' >"$BATS_FILE_TMPDIR/htpasswd"
	with_service start_apache basic "$(own_port)" daymark.conf sso-basic.conf authn_core authn_file auth_basic authz_user
	base=http://localhost:$(cat "$BATS_FILE_TMPDIR/basic/port")
	sql "UPDATE users SET sso_subject = NULL WHERE sso_subject = 'admin'"
	bind admin owner admin
	for path in /console /console/ /console/login //console/login /%63onsole/login /s/../console/login; do
		forge anyone GET "$path" --path-as-is
		[ "$status" = 401 ] || [ "$status" = 404 ] || show
	done
	bind wim owner wim
	forge names_only wim -u wim:secret
	jar=$BATS_TEST_TMPDIR/wim
	: >"$jar"
	visit GET /console/login -u wim:secret
	says_text 'Continue as wim'
	read_form
	submit /console/login/sso -u wim:secret
	[ "$status" = 303 ]
	visit GET /console/ -u wim:secret
	says_text "wim, owner of"
	visit GET /console/
	[ "$status" = 401 ]
	# The API takes no person.
	anyone GET /api/v1/users -u wim:secret
	[ "$status" = 401 ]
}

@test "Apache with its own authentication and mod_fcgid" {
	needs apache2
	module=$(with_service find_test_program libapache2-mod-fcgid) || skip 'mod_fcgid is not installed'
	local into=$BATS_FILE_TMPDIR/fcgid
	openssl passwd -apr1 secret | sed 's/^/wes:/' >"$BATS_FILE_TMPDIR/htpasswd"
	mkdir -p "$into/libexec" "$into/fcgid"
	cp "${DAYMARK_BUILD:-$TOP/build}/daymark" "$into/libexec/daymark"
	# The program runs as the user of Apache.
	sed -E -e '/^listen = /d' -e 's/^;* *(processes|threads) = .*/\1 = 1/' -e "s|^dir = .*|dir = $into/fcgid/pages|" \
		-e "s|^log_file = .*|log_file = $into/fcgid/log|" "$conf" >"$into/daymark.conf"
	[ "$(id -u)" != 0 ] || chown -R nobody "$into/fcgid" "$into/daymark.conf"
	with_service start_apache fcgid "$(own_port)" daymark-fcgid.conf sso-basic.conf authn_core authn_file auth_basic authz_user "$module"
	base=http://localhost:$(cat "$into/port")
	bind wes owner wes
	forge names_nobody /console/login
	[ "$status" = 401 ]
	visit GET /console/login -u wes:secret
	says_text 'Continue as wes'
	read_form
	submit /console/login/sso -u wes:secret -H 'DAYMARK_USER: admin'
	[ "$status" = 303 ] || show
	visit GET /console/ -u wes:secret
	says_text "wes, owner of"
}

# follow PATH: requests it, and follows the redirects to the provider and back.
follow() {
	status=$(curl -sS -L --max-redirs 6 -o "$answer" -D "$headers" -w '%{http_code}' -b "$jar" -c "$jar" "${@:2}" "$base$1")
}

@test "Apache with mod_auth_openidc" {
	needs apache2
	module=$(with_service find_test_program libapache2-mod-auth-openidc) || skip 'mod_auth_openidc is not installed'
	port=$(own_port)
	echo "http://localhost:$port/console/openid" >"$sso/redirect"
	: >"$BATS_FILE_TMPDIR/htpasswd"
	with_service start_apache openidc "$port" daymark.conf sso-openidc.conf authn_core authz_user "$module"
	base=http://localhost:$port
	headers=$BATS_TEST_TMPDIR/headers
	configure "sso_create = reader" "sso_account = $account" "sso_groups = on call=editor, admins=owner"
	forge names_nobody /console/login
	[ "$status" = 302 ]
	[[ $(header Location) = "http://127.0.0.1:$(cat "$sso/port")/authorize?"* ]]
	# Nobody is signed in at the provider.
	follow /console/login
	refute grep -q 'Continue as' "$answer"
	: >"$jar"
	person "xena-$$" "xéna-$$@example.org" staff 'on call'
	follow /console/login
	[ "$status" = 200 ] || show
	says_text "Continue as xéna-$$@example.org"
	[ -s "$sso/issued" ]
	read_form
	submit /console/login/sso
	[ "$status" = 303 ] || show
	visit GET /console/
	says_text "xéna-$$@example.org, editor of"
	[ "$(sql "SELECT sso_subject FROM users WHERE name = 'xéna-$$@example.org'")" = "xena-$$@http://127.0.0.1:$(cat "$sso/port")" ]
	# Claims as headers change nothing.
	visit GET /console/ -H "OIDC_CLAIM_sub: x" -H 'OIDC-CLAIM-groups: admins' -H 'X-Remote-User: admin' -H 'DAYMARK_GROUPS: admins'
	says_text "xéna-$$@example.org, editor of"
	# Another person with the same subject at another issuer, or of this name, is not this one.
	bind "yul-$$" owner "xena-$$"
	: >"$jar"
	person "yul-$$" "yul-$$" admins
	follow /console/login
	read_form
	submit /console/login/sso
	visit GET /console/
	refute grep -q ">yul-$$, owner" "$answer"
	# A form comes to no provider.
	: >"$jar"
	anyone POST /console/people -d name=x
	[ "$status" = 401 ] || show
}

# The console at its own host alone.
own_host() {
	base=http://localhost:$1
	configure "url = http://localhost:$1"
	visit GET /
	[ "$status" = 302 ]
	[[ $(header Location) = */console/ ]]
	visit GET /console
	[ "$status" = 303 ]
	add_user "$2" owner --sign-in
	visit GET "$link"
	read_form
	submit "$link"
	[ "$status" = 303 ]
	[ "$(header Location)" = /console/ ]
	visit GET /console/
	[ "$status" = 200 ]
	read_form
	submit /console/people -d name="zoe-$1" -d role=reader -H "Origin: $base" -H 'Sec-Fetch-Site: same-origin'
	[ "$status" = 200 ]
	says_text "$base/console/invite/"
	# Nothing else is there, and the console is nowhere else.
	for path in /s/demo/ /api/v1/openapi.json /healthz /api/v1/users; do
		visit GET "$path"
		[ "$status" = 404 ] || show
	done
	for path in /console /console/login "$link"; do
		base=$plain visit GET "$path"
		[ "$status" = 404 ]
	done
	base=$plain visit GET /s/demo/
	[ "$status" = 200 ]
	curl -fsS -o /dev/null "$plain/healthz"
	api_link=$(curl -fsS -X POST -H "Authorization: Bearer $key" "$plain/api/v1/users/$(sql "SELECT id FROM users WHERE name = 'zoe-$1'")/reset" | jq -r .data.link)
	[[ $api_link = "$base/console/reset/"* ]]
}

@test "the console on a host of its own behind nginx" {
	local port
	port=$(own_port)
	with_service start_nginx console-nginx "$port"
	own_host "$port" "own-$$"
}

@test "the console on a host of its own behind Apache" {
	needs apache2
	local port
	port=$(own_port)
	: >"$BATS_FILE_TMPDIR/htpasswd"
	with_service start_apache console-apache "$port" daymark-console.conf errors.conf
	own_host "$port" "apa-$$"
}
