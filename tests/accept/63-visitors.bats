# What is said to visitors is HTML in the page's design, whoever says it; robots.txt, and the root.
load lib

# looks_like_ours FILE: valid HTML, light and dark, with a heading, and nothing from elsewhere; or in the
# design of a page, with a link to the page.
looks_like_ours() {
	needs tidy
	tidy -q -e --drop-empty-elements no "$1" >"$BATS_TEST_TMPDIR/tidy" 2>&1 || true
	[ ! -s "$BATS_TEST_TMPDIR/tidy" ] || { cat "$BATS_TEST_TMPDIR/tidy" "$1"; return 1; }
	grep -qi '^<!DOCTYPE html>' "$1" || { cat "$1"; return 1; }
	refute grep -qE '"message"|nginx|Apache|lighttpd|Caddy' "$1"
	if grep -q '^<header>' "$1"; then
		grep -q '<h2>[A-Z]' "$1" || { cat "$1"; return 1; }
		grep -qE '<p class="back"><a href="(/|https?://)' "$1" || { cat "$1"; return 1; }
		return 0
	fi
	grep -q 'prefers-color-scheme:dark' "$1" || { cat "$1"; return 1; }
	grep -q 'color-scheme:light dark' "$1" || { cat "$1"; return 1; }
	grep -q '<h1>[A-Z]' "$1" || { cat "$1"; return 1; }
	refute grep -qE 'src=|<script' "$1"
}

# want_html STATUS: of the last answer.
want_html() {
	[ "$status" = "$1" ] || show
	[[ "$(header Content-Type | tr A-Z a-z)" =~ ^text/html\;\ ?charset=utf-8$ ]] || show
	looks_like_ours "$answer" || show
}

