"""A receiver of the webhooks of subscribers, by https.

usage: hook_server.py FOLDER: makes FOLDER/ca.pem, writes its port to FOLDER/port, and serves on 127.0.0.1 until SIGTERM.

FOLDER/received gets a line of JSON for each request: path, headers, body. What a path does: /echo/... returns the body,
/deaf/... returns nothing, /gone/... answers 410, /moved/... redirects to /echo/, /huge/... returns the body behind many
bytes.
"""
import http.server
import json
import os
import ssl
import subprocess
import sys

folder = sys.argv[1]
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem",
                "-out", folder + "/ca.pem"], check=True, capture_output=True)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(folder + "/received", "a") as file:
            headers = {name.lower(): value for name, value in self.headers.items()}
            file.write(json.dumps({"path": self.path, "headers": headers, "body": body}) + "\n")
        kind = self.path.split("/")[1]
        self.send_response({"gone": 410, "moved": 302}.get(kind, 200))
        if kind == "moved":
            self.send_header("Location", "/echo/moved")
        reply = {"echo": body, "huge": "x" * 50_000_000 + body}.get(kind, "").encode()
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        try:
            self.wfile.write(reply)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/ca.pem", folder + "/key.pem")
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
with open(folder + "/port.new", "w") as file:
    file.write(str(server.server_port))
os.rename(folder + "/port.new", folder + "/port")
server.serve_forever()
