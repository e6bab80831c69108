# Signed links of pages: made, listed and withdrawn by the API and by daymarkctl.
load lib

# sign [CURL ARGUMENT]...: signs a link to $page; sets $link to its path and $link_id.
sign() {
	api POST "/api/v1/status-pages/$page/links" "$@"
	want 201 '.data | keys == ["expires_at", "id", "url"]'
	[ "$(header Cache-Control)" = 'private, no-store' ]
	link=$(path_of "$(jq -r .data.url "$answer")")
	link_id=$(jq .data.id "$answer")
	lasts=$(jq '.data.expires_at | fromdate - now | round' "$answer")
}

# enter NAME: opens $link; the cookie lands in $BATS_TEST_TMPDIR/NAME.
enter() {
	jar=$BATS_TEST_TMPDIR/$1
	anyone GET "$link" -c "$jar"
	[ "$status" = 303 ]
	anyone GET "/s/$slug/" -b "$jar"
	[ "$status" = 200 ]
}

# sees STATUS [CURL ARGUMENT]...: the response to a visitor's request for a file of the page.
sees() {
	local wanted=$1
	shift
	anyone GET "/s/$slug/summary.json" "$@"
	[ "$status" = "$wanted" ] || show
}

withdraw() {
	api DELETE "/api/v1/status-pages/$page/links/$1"
	want 200 ".object == \"link\" and .id == $1 and .deleted"
}

@test "a link opens a private page and a password page until it expires" {
	for privacy in privacy=1 'privacy=2 -F password=open-sesame'; do
		# shellcheck disable=SC2086
		new_page -F $privacy
		anyone GET "/s/$slug/"
		refute shows 'No systems'
		sign -d expires_in=3600
		[ "$lasts" -le 3600 ]
		[ "$lasts" -gt 3500 ]
		enter jar
		anyone GET "${link}x"
		[ "$status" != 303 ]
	done
}

@test "the default is a week, and the bounds are those of daymarkctl" {
	new_page
	sign
	[ "$lasts" -le 604800 ]
	[ "$lasts" -gt 604700 ]
	sign -H 'Content-Type: application/json' -d '{"expires_in": 60}'
	[ "$lasts" -le 60 ]
	# 400 days.
	sign -d expires_in=34560000
	for wrong in 59 0 -1 34560001 3162240000 9223372036854775807 x 1.5 ''; do
		api POST "/api/v1/status-pages/$page/links" -d "expires_in=$wrong"
		want_fault expires_in
	done
	api POST "/api/v1/status-pages/$page/links" -d "label=$(printf 'x%.0s' {1..256})"
	want_fault label
	"$ctl" page link "$slug" --expires 1m
	"$ctl" page link "$slug" --expires 400d
	for wrong in 401d 36601d 9601h; do
		run "$ctl" page link "$slug" --expires "$wrong"
		[ "$status" = 2 ]
		[[ "$output" == *--expires* ]]
	done
}

@test "who may not write or does not own the page signs, lists and withdraws nothing" {
	new_page -F privacy=1
	sign
	other POST "/api/v1/status-pages/$page/links" -d expires_in=60
	want 404
	other GET "/api/v1/status-pages/$page/links"
	want 404
	other DELETE "/api/v1/status-pages/$page/links/$link_id"
	want 404
	api POST "/api/v1/status-pages/999999999/links" -d expires_in=60
	want 404
	api GET "/api/v1/status-pages/999999999/links"
	want 404
	read_only=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$read_only" POST "/api/v1/status-pages/$page/links"
	want 403
	call "$read_only" DELETE "/api/v1/status-pages/$page/links/$link_id"
	want 403
	call "$read_only" GET "/api/v1/status-pages/$page/links"
	want 200 '.data | length == 1'
	anyone POST "/api/v1/status-pages/$page/links"
	want 401
	anyone GET "/api/v1/status-pages/$page/links"
	want 401
	# Another page's link.
	mine=$link_id
	new_page
	api DELETE "/api/v1/status-pages/$page/links/$mine"
	want 404
	for id in 0 x -1 999999999 99999999999999999999; do
		api DELETE "/api/v1/status-pages/$page/links/$id"
		want 404
	done
	api PUT "/api/v1/status-pages/$page/links"
	want 405
	[ "$(header Allow)" = 'GET, HEAD, POST' ] || show
	api GET "/api/v1/status-pages/$page/links/$mine"
	want 405
	api POST "/api/v1/status-pages/$page/links" -d _method=PUT
	want 405
	api POST "/api/v1/status-pages/$page/links" -H 'Content-Type: text/plain' -d x
	want 415
	api POST "/api/v1/status-pages/$page/links" -H 'If-Match: "1-99"'
	want 412
	api GET "/api/v1/status-pages/$page/links"
	want 200 '.data == [] and .meta.total == 0'
}

