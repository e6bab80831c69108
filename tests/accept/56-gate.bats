# Private and password pages: one gate for all their files.
load lib
load ../lib/world

files=("" index.html feed.atom summary.json status.json components.json incidents.json badge.svg api/v2/summary.json history)

gated_page() {
	new_monitor_id=$("$ctl" monitor add "Gate $(new_slug)" https://example.org/ --account "$account" --json | jq .id)
	png 8 8 >"$BATS_TEST_TMPDIR/logo.png"
	new_page -F "monitor_ids[]=$new_monitor_id" -F "logo=@$BATS_TEST_TMPDIR/logo.png" "$@"
	here=/s/$slug
	logo=$(jq -r .data.logo_url "$answer")
	logo=${logo##*/}
}

# all_are STATUS [CURL ARGUMENT]...: every file of the page.
all_are() {
	local wanted=$1 file
	shift
	for file in "${files[@]}" "$logo" "$(basename "$pages"/private/"$slug"/page-*.css)"; do
		anyone GET "$here/$file" "$@"
		[ "$status" = "$wanted" ] || { echo "$file"; show; }
	done
}

# enter PASSWORD: posts the form; the cookie lands in $jar.
enter() {
	jar=$BATS_TEST_TMPDIR/jar
	anyone POST "$here/" -c "$jar" --data-urlencode "password=$1"
}

# bats test_tags=server
@test "a private page is as one that does not exist, for every file" {
	gated_page -F privacy=1
	all_are 404
	anyone GET "$here/"
	cp "$answer" "$BATS_TEST_TMPDIR/private"
	# How the web server frames an answer depends on when it came, not on what it says.
	heads() { tr -d '\r' <"$headers" | grep -viE '^(x-request-id|date|content-length|transfer-encoding):'; }
	heads >"$BATS_TEST_TMPDIR/private-heads"
	anyone GET "/s/no-such-page-here/"
	cmp "$answer" "$BATS_TEST_TMPDIR/private"
	heads | diff - "$BATS_TEST_TMPDIR/private-heads"
	[ "$(header Content-Type)" = "text/html; charset=utf-8" ]
	anyone POST "$here/" -d password=x
	[ "$status" = 404 ]
	anyone GET "$here/gate"
	[ "$status" = 404 ]
	anyone GET "$here/gate" -H "Authorization: Bearer $key"
	[ "$status" = 404 ]
}

# bats test_tags=server
@test "a private page opens to its account's key, and to no other" {
	gated_page -F privacy=1
	all_are 200 -H "Authorization: Bearer $key"
	[ "$(header Cache-Control)" = "private, no-store" ]
	[ "$(header X-Robots-Tag)" = noindex ]
	all_are 404 -H "Authorization: Bearer $other_key"
	all_are 404 -H "Authorization: Bearer ${key%?}x"
}

@test "while the database is away, a key's page is away, too, and is not said to be gone" {
	world one
	world_page one private privacy=1
	sed -i "s|^socket = .*|socket = $BATS_TEST_TMPDIR/nothing.sock|" "$(world_conf one)"
	for slug in private no-such-page; do
		cgi one GET "/s/$slug/"
		[ "$status" = 503 ] || show
		[ -n "$(header Retry-After)" ]
		world_key='' cgi one GET "/s/$slug/"
		[ "$status" = 404 ] || show
	done
	worlds_end
}

# bats test_tags=server
@test "a signed link opens a page until it ends" {
	gated_page -F privacy=1
	link=$("$ctl" page link "$slug" --expires 1h)
	jar=$BATS_TEST_TMPDIR/jar
	anyone GET "$here/?link=${link##*link=}" -c "$jar"
	[ "$status" = 303 ]
	[ "$(header Location)" = "$(path_of "$base$here/")" ]
	[[ "$(header Set-Cookie)" == *"HttpOnly; SameSite=Lax"* ]]
	# The cookie lasts as long as the link.
	age=$(header Set-Cookie) age=${age##*Max-Age=} age=${age%%;*}
	[ "$age" -le 3600 ]
	[ "$age" -gt 3500 ]
	all_are 200 -b "$jar"
	# Neither a changed signature nor a later end, nor another page's link.
	anyone GET "$here/?link=${link##*link=}x"
	[ "$status" = 404 ]
	end=${link##*link=} end=${end%%.*}
	anyone GET "$here/?link=$((end + 1)).${link##*.}"
	[ "$status" = 404 ]
	first=$link
	gated_page -F privacy=1
	anyone GET "$here/?link=${first##*link=}"
	[ "$status" = 404 ]
	anyone GET "$here/" -b "$jar"
	[ "$status" = 404 ]
	run "$ctl" page link no-such-page
	[ "$status" = 3 ]
	run "$ctl" page link "$slug" --expires never
	[ "$status" = 2 ]
}

# bats test_tags=server
@test "a password page asks, and opens all its files to the right password" {
	gated_page -F privacy=2 --form-string 'password= open sesame '
	anyone GET "$here/"
	[ "$status" = 200 ]
	grep -q '<form method="post">' "$answer"
	refute grep -q "Gate " "$answer"
	anyone GET "$here/summary.json"
	[ "$status" = 404 ]
	enter 'open sesame'
	[ "$status" = 403 ]
	grep -q 'not the password' "$answer"
	[ -z "$(header Set-Cookie)" ]
	enter ' open sesame '
	[ "$status" = 303 ] || show
	[[ "$(header Set-Cookie)" =~ ^daymark_page=[0-9]+\.[A-Za-z0-9_-]{43}\;\ Path=.*$here/\;\ Max-Age=43200\;\ HttpOnly\;\ SameSite=Lax(\;\ Secure)?$ ]]
	all_are 200 -b "$jar"
	[ "$(header Cache-Control)" = "private, no-store" ]
	all_are 200 -H "Authorization: Bearer $key"
	refute grep -aq 'open sesame' "$log"
}

@test "a cookie is bound to the page and its password" {
	gated_page -F privacy=2 -F password=one
	enter one
	all_are 200 -b "$jar"
	cookie=$(awk '$6 == "daymark_page" { print $7 }' "$jar")
	api PUT "/api/v1/status-pages/$page" -d name=Renamed
	anyone GET "$here/" -H "Cookie: daymark_page=$cookie"
	grep -q Renamed "$answer"
	grep -q 'class="overall' "$answer"
	api PUT "/api/v1/status-pages/$page" -d password=two
	anyone GET "$here/" -H "Cookie: daymark_page=$cookie"
	# The form has the name, too.
	grep -q '<form method="post">' "$answer"
	refute grep -q 'class="overall' "$answer"
	gated_page -F privacy=2 -F password=one
	anyone GET "$here/summary.json" -H "Cookie: daymark_page=$cookie"
	[ "$status" = 404 ]
	for forged in "" 9999999999. "9999999999.${cookie#*.}" "${cookie%?}"; do
		anyone GET "$here/summary.json" -H "Cookie: daymark_page=$forged"
		[ "$status" = 404 ]
	done
}

@test "a password's cookie opens nothing once the page is private, a link's goes on" {
	gated_page -F privacy=2 -F password=one
	enter one
	all_are 200 -b "$jar"
	anyone GET "$here/" -b "$jar"
	pass=$(grep -o 'page-[0-9a-f]*\.css?pass=[0-9A-Za-z._-]*' "$answer")
	anyone GET "$here/$pass"
	[ "$status" = 200 ]
	link=$("$ctl" page link "$slug" --expires 1h)
	by_link=$BATS_TEST_TMPDIR/by-link
	anyone GET "$here/?link=${link##*link=}" -c "$by_link"
	all_are 200 -b "$by_link"
	anyone GET "$here/" -b "$by_link"
	link_pass=$(grep -o 'page-[0-9a-f]*\.css?pass=[0-9A-Za-z._-]*' "$answer")
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	all_are 404 -b "$jar"
	anyone GET "$here/$pass"
	[ "$status" = 404 ]
	all_are 200 -b "$by_link"
	anyone GET "$here/$link_pass"
	[ "$status" = 200 ]
	# Another password is nothing to a link.
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d password=two
	anyone GET "$here/summary.json" -b "$jar"
	[ "$status" = 404 ]
	all_are 200 -b "$by_link"
}

@test "the right cookie is found among others of its name" {
	gated_page -F privacy=2 -F password=one
	enter one
	cookie=$(awk '$6 == "daymark_page" { print $7 }' "$jar")
	wrong=daymark_page=9999999999.$(printf 'x%.0s' $(seq 43))
	anyone GET "$here/summary.json" -H "Cookie: $wrong; other=1; daymark_page=$cookie; $wrong"
	[ "$status" = 200 ]
	# As many as a browser may keep for a domain: other servers of the domain may have set them.
	for count in 8 50 70; do
		many=$(for i in $(seq $count); do printf '%s; ' "$wrong"; done)
		anyone GET "$here/summary.json" -H "Cookie: ${many}daymark_page=$cookie"
		[ "$status" = 200 ] || show
		anyone GET "$here/summary.json" -H "Cookie: $many"
		[ "$status" = 404 ]
	done
}

@test "wrong passwords are counted, page by page" {
	gated_page -F privacy=2 -F password=right
	# Right ones are not: a whole office may come from one address.
	for i in $(seq 12); do
		enter right
		[ "$status" = 303 ] || show
	done
	for i in $(seq 10); do
		enter wrong
		[ "$status" = 403 ] || show
	done
	enter right
	[ "$status" = 429 ] || show
	[ "$(header Retry-After)" -gt 0 ]
	[ "$(header Retry-After)" -le 60 ]
	gated_page -F privacy=2 -F password=right
	enter right
	[ "$status" = 303 ]
}

# bats test_tags=server
@test "privacy may change at any time, and the files follow before the answer" {
	gated_page
	anyone GET "$here/"
	[ "$status" = 200 ]
	api PUT "/api/v1/status-pages/$page" -d privacy=2 -d password=x
	[ ! -e "$pages/public/s/$slug" ]
	anyone GET "$here/feed.atom"
	[ "$status" = 404 ]
	enter x
	all_are 200 -b "$jar"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	all_are 404
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	anyone GET "$here/feed.atom"
	[ "$status" = 200 ]
	[[ "$(header Cache-Control)" == public* ]]
	[ ! -e "$pages/private/$slug" ]
}

@test "a view of a gated page opens five files below the pages folder" {
	needs strace
	gated_page -F privacy=2 -F password=x
	enter x
	cookie=$(awk '$6 == "daymark_page" { print $7 }' "$jar")
	env GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$here/" HTTP_HOST=localhost DAYMARK_CONF="$conf" \
		HTTP_COOKIE="daymark_page=$cookie" strace -qq -e trace=open,openat,openat2 -o "$BATS_TEST_TMPDIR/opens" \
		"${DAYMARK_BUILD:-$TOP/build}/daymark" </dev/null >"$answer" 2>/dev/null || true
	grep -q "<bdi>Gate " "$answer"
	# A kernel before 5.6 opens folder by folder.
	grep -q '^openat2(.* = ' "$BATS_TEST_TMPDIR/opens" && refute grep -q '^openat2(.* ENOSYS ' "$BATS_TEST_TMPDIR/opens" ||
		skip "the kernel has no openat2"
	# Not public, not noindex; the record, the file and the key.
	[ "$(grep -cE '^openat2?\([0-9]+, ' "$BATS_TEST_TMPDIR/opens")" = 5 ] || { cat "$BATS_TEST_TMPDIR/opens"; false; }
}

@test "nginx does not log a view of a noindex or gated page as an error" {
	errors=$dir/log/nginx-error.log
	new_page -F "monitor_ids[]=1" -F noindex=1
	here=/s/$slug
	before=$(stat -c %s "$errors")
	see badge.svg
	gated_page -F privacy=2 -F password=x
	enter x
	all_are 200 -b "$jar"
	anyone GET "$here/summary.json"
	[ "$status" = 404 ]
	[ "$(stat -c %s "$errors")" = "$before" ] || { tail -n 3 "$errors"; false; }
}

@test "nginx says for each file that its encoding depends on the request" {
	new_page -F "monitor_ids[]=1"
	here=/s/$slug
	for file in '' badge.svg status.json; do
		see "$file"
		[ "$(header Vary)" = Accept-Encoding ] || show
		[ -z "$(header Content-Encoding)" ] || show
	done
	etag=$(header ETag)
	anyone GET "$here/status.json" -H "If-None-Match: $etag"
	[ "$status" = 304 ] || show
	[ "$(header Vary)" = Accept-Encoding ] || show
}
