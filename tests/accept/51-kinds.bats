# bats file_tags=server
# A kind of published file that nobody's configuration was changed for: the web server gives it
# out if it knows the kind, and leaves it to the program otherwise.
load lib

# put FOLDER NAME TEXT: a file beside those that were published.
put() {
	printf '%s' "$3" >"$1/$2"
	chmod 0644 "$1/$2"
}

# given_out TYPE TEXT: as a file of a public page is.
given_out() {
	[ "$status" = 200 ] || show
	[ "$(header Content-Type | tr -d ' "' | tr '[:upper:]' '[:lower:]')" = "$1" ] || show
	[ "$(cat "$answer")" = "$2" ] || show
	[[ "$(header Content-Security-Policy)" == *"default-src 'none'"* ]] || show
	[ "$(header X-Content-Type-Options)" = nosniff ] || show
	[ "$(header Access-Control-Allow-Origin)" = '*' ] || show
	[[ "$(header Cache-Control)" == *"$3"* ]] || show
}

# by_program KIND: only what a copy of the configuration does not know comes from the program.
by_program() {
	if [ "$1" = "${DAYMARK_ACCEPT_OLDER:-}" ]; then
		[ -n "$(header X-Request-Id)" ] || show
	else
		[ -z "$(header X-Request-Id)" ] || show
	fi
}

@test "a new kind of file of a public page is given out behind each web server" {
	new_page
	for kind in ics xsl xml webmanifest; do
		put "$pages/public/s/$slug" "new.$kind" "a $kind"
	done
	anyone GET "/s/$slug/new.ics"
	given_out 'text/calendar;charset=utf-8' 'a ics' s-maxage=5
	by_program ics
	anyone GET "/s/$slug/new.xsl"
	given_out 'text/xsl;charset=utf-8' 'a xsl' s-maxage=5
	by_program xsl
	anyone GET "/s/$slug/new.xml"
	given_out 'application/xml;charset=utf-8' 'a xml' s-maxage=5
	anyone GET "/s/$slug/new.webmanifest"
	given_out 'application/manifest+json' 'a webmanifest' s-maxage=5
	# One that carries a hash may be kept.
	put "$pages/public/s/$slug" print-0123456789ab.css 'b{}'
	anyone GET "/s/$slug/print-0123456789ab.css"
	given_out 'text/css;charset=utf-8' 'b{}' immutable
	put "$pages/public/s/$slug" print-0123456789ab.xsl 'c'
	anyone GET "/s/$slug/print-0123456789ab.xsl"
	given_out 'text/xsl;charset=utf-8' 'c' immutable
}

@test "a new kind of file of a page that search engines leave alone says so" {
	new_page -F noindex=1
	for kind in ics xsl; do
		put "$pages/noindex/s/$slug" "new.$kind" "a $kind"
		anyone GET "/s/$slug/new.$kind"
		[ "$status" = 200 ] || show
		[ "$(header X-Robots-Tag)" = noindex ] || show
		by_program "$kind"
	done
}

@test "a new kind of file is given out on a page's own domain" {
	domain=$(new_slug).example.com
	new_page -F "domain=$domain"
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	for kind in ics xsl; do
		# As publishing does, in both folders: the program reads that of the slug.
		put "$pages/public/s/$slug" "new.$kind" "a $kind"
		put "$pages/public/d/$domain" "new.$kind" "a $kind"
		anyone GET "/new.$kind" -H "Host: $domain"
		[ "$status" = 200 ] || show
		[ "$(cat "$answer")" = "a $kind" ] || show
		[[ "$(header Content-Security-Policy)" == *"connect-src 'self'"* ]] || show
		by_program "$kind"
	done
}

@test "a new kind of file of a private page is behind its gate" {
	new_page -F privacy=1
	for kind in ics xsl; do
		put "$pages/private/$slug" "new.$kind" "a $kind"
		anyone GET "/s/$slug/new.$kind"
		[ "$status" = 404 ] || show
		api GET "/s/$slug/new.$kind"
		[ "$status" = 200 ] || show
		[ "$(cat "$answer")" = "a $kind" ] || show
	done
}

@test "a file of no kind is not given out" {
	new_page
	for name in new.zzz index.html.gz; do
		put "$pages/public/s/$slug" "$name" hidden
		anyone GET "/s/$slug/$name"
		[ "$status" = 404 ] || show
	done
}
