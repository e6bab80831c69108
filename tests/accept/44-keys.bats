# Keys, as the API creates, lists and revokes them.
load lib

list=/api/v1/keys

# create [CURL ARGUMENT]...: creates a key; sets $made (its id) and $text.
create() {
	api POST "$list" "$@"
	want 201
	made=$(jq .data.id "$answer")
	text=$(jq -r .data.key "$answer")
}

@test "a key is created and shown once, works, and is revoked" {
	create -d 'label= deploy ' -d is_read_only=0 -d expires_at=2999-01-02T03:04:05Z
	want 201 '.data.label == "deploy"' '.data.is_read_only == false' '.data.expires_at == "2999-01-02T03:04:05Z"' \
		'.data.revoked_at == null' '.data.last_used_at == null' '.data.key | test("^dm_[A-Za-z0-9_-]{43}$")' \
		'.data | keys == ["created_at", "expires_at", "id", "is_read_only", "key", "label", "last_used_at", "location", "made_by", "revoked_at"]'
	[ "$(header Location)" = "$base$list/$made" ]
	[ "$(header Cache-Control)" = 'private, no-store' ]
	[ -n "$(header ETag)" ]
	call "$text" GET "$list/$made"
	want 200 ".data.id == $made" '.data | has("key") | not'
	want_queries 2
	call "$text" POST /api/v1/monitors -d name=ByNewKey
	want 201
	api GET "$list?per_page=100"
	want 200 ".data[0].id == $made" '.data[0].last_used_at != null' 'all(.data[]; has("key") or has("key_hash") | not)'
	api DELETE "$list/$made"
	want 200 ". == {id: $made, object: \"key\", deleted: true, status: 200}"
	call "$text" GET "$list"
	want 401
	api GET "$list/$made"
	want 200 '.data.revoked_at != null'
	api DELETE "$list/$made"
	want 404
}

@test "each field goes to its own column" {
	create -H 'Content-Type: application/json' -d '{"label": "l1", "is_read_only": true, "expires_at": "2998-01-02T03:04:05Z"}'
	[ "$(sql "SELECT CONCAT_WS('|', label, is_read_only, expires_at, revoked_at IS NULL, key_hash = UNHEX(SHA2('$text', 256)))
		FROM api_keys WHERE id = $made")" = 'l1|1|2998-01-02 03:04:05|1|1' ]
	call "$text" GET "$list"
	want 200
	for ask in "POST $list" "DELETE $list/$made"; do
		read -r method path <<<"$ask"
		call "$text" "$method" "$path"
		want 403
	done
	create
	want 201 '.data.label == null' '.data.expires_at == null' '.data.is_read_only == false'
}

@test "a key may revoke itself, and only then is refused" {
	create -d label=self
	call "$text" DELETE "$list/$made" -H "Idempotency-Key: self-$made"
	want 200 '.deleted == true'
	call "$text" DELETE "$list/$made" -H "Idempotency-Key: self-$made"
	want 401
	api GET "/api/v1/events?object=key&object_id=$made"
	want 200 '.data | map(.kind) == ["key.revoked", "key.created"]' ".data[0].actor.id == $made"
}

@test "another account sees and revokes nothing" {
	create -d label=mine
	other GET "$list/$made"
	want 404
	other DELETE "$list/$made"
	want 404
	other GET "$list?per_page=100"
	want 200 ".data | map(.id) | index($made) == null"
	call "$text" GET "$list"
	want 200
	api DELETE "$list/999999999"
	want 404
	other PUT "$list/$made" -d label=x
	want 404
	anyone POST "$list"
	want 401
}

