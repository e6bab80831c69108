load lib

list=/api/v1/status-pages

want_created() {
	want 201 '.status == 201' '.data.id > 0'
	page=$(jq .data.id "$answer")
	[ "$(header Location)" = "$base$list/$page" ] || show
	[ -n "$(header ETag)" ] || show
}

# bats test_tags=server
@test "the documented calls work as written" {
	slug=$(new_slug)
	anyone POST "$list" -H "Authorization: Bearer $key" \
		-H 'Content-Type: application/x-www-form-urlencoded' -d 'name=Example' -d "slug=$slug"
	want_created
	anyone GET "$list" -H 'Accept: application/json' -H "Authorization: Bearer $key"
	want 200 ".data[0].slug == \"$slug\""
	anyone GET "$list/$page" -H 'Accept: application/json' -H "Authorization: Bearer $key"
	want 200 '.data.name == "Example"'
	png 8 8 >"$BATS_TEST_TMPDIR/logo.png"
	anyone POST "$list/$page" -H "Authorization: Bearer $key" -F _method=PUT -F name=Renamed \
		-F "logo=@$BATS_TEST_TMPDIR/logo.png"
	want 200 '.data.name == "Renamed"' '.data.logo_url | endswith(".png")'
	anyone DELETE "$list/$page" -H "Authorization: Bearer $key"
	want 200 ". == {id: $page, object: \"status_page\", deleted: true, status: 200}"
	anyone DELETE "$list/$page" -H "Authorization: Bearer $key"
	want 404 '.status == 404'
}

every_field() {
	jq -e --arg slug "$1" '.data | .name == "Nåme 🚨" and .slug == $slug and .privacy == 2
		and .has_password and .domain == $slug + ".example.org"
		and .website_url == "https://example.org/" and .contact_url == "mailto:a@example.org"
		and .custom_css == " a{}\n" and .custom_js == "\tb()" and .meta_title == "T"
		and .meta_description == "D" and .noindex and (.monitor_ids | length) == 2
		and (.created_at | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"))' "$answer" >/dev/null || show
}

# bats test_tags=server
@test "every field is stored, from each of the three bodies" {
	read -r one two _ <<<"$(monitors | tr '\n' ' ')"
	slug=$(new_slug)
	api POST "$list" --data-urlencode 'name= Nåme 🚨 ' -d "slug=${slug^^}" -d privacy=2 \
		--data-urlencode 'password= s3cret ' -d "domain=${slug^^}.Example.ORG." \
		-d website_url=https://example.org/ -d contact_url=mailto:a@example.org \
		--data-urlencode $'custom_css= a{}\n' --data-urlencode $'custom_js=\tb()' -d meta_title=T \
		-d meta_description=D -d noindex=yes -d "monitor_ids[]=$two" -d "monitor_ids%5B%5D=$one"
	want_created
	every_field "$slug"
	want 201 ".data.monitor_ids == [$two, $one]"
	slug=$(new_slug)
	api POST "$list" -F 'name=Nåme 🚨' -F "slug=$slug" -F privacy=2 \
		--form-string 'password= s3cret ' \
		-F "domain=$slug.example.org" -F website_url=https://example.org/ \
		-F contact_url=mailto:a@example.org --form-string $'custom_css= a{}\n' \
		--form-string $'custom_js=\tb()' \
		-F meta_title=T -F meta_description=D -F noindex=on -F "monitor_ids[0]=$two" \
		-F "monitor_ids[1]=$one"
	want_created
	every_field "$slug"
	slug=$(new_slug)
	jq -n --arg slug "$slug" --argjson one "$one" --argjson two "$two" '{name: "Nåme 🚨", slug: $slug,
		privacy: 2, password: " s3cret ", domain: ($slug + ".example.org"),
		website_url: "https://example.org/", contact_url: "mailto:a@example.org",
		custom_css: " a{}\n", custom_js: "\tb()", meta_title: "T", meta_description: "D",
		noindex: true, monitor_ids: [$two, $one, $two]}' >"$BATS_TEST_TMPDIR/json"
	api POST "$list" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json"
	want_created
	every_field "$slug"
	api GET "$list/$page"
	every_field "$slug"
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE password_hash LIKE '%s3cret%'")" = 0 ]
	[ "$(sql "SELECT password_hash LIKE '\$argon2id\$%' FROM status_pages WHERE id = $page")" = 1 ]
	refute grep -aq s3cret "$log"
}