@test "links are listed, newest first, without what opens the page" {
	new_page -F privacy=1
	for label in one two three; do sign --data-urlencode "label= $label <&> "; done
	"$ctl" page link "$slug" --label four
	api GET "/api/v1/status-pages/$page/links?per_page=10"
	want 200 '.meta.total == 4 and [.data[].label] == ["four", "three <&>", "two <&>", "one <&>"]'
	want 200 '.data | all(keys == ["created_at", "expires_at", "id", "label", "made_by"])'
	want 200 '.data[0].made_by == {type: "operator", id: null, label: "daymarkctl"}'
	key_id=$(sql "SELECT actor_id FROM page_links WHERE id = $link_id")
	want 200 ".data[1].made_by.type == \"key\" and .data[1].made_by.id == $key_id and .data[1].id == $link_id"
	refute shows "${link##*.}"
	api HEAD "/api/v1/status-pages/$page/links"
	want 200
	api GET "/api/v1/status-pages/$page/links?per_page=10&page=2"
	want 200 '.data == [] and .meta.total == 4'
	want 200 ".links.prev | endswith(\"/api/v1/status-pages/$page/links?per_page=10&page=1\")"
	api GET "/api/v1/status-pages/$page/links?per_page=7"
	want_fault per_page
	api GET "/api/v1/status-pages/$page/links"
	want_queries 2
	sign
	api GET "/api/v1/status-pages/$page/links"
	want 200 '.data[0].label == null'
	"$ctl" page withdraw-link "$slug" "$link_id"
	"$ctl" page links "$slug" --json | jq -e 'length == 4 and .[0].label == "four" and .[0].made_by.type == "operator"'
	run "$ctl" page links "$slug"
	[[ "${lines[1]}" == *four*daymarkctl* ]]
	# An expired link is not listed.
	link_id=$(jq '.data[1].id' "$answer")
	sql "UPDATE page_links SET expires_at = UTC_TIMESTAMP() WHERE id = $link_id"
	api GET "/api/v1/status-pages/$page/links"
	want 200 '.meta.total == 3'
	api DELETE "/api/v1/status-pages/$page/links/$link_id"
	want 404
}

@test "a withdrawn link opens nothing, nor do its cookies and asset tokens; other links go on" {
	for privacy in privacy=1 'privacy=2 -F password=open-sesame'; do
		# shellcheck disable=SC2086
		new_page -F $privacy
		sign
		enter other
		sign
		enter mine
		anyone GET "/s/$slug/" -b "$BATS_TEST_TMPDIR/mine"
		pass=$(grep -o 'page-[0-9a-f]*\.css?pass=[0-9A-Za-z._-]*' "$answer")
		anyone GET "/s/$slug/$pass"
		[ "$status" = 200 ]
		withdraw "$link_id"
		[ -z "$(header X-Daymark-Published)" ] || show
		sees 404 -b "$BATS_TEST_TMPDIR/mine"
		anyone GET "/s/$slug/$pass"
		[ "$status" = 404 ]
		anyone GET "$link"
		[ "$status" != 303 ]
		sees 200 -b "$BATS_TEST_TMPDIR/other"
		api DELETE "/api/v1/status-pages/$page/links/$link_id"
		want 404
		api GET "/api/v1/status-pages/$page/links"
		want 200 '.meta.total == 1'
		# It stays void when the page is published anew, and when the page was public meanwhile.
		api PUT "/api/v1/status-pages/$page" -d privacy=0
		api PUT "/api/v1/status-pages/$page" -d privacy=1
		sees 404 -b "$BATS_TEST_TMPDIR/mine"
		sees 200 -b "$BATS_TEST_TMPDIR/other"
	done
}