@test "a key that ends makes no key that lasts longer" {
	ends=2998-01-02T03:04:05Z
	create -d label=leased -d "expires_at=$ends"
	leased=$made maker=$text
	for expires in '' 'null'; do
		call "$maker" POST "$list" -H 'Content-Type: application/json' -d "{\"label\": \"x\"${expires:+, \"expires_at\": null}}"
		want 201 ".data.expires_at == \"$ends\"" ".data.made_by == {id: $leased, label: \"leased\"}"
	done
	call "$maker" POST "$list" -d expires_at=2998-01-02T03:04:06Z
	want_fault expires_at "$ends"
	call "$maker" POST "$list" -d expires_at=2998-01-02T03:04:04Z
	want 201 '.data.expires_at == "2998-01-02T03:04:04Z"'
	# A key of a key of the key.
	call "$(jq -r .data.key "$answer")" POST "$list" -d expires_at="$ends"
	want_fault expires_at 2998-01-02T03:04:04Z
	id=$("$ctl" key create --account "$account" --label by-hand --json | jq .id)
	api GET "$list/$id"
	want 200 '.data.made_by == null'
	api POST "$list" -d label=x -d made_by=7
	want_fault made_by
}

@test "a leaked key is revoked with the keys that it has made" {
	create -d label=leaked
	leaked=$made
	call "$text" POST "$list" -d label=child
	want 201
	child=$(jq .data.id "$answer") child_text=$(jq -r .data.key "$answer")
	call "$child_text" POST "$list" -d label=third
	third=$(jq -r .data.key "$answer")
	# The second is revoked by itself, which the third survives.
	api DELETE "$list/$child"
	want 200
	call "$third" GET "$list"
	want 200
	api DELETE "$list/$leaked?with_made=maybe"
	want_fault with_made
	api DELETE "$list/$leaked" -H "Idempotency-Key: leaked-$leaked"
	want 200 'has("revoked_key_count") | not'
	api DELETE "$list/$leaked?with_made=1" -H "Idempotency-Key: leaked-$leaked"
	want 409
	api DELETE "$list/$leaked?with_made=1"
	want 200 ". == {id: $leaked, object: \"key\", deleted: true, revoked_key_count: 1, status: 200}"
	told=$(jq -c '[keys[]]' "$answer")
	anyone GET /api/v1/openapi.json
	want 200 "$told - (.components.schemas.Deleted.properties | keys) == []"
	call "$third" GET "$list"
	want 401
	other DELETE "$list/$leaked?with_made=1"
	want 404
	"$ctl" key list --account "$account" | grep -q "key $child\$"
	[ "$("$ctl" key revoke "$leaked" --with-made)" = "Revoked key $leaked. Revoked descendants: 0." ]
}

@test "a key is changed in what is sent, with an event that tells it" {
	create -d label=first -d expires_at=2998-01-02T03:04:05Z
	etag=$(header ETag)
	api POST "$list/$made" -d _method=put -d 'label= second '
	want 200 '.data.label == "second"' '.data.expires_at == "2998-01-02T03:04:05Z"' '.data.is_read_only == false' '.data | has("key") | not'
	want_queries_at_most 9
	[ "$(header ETag)" != "$etag" ]
	api PUT "$list/$made" -H "If-Match: $etag" -d label=third
	want 412
	api PATCH "$list/$made" -H 'Content-Type: application/json' -d '{"expires_at": "2997-01-02T03:04:05Z", "is_read_only": true}'
	want 200 '.data.label == "second"' '.data.expires_at == "2997-01-02T03:04:05Z"' '.data.is_read_only == true'
	[ "$(sql "SELECT CONCAT_WS('|', label, is_read_only, expires_at, key_hash = UNHEX(SHA2('$text', 256)))
		FROM api_keys WHERE id = $made")" = 'second|1|2997-01-02 03:04:05|1' ]
	call "$text" POST /api/v1/monitors -d name=x
	want 403
	call "$text" PUT "$list/$made" -d label=x
	want 403
	call "$text" GET "$list/$made"
	want 200
	# What was read can be sent back, and changes nothing.
	jq .data "$answer" >"$BATS_TEST_TMPDIR/read"
	api PUT "$list/$made" -H 'Content-Type: application/json' -d "@$BATS_TEST_TMPDIR/read"
	want 200
	api GET "/api/v1/events?object=key&object_id=$made"
	want 200 '.data | map(.kind) == ["key.updated", "key.updated", "key.created"]' \
		'.data[0].detail == "second; expires at: 2997-01-02T03:04:05Z; read-only"' '.data[1].detail == "second"'
	api GET "/api/v1/events?kind=key.updated"
	want 200 ".data[0].object_id == $made"
	api DELETE "$list/$made"
	want 200
	api PUT "$list/$made" -d label=x
	want 404
	api PUT "$list/999999999" -d label=x
	want 404
}

