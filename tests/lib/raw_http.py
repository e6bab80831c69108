"""Requests that no client library would send, each on a connection of its own."""
import ast
import socket
import ssl


def ask_all(base, at, requests, host=""):
    """Sends the lines of the file, "NAME STATUS[,STATUS]... REQUEST" (a Python text).

    `$` in a request stands for a Host and `Connection: close`, `@` for `at` below base. Yields
    for each line its name, the statuses, and head and body of the answer.
    """
    scheme, _, rest = base.partition("://")
    own, _, path = rest.partition("/")
    address = (own.split(":")[0], int(own.split(":")[1]))
    for line in open(requests):
        name, statuses, request = line.strip().split(" ", 2)
        request = ast.literal_eval(request).replace("@", ("/" + path if path else "") + at)
        request = request.replace("$", f"Host: {host or own}\r\nConnection: close\r\n")
        peer = socket.create_connection(address, 40)
        if scheme == "https":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            peer = context.wrap_socket(peer)
        answer = b""
        try:
            peer.sendall(request.encode("latin-1"))
        except OSError:
            pass
        try:
            while piece := peer.recv(65536):
                answer += piece
        except OSError:
            pass
        head, _, body = answer.decode("latin-1").partition("\r\n\r\n")
        if "\r\ntransfer-encoding: chunked" in head.lower():
            body = "".join(body.split("\r\n")[1::2])
        yield name, [int(status) for status in statuses.split(",")], head, body
