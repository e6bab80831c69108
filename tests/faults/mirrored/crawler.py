"""Visitors of the mirror while the processes that send and receive pages are killed: no page may lack a file."""
import random
import re
import signal
import threading
import time

from mirrored.installation import INCOMPLETE
from suite.client import Client, Write
from suite.service import signal_pid, wait_for


class Crawler(threading.Thread):
    """Reads pages of the mirror with what they name. A file that is missing counts if the page still names it."""

    def __init__(self, origin, slugs, pause_s):
        super().__init__(daemon=True)
        self.host, self.slugs, self.pause_s, self.ends = {"Host": origin.host}, slugs, pause_s, False
        self.client = Client(origin.mirror)
        self.pages = self.files = 0
        self.missing = []

    def see(self, path):
        time.sleep(self.pause_s)
        return self.client.get(path, self.host)

    def names_of(self, slug):
        seen = self.see(f"/s/{slug}/")
        if seen.status != 200:
            return set()
        self.pages += 1
        return {name for name in re.findall(r'(?:href|src)="([^"#?:]+\.[a-z]+)"', seen.body.decode()) if "/" not in name}

    def run(self):
        while not self.ends:
            slug = random.choice(self.slugs)
            for name in self.names_of(slug):
                self.files += 1
                self.look(slug, name)

    def look(self, slug, name):
        path = f"/s/{slug}/{name}"
        while self.see(path).status != 200:
            if name not in self.names_of(slug):
                return
            if self.see(path).status != 200 and name in self.names_of(slug):
                self.missing.append(path)
                return


class Writer(threading.Thread):
    """Changes pages without a pause; what changes also changes the names of the page's files."""

    def __init__(self, origin, pages, number):
        super().__init__(daemon=True)
        self.client, self.pages, self.rng, self.ends = Client(origin, origin.key), pages, random.Random(number), False

    def run(self):
        while not self.ends:
            page, rng = self.rng.choice(self.pages), self.rng
            fields = [("name", f"Page {rng.random()}"), ("custom_css", f"body {{ order: {rng.randrange(10 ** 9)} }}")]
            self.client.write(Write("PUT", f"/api/v1/status-pages/{page['id']}", fields), lambda response: None, lambda: True)


def kill_pushers(origin, pages, kills, pause_s):
    """Returns the files that were missing, and a text of how much was read."""
    crawlers = [Crawler(origin, [page["slug"] for page in pages], pause_s) for _ in range(2)]
    writers = [Writer(origin, pages, number) for number in range(2)]
    for thread in crawlers + writers:
        thread.start()
    for number in range(kills):
        wait_for("the pusher's start", origin.pusher)
        time.sleep(random.random() * 0.5)
        if number % 3 == 0:
            origin.mirror.kill_worker()
        pusher = origin.pusher()
        if pusher:
            signal_pid(pusher, signal.SIGKILL)
            wait_for("the pusher's end", lambda: origin.pusher() != pusher)
    for thread in writers:
        thread.ends = True
        thread.join()
    is_complete = origin.catches_up()
    for thread in crawlers:
        thread.ends = True
        thread.join()
    files = sum(crawler.files for crawler in crawlers)
    text = f"{sum(crawler.pages for crawler in crawlers)} pages and {files} files read, {kills} kills"
    found = [path for crawler in crawlers for path in crawler.missing]
    return found + [what for what, is_right in (("nothing was read", files), (INCOMPLETE, is_complete)) if not is_right], text
