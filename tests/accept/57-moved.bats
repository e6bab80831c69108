# Former slugs and domains of pages redirect to the page, until another page takes the address.
load lib

setup() {
	setup_of_lib
	old_domain=$(new_slug).example.com
	# Behind the server's own name, whatever leads to the program there.
	domain_base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
}

# moved_to URL: the last response redirects there.
moved_to() {
	[ "$status" = 301 ] || show
	[ "$(header Location)" = "$1" ] || show
	# HTTP/2 has no reason.
	[[ "$(head -1 "$headers")" = @(*' 301 Moved Permanently'*|'HTTP/2 301'*) ]] || show
	# Browsers must not keep the redirect for ever: another page may take the address.
	[ "$(header Cache-Control)" = 'public, max-age=300' ] || show
}

# rename_page SLUG [CURL ARGUMENT]...: sets $old to the former slug.
rename_page() {
	old=$slug
	slug=$1
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug" "${@:2}"
	want 200
	here=/s/$slug
}

# at DOMAIN METHOD PATH: as a visitor of that domain.
at() {
	base=$domain_base anyone "$2" "$3" -H "Host: $1" "${@:4}"
}

# bats test_tags=server
@test "a former slug leads to the page, with the rest of the address" {
	page_with_monitor
	"$ctl" incident open --monitor "$monitor" --cause x
	rename_page "$(new_slug)"
	for address in '' index.html feed.atom history.rss api/v2/summary.json incidents/7 '?plain=1'; do
		anyone GET "/s/$old/$address"
		moved_to "$base$here/$address"
	done
	anyone GET "/s/$old"
	moved_to "$base$here/"
	anyone HEAD "/s/$old/"
	[ "$status" = 301 ] || show
	anyone GET "/s/$old/a%20b"
	moved_to "$base$here/"
	anyone GET "/s/$old/" -L
	[ "$status" = 200 ] || show
	# Twice renamed, both lead there.
	before=$old
	rename_page "$(new_slug)"
	for one in "$before" "$old"; do
		anyone GET "/s/$one/"
		moved_to "$base$here/"
	done
}

@test "an update that is rejected moves nothing" {
	new_page
	taken=$slug
	new_page
	api PUT "/api/v1/status-pages/$page" -d "slug=$taken"
	want_fault slug
	anyone GET "/s/$slug/"
	[ "$status" = 200 ] || show
}

@test "a page of another account that takes the slug wins at once, and for ever" {
	new_page
	first=$page
	rename_page "$(new_slug)"
	other POST /api/v1/status-pages -d name=Taker -d "slug=$old"
	want 201
	taker=$(jq .data.id "$answer")
	anyone GET "/s/$old/"
	[ "$status" = 200 ] || show
	shows Taker
	api PUT "/api/v1/status-pages/$first" -d name=Again
	anyone GET "/s/$old/"
	shows Taker
	other DELETE "/api/v1/status-pages/$taker"
	want 200
	api PUT "/api/v1/status-pages/$first" -d 'name=And again'
	anyone GET "/s/$old/"
	[ "$status" = 404 ] || show
}

# bats test_tags=server
@test "the former slug of a private page is as one that never existed" {
	new_page -F privacy=1
	rename_page "$(new_slug)"
	anyone GET "/s/no-such-page/"
	cp "$answer" "$BATS_TEST_TMPDIR/unknown"
	tr -d '\r' <"$headers" | grep -viE '^(x-request-id|date|content-length|transfer-encoding):' >"$BATS_TEST_TMPDIR/heads"
	anyone GET "/s/$old/"
	[ "$status" = 404 ] || show
	cmp "$answer" "$BATS_TEST_TMPDIR/unknown"
	diff <(tr -d '\r' <"$headers" | grep -viE '^(x-request-id|date|content-length|transfer-encoding):') "$BATS_TEST_TMPDIR/heads"
	gone "$pages/former/$old"
	# The same for a page that is private only later.
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	anyone GET "/s/$old/"
	moved_to "$base$here/"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	anyone GET "/s/$old/"
	[ "$status" = 404 ] || show
	gone "$pages/former/$old"
}

