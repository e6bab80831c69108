"""The expected state after the acknowledged writes of one journal: the only place that says what a
write means. A journal has a line before each write is sent for the first time, and another when the
write is acknowledged."""
import collections
import json

# The events that each acknowledged write leaves, exactly once: the object they are about, and their kinds.
EVENTS = {
    "page.create": ("status_page", "status_page.created"),
    "page.update": ("status_page", "status_page.updated"),
    "page.delete": ("status_page", "status_page.deleted"),
    "report.down": ("incident", "incident.opened"),
    "report.up": ("incident", "incident.resolved"),
    "incident.report": ("incident", "incident.reported"),
    "incident.post": ("incident", "incident.update_posted"),
    "incident.end": ("incident", "incident.update_posted", "incident.resolved"),
    "incident.delete": ("incident", "incident.deleted"),
    "monitor.create": ("monitor", "monitor.created"),
    "monitor.rename": ("monitor", "monitor.renamed"),
    "monitor.delete": ("monitor", "monitor.deleted"),
    "maintenance.create": ("maintenance", "maintenance.scheduled"),
    "maintenance.cancel": ("maintenance", "maintenance.cancelled"),
    "maintenance.delete": ("maintenance", "maintenance.deleted"),
}


class Model:
    def __init__(self, account, writer):
        self.account, self.writer = account, writer
        self.pages, self.incidents, self.monitors, self.maintenances = {}, {}, {}, {}
        self.events = collections.Counter()  # (object, id, kind)
        self.gone = set()                    # (object, id)
        self.gone_texts = set()              # of incidents and maintenance
        # Domains that are nobody's; and the former domains of each page that lead to it, newest last.
        self.free_domains, self.former_domains = set(), {}

    def apply(self, op, number, values):
        """Applies an acknowledged write; `number` is the id of its object."""
        kind, *events = EVENTS[op]
        self.events.update((kind, number, event) for event in events)
        name, action = op.split(".")
        if action == "delete":
            self.forget(kind, number)
        elif name == "page":
            page = self.pages.setdefault(number, {"domain": None})
            if "domain" in values:
                self.move(number, page["domain"], values["domain"])
            page.update(values)
        elif name == "monitor":
            self.monitors.setdefault(number, {}).update(values)
        elif name == "maintenance":
            self.maintenances.setdefault(number, {"is_cancelled": False}).update(values)
        else:
            incident = self.incidents.setdefault(number, {"is_open": True, "updates": []})
            if "body" in values:
                incident["updates"].append(values["body"])
            incident.update((key, value) for key, value in values.items() if key != "body")
            if op in ("report.up", "incident.end"):
                incident["is_open"] = False

    def forget(self, kind, number):
        things = {"status_page": self.pages, "incident": self.incidents, "monitor": self.monitors,
                  "maintenance": self.maintenances}[kind]
        thing = things.pop(number)
        self.gone.add((kind, number))
        self.gone_texts.update(thing[name] for name in ("text", "title") if name in thing)
        self.gone_texts.update(thing.get("updates", ()))
        if kind == "status_page":
            self.move(number, thing["domain"], None)
            self.former_domains.pop(number, None)
        if kind == "monitor":
            for page in self.pages.values():
                page["monitors"] = [monitor for monitor in page["monitors"] if monitor != number]

    def move(self, number, before, after):
        """A page gives up a domain, takes another, or both. The taken domain leads to no other page
        any more."""
        if before and before != after:
            self.free_domains.add(before)
            self.former_domains.setdefault(number, []).append(before)
        if after:
            self.free_domains.discard(after)
            for former in self.former_domains.values():
                if after in former:
                    former.remove(after)

    def open_on(self, page):
        """The texts of the open incidents that the page must show, and of further ones that it may
        show: a detected incident is inside a reported one that covers its monitor."""
        shown = [incident for incident in self.incidents.values()
                 if incident["is_open"] and set(incident["monitors"]) & set(page["monitors"])]
        covered = {monitor for incident in shown if incident["kind"] == "reported" for monitor in incident["monitors"]}
        must = {incident["text"] for incident in shown
                if incident["kind"] == "reported" or not set(incident["monitors"]) & covered}
        return must, {incident["text"] for incident in shown}


class Journal:
    """A journal as its one writer writes it: a line precedes each write."""

    def __init__(self, path, account, writer):
        self.path = path
        self.out = open(path, "w", buffering=1, encoding="utf-8")
        self.count = 0
        print(json.dumps({"account": account, "writer": writer}), file=self.out)

    def send(self, op, number, values, key):
        self.count += 1
        print(json.dumps({"n": self.count, "op": op, "id": number, "values": values, "key": key}), file=self.out)
        return self.count

    def acknowledge(self, n, status, number, tries):
        print(json.dumps({"n": n, "status": status, "id": number, "tries": tries}), file=self.out)


class Read:
    """A journal as the checker reads it."""

    def __init__(self, path):
        self.model, self.acknowledged, self.repeated = None, 0, 0
        self.unknown = []  # sent, and never acknowledged
        sent = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if self.model is None:
                    self.model = Model(record["account"], record["writer"])
                elif "op" in record:
                    sent[record["n"]] = record
                else:
                    first = sent.pop(record["n"])
                    self.acknowledged += 1
                    self.repeated += record["tries"] > 1
                    self.model.apply(first["op"], record["id"], first["values"])
        self.unknown = list(sent.values())
