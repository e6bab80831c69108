# bats file_tags=server
# What a page shows at an address that it does not have: its own design, for those who may see the page.
load lib

# An address of a person's, at each depth.
missing=(nosuch no-such.html 404.html 400.html 503.html 2019-01.html incidents/999999999 maintenance/999999999 a/b/c)

# in_design STATUS ROOT: the last answer names the page, and its links lead to the page.
in_design() {
	[ "$status" = "$1" ] || show
	[[ "$(header Content-Type | tr '[:upper:]' '[:lower:]')" =~ ^text/html\;\ ?charset=utf-8$ ]] || show
	shows '<bdi>Test</bdi></a></h1>'
	shows "<h1><a href=\"$2\">"
	shows "<p class=\"back\"><a href=\"$2\">"
	shows "<link rel=\"stylesheet\" href=\"${2}page-"
	refute grep -q '="\./' "$answer"
	[ -z "$(header ETag)" ] || show
	[ -z "$(header Last-Modified)" ] || show
	[[ "$(header Cache-Control)" =~ no-store|no-cache ]] || show
	[ "$(header X-Robots-Tag)" = noindex ] || show
	[ "$(header Referrer-Policy)" = no-referrer ] || show
	[[ "$(header Content-Security-Policy)" == *"style-src 'self'"* ]] || show
}

# files_are_there [CURL ARGUMENT]...: the style, the script and the logo of the last answer.
files_are_there() {
	local file files
	mapfile -t files < <(grep -oE '(href|src)="[^"]*/(page|custom|logo)-[^"]*"' "$answer" | sed 's/^[^"]*"//; s/"$//')
	[ "${#files[@]}" -ge 4 ] || show
	for file in "${files[@]}"; do
		curl -fsS -o "$BATS_TEST_TMPDIR/file" "$@" "$(host_of "$base")$file" || { echo "$file"; return 1; }
	done
}

host_of() {
	local path
	path=$(path_of "$1/")
	echo "${1%"${path%/}"}"
}

page_in_design() {
	png 8 8 >"$BATS_TEST_TMPDIR/logo.png"
	new_page -F "logo=@$BATS_TEST_TMPDIR/logo.png" -F 'custom_css=b{}' "$@"
	here=/s/$slug
	root=$(path_of "$base$here/")
}

# asked PATH... : the body and the headers that do not differ from request to request.
asked() {
	local path
	for path; do
		anyone GET "$path"
		echo "$status"
		cat "$answer"
		tr -d '\r' <"$headers" | grep -viE '^(x-request-id|date|content-length|transfer-encoding|connection):'
	done
}

@test "an address that a public page does not have is answered in its design, at any depth" {
	page_in_design
	for address in "${missing[@]}"; do
		anyone GET "$here/$address"
		in_design 404 "$root"
		shows '<h2>There is no such page</h2>'
		[ "$(queries)" = 0 ]
		[[ "$(header Content-Security-Policy)" == *sandbox* ]] || show
	done
	files_are_there
	# It is never "not modified", and as a whole for each client.
	cp "$answer" "$BATS_TEST_TMPDIR/whole"
	for option in 'If-None-Match: *' 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT' 'Range: bytes=0-9'; do
		anyone GET "$here/404.html" -H "$option"
		in_design 404 "$root"
		cmp "$answer" "$BATS_TEST_TMPDIR/whole"
	done
	anyone GET "$here/nosuch" --compressed
	cmp "$answer" "$BATS_TEST_TMPDIR/whole"
	anyone HEAD "$here/nosuch"
	[ "$status" = 404 ] || show
	[[ "$(header Content-Type)" == text/html* ]] || show
	anyone GET "$here/nosuch?plain=1"
	in_design 404 "$root"
	refute grep -q custom- "$answer"
}

@test "the same of a page that search engines leave alone, in its language" {
	page_in_design -F noindex=1 -F language=de
	anyone GET "$here/a/b"
	in_design 404 "$root"
	shows '<h2>Diese Seite gibt es nicht</h2>'
	files_are_there
}

