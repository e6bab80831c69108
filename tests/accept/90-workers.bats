load lib

list=/api/v1/status-pages

# A service of its own, whose processes may be killed: two processes of two threads,
# replaced after 300 requests, and no publisher, which would mend what they left.
setup_file() {
	own_unlimited_service_start <<-'END'
		[server]
		processes = 2
		threads = 2
		max_requests = 300
		publisher = no
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
}

children() {
	pgrep -P "$parent"
}

# Every request in the background must have been answered as wanted.
want_all() {
	local answered
	answered=$(cat "$BATS_TEST_TMPDIR"/code.* | sort | uniq -c | tr -s ' \n' ' ')
	[ "$answered" = " $1 $2 " ] || { echo "answers:$answered"; false; }
}

# clients N REQUESTS: N clients that keep their connection, each with its file of statuses.
clients() {
	local i j urls
	for i in $(seq "$1"); do
		urls=()
		for j in $(seq "$2"); do urls+=(-o /dev/null "$base$list?per_page=10"); done
		curl -sS --max-time 60 -w '%{http_code}\n' -H "Authorization: Bearer $key" "${urls[@]}" \
			>"$BATS_TEST_TMPDIR/code.$i" 3>&- &
	done
}

@test "more clients than workers: all are served alike" {
	clients 40 25
	wait $(jobs -p)
	want_all 1000 200
}

@test "no process can gain rights or write a core file" {
	for pid in "$parent" $(children); do
		grep -q '^NoNewPrivs:[[:space:]]*1$' "/proc/$pid/status"
		grep -q '^Max core file size  *0  *0 ' "/proc/$pid/limits"
	done
}

@test "connections that say nothing starve nobody" {
	python3 - "$dir/run/daymark.sock" 3>&- <<'END' &
import socket, sys, time
kept = []
for i in range(200):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    kept.append(s)
time.sleep(4)
END
	silent=$!
	sleep 0.5
	clients 10 10
	wait $(jobs -p | grep -vx "$silent")
	want_all 100 200
	kill "$silent" 2>/dev/null || true
	wait "$silent" 2>/dev/null || true
}

@test "bodies that stop halfway starve nobody, and are served when they go on" {
	# A web server that hands a body on as it comes, four times as many as there are threads.
	python3 - "$dir/run/daymark.sock" "$key" "$(new_slug)" "$BATS_TEST_TMPDIR/enough" >"$BATS_TEST_TMPDIR/out" <<'END' 3>&- &
import os
import socket
import struct
import sys
import time


def record(kind, content):
    return struct.pack(">BBHHBB", 1, kind, 1, len(content), 0, 0) + content


def pair(name, value):
    return struct.pack(">BI", len(name), len(value) | 0x80000000) + name + value


peers = []
for i in range(16):
    body = f"name=Halfway&slug={sys.argv[3]}-{i}".encode()
    params = {b"REQUEST_METHOD": b"POST", b"REQUEST_URI": b"/api/v1/status-pages", b"HTTP_HOST": b"localhost",
              b"CONTENT_TYPE": b"application/x-www-form-urlencoded", b"CONTENT_LENGTH": str(len(body)).encode(),
              b"HTTP_AUTHORIZATION": b"Bearer " + sys.argv[2].encode()}
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(sys.argv[1])
    peer.sendall(record(1, struct.pack(">HB5x", 1, 0)) + record(4, b"".join(pair(*p) for p in params.items()))
                 + record(4, b"") + record(5, body[:10]))
    peers.append((peer, body))
print("halfway", flush=True)
# One half of them stalls, the other comes by drops, until the test has seen enough.
at = 10
for i in range(50):
    if os.path.exists(sys.argv[4]):
        break
    time.sleep(0.5)
    if at < 24:
        for peer, body in peers[::2]:
            peer.sendall(record(5, body[at:at + 1]))
        at += 1
for i, (peer, body) in enumerate(peers):
    peer.sendall(record(5, body[10 if i % 2 else at:]) + record(5, b""))
for peer, body in peers:
    answer = b""
    while piece := peer.recv(65536):
        answer += piece
    # A record that ends the connection may come first.
    print(answer[answer.find(b"Status:"):].split(b"\r\n")[0].decode(), flush=True)
END
	halves=$!
	for i in $(seq 100); do grep -q halfway "$BATS_TEST_TMPDIR/out" && break; sleep 0.1; done
	for i in $(seq 20); do
		api GET "$list" --max-time 2
		want 200
	done
	refute grep -q Status "$BATS_TEST_TMPDIR/out"
	touch "$BATS_TEST_TMPDIR/enough"
	wait "$halves"
	[ "$(grep -c 'Status: 201' "$BATS_TEST_TMPDIR/out")" = 16 ] || { cat "$BATS_TEST_TMPDIR/out"; false; }
	# The stand-ins leave again: each process has its main thread and those that were asked for.
	for i in $(seq 50); do
		threads=$(for pid in $(children); do ls "/proc/$pid/task" | wc -l; done | sort -u | tr '\n' ' ')
		[ "$threads" = '3 ' ] && break
		sleep 0.2
	done
	[ "$threads" = '3 ' ]
}

