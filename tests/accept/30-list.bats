load lib

list=/api/v1/status-pages

# bats test_tags=cgi
@test "the list has data, links and meta" {
	new_page
	api GET "$list"
	want 200 '.status == 200' '.data | type == "array"' '.meta.current_page == 1' \
		'.meta.per_page == 10' '.meta.from == 1' ".meta.path == \"$base$list\"" \
		".links.first == \"$base$list?page=1\"" '.links.prev == null' \
		'.meta.total >= 1' '.data[0] | has("password") | not'
}

@test "the newest page comes first, and asc turns that round" {
	new_page
	first=$page
	new_page
	api GET "$list"
	want 200 ".data[0].id == $page" ".data[1].id == $first"
	api GET "$list?sort=asc&per_page=100"
	want 200 '[.data[].id] == ([.data[].id] | sort)'
}

@test "search finds names in any letter case, and takes wildcards as they are" {
	tag=$(new_slug)
	new_page -F "name=$tag 100% ÜBER_x"
	match=$page
	new_page -F "name=$tag 1000 uber-x"
	api GET "$list" --get --data-urlencode "search=${tag^^} 100%"
	want 200 '.meta.total == 1' ".data[0].id == $match"
	api GET "$list" --get --data-urlencode "search=_X" --data-urlencode "search_by=name"
	want 200 ".data | map(.id) | index($match)" '.data | all(.name | ascii_downcase | contains("_x"))'
	api GET "$list" --get --data-urlencode "search=$tag" -d sort_by=name -d sort=asc
	want 200 '.meta.total == 2' ".data[0].id == $match"
	api GET "$list" --get --data-urlencode "search=$tag" -d sort_by=name
	want 200 ".data[1].id == $match"
	api GET "$list?search=nobody-has-this-name"
	want 200 '.data == []' '.meta.total == 0' '.meta.last_page == 1' '.meta.from == null' \
		'.meta.to == null'
}

@test "the filter by monitor takes only the account's pages that show it" {
	read -r one two _ <<<"$(monitors | tr '\n' ' ')"
	new_page -F "monitor_ids[]=$one"
	api GET "$list?monitor_id=$one&per_page=100"
	want 200 ".data | map(.id) | index($page)" ".data | all(.monitor_ids | index($one))"
	api GET "$list?monitor_id=$two&per_page=100"
	want 200 ".data | map(.id) | index($page) == null"
	api GET "$list?monitor_id=9223372036854775807"
	want 200 '.data == []'
	other GET "$list?monitor_id=$one"
	want 200 '.data == []'
}

@test "pages follow one another without a gap, ties broken by id" {
	tag=$(new_slug)
	for i in $(seq 23); do new_page -F "name=$tag"; done
	for sort in asc desc; do
		: >"$BATS_TEST_TMPDIR/ids"
		url="$base$list?search=$tag&sort_by=name&sort=$sort"
		while [ "$url" != null ]; do
			api GET "${url#"$base"}"
			want 200 '.meta.total == 23' '.meta.last_page == 3'
			jq -r '.data[].id' "$answer" >>"$BATS_TEST_TMPDIR/ids"
			url=$(jq -r .links.next "$answer")
		done
		[ "$(wc -l <"$BATS_TEST_TMPDIR/ids")" = 23 ]
		[ "$(sort -u "$BATS_TEST_TMPDIR/ids" | wc -l)" = 23 ]
	done
	want 200 '.meta.current_page == 3' '.meta.from == 21' '.meta.to == 23' '.links.prev | endswith("page=2")'
	api GET "$list?search=$tag&page=4"
	want 200 '.data == []' '.links.next == null' '.links.prev | endswith("page=3")' '.meta.total == 23'
	api GET "$list?search=$tag&page=92233720368547758"
	want 200 '.data == []'
	api GET "$list?page=2&search=$tag&per_page=25&page=1"
	want 200 '.data | length == 23' '.links.first | test("search=t[0-9]+&per_page=25&page=1$")'
}

@test "a value that is not allowed is named" {
	for pair in search_by=url sort_by=slug sort=up per_page=20 per_page=0 per_page=10.0 page=0 \
		page=-1 page=x page=9223372036854775807 monitor_id=0 monitor_id=x monitor_id=-1 \
		'sort[]=asc' sort= 'search=%FF' 'search=a%00b' per_page=9999999999999999999; do
		name=${pair%%=*}
		api GET "$list?$pair"
		# A web server may refuse to read it at all.
		[ -n "${DAYMARK_ACCEPT_STRICT:-}" ] && [ "$pair" = 'search=%FF' ] && [ "$status" = 400 ] ||
			want_fault "${name%\[\]}"
	done
	api GET "$list?sort=up&per_page=7"
	want 422 '.errors | keys == ["per_page", "sort"]' '.message | endswith("(and 1 more error)")'
	api GET "$list" --get --data-urlencode "search=$(printf 'a%.0s' $(seq 256))"
	want_fault search
	api GET "$list" --get --data-urlencode "search=$(printf 'ü%.0s' $(seq 255))"
	want 200
}