@test "the same on a page's own domain, whose error page is at no address, either" {
	domain=$(new_slug).example.com
	page_in_design -F "domain=$domain"
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	for address in "${missing[@]}"; do
		anyone GET "/$address" -H "Host: $domain"
		in_design 404 /
		[[ "$(header Content-Security-Policy)" == *"connect-src 'self'"* ]] || show
	done
	files_are_there -H "Host: $domain"
	anyone DELETE /index.html -H "Host: $domain"
	in_design 405 /
}

@test "a method that a public page does not have is refused in its design" {
	page_in_design -F language=fr
	for method in POST PUT DELETE; do
		for address in index.html summary.html ''; do
			anyone "$method" "$here/$address" -d x=1
			in_design 405 "$root"
			[[ "$(header Allow)" == *GET* ]] || show
			shows '<h2>Ce n’est pas possible ici</h2>'
		done
	done
}

@test "programs get no design: JSON and feeds that a page does not have" {
	page_in_design
	asked "/s/no-such-page/statu.json" >"$BATS_TEST_TMPDIR/none"
	for address in statu.json api/v2/nothing.json api/v2/nothing api/v2/incidents/nothing.json feed.rss logo-0123456789abcdef.png; do
		asked "$here/$address" | diff - "$BATS_TEST_TMPDIR/none"
	done
}

@test "a private page's addresses are answered as those of no page, byte for byte" {
	page_in_design -F privacy=1
	for address in '' "${missing[@]}" index.html statu.json; do
		asked "$here/$address" >"$BATS_TEST_TMPDIR/private"
		asked "/s/no-such-page/$address" | diff - "$BATS_TEST_TMPDIR/private"
		head -n 1 "$BATS_TEST_TMPDIR/private" | grep -qx 404
		refute grep -q Test "$BATS_TEST_TMPDIR/private"
	done
	api GET "$here/a/b"
	in_design 404 "$root"
	files_are_there
}

@test "a password page asks first, and then answers in its design" {
	page_in_design -F privacy=2 -F password=sesame
	for address in "${missing[@]}"; do
		anyone GET "$here/$address"
		[ "$status" = 303 ] || show
		[[ "$(header Location)" == *"$here/" ]] || show
		refute grep -q Test "$answer"
	done
	jar=$BATS_TEST_TMPDIR/jar
	anyone POST "$here/" -c "$jar" -d password=sesame
	for address in "${missing[@]}"; do
		anyone GET "$here/$address" -b "$jar"
		in_design 404 "$root"
	done
	# A sandboxed document sends no cookie for its files.
	files_are_there
	# The badge tells a sandboxed page nothing, so that it asks for another picture.
	anyone GET "$here/badge.svg"
	[ "$status" = 404 ] || show
	for sign in "$here/alive.svg" /s/no-such-page/alive.svg; do
		anyone GET "$sign"
		[ "$status" = 200 ] || show
		[[ "$(header Content-Type)" == image/svg+xml* ]] || show
	done
}

@test "the form for a password has the page's name and contact, and not its logo" {
	page_in_design -F privacy=2 -F password=sesame --form-string 'name=Ops & - 100% <b>' \
		--form-string 'contact_url=https://example.org/a-b?c=%20d&e=1' -F language=en
	anyone GET "$here/"
	shows '<bdi>Ops &amp; - 100% &lt;b&gt;</bdi>'
	shows '<a href="https://example.org/a-b?c=%20d&amp;e=1" rel="noopener">Contact</a>'
	refute grep -qE '<img|logo' "$answer"
	anyone POST "$here/" -d password=wrong
	[ "$status" = 403 ] || show
	shows 'role="alert">That is not the password.'
	shows '<bdi>Ops &amp; - 100% &lt;b&gt;</bdi>'
	api PUT "/api/v1/status-pages/$page" -d name=- -d contact_url=
	anyone GET "$here/"
	shows '<bdi>-</bdi>'
	refute grep -q Contact "$answer"
}
