# Web servers that do not take the answers they asked for, as some do when their clients read
# slowly. A service of its own: one process of two threads, which waits five seconds.
load lib

setup_file() {
	own_unlimited_service_start <<-'END'
		[server]
		processes = 1
		threads = 2
		read_timeout_s = 5
	END
}

teardown_file() {
	own_service_stop
}

# The publisher, the parent's other child, has a name of its own.
workers() {
	pgrep -P "$parent" -x daymark
}

setup() {
	own_service
	worker=$(workers)
	export SOCKET=$dir/run/daymark.sock KEY=$key PYTHONPATH=$TOP/tests/lib PYTHONDONTWRITEBYTECODE=1
	new_page
	python3 -c 'print("custom_css=" + "%01" * 64000 + "&custom_js=" + "%01" * 64000, end="")' >"$BATS_TEST_TMPDIR/code"
	api PUT "/api/v1/status-pages/$page" --data-binary "@$BATS_TEST_TMPDIR/code"
	want 200 '.data.custom_js | length == 64000'
	# Larger than what the kernel takes of it.
	[ "$(stat -c %s "$answer")" -gt 700000 ]
	export PAGE=/api/v1/status-pages/$page
}

teardown() {
	# The python programs of a test that failed halfway.
	[ -z "${readers:-}" ] || kill "$readers" 2>/dev/null || true
}

# read_slowly COUNT BYTES SECONDS: so many of each kind ask for the page: those that take
# nothing, and those that take so many bytes each second, until they have lasted so long.
# Tells in $BATS_TEST_TMPDIR/out when all have asked, and how many were cut off.
read_slowly() {
	python3 - "$@" >"$BATS_TEST_TMPDIR/out" 3>&- <<'END_OF_PYTHON' &
import os
import sys
import time
from fcgi import *

count, size, seconds = map(int, sys.argv[1:])
ask = get(path=os.environ["PAGE"], key=os.environ["KEY"])
stalled = [Peer(os.environ["SOCKET"], 5).send(ask) for _ in range(count)]
drips = [Peer(os.environ["SOCKET"], 5).send(ask) for _ in range(count)]
for peer in stalled + drips:
    assert peer.socket.recv(8, 0x02) # MSG_PEEK: the answer has begun
print("begun", flush=True)
until = time.monotonic() + seconds
reading = list(drips)
while time.monotonic() < until:
    for peer in list(reading):
        if not peer.socket.recv(size):
            reading.remove(peer)
    time.sleep(1)
cut = 0
for peer in stalled + drips:
    try:
        while piece := peer.socket.recv(65536):
            last = piece
    except TimeoutError:
        continue
    cut += 1
print("cut", cut, flush=True)
END_OF_PYTHON
	readers=$!
	for i in $(seq 200); do grep -q begun "$BATS_TEST_TMPDIR/out" && return; sleep 0.05; done
	return 1
}

# is_gone PID SECONDS: waits for it.
is_gone() {
	for i in $(seq "$(($2 * 10))"); do [ -d "/proc/$1" ] || return 0; sleep 0.1; done
	return 1
}

@test "a hundred readers that take nothing or a drop hold up nobody, and are cut off" {
	read_slowly 50 3000 9
	for i in $(seq 10); do
		# The readers are waited for longer.
		anyone GET /healthz --max-time 4
		want 200
		api GET /api/v1/status-pages --max-time 4
		want 200
		api PUT "$PAGE" -d "name=Meanwhile $i" --max-time 4
		want 200
	done
	# No thread is stood in for: the main thread and the two that were asked for.
	for i in $(seq 20); do
		threads=$(ls "/proc/$worker/task" | wc -l)
		[ "$threads" = 3 ] && break
		sleep 0.1
	done
	[ "$threads" = 3 ]
	# All of this while they were reading.
	refute grep -q cut "$BATS_TEST_TMPDIR/out"
	wait "$readers"
	cat "$BATS_TEST_TMPDIR/out"
	[ "$(sed -n 's/^cut //p' "$BATS_TEST_TMPDIR/out")" = 100 ]
	[ "$(workers)" = "$worker" ]
}

@test "slow readers that go on get their whole answer, and their next one" {
	python3 - 3>&- <<'END'
import os
import time
from fcgi import *

ask = get(path=os.environ["PAGE"], key=os.environ["KEY"])
whole = Peer(os.environ["SOCKET"]).send(ask).answer().split("\r\n\r\n", 1)[1]
assert len(whole) > 700000
peers = [Peer(os.environ["SOCKET"], 5).send(ask) for _ in range(5)]
taken = [b""] * len(peers)
began = time.monotonic()
# A hundred kilobytes a second: longer than a reader that takes nothing is waited for.
while any(len(one) < len(whole) for one in taken):
    for i, peer in enumerate(peers):
        if len(taken[i]) < len(whole):
            piece = peer.socket.recv(50000)
            assert piece, (len(taken[i]), time.monotonic() - began)
            taken[i] += piece
    time.sleep(0.5)
assert time.monotonic() - began > 6
for i, peer in enumerate(peers):
    peer.socket.settimeout(1)
    # What is left of the records, and the answer to the second request.
    while not taken[i].endswith(record(END, bytes(8))):
        taken[i] += peer.socket.recv(65536)
    peer.send(get())
    while taken[i].count(b"Status: 200") < 2 or not taken[i].endswith(record(END, bytes(8))):
        taken[i] += peer.socket.recv(65536)
    data, answers = taken[i], [b""]
    while data:
        kind, length, padding = data[1], int.from_bytes(data[4:6], "big"), data[6]
        if kind == END:
            answers.append(b"")
        else:
            answers[-1] += data[8:8 + length]
        data = data[8 + length + padding:]
    assert answers[0].decode().split("\r\n\r\n", 1)[1] == whole
    assert b"Status: 200" in answers[1] and answers[2] == b""
END
	[ "$(workers)" = "$worker" ]
}

@test "readers keep a replaced worker no longer than its deadline" {
	read_slowly 3 55000 1
	kill -HUP "$parent"
	[ -d "/proc/$worker" ]
	is_gone "$worker" 25
	api GET "$PAGE"
	want 200
	refute grep -a "worker $worker, replaced" "$log"
}

@test "a replaced worker that does not end is killed" {
	kill -STOP "$worker"
	kill -HUP "$parent"
	soon eval '[ "$(workers | wc -l)" = 2 ]'
	workers | grep -x "$worker"
	is_gone "$worker" 35
	grep -a "worker $worker, replaced 30 s ago, is still busy and is killed" "$log"
	api GET "$PAGE"
	want 200
}
