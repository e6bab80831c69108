# Signed links of pages, as the API signs them.
load lib

# sign [CURL ARGUMENT]...: signs a link to $page; sets $link to its path.
sign() {
	api POST "/api/v1/status-pages/$page/links" "$@"
	want 201 '.data | keys == ["expires_at", "url"]'
	[ "$(header Cache-Control)" = 'private, no-store' ]
	link=$(path_of "$(jq -r .data.url "$answer")")
	lasts=$(jq '.data.expires_at | fromdate - now | round' "$answer")
}

@test "a link opens a private page and a password page until it expires" {
	for privacy in privacy=1 'privacy=2 -F password=open-sesame'; do
		# shellcheck disable=SC2086
		new_page -F $privacy
		anyone GET "/s/$slug/"
		refute shows 'No systems'
		sign -d expires_in=3600
		want_queries 2
		[ "$lasts" -le 3600 ]
		[ "$lasts" -gt 3500 ]
		jar=$BATS_TEST_TMPDIR/jar$RANDOM
		query=${link#*\?}
		anyone GET "/s/$slug/?$query" -c "$jar"
		[ "$status" = 303 ]
		anyone GET "/s/$slug/" -b "$jar"
		[ "$status" = 200 ]
		anyone GET "/s/$slug/?${query}x"
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
	sign -d expires_in=3162240000
	for wrong in 59 0 -1 3162240001 x 1.5 ''; do
		api POST "/api/v1/status-pages/$page/links" -d "expires_in=$wrong"
		want_fault expires_in
	done
	"$ctl" page link "$slug" --expires 1m
	run "$ctl" page link "$slug" --expires 36601d
	[ "$status" = 2 ]
}

@test "who may not write or does not own the page signs nothing" {
	new_page -F privacy=1
	other POST "/api/v1/status-pages/$page/links" -d expires_in=60
	want 404
	api POST "/api/v1/status-pages/999999999/links" -d expires_in=60
	want 404
	read_only=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$read_only" POST "/api/v1/status-pages/$page/links"
	want 403
	anyone POST "/api/v1/status-pages/$page/links"
	want 401
	api GET "/api/v1/status-pages/$page/links"
	want 405
	api POST "/api/v1/status-pages/$page/links" -d _method=PUT
	want 405
	api POST "/api/v1/status-pages/$page/links" -H 'Content-Type: text/plain' -d x
	want 415
}

@test "a link is stored nowhere, neither in the log nor with an Idempotency-Key" {
	new_page -F privacy=1
	for _ in 1 2; do
		sign -d expires_in=600 -H "Idempotency-Key: link-$slug"
		[ -z "$(header Idempotent-Replayed)" ]
	done
	signature=${link##*.}
	[ ${#signature} -gt 20 ]
	log_line
	refute grep -aqF -- "$signature" "$log"
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%$signature%'")" = 0 ]
	api GET "/api/v1/events?per_page=100"
	want 200
	refute shows "$signature"
}
