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
		'.data | keys == ["created_at", "expires_at", "id", "is_read_only", "key", "label", "last_used_at", "made_by", "revoked_at"]'
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
	api PUT "$list/$made" -d label=x
	want 405
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
	want 200 'has("revoked_keys") | not'
	api DELETE "$list/$leaked?with_made=1" -H "Idempotency-Key: leaked-$leaked"
	want 409
	api DELETE "$list/$leaked?with_made=1"
	want 200 ". == {id: $leaked, object: \"key\", deleted: true, revoked_keys: 1, status: 200}"
	call "$third" GET "$list"
	want 401
	other DELETE "$list/$leaked?with_made=1"
	want 404
	"$ctl" key list --account "$account" | grep -q "key $child\$"
	[ "$("$ctl" key revoke "$leaked" --with-made)" = "Revoked key $leaked, and 0 that it has made." ]
}

@test "a value that is not allowed is named" {
	for pair in label= expires_at=soon expires_at=2020-01-01T00:00:00Z is_read_only=maybe id=7 \
		revoked_at=2026-01-01T00:00:00Z last_used_at=2026-01-01T00:00:00Z; do
		api POST "$list" -d "$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list" -d "label=$(printf 'a%.0s' $(seq 256))" -d expires_at=2020-01-01T00:00:00Z
	want 422 '.errors | keys == ["expires_at", "label"]'
	for pair in per_page=20 page=0; do
		api GET "$list?$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list" -d _method=PUT
	want 405
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
		'[.data.quotas[].name] == ["status_pages", "monitors", "keys", "maintenances", "incidents", "upload_bytes", "response_bytes"]'
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