@test "workers are replaced after their number of requests, and no request is lost" {
	before=$(children | sort | paste -sd ' ')
	clients 8 150
	wait $(jobs -p)
	want_all 1200 200
	refute grep 'prematurely closed' "$dir/log/nginx-error.log"
	soon eval '[ "$(children | wc -l)" = 2 ]'
	[ "$(children | sort | paste -sd ' ')" != "$before" ]
}

# is_replaced PID...: whether the processes have ended; sends some requests, since nginx may have favoured one of them.
is_replaced() {
	clients 4 10
	wait $(jobs -p)
	for pid; do ! kill -0 "$pid" || return; done
}

# Both ask while the parent does not run.
@test "workers that ask at the same time are all replaced" {
	before=$(children)
	kill -STOP "$parent"
	clients 40 40
	wait $(jobs -p)
	kill -CONT "$parent"
	want_all 1600 200
	soon is_replaced $before
	[ "$(children | wc -l)" = 2 ]
}

@test "a worker that dies is replaced, and the service goes on" {
	for i in 1 2 3; do
		sleep 1.2
		kill -9 "$(children | head -n 1)"
		for j in $(seq 50); do [ "$(children | wc -l)" = 2 ] && break; sleep 0.1; done
		[ "$(children | wc -l)" = 2 ]
		api GET "$list"
		want 200
	done
}

@test "SIGHUP reads the configuration anew and loses no request" {
	clients 6 60
	sed -i 's/^;* *per_page = .*/per_page = 25/' "$conf"
	kill -HUP "$parent"
	sleep 0.3
	kill -HUP "$parent"
	wait $(jobs -p)
	want_all 360 200
	api GET "$list"
	want 200 '.meta.per_page == 25'
	# A broken configuration leaves the former one in force.
	cp "$conf" "$BATS_TEST_TMPDIR/good"
	echo 'nonsense = 1' >>"$conf"
	kill -HUP "$parent"
	sleep 1
	cp "$BATS_TEST_TMPDIR/good" "$conf"
	chmod 0600 "$conf"
	api GET "$list"
	want 200 '.meta.per_page == 25'
}

