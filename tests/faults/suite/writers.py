"""Writers: each changes its own pages, monitors, incidents and maintenance, journals each write,
repeats it until it is acknowledged, and then looks at the page as a visitor."""
import hashlib
import json
import random
import re
import struct
import threading
import zlib

from suite.client import Client, Write
from suite.model import Journal, Model
from suite.page_html import MARK, without_form_name
from suite.tally import WRONG

FIXED_MONITORS, EXTRA_MONITORS, PAGES, INCIDENTS, WINDOWS = 3, 2, 5, 8, 2
OK_STATUS = {"create": 201, "report": 201, "post": 201, "end": 201}


def picture(rng, side):
    """A unique PNG of about 3 * side * side bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + rng.randbytes(side * 3) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(pixels, 0)) + chunk(b"IEND", b""))


def texts_of_incidents(seen):
    """The texts of the incidents that a page's JSON lists; None if it cannot be read."""
    try:
        names = [incident["name"] for incident in json.loads(seen.body)["incidents"]]
    except (ValueError, KeyError):
        return None
    # A monitor's name may come first.
    return {re.findall(MARK + r"\w+", name)[-1] for name in names}


def addresses(slug, domain):
    """The names, paths and headers of the files that are not None."""
    if slug:
        yield slug, f"/s/{slug}/", {}
    if domain:
        yield domain, "/", {"Host": domain}


class Gate:
    """Lets writers pass, unless somebody needs a moment without any write under way."""

    def __init__(self):
        self.condition = threading.Condition()
        self.inside, self.is_shut = 0, False

    def __enter__(self):
        with self.condition:
            self.condition.wait_for(lambda: not self.is_shut)
            self.inside += 1

    def __exit__(self, *_):
        with self.condition:
            self.inside -= 1
            self.condition.notify_all()

    def shut(self):
        """Waits until no writer is inside."""
        with self.condition:
            self.is_shut = True
            self.condition.wait_for(lambda: self.inside == 0)

    def open(self):
        with self.condition:
            self.is_shut = False
            self.condition.notify_all()


