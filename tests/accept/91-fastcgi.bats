# What may come over the socket, from a web server or from whoever can reach it. A service of
# its own: one process of two threads, which waits three seconds for the rest of a request.
load lib

list=/api/v1/status-pages

setup_file() {
	own_unlimited_service_start <<-'END'
		[server]
		processes = 1
		threads = 2
		publisher = no
		read_timeout_s = 3
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
	worker=$(pgrep -P "$parent" -x daymark)
	export SOCKET=$dir/run/daymark.sock KEY=$key PYTHONPATH=$TOP/tests/lib PYTHONDONTWRITEBYTECODE=1
}

# No test of this file may cost a worker.
teardown() {
	release
	[ "$(pgrep -P "$parent" -x daymark)" = "$worker" ]
}

@test "what is no request costs its connection, and neither a process nor a thread" {
	python3 - 3>&- <<'END'
import os
from fcgi import *

names = b"".join(pair(name, "") for name in ("FCGI_MAX_CONNS", "FCGI_MAX_REQS", "FCGI_MPXS_CONNS"))
# Names that would end libfcgi.
management = record(GET_VALUES, names * 20, 0) + record(GET_VALUES, b"", 0)
bad = [management, record(77, b"abc", 0), begin() + management, get()[:-8] + management, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
       b"\2" + get()[1:], begin() + begin(), begin() + begin(request=2), record(BEGIN, b"\0\1\0"), get()[:5],
       begin() + record(STDIN), begin() + record(PARAMS) + record(PARAMS), begin(keep=False, role=9),
       begin() + record(PARAMS, b"\x80") + record(PARAMS) + record(STDIN)]
for data in bad:
    for peer in [Peer(os.environ["SOCKET"]).send(data) for _ in range(4)]:
        assert peer.is_closed(), data
# Who leaves is not missed.
for data in (b"", get()[:5], get()[:-3], get(), post_head("/api/v1/status-pages", os.environ["KEY"], 9)):
    for _ in range(50):
        Peer(os.environ["SOCKET"]).send(data).socket.close()
END
	api GET /healthz
	want 200
}

@test "a request that comes in single bytes and records is understood" {
	python3 - "$(new_slug)" 3>&- <<'END'
import os
import sys
from fcgi import *

body = f"name=Single&slug={sys.argv[1]}".encode()
head = post_head("/api/v1/status-pages", os.environ["KEY"], len(body))
# Web servers send the first header in one write.
peer = Peer(os.environ["SOCKET"]).send(head[:8])
for byte in head[8:] + b"".join(record(STDIN, body[i:i + 1], padding=i % 9) for i in range(len(body))) + record(STDIN):
    peer.send(bytes([byte]))
assert status(peer.answer()) == 201
assert status(peer.send(get()).answer()) == 200
END
}

@test "the body of an aborted request is not taken for a whole one" {
	python3 - "$(new_slug)" 3>&- <<'END'
import os
import sys
import time
from fcgi import *

body = f"name=Aborted&slug={sys.argv[1]}".encode()
head = post_head("/api/v1/status-pages", os.environ["KEY"], len(body)) + record(STDIN, body)
assert Peer(os.environ["SOCKET"]).send(head + record(ABORT)).is_closed()
# The same for an abort that libfcgi reads.
peer = Peer(os.environ["SOCKET"]).send(head)
time.sleep(0.3)
assert peer.send(record(ABORT)).is_closed()
END
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE name = 'Aborted'")" = 0 ]
}

