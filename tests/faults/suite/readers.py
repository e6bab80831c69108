"""Readers: visitors of a page whose name counts up, of a page that is made private and public in
turn, and of a private page. They know which writes were acknowledged before their request, and
which were not yet sent when the response came."""
import json
import re
import threading
import time
import xml.etree.ElementTree

from suite.client import Client, Write
from suite.tally import WRONG
from suite.writers import MARK

PUBLIC, PRIVATE = 0, 1


class Shown(threading.Thread):
    """The writer of the three pages that readers look at."""

    def __init__(self, world):
        super().__init__(name="writer of shown pages", daemon=True)
        self.world, self.client = world, Client(world.service, world.service.key)
        self.sent = self.published = 0
        # Whether the page is certainly private: its number rises before it is made public.
        self.closings, self.is_closed = 0, False
        self.numbers = {}
        for slug, privacy in (("steady", PUBLIC), ("turning", PUBLIC), ("hidden", PRIVATE)):
            response = self.write("POST", "/api/v1/status-pages",
                                  [("name", f"{MARK}{slug} 0."), ("slug", slug), ("privacy", privacy)])
            self.numbers[slug] = response.json()["data"]["id"]

        made = self.write("POST", f"/api/v1/status-pages/{self.numbers['hidden']}/links", [("expires_in", 34000000)])
        # A link gives a cookie at its first use.
        opened = self.client.get("/" + made.json()["data"]["url"].split("/", 3)[3])
        self.cookie = {"Cookie": opened.headers["set-cookie"].split(";")[0]}

    def write(self, method, path, fields):
        write = Write(method, path, fields)
        with self.world.gate:
            response = self.client.write(write, lambda response: None, lambda: True)
        if response.status not in (200, 201):
            raise RuntimeError(f"{path}: {response.status} {response.body[:300]!r}")
        self.world.tally.count("acknowledged")
        self.world.tally.count("repeated", write.tries > 1)
        return response

    def run(self):
        try:
            while not self.world.is_over.is_set():
                for privacy in (PRIVATE, PUBLIC):
                    self.rename()
                    time.sleep(self.world.pause_s)
                    self.turn(privacy)
                    time.sleep(self.world.pause_s)
                time.sleep(0.05)
        except Exception as problem:
            self.world.tally.problem(WRONG, f"{self.name}: {problem!r}")

    def rename(self):
        number = self.sent = self.sent + 1
        response = self.write("PUT", f"/api/v1/status-pages/{self.numbers['steady']}",
                              [("name", f"{MARK}steady {number}.")])
        if response.is_published():
            self.published = number

    def turn(self, privacy):
        self.is_closed = False
        self.closings += 1
        response = self.write("PUT", f"/api/v1/status-pages/{self.numbers['turning']}", [("privacy", privacy)])
        self.is_closed = privacy == PRIVATE and response.is_published()


class Reader(threading.Thread):
    FILES = ("", "summary.json", "feed.atom", "badge.svg", "api/v2/status.json")

    def __init__(self, world, number):
        super().__init__(name=f"reader {number}", daemon=True)
        self.world, self.tally, self.client = world, world.tally, Client(world.service)
        self.shown = world.shown

    def run(self):
        try:
            while not self.world.is_over.is_set():
                for name in self.FILES:
                    self.steady(name)
                self.turning()
                self.hidden()
        except Exception as problem:
            self.tally.problem(WRONG, f"{self.name}: {problem!r}")

    def wrong(self, detail):
        self.tally.problem(WRONG, f"{self.name}: {detail}")

    def see(self, path, headers=None):
        time.sleep(self.world.pause_s)
        self.tally.count("views")
        return self.client.get(path, headers)

    def steady(self, name):
        """Checks the public page: it always exists, is whole, and is never older than the
        acknowledged writes."""
        published = self.shown.published
        seen = self.see(f"/s/steady/{name}")
        if self.world.may_be_away(seen):
            return
        if seen.status != 200:
            self.wrong(f"/s/steady/{name} is {seen.status}")
            return
        try:
            text = self.whole(name, seen.body)
        except (ValueError, xml.etree.ElementTree.ParseError) as problem:
            self.wrong(f"/s/steady/{name} is not whole: {problem!r}")
            return
        found = re.search(rf"{MARK}steady (\d+)\.", text)
        if found and not published <= int(found[1]) <= self.shown.sent:
            self.wrong(f"/s/steady/{name} shows {found[1]}; {published} was acknowledged, {self.shown.sent} was sent")
        if not found and name in ("", "summary.json", "feed.atom"):
            self.wrong(f"/s/steady/{name} has no name")

    @staticmethod
    def whole(name, body):
        text = body.decode()
        if name == "" and not text.rstrip().endswith("</html>"):
            raise ValueError("no end")
        if name.endswith(".json"):
            json.loads(text)
        elif name:
            xml.etree.ElementTree.fromstring(text)
        return text

    def turning(self):
        """Checks that visitors never see the page while it is private by an acknowledged write."""
        closings, is_closed = self.shown.closings, self.shown.is_closed
        seen = self.see("/s/turning/")
        if is_closed and closings == self.shown.closings and (seen.status == 200 or b"turning 0." in seen.body):
            self.wrong(f"/s/turning/ is private, and is {seen.status}")

    def hidden(self):
        """Checks the private page: visitors do not see it, but the account's key does."""
        seen = self.see("/s/hidden/")
        if seen.status == 200 or b"hidden 0." in seen.body:
            self.wrong(f"/s/hidden/ is private, and is {seen.status}")
        # The account's key needs the database, a signed link only the program.
        for what, headers in (("key", {"Authorization": f"Bearer {self.world.service.key}"}), ("link", self.shown.cookie)):
            seen = self.see("/s/hidden/", headers)
            if seen.status == 200:
                self.tally.count("views of a private page")
                if b"hidden 0." not in seen.body or not seen.body.rstrip().endswith(b"</html>"):
                    self.wrong(f"/s/hidden/ is not whole for the account's {what}")
            elif not self.world.may_be_gated(seen):
                self.wrong(f"/s/hidden/ is {seen.status} for the account's {what}")
