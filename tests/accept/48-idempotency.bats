# A write with an Idempotency-Key is done once, however often it is sent.
load lib

list=/api/v1/status-pages

setup() {
	setup_of_lib
	idem=key-$(new_slug)
	slug=$(new_slug)
}

# once METHOD PATH [CURL ARGUMENT]...: with the test's Idempotency-Key.
once() {
	api "$@" -H "Idempotency-Key: $idem"
}

# bats test_tags=cgi
@test "sent again, a create makes nothing, and answers the same" {
	once POST "$list" -d name=Once -d "slug=$slug"
	want 201
	[ -z "$(header Idempotent-Replayed)" ]
	cp "$answer" "$BATS_TEST_TMPDIR/first"
	location=$(header Location) etag=$(header ETag) id=$(header X-Request-Id)
	once POST "$list" -d name=Once -d "slug=$slug"
	want 201
	[ "$(header Idempotent-Replayed)" = true ]
	cmp "$answer" "$BATS_TEST_TMPDIR/first"
	[ "$(tail -c 1 "$answer" | od -An -tx1)" = " 0a" ]
	# A web server may send the body in chunks instead.
	length=$(header Content-Length)
	[ "${length:=$(wc -c <"$answer")}" = "$(wc -c <"$answer")" ]
	[ "$(header Location)" = "$location" ]
	[ "$(header ETag)" = "$etag" ]
	[ "$(header X-Request-Id)" != "$id" ]
	[ "$(header Content-Type)" = application/json ]
	want_queries_at_most 6
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$slug'")" = 1 ]
	# Without the key it is another request.
	api POST "$list" -d name=Once -d "slug=$slug"
	want_fault slug taken
}

@test "the same key with another request is 409 and changes nothing" {
	once POST "$list" -d name=Once -d "slug=$slug"
	page=$(jq .data.id "$answer")
	once POST "$list" -d name=Other -d "slug=$slug"
	want 409 '.message | contains("another request")'
	once PUT "$list/$page" -d name=Once -d "slug=$slug"
	want 409
	once DELETE "$list/$page"
	want 409
	api GET "$list/$page"
	want 200 '.data.name == "Once"'
}

@test "the same key with another part of the object is 409 and changes nothing" {
	page_with_monitor -F privacy=1
	for label in one two; do
		api POST "$list/$page/links" -d label="$label"
		want 201
		link_ids+=("$(jq .data.id "$answer")")
	done
	once DELETE "$list/$page/links/${link_ids[0]}"
	want 200
	once DELETE "$list/$page/links/${link_ids[1]}"
	want 409
	api GET "$list/$page/links"
	want 200 ".data | map(.id) == [${link_ids[1]}]"
}

@test "what is sent again is told by what it says: multipart, JSON, uploads" {
	for try in 1 2; do
		once POST "$list" -F name=Form -F "slug=$slug" -F "logo=@$TOP/docs/logo.png"
		want 201
	done
	[ "$(header Idempotent-Replayed)" = true ]
	png 3 3 >"$BATS_TEST_TMPDIR/other"
	once POST "$list" -F name=Form -F "slug=$slug" -F "logo=@$BATS_TEST_TMPDIR/other"
	want 409
	idem=$idem-json slug=$slug-json
	for try in 1 2; do
		once POST "$list" -H 'Content-Type: application/json' -d "{\"name\": \"J\", \"slug\": \"$slug\"}"
		want 201
	done
	[ "$(header Idempotent-Replayed)" = true ]
}

@test "update, delete, acknowledgement and reports, too" {
	new_page
	once PUT "$list/$page" -H "If-Match: \"$page-1\"" -d name=New
	want 200
	# Its precondition held then.
	once PUT "$list/$page" -H "If-Match: \"$page-1\"" -d name=New
	want 200 '.data.name == "New"'
	idem=$idem-2
	for try in 1 2; do
		once DELETE "$list/$page"
		want 200 '.deleted'
	done
	[ "$(header Idempotent-Replayed)" = true ]
	api DELETE "$list/$page"
	want 404
	new_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause x --json | jq .id)
	idem=$idem-3
	for try in 1 2; do
		once PUT "/api/v1/incidents/$incident" -d comment=Hello
		want 200 '.data.comment == "Hello"'
	done
	[ "$(header Idempotent-Replayed)" = true ]
	idem=$idem-4
	for try in 1 2; do
		once POST /hooks/generic -d "monitor=$monitor" -d state=up
		want 200 '.data.outcome == "resolved"'
	done
	idem=$idem-5
	starts=$(date -u +%FT%TZ)
	for try in 1 2; do
		once POST /hooks/alertmanager -H 'Content-Type: application/json' \
			-d '{"version":"4","alerts":[{"status":"firing","labels":{"daymark_monitor":"'"$monitor"'"},"startsAt":"'"$starts"'"}]}'
		want 200 '.data.results[0].outcome == "opened"'
	done
	[ "$(header Idempotent-Replayed)" = true ]
	once POST /hooks/alertmanager -H 'Content-Type: application/json' -d '{"version":"4","alerts":[]}'
	want 409
}

@test "what was refused is not kept: mended, it may be sent with the same key" {
	once POST "$list" -d name= -d "slug=$slug"
	want_fault name
	once POST "$list" -d name=Mended -d "slug=$slug"
	want 201
}

# bats test_tags=cgi
@test "many at once: one is done, and all have its answer" {
	for i in $(seq 12); do
		curl -sS -o "$BATS_TEST_TMPDIR/body.$i" -w '%{http_code}\n' -H "Authorization: Bearer $key" -H "Idempotency-Key: $idem" \
			-d name=Race -d "slug=$slug" "$base$list" >"$BATS_TEST_TMPDIR/code.$i" 3>&- &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/code.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 12 201 ' ] || { cat "$BATS_TEST_TMPDIR"/code.* "$BATS_TEST_TMPDIR"/body.*; false; }
	[ "$(sha256sum "$BATS_TEST_TMPDIR"/body.* | cut -d ' ' -f 1 | sort -u | wc -l)" = 1 ]
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$slug'")" = 1 ]
}

@test "keys are an account's own; reading knows none; a bad one is said" {
	once POST "$list" -d name=Mine -d "slug=$slug"
	want 201
	other POST "$list" -H "Idempotency-Key: $idem" -d name=Theirs -d "slug=$slug-2"
	want 201
	once GET "$list"
	want 200
	[ -z "$(header Idempotent-Replayed)" ]
	api POST "$list" -d name=x -d "slug=$slug-3" -H "Idempotency-Key: $(printf '%-255s' "$idem" | tr ' ' k)"
	want 201
	api POST "$list" -d name=x -d "slug=$slug-4" -H "Idempotency-Key: $(printf '%-256s' "$idem" | tr ' ' k)"
	want 400 '.message | contains("Idempotency-Key")'
}

@test "after a day a key is forgotten" {
	once POST "$list" -d name=Lost -d "slug=$slug"
	want 201
	sql "UPDATE idempotency_keys SET created_at = created_at - INTERVAL 25 HOUR"
	once POST "$list" -d name=Lost -d "slug=$slug-new"
	want 201
	sql "UPDATE idempotency_keys SET created_at = created_at - INTERVAL 25 HOUR"
	"$ctl" publish
	[ "$(sql 'SELECT COUNT(*) FROM idempotency_keys')" = 0 ]
}
