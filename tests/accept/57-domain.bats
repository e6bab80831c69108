# A page's own domain: by the Host header, the page at its root, and nothing else.
load lib

# A name of this test's own.
new_domain() {
	domain=$(new_slug).example.com
}

# at DOMAIN METHOD PATH [CURL ARGUMENT]...: as a visitor of that domain.
at() {
	local host=$1 method=$2 path=$3
	shift 3
	anyone "$method" "$path" -H "Host: $host" "$@"
}

setup() {
	setup_of_lib
	new_domain
	# Behind the server's own name, whatever leads to the program there.
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	own=${DAYMARK_ACCEPT_BASE:-$(jq -r .base_url "$dir/quickstart.json")}
	# The .htaccess has nobody who would ask below /internal/; the program is to be reached there.
	internal=${DAYMARK_ACCEPT_DOMAIN_BASE:+$DAYMARK_ACCEPT_DOMAIN_BASE/cgi-bin/daymark.cgi}
	internal=${internal:-$own}
	port=${own##*:} port=${port%%/*}
	scheme=${own%%:*}
}

api() {
	base=$own call "$key" "$@"
}

# bats test_tags=server
@test "a page is at the root of its domain, whole, with its own files" {
	page_with_monitor -F "domain=$domain"
	jq -e --arg url "$scheme://$domain:$port/" '.data.url == $url and .data.domain != null' "$answer"
	at "$domain" GET /
	[ "$status" = 200 ] || show
	shows 'All systems operational'
	shows "<link rel=\"canonical\" href=\"$scheme://$domain:$port/\">"
	[[ "$(header Content-Security-Policy)" != *sandbox* ]]
	[[ "$(header Content-Security-Policy)" == *"connect-src 'self'"* ]]
	# From a file of the web server's, and from one of the program's.
	[[ "$(header Content-Security-Policy)" == *"worker-src 'none'"* ]]
	at "$domain" GET '/?plain=1'
	[[ "$(header Content-Security-Policy)" == *"worker-src 'none'"* ]]
	at "$domain" GET /
	for file in $(grep -oE 'page-[0-9a-f]{12}\.(css|js)' "$answer" | sort -u) feed.atom badge.svg summary.json api/v2/status.json; do
		at "$domain" GET "/$file"
		[ "$status" = 200 ] || show
	done
	at "$domain" GET /robots.txt
	[ "$status" = 200 ]
	[ "$(header Content-Type)" = "text/plain; charset=utf-8" ]
	shows 'User-agent: *'
}

# bats test_tags=server
@test "a domain shows its page only: no other page, no API, no program" {
	page_with_monitor
	other=$here
	new_page -F "domain=$domain"
	for path in "$other/" "/s/$slug/" /api/v1/status-pages /healthz /api/v1/openapi.json /hooks/generic /hb/1-x /internal/domain-check; do
		at "$domain" GET "$path" -H "Authorization: Bearer $key"
		[ "$status" = 404 ] || show
	done
}

# bats test_tags=server
@test "a name that is nobody's shows no page" {
	page_with_monitor
	for host in unknown.example.net x.$domain example.com; do
		for path in / "$here/" "$here/summary.json"; do
			at "$host" GET "$path"
			[ "$status" = 404 ] || show
			refute grep -q operational "$answer"
		done
	done
}

# bats test_tags=server
@test "a name that is nobody's gets errors without the name and the files of a page" {
	for option in noindex=0 noindex=1; do
		page_with_monitor -F "$option"
		for path in "$here/" "$here/index.html" "$here/nosuch" "$here/incidents/999999999"; do
			for method in GET DELETE; do
				at unknown.example.net "$method" "$path"
				[ "$status" = 404 ] || [ "$method $status" = "DELETE 405" ] || show
				refute grep -qE '<bdi>Test|page-[0-9a-f]{12}' "$answer"
			done
		done
	done
}

@test "an incident shows on the domain on the next request" {
	page_with_monitor -F "domain=$domain"
	"$ctl" incident open --monitor "$monitor" --cause 'Broken pipe'
	at "$domain" GET /
	shows 'Broken pipe'
	at "$domain" GET /feed.atom
	shows "<link href=\"$scheme://$domain:$port/\"/>"
}

@test "an international name is kept, found and checked in ASCII" {
	name=bücher-$(new_slug).example.com
	ascii=$(python3 -c 'import sys; print(sys.argv[1].encode("idna").decode())' "$name")
	new_page --form-string "domain=$name"
	jq -e --arg domain "$ascii" '.data.domain == $domain' "$answer"
	at "$ascii" GET /
	[ "$status" = 200 ]
	at "${ascii^^}" GET /
	[ "$status" = 200 ]
	base=$internal anyone GET "/internal/domain-check" -G --data-urlencode "domain=$name"
	want 200
}

# bats test_tags=server
@test "domain-check knows the domains of pages, gated ones too, and no others" {
	page_with_monitor -F "domain=$domain" -F privacy=1
	base=$internal
	anyone GET "/internal/domain-check?domain=$domain"
	want 200
	anyone GET "/internal/domain-check?domain=$domain."
	want 200
	for name in unknown.example.net ../../etc/passwd "$slug" 127.0.0.1; do
		anyone GET /internal/domain-check -G --data-urlencode "domain=$name"
		want 404
	done
	for query in '' '?domain=' '?domain=%20' '?domain'; do
		anyone GET "/internal/domain-check$query"
		want_fault domain required
	done
}

@test "another domain, or none: the old address leads to the new one" {
	page_with_monitor -F "domain=$domain"
	old=$domain
	new_domain
	api PUT "/api/v1/status-pages/$page" -d "domain=$domain"
	at "$old" GET /
	[ "$status" = 301 ] || show
	[ "$(header Location)" = "$scheme://$domain:$port/" ] || show
	at "$domain" GET /
	[ "$status" = 200 ] || show
	[ ! -e "$pages/public/d/$old" ]
	[ ! -e "$pages/host/$old" ]
	api PUT "/api/v1/status-pages/$page" -d domain=
	at "$domain" GET /
	[ "$status" = 301 ] || show
	[ "$(header Location)" = "$own$here/" ] || show
	base=$own see ''
}

@test "a domain moves from one page to another" {
	new_page -F "domain=$domain" -F name=First
	first=$page
	new_page -F name=Second
	api PUT "/api/v1/status-pages/$page" -d "domain=$domain"
	want_fault domain taken
	api PUT "/api/v1/status-pages/$first" -d domain=
	api PUT "/api/v1/status-pages/$page" -d "domain=$domain"
	want 200
	at "$domain" GET /
	shows '>Second<'
	api DELETE "/api/v1/status-pages/$first"
	at "$domain" GET /
	shows '>Second<'
	api DELETE "/api/v1/status-pages/$page"
	at "$domain" GET /
	[ "$status" = 404 ]
}

# bats test_tags=server
@test "a private page's domain shows nothing, a password page's asks and opens" {
	page_with_monitor -F "domain=$domain"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	for file in '' index.html summary.json robots.txt; do
		at "$domain" GET "/$file"
		[ "$status" = 404 ] || show
	done
	[ ! -e "$pages/public/d/$domain" ]
	link=$("$ctl" page link "$slug")
	[[ "$link" == "$scheme://$domain:$port/?link="* ]]
	at "$domain" GET "/?${link##*\?}" -c "$BATS_TEST_TMPDIR/jar"
	[ "$status" = 303 ]
	[ "$(header Location)" = / ]
	[[ "$(header Set-Cookie)" == *"; Path=/;"* ]]
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d password=opensesame
	at "$domain" GET /
	[ "$status" = 200 ]
	shows 'This page has a password'
	at "$domain" POST / -d password=wrong
	[ "$status" = 403 ]
	at "$domain" POST / -d password=opensesame
	[ "$status" = 303 ]
	cookie=$(header Set-Cookie)
	at "$domain" GET / -H "Cookie: ${cookie%%;*}"
	[ "$status" = 200 ]
	shows 'All systems operational'
	refute grep -q 'pass=' "$answer"
	[[ "$(header Content-Security-Policy)" != *sandbox* ]]
	at "$domain" GET /summary.json
	[ "$status" = 404 ] || show
}

# The status of a request, the headers by which domains could be told apart, and the body.
seen_at() {
	at "$@"
	printf '%s\n' "$status" "$(header Allow)" "$(header Cache-Control)" "$(header Content-Type)"
	sed "s/$1/HOST/g" "$answer"
}

# bats test_tags=server
@test "a private page's domain responds to every request like a domain without a page" {
	page_with_monitor -F "domain=$domain"
	at "$domain" GET /alive.svg
	[ "$status" = 200 ] || show
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	local unknown method path
	unknown=$(new_slug).example.com
	for method in GET OPTIONS PUT DELETE PATCH POST; do
		for path in / /alive.svg /index.html /api/v2/summary.json /api/v1/monitors /incidents/7; do
			[ "$(seen_at "$domain" "$method" "$path")" = "$(seen_at "$unknown" "$method" "$path")" ] || {
				echo "$method $path"
				show
			}
		done
	done
	# A visitor with a link has the picture, which the page's script asks for.
	link=$("$ctl" page link "$slug")
	at "$domain" GET "/?${link##*\?}"
	cookie=$(header Set-Cookie)
	at "$domain" GET /alive.svg -H "Cookie: ${cookie%%;*}"
	[ "$status" = 200 ] || show
}

# bats test_tags=server
@test "noindex is said on the domain, too" {
	new_page -F "domain=$domain" -F noindex=1
	at "$domain" GET /summary.json
	[ "$(header X-Robots-Tag)" = noindex ]
	api PUT "/api/v1/status-pages/$page" -d noindex=0
	at "$domain" GET /summary.json
	[ -z "$(header X-Robots-Tag)" ]
}

# bats test_tags=server
@test "the domain's page stays while the program does not" {
	[ -z "${DAYMARK_ACCEPT_BASE:-}" ] || skip "here the program serves it"
	page_with_monitor -F "domain=$domain"
	lines=$(grep -c event=request "$log")
	at "$domain" GET /
	at "$domain" GET /summary.json
	[ "$status" = 200 ]
	[ "$(grep -c event=request "$log")" = "$lines" ]
}
