# bats file_tags=server
# What does not come to the program: below the API it is refused in the program's form.
load lib

# refused: reads lines of "NAME STATUS REQUEST" (a Python text), sends each on a connection of
# its own, and wants JSON that names the answer's status. STATUS may be several, by commas.
refused() {
	cat >"$BATS_TEST_TMPDIR/requests"
	PYTHONPATH=$TOP/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$base" "$BATS_TEST_TMPDIR/requests" 3>&- <<'END'
import json
import sys
from raw_http import ask_all

failed = []
for name, statuses, head, body in ask_all(sys.argv[1], "/api/v1/status-pages", sys.argv[2]):
    try:
        status = int(head.split(" ")[1])
        assert status in statuses, "another status"
        assert "\r\ncontent-type: application/json" in head.lower(), "another type"
        assert json.loads(body)["status"] == status, "not the status in the body"
    except (AssertionError, IndexError, KeyError, ValueError) as error:
        failed.append(f"{name}: {error!r}\n{head[:400]!r}\n{body[:400]!r}")
print("\n".join(failed))
sys.exit(len(failed) > 0)
END
}

# `$` stands for a Host and `Connection: close`, `@` for the path.
@test "methods that web servers take for themselves are refused in JSON" {
	refused <<'END'
FOO 400,401,405,501 "FOO @ HTTP/1.1\r\n$\r\n"
lower-case 400,401,405,501 "get @ HTTP/1.1\r\n$\r\n"
END
	[ "${DAYMARK_ACCEPT_ERRORS:-}" != htaccess ] || skip "Apache answers TRACE before it reads an .htaccess"
	refused <<'END'
TRACE 401,405 "TRACE @ HTTP/1.1\r\n$\r\n"
CONNECT 400,401,405 "CONNECT @ HTTP/1.1\r\n$\r\n"
END
}

@test "a TRACE is not answered with what it brought" {
	[ "${DAYMARK_ACCEPT_ERRORS:-}" != htaccess ] || skip "Apache answers TRACE before it reads an .htaccess"
	for path in /api/v1/status-pages /s/demo/ /; do
		anyone TRACE "$path" -H 'X-Brought: along'
		refute grep -q along "$answer"
	done
}

@test "a body that is far too large is refused in JSON" {
	[ "${DAYMARK_ACCEPT_ERRORS:-}" != htaccess ] || skip "on shared hosting that is the host's to set"
	head -c 12000000 /dev/zero >"$BATS_TEST_TMPDIR/body"
	api POST /api/v1/status-pages -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/body"
	want 413 '.status == 413'
	[ "$(header Content-Type)" = application/json ]
}

@test "a request that the web server cannot read is refused in JSON" {
	[ -z "${DAYMARK_ACCEPT_ERRORS:-}" ] || skip "this web server says so in a form of its own"
	refused <<'END'
coding 400,501 "POST @ HTTP/1.1\r\n$Transfer-Encoding: gzip\r\n\r\n"
codings 400,401,501 "POST @ HTTP/1.1\r\n$Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
identity 400,501 "POST @ HTTP/1.1\r\n$Transfer-Encoding: identity\r\n\r\n"
both 400,401 "POST @ HTTP/1.1\r\n$Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
chunk 400,401 "POST @ HTTP/1.1\r\n$Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n"
length 400 "POST @ HTTP/1.1\r\n$Content-Length: x\r\n\r\n"
no-host 400 "GET @ HTTP/1.1\r\nConnection: close\r\n\r\n"
bad-host 400 "GET @ HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n"
bad-header 400 "GET @ HTTP/1.1\r\n$Bad Header\r\n\r\n"
nul 400 "GET @ HTTP/1.1\r\n$X-A: a\0b\r\n\r\n"
percent 400 "GET @/%zz HTTP/1.1\r\n$\r\n"
zero 400,404 "GET @/%00 HTTP/1.1\r\n$\r\n"
above 400,401,404 "GET @/../../../../x HTTP/1.1\r\n$\r\n"
slash 401 "GET @%2f1 HTTP/1.1\r\n$\r\n"
version 400,401,505 "GET @ HTTP/3.0\r\n$\r\n"
expect 401,417 "POST @ HTTP/1.1\r\n$Expect: nothing\r\nContent-Length: 0\r\n\r\n"
END
	long=$(printf 'a%.0s' $(seq 40000))
	refused <<END
uri 400,414,431 "GET @?$long HTTP/1.1\r\n\$\r\n"
header 400,431 "GET @ HTTP/1.1\r\n\$X-A: $long\r\n\r\n"
END
}