# said REQUESTS: as refused() of 61-refused.bats; each is to be answered in HTML of ours.
said() {
	cat >"$BATS_TEST_TMPDIR/requests"
	rm -rf "$BATS_TEST_TMPDIR/said"
	mkdir "$BATS_TEST_TMPDIR/said"
	PYTHONPATH=$TOP/tests/lib PYTHONDONTWRITEBYTECODE=1 \
		python3 - "$base" "$1" "${2:-}" "$BATS_TEST_TMPDIR/requests" "$BATS_TEST_TMPDIR/said" 3>&- <<'END' || return 1
import sys
from raw_http import ask_all

base, at, asked, requests, said = sys.argv[1:]
failed = []
for name, statuses, head, body in ask_all(base, at, requests, asked):
    try:
        assert int(head.split(" ")[1]) in statuses, "another status"
        assert "\r\ncontent-type: text/html; charset=utf-8" in head.lower(), "another type"
        open(f"{said}/{name}.html", "w").write(body)
    except (AssertionError, IndexError, ValueError) as error:
        failed.append(f"{name}: {error!r}\n{head[:600]!r}\n{body[:600]!r}")
print("\n".join(failed))
sys.exit(len(failed) > 0)
END
	local file
	for file in "$BATS_TEST_TMPDIR"/said/*.html; do
		looks_like_ours "$file" || { echo "$file"; return 1; }
	done
}

refusals() {
	# lighttpd reads no address behind a method that it does not know.
	[ -n "${DAYMARK_ACCEPT_STRICT:-}" ] || echo 'unknown 400,405,501 "FOO @ HTTP/1.1\r\n$\r\n"'
	cat <<'END'
post 405 "POST @ HTTP/1.1\r\n$Content-Length: 0\r\n\r\n"
put 405 "PUT @ HTTP/1.1\r\n$Content-Length: 1\r\n\r\nx"
delete 405 "DELETE @ HTTP/1.1\r\n$Content-Length: 0\r\n\r\n"
none 400,404 "GET @/nothing/at/all HTTP/1.1\r\n$\r\n"
dot 400,403,404 "GET @/.hidden HTTP/1.1\r\n$\r\n"
END
}

# bats test_tags=server
@test "what cannot be done at a page's address is said in HTML" {
	page_with_monitor
	refusals | said "$here/summary.json"
	refusals | said /s/no-such-page/summary.json
	new_page -F privacy=1
	refusals | said "/s/$slug/summary.json"
	anyone POST /s/demo/ -d x=1
	want_html 405
	[[ "$(header Allow)" == *GET* ]] || show
	anyone POST '/s/demo/?plain=1' -d x=1
	[ "$status" = 404 ] || want_html 405
	anyone HEAD /s/no-such-page/
	[ "$status" = 404 ] || show
	[[ "$(header Content-Type)" == text/html* ]] || show
}

# bats test_tags=server
@test "the same on a page's own domain" {
	[ -z "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] || base=$DAYMARK_ACCEPT_DOMAIN_BASE own=$DAYMARK_ACCEPT_BASE
	domain=$(new_slug).example.com
	new_monitor
	slug=$(new_slug)
	base=${own:-$base} api POST /api/v1/status-pages -d name=Test -d "slug=$slug" -d "monitor_ids[]=$monitor" -d "domain=$domain"
	want 201
	refusals | said /summary.json "$domain"
	refusals | said /api/v2/summary.json "$domain"
	refusals | said /nothing.html "$domain"
	anyone POST / -H "Host: $domain" -d x=1
	want_html 405
	anyone GET /api/v1/status-pages -H "Host: $domain"
	want_html 404
}

# bats test_tags=server
@test "what the web server refuses below a page is said in HTML" {
	[ "${DAYMARK_ACCEPT_ERRORS:-}" != htaccess ] || skip "on shared hosting Apache refuses it before it reads an .htaccess"
	said /s/demo/ <<'END'
trace 404,405 "TRACE @ HTTP/1.1\r\n$\r\n"
END
	head -c 12000000 /dev/zero >"$BATS_TEST_TMPDIR/body"
	anyone POST /s/no-such-page/ -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/body"
	want_html 413
	refute grep -q '<header>' "$answer"
	new_page -F noindex=1 -F language=de
	for address in "/s/$slug" "/s/$slug/" "/s/$slug/a/b.html?c"; do
		anyone POST "$address" -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/body"
		# Some web servers pass on the body, or its beginning.
		if [ -n "$(header X-Request-Id)" ]; then
			[[ "$status" =~ ^4(04|13)$ ]] || show
			want_html "$status"
			shows '<html lang="de"'
		else
			in_words_of_page 413 "/s/$slug/" 'Das geht hier nicht'
		fi
	done
	api POST "/api/v1/status-pages/$page" -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/body"
	want 413 '.status == 413'
	anyone GET /s/demo/ -H 'Range: bytes=99999999-'
	[ "$status" = 200 ] || want_html 416
	anyone GET /s/demo/ -H 'If-Match: "x"'
	[ "$status" = 200 ] || [ ! -s "$answer" ] || want_html 412
}

# bats test_tags=server
@test "what the web server cannot read is said in HTML below a page" {
	[ -z "${DAYMARK_ACCEPT_ERRORS:-}" ] || skip "this web server says so in a form of its own"
	[ -z "${DAYMARK_ACCEPT_UNREAD:-}" ] || skip "below the shared name what this web server cannot read is JSON"
	said /s/demo <<'END'
percent 400,404 "GET @/%zz HTTP/1.1\r\n$\r\n"
zero 400,404 "GET @/%00 HTTP/1.1\r\n$\r\n"
length 400 "POST @/ HTTP/1.1\r\n$Content-Length: x\r\n\r\n"
coding 400,501 "POST @/ HTTP/1.1\r\n$Transfer-Encoding: gzip\r\n\r\n"
END
	[ -z "${DAYMARK_ACCEPT_STRICT:-}" ] || return 0
	long=$(printf 'a%.0s' $(seq 40000))
	said /s/demo <<END
uri 400,414,431 "GET @/?$long HTTP/1.1\r\n\$\r\n"
header 400,431 "GET @/ HTTP/1.1\r\n\$X-A: $long\r\n\r\n"
END
}

# in_words_of_page STATUS ROOT HEADING: the last answer is the web server's own, in the page's design.
in_words_of_page() {
	want_html "$1"
	[ -z "$(header X-Request-Id)" ] || show
	shows "<h2>$3</h2>"
	shows "<h1><a href=\"$2\"><bdi>Test</bdi></a></h1>"
	shows "<link rel=\"stylesheet\" href=\"${2}page-"
	[[ "$(header Cache-Control)" == *no-cache* ]] || show
	[ "$(header X-Robots-Tag)" = noindex ] || show
	[ -z "$(header ETag)$(header Last-Modified)" ] || show
	[[ "$(header Content-Security-Policy)" == *"style-src *;"*sandbox* ]] || show
}

# keeps NAME, recalls NAME: the last answer.
keeps() {
	cp "$answer" "$BATS_TEST_TMPDIR/$1.answer"
	cp "$headers" "$BATS_TEST_TMPDIR/$1.headers"
	echo "$status" >"$BATS_TEST_TMPDIR/$1.status"
}
recalls() {
	cp "$BATS_TEST_TMPDIR/$1.answer" "$answer"
	cp "$BATS_TEST_TMPDIR/$1.headers" "$headers"
	status=$(cat "$BATS_TEST_TMPDIR/$1.status")
}

# bats test_tags=server
@test "while the program is away visitors are told so in HTML, and clients in JSON" {
	[ -z "${DAYMARK_ACCEPT_CONF:-}" ] || skip "here the web server starts the program"
	new_page -F language=fr
	public=$slug
	new_page -F privacy=1
	private=$slug
	domain=$(new_slug).example.com
	new_page -F "domain=$domain"
	page_url=$(jq -r .data.url "$answer")
	mv "$dir/run/daymark.sock" "$dir/run/daymark.aside"
	# What web servers keep of connections is given up.
	kill -HUP "$(cat "$dir/run/daymark.pid")"
	for i in $(seq 100); do
		anyone GET /healthz
		[ "$status" != 503 ] || break
		sleep 0.1
	done
	api GET /api/v1/status-pages
	cp "$answer" "$BATS_TEST_TMPDIR/json"
	json=$status
	anyone GET "/s/$public/a/b"
	keeps public
	anyone GET "/s/$public/nothing" -H 'If-None-Match: *' -H 'Range: bytes=0-9'
	keeps again
	anyone GET "/s/$private/a/b"
	keeps private
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base} anyone GET /a/b -H "Host: $domain"
	keeps domain
	anyone GET /s/no-such-page/
	keeps none
	mv "$dir/run/daymark.aside" "$dir/run/daymark.sock"
	# A web server that takes the program for dead tries again after a while.
	for i in $(seq 150); do
		if curl -fs -o "$BATS_TEST_TMPDIR/healthz" "$base/healthz"; then break; fi
		sleep 0.1
	done
	[ "$json" = 503 ]
	jq -e '.status == 503' "$BATS_TEST_TMPDIR/json"
	jq -e '.status == 200' "$BATS_TEST_TMPDIR/healthz"
	for kept in public again; do
		recalls "$kept"
		in_words_of_page 503 "/s/$public/" 'Momentanément indisponible'
		[ "$(header Retry-After)" -gt 0 ] || show
	done
	recalls domain
	in_words_of_page 503 "$page_url" 'Away for a moment'
	# A private page is answered as no page is.
	cmp "$BATS_TEST_TMPDIR/private.answer" "$BATS_TEST_TMPDIR/none.answer"
	for kept in private none; do
		recalls "$kept"
		want_html 503
		refute grep -q '<header>' "$answer"
		[ "$(header Retry-After)" -gt 0 ] || show
	done
}

# bats test_tags=server
@test "the program's own failures: HTML for visitors, JSON below the API" {
	page_with_monitor -F privacy=2 -F password=x
	anyone POST "$here/" -H 'Content-Type: application/json' -d '{'
	want_html 400
	anyone POST "$here/" -H 'Content-Type: text/plain' -d x
	want_html 415
	anyone GET "/s/$(printf 'a/%.0s' $(seq 30))"
	want_html 400
	shows 'The path has too many segments.'
	anyone GET "/api/$(printf 'a/%.0s' $(seq 30))"
	want 400 '.status == 400'
	for path in /api/v1/status-pages /api/nothing /hooks/nothing /hb/nothing /internal/nothing /healthz/nothing; do
		anyone GET "$path"
		[[ "$status" =~ ^(401|404)$ ]] || show
		jq -e ".status == $status" "$answer" || show
	done
}

# bats test_tags=server
@test "the root has no page, robots.txt keeps crawlers from the API, and no icon is JSON" {
	for path in / /favicon.ico /index.html /wp-login.php /s /s/; do
		anyone GET "$path"
		want_html 404
	done
	anyone GET /
	shows 'There is no page here'
	anyone POST / -d x=1
	want_html 405
	anyone HEAD /
	[ "$status" = 404 ] || show
	[[ "$(header Content-Type)" == text/html* ]] || show
	anyone GET /robots.txt
	[ "$status" = 200 ] || show
	[ "$(header Content-Type)" = "text/plain; charset=utf-8" ] || show
	[ "$(head -n 1 "$answer")" = 'User-agent: *' ]
	grep -qxF "Disallow: $(path_of "$base/api/")" "$answer" || show
	refute grep -qE '^Disallow: (/|.*/s/)$' "$answer"
}

