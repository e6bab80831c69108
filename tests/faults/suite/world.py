"""A run: the service, its writers and readers, and their common state."""
import os
import threading
import time

from suite.client import Client, Write
from suite.readers import Reader, Shown
from suite.tally import Tally
from suite.writers import Gate, Writer


class World:
    def __init__(self, service, seed, writers, readers, pause_s):
        self.service, self.seed = service, seed
        self.tally, self.gate = Tally(), Gate()
        self.is_over, self.wants_space = threading.Event(), threading.Event()
        # Between the steps of a writer, and between the views of a reader.
        self.pause_s = pause_s
        self.journals = f"{service.dir}/journals"
        os.mkdir(self.journals)
        # Names of faults under which views may fail: the web server itself is hurt.
        self.away, self.gated_away = set(), set()
        self.last_away = self.last_gated_away = 0.0
        self.shown = Shown(self)
        self.writers = [Writer(self, number) for number in range(writers)]
        self.readers = [Reader(self, number) for number in range(readers)]
        self.probe_client = Client(service, service.key)
        self.probes = 0

    def start(self):
        for thread in [self.shown, *self.writers, *self.readers]:
            thread.start()

    def end(self):
        """Ends the writers after their last write is acknowledged."""
        self.is_over.set()
        for thread in [self.shown, *self.writers, *self.readers]:
            thread.join()

    def pages_away(self, name, is_away):
        (self.away.add if is_away else self.away.discard)(name)
        self.last_away = time.monotonic()

    def program_away(self, name, is_away):
        (self.gated_away.add if is_away else self.gated_away.discard)(name)
        self.last_gated_away = time.monotonic()

    def may_be_away(self, seen):
        """Whether a view may fail because the web server was killed: no response came, or the web
        server's error."""
        is_now = bool(self.away) or time.monotonic() - self.last_away < 1
        return is_now and seen.status in (0, 500, 502, 503, 504)

    def may_be_gated(self, seen):
        """Whether a view of a private page may fail: it needs the program, which may be away for a
        moment. The response must not tell more."""
        is_now = bool(self.gated_away) or time.monotonic() - self.last_gated_away < 1
        return self.may_be_away(seen) or (is_now and seen.status in (0, 429, 500, 502, 503, 504))

    def probe(self):
        """Sends one write once, outside of the writers. Returns whether it was done, and whether
        its page shows it."""
        self.probes += 1
        name = f"Probe {self.probes}."
        number = self.shown.numbers["hidden"]
        write = Write("PUT", f"/api/v1/status-pages/{number}", [("meta_title", name)])
        response = self.probe_client.send("PUT", write.path, write.body, {
            "Authorization": f"Bearer {self.service.key}", "Idempotency-Key": write.key,
            "Content-Type": write.content_type})
        if response.status != 200 or not response.is_published():
            return False
        self.tally.count("acknowledged")
        seen = self.probe_client.get("/s/hidden/", {"Authorization": f"Bearer {self.service.key}"})
        return seen.status == 200 and name.encode() in seen.body

    def lack(self, since):
        """The parts that do not work yet: a write at the first try, /readyz, the publishing of
        every page that was left when the fault was healed, at `since`. None when all of them
        work."""
        if not self.service.is_whole():
            return "a part of the database is not there"
        if not self.probe():
            return "a write was not done, or is not on its page"
        readyz = self.probe_client.get("/readyz")
        if readyz.status != 200:
            return f"/readyz is {readyz.status}"
        left = self.service.sql("SELECT page_id, unpublished_since FROM page_revisions WHERE unpublished_since <= "
                                f"'{since}' OR unpublished_since > UTC_TIMESTAMP() + INTERVAL 5 SECOND", must=False)
        return None if left == [] else f"not published: {left}"

    def repair(self):
        """Does what an operator would do, so that the run goes on after a fault that needs a
        person."""
        service = self.service
        if service.database.poll() is not None:
            service.start_database()
        service.kill_daymark()
        service.ctl("publish")