@test "a change gives a key nothing that it does not have" {
	ends=2998-01-02T03:04:05Z
	create -d label=maker -d "expires_at=$ends"
	maker=$made maker_text=$text
	create -d label=free
	free=$made
	call "$maker_text" POST "$list" -d label=child -d is_read_only=1
	child=$(jq .data.id "$answer") child_text=$(jq -r .data.key "$answer")
	# Not longer than its maker, for whoever asks; not longer than the key that asks; not itself.
	for ask in "$key $child" "$maker_text $free" "$maker_text $maker"; do
		read -r asking id <<<"$ask"
		for end in 2998-01-02T03:04:06Z ''; do
			if [ "$id" = "$free" ] && [ -z "$end" ]; then continue; fi
			call "$asking" PUT "$list/$id" -d "expires_at=$end" -d label=changed
			want_fault expires_at "$ends"
		done
	done
	[ "$(sql "SELECT COUNT(*) FROM api_keys WHERE id IN ($maker, $free, $child) AND label = 'changed'")" = 0 ]
	api PUT "$list/$child" -d is_read_only=0
	want_fault is_read_only 'can no longer be false'
	call "$child_text" PUT "$list/$child" -d is_read_only=0
	want 403
	for pair in label= expires_at=soon expires_at=2020-01-01T00:00:00Z is_read_only=maybe id=7 made_by=7 \
		revoked_at=2026-01-01T00:00:00Z last_used_at=2026-01-01T00:00:00Z "label=$(printf 'a%.0s' $(seq 256))"; do
		api PUT "$list/$free" -d "$pair"
		want_fault "${pair%%=*}"
	done
	# A key with an end may set an end that is not later than its own, and take back none.
	call "$maker_text" PUT "$list/$free" -d "expires_at=$ends"
	want 200 ".data.expires_at == \"$ends\""
	call "$maker_text" PUT "$list/$free" -d expires_at=
	want_fault expires_at
	api PUT "$list/$free" -d expires_at=
	want 200 '.data.expires_at == null'
	sql "UPDATE api_keys SET expires_at = '2026-01-01 00:00:00' WHERE id = $free"
	api PUT "$list/$free" -d expires_at=2999-01-01T00:00:00Z
	want_fault expires_at 'has expired'
	api PUT "$list/$free" -d label=late
	want 200 '.data.label == "late"'
}

@test "keys end with the key that made them, also if its end is moved" {
	create -d label=maker
	maker=$made maker_text=$text
	call "$maker_text" POST "$list" -d label=child
	child=$(jq .data.id "$answer") child_text=$(jq -r .data.key "$answer")
	call "$child_text" POST "$list" -d label=third
	third=$(jq .data.id "$answer")
	call "$maker_text" POST "$list" -d label=short -d expires_at=2990-01-01T00:00:00Z
	short=$(jq .data.id "$answer")
	api PUT "$list/$maker" -d expires_at=2998-01-02T03:04:05Z
	want 200
	for id in "$child" "$third"; do
		api GET "$list/$id"
		want 200 '.data.expires_at == "2998-01-02T03:04:05Z"'
		api GET "/api/v1/events?object=key&object_id=$id"
		want 200 '.data[0].kind == "key.updated"' '.data[0].detail | endswith("; expires at: 2998-01-02T03:04:05Z")'
	done
	api GET "$list/$short"
	want 200 '.data.expires_at == "2990-01-01T00:00:00Z"'
	# A later end of the maker does not move the ends of the others.
	api PUT "$list/$maker" -d expires_at=
	want 200 '.data.expires_at == null'
	api GET "$list/$child"
	want 200 '.data.expires_at == "2998-01-02T03:04:05Z"'
	api PUT "$list/$child" -d expires_at=2999-01-02T03:04:05Z
	want 200
}

