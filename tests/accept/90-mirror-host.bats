# A mirror behind nginx: a second installation of the program, without a database. It gets the pages
# of the service from tests/lib/mirror-push, as src/mirror/protocol.h says.
load lib

MIRROR_KEY=this-is-the-key-of-the-mirror-of-tests

setup_file() {
	export MIRROR_KEY MIRROR=$BATS_FILE_TMPDIR/mirror MIRROR_PORT MIRROR_BASE
	MIRROR_PORT=$(own_port)
	MIRROR_BASE=http://127.0.0.1:$MIRROR_PORT
	mirror_host_start "$MIRROR" "$MIRROR_PORT" "$(sed -n 's/.*"base_url": "\([^"]*\)".*/\1/p' "$DAYMARK_ACCEPT_DIR/quickstart.json")"
	# As an origin does first; a mirror takes no beat before.
	curl -fsS -H "Authorization: Bearer $MIRROR_KEY" "$MIRROR_BASE/mirror/v1/pages" >&2
}

teardown_file() {
	with_service service_stop "$MIRROR" >&2
}

# push STEP...: sends to the mirror what the service has published.
push() {
	"$TOP/tests/lib/mirror-push" --host "${base#http://}" --size 100000 "$pages" "$MIRROR_BASE" "$@"
}

# on_mirror METHOD PATH [CURL ARGUMENT]...: a request to the mirror by the name of the service.
on_mirror() {
	local origin=$base name=(-H "Host: ${base#http://}")
	[[ $* != *'Host: '* ]] || name=()
	base=$MIRROR_BASE
	anyone "$1" "$2" "${name[@]}" "${@:3}"
	base=$origin
}

# What the web server makes of times and random ids differs.
kept_headers() {
	grep -aviE '^(date|last-modified|etag|x-request-id):' "$headers" | sed 's/\r$//'
}

# same PATH [CURL ARGUMENT]...: both respond alike; leaves the mirror's response.
same() {
	anyone GET "$@"
	cp "$answer" "$BATS_TEST_TMPDIR/origin-body"
	{ echo "$status"; kept_headers; } >"$BATS_TEST_TMPDIR/origin-head"
	on_mirror GET "$@"
	diff "$BATS_TEST_TMPDIR/origin-head" <(echo "$status"; kept_headers) || { echo "$1"; return 1; }
	cmp "$BATS_TEST_TMPDIR/origin-body" "$answer" || { echo "$1"; return 1; }
}

# same_all PATH...: as same, with one run of curl for each side.
same_all() {
	local side folder path paths
	for side in "$base" "$MIRROR_BASE"; do
		folder=$BATS_TEST_TMPDIR/all-${side##*:}
		mkdir "$folder"
		paths=()
		for path; do paths+=(-o "$folder/${path//\//_}" "$side$path"); done
		headers=$folder-head
		curl -sS -H "Host: ${base#http://}" -D "$headers" "${paths[@]}"
		kept_headers >"$folder/head"
	done
	diff -r "$BATS_TEST_TMPDIR/all-${base##*:}" "$folder"
}

mirror_processes() {
	local parent
	parent=$(cat "$MIRROR/run/daymark.pid")
	echo "$parent"
	pgrep -P "$parent"
}

@test "a mirror gives out public pages as their origin does" {
	local domain file files old
	domain=$(new_slug).example.com
	page_with_monitor -F "domain=$domain" -F "custom_css=body{color:red}"
	png 20 20 >"$BATS_TEST_TMPDIR/logo.png"
	api PUT "/api/v1/status-pages/$page" -F "logo=@$BATS_TEST_TMPDIR/logo.png"
	want 200
	"$ctl" incident open --monitor "$monitor" --cause 'Seen on the mirror'
	old=$slug slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	want 200
	api POST "/api/v1/status-pages/$page/links"
	push site "page=$page" beat
	diff -r "$pages/public/s/$slug" "$MIRROR/pages/public/s/$slug"
	diff -r "$pages/public/d/$domain" "$MIRROR/pages/public/d/$domain"
	files=()
	for file in "$MIRROR/pages/public/s/$slug"/*; do
		[[ $file == *.gz ]] || files+=("/s/$slug/${file##*/}")
	done
	[ ${#files[@]} -gt 12 ]
	same_all "${files[@]}"
	same "/s/$slug/"
	shows 'Seen on the mirror'
	same "/s/$slug/" -H 'Accept-Encoding: gzip'
	for file in '' '/?plain=1' /history.atom /api/v2/summary.json /absent.json \
		"/incidents/$(sed -n 's/.*incident-\([0-9]*\)\.html.*/\1/p' "$answer" | head -n 1)"; do
		same "/s/$slug$file"
	done
	same "/s/$old/"
	[ "$status" = 301 ]
	same / -H "Host: $domain"
	same /api/v2/status.json -H "Host: $domain"
	same "/internal/domain-check?domain=$domain"
	[ "$status" = 200 ]
	same /internal/domain-check?domain=no.example
	for file in absent 404.html a/b/c; do
		same "/s/$slug/$file"
		[ "$status" = 404 ]
		shows '<p class="back">'
		same "/$file" -H "Host: $domain"
		shows '<p class="back">'
	done
	same /s/no-such-page/
	same /robots.txt
	same /
}

@test "doctor on a mirror names pages whose files are gone" {
	page_with_monitor
	push site "page=$page" beat
	run "$ctl" doctor --config "$MIRROR/conf/daymark.conf"
	[[ "$output" =~ ok\ +files\ of\ pages ]]
	rm -r "$MIRROR/pages/public/s/$slug"
	run "$ctl" doctor --config "$MIRROR/conf/daymark.conf"
	[ "$status" = 1 ]
	[[ "$output" == *"the first is $slug"*'fix: on the origin: daymarkctl mirror push'* ]]
	push "page=$page"
	run "$ctl" doctor --config "$MIRROR/conf/daymark.conf"
	[[ "$output" =~ ok\ +files\ of\ pages ]]
}

@test "check-config warns of mirrors in the configuration of a mirror" {
	run "$ctl" check-config --config "$MIRROR/conf/daymark.conf"
	[ "$status" = 0 ]
	refute grep -E '^[a-zA-Z ]+ mirrors ' <<<"$output"
	{ cat "$MIRROR/conf/daymark.conf" && printf '[mirrors]\nmirror = http://127.0.0.1:9 name=next key=%s\n' "$MIRROR_KEY"; } \
		>"$BATS_TEST_TMPDIR/chain.conf"
	chmod 0600 "$BATS_TEST_TMPDIR/chain.conf"
	run "$ctl" check-config --config "$BATS_TEST_TMPDIR/chain.conf"
	[ "$status" = 0 ]
	[[ "$output" =~ warning\ +mirrors\ +'a mirror does not send changes on, but [mirrors] names next' ]]
}

@test "a link that is withdrawn on the origin opens nothing on its mirrors, nor do its cookies" {
	local links=() jars=() n last
	new_page -F privacy=1
	for n in 0 1; do
		api POST "/api/v1/status-pages/$page/links"
		want 201
		links+=("$(jq -r .data.url "$answer")")
		jars+=("$BATS_TEST_TMPDIR/jar$n")
		last=$(jq .data.id "$answer")
	done
	push site "page=$page" beat
	for n in 0 1; do
		on_mirror GET "$(path_of "${links[n]}")" -c "${jars[n]}"
		[ "$status" = 303 ] || show
		on_mirror GET "/s/$slug/summary.json" -b "${jars[n]}"
		[ "$status" = 200 ] || show
	done
	"$ctl" page withdraw-link "$slug" "$last"
	push site "page=$page" beat
	on_mirror GET "/s/$slug/summary.json" -b "${jars[1]}"
	[ "$status" = 404 ] || show
	on_mirror GET "$(path_of "${links[1]}")"
	[ "$status" = 404 ] || show
	on_mirror GET "/s/$slug/summary.json" -b "${jars[0]}"
	[ "$status" = 200 ] || show
}

@test "a mirror asks for passwords, and takes its origin's cookies and signed links" {
	local link
	new_page -F privacy=2 -F password=open-sesame
	here=/s/$slug
	api POST "/api/v1/status-pages/$page/links" -d expires_in=3600
	want 201
	link=$(jq -r .data.url "$answer")
	push site "page=$page" beat
	same "$here/"
	shows password
	on_mirror POST "$here/" -d password=wrong
	[ "$status" = 403 ]
	on_mirror POST "$here/" -d password=open-sesame -c "$BATS_TEST_TMPDIR/cookies"
	[ "$status" = 303 ]
	cookie=$(header Set-Cookie)
	cookie=${cookie%%;*}
	same "$here/summary.json" -H "Cookie: $cookie"
	[ "$status" = 200 ]
	on_mirror GET "$here/" -H "Cookie: $cookie"
	[ "$status" = 200 ]
	# Cookies and links of the origin.
	anyone POST "$here/" -d password=open-sesame
	cookie=$(header Set-Cookie)
	on_mirror GET "$here/status.json" -H "Cookie: ${cookie%%;*}"
	[ "$status" = 200 ]
	on_mirror GET "$(path_of "$link")"
	[ "$status" = 303 ]
	# A key of the API cannot be checked.
	on_mirror GET "$here/status.json" -H "Authorization: Bearer $key"
	[ "$status" = 404 ]
	# A page that becomes private is closed before its files are sent.
	page_with_monitor
	push "page=$page"
	on_mirror GET "$here/"
	[ "$status" = 200 ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	[[ $(push "manifest=$page") == 409* ]]
	on_mirror GET "$here/"
	[ "$status" = 404 ]
	gone "$MIRROR/pages/public/s/$slug"
	push "page=$page"
	on_mirror GET "$here/"
	[ "$status" = 404 ]
	test -e "$MIRROR/pages/private/$slug/index.html"
	api DELETE "/api/v1/status-pages/$page"
	[[ $(push "manifest=-$page") == 204* ]]
	gone "$MIRROR/pages/private/$slug"
}

@test "a mirror takes no changes, and only its origin's files" {
	local path
	for path in /api/v1/monitors /api/v1/openapi.json /hooks/generic /hb/1-x /api/v1/events; do
		on_mirror GET "$path" -H "Authorization: Bearer $key"
		want 503 '.message | contains("This host is a mirror")' '.status == 503'
	done
	on_mirror GET /mirror/v1/pages
	want 401
	for path in pages files site beat; do
		on_mirror GET "/mirror/v1/$path" -H "Authorization: Bearer $MIRROR_KEY-"
		[[ $status =~ ^(401|405|429)$ ]] || show
	done
	on_mirror GET /mirror/v1/pages -H "Authorization: Bearer wrong"
	on_mirror GET /mirror/v1/pages -H "Authorization: Bearer wrong"
	on_mirror GET /mirror/v1/pages -H "Authorization: Bearer wrong"
	want 429
	on_mirror GET /mirror/v1/pages -H "Authorization: Bearer $MIRROR_KEY"
	[ "$status" = 200 ]
	push POST/pages <<<'page 1 0a public ../x -' | grep -q '^422 .*slug'
	push POST/files <<<'rubbish' | grep -q '^422 '
	push PUT/site <<<'secret 00' | grep -q '^422 '
	push POST/beat <<<'well' | grep -q '^422 '
	rm "$MIRROR/pages/received/beat"
	push POST/beat <<<'complete' | grep -q '^409 '
	push list
	head -c 4300000 /dev/zero | push POST/files | grep -q '^413 '
	# The service itself is no mirror.
	api GET /mirror/v1/pages
	want 404
	run "$ctl" monitor list --config "$MIRROR/conf/daymark.conf"
	[ "$status" -ne 0 ]
	[[ $output == *'this host is a mirror'* ]]
	"$ctl" check-config --config "$MIRROR/conf/daymark.conf"
	"$ctl" doctor --config "$MIRROR/conf/daymark.conf" --json >"$BATS_TEST_TMPDIR/checks" || true
	jq -e 'any(.[]; .check == "origin") and any(.[]; .check == "confinement") and
		all(.[]; .check != "web server" or .skipped)' "$BATS_TEST_TMPDIR/checks"
}

@test "a mirror reports its age, leads to its own name, and loads no database library" {
	needs_root
	local pid old
	push incomplete
	on_mirror GET /readyz
	jq -e '.complete == false' "$answer"
	push site beat
	on_mirror GET /readyz
	want 200 '.role == "mirror"' '.complete' '.mirror_age_s >= 0' '.signing_key == "present"'
	on_mirror GET /healthz
	want 200
	new_page
	old=$slug slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	push site "page=$page"
	on_mirror GET "/s/$old/" -H 'Host: mirror.example.net'
	[ "$(header Location)" = "http://mirror.example.net/s/$slug/" ]
	on_mirror GET "/s/$slug/status.json" -H 'Host: mirror.example.net'
	[ "$status" = 200 ]
	# Two workers, and no publisher.
	[ "$(mirror_processes | wc -l)" = 3 ]
	for pid in $(mirror_processes); do
		as_root grep -q libsodium "/proc/$pid/maps"
		refute as_root grep -qE 'libmariadb|libmysql' "/proc/$pid/maps"
	done
	# As plain CGI.
	new_page
	LD_DEBUG=files LD_DEBUG_OUTPUT=$BATS_TEST_TMPDIR/loaded "$TOP/tests/lib/mirror-push" \
		--cgi "${DAYMARK_BUILD:-$TOP/build}/daymark" "$pages" "$MIRROR/conf/daymark.conf" \
		site "page=$page" list beat
	cat "$BATS_TEST_TMPDIR"/loaded* | grep -q libsodium
	refute grep -qE 'libmariadb|libmysql' "$BATS_TEST_TMPDIR"/loaded*
	on_mirror GET "/s/$slug/"
	[ "$status" = 200 ]
}
