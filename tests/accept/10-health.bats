load lib

# bats test_tags=server
@test "healthz answers without a key" {
	anyone GET /healthz
	want 200 '.status == 200'
	[ "$(queries)" = 0 ]
}

@test "readyz tells of the database and of unpublished changes" {
	anyone GET /readyz
	want 200 '.database == "up"' '.migrations == "complete"' '.oldest_unpublished_s | type == "number"'
	# The disk is compared with the database once in ten seconds.
	anyone GET /readyz
	want 200
	[ "$(queries)" = 2 ]
}

# bats test_tags=server
@test "openapi.json is served without a key, with this installation's address" {
	anyone GET /api/v1/openapi.json
	want 200 '.openapi | startswith("3.1")' ".servers[0].url == \"$base\""
	[ "$(queries)" = 0 ]
}

# bats test_tags=server
@test "HEAD is served wherever GET is, without a body and with its length" {
	for path in /healthz /readyz /api/v1/openapi.json /api/v1/status-pages; do
		api GET "$path"
		length=$(header Content-Length)
		api HEAD "$path"
		[ "$status" = 200 ]
		[ ! -s "$answer" ]
		# Apache leaves it out where a CGI program's output ends a moment late.
		[ "$(header Content-Length)" = "$length" ] ||
			[ -n "${DAYMARK_ACCEPT_CONF:-}" -a -z "$(header Content-Length)" ] || { echo "$path: $length"; show; }
	done
}

# bats test_tags=server
@test "OPTIONS answers 204 with Allow, without a key" {
	anyone OPTIONS /api/v1/status-pages
	[ "$status" = 204 ]
	[ "$(header Allow)" = "GET, HEAD, POST" ]
	anyone OPTIONS /api/v1/status-pages/1
	[ "$status" = 204 ]
	[ "$(header Allow)" = "GET, HEAD, PUT, PATCH, DELETE" ]
	[ ! -s "$answer" ]
}

# bats test_tags=server
@test "every answer has a request id and is not sniffed" {
	for path in /healthz /api/v1/nothing /api/v1/status-pages/0; do
		api GET "$path"
		[[ "$(header X-Request-Id)" =~ ^[0-9a-f]{16}$ ]]
		[ "$(header X-Content-Type-Options)" = nosniff ]
	done
}

# bats test_tags=server
@test "every body of JSON ends with a newline, and its length counts it" {
	for path in /healthz /readyz /api/v1/openapi.json /api/v1/status-pages /api/v1/status-pages/0 /api/v1/nothing; do
		api GET "$path"
		[ "$(tail -c 1 "$answer" | od -An -tx1)" = " 0a" ] || { echo "$path"; show; }
		length=$(header Content-Length)
		[ -z "$length" ] || [ "$length" = "$(wc -c <"$answer")" ] || { echo "$path"; show; }
	done
	anyone GET /api/v1/status-pages
	[ "$status" = 401 ]
	[ "$(tail -c 1 "$answer" | od -An -tx1)" = " 0a" ]
}