@test "a link of a public page can be withdrawn before the page becomes private" {
	new_page
	sign
	withdraw "$link_id"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	anyone GET "$link"
	[ "$status" = 404 ]
}

@test "daymarkctl withdraws a link" {
	new_page -F privacy=1
	sign
	enter jar
	run "$ctl" page withdraw-link "$slug" 999999999
	[ "$status" = 1 ] || [ "$status" = 3 ]
	[[ "$output" == *"no valid link 999999999"* ]]
	run "$ctl" page withdraw-link "$slug" x
	[ "$status" = 2 ]
	"$ctl" page withdraw-link "$slug" "$link_id" --json | jq -e ".id == $link_id and .withdrawn"
	sees 404 -b "$jar"
	run "$ctl" page withdraw-link no-such-page "$link_id"
	[ "$status" != 0 ]
}

@test "each link leaves an event when it is made and when it is withdrawn" {
	new_page -F privacy=1
	sign -d label=partner
	withdraw "$link_id"
	"$ctl" page link "$slug" --json >"$BATS_TEST_TMPDIR/made"
	api GET "/api/v1/events?object=status_page&object_id=$page"
	want 200 '[.data[].kind] == ["link.created", "link.withdrawn", "link.created", "status_page.created"]'
	want 200 ".data[2].detail | startswith(\"link $link_id, until 2\") and endswith(\"Z: partner\")"
	want 200 '[.data[].actor.type] == ["operator", "key", "key", "key"]'
	refute shows "${link##*.}"
	api GET "/api/v1/events?kind=link.withdrawn&object_id=$page"
	want 200 '.data | length == 1'
}

@test "a page has at most 400 links that have not expired, and others are not affected" {
	new_page -F privacy=1
	sign
	sql "INSERT INTO page_links (page_id, label, actor_type, actor_id, actor_label, created_at, expires_at, withdrawn_at)
		SELECT page_id, 'many', 'key', 1, '', created_at, expires_at, IF(seq % 2, created_at, NULL)
		FROM page_links JOIN seq_1_to_398 WHERE id = $link_id"
	sign
	api POST "/api/v1/status-pages/$page/links"
	want_fault links
	run "$ctl" page link "$slug"
	[ "$status" != 0 ]
	# The record names 200 withdrawn links.
	withdraw "$link_id"
	anyone GET "$link"
	[ "$status" = 404 ]
	sql "UPDATE page_links SET expires_at = UTC_TIMESTAMP() WHERE page_id = $page AND label = 'many'"
	sign
	enter jar
	[ "$(sql "SELECT COUNT(*) FROM page_links WHERE page_id = $page")" = 3 ]
}

@test "what opens a page is neither in the log, nor stored with an Idempotency-Key or elsewhere" {
	new_page -F privacy=1
	sign -d expires_in=600 -H "Idempotency-Key: link-$slug"
	signature=${link##*.}
	[ ${#signature} -gt 20 ]
	enter jar
	api POST "/api/v1/status-pages/$page/links" -d expires_in=600 -H "Idempotency-Key: link-$slug"
	want 201 ".data.id == $link_id and .data.url == null"
	[ "$(header Idempotent-Replayed)" = true ]
	log_line
	refute grep -aqF -- "$signature" "$log"
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%$signature%'")" = 0 ]
	api GET "/api/v1/events?per_page=100"
	want 200
	refute shows "$signature"
}
