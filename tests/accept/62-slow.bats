# bats file_tags=server
# Clients that begin a request and do not go on.
load lib

@test "slow clients hold up nobody, and are sent away" {
	[ -z "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] || skip "on shared hosting that is the host's to set"
	python3 - "$base" "$key" >"$BATS_TEST_TMPDIR/out" <<'END' 3>&- &
import socket
import ssl
import sys
import time

scheme, _, rest = sys.argv[1].partition("://")
host, port = rest.split("/")[0].split(":")
head = (f"POST /api/v1/status-pages HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {sys.argv[2]}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nname=Slow").encode()
peers = []
# More than there are workers: some stop in the head, some in the body.
for i in range(24):
    peer = socket.create_connection((host, int(port)))
    if scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        peer = context.wrap_socket(peer)
    peer.sendall(head if i % 2 else head[:60])
    peers.append(peer)
print("begun", flush=True)
began = time.monotonic()
for peer in peers:
    peer.settimeout(40)
    while peer.recv(65536):
        pass
print("ended", int(time.monotonic() - began))
END
	slow=$!
	for i in $(seq 100); do grep -q begun "$BATS_TEST_TMPDIR/out" && break; sleep 0.1; done
	for i in $(seq 20); do
		api GET /api/v1/status-pages --max-time 5
		want 200
	done
	grep -q begun "$BATS_TEST_TMPDIR/out"
	refute grep -q ended "$BATS_TEST_TMPDIR/out"
	wait "$slow"
	cat "$BATS_TEST_TMPDIR/out"
	[ "$(sed -n 's/^ended //p' "$BATS_TEST_TMPDIR/out")" -le 35 ]
}

@test "two hundred bodies that come by drops hold up nobody" {
	[ -z "${DAYMARK_ACCEPT_DOMAIN_BASE:-}" ] || skip "on shared hosting that is the host's to set"
	[[ $base != https:* ]] || skip "daymark-tls.conf refuses so many connections of one address"
	python3 - "$base" "$key" >"$BATS_TEST_TMPDIR/out" <<'END' 3>&- &
import socket
import ssl
import sys
import time

scheme, _, rest = sys.argv[1].partition("://")
host, port = rest.split("/")[0].split(":")
head = (f"POST /api/v1/status-pages HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {sys.argv[2]}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nname=").encode()


def connect():
    peer = socket.create_connection((host, int(port)))
    if scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        peer = context.wrap_socket(peer)
    peer.sendall(head)
    return peer


peers = [connect() for _ in range(200)]
print("begun", flush=True)
while True:
    for i in range(len(peers)):
        try:
            peers[i].sendall(b"x")
        except OSError:
            peers[i] = connect()
    time.sleep(0.5)
END
	slow=$!
	for i in $(seq 300); do grep -q begun "$BATS_TEST_TMPDIR/out" && break; sleep 0.1; done
	sleep 1
	for i in $(seq 20); do
		api GET /api/v1/status-pages --max-time 5
		want 200
		api POST /api/v1/status-pages -d name=Quick -d "slug=$(new_slug)" --max-time 5
		want 201
	done
	kill "$slow"
	wait "$slow" || true
}
