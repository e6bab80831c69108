"""One call fails: each file-system call of a write with an upload in turn (EIO, ENOSPC), by strace, and each of its
allocations, by tests/lib/failing-malloc.c. The program serves each of these requests as plain CGI, on the pages and the
database of the running service."""
import collections
import hashlib
import json
import os
import random
import re
import subprocess

from suite.checker import Links
from suite.client import Write
from suite.service import PROGRAMS, TOP, run
from suite.tally import DOUBLED, LOST, WRONG
from suite.writers import MARK, picture

CALLS = ("openat,openat2,open,mkdirat,mkdir,unlinkat,renameat,renameat2,linkat,write,pwrite64,writev,fsync,fdatasync,"
         "syncfs,sync_file_range,ftruncate,fallocate,fchmod,fchmodat,utimensat,flock,getdents64,fstat,newfstatat,read,pread64")
ERRORS = ("EIO", "ENOSPC")
SAMPLE = 8  # of each kind, in a short run


class Response:
    """The output of a CGI program."""

    def __init__(self, done):
        head, _, self.body = done.stdout.partition(b"\r\n\r\n")
        found = re.search(rb"(?im)^status: (\d+)", head)
        self.status = int(found[1]) if found else 0
        self.is_published = b"x-daymark-published" not in head.lower()
        self.is_empty, self.exit_status, self.stderr = not done.stdout, done.returncode, done.stderr

    def is_right(self):
        if self.status == 200:
            return b'"data"' in self.body
        if self.is_empty:
            # The program has ended itself (EX_SOFTWARE), of which a web server makes a 500 or 502.
            return self.exit_status == os.EX_SOFTWARE
        if not self.body:
            # There was no memory for one.
            return self.status in (500, 503)
        try:
            envelope = json.loads(self.body)
        except ValueError:
            return False
        return self.status in (500, 503) and envelope["status"] == self.status