@test "unknown parameters are ignored, and of two the last counts" {
	api GET "$list?nonsense=1&sort=up&sort=asc"
	want 200
}

@test "a list takes two queries, whatever it asks, and a third past the end" {
	one=$(monitors | head -n 1)
	for query in "" "?search=e&sort_by=name&per_page=100" "?monitor_id=$one&sort=asc" \
		"?search=e&monitor_id=$one&sort_by=name"; do
		api GET "$list$query"
		want 200
		want_queries 2
	done
	api GET "$list?page=1000000"
	want 200 '.data == []' '.meta.total > 0'
	want_queries 3
}

@test "a list leaves out custom code, a single page has it" {
	new_page -F custom_css=a -F custom_js=b
	api GET "$list?sort_by=id&sort=desc"
	want 200 ".data[0].id == $page" '.data[0] | has("custom_css") or has("custom_js") | not' '.data[0] | has("meta_title")'
	api GET "$list/$page"
	want 200 '.data.custom_css == "a"' '.data.custom_js == "b"'
}

# every_list: prints the path of each list, its words of search_by and of sort_by, and how many statements
# a part of it takes. The objects that own lists are made.
every_list() {
	new_page -F privacy=1
	api POST "$list/$page/links" -d label=one
	api POST /api/v1/incidents -d title=Listed -d body=first -d "status_page_ids[]=$page"
	incident=$(jq .data.id "$answer")
	api POST /api/v1/maintenances -d title=Listed -d starts_at=2027-01-01T00:00:00Z -d ends_at=2027-01-01T01:00:00Z
	window=$(jq .data.id "$answer")
	api POST "/api/v1/maintenances/$window/updates" -d body=first
	cat <<-END
		$list name id,name 2
		$list/$page/links label id,expires_at 2
		/api/v1/incidents monitor,cause,url started_at,ended_at 3
		/api/v1/incidents/$incident/updates body at 2
		/api/v1/monitors name,url id,name,url 5
		/api/v1/maintenances title id,starts_at 2
		/api/v1/maintenances/$window/updates body at 2
		/api/v1/keys label id,label 2
		/api/v1/events detail,actor at 5
	END
}

@test "every list takes the same parameters, and names a value that is not allowed" {
	while read -r path search_words sort_words most; do
		for word in ${search_words//,/ }; do
			api GET "$path?search=e&search_by=$word"
			want 200
			want_queries_at_most "$((most + 1))"
		done
		for word in ${sort_words//,/ }; do
			api GET "$path?sort_by=$word"
			want 200
			want_queries_at_most "$most"
			jq -c '.data | map(.id)' "$answer" >"$BATS_TEST_TMPDIR/down"
			total=$(jq .meta.total "$answer")
			api GET "$path?sort_by=$word&sort=asc&per_page=100&page=$(((total - 1) / 100 + 1))"
			want 200 ".meta.total == $total"
			want_queries_at_most "$((most + 2))"
			# The last page of a hundred may have fewer than ten.
			jq -c --slurpfile down "$BATS_TEST_TMPDIR/down" \
				'(.data | map(.id) | reverse) as $up | $up[:10] == $down[0][:($up | length)]' "$answer" | grep -qx true
		done
		for pair in search_by=nothing sort_by=nothing sort=up sort= per_page=20 page=0 'sort[]=asc' 'search=a%00b' \
			"search=$(printf 'a%.0s' $(seq 256))"; do
			api GET "$path?$pair"
			name=${pair%%=*}
			want_fault "${name%\[\]}"
		done
		api GET "$path?serach=x"
		want 200
		[ "$(header X-Daymark-Ignored)" = serach ]
		api GET "$path?search=%25&page=999&nothing=1"
		want 200 '.data == []' '.links.next == null'
		api GET "$path?search=no-row-has-this-text"
		want 200 '.data == []' '.meta.total == 0' '.meta.from == null'
		api HEAD "$path"
		[ "$status" = 200 ]
		anyone GET "$path"
		want 401
	done < <(every_list)
}

@test "a list that belongs to an object is 404 for others, and empty without rows" {
	every_list >"$BATS_TEST_TMPDIR/lists"
	grep -E '/[0-9]+/' "$BATS_TEST_TMPDIR/lists" >"$BATS_TEST_TMPDIR/owned"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/owned")" = 3 ]
	while read -r path _; do
		other GET "$path"
		want 404
		api GET "$(sed -E 's,/[0-9]+/,/999999999/,' <<<"$path")"
		want 404
		api GET "$(sed -E 's,/[0-9]+/,/x/,' <<<"$path")"
		want 404
	done <"$BATS_TEST_TMPDIR/owned"
	new_page
	api GET "$list/$page/links"
	want 200 '.data == []' '.meta.total == 0'
	new_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause x --json | jq .id)
	api GET "/api/v1/incidents/$incident/updates"
	want 200 '.data == []' ".meta.path == \"$base/api/v1/incidents/$incident/updates\""
}