@test "a kept connection is given up without a request lost, whenever it comes" {
	python3 - "$dir/run/daymark.sock" "$parent" <<'END' 3>&-
import os
import signal
import socket
import struct
import sys

STDERR, STDOUT, END_REQUEST = 7, 6, 3


def record(kind, content):
    return struct.pack(">BBHHBB", 1, kind, 1, len(content), 0, 0) + content


def exactly(peer, length):
    data = b""
    while len(data) < length:
        piece = peer.recv(length - len(data))
        if not piece:
            return None
        data += piece
    return data


def next_record(peer):
    head = exactly(peer, 8)
    if head is None:
        return None
    version, kind, request, length, padding, _ = struct.unpack(">BBHHBB", head)
    assert version == 1 and request == 1, head
    return kind, exactly(peer, length + padding)[:length] if length + padding else b""


def ask(peer):
    params = {b"REQUEST_METHOD": b"GET", b"REQUEST_URI": b"/healthz", b"HTTP_HOST": b"localhost"}
    pairs = b"".join(bytes([len(name), len(value)]) + name + value for name, value in params.items())
    peer.sendall(record(1, struct.pack(">HB5x", 1, 1)) + record(4, pairs) + record(4, b"") + record(5, b""))


def answered(peer):
    out = b""
    while (kind_content := next_record(peer)) and kind_content[0] != END_REQUEST:
        assert kind_content[0] == STDOUT, kind_content
        out += kind_content[1]
    assert b"Status: 200" in out, out


def connect():
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(10)
    peer.connect(sys.argv[1])
    ask(peer)
    answered(peer)
    return peer


used, left = connect(), connect()
os.kill(int(sys.argv[2]), signal.SIGHUP)
# The web server is told, and nothing is closed yet.
assert next_record(used) == (STDERR, b"")
assert next_record(left) == (STDERR, b"")
# What it had sent by then is served; the answer is the last, and says so at once.
ask(used)
answered(used)
used.setblocking(False)
assert next_record(used) == (STDERR, b"")
used.settimeout(10)
assert used.recv(1) == b""
# A connection that nobody closes does not keep the process for ever.
assert left.recv(1) == b""
END
}