@test "a key without a label is sent back as it was read, and a label is removed" {
	create -d is_read_only=1
	want 201 '.data.label == null'
	for label in null '"named"' null; do
		api PUT "$list/$(jq .data.id "$answer")" -H 'Content-Type: application/json' \
			-d "$(jq -c "{label: $label} + (.data | {is_read_only, expires_at})" "$answer")"
		want 200 ".data.label == $label" '.data.is_read_only' '.data.expires_at == null'
	done
	api POST "$list" -H 'Content-Type: application/json' -d '{"label": null}'
	want 201 '.data.label == null'
}

@test "a value that is not allowed is named" {
	for pair in label= expires_at=soon expires_at=2020-01-01T00:00:00Z is_read_only=maybe id=7 \
		revoked_at=2026-01-01T00:00:00Z last_used_at=2026-01-01T00:00:00Z; do
		api POST "$list" -d "$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list" -d "label=$(printf 'a%.0s' $(seq 256))" -d expires_at=2020-01-01T00:00:00Z
	want 422 '.errors | keys == ["expires_at", "label"]'
	for pair in per_page=20 page=0 search_by=id sort_by=name sort=up 'search=a%00b'; do
		api GET "$list?$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list" -d _method=PUT
	want 405
	create
	api POST "$list/$made" -d label=x
	want 405
}

@test "the list is searched and sorted, with two queries each" {
	tag=$(new_slug)
	for label in "$tag b%" "$tag a_" "$tag B%"; do create --data-urlencode "label=$label"; done
	list_labels() { jq -r '[.data[].label | ltrimstr("'"$tag"' ")] | join(" ")' "$answer"; }
	for ask in 'sort_by=label&sort=asc:a_ b% B%' 'sort_by=label:B% b% a_' 'sort=asc:b% a_ B%' 'sort_by=id&sort=desc:B% a_ b%'; do
		api GET "$list?search=${tag^^}&search_by=label&${ask%%:*}"
		want 200 '.meta.total == 3'
		want_queries 2
		[ "$(list_labels)" = "${ask#*:}" ]
	done
	api GET "$list" --get --data-urlencode "search=$tag b%"
	want 200 '.meta.total == 2'
	api GET "$list?search=$tag&per_page=10&page=2"
	want 200 '.data == []' '.meta.total == 3'
	want_queries 3
	api GET "$list?searching=x"
	want 200
	[ "$(header X-Daymark-Ignored)" = searching ]
	other GET "$list?search=$tag"
	want 200 '.data == []'
}

@test "pages of the list follow one another without a gap, with two queries each" {
	account=$("$ctl" account add "Keys $(new_slug)" --json | jq .id)
	key=$("$ctl" key create --account "$account" --json | jq -r .key)
	for _ in $(seq 11); do create; done
	: >"$BATS_TEST_TMPDIR/ids"
	url="$base$list"
	while [ "$url" != null ]; do
		api GET "${url#"$base"}"
		want 200 '.meta.total == 12'
		want_queries 2
		jq -r '.data[].id' "$answer" >>"$BATS_TEST_TMPDIR/ids"
		url=$(jq -r .links.next "$answer")
	done
	[ "$(wc -l <"$BATS_TEST_TMPDIR/ids")" = 12 ]
	sort -nru "$BATS_TEST_TMPDIR/ids" | cmp - "$BATS_TEST_TMPDIR/ids"
	api GET "$list?page=9"
	want 200 '.data == []' '.meta.total == 12'
	want_queries 3
	# Each key has its own limit of requests, so an account creates a limited number.
	sql "INSERT INTO api_keys (account_id, key_hash, label, created_at)
		SELECT $account, UNHEX(SHA2(CONCAT('$account-', seq), 256)), 'many', NOW() FROM seq_1_to_88"
	api POST "$list"
	want 422 '.errors == {keys: ["The account may have at most 100 valid keys."]}'
	"$ctl" key create --account "$account"
	api DELETE "$list/$made"
	want 200
	api POST "$list"
	want 422
	sql "UPDATE api_keys SET expires_at = '2026-01-01 00:00:00' WHERE account_id = $account AND label = 'many'"
	create
}