@test "requests that stop halfway hold no thread, and end when their time is over" {
	python3 - >"$BATS_TEST_TMPDIR/out" 3>&- <<'END' &
import os
from fcgi import *

head = post_head("/api/v1/status-pages", os.environ["KEY"], 60)
peers = [Peer(os.environ["SOCKET"]).send(data) for data in (head[:3], head[:30], head[:-4]) for _ in range(8)]
slow = Peer(os.environ["SOCKET"]).send(head + record(STDIN, b"name=x"))
print("begun", flush=True)
assert all(peer.is_closed() for peer in peers)
answer = slow.answer()
assert status(answer) == 408 and '"status":408' in answer and "did not come in time" in answer, answer
print("id", answer.split("X-Request-Id: ")[1].split("\r")[0])
END
	halves=$!
	for i in $(seq 100); do grep -q begun "$BATS_TEST_TMPDIR/out" && break; sleep 0.05; done
	for i in $(seq 20); do
		api GET "$list" --max-time 2
		want 200
	done
	wait "$halves"
	id=$(sed -n 's/^id //p' "$BATS_TEST_TMPDIR/out")
	grep "id=$id " "$log" | grep 'route=/api/v1/status-pages status=408' | grep 'error="the body did not come in time"'
}

@test "bodies that come by drops hold up nobody, and too many of them make room" {
	python3 - "$(new_slug)" >"$BATS_TEST_TMPDIR/out" 3>&- <<'END'
import os
import sys
from fcgi import *

path, key = os.environ["SOCKET"], os.environ["KEY"]
head = post_head("/api/v1/status-pages", key, 1000)
drops = []
for i in range(300):
    drops.append(Peer(path).send(head + record(STDIN, b"n")))
    # Each has a connection, and no thread: others are served meanwhile.
    if i % 50 == 0:
        assert status(Peer(path).send(get(path="/api/v1/status-pages", key=key)).answer()) == 200
        for drop in drops[-200:]:
            drop.send(record(STDIN, b"a"))
for i in range(20):
    body = f"name=Quick&slug={sys.argv[1]}-{i}".encode()
    peer = Peer(path).send(post_head("/api/v1/status-pages", key, len(body)))
    assert status(peer.send(record(STDIN, body) + record(STDIN)).answer()) == 201
# Those that lasted longest were sent away; the newest are waited for.
answer = drops[0].answer()
assert status(answer) == 503 and "Retry-After: 5\r\n" in answer and '"request_id":"' in answer, answer
assert "Too many unfinished requests." in answer, answer
# The web server is asked to close the connection.
assert drops[0].next() == (STDERR, b"")
drops[0].socket.close()
print("id", answer.split("X-Request-Id: ")[1].split("\r")[0])
newest = drops[-1]
newest.send(record(STDIN, b"m" * 999) + record(STDIN))
answer = newest.answer()
assert status(answer) == 422, answer
END
	id=$(sed -n 's/^id //p' "$BATS_TEST_TMPDIR/out")
	grep "id=$id " "$log" | grep 'status=503' | grep 'error="too many unfinished requests"'
}

@test "a body over the limit is refused, and read to its end" {
	python3 - 3>&- <<'END'
import os
from fcgi import *

for _ in range(2):
    peer = Peer(os.environ["SOCKET"], 30)
    peer.send(post_head("/api/v1/status-pages", os.environ["KEY"], 160 * 65535))
    for _ in range(160):
        peer.send(record(STDIN, b"a" * 65535))
    peer.send(record(STDIN))
    assert status(peer.answer()) == 413
    # The web server is asked to close the connection.
    assert peer.next() == (STDERR, b"")
END
}

@test "what follows an answer keeps neither the client waiting nor the connection" {
	sql "UPDATE api_keys SET last_used_at = NULL WHERE account_id = $account"
	hold "SELECT id FROM api_keys WHERE account_id = $account FOR UPDATE"
	python3 - 3>&- 8>&- <<'END'
import os
from fcgi import *

peer = Peer(os.environ["SOCKET"], 3)
for _ in range(3):
    assert status(peer.send(get(path="/api/v1/status-pages", key=os.environ["KEY"])).answer()) == 200
END
}

