load lib

unauthenticated='{"message":"Unauthenticated.","status":401}'

want_401() {
	want 401
	[ "$(cat "$answer")" = "$unauthenticated" ] || show
	[ "$(header WWW-Authenticate)" = 'Bearer realm="daymark"' ] || show
	[ "$(header Content-Type)" = application/json ] || show
}

# bats test_tags=server
@test "every kind of bad key gets the same answer" {
	anyone GET /api/v1/status-pages
	want_401
	for value in "Bearer" "Bearer x" "Basic $key" "Bearer ${key}x" "Bearer ${key%?}" \
		"Bearer dm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" "$key"; do
		anyone GET /api/v1/status-pages -H "Authorization: $value"
		want_401
	done
}

@test "the scheme is read in any letter case" {
	anyone GET /api/v1/status-pages -H "authorization: bEaReR $key"
	want 200
}

@test "a key in the query or body is no key" {
	anyone GET "/api/v1/status-pages?api_key=$key&token=$key"
	want_401
	anyone POST /api/v1/status-pages -d "api_key=$key"
	want_401
}

# bats test_tags=server
@test "an unknown path is not told apart without a key" {
	anyone GET /api/v1/nothing
	want_401
	api GET /api/v1/nothing
	want 404 '.status == 404'
	api GET /nothing
	[ "$status" = 404 ]
}

# bats test_tags=server
@test "the key is asked for before the body is read" {
	head -c 1000000 /dev/zero >"$BATS_TEST_TMPDIR/large"
	anyone POST /api/v1/status-pages -H 'Content-Type: application/x-www-form-urlencoded' \
		--data-binary "@$BATS_TEST_TMPDIR/large"
	want_401
}

@test "a revoked key and an expired key are as unknown ones" {
	"$ctl" key create --account "$account" --json >"$BATS_TEST_TMPDIR/key"
	new=$(jq -r .key "$BATS_TEST_TMPDIR/key") id=$(jq -r .id "$BATS_TEST_TMPDIR/key")
	call "$new" GET /api/v1/status-pages
	want 200
	"$ctl" key revoke "$id"
	call "$new" GET /api/v1/status-pages
	want_401
	"$ctl" key create --account "$account" --expires 1m --json >"$BATS_TEST_TMPDIR/key"
	new=$(jq -r .key "$BATS_TEST_TMPDIR/key") id=$(jq -r .id "$BATS_TEST_TMPDIR/key")
	call "$new" GET /api/v1/status-pages
	want 200
	sql "UPDATE api_keys SET expires_at = UTC_TIMESTAMP() WHERE id = $id"
	call "$new" GET /api/v1/status-pages
	want_401
}

@test "a read-only key reads and does not write" {
	new=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	new_page
	call "$new" GET "/api/v1/status-pages/$page"
	want 200
	for method in PUT PATCH DELETE; do
		call "$new" "$method" "/api/v1/status-pages/$page" -d name=Changed
		want 403 '.status == 403'
	done
	call "$new" POST "/api/v1/status-pages/$page" -d _method=PUT -d name=Changed
	want 403
	call "$new" POST /api/v1/status-pages -d name=X -d "slug=$(new_slug)"
	want 403
	api GET "/api/v1/status-pages/$page"
	want 200 '.data.name == "Test"'
}

@test "the last use of a key is noted, once a minute" {
	"$ctl" key create --account "$account" --json >"$BATS_TEST_TMPDIR/key"
	new=$(jq -r .key "$BATS_TEST_TMPDIR/key") id=$(jq -r .id "$BATS_TEST_TMPDIR/key")
	call "$new" GET /api/v1/status-pages
	soon says "SELECT last_used_at IS NOT NULL FROM api_keys WHERE id = $id" 1
	sql "UPDATE api_keys SET last_used_at = UTC_TIMESTAMP() - INTERVAL 30 SECOND WHERE id = $id"
	before=$(sql "SELECT last_used_at FROM api_keys WHERE id = $id")
	call "$new" GET /api/v1/status-pages
	sleep 0.3
	[ "$(sql "SELECT last_used_at FROM api_keys WHERE id = $id")" = "$before" ]
}

@test "no key is ever in the log or stored as it is" {
	api GET /api/v1/status-pages
	anyone GET "/api/v1/status-pages?key=$key"
	log_line
	refute grep -aqF "${key#dm_}" "$log"
	[ "$(sql "SELECT COUNT(*) FROM api_keys WHERE key_hash = '${key:0:32}'")" = 0 ]
}
