# bats file_tags=htaccess
# Plain CGI with an .htaccess alone: what the web folder gives out, and what it does not.
load lib

setup() {
	setup_of_lib
	[ -n "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] || skip "only where pages are served by .htaccess"
	root=${DAYMARK_ACCEPT_DOMAIN_BASE}
}

@test "pages are served without the program, the rest by it, links below the sub-folder" {
	page_with_monitor
	jq -e --arg url "$base$here/" '.data.url == $url' "$answer"
	lines=$(grep -c event=request "$log")
	for file in '' feed.atom summary.json api/v2/status.json badge.svg; do see "$file"; done
	[ "$(grep -c event=request "$log")" = "$lines" ]
	see ''
	etag=$(header ETag)
	anyone GET "$here/" -H "If-None-Match: $etag"
	[ "$status" = 304 ] || show
	[ "$(grep -c event=request "$log")" = "$lines" ]
}

@test "neither folders nor the configuration nor what is private can be had" {
	new_page -F privacy=1
	for path in /status/public/ /status/public/s/ /status/noindex/ /status/s/ /status/daymark.conf /status/setup.token /status/.htaccess \
		"/status/public/../private/$slug/index.html" /cgi-bin/ /cgi-bin/../daymark.conf "/status/public/s/demo/"; do
		base=$root anyone GET "$path" --path-as-is
		[[ "$status" =~ ^(400|403|404)$ ]] || { echo "$path"; show; }
		refute grep -q 'Index of\|secret' "$answer"
	done
}

@test "what is for a proxy on the same machine is nobody's here" {
	for path in /internal/ /internal/domain-check '/internal/domain-check?domain=' '/internal/domain-check?domain=example.org'; do
		anyone GET "$path"
		[ "$status" = 404 ] || show
	done
}

@test "the program also works where it lies, by the configuration beside it, which is not given out" {
	base=$root anyone GET /cgi-bin/daymark.cgi/readyz
	want 200 '.database == "up"'
	base=$root anyone GET /cgi-bin/daymark.conf
	[[ "$status" =~ ^(403|404|500)$ ]] || show
	refute grep -q 'password' "$answer"
}