# as_cgi PATH: asks the program itself, by a configuration with another `index`.
as_cgi() {
	local program=${DAYMARK_BUILD:-$TOP/build}/daymark
	sed -e '/^listen = /d' -e "s/^; index = none/index = $index/" "$conf" >"$BATS_TEST_TMPDIR/daymark.conf"
	env -i GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$1" SCRIPT_NAME= SERVER_PROTOCOL=HTTP/1.1 \
		HTTP_HOST="${base#*://}" DAYMARK_CONF="$BATS_TEST_TMPDIR/daymark.conf" "$program" >"$BATS_TEST_TMPDIR/cgi" </dev/null
	headers=$BATS_TEST_TMPDIR/cgi
	sed '1,/^\r*$/d' "$BATS_TEST_TMPDIR/cgi" >"$answer"
}

@test "index = list names the public pages, and no others" {
	[ -z "${DAYMARK_ACCEPT_CONF:-}" ] || skip "asked without a web server"
	name="A <&> page $(new_slug)"
	new_page --form-string "name=$name"
	shown=$slug
	new_page -F noindex=1
	hidden=("$slug")
	new_page -F privacy=1
	hidden+=("$slug")
	new_page -F privacy=2 -F password=x
	hidden+=("$slug")
	index=list as_cgi /
	[[ "$(header Status)" == 200* ]] || show
	[ "$(header Cache-Control)" = 'public, max-age=60' ]
	looks_like_ours "$answer"
	shows "<li><a href=\"$base/s/$shown/\">${name/<&>/\&lt;\&amp;\&gt;}</a></li>"
	for slug in "${hidden[@]}"; do refute grep -q "$slug" "$answer"; done
	[ "$(grep -c '<li>' "$answer")" -le 500 ]
	[ "$(queries)" = 0 ]
	index=none as_cgi /
	[[ "$(header Status)" == 404* ]]
	refute grep -q "$shown" "$answer"
	sed -i 's/^index = .*/index = some/' "$BATS_TEST_TMPDIR/daymark.conf"
	run "$ctl" check-config --config "$BATS_TEST_TMPDIR/daymark.conf"
	[ "$status" != 0 ]
	[[ "$output" == *"[pages] index must be none or list"* ]]
}
