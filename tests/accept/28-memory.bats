# What all requests at once may have in memory, and that small ones go on meanwhile.
load lib

list=/api/v1/status-pages

setup_file() {
	cat "$TOP/tests/lib/unlimited.conf" - >"$BATS_FILE_TMPDIR/extra.conf" <<'END'
[limits]
memory_mb = 16
[server]
processes = 1
END
	"$TOP/tools/quickstart" --background --no-build --extra "$BATS_FILE_TMPDIR/extra.conf" --port "$(bash -c '. "$0"; free_port 18880' "$TOP/tools/lib/common.sh")" \
		--dir "$BATS_FILE_TMPDIR/own" 3>&- >&2
}

teardown_file() {
	"$TOP/tools/quickstart" --stop --dir "$BATS_FILE_TMPDIR/own" >&2
}

setup() {
	unset DAYMARK_ACCEPT_BASE DAYMARK_ACCEPT_CONF
	DAYMARK_ACCEPT_DIR=$BATS_FILE_TMPDIR/own
	setup_of_lib
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
	for code in $(grep -l 503 "$BATS_TEST_TMPDIR"/*.code.*); do
		grep -qi '^Retry-After: [1-9]' "${code/.code./.head.}"
		jq -e '.message | contains("Nothing was changed")' "${code/.code./.body.}"
	done
	echo "before $before MiB, then $(highest_mb) MiB"
	# 16 MiB of data, and what the program needs besides them.
	[ "$(highest_mb)" -le $((before + 16 + 16)) ]
	# Alone each goes on: what was held is given back.
	for i in 1 2 3; do
		api PUT "$list/$page" -F name=x -F "logo=@$BATS_TEST_TMPDIR/logo"
		want_fault logo
		api GET "$list?per_page=100"
		want 200
	done
}

# alerts COUNT: a payload of so many, of no monitor.
alerts() {
	python3 - "$1" >"$BATS_TEST_TMPDIR/payload" <<'END'
import json, sys
print(json.dumps({"version": "4", "alerts": [{"status": "firing", "startsAt": "2026-11-01T10:00:00Z",
    "labels": {"alertname": "Down", "instance": "memory-%d:9100" % i, "job": "memory", "pod": "pod-%d" % i},
    "annotations": {"summary": "x" * 100}} for i in range(int(sys.argv[1]))]}))
END
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
}

# Sends the head of a PUT over FastCGI and no body; goes on when its standard input ends.
begun() {
	python3 -c '
import socket, struct, sys
path, key, uri, length = sys.argv[1:]
record = lambda kind, content: struct.pack(">BBHHBB", 1, kind, 1, len(content), 0, 0) + content
pair = lambda name, value: bytes([len(name), len(value)]) + name.encode() + value.encode()
params = {"REQUEST_METHOD": "PUT", "REQUEST_URI": uri, "HTTP_HOST": "localhost", "CONTENT_LENGTH": length,
          "CONTENT_TYPE": "application/x-www-form-urlencoded", "HTTP_AUTHORIZATION": "Bearer " + key}
peer = socket.socket(socket.AF_UNIX)
peer.settimeout(20)
peer.connect(path)
peer.sendall(record(1, struct.pack(">HB5x", 1, 0)) + record(4, b"".join(pair(*p) for p in params.items())) + record(4, b""))
print("begun", flush=True)
sys.stdin.read()
rest = int(length)
peer.sendall(record(5, b"name=Later"))
rest -= 10
while rest > 0:
    piece = min(rest, 60000)
    peer.sendall(record(5, b"&" * piece))
    rest -= piece
peer.sendall(record(5, b""))
data = b""
while piece := peer.recv(65536):
    data += piece
print(data[8:40].decode("latin-1").splitlines()[0], flush=True)
' "$dir/run/daymark.sock" "$key" "$list/$page" "$1"
}

@test "a body for which there is no room is refused before it is read, and has room later" {
	new_page
	mkfifo "$BATS_TEST_TMPDIR/go"
	begun 4000000 <"$BATS_TEST_TMPDIR/go" >"$BATS_TEST_TMPDIR/first" 3>&- &
	first=$!
	exec 9>"$BATS_TEST_TMPDIR/go"
	for i in $(seq 100); do grep -q begun "$BATS_TEST_TMPDIR/first" && break; sleep 0.1; done
	# It is begun when its worker waits for it: until then another may be faster.
	head -c 4000000 /dev/zero | tr '\0' '&' >"$BATS_TEST_TMPDIR/form"
	for i in $(seq 50); do
		api PUT "$list/$page" --data-binary "@$BATS_TEST_TMPDIR/form"
		[ "$status" = 200 ] || break
	done
	want 503 '.message == "The service is busy. Nothing was changed; please try again."' '.request_id'
	[ "$(header Retry-After)" = 5 ]
	api GET "$list?per_page=100"
	want 503
	alerts 5000
	want 503 '.message == "The service is busy. Nothing was changed; please try again."'
	alerts 50
	want 200
	api GET "$list?per_page=25"
	want 200
	api PUT "$list/$page" -d name=Small
	want 200
	exec 9>&-
	wait "$first"
	grep -q '^Status: 200 ' "$BATS_TEST_TMPDIR/first"
	api PUT "$list/$page" --data-binary "@$BATS_TEST_TMPDIR/form"
	want 200 '.data.name == "Later"'
	# Although it grows to more than all that there may be.
	alerts 20000
	want 200 '.data.results | length == 20000'
	alerts 20000
	want 200
	api GET "$list?per_page=100"
	want 200
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
