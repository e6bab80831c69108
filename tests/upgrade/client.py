"""Asks a service at its FastCGI socket."""
import json
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import fcgi  # noqa: E402

BASE_PATH = "/daymark"


class Client:
    def __init__(self, path):
        self.path = path
        self.peer = fcgi.Peer(path, timeout=60)

    def send(self, method, path, key=None, body=b"", kind="application/x-www-form-urlencoded", **headers):
        """The status, the headers and the body."""
        said = fcgi.params(method, BASE_PATH + path, key, SCRIPT_NAME=BASE_PATH, CONTENT_TYPE=kind,
                           CONTENT_LENGTH=str(len(body)), REMOTE_ADDR="192.0.2.9", HTTPS="on", **headers)
        parts = [fcgi.record(fcgi.STDIN, body[at:at + 60000]) for at in range(0, len(body), 60000)]
        self.peer.send(fcgi.begin() + fcgi.record(fcgi.PARAMS, said) + fcgi.record(fcgi.PARAMS) + b"".join(parts)
                       + fcgi.record(fcgi.STDIN))
        head, _, content = self.peer.answer().replace("\r\n", "\n").partition("\n\n")
        return fcgi.status(head), head, content


def form(fields):
    """Fields as a body: a list is several values."""
    return urllib.parse.urlencode(fields, doseq=True).encode()


def multipart(fields, files):
    """Fields, and files by their field: the body and its type."""
    parts = []
    for name, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode())
    for name, content in files.items():
        parts.append(f'Content-Disposition: form-data; name="{name}"; filename="a.png"\r\n'
                     "Content-Type: image/png\r\n\r\n".encode() + content)
    body = b"".join(b"--part\r\n" + part + b"\r\n" for part in parts) + b"--part--\r\n"
    return body, "multipart/form-data; boundary=part"


def data_of(answer, wanted):
    status, _, content = answer
    if status not in wanted:
        raise SystemExit(f"{status}: {content}")
    return json.loads(content).get("data")