@test "kill -9 of workers in the middle of writes: nothing half-made, and the next publish mends the rest" {
	png 600 600 >"$BATS_TEST_TMPDIR/logo"
	read -r one two _ <<<"$(monitors | tr '\n' ' ')"
	writer() {
		local i
		for i in $(seq 25); do
			curl -sS --max-time 20 -o /dev/null -w "%{http_code} kill-$1-$i\n" \
				-H "Authorization: Bearer $key" "$base$list" -F "name=Kill" \
				-F "slug=kill-$1-$i" -F "monitor_ids[]=$two" -F "monitor_ids[]=$one" \
				-F "logo=@$BATS_TEST_TMPDIR/logo" -F "favicon=@$BATS_TEST_TMPDIR/logo" || true
		done >"$BATS_TEST_TMPDIR/writer.$1"
	}
	for i in 1 2 3 4; do writer "$i" 3>&- & done
	for i in $(seq 12); do
		sleep 0.25
		kill -9 "$(children | head -n 1)" 2>/dev/null || true
	done
	wait $(jobs -p)
	# What was acknowledged is there, whole.
	for slug in $(sed -n 's/^201 //p' "$BATS_TEST_TMPDIR"/writer.*); do
		[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$slug'")" = 1 ]
	done
	[ "$(sed -n 's/^201 //p' "$BATS_TEST_TMPDIR"/writer.* | wc -l)" -gt 10 ]
	# No page is half-made: each has both monitors and both files.
	[ "$(sql "SELECT COUNT(*) FROM status_pages p WHERE slug LIKE 'kill-%' AND (
		(SELECT COUNT(*) FROM status_page_monitors m WHERE m.status_page_id = p.id) <> 2 OR
		(SELECT COUNT(bytes) FROM status_page_files f WHERE f.status_page_id = p.id) <> 2)")" = 0 ]
	"$ctl" publish
	anyone GET /readyz
	want 200 '.oldest_unpublished_s == 0'
	# Every page has its two files, no folder is without a page, no temporary is left.
	[ "$(find "$pages/public/s" -path '*/kill-*' -type f \( -name 'logo-*' -o -name 'favicon-*' \) | wc -l)" = \
		"$(($(sql "SELECT COUNT(*) FROM status_pages WHERE slug LIKE 'kill-%'") * 2))" ]
	for folder in "$pages"/public/s/*/; do
		[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$(basename "$folder")'")" = 1 ]
	done
	[ -z "$(find "$pages" -name 'new-*')" ]
}

@test "an answer that a dead worker could not give is given again, and what it was about is published" {
	monitor=$("$ctl" monitor add "Told twice" https://example.org/ --account "$account" --json | jq .id)
	new_page -F "monitor_ids[]=$monitor"
	shown=$slug made=$(new_slug)
	# Publishing waits for whoever has this lock.
	exec 7>>"$pages/lock/all"
	flock 7
	curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $key" -H "Idempotency-Key: make-$made" \
		-d name=Given -d "slug=$made" "$base$list" >"$BATS_TEST_TMPDIR/code.made" 3>&- 7>&- &
	curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $key" \
		-d "monitor=$monitor" -d state=down -d title=Flood "$base/hooks/generic" >"$BATS_TEST_TMPDIR/code.told" 3>&- 7>&- &
	soon says "SELECT (SELECT COUNT(*) FROM status_pages WHERE slug = '$made') + (SELECT COUNT(*) FROM incidents WHERE title = 'Flood')" 2
	kill -9 $(children)
	wait $(jobs -p)
	exec 7>&-
	[ "$(cat "$BATS_TEST_TMPDIR/code.made")" = 503 ]
	[ "$(cat "$BATS_TEST_TMPDIR/code.told")" = 503 ]
	# Monitoring says it again, without a key.
	refute grep -q Flood "$pages/public/s/$shown/index.html"
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d title=Flood
	want 200 '.data.outcome == "unchanged"'
	grep -q Flood "$pages/public/s/$shown/index.html"
	api POST "$list" -H "Idempotency-Key: make-$made" -d name=Given -d "slug=$made"
	want 201 '.data.name == "Given"'
	[ "$(header Idempotent-Replayed)" = true ]
	[ -n "$(header Location)" ]
	anyone GET "/s/$made/"
	[ "$status" = 200 ] || show
}

@test "a page that a dead worker deleted is taken away when it is deleted again" {
	new_page
	exec 7>>"$pages/lock/all"
	flock 7
	curl -sS -o /dev/null -H "Authorization: Bearer $key" -H "Idempotency-Key: delete-$slug" \
		-X DELETE "$base$list/$page" 3>&- 7>&- &
	soon says "SELECT COUNT(*) FROM status_pages WHERE id = $page" 0
	kill -9 $(children)
	[ -e "$pages/public/s/$slug" ]
	exec 7>&-
	# nginx may have sent the DELETE a second time by itself.
	wait $(jobs -p)
	api DELETE "$list/$page" -H "Idempotency-Key: delete-$slug"
	want 200 '.deleted'
	[ "$(header Idempotent-Replayed)" = true ]
	anyone GET "/s/$slug/"
	[ "$status" = 404 ] || show
}

@test "the database away: 503 with Retry-After, nothing changed; back again: all is well" {
	new_page -F privacy=2 -F password=open
	gated=$slug
	new_page
	kill -9 "$(cat "$dir/run/mysql.pid")"
	sleep 0.5
	for method in GET PUT DELETE; do
		data=(-d name=Lost)
		[ "$method" != GET ] || data=()
		api "$method" "$list/$page" "${data[@]}"
		want 503 '.status == 503' '.request_id | length == 16'
		[ -n "$(header Retry-After)" ]
		refute grep -Eqi 'mysql|socket|2002' "$answer"
	done
	anyone GET /readyz
	want 503 '.database == "down"' '.oldest_unpublished_s == null'
	anyone GET /healthz
	want 200
	# What visitors see does not know of it.
	for file in '' feed.atom summary.json badge.svg; do
		anyone GET "/s/$slug/$file"
		[ "$status" = 200 ] || show
	done
	anyone POST "/s/$gated/" -c "$BATS_TEST_TMPDIR/jar" -d password=open
	[ "$status" = 303 ] || show
	anyone GET "/s/$gated/" -b "$BATS_TEST_TMPDIR/jar"
	[ "$status" = 200 ] && grep -q 'No systems are shown yet' "$answer" || show
	with_service service_start_mysql "$dir"
	sleep 0.5
	api GET "$list/$page"
	want 200 '.data.name == "Test"'
	api PUT "$list/$page" -d name=Back
	want 200 '.data.name == "Back"'
}

@test "connections that the database has closed are made again unseen" {
	api GET "$list"
	for id in $(sql "SELECT id FROM information_schema.processlist WHERE user = 'daymark'"); do
		sql "KILL $id"
	done
	for i in $(seq 8); do
		api GET "$list"
		want 200
		api POST "$list" -d name=x -d "slug=$(new_slug)"
		want 201
		for id in $(sql "SELECT id FROM information_schema.processlist WHERE user = 'daymark'"); do
			sql "KILL $id" || true
		done
	done
}

@test "SIGTERM answers the requests in hand and leaves nothing behind" {
	png 600 600 >"$BATS_TEST_TMPDIR/logo"
	for i in $(seq 6); do
		curl -sS --max-time 60 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" \
			"$base$list" -F name=x -F "slug=$(new_slug)" -F privacy=2 -F password=x \
			-F "logo=@$BATS_TEST_TMPDIR/logo" >"$BATS_TEST_TMPDIR/code.$i" 3>&- &
	done
	sleep 0.06
	workers=$(children)
	kill -TERM "$parent"
	wait $(jobs -p)
	for i in $(seq 100); do [ -d "/proc/$parent" ] || break; sleep 0.1; done
	[ ! -d "/proc/$parent" ]
	for pid in $workers; do [ ! -d "/proc/$pid" ]; done
	[ ! -e "$dir/run/daymark.sock" ]
	sort "$BATS_TEST_TMPDIR"/code.* | uniq -c
	# Each was answered: by the service, or by nginx once the socket was gone.
	[ "$(cat "$BATS_TEST_TMPDIR"/code.* | grep -Ec '^(201|503)$')" = 6 ]
	api GET "$list"
	want 503 '.status == 503'
	# With the program gone, pages still stand.
	for file in '' feed.atom summary.json badge.svg; do
		anyone GET "/s/demo/$file"
		[ "$status" = 200 ] || show
	done
}

# What the database, visitors and the API say of everything.
everything() {
	sql "SELECT id, slug, version, page_revisions.revision, page_revisions.unpublished_since FROM status_pages JOIN page_revisions ON page_id = id ORDER BY id"
	sql "SELECT id, revision, comment, ended_at FROM incidents ORDER BY id"
	for file in '' feed.atom summary.json badge.svg "$month.html"; do
		curl -sS "$base$here/$file"
	done
	curl -sS -H "Authorization: Bearer $key" "$base/api/v1/status-pages/$page"
	curl -sS -H "Authorization: Bearer $key" "$base/api/v1/incidents/$incident" | jq 'del(.data.duration)'
}

@test "database and program killed: pages, feeds and badges stay; both back: everything is as it was" {
	(
		top=$TOP
		. "$TOP/tools/lib/common.sh"
		. "$TOP/tools/lib/service.sh"
		service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" 3>&-
	)
	month=$(date -u +%Y-%m) domain=$(new_slug).example.com
	page_with_monitor -F "domain=$domain"
	incident=$("$ctl" incident open --monitor "$monitor" --cause 'Before the storm' --json | jq .id)
	everything >"$BATS_TEST_TMPDIR/before"
	kill -9 "$(cat "$dir/run/mysql.pid")"
	api PUT "/api/v1/incidents/$incident" -d 'comment=Lost'
	want 503
	kill -9 $(pgrep -P "$(cat "$dir/run/daymark.pid")") "$(cat "$dir/run/daymark.pid")"
	for file in '' feed.atom summary.json api/v2/status.json badge.svg "$month.html"; do
		see "$file"
	done
	see ''
	shows 'Before the storm'
	anyone GET / -H "Host: $domain"
	[ "$status" = 200 ] || show
	api PUT "/api/v1/incidents/$incident" -d 'comment=Lost'
	want 503 '.status == 503'
	with_service service_start_mysql "$dir"
	with_service service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}"
	everything >"$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	"$ctl" incident resolve "$incident" || "$ctl" incident resolve --monitor "$monitor"
	see ''
	shows 'All systems operational'
}
