"""A loader that posts the heartbeats of an account's monitors, evenly spread over their period."""
import threading
import time
import urllib.parse

from suite.client import Client


class Heartbeats:
    def __init__(self, service, period_s):
        self.service, self.period_s, self.is_over, self.failed = service, period_s, False, 0
        client, self.paths, number = Client(service, service.key), [], 1
        while True:
            response = client.send("GET", f"/api/v1/monitors?per_page=100&search=heartbeat&page={number}",
                                   headers={"Authorization": f"Bearer {service.key}"}).json()
            self.paths += [urllib.parse.urlsplit(one["heartbeat_url"]).path for one in response["data"] if one["heartbeat_url"]]
            if len(response["data"]) < 100:
                break
            number += 1
        client.close()
        self.thread = threading.Thread(target=self.post, daemon=True)
        self.thread.start()

    def post(self):
        client, began, sent = Client(self.service), time.monotonic(), 0
        while not self.is_over and self.paths:
            if client.send("POST", self.paths[sent % len(self.paths)], b"").status != 200:
                self.failed += 1
            sent += 1
            wait_s = began + sent * self.period_s / len(self.paths) - time.monotonic()
            time.sleep(max(0, wait_s))

    def end(self):
        self.is_over = True
        self.thread.join()