class Writer(threading.Thread):
    def __init__(self, world, number):
        super().__init__(name=f"writer {number}", daemon=True)
        self.world, self.number, self.tally = world, number, world.tally
        account = world.service.accounts[number % len(world.service.accounts)]
        self.client, self.visitor = Client(world.service, account.key), Client(world.service)
        self.rng = random.Random(f"{world.seed} writer {number}")
        self.journal = Journal(f"{world.journals}/{number}.jsonl", account.number, number)
        self.model, self.made, self.fixed = Model(account.number, number), 0, []

    def run(self):
        try:
            for _ in range(FIXED_MONITORS):
                self.fixed.append(self.monitor_create())
            while not self.world.is_over.wait(self.world.pause_s):
                self.step()
        except Exception as problem:  # the thread's end must not go unseen
            self.tally.problem(WRONG, f"{self.name}: {problem!r}")

    def step(self):
        model = self.model
        chances = {
            self.page_create: 3 if len(model.pages) < PAGES else 0,
            self.page_update: 5 if model.pages else 0,
            self.page_delete: 1 if len(model.pages) > 2 else 0,
            self.report: 9,
            self.incident_report: 2,
            self.incident_post: 3,
            self.incident_delete: 20 if len(model.incidents) > INCIDENTS else 0,
            self.monitor_create: 1 if len(model.monitors) < FIXED_MONITORS + EXTRA_MONITORS else 0,
            self.monitor_rename: 1,
            self.monitor_delete: 1 if len(model.monitors) > FIXED_MONITORS else 0,
            self.maintenance_create: 1 if len(model.maintenances) < WINDOWS else 0,
            self.maintenance_cancel: 1,
            self.maintenance_delete: 1 if model.maintenances else 0,
        }
        self.rng.choices(list(chances), list(chances.values()))[0]()

    def text(self):
        self.made += 1
        return f"{MARK}{self.number}x{self.made}x{self.rng.getrandbits(24):06x}"

    def write(self, op, number, values, method, path, fields=(), files=()):
        """Does the write, and returns the response that acknowledged it."""
        with self.world.gate:
            write = Write(method, path, fields, files)
            n = self.journal.send(op, number, values, write.key)
            response = self.client.write(write, self.see, lambda: True)
            if response.status != OK_STATUS.get(op.split(".")[1], 200):
                raise RuntimeError(f"{op} {path}: {response.status} {response.body[:300]!r}")
            number = number or self.id_in(response.json())
            self.journal.acknowledge(n, response.status, number, write.tries)
            self.model.apply(op, number, values)
            self.tally.count("acknowledged")
            self.tally.count("repeated", write.tries > 1)
            self.tally.count("replayed", "idempotent-replayed" in response.headers)
        return number, response

    @staticmethod
    def id_in(body):
        data = body.get("data", body)
        return data.get("incident_id") or data["id"]

    def see(self, response):
        """Checks that each response before the acknowledgement is one of the documentation."""
        if response.status >= 500 and not response.is_an_error_of_the_api():
            self.tally.problem(WRONG, f"{response.status} without an envelope: {response.body[:200]!r}")
        if response.status == 500:
            self.tally.problem(WRONG, f"500: {response.body[:300]!r}")
        if response.status >= 400:
            self.tally.count(f"responses {response.status}")

    def choose(self, things):
        return self.rng.choice(list(things))

    # Pages

    def page_fields(self, values):
        fields = [(name, values[name]) for name in ("name", "slug", "privacy") if name in values]
        if "domain" in values:
            fields.append(("domain", values["domain"] or ""))
        if values.get("privacy") == 2:
            fields.append(("password", "open sesame"))
        return fields + [("monitor_ids[]", monitor) for monitor in values.get("monitors", ())]

    def some_monitors(self):
        everything = list(self.model.monitors)
        return self.rng.sample(everything, self.rng.randint(1, len(everything)))

    def new_picture(self, values):
        side = 600 if self.world.wants_space.is_set() else self.rng.choice([16, 16, 24, 120])
        data = picture(self.rng, side)
        values["logo"] = hashlib.sha256(data).hexdigest()
        return [("logo", data)]

    def page_create(self):
        text = self.text()
        values = {"name": text, "slug": text.lower(), "privacy": self.rng.choices([0, 1, 2], [8, 1, 1])[0],
                  "monitors": self.some_monitors(), "logo": None,
                  "domain": self.some_domain() if self.rng.random() < 0.4 else None}
        files = self.new_picture(values) if self.rng.random() < 0.4 else []
        fields = self.page_fields(values) + [("time_zone", self.rng.choice(["UTC", "Europe/Berlin"]))]
        number, response = self.write("page.create", None, values, "POST", "/api/v1/status-pages", fields, files)
        self.look(self.model.pages[number], response)

    def page_update(self):
        number = self.choose(self.model.pages)
        values, files, fields = {"name": self.text()}, [], []
        before = dict(self.model.pages[number])
        if self.rng.random() < 0.3:
            values["privacy"] = self.rng.choice([0, 0, 1, 2])
        if self.rng.random() < 0.2:
            values["monitors"] = self.some_monitors()
        if self.rng.random() < 0.1:
            values["slug"] = self.text().lower()
        if self.rng.random() < 0.25:
            values["domain"] = None if before["domain"] and self.rng.random() < 0.5 else self.some_domain()
        if self.rng.random() < 0.3:
            if self.rng.random() < 0.7:
                files = self.new_picture(values)
            else:
                values["logo"], fields = None, [("remove_logo", 1)]
        _, response = self.write("page.update", number, values, "PUT", f"/api/v1/status-pages/{number}",
                                 self.page_fields(values) + fields, files)
        page = self.model.pages[number]
        self.look(page, response)
        is_private = page["privacy"] != 0
        self.look_for_none(response, slug=before["slug"] if page["slug"] != before["slug"] or is_private else None,
                           domain=before["domain"] if page["domain"] != before["domain"] or is_private else None)

    def page_delete(self):
        number = self.choose(self.model.pages)
        page = self.model.pages[number]
        _, response = self.write("page.delete", number, {}, "DELETE", f"/api/v1/status-pages/{number}")
        self.look_for_none(response, page["slug"], page["domain"])

    def some_domain(self):
        """A new domain, or one that a page of this writer has given up."""
        free = sorted(self.model.free_domains)
        return self.rng.choice(free) if free and self.rng.random() < 0.5 else f"{self.text().lower()}.example"

    # What a visitor sees

    def look(self, page, response):
        if not response.is_published():
            self.tally.count("writes not published at once")
            return
        if page["privacy"] != 0:
            self.look_for_none(response, page["slug"], page["domain"])
            return
        for name, path, headers in addresses(page["slug"], page["domain"]):
            self.tally.count("looks")
            seen = self.visitor.get(path, headers)
            if self.world.may_be_away(seen):
                continue
            if seen.status != 200 or page["name"].encode() not in seen.body:
                self.tally.problem(WRONG, f"{name} was acknowledged, and is {seen.status} without {page['name']}")

    def look_for_none(self, response, slug, domain):
        """Checks that neither address shows a page; None: there is no such address."""
        if not response.is_published():
            return
        for name, path, headers in addresses(slug, domain):
            seen = self.visitor.get(path, headers)
            if MARK.encode() in without_form_name(seen.body):
                self.tally.problem(WRONG, f"{name} is not public any more, and is {seen.status}")

    def look_at_incidents(self, number, response):
        """Checks that the page's JSON names exactly the open incidents."""
        pages = [page for page in self.model.pages.values() if number in page["monitors"] and page["privacy"] == 0]
        if not pages or not response.is_published() or self.rng.random() > 0.5:
            return
        page = self.rng.choice(pages)
        self.tally.count("looks")
        seen = self.visitor.get(f"/s/{page['slug']}/summary.json")
        if self.world.may_be_away(seen):
            return
        shown, (must, may) = texts_of_incidents(seen), self.model.open_on(page)
        if shown is None or not must <= shown <= may:
            self.tally.problem(WRONG, f"{page['slug']} is {seen.status} and shows {shown}, not {sorted(may)}")

    # Incidents

    def open_detected(self, monitor):
        for number, incident in self.model.incidents.items():
            if incident["is_open"] and incident["kind"] == "detected" and incident["monitors"] == [monitor]:
                return number
        return None

    def report(self):
        monitor = self.rng.choice(self.fixed)
        number = self.open_detected(monitor)
        fields = [("monitor", monitor), ("state", "up" if number else "down")]
        if number:
            _, response = self.write("report.up", None, {}, "POST", "/hooks/generic", fields)
        else:
            values = {"text": self.text(), "kind": "detected", "monitors": [monitor]}
            _, response = self.write("report.down", None, values, "POST", "/hooks/generic",
                                     fields + [("title", values["text"]), ("cause", "It does not respond.")])
        self.look_at_incidents(monitor, response)

    def incident_report(self):
        monitors = self.rng.sample(self.fixed, self.rng.randint(1, 2))
        values = {"text": self.text(), "kind": "reported", "monitors": monitors, "body": self.text()}
        fields = [("title", values["text"]), ("body", values["body"]), ("phase", "investigating"),
                  ("impact", "partial_outage"), *(("monitor_ids[]", monitor) for monitor in monitors)]
        _, response = self.write("incident.report", None, values, "POST", "/api/v1/incidents", fields)
        self.look_at_incidents(monitors[0], response)

    def incident_post(self):
        reported = [number for number, incident in self.model.incidents.items()
                    if incident["is_open"] and incident["kind"] == "reported"]
        if not reported:
            return
        number = self.rng.choice(reported)
        is_end = self.rng.random() < 0.5
        values = {"body": self.text()}
        fields = [("body", values["body"]), ("phase", "resolved" if is_end else "monitoring")]
        _, response = self.write("incident.end" if is_end else "incident.post", number, values, "POST",
                                 f"/api/v1/incidents/{number}/updates", fields)
        self.look_at_incidents(self.model.incidents[number]["monitors"][0], response)

    def incident_delete(self):
        number = self.choose(self.model.incidents)
        monitor = self.model.incidents[number]["monitors"][0]
        _, response = self.write("incident.delete", number, {}, "DELETE", f"/api/v1/incidents/{number}")
        self.look_at_incidents(monitor, response)

    # Monitors and maintenance

    def monitor_create(self):
        values = {"name": self.text()}
        number, _ = self.write("monitor.create", None, values, "POST", "/api/v1/monitors",
                               [("name", values["name"]), ("url", "https://www.example.org/")])
        return number

    def monitor_rename(self):
        number, values = self.choose(self.model.monitors), {"name": self.text()}
        self.write("monitor.rename", number, values, "PUT", f"/api/v1/monitors/{number}", [("name", values["name"])])

    def monitor_delete(self):
        number = self.choose(set(self.model.monitors) - set(self.fixed))
        self.write("monitor.delete", number, {}, "DELETE", f"/api/v1/monitors/{number}")

    def maintenance_create(self):
        values = {"title": self.text(), "monitors": [self.rng.choice(self.fixed)]}
        self.write("maintenance.create", None, values, "POST", "/api/v1/maintenances",
                   [("title", values["title"]), ("monitor_ids[]", values["monitors"][0]),
                    ("starts_at", "2031-01-11T22:00:00Z"), ("ends_at", "2031-01-11T23:00:00Z")])

    def maintenance_cancel(self):
        ahead = [number for number, window in self.model.maintenances.items() if not window["is_cancelled"]]
        if ahead:
            number = self.rng.choice(ahead)
            self.write("maintenance.cancel", number, {"is_cancelled": True}, "PUT", f"/api/v1/maintenances/{number}",
                       [("status", "cancelled")])

    def maintenance_delete(self):
        number = self.choose(self.model.maintenances)
        self.write("maintenance.delete", number, {}, "DELETE", f"/api/v1/maintenances/{number}")