@test "the former slug of a page with a password leads to its form" {
	new_page -F privacy=2 -F password=let-me-in
	rename_page "$(new_slug)"
	anyone GET "/s/$old/"
	moved_to "$base$here/"
}

@test "a deleted page is not redirected to" {
	new_page
	rename_page "$(new_slug)"
	api DELETE "/api/v1/status-pages/$page"
	want 200
	anyone GET "/s/$old/"
	[ "$status" = 404 ] || show
	[ "$(sql "SELECT COUNT(*) FROM former_addresses WHERE page_id = $page")" = 0 ]
	"$ctl" publish
	gone "$pages/former/$old"
}

@test "a redirect needs no database, and an update of the address three statements more" {
	new_page
	api PUT "/api/v1/status-pages/$page" -d name=Same
	before=$(queries)
	rename_page "$(new_slug)"
	# Whether another page has taken the slug, the former addresses, and how many the account has.
	want_queries_at_most $((before + 5))
	anyone GET "/s/$old/"
	want_queries 0
}

# bats test_tags=server
@test "a former domain leads to the page, and other domains lead nowhere" {
	page_with_monitor -F "domain=$old_domain"
	at "$old_domain" GET /
	[ "$status" = 200 ] || show
	api PUT "/api/v1/status-pages/$page" -d domain=
	want 200
	at "$old_domain" GET /
	moved_to "$base$here/"
	at "$old_domain" GET /incidents/7
	moved_to "$base$here/incidents/7"
	at "$old_domain" GET /api/v2/status.json
	# Caddy has made the address shorter.
	[ "$status" = 301 ] || show
	[[ "$(header Location)" == "$base$here/"*status.json ]] || show
	at "x$old_domain" GET /
	[ "$status" = 404 ] || show
	# The API is no part of the page.
	at "$old_domain" GET /api/v1/status-pages
	[ "$status" = 401 ] || show
	new_domain=$(new_slug).example.com
	api PUT "/api/v1/status-pages/$page" -d "domain=$new_domain"
	want 200
	at "$old_domain" GET /
	[ "$status" = 301 ] || show
	[[ "$(header Location)" == *"://$new_domain"*/ ]] || show
}

@test "a proxy gets a certificate for a former domain, until the page is deleted" {
	page_with_monitor -F "domain=$old_domain"
	api PUT "/api/v1/status-pages/$page" -d domain=
	anyone GET "/internal/domain-check?domain=$old_domain"
	want 200 ".domain == \"$old_domain\""
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	anyone GET "/internal/domain-check?domain=$old_domain"
	want 404
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	anyone GET "/internal/domain-check?domain=$old_domain"
	want 200
	api DELETE "/api/v1/status-pages/$page"
	anyone GET "/internal/domain-check?domain=$old_domain"
	want 404
}

@test "a domain that another account takes is the other page's at once" {
	page_with_monitor -F "domain=$old_domain"
	api PUT "/api/v1/status-pages/$page" -d domain=
	other POST /api/v1/status-pages -d name=Taker -d "slug=$(new_slug)" -d "domain=$old_domain"
	# An installation may want a proof of the domain.
	[ "$status" = 201 ] || skip "the domain must be proven"
	at "$old_domain" GET /
	[ "$status" = 200 ] || show
	shows Taker
	gone "$pages/former-host/$old_domain"
}

@test "the removal of an account removes its redirects" {
	mover=mover-$(new_slug)
	"$ctl" account add "$mover"
	key=$("$ctl" key create --account "$mover" --json | jq -r .key)
	new_page
	rename_page "$(new_slug)"
	anyone GET "/s/$old/"
	moved_to "$base$here/"
	"$ctl" account remove "$mover" --yes
	anyone GET "/s/$old/"
	[ "$status" = 404 ] || show
	[ "$(sql "SELECT COUNT(*) FROM former_addresses WHERE page_id = $page")" = 0 ]
}