@test "what is not sent on create has its default" {
	new_page
	api GET "$list/$page"
	want 200 '.data.privacy == 0' '.data.noindex == false' '.data.monitor_ids == []' \
		'.data | [.domain, .logo_url, .favicon_url, .website_url, .contact_url, .custom_css,
		 .custom_js, .meta_title, .meta_description] | all(. == null)' \
		".data.url == \"$base/s/$slug/\"" '.data.has_password == false'
}

@test "create names every fault at once and makes nothing" {
	before=$(sql 'SELECT COUNT(*) FROM status_pages')
	api POST "$list" -d name= -d slug=-x -d privacy=3 -d domain=localhost -d website_url=x \
		-d contact_url=x -d noindex=maybe -d 'monitor_ids[]=999999' -d remove_logo=2
	want 422 '.errors | keys == ["contact_url", "domain", "monitor_ids.0", "name", "noindex",
		"privacy", "remove_logo", "slug", "website_url"]' '.message | endswith("(and 8 more errors)")'
	api POST "$list" ${DAYMARK_ACCEPT_STRICT:+-d ''}
	want 422 '.errors | keys == ["name", "slug"]'
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d privacy=2
	want_fault password
	[ "$(sql 'SELECT COUNT(*) FROM status_pages')" = "$before" ]
}

