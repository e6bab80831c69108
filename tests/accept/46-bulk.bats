# The console: the screens "Health" and "Share".
load console

@test "a reader sees the health of the service by four statements" {
	join_as "bulk-gil-$$" reader
	visit GET /console/more
	says_text 'console/health'
	visit GET /console/health
	[ "$status" = 200 ] || show
	[ "$(queries)" -le 4 ]
	grep -qE '<dt>Answer of the database \(ms\)</dt><dd>[0-9]+</dd>' "$answer"
	says_text 'Needs a person'
}

@test "a page has its snippets as text, and those of widgets only while it is public" {
	join_as "bulk-hal-$$" editor
	api POST /api/v1/status-pages --data-urlencode "name=Say \"<hi>\" $$" -d slug="share-$$"
	page=$(jq .data.id "$answer")
	url=$(jq -r .data.url "$answer")
	visit GET "/console/pages/$page/share"
	[ "$status" = 200 ] || show
	says_text "<pre>$url</pre>"
	says_text '<svg class="qr"'
	says_text "<pre>${url}calendar.ics</pre>"
	says_text "&lt;img src=\"${url}badge.svg\" alt=\"Say &amp;quot;&amp;lt;hi"
	[ "$(grep -oE '[a-z]+\.(atom|rss|json|svg|js|html)\b' "$answer" | sort -u | tr '\n' ' ')" = \
		'badge.svg feed.atom widget.html widget.js ' ]
	for file in feed.atom badge.svg widget.js widget.html; do
		anyone GET "/s/share-$$/$file"
		[ "$status" = 200 ] || show
	done
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	visit GET "/console/pages/$page/share"
	says_text "${url}badge.svg"
	refute grep -q widget "$answer"
	other POST /api/v1/status-pages -d name="Theirs $$" -d slug="share-other-$$"
	visit GET "/console/pages/$(jq .data.id "$answer")/share"
	[ "$status" = 404 ]
}
