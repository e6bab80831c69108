# bats file_tags=tls
# conf/nginx/daymark-tls.conf: TLS, HTTP/2, the way from plain HTTP, limits.
load lib

setup() {
	setup_of_lib
	[ -n "${DAYMARK_ACCEPT_PLAIN:-}" ] || skip "only where TLS is"
}

@test "HTTP/2 is spoken, and no TLS before 1.2" {
	needs openssl
	[ "$(curl -sS -o /dev/null -w '%{http_version}' "$base/healthz")" = 2 ]
	[ "$(curl -sS -o /dev/null -w '%{http_code}' --tlsv1.2 --tls-max 1.2 "$base/healthz")" = 200 ]
	refute openssl s_client -connect "${base#https://}" -tls1_1 -cipher 'ALL:@SECLEVEL=0' </dev/null
}

@test "plain HTTP leads to TLS, but for a certificate's challenge" {
	base=$DAYMARK_ACCEPT_PLAIN anyone GET '/s/demo/?a=b' -H 'Host: status.example.org'
	[ "$status" = 308 ]
	[ "$(header Location)" = 'https://status.example.org/s/demo/?a=b' ]
	base=$DAYMARK_ACCEPT_PLAIN anyone GET /.well-known/acme-challenge/token
	[ "$(cat "$answer")" = token ]
}

@test "links and the cookie know of TLS" {
	new_page -F privacy=2 -F password=x
	jq -e --arg url "$base/s/$slug/" '.data.url == $url' "$answer"
	anyone POST "/s/$slug/" -d password=x
	[ "$status" = 303 ] || show
	[[ "$(header Set-Cookie)" == *"; Secure"* ]]
}

@test "a flood is refused in JSON, and views of pages are not" {
	urls=()
	# More than 100 a second and a burst of 200, on a slow machine too: the responses are small.
	for i in $(seq 1200); do urls+=("$base/api/v1/monitors?$i" -o "$BATS_TEST_TMPDIR/body-$i"); done
	curl -sS -Z --parallel-max 20 -w '%{http_code}\n' "${urls[@]}" >"$BATS_TEST_TMPDIR/codes"
	grep -q 401 "$BATS_TEST_TMPDIR/codes"
	grep -q 429 "$BATS_TEST_TMPDIR/codes"
	refute grep -vqE '^(401|429)$' "$BATS_TEST_TMPDIR/codes"
	refused=$(grep -l 'Too many' "$BATS_TEST_TMPDIR"/body-* | head -n 1)
	jq -e '.status == 429' "$refused"
	here=/s/demo
	see ''
	sleep 2.5
}