@test "threads that wait for a locked row are stood in for" {
	new_page
	hold "SELECT id FROM status_pages WHERE id = $page FOR UPDATE"
	for i in $(seq 6); do
		curl -sS --max-time 30 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $key" \
			-d _method=PUT -d name=Late "$base$list/$page" >"$BATS_TEST_TMPDIR/late.$i" 3>&- 8>&- &
	done
	# Those that are let in wait; then more threads are there than were asked for.
	for i in $(seq 200); do [ "$(ls "/proc/$worker/task" | wc -l)" -gt 3 ] && break; sleep 0.05; done
	[ "$(ls "/proc/$worker/task" | wc -l)" -gt 3 ]
	for i in $(seq 10); do
		anyone GET /healthz
		want 200
		other GET "$list"
		want 200
	done
	# All of it while they waited: none has its change, and there is one without an answer.
	refute grep -q 200 "$BATS_TEST_TMPDIR"/late.*
	find "$BATS_TEST_TMPDIR" -name 'late.*' -empty | grep -q .
	release
	wait
	# The stand-ins leave again: the process has its main thread and those that were asked for.
	for i in $(seq 50); do
		threads=$(ls "/proc/$worker/task" | wc -l)
		[ "$threads" = 3 ] && break
		sleep 0.2
	done
	[ "$threads" = 3 ]
}

# late [CURL ARGUMENTS]: a request that is answered when the row is free, or refused.
late() {
	curl -sS --max-time 30 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $key" \
		"$@" >"$BATS_TEST_TMPDIR/late.$((++sent))" 3>&- 8>&- &
}

# Whether a statement has waited for longer than a write that counts as stuck.
is_stuck() {
	[ "$(sql "SELECT COUNT(*) FROM information_schema.processlist WHERE command = 'Execute' AND time_ms > 600")" -gt 0 ]
}

@test "while one monitor is locked, the others of the account are written" {
	sent=0
	new_monitor
	locked=$monitor
	api POST /hooks/generic -d "monitor=$locked" -d state=down
	want 200
	incident=$(sql "SELECT id FROM incidents WHERE open_monitor_id = $locked")
	new_monitor
	hold "SELECT id FROM monitors WHERE id = $locked FOR UPDATE"
	for i in 1 2 3; do late -X PUT -d name=Late "$base/api/v1/monitors/$locked"; done
	late -d "monitor=$locked" -d state=up "$base/hooks/generic"
	late -X PUT -d acknowledged_at=1 "$base/api/v1/incidents/$incident"
	soon is_stuck
	for i in 1 2 3 4 5; do
		api PUT "/api/v1/monitors/$monitor" -d "name=Other $i"
		want 200
	done
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	want 200
	# The rows of the locked monitor: nothing waits in vain.
	api PUT "/api/v1/monitors/$locked" -d name=Refused
	want 503
	[ -n "$(header Retry-After)" ]
	refute grep -q 200 "$BATS_TEST_TMPDIR"/late.*
	release
	wait
}

@test "writers that wait for another's publishing hold no thread" {
	new_page
	best=9
	for turn in 1 2 3; do
		# The first writer cannot publish, and the others wait for it.
		exec 7>>"$dir/pages/lock/all"
		flock 7
		writers=()
		for i in 1 2 3; do
			curl -sS --max-time 30 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $key" \
				-d _method=PUT -d "name=Turn $turn.$i" "$base$list/$page" >"$BATS_TEST_TMPDIR/writer.$i" 3>&- 7>&- &
			writers+=($!)
		done
		sleep 0.06
		took=$(curl -sS --max-time 10 -o /dev/null -w '%{time_total}' "$base/healthz")
		best=$(printf '%s\n' "$best" "$took" | sort -g | head -n 1)
		refute grep -q 200 "$BATS_TEST_TMPDIR"/writer.*
		exec 7>&-
		wait "${writers[@]}"
		[ "$(cat "$BATS_TEST_TMPDIR"/writer.*)" = 200200200 ]
	done
	# A thread that is only busy gets its stand-in after 0.2 s.
	awk -v best="$best" 'BEGIN { exit !(best < 0.1) }'
}
