load lib

list=/api/v1/status-pages
urlencoded='Content-Type: application/x-www-form-urlencoded'

count() {
	sql 'SELECT COUNT(*) FROM status_pages'
}

# raw TEXT: sends bytes as they are and prints the answer.
raw() {
	python3 - "$base" <<END
import socket, sys
host, port = sys.argv[1].split('//')[1].split('/')[0].split(':')
s = socket.create_connection((host, int(port)), 20)
s.sendall($1)
${2:-}
answer = b''
while True:
    try:
        piece = s.recv(65536)
    except ConnectionResetError:
        break
    if not piece: break
    answer += piece
sys.stdout.write(answer.decode('utf-8', 'replace'))
END
}

@test "a body of another type is 415, and none is none" {
	for type in text/plain application/xml rubbish; do
		api POST "$list" -H "Content-Type: $type" -d 'name=x'
		want 415 '.status == 415'
	done
	api POST "$list" -H 'Content-Type:' -d 'name=x'
	want 415
	api POST "$list" -H 'Content-Type: text/plain'
	want 422
}

@test "bodies that cannot be decoded are 400 and change nothing" {
	before=$(count)
	for body in '{' '[]' '"x"' '{"name":"x","slug":"y"' "{'name':1}" 'null'; do
		api POST "$list" -H 'Content-Type: application/json' -d "$body"
		want 400 '.status == 400' '.message | length > 0'
	done
	for type in 'multipart/form-data' 'multipart/form-data; boundary=B; boundary=C'; do
		api POST "$list" -H "Content-Type: $type" -d x
		want 400
	done
	slug=$(new_slug)
	printf -- '--B\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--B\r\nContent-Disposition: form-data; name="slug"\r\n\r\n%s\r\n' "$slug" >"$BATS_TEST_TMPDIR/body"
	api POST "$list" -H 'Content-Type: multipart/form-data; boundary=B' --data-binary "@$BATS_TEST_TMPDIR/body"
	want 400
	printf -- '--B--\r\n' >>"$BATS_TEST_TMPDIR/body"
	[ "$(count)" = "$before" ]
	api POST "$list" -H 'Content-Type: multipart/form-data; boundary=B' --data-binary "@$BATS_TEST_TMPDIR/body"
	want 201
}

@test "text that is no UTF-8 or has a NUL is 422 and names the field" {
	for value in %FF %C0%AF %ED%A0%80 a%00b; do
		api POST "$list" -d "name=$value" -d "slug=$(new_slug)"
		want_fault name UTF-8
	done
	api POST "$list" -H 'Content-Type: application/json' -d '{"name":"a\u0000b","slug":"x"}'
	want_fault name UTF-8
}

# bats test_tags=server
@test "8 MiB are taken, one byte more is 413, both before and behind nginx" {
	{ printf 'x='; head -c $((8388608 - 2)) /dev/zero | tr '\0' a; } >"$BATS_TEST_TMPDIR/body"
	api POST "$list" -H "$urlencoded" --data-binary "@$BATS_TEST_TMPDIR/body"
	want 422
	printf a >>"$BATS_TEST_TMPDIR/body"
	api POST "$list" -H "$urlencoded" --data-binary "@$BATS_TEST_TMPDIR/body"
	want 413 '.status == 413'
	head -c 12000000 /dev/zero >"$BATS_TEST_TMPDIR/body"
	api POST "$list" -H "$urlencoded" -H Expect: --data-binary "@$BATS_TEST_TMPDIR/body"
	want 413 '.status == 413'
}

# bats test_tags=server
@test "a chunked body is read" {
	[ "${DAYMARK_ACCEPT_ERRORS:-}" != text ] || skip "Caddy hands a chunked body on with the length -1"
	slug=$(new_slug)
	api POST "$list" -H "$urlencoded" -H 'Transfer-Encoding: chunked' -d "name=Chunked&slug=$slug"
	want 201 '.data.name == "Chunked"'
}

# bats test_tags=server
@test "a body cut short by the client changes nothing" {
	before=$(count)
	slug=$(new_slug)
	head="POST ${base#http://*[0-9]}$list HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer $key\\r\\n$urlencoded\\r\\nContent-Length: 1000\\r\\n\\r\\nname=x&slug=$slug"
	raw "b'$head'" 's.shutdown(socket.SHUT_WR)' >/dev/null
	sleep 0.5
	[ "$(count)" = "$before" ]
	chunked=${head/Content-Length: 1000/Transfer-Encoding: chunked}
	raw "b'${chunked%name=*}40\\r\\nname=x&slug=$slug'" 's.shutdown(socket.SHUT_WR)' >/dev/null
	sleep 0.5
	[ "$(count)" = "$before" ]
}

@test "lengths that are none are refused" {
	for length in -1 x 99999999999999999999 '5, 6'; do
		raw "b'POST ${base#http://*[0-9]}$list HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nAuthorization: Bearer $key\\r\\n$urlencoded\\r\\nContent-Length: $length\\r\\n\\r\\nname='" >"$BATS_TEST_TMPDIR/out"
		grep -Eq '^HTTP/1.1 (400|413)' "$BATS_TEST_TMPDIR/out"
	done
}

@test "what nginx itself refuses is JSON as well" {
	api GET "$list/%zz"
	want 400 '.status == 400'
	api GET "$list?$(printf 'a%.0s' $(seq 9000))"
	want 400 '.status == 400'
}

@test "too many fields are 400" {
	printf 'a=1&%.0s' $(seq 2001) >"$BATS_TEST_TMPDIR/body"
	api POST "$list" -H "$urlencoded" --data-binary "@$BATS_TEST_TMPDIR/body"
	want 400
}

@test "1,000 monitors are taken, one more is 422" {
	sql "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
		SELECT $account, CONCAT('many ', n.number), 'https://example.org/', UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM (SELECT a.i + 10 * b.i + 100 * c.i AS number FROM
		 (SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) a,
		 (SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) b,
		 (SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) c) n"
	sql "SELECT id FROM monitors WHERE account_id = $account ORDER BY id DESC LIMIT 1001" >"$BATS_TEST_TMPDIR/ids"
	new_page
	head -n 1000 "$BATS_TEST_TMPDIR/ids" | sed 's/^/monitor_ids[]=/' | paste -sd '&' >"$BATS_TEST_TMPDIR/body"
	api PUT "$list/$page" -H "$urlencoded" --data-binary "@$BATS_TEST_TMPDIR/body"
	want 200 '.data.monitor_ids | length == 1000'
	want_queries_at_most 17
	[ "$(jq -c .data.monitor_ids[] "$answer")" = "$(head -n 1000 "$BATS_TEST_TMPDIR/ids")" ]
	sed 's/^/monitor_ids[]=/' "$BATS_TEST_TMPDIR/ids" | paste -sd '&' >"$BATS_TEST_TMPDIR/body"
	api PUT "$list/$page" -H "$urlencoded" --data-binary "@$BATS_TEST_TMPDIR/body"
	want_fault monitor_ids 1000
	sql "DELETE FROM monitors WHERE name LIKE 'many %'"
}