@test "a key is neither in events nor in the log nor in a stored response" {
	idempotency=$(new_slug)
	create -d "label=$idempotency" -H "Idempotency-Key: $idempotency"
	id=$made
	api POST "$list" -d "label=$idempotency" -H "Idempotency-Key: $idempotency"
	want 201 ".data.id == $id" '.data.key == null' ".data.label == \"$idempotency\""
	[ "$(header Idempotent-Replayed)" = true ]
	[ "$(header Location)" = "$base$list/$id" ]
	[ "$(sql "SELECT COUNT(*) FROM api_keys WHERE label = '$idempotency'")" = 1 ]
	api POST "$list" -d label=other -H "Idempotency-Key: $idempotency"
	want 409
	log_line
	[ ${#text} = 46 ]
	refute grep -aqF -- "${text#dm_}" "$log"
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%$text%' OR headers LIKE '%$text%'")" = 0 ]
	[ "$(sql "SELECT COUNT(*) FROM idempotency_keys WHERE body LIKE '%\"id\":$id,%\"key\":null%'")" = 1 ]
	api GET "/api/v1/events?object=key&object_id=$id"
	want 200 '.data[0].kind == "key.created"' ".data[0].detail == \"$idempotency\""
	refute shows "${text#dm_}"
	hash=$(printf %s "$text" | sha256sum | cut -d ' ' -f 1)
	refute shows "${hash:0:16}"
}

@test "an ETag guards a revocation" {
	create -d label=guarded
	etag=$(header ETag)
	api GET "$list/$made" -H "If-None-Match: $etag"
	want 304
	api DELETE "$list/$made" -H 'If-Match: "0-0"'
	want 412
	api DELETE "$list/$made" -H "If-Match: $etag"
	want 200
}

@test "a key can ask what it is, what it may do, and what the account has used" {
	create -d label=asking -d is_read_only=1 -d expires_at=2999-01-02T03:04:05Z
	call "$text" GET /api/v1/account
	want 200 ".data.id == $account" ".data.key == {id: $made, label: \"asking\", is_read_only: true,
		expires_at: \"2999-01-02T03:04:05Z\"}" '.data.version | test("^[0-9]")' \
		'.data.limits[0] | .name == "requests" and .per == "key_minute"' \
		'[.data.quotas[].name] == ["status_pages", "monitors", "keys", "maintenances", "incident_templates", "incidents", "upload_bytes", "response_bytes"]'
	want_queries_at_most 3
	refute grep -qF "$text" "$answer"
	used() { jq ".data.quotas[] | select(.name == \"$1\").used" "$answer"; }
	[ "$(used status_pages)" = "$(sql "SELECT COUNT(*) FROM status_pages WHERE account_id = $account")" ]
	keys=$(used keys) windows=$(used maintenances) monitors=$(used monitors)
	new_monitor
	api POST /api/v1/maintenances -d title=x -d starts_at=2027-01-01T00:00:00Z -d ends_at=2027-01-01T01:00:00Z
	# A revoked key does not count, and neither does what another account has.
	api DELETE "$list/$made"
	other POST /api/v1/monitors -d name=x
	api GET /api/v1/account
	[ "$(used keys) $(used maintenances) $(used monitors)" = "$((keys - 1)) $((windows + 1)) $((monitors + 1))" ]
	other GET /api/v1/account
	want 200 ".data.id != $account"
	anyone GET /api/v1/account
	want 401
	api POST /api/v1/account
	want 405
}
