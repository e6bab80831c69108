# What logs must not have: links and asset tokens, which open pages that are not public, and tokens of heartbeats.
load lib

# The logs of the web server and of the service.
logs() {
	find "${DAYMARK_ACCEPT_WEB_DIR:-$dir}" -maxdepth 2 -name '*.log' ! -name 'mysql*'
	echo "$log"
}

# visit [CURL ARGUMENT]...: a request whose line in the access log can be found.
visit() {
	anyone GET "$1" -A "marker-$slug" "${@:2}"
}

# logged PATH: an access log has a visit of the path.
logged() {
	local log
	for log in $(logs); do
		grep -aF "marker-$slug" "$log" | grep -qaF -- "$1" && return
	done
	return 1
}

# nowhere TOKEN: no log has the token.
nowhere() {
	local log
	for log in $(logs); do
		refute grep -aF -- "$1" "$log"
	done
}

# bats test_tags=server
@test "no log has links, asset tokens, or the addresses that led from pages with them" {
	base_path=$(path_of "$base/")
	new_page -F privacy=1
	link=$("$ctl" page link "$slug")
	secret=${link##*.}
	query=link=${link##*link=}
	jar=$BATS_TEST_TMPDIR/jar
	[ ${#secret} -eq 43 ]
	if [ -z "${DAYMARK_ACCEPT_LOGS_QUERIES:-}" ]; then
		visit "/s/$slug/?$query" -c "$jar"
		[ "$status" = 303 ] || show
		visit "/s/$slug/?a=b&$query"
		[ "$status" = 303 ] || show
		visit "/s/$slug?$query"
		visit "/s/$slug/summary.json?$query"
		visit "/s/$slug/?${query}x"
		[ "$status" = 404 ]
		visit "/s/no-such-page/?$query"
		visit "/?$query"
		visit "/api/v1/nothing?$query"
		anyone POST "/s/$slug/?$query" -A "marker-$slug" -d password=x
		visit "/s/$slug/?$query" -H "Host: nobody.example.com"
		visit "/s/$slug/" -b "$jar"
		[ "$status" = 200 ]
		asset=$(grep -o 'page-[0-9a-f]*\.css?pass=[0-9A-Za-z._-]*' "$answer")
		visit "/s/$slug/$asset"
		[ "$status" = 200 ]
		soon logged "${asset%%\?*}"
		nowhere "${asset##*.}"
	fi
	# A browser may name the page that led here.
	visit "/s/$slug/feed.atom" -e "$base/s/$slug/?$query"
	visit "/nothing-there" -e "$base/s/$slug/x.css?pass=${link##*link=}"
	soon logged "${base_path}nothing-there"
	soon logged "${base_path}s/$slug/feed.atom"
	nowhere "$secret"
}

# bats test_tags=server
@test "no log has the links of pages at their own domains" {
	host=$(new_slug).example.com
	new_page -F privacy=1 -F "domain=$host"
	link=$("$ctl" page link "$slug")
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	[ -n "${DAYMARK_ACCEPT_LOGS_QUERIES:-}" ] || {
		visit "/?link=${link##*link=}" -H "Host: $host"
		[ "$status" = 303 ] || show
	}
	visit /feed.atom -H "Host: $host" -e "https://$host/?link=${link##*link=}"
	soon logged /feed.atom
	nowhere "${link##*.}"
}

# bats test_tags=server
@test "no log has the token of a heartbeat" {
	base_path=$(path_of "$base/")
	slug=$(new_slug)
	api POST /api/v1/monitors -d "name=Backup $slug" -d type=heartbeat -d period=3600
	[ "$status" = 201 ] || show
	path=$(jq -r .data.heartbeat_url "$answer")
	path=/hb/${path##*/hb/}
	if [ -z "${DAYMARK_ACCEPT_LOGS_QUERIES:-}" ]; then
		visit "$path"
		[ "$status" = 200 ] || show
		anyone POST "$path/fail?a=b" -A "marker-$slug" -d x
		[ "$status" = 200 ] || show
		visit "$path/nothing"
		[ "$status" = 404 ] || show
		visit "/hb/${path#/hb/}"
		visit "$path" -H "Host: nobody.example.com"
	fi
	visit "/nothing-there-$slug"
	soon logged "${base_path}nothing-there-$slug"
	nowhere "${path#/hb/*-}"
}

# bats test_tags=server
@test "no log has the token of a link to the console" {
	base_path=$(path_of "$base/")
	slug=$(new_slug)
	token=token-of-$slug-0123456789
	if [ -z "${DAYMARK_ACCEPT_LOGS_QUERIES:-}" ]; then
		visit "/console/invite/$token"
		[ "$status" = 404 ] || show
		[ "$(header Referrer-Policy)" = strict-origin ] || show
		visit "/console/reset/$token?a=b"
		visit "/console/recover/$token"
		visit "/console/enter/$token" -H "Host: nobody.example.com"
	fi
	visit "/nothing-there-$slug"
	soon logged "${base_path}nothing-there-$slug"
	nowhere "$token"
}

@test "while the program is away, nginx logs no link as an error" {
	own_unlimited_service_start </dev/null
	own_service
	new_page -F privacy=1
	link=$("$ctl" page link "$slug")
	kill "$parent"
	gone() { refute test -S "$dir/run/daymark.sock"; }
	soon gone
	visit "/s/$slug/"
	[ "$status" = 503 ] || show
	visit "/s/$slug/?link=${link##*link=}"
	[ "$status" = 503 ] || show
	[ -n "$(header Retry-After)" ]
	visit "/s/$slug/page-0123456789ab.css?pass=${link##*link=}"
	grep -aqF "/s/$slug/" "$dir/log/nginx-error.log"
	visit "/hb/7-$slug"
	[ "$status" = 503 ] || show
	soon logged page-0123456789ab.css
	nowhere "${link##*.}"
	nowhere "7-$slug"
	own_service_stop
}