@test "lengths hold at the limit and not one beyond" {
	for row in name:255 slug:64 meta_title:255 meta_description:1000; do
		field=${row%:*} limit=${row#*:} letter=ü
		[ "$field" != slug ] || letter=a
		value=$(printf "$letter%.0s" $(seq "$limit"))
		new_page
		api PUT "$list/$page" --data-urlencode "$field=$value"
		[ "$field" = slug ] && [ "$status" = 422 ] || want 200 ".data.$field | length == $limit"
		api PUT "$list/$page" --data-urlencode "$field=$value$letter"
		want_fault "$field" greater
		[ "$field" != slug ] || sql "DELETE FROM status_pages WHERE slug = '$value'"
	done
	for row in custom_css:65536 custom_js:65536 password:128; do
		field=${row%:*} limit=${row#*:}
		new_page
		head -c "$limit" /dev/zero | tr '\0' a >"$BATS_TEST_TMPDIR/value"
		api PUT "$list/$page" --data-urlencode "$field@$BATS_TEST_TMPDIR/value"
		want 200
		printf a >>"$BATS_TEST_TMPDIR/value"
		api PUT "$list/$page" --data-urlencode "$field@$BATS_TEST_TMPDIR/value"
		want_fault "$field" greater
	done
	url=https://example.org/$(printf 'a%.0s' $(seq 2028))
	api PUT "$list/$page" --data-urlencode "website_url=$url"
	want 200 '.data.website_url | length == 2048'
	api PUT "$list/$page" --data-urlencode "website_url=${url}a"
	want_fault website_url
}

@test "letters that no slug and no domain may have are 422 like all others" {
	new_page
	for value in ä Ä é名 🚨 "a$(printf 'ü%.0s' $(seq 80))" $'a\u202eb'; do
		api POST "$list" -d name=x --data-urlencode "slug=$value"
		want_fault slug
		api PUT "$list/$page" --data-urlencode "slug=$value" -d name=x
		want_fault slug
	done
	for value in ä. 'ü ü.example.org' '-ä-.example.org' '🚨_.example.org' ' .ä'; do
		api POST "$list" -d name=x -d "slug=$(new_slug)" --data-urlencode "domain=$value"
		want_fault domain
		api PUT "$list/$page" --data-urlencode "domain=$value"
		want_fault domain
	done
	# What is taken is said beside what is rejected.
	api POST "$list" -d name=x -d "slug=$slug" --data-urlencode 'domain=-ä-.example.org' -d 'monitor_ids[]=999999999'
	want 422 '.errors | keys == ["domain", "monitor_ids.0", "slug"]'
}

@test "a page as it was read can be sent back, and nothing in it that is not for clients is changed" {
	png 3 3 >"$BATS_TEST_TMPDIR/a.png"
	new_page -F privacy=2 -F password=x -F "logo=@$BATS_TEST_TMPDIR/a.png" -F custom_css=a
	api GET "$list/$page"
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/page"
	send() {
		jq -c "$1" "$BATS_TEST_TMPDIR/page" >"$BATS_TEST_TMPDIR/sent"
		api "${2:-PUT}" "$list${3-/$page}" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/sent"
	}
	send .
	want 200
	# The time of the change is another now.
	[ "$(jq -cS '.data | del(.updated_at)' "$answer")" = "$(jq -cS 'del(.updated_at)' "$BATS_TEST_TMPDIR/page")" ]
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/page"
	send '{id: (.id | tostring), created_at: (.created_at | sub("Z$"; "+00:00")), has_password: 1, favicon_url: ""}'
	want 200
	sql "SELECT version FROM status_pages WHERE id = $page" >"$BATS_TEST_TMPDIR/version"
	for change in id:1 'url:"https://example.org/"' has_password:false 'has_password:"x"' logo_url:null 'logo_url:""' \
		'favicon_url:"/x"' 'created_at:"2026-01-01T00:00:00Z"' created_at:null updated_at:5 'url:{}' 'id:[7]' 'id:[]'; do
		send "{$change}"
		want 422 ".errors | keys == [\"${change%%:*}\"]" '.errors[][] | contains("cannot be set")'
	done
	send '{id: 0, url: "x", name: ""}'
	want 422 '.errors | keys == ["id", "name", "url"]'
	api PUT "$list/$page" -d has_password=no -d has_passwords=1
	want 422 '.errors | keys == ["has_password"]'
	api PUT "$list/$page" -F has_password=yes -F "logo_url=@$BATS_TEST_TMPDIR/a.png"
	want 422 '.errors | keys == ["logo_url"]'
	sql "SELECT version FROM status_pages WHERE id = $page" | cmp - "$BATS_TEST_TMPDIR/version"
	# A page that is made has none of these yet.
	send '{name, slug: "'"$(new_slug)"'", id: null, url: null, has_password: false, logo_url: ""}' POST ''
	want 201
	send "{name, slug: \"$(new_slug)\", id, url, has_password, logo_url, created_at}" POST ''
	want 422 '.errors | keys == ["created_at", "has_password", "id", "logo_url", "url"]'
}

@test "slug and domain are unique in the installation" {
	new_page -F "domain=$(new_slug).example.org"
	taken=$slug domain=$(jq -r .data.domain "$answer")
	for as in "$key" "$other_key"; do
		call "$as" POST "$list" -d name=x -d "slug=${taken^^}" -d "domain=$domain"
		want 422 '.errors | keys == ["domain", "slug"]' \
			'.errors.slug == ["The slug has already been taken."]'
	done
	new_page
	api PUT "$list/$page" -d "slug=$taken"
	want_fault slug taken
	api PUT "$list/$page" -d "slug=$slug"
	want 200
	api PUT "$list/$page" -d "domain=$domain" -d name=
	want 422 '.errors | keys == ["domain", "name"]'
	host=$(sed 's|.*://||; s|[:/].*||' <<<"$base")
	api PUT "$list/$page" -d "domain=$host"
	want_fault domain
}

@test "two creates of one slug at once make one page" {
	slug=$(new_slug)
	for i in $(seq 8); do
		curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" "$base$list" \
			-d name=x -d "slug=$slug" >"$BATS_TEST_TMPDIR/race.$i" &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/race.* | sort | uniq -c | tr -s ' \n' ' ')" = " 1 201 7 422 " ]
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$slug'")" = 1 ]
}

# bats test_tags=server
@test "an update changes what is sent and nothing else, by each method and body" {
	read -r one two three _ <<<"$(monitors | tr '\n' ' ')"
	new_page -F "monitor_ids[]=$one" -F meta_title=Kept
	api PUT "$list/$page" -d name=A
	want 200 '.data.name == "A"' '.data.meta_title == "Kept"' ".data.monitor_ids == [$one]"
	api PATCH "$list/$page" -F name=B
	want 200 '.data.name == "B"' '.data.meta_title == "Kept"'
	api POST "$list/$page" -d _method=PUT -d name=C
	want 200 '.data.name == "C"'
	api POST "$list/$page" -F _method=patch -F name=D
	want 200 '.data.name == "D"'
	api POST "$list/$page" -H 'Content-Type: application/json' -d '{"_method":"put","name":"E"}'
	want 200 '.data.name == "E"'
	api PUT "$list/$page" -H 'Content-Type: application/json' -d '{"meta_title":null}'
	want 200 '.data.name == "E"' '.data.meta_title == null'
	api PUT "$list/$page" -d "monitor_ids[]=$three" -d "monitor_ids[]=$one" -d "monitor_ids[]=$two"
	want 200 ".data.monitor_ids == [$three, $one, $two]"
	api PUT "$list/$page" -d 'monitor_ids[]='
	want 200 '.data.monitor_ids == []'
	api PUT "$list/$page"
	want 200 '.data.name == "E"'
	api GET "$list/$page"
	want 200 '.data.name == "E"' '.data.monitor_ids == []'
}

@test "an update that is refused changes nothing" {
	one=$(monitors | head -n 1)
	new_page -F "monitor_ids[]=$one"
	api GET "$list/$page"
	cp "$answer" "$BATS_TEST_TMPDIR/before"
	api PUT "$list/$page" -d name=Changed -d 'monitor_ids[]=999999'
	want_fault monitor_ids.0
	api PUT "$list/$page" -d name=Changed -d privacy=2
	want_fault password
	api PUT "$list/$page" -d name= -d meta_title=Changed
	want_fault name required
	api PUT "$list/$page" -F name=Changed -F 'logo=@/etc/hostname'
	want_fault logo
	api GET "$list/$page"
	cmp "$answer" "$BATS_TEST_TMPDIR/before"
}

@test "a password is kept and takes effect with privacy 2" {
	new_page -F password=one
	want 201 '.data.has_password' '.data.privacy == 0'
	api PUT "$list/$page" -d privacy=2
	want 200 '.data.privacy == 2'
	before=$(sql "SELECT password_hash FROM status_pages WHERE id = $page")
	api PUT "$list/$page" -d password= -d name=x
	want 200 '.data.has_password'
	[ "$(sql "SELECT password_hash FROM status_pages WHERE id = $page")" = "$before" ]
	api PUT "$list/$page" -d password=two
	want 200
	[ "$(sql "SELECT password_hash FROM status_pages WHERE id = $page")" != "$before" ]
}

# bats test_tags=server
@test "the method override is read from the body of a POST and nowhere else" {
	new_page
	api POST "$list/$page" -d name=x
	want 405 '.status == 405'
	[ "$(header Allow)" = "GET, HEAD, PUT, PATCH, DELETE" ]
	api POST "$list/$page?_method=PUT" -d name=x
	want 405
	api POST "$list/$page" -H 'X-HTTP-Method-Override: PUT' -d name=x
	want 405
	api POST "$list/$page" -d _method= -d name=x
	want 405
	for method in DELETE GET POST TRACE FOO "PUT'--" PUT%00 ; do
		api POST "$list/$page" -d "_method=$method" -d name=x
		want_fault _method
	done
	api POST "$list/$page" -d '_method[]=PUT' -d name=x
	want_fault _method
	api PUT "$list/$page" -d _method=DELETE -d name=Put
	want 200 '.data.name == "Put"'
	api GET "$list/$page?_method=DELETE"
	want 200
	api DELETE "$list/999999999" -d _method=PUT
	want 404
	api POST "$list" -d _method=PUT -d name=x -d "slug=$(new_slug)"
	want 405
	[ "$(header Allow)" = "GET, HEAD, POST" ]
}

@test "an id that is none is not found" {
	for id in 0 -1 x 1.0 01 9223372036854775808 99999999999999999999 ' ' %31%00 '1;2' 1e3; do
		api GET "$list/${id// /%20}"
		[ "$status" = 404 ] || [ "$id" = %31%00 -a "$status" = 400 ] || show
	done
	api PUT "$list/9223372036854775807" -d name=x
	want 404
}

# bats test_tags=server
@test "paths may be percent-encoded and end in a slash" {
	new_page
	api GET "/api/v1/status%2Dpages/%${page:0:0}$(printf '%x' "'${page:0:1}")${page:1}/"
	want 200 ".data.id == $page"
	api GET "$list/"
	want 200
	api GET "/api/v1%2Fstatus-pages"
	want 404
	api GET "/api/v1//status-pages"
	want 404
	# Some web servers refuse it themselves.
	api GET "/api/v1/status-pages/%zz"
	[ "$status" = 400 ]
}

# bats test_tags=server
@test "ETag guards against lost updates" {
	new_page
	api GET "$list/$page"
	etag=$(header ETag)
	api GET "$list/$page" -H "If-None-Match: $etag"
	[ "$status" = 304 ]
	[ ! -s "$answer" ]
	[ "$(header ETag)" = "$etag" ]
	api PUT "$list/$page" -H "If-Match: $etag" -d name=First
	want 200
	[ "$(header ETag)" != "$etag" ]
	api PUT "$list/$page" -H "If-Match: $etag" -d name=Second
	want 412 '.status == 412'
	api DELETE "$list/$page" -H "If-Match: $etag"
	want 412
	api GET "$list/$page" -H "If-None-Match: $etag"
	want 200 '.data.name == "First"'
	api DELETE "$list/$page" -H 'If-Match: *'
	want 200
}

@test "a write takes at most twenty queries, one more with uploads, a read two" {
	new_monitor
	one=$monitor
	new_monitor
	two=$monitor
	png 8 8 >"$BATS_TEST_TMPDIR/a.png"
	png 9 9 >"$BATS_TEST_TMPDIR/b.png"
	new_page -F "monitor_ids[]=$one" -F "logo=@$BATS_TEST_TMPDIR/a.png" \
		-F "favicon=@$BATS_TEST_TMPDIR/a.png" -F privacy=2 -F password=x
	want_queries_at_most 18
	api POST "$list/$page" -F _method=PUT -F "slug=$(new_slug)" -F "monitor_ids[]=$two" -F "monitor_ids[]=$one" \
		-F "logo=@$BATS_TEST_TMPDIR/b.png" -F "favicon=@$BATS_TEST_TMPDIR/b.png" -F privacy=0
	want 200
	# Eight of them read the page. One reads the months of history, which name the page, one
	# adds up the account's uploads, under a lock, and one counts its former addresses.
	want_queries_at_most 21
	api POST "$list/$page" -F _method=PUT -F "monitor_ids[]=$one" \
		-F "logo=@$BATS_TEST_TMPDIR/a.png" -F remove_favicon=1
	want 200
	want_queries_at_most 19
	api GET "$list/$page"
	want_queries 2
	# Incidents on the page do not add a statement, however many there are.
	"$ctl" incident open --monitor "$two" --cause x
	api POST "$list/$page" -F _method=PUT -F "monitor_ids[]=$one" -F "monitor_ids[]=$two"
	want 200
	want_queries_at_most 19
	api DELETE "$list/$page"
	want 200
	want_queries_at_most 13
}

@test "a page has 1,000 monitors in the order given; of so many the unknown ones are named" {
	tag=$(new_slug)
	sql "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
		SELECT $account, CONCAT('$tag ', seq), 'https://example.org/', UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM seq_1_to_1000"
	# Sizes around those of the statements' lists; the last one first.
	for count in 1 8 9 64 65 512 513 1000; do
		sql "SELECT id FROM monitors WHERE account_id = $account AND name LIKE '$tag %' ORDER BY id DESC LIMIT $count" >"$BATS_TEST_TMPDIR/ids"
		jq -Rn --arg slug "$(new_slug)" '{name: "Many", slug: $slug, monitor_ids: [inputs | tonumber]}' "$BATS_TEST_TMPDIR/ids" \
			>"$BATS_TEST_TMPDIR/json"
		api POST "$list" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json"
		want 201
		page=$(jq .data.id "$answer")
		want_queries_at_most 17
		diff <(jq '.data.monitor_ids[]' "$answer") "$BATS_TEST_TMPDIR/ids"
		diff <(sql "SELECT monitor_id FROM status_page_monitors WHERE status_page_id = $page ORDER BY position") "$BATS_TEST_TMPDIR/ids"
		[ "$(sql "SELECT MAX(position) FROM status_page_monitors WHERE status_page_id = $page")" = "$count" ]
		api DELETE "$list/$page"
		want 200
	done
	jq --arg slug "$(new_slug)" '.slug = $slug | .monitor_ids[0, 511, 512, 999] = 999999999' "$BATS_TEST_TMPDIR/json" >"$BATS_TEST_TMPDIR/unknown"
	jq '.monitor_ids |= [to_entries[] | if .value == 999999999 then .key + 999000000 else .value end]' "$BATS_TEST_TMPDIR/unknown" \
		>"$BATS_TEST_TMPDIR/json"
	api POST "$list" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json"
	want 422 '.errors | keys == ["monitor_ids.0", "monitor_ids.511", "monitor_ids.512", "monitor_ids.999"]'
	sql "DELETE FROM monitors WHERE account_id = $account AND name LIKE '$tag %'"
}
