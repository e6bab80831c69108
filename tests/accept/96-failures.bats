# Failures of every kind that openapi.json names; 97-statuses compares it with what came.
load lib
load ../lib/statuses

list=/api/v1/status-pages

@test "failures of every kind have their status, and the log tells them apart" {
	new_page
	new_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause x --json | jq .id)
	read_only=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	: >"$BATS_TEST_TMPDIR/wanted"
	# fail STATUS METHOD PATH ROUTE [CURL ARGUMENT]...
	fail() {
		api "$2" "$3" "${@:5}"
		want "$1"
		echo "$2 $4 $1" >>"$BATS_TEST_TMPDIR/wanted"
	}
	for one in "$list/$page $list/{id}" "/api/v1/incidents/$incident /api/v1/incidents/{id}" \
		"/api/v1/monitors/$monitor /api/v1/monitors/{id}"; do
		read -r path route <<<"$one"
		fail 200 GET "$path" "$route"
		fail 400 DELETE "$path" "$route" -H "Idempotency-Key: $(printf 'k%.0s' $(seq 300))"
		for method in PUT PATCH; do
			fail 400 "$method" "$path" "$route" -H 'Content-Type: application/json' -d '{'
			fail 415 "$method" "$path" "$route" -H 'Content-Type: text/plain' -d x
			fail 422 "$method" "$path" "$route" -d id=1
			fail 412 "$method" "$path" "$route" -d x=1 -H 'If-Match: "0-0"'
			fail 404 "$method" "${path%/*}/999999999" "$route" -d x=1
		done
		fail 405 POST "$path" "$route" -d x=1
		fail 412 DELETE "$path" "$route" -H 'If-Match: "0-0"'
		fail 404 DELETE "${path%/*}/999999999" "$route"
		fail 404 GET "${path%/*}/999999999" "$route"
		call "$read_only" DELETE "$path"
		want 403
		echo "DELETE $route 403" >>"$BATS_TEST_TMPDIR/wanted"
	done
	fail 405 POST "$list" "$list" -d _method=PUT
	fail 422 POST "$list" "$list" -d _method=GET
	fail 405 POST /hooks/generic /hooks/generic -d _method=PUT
	fail 400 POST /hooks/alertmanager /hooks/alertmanager -H 'Content-Type: application/json' -d '{'
	fail 422 GET "$list?page=0" "$list"
	fail 422 GET "/api/v1/monitors?page=0" /api/v1/monitors
	made=$("$ctl" key create --account "$account" --json | jq .id)
	fail 200 GET "/api/v1/keys/$made" '/api/v1/keys/{id}'
	fail 404 GET /api/v1/keys/999999999 '/api/v1/keys/{id}'
	fail 412 DELETE "/api/v1/keys/$made" '/api/v1/keys/{id}' -H 'If-Match: "0-0"'
	fail 200 DELETE "/api/v1/keys/$made" '/api/v1/keys/{id}'
	fail 404 DELETE "/api/v1/keys/$made" '/api/v1/keys/{id}'
	fail 422 GET '/api/v1/keys?page=0' /api/v1/keys
	fail 422 POST /api/v1/keys /api/v1/keys -d expires_at=x
	fail 415 POST /api/v1/keys /api/v1/keys -H 'Content-Type: text/plain' -d x
	fail 405 POST /api/v1/keys /api/v1/keys -d _method=PUT
	fail 422 POST "$list/$page/links" "$list/{id}/links" -d expires_in=1
	fail 404 POST "$list/999999999/links" "$list/{id}/links"
	fail 405 POST "$list/$page/links" "$list/{id}/links" -d _method=PUT
	fail 201 POST "$list/$page/links" "$list/{id}/links" -d expires_in=60
	fail 422 POST /api/v1/monitors /api/v1/monitors -d url=x
	fail 405 POST /api/v1/monitors /api/v1/monitors -d _method=PUT
	fail 422 DELETE "/api/v1/monitors/$monitor?keep_history=x" '/api/v1/monitors/{id}'
	fail 422 GET "/internal/domain-check" /internal/domain-check
	fail 404 GET "/internal/domain-check?domain=unknown.example.org" /internal/domain-check
	log_line
	came >"$BATS_TEST_TMPDIR/came"
	# The log tells them apart as the test does.
	sort -u "$BATS_TEST_TMPDIR/wanted" | comm -23 - "$BATS_TEST_TMPDIR/came" >"$BATS_TEST_TMPDIR/missing"
	[ ! -s "$BATS_TEST_TMPDIR/missing" ] || { cat "$BATS_TEST_TMPDIR/missing"; false; }
	[ "$(wc -l <"$BATS_TEST_TMPDIR/came")" -ge 40 ]
}
