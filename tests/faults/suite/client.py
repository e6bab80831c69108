"""HTTP as clients use it: each thread keeps one connection, and repeats a write until it is
acknowledged."""
import http.client
import json
import time
import uuid

# How long a write may be repeated before it counts as never acknowledged.
PATIENCE_S = 180
TIMEOUT_S = 40


class Response:
    def __init__(self, status=0, headers=None, body=b""):
        self.status, self.headers, self.body = status, headers or {}, body

    def json(self):
        return json.loads(self.body)

    def is_to_be_repeated(self):
        """No response came, or a web server or the service asks to try later."""
        return self.status in (0, 408, 429) or self.status >= 500

    def is_published(self):
        return "x-daymark-published" not in self.headers

    def is_an_error_of_the_api(self):
        """Whether programs can read the error: the service's, or the web server's in its place."""
        try:
            body = self.json()
        except ValueError:
            return False
        return body.get("status") == self.status and isinstance(body.get("message"), str)


class Client:
    def __init__(self, service, key=None):
        self.service, self.key = service, key
        self.connection = None

    def send(self, method, path, body=None, headers=None):
        for is_kept in (True, False):
            was_open = self.connection is not None
            try:
                if not was_open:
                    self.connection = http.client.HTTPConnection("127.0.0.1", int(self.service.port), timeout=TIMEOUT_S)
                self.connection.request(method, path, body, headers or {})
                response = self.connection.getresponse()
                return Response(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
            except (OSError, http.client.HTTPException):
                self.close()
                # A kept connection that the server had closed: only a GET may be sent again unasked.
                if not (was_open and is_kept and method == "GET"):
                    return Response()
        return Response()

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def get(self, path, headers=None):
        return self.send("GET", path, headers=headers)

    def write(self, write, on_response, goes_on):
        """Sends the write until it is acknowledged or refused; calls on_response each time."""
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": write.key,
                   "Content-Type": write.content_type}
        deadline = time.monotonic() + PATIENCE_S
        while True:
            response = self.send(write.method, write.path, write.body, headers)
            on_response(response)
            if not response.is_to_be_repeated() or time.monotonic() > deadline or not goes_on():
                return response
            write.tries += 1
            time.sleep(0.1)


class Write:
    """A request whose bytes are the same each time it is sent."""

    def __init__(self, method, path, fields=(), files=()):
        self.method, self.path, self.key, self.tries = method, path, str(uuid.uuid4()), 1
        boundary = uuid.uuid4().hex
        self.content_type = f"multipart/form-data; boundary={boundary}"
        out = b""
        for name, value in fields:
            out += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, data in files:
            out += (f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="x.png"\r\n'
                    f"Content-Type: image/png\r\n\r\n").encode() + data + b"\r\n"
        self.body = out + f"--{boundary}--\r\n".encode() if out else None
        if not out:
            self.content_type = "application/x-www-form-urlencoded"
