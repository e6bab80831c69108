"""A web server's side of FastCGI, for tests that speak to the program's socket."""
import socket
import struct

BEGIN, ABORT, END, PARAMS, STDIN, STDOUT, STDERR = range(1, 8)
GET_VALUES, GET_VALUES_RESULT, UNKNOWN_TYPE = 9, 10, 11


def record(kind, content=b"", request=1, padding=0):
    return struct.pack(">BBHHBB", 1, kind, request, len(content), padding, 0) + content + bytes(padding)


def pair(name, value):
    return struct.pack(">II", len(name) | 0x80000000, len(value) | 0x80000000) + name.encode() + value.encode()


def begin(keep=True, role=1, request=1):
    return record(BEGIN, struct.pack(">HB5x", role, keep), request)


def params(method="GET", path="/healthz", key=None, **more):
    said = {"REQUEST_METHOD": method, "REQUEST_URI": path, "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost", **more}
    if key:
        said["HTTP_AUTHORIZATION"] = "Bearer " + key
    return b"".join(pair(name, value) for name, value in said.items())


def get(keep=True, **said):
    """A whole request without a body."""
    return begin(keep) + record(PARAMS, params(**said)) + record(PARAMS) + record(STDIN)


def post_head(path, key, length, keep=True):
    """A request up to its body."""
    form = {"CONTENT_TYPE": "application/x-www-form-urlencoded", "CONTENT_LENGTH": str(length)}
    return begin(keep) + record(PARAMS, params("POST", path, key, **form)) + record(PARAMS)


class Peer:
    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)

    def send(self, data):
        self.socket.sendall(data)
        return self

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def next(self):
        """The next record as (type, content)."""
        _, kind, _, length, padding, _ = struct.unpack(">BBHHBB", self._exactly(8))
        return kind, self._exactly(length + padding)[:length]

    def answer(self):
        """All of standard output up to the request's end."""
        out = b""
        while True:
            kind, content = self.next()
            if kind == END:
                return out.decode()
            if kind == STDOUT:
                out += content

    def is_closed(self):
        """Waits for it."""
        try:
            while self.socket.recv(65536):
                pass
        except ConnectionResetError:
            pass
        return True


def status(answer):
    return int(answer.split("Status: ", 1)[1][:3])
