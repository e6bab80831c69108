# A person in the console, for tests.
# shellcheck shell=bash
load lib

setup() {
	setup_of_lib
	jar=${answer%/*}/jar
	: >"$jar"
}

# visit METHOD PATH [CURL ARGUMENT]...: a request of a browser, with its cookies.
visit() {
	anyone "$@" -b "$jar" -c "$jar"
}

# Sets $value to the last value that a form of the last response has for a field; empty: no form has the field.
read_value() {
	local lines line mark="name=\"$1\" value=\""
	value=''
	mapfile -t lines <"$answer"
	for line in "${lines[@]}"; do
		if [[ $line == *"$mark"* ]]; then
			value=${line##*"$mark"}
			value=${value%%\"*}
		fi
	done
}

# Sets $csrf and, if the screen has it, $form_key from the last response.
read_form() {
	local value
	read_value idempotency_key
	form_key=$value
	read_value csrf
	csrf=$value
	[ -n "$csrf" ]
}

# submit PATH [CURL ARGUMENT]...: posts the form that was read.
submit() {
	local path=$1
	shift
	visit POST "$path" --data-urlencode "csrf=$csrf" "$@"
}

says_text() {
	local text
	IFS= read -r -d '' text <"$answer" || true
	[[ $text == *"$1"* ]] || show
}

# add_user NAME ROLE [OPTION]...: sets $link to the path of the link.
add_user() {
	local name=$1 role=$2
	shift 2
	link=$("$ctl" user add "$name" --role "$role" --account "$account" "$@" 2>"${answer%/*}/said")
	[[ $link = "$base/console/"* ]]
	link=${link#"$base"}
}

# A user with a password, who is signed in.
join_as() {
	add_user "$1" "$2"
	visit GET "$link"
	read_form
	submit "$link" -d password='correct horse' -d again='correct horse'
	[ "$status" = 303 ]
	[ "$(header Location)" = "/console/" ]
}

# sign_in NAME PASSWORD [CURL ARGUMENT]...
sign_in() {
	visit GET /console/login
	read_form
	submit /console/login --data-urlencode "name=$1" --data-urlencode "password=$2" "${@:3}"
}

session() {
	awk '$6 == "daymark_session" { print $7 }' "$jar"
}

# The starts of the next times of a window, on a screen or in a preview.
starts_shown() {
	sed -n '/^<h2>Next times/,/^<\/ul>/p' "$answer" | grep -o '<li><time[^>]*datetime="[^"]*"' | cut -d'"' -f2
}

# code SECRET [STEPS]: the code of an app, now or some steps later.
code() {
	oathtool --totp -b "$1" --now "@$(($(date +%s) + 30 * ${2:-0}))"
}

# Sets up an app for the person who is signed in; sets $secret and $codes.
set_up_app() {
	visit GET /console/me/app
	[ "$status" = 200 ] || show
	read_form
	read_value secret
	secret=$value
	[[ $secret =~ ^[A-Z2-7]{32}$ ]]
	used=$(code "$secret")
	submit /console/me/app -d secret="$secret" -d code="$used"
	[ "$status" = 200 ] || show
	mapfile -t codes < <(grep -oE '<li><code>[^<]*' "$answer" | cut -d'>' -f3)
	[ "${#codes[@]}" = 10 ]
}

# give_code CODE [CURL ARGUMENT]...: the second step of the sign-in.
give_code() {
	local value
	read_value step
	[ -n "$value" ]
	read_form
	submit /console/login/code --data-urlencode "step=$value" -d code="$1" "${@:2}"
}

# grow_stale NAME: the sessions of the person count as older than ten minutes.
grow_stale() {
	sql "UPDATE user_sessions SET confirmed_at = UTC_TIMESTAMP() - INTERVAL 601 SECOND WHERE user_id = (SELECT id FROM users WHERE name = '$1')"
}

# An open incident on a monitor that a page shows; sets $incident.
incident() {
	page_with_monitor
	api POST /hooks/generic -d monitor="$monitor" -d state=down --data-urlencode "cause=${1:-timeout}"
	[ "$status" = 200 ] || [ "$status" = 201 ] || show
	api GET "/api/v1/incidents?status=open&monitor_id=$monitor"
	incident=$(jq '.data[0].id' "$answer")
	[ "$incident" -gt 0 ]
}

# Requests that try to be another person, each without a session: nobody is named.
forge() {
	local header
	for header in 'DAYMARK_USER: admin' 'Daymark-User: admin' 'Daymark_User: admin' 'HTTP_DAYMARK_USER: admin' 'X-Forwarded-User: admin' \
		'X-Auth-Request-User: admin' 'Remote-User: admin' 'Remote_User: admin' 'REMOTE_USER: admin' 'OIDC_CLAIM_sub: admin' \
		'OIDC-CLAIM-sub: admin' 'Authorization: Basic YWRtaW46eA=='; do
		"$@" -H "$header"
	done
	"$@" -u admin:x
}

# names_nobody PATH [CURL ARGUMENT]...
names_nobody() {
	anyone GET "$@"
	[ "$status" != 500 ] || show
	refute grep -q 'Continue as' "$answer"
}