class Calls:
    def __init__(self, world, options):
        self.world, self.service, self.tally, self.options = world, world.service, world.tally, options
        self.rng = random.Random(f"{options.seed} calls")
        self.client = world.probe_client
        self.made = 0
        # The log of these programs may tell of defects: that nothing else is free is the fault.
        self.conf = f"{self.service.dir}/conf/calls.conf"
        with open(self.service.conf, encoding="utf-8") as read, open(self.conf, "w", encoding="utf-8") as out:
            out.write(re.sub(r"(?m)^log_file = .*", f"log_file = {self.service.dir}/run/calls.log", read.read()))
        self.name = None
        write = Write("POST", "/api/v1/status-pages", [("name", f"{MARK}call 0."), ("slug", "calls")])
        self.number = self.send(write).json()["data"]["id"]
        world.shown.numbers["calls"] = self.number

    def send(self, write):
        return self.client.write(write, lambda response: None, lambda: True)

    def write(self):
        """The next change of the page: another name and another picture."""
        self.made += 1
        self.before, self.name = self.name, f"{MARK}call {self.made}."
        data = picture(self.rng, 16)
        self.logo = hashlib.sha256(data).hexdigest()
        return Write("PUT", f"/api/v1/status-pages/{self.number}", [("name", self.name)], [("logo", data)])

    def words(self, write):
        """The request as a command, for env."""
        values = {"DAYMARK_CONF": self.conf, "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": write.method,
                  "REQUEST_URI": write.path, "HTTP_HOST": f"127.0.0.1:{self.service.port}", "REMOTE_ADDR": "127.0.0.1",
                  "HTTP_AUTHORIZATION": f"Bearer {self.service.key}", "HTTP_IDEMPOTENCY_KEY": write.key,
                  "CONTENT_TYPE": write.content_type, "CONTENT_LENGTH": str(len(write.body))}
        return [f"{name}={value}" for name, value in values.items()]

    def traced(self, write, *options):
        """The response under strace, and strace's output."""
        trace = f"{self.service.dir}/trace"
        done = subprocess.run(["env", *self.words(write), "strace", "-f", "-qq", "-o", trace, *options,
                               f"{PROGRAMS}/daymark"], input=write.body, capture_output=True, check=False)
        with open(trace, encoding="utf-8", errors="replace") as traced:
            return Response(done), traced.read()

    def must(self, condition, what, response):
        if not condition:
            self.tally.problem(WRONG, f"{what}: {response.status} {response.exit_status} {response.body[:200]!r} "
                                      f"{response.stderr[-200:]!r}")

    def seen(self):
        """The page's files as visitors see them: its name, and whether all files that it links to
        exist."""
        folder = f"{self.service.pages}/public/s/calls"
        for _ in range(20):
            with open(f"{folder}/index.html", encoding="utf-8") as page:
                links = Links(page.read())
            if all(os.path.exists(f"{folder}/{name}") for name in links.names):
                return links.headings[0], True
            # The publisher of the service may have replaced the page meanwhile.
        return links.headings[0], False

    def judge(self, what, response, write):
        """Checks that the response is right, the page is whole, and the client's repetition
        completes the write."""
        self.must(response.is_right(), what, response)
        name, is_whole = self.seen()
        self.must(is_whole, f"{what}: the page lacks files that it links to", response)
        if response.status == 200 and response.is_published:
            self.must(name == self.name, f"{what}: said to be published, and shows {name}", response)
        else:
            self.must(name in (self.before, self.name), f"{what}: shows {name}", response)
        again = self.send(write)
        name, is_whole = self.seen()
        if again.status != 200:
            self.tally.problem(LOST, f"{what}: its repetition is {again.status} {again.body[:200]!r}")
        elif again.is_published() and (name != self.name or not is_whole):
            self.tally.problem(WRONG, f"{what}: its repetition is acknowledged, and the page shows {name}")
        self.tally.count("acknowledged")

    # File-system calls

    def places(self):
        """The calls on the pages folder: the name of each, and how many calls with this name came
        before."""
        response, traced = self.traced(self.write(), "-y", "-s", "200", "-e", f"trace=?{CALLS.replace(',', ',?')}")
        self.must(response.status == 200, "without a failure", response)
        counts, out = collections.Counter(), set()
        for line in traced.splitlines():
            found = re.match(r"(\d+) +(\w+)\(", line)
            if not found:
                continue
            # strace counts the calls of each thread by themselves.
            counts[found[1], found[2]] += 1
            if self.service.pages in line:
                out.add((found[2], counts[found[1], found[2]]))
        return sorted(out)

    def each_call(self, row_of):
        if run("strace", "-qq", "-o", "/dev/null", "true").returncode != 0:
            row_of("each-file-system-call").reason = "strace cannot trace here"
            return
        places = [(error, *place) for error in ERRORS for place in self.places()]
        row = row_of("each-file-system-call")
        for error, call, at in self.sample(places):
            self.tally.current = row.name
            write = self.write()
            response, traced = self.traced(write, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={at}")
            row.injections += "INJECTED" in traced
            self.judge(f"{error} of {call} {at}", response, write)
            row.acknowledged += 1

    def sample(self, everything):
        if not self.options.is_short or len(everything) <= 2 * SAMPLE:
            return everything
        first = self.rng.randrange(len(everything))
        step = len(everything) / (2 * SAMPLE)
        return [everything[int(first + i * step) % len(everything)] for i in range(2 * SAMPLE)]

    # Allocations

    def each_allocation(self, row_of):
        row, shim = row_of("each-allocation"), f"{self.service.dir}/failing-malloc.so"
        built = run("cc", "-shared", "-fPIC", "-O1", "-o", shim, f"{TOP}/tests/lib/failing-malloc.c")
        if built.returncode != 0:
            row.reason = "no compiler"
            return
        self.tally.current = row.name
        most = 64
        while self.fail_at(shim, most, row):
            most *= 2
        low, high = most // 2, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fail_at(shim, middle, row) else (low, middle)
        for n in self.sample(list(range(1, low + 1))):
            self.fail_at(shim, n, row)

    def fail_at(self, shim, n, row):
        """Whether the request has this number of allocations: then the last of them has failed."""
        write = self.write()
        hit_read, hit_write = os.pipe()
        # The shim writes to the descriptor 9.
        try:
            done = subprocess.run(
                ["bash", "-c", f'exec "$0" "$@" 9>&{hit_write}', "env", *self.words(write), f"LD_PRELOAD={shim}",
                 f"FAIL_AT={n}", f"{PROGRAMS}/daymark"], input=write.body, pass_fds=[hit_write], capture_output=True, check=False)
        finally:
            os.close(hit_write)
        with os.fdopen(hit_read, "rb") as hit:
            is_hit = bool(hit.read())
        self.judge(f"allocation {n}", Response(done), write)
        row.injections += is_hit
        row.acknowledged += 1
        return is_hit

    def finish(self):
        """Checks that each write was done once, and that the picture is the last one's."""
        self.tally.current = None
        there = int(self.service.sql("SELECT COUNT(*) FROM events WHERE kind = 'status_page.updated' AND object_id = "
                                     f"{self.number}")[0][0])
        if there != self.made:
            self.tally.problem(LOST if there < self.made else DOUBLED, f"calls: {there} events of {self.made} writes")
        row = self.service.sql("SELECT p.name, SHA2(f.bytes, 256) FROM status_pages p JOIN status_page_files f "
                               f"ON f.status_page_id = p.id WHERE p.id = {self.number}")
        if row != [[self.name, self.logo]]:
            self.tally.problem(LOST, f"calls: the page is {row}, not {self.name} with {self.logo}")
