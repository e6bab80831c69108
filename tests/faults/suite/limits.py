"""Processes without descriptors and without memory, and an installation with little memory for requests."""
import os
import re
import resource
import signal
import threading

from suite.client import Client
from suite.fault import Fault
from suite.service import signal_pid


class _Limit(Fault):
    group = "limits"
    limit = None

    def processes(self):
        return [self.service.supervisor(), *self.service.children()]

    def set(self, pid, value):
        try:
            _, hard = resource.prlimit(pid, self.limit)
            resource.prlimit(pid, self.limit, (value if value is not None else hard, hard))
        except ProcessLookupError:
            pass

    def heal(self):
        """Lifts the limits. Processes that ended have successors with the supervisor's limits."""
        for pid in self.processes():
            self.set(pid, None)


class DescriptorsExhausted(_Limit):
    """No process of the program may open another file."""

    is_short = False
    limit = resource.RLIMIT_NOFILE

    def inject(self):
        for pid in self.processes():
            self.set(pid, 3)


class DescriptorsFew(_Limit):
    """Each process of the program may have a few more files open than it has."""

    limit = resource.RLIMIT_NOFILE

    def inject(self):
        for pid in self.processes():
            try:
                highest = max(map(int, os.listdir(f"/proc/{pid}/fd")))
            except OSError:
                continue
            self.set(pid, highest + self.rng.randint(1, 6))


class MemoryExhausted(_Limit):
    """No worker, nor the publisher, gets more memory from the system."""

    limit = resource.RLIMIT_AS

    def inject(self):
        for pid in self.service.children():
            try:
                with open(f"/proc/{pid}/statm") as statm:
                    pages = int(statm.read().split()[0])
            except OSError:
                continue
            self.set(pid, pages * resource.getpagesize() + (self.rng.randint(0, 2) << 18))


class RequestsLarge(_Limit):
    """`memory_mb` has its least value, and many clients send as much as they may at once."""

    is_short = False

    def write_conf(self, text):
        with open(self.service.conf, "w", encoding="utf-8") as out:
            out.write(text)
        signal_pid(self.service.supervisor(), signal.SIGHUP)

    def inject(self):
        with open(self.service.conf, encoding="utf-8") as conf:
            self.before = conf.read()
        # The section has its own line in the file of limits that the suite adds.
        self.write_conf(re.sub(r"(?m)^(requests_per_minute = 0)$", r"\1\nmemory_mb = 1", self.before))
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.press, daemon=True) for _ in range(6)]
        for thread in self.threads:
            thread.start()

    def press(self):
        client = Client(self.service)
        body = b'{"name": "' + b"x" * (1000 << 10) + b'"}'
        headers = {"Authorization": f"Bearer {self.service.key}", "Content-Type": "application/json"}
        while not self.is_over.is_set():
            response = client.send("POST", "/api/v1/status-pages", body, headers)
            if response.status not in (0, 422, 502, 503):
                raise AssertionError(f"{response.status} {response.body[:200]!r}")

    def heal(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        self.write_conf(self.before)
