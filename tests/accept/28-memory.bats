# What all requests at once may have in memory, and that small ones go on meanwhile.
load lib

list=/api/v1/status-pages

setup_file() {
	own_unlimited_service_start <<-'END'
		[limits]
		memory_mb = 16
		[server]
		processes = 1
		read_timeout_s = 300
		[database]
		timeout_s = 100
	END
}

teardown_file() {
	own_service_stop
}

teardown() {
	kill -CONT "$(cat "$dir/run/mysql.pid")"
}

setup() {
	own_service
	export SOCKET=$dir/run/daymark.sock KEY=$key PYTHONPATH=$TOP/tests/lib PYTHONDONTWRITEBYTECODE=1
}

workers() {
	cat /proc/"$(cat "$dir/run/daymark.pid")"/task/*/children
}

# The most that a worker has had in memory so far, in MiB.
highest_mb() {
	local pid
	for pid in $(workers); do sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status"; done |
		sort -n | awk 'END { print int($1 / 1024) }'
}

# many N NAME CURL ARGUMENT...: so many at once; their statuses are left in files.
many() {
	local i count=$1 name=$2
	shift 2
	for i in $(seq "$count"); do
		curl -sS --max-time 60 -o "$BATS_TEST_TMPDIR/$name.body.$i" -D "$BATS_TEST_TMPDIR/$name.head.$i" -w '%{http_code}\n' \
			-H "Authorization: Bearer $key" "$@" >"$BATS_TEST_TMPDIR/$name.code.$i" 3>&- &
	done
}

@test "the parameters of a list are in memory once for each of its links" {
	local before
	api GET "/api/v1/monitors?a=$(printf '%07700d' 1)"
	want 200
	before=$(highest_mb)
	api GET "/api/v1/monitors?$(printf 'a=%d&' {1000..2099})"
	want 200
	api GET "/api/v1/events?after=0&$(printf 'a=%d&' {1000..2099})"
	want 200
	[ "$(highest_mb)" -le $((before + 2)) ]
}

@test "large bodies wait for each other, small requests for none" {
	python3 - "$BATS_TEST_TMPDIR" <<'END'
import json, sys
dir = sys.argv[1]
# As heavy as a body may be that has a megabyte.
json.dump({"name": "x", "unknown": [[[]] * 9000 + [0] * 40000], "text": "x" * 700000}, open(dir + "/json", "w"), separators=(",", ":"))
open(dir + "/logo", "wb").write(b"\x89PNG\r\n\x1a\n" + b"x" * (2 << 20))
open(dir + "/form", "w").write("custom_css=" + "a" * 250000 + "&custom_js=" + "b" * 250000 + "&name=" + "c" * 250000 + "&x=" + "d" * 6000000)
END
	new_page
	python3 - >"$BATS_TEST_TMPDIR/alerts" <<'END'
import json
# Without a version, which is seen once all of it is read.
print(json.dumps({"alerts": [{"status": "firing", "startsAt": "2026-11-01T10:00:00Z", "labels": {"alertname": "Down",
    "instance": "memory-%d:9100" % i, "job": "memory"}, "annotations": {"summary": "x" * 300}} for i in range(3000)]}))
END
	before=$(highest_mb)
	many 30 alerts -X POST -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/alerts" "$base/hooks/alertmanager"
	many 30 json -X POST -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json" "$base$list"
	many 30 logo -X PUT -F name=x -F "logo=@$BATS_TEST_TMPDIR/logo" -F "favicon=@$BATS_TEST_TMPDIR/logo" -H "Idempotency-Key: x" "$base$list/$page"
	many 30 form -X PUT --data-binary "@$BATS_TEST_TMPDIR/form" "$base$list/$page"
	for i in $(seq 20); do
		api GET "$list/$page"
		want 200
		api PUT "$list/$page" -d "name=Small $i"
		want 200
		api GET "$list?per_page=25"
		want 200
	done
	wait $(jobs -p)
	# Each is answered: by its own faults, or by the word to come again.
	sort "$BATS_TEST_TMPDIR"/*.code.* | uniq -c >"$BATS_TEST_TMPDIR/codes"
	cat "$BATS_TEST_TMPDIR/codes"
	[ -z "$(grep -vE ' (422|503)$' "$BATS_TEST_TMPDIR/codes")" ]
	grep -q ' 503$' "$BATS_TEST_TMPDIR/codes"
	for code in $(grep -l 503 "$BATS_TEST_TMPDIR"/*.code.*); do
		grep -qi '^Retry-After: [1-9]' "${code/.code./.head.}"
		jq -e '.message | contains("Nothing was changed")' "${code/.code./.body.}" || {
			cat "${code/.code./.body.}"
			tail -5 "$dir/log/nginx-error.log"
			false
		}
	done
	echo "before $before MiB, then $(highest_mb) MiB"
	# 32 MiB of data, four times the largest body, and what the program needs besides them.
	[ "$(highest_mb)" -le $((before + 32 + 16)) ]
	# Alone each goes on: what was held is given back.
	for i in 1 2 3; do
		api PUT "$list/$page" -F name=x -F "logo=@$BATS_TEST_TMPDIR/logo"
		want_fault logo
		api GET "$list?per_page=100"
		want 200
	done
}

@test "a body for which there is no room is refused before it is read, and has room later" {
	new_page
	head -c 4000000 /dev/zero | tr '\0' '&' >"$BATS_TEST_TMPDIR/form"
	# Requests hold their bodies while the database does not answer.
	mysqld=$(cat "$dir/run/mysql.pid")
	kill -STOP "$mysqld"
	# One after another, since bodies that arrive at once are limited apart from that.
	for i in $(seq 40); do
		many 1 "held.$i" -X PUT --data-binary "@$BATS_TEST_TMPDIR/form" "$base$list/$page"
		sleep 0.5
		refused=$(cat "$BATS_TEST_TMPDIR"/held.*.code.1 | grep -c 503) || true
		[ "$refused" -lt 3 ] || break
	done
	[ "$refused" = 3 ]
	python3 - <<'END' 3>&-
import os
from fcgi import *

for _ in range(2):
    peer = Peer(os.environ["SOCKET"])
    answer = peer.send(post_head("/api/v1/status-pages", os.environ["KEY"], 8380000)).answer()
    assert status(answer) == 503 and "Retry-After: 5\r\n" in answer and "X-Request-Id: " in answer, answer
    assert '"message":"The service is busy. Nothing was changed; please try again."' in answer and '"request_id":"' in answer
    for _ in range(160):
        peer.send(record(STDIN, b"&" * 50000))
    peer.send(record(STDIN))
    # The web server is asked to close the connection.
    assert peer.next() == (STDERR, b"")
END
	grep 'route=/api/v1/status-pages status=503' "$log" | grep -q 'error="no memory is free for the body"'
	api PUT "$list/$page" --data-binary "@$BATS_TEST_TMPDIR/form"
	want 503 '.message == "The service is busy. Nothing was changed; please try again."' '.request_id'
	[ "$(header Retry-After)" = 5 ]
	anyone GET /healthz
	want 200
	kill -CONT "$mysqld"
	wait
	refute grep -vE '^(200|503)$' "$BATS_TEST_TMPDIR"/held.*.code.1
	api PUT "$list/$page" -d name=Later --data-binary "@$BATS_TEST_TMPDIR/form"
	want 200 '.data.name == "Later"'
	api GET "$list?per_page=100"
	want 200
}

@test "slow bodies take no memory from whole requests, and make room for other large ones" {
	new_page
	{ printf 'x='; head -c $((8388608 - 2)) /dev/zero | tr '\0' a; } >"$BATS_TEST_TMPDIR/largest"
	mkfifo "$BATS_TEST_TMPDIR/go"
	python3 - <"$BATS_TEST_TMPDIR/go" >"$BATS_TEST_TMPDIR/out" 3>&- &
	slow=$!
	exec 9>"$BATS_TEST_TMPDIR/go"
	cat >&9 <<'END'
import os
import select
from fcgi import *

path = os.environ["SOCKET"]


def two():
    """Two large ones at once, of which one has room: (that one, the other, its answer)."""
    while True:
        peers = [Peer(path).send(post_head("/api/v1/status-pages", None, 6000000)) for _ in range(2)]
        sockets = [peer.socket for peer in peers]
        ready = select.select(sockets, [], [], 20)[0]
        assert len(ready) == 1, "both are waited for, or both refused"
        refused = peers[sockets.index(ready[0])]
        return [peer for peer in peers if peer is not refused][0], refused, refused.answer()


held, refused, answer = two()
# On a machine that is slow the older one may have made room already.
if "unfinished" not in answer:
    assert status(answer) == 503 and "The service is busy." in answer, answer
for _ in range(100):
    held.send(record(STDIN, b"&" * 30000))
print("held", flush=True)
# Anything large, once this one is slow, ends it.
answer = held.answer()
assert status(answer) == 503 and "Retry-After: 5\r\n" in answer and "X-Request-Id: " in answer, answer
assert '"message":"Too many unfinished requests. Nothing was changed; please try again."' in answer, answer
# A web server that is still sending gets no error, and is asked to close the connection.
for _ in range(100):
    held.send(record(STDIN, b"&" * 30000))
assert held.next() == (STDERR, b"")
print("ended", flush=True)
END
	exec 9>&-
	for i in $(seq 200); do grep -q held "$BATS_TEST_TMPDIR/out" && break; sleep 0.05; done
	grep -q held "$BATS_TEST_TMPDIR/out"
	# These need no body.
	for i in $(seq 3); do
		api GET "$list?per_page=100"
		want 200
	done
	refute grep -q ended "$BATS_TEST_TMPDIR/out"
	# This is refused until the other one is slow, and has room then.
	for i in $(seq 100); do
		api POST "$list" -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/largest"
		[ "$status" = 503 ] || break
		sleep 0.1
	done
	want 422
	wait "$slow"
	grep -q ended "$BATS_TEST_TMPDIR/out"
	grep 'route=/api/v1/status-pages status=503' "$log" | grep -q 'error="too many unfinished requests"'
}

@test "the header lines of slow requests are limited like their bodies" {
	python3 - <<'END' 3>&-
import os
from fcgi import *

# Apache and Caddy pass on a megabyte of header lines.
said = params("POST", "/api/v1/status-pages", os.environ["KEY"], CONTENT_LENGTH="1000",
              CONTENT_TYPE="application/x-www-form-urlencoded", HTTP_X="x" * 1000000)
head = begin() + b"".join(record(PARAMS, said[i:i + 65535]) for i in range(0, len(said), 65535)) + record(PARAMS)
peers = [Peer(os.environ["SOCKET"], 20).send(head + record(STDIN, b"n")) for _ in range(40)]
answer = peers[0].answer()
assert status(answer) == 503 and "Too many unfinished requests." in answer, answer
peers[-1].send(record(STDIN, b"m" * 999) + record(STDIN))
assert status(peers[-1].answer()) == 422
END
}

@test "the largest bodies have room when they are alone" {
	{ printf 'x='; head -c $((8388608 - 2)) /dev/zero | tr '\0' a; } >"$BATS_TEST_TMPDIR/largest"
	python3 - >"$BATS_TEST_TMPDIR/payload" <<'END'
import json
text = json.dumps({"version": "4", "alerts": [{"status": "firing", "startsAt": "2026-11-01T10:00:00Z",
    "labels": {"alertname": "Down", "instance": "memory-%d:9100" % i, "job": "memory", "pod": "pod-%d" % i},
    "annotations": {"summary": "x" * 200}} for i in range(20000)]})
print(text + " " * (8388607 - len(text)))
END
	[ "$(wc -c <"$BATS_TEST_TMPDIR/payload")" = 8388608 ]
	for i in 1 2 3; do
		api POST "$list" -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$BATS_TEST_TMPDIR/largest"
		want 422
		api POST "$list" -H 'Content-Type: application/x-www-form-urlencoded' -H 'Transfer-Encoding: chunked' \
			--data-binary "@$BATS_TEST_TMPDIR/largest"
		want 422
		# Although it grows to more than all that there may be.
		api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
		want 200 '.data.results | length == 20000'
		api GET "$list?per_page=100"
		want 200
	done
}

@test "a JSON body has a limited number of values" {
	json() {
		python3 -c 'import sys; print("{\"x\":[[" + ",".join([sys.argv[1]] * int(sys.argv[2])) + "]],\"name\":\"x\"}")' "$@" >"$BATS_TEST_TMPDIR/json"
		api POST "$list" -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/json"
	}
	json '{}' 9997
	want_fault slug
	json '{}' 9998
	want 413 '.message | contains("10000 objects and lists")'
	json 1 50000
	want_fault slug
	json 1 50001
	want 413 '.message | contains("50000 values")'
}
