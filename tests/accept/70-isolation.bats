load lib

list=/api/v1/status-pages

# bats test_tags=cgi
@test "another account's page is as an unknown one, on every route" {
	new_page
	api GET "$list/$page"
	cp "$answer" "$BATS_TEST_TMPDIR/before"
	other GET "$list/999999999"
	unknown=$(jq -c 'del(.request_id)' "$answer")
	for method in GET HEAD PUT PATCH DELETE; do
		data=(-d name=Taken)
		[ "$method" != HEAD ] || data=()
		other "$method" "$list/$page" "${data[@]}"
		[ "$status" = 404 ] || show
		[ "$method" = HEAD ] || [ "$(jq -c . "$answer")" = "$unknown" ] || show
	done
	other POST "$list/$page" -d _method=PUT -d name=Taken
	want 404
	other POST "$list/$page" -F _method=PUT -F name=
	want 404
	other PUT "$list/$page" -H 'If-Match: "x"' -d name=Taken
	want 404
	other GET "$list?per_page=100&search=Test"
	want 200 ".data | map(.id) | index($page) == null"
	api GET "$list/$page"
	cmp "$answer" "$BATS_TEST_TMPDIR/before"
}

@test "another account's monitors are as unknown ones" {
	one=$(monitors | head -n 1)
	other POST "$list" -d name=x -d "slug=$(new_slug)" -d "monitor_ids[]=$one"
	want_fault monitor_ids.0
	other GET "$list?monitor_id=$one"
	want 200 '.meta.total == 0'
}
