"""The independent checker: reads the writers' journals, and compares them with the database by SQL of its own and
with the files on the disk by parsers of its own. It asks the service for nothing."""
import collections
import glob
import gzip
import hashlib
import html.parser
import json
import os
import re
import xml.etree.ElementTree

from suite.model import Read
from suite.page_html import MARK, Shown
from suite.tally import DOUBLED, LOST, WRONG

TABLES = {"status_page": "status_pages", "incident": "incidents", "monitor": "monitors",
          "maintenance": "maintenances"}


# Of the former addresses of a page, of which the service keeps the newest 40.
FORMER_KEPT = 10


class Checker:
    def __init__(self, world):
        self.world, self.service, self.tally = world, world.service, world.tally
        self.journals = [Read(path) for path in sorted(glob.glob(f"{world.journals}/*.jsonl"))]
        self.models = [journal.model for journal in self.journals]
        self.accounts = ", ".join(str(account.number) for account in self.service.accounts)
        # Of the account that reads the rows: see readers.Shown.
        self.first = self.service.accounts[0].number
        # The pages that readers look at have no journal.
        self.others = {int(number) for number in world.shown.numbers.values()}

    def wrong(self, kind, detail):
        self.tally.problem(kind, detail)

    def everything(self):
        for journal in self.journals:
            for record in journal.unknown:
                self.wrong(LOST, f"never acknowledged: {record['op']} {record['values']}")
        for _ in self.service.copies(self.tally):
            self.rows()
        self.files()

    def rows(self):
        self.objects()
        self.events()
        self.rows_of_pages()
        self.rows_of_incidents()
        self.rows_of_others()
        self.counts()

    def all(self, name):
        """The objects of this kind in all journals, by id."""
        return {number: values for model in self.models for number, values in getattr(model, name).items()}

    # The database

    def objects(self):
        """Checks that exactly the objects that were created exist."""
        names = {"status_page": "pages", "incident": "incidents", "monitor": "monitors", "maintenance": "maintenances"}
        wanted = {kind: {(number, model.account) for model in self.models for number in getattr(model, name)}
                  for kind, name in names.items()}
        wanted["status_page"] |= {(number, self.first) for number in self.others}
        for kind, table in TABLES.items():
            # What is deleted in pieces has its mark at once.
            alive = {"maintenance": " AND deleted_at IS NULL", "monitor": " AND removed_at IS NULL"}.get(kind, "")
            there = {(int(number), int(account)) for number, account in
                     self.service.sql(f"SELECT id, account_id FROM {table} WHERE account_id IN ({self.accounts}){alive}")}
            gone = {number for model in self.models for what, number in model.gone if what == kind}
            for number, account in wanted[kind] - there:
                self.wrong(LOST, f"{kind} {number} is not in the database, in account {account}")
            for number, account in there - wanted[kind]:
                is_old = number in gone
                self.wrong(LOST if is_old else DOUBLED, f"{kind} {number} of account {account} "
                           + ("was deleted, and is there" if is_old else "was made by no write"))
            self.tally.count(f"{table} compared", len(there))

    def events(self):
        """Checks that each write has left its events once."""
        wanted = collections.Counter()
        for model in self.models:
            wanted.update(model.events)
        there = {(kind, int(number), event): int(count) for kind, number, event, count in self.service.sql(
            f"SELECT object, object_id, kind, COUNT(*) FROM events WHERE account_id IN ({self.accounts}) "
            "AND actor_type = 'key' GROUP BY object, object_id, kind")}
        for key in wanted.keys() | there.keys():
            if key[0] == "status_page" and key[1] in self.others:
                continue
            if there.get(key, 0) < wanted[key]:
                self.wrong(LOST, f"{key}: {there.get(key, 0)} events of {wanted[key]} writes")
            if there.get(key, 0) > wanted[key]:
                self.wrong(DOUBLED, f"{key}: {there.get(key, 0)} events of {wanted[key]} writes")
        self.tally.count("events compared", sum(there.values()))

    def rows_of_pages(self):
        rows = {int(row[0]): row[1:] for row in self.service.sql(
            "SELECT p.id, p.name, p.slug, p.privacy, IFNULL(p.domain, 'None'), IFNULL((SELECT SHA2(bytes, 256) FROM status_page_files f WHERE "
            "f.status_page_id = p.id AND f.kind = 'logo'), 'None'), IFNULL((SELECT GROUP_CONCAT(monitor_id ORDER BY "
            "position) FROM status_page_monitors m WHERE m.status_page_id = p.id), '') FROM status_pages p "
            f"WHERE account_id IN ({self.accounts})")}
        for number, page in self.all("pages").items():
            wanted = [page["name"], page["slug"], str(page["privacy"]), str(page["domain"]), str(page["logo"]),
                      ",".join(map(str, page["monitors"]))]
            if number in rows and rows[number] != wanted:
                self.wrong(LOST, f"page {number} is {rows[number]}, not {wanted}")

    def rows_of_incidents(self):
        rows = {int(row[0]): row[1:] for row in self.service.sql(
            "SELECT i.id, IFNULL(i.title, ''), i.ended_at IS NULL, IFNULL(i.monitor_id, (SELECT GROUP_CONCAT(monitor_id "
            "ORDER BY position) FROM incident_monitors m WHERE m.incident_id = i.id)) FROM incidents i "
            f"WHERE account_id IN ({self.accounts})")}
        updates = collections.defaultdict(list)
        for number, body in self.service.sql("SELECT incident_id, body FROM incident_updates WHERE account_id IN "
                                             f"({self.accounts}) ORDER BY incident_id, id"):
            updates[int(number)].append(body)
        for number, incident in self.all("incidents").items():
            wanted = [incident["text"], str(int(incident["is_open"])), ",".join(map(str, incident["monitors"]))]
            if number in rows and rows[number] != wanted:
                self.wrong(LOST, f"incident {number} is {rows[number]}, not {wanted}")
            if number in rows and updates[number] != incident["updates"]:
                kind = DOUBLED if len(updates[number]) > len(incident["updates"]) else LOST
                self.wrong(kind, f"incident {number} has the updates {updates[number]}, not {incident['updates']}")

    def rows_of_others(self):
        names = dict(self.service.sql(f"SELECT id, name FROM monitors WHERE account_id IN ({self.accounts})"))
        for number, monitor in self.all("monitors").items():
            if names.get(str(number), monitor["name"]) != monitor["name"]:
                self.wrong(LOST, f"monitor {number} is {names[str(number)]}, not {monitor['name']}")
        # Status 4: cancelled.
        windows = {int(row[0]): row[1:] for row in self.service.sql(
            "SELECT m.id, m.title, MAX(o.status = 4) FROM maintenances m JOIN maintenance_occurrences o "
            f"ON o.maintenance_id = m.id WHERE m.account_id IN ({self.accounts}) AND m.deleted_at IS NULL "
            "GROUP BY m.id, m.title")}
        for number, window in self.all("maintenances").items():
            wanted = [window["title"], str(int(window["is_cancelled"]))]
            if windows.get(number) != wanted:
                self.wrong(LOST, f"maintenance {number} is {windows.get(number)}, not {wanted}")

    def counts(self):
        """Checks that stored counts agree with the rows that they count."""
        wrong = self.service.sql(
            "SELECT * FROM (SELECT c.monitor_id, c.status, c.total, (SELECT COUNT(*) FROM incidents i WHERE "
            "i.monitor_id = c.monitor_id AND i.status = c.status) AS counted FROM incident_counts c WHERE "
            f"c.account_id IN ({self.accounts})) a WHERE total <> counted")
        for row in wrong:
            self.wrong(WRONG, f"incident_counts: monitor, status, total, incidents: {row}")
        doubled = self.service.sql("SELECT monitor_id, COUNT(*) FROM incidents WHERE monitor_id IS NOT NULL AND ended_at IS NULL "
                                   "GROUP BY monitor_id HAVING COUNT(*) > 1")
        for row in doubled:
            self.wrong(DOUBLED, f"monitor {row[0]} has {row[1]} open detected incidents")

    # The disk

    def files(self):
        pages = f"{self.service.pages}"
        wanted = {"public": set(self.world.shown.numbers) & {"steady", "calls"}, "private": {"hidden"}}
        turning = self.service.sql("SELECT privacy FROM status_pages WHERE slug = 'turning'")[0][0]
        wanted["public" if turning == "0" else "private"].add("turning")
        for page in self.all("pages").values():
            wanted["public" if page["privacy"] == 0 else "private"].add(page["slug"])
        rows = self.service.sql(f"SELECT slug FROM status_pages WHERE account_id NOT IN ({self.accounts})")
        foreign = {row[0] for row in rows}
        for place, folder in (("public", f"{pages}/public/s"), ("private", f"{pages}/private")):
            there = set(os.listdir(folder)) - foreign
            for slug in there ^ wanted[place]:
                self.wrong(WRONG, f"{slug}: a folder in {place}" if slug in there else f"{slug}: none in {place}")
        ids = {row[0] for row in self.service.sql("SELECT id FROM status_pages")}
        for number in set(os.listdir(f"{pages}/state")) ^ ids:
            self.wrong(WRONG, f"page {number}: " + ("no note" if number in ids else "a note, but no page"))
        for model in self.models:
            for page in model.pages.values():
                place = "public/s" if page["privacy"] == 0 else "private"
                self.page(model, page, f"{pages}/{place}/{page['slug']}")
        self.domains()
        self.former_domains()

    def domains(self):
        """Checks that the domain of a public page has the page's files, and that the program knows
        the page of each domain."""
        pages, rows = self.service.pages, self.all("pages").values()
        wanted = {"public/d": {page["domain"] for page in rows if page["privacy"] == 0}, "host": {page["domain"] for page in rows}}
        for place, domains in wanted.items():
            for domain in set(os.listdir(f"{pages}/{place}")) ^ (domains - {None}):
                self.wrong(WRONG, f"{domain}: none in {place}" if domain in domains else f"{domain}: a folder in {place}")
        for page in rows:
            domain, first = page["domain"], f"{pages}/public/s/{page['slug']}"
            if not domain:
                continue
            self.tally.count("domains compared")
            if contents(f"{pages}/host/{domain}") != {"slug": page["slug"].encode()}:
                self.wrong(WRONG, f"{domain} is not the host of {page['slug']}")
            if page["privacy"] == 0 and contents(f"{pages}/public/d/{domain}") != contents(first):
                self.wrong(WRONG, f"{domain} has other files than {page['slug']}")

    def former_domains(self):
        """Checks that a domain that was given up leads to its page, unless the page is private or
        gone, or another page has the domain."""
        folder = f"{self.service.pages}/former-host"
        there = {domain: contents(f"{folder}/{domain}").get("page", b"").decode() for domain in os.listdir(folder)}
        for model in self.models:
            for number, page in model.pages.items():
                former = model.former_domains.get(number, []) if page["privacy"] != 1 else []
                for domain in former[-FORMER_KEPT:]:
                    if there.get(domain) != str(number):
                        self.wrong(WRONG, f"{domain} leads to {there.get(domain)}, not to page {number}")
                for domain in former:
                    there.pop(domain, None)
        pages = self.all("pages")
        for domain, number in there.items():
            # The record of a page that is gone leads nowhere, and stays until the sweep: see derived.py.
            if int(number) in pages:
                self.wrong(WRONG, f"{domain} leads to page {number} of privacy {pages[int(number)]['privacy']}")

    def page(self, model, page, folder):
        self.tally.count("pages compared")
        try:
            PageFiles(folder, page["privacy"] == 0).compare(model, page)
        except (OSError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as problem:
            self.wrong(WRONG, f"{folder}: {problem!r}")


def contents(folder):
    """The bytes of each file; empty if the folder does not exist."""
    out = {}
    for path in glob.glob(f"{folder}/*"):
        with open(path, "rb") as content:
            out[os.path.basename(path)] = content.read()
    return out


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.is_title, self.headings = set(), False, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.is_title = self.is_title or tag == "h1"
        for key, value in attrs:
            if key in ("href", "src") and value and re.fullmatch(r"[a-z0-9.-]+\.[a-z0-9]+", value):
                self.names.add(value)

    def handle_data(self, data):
        if self.is_title and data.strip():
            self.headings.append(data.strip())
            self.is_title = False


class PageFiles:
    """The files of one page, each read on its own."""

    def __init__(self, folder, is_public):
        self.folder, self.is_public = folder, is_public

    def read(self, name):
        with open(f"{self.folder}/{name}", "rb") as content:
            return content.read()

    @staticmethod
    def must(condition, detail):
        if not condition:
            raise ValueError(detail)

    def compare(self, model, page):
        index = self.read("index.html").decode()
        links = Links(index)
        self.must(index.rstrip().endswith("</html>"), "index.html has no end")
        Shown(index, model, page).compare()
        there = set(os.listdir(self.folder))
        self.must(links.names <= there, f"index.html links to {sorted(links.names - there)}")
        for name in there:
            if name.endswith(".gz"):
                self.must(gzip.decompress(self.read(name)) == self.read(name[:-3]), f"{name} is another content")
        summary = json.loads(self.read("summary.json"))
        self.must(summary["page"]["name"] == page["name"], f"summary.json has the name {summary['page']['name']}")
        systems = [model.monitors[monitor]["name"] for monitor in page["monitors"]]
        shown = [component["name"] for component in summary["components"]]
        self.must(shown == systems, f"summary.json has the systems {shown}, not {systems}")
        self.compare_incidents(model, page, summary)
        xml.etree.ElementTree.fromstring(self.read("feed.atom"))
        logos = [name for name in there if re.fullmatch(r"logo-[0-9a-f]+\.png", name)]
        digests = [hashlib.sha256(self.read(name)).hexdigest() for name in logos]
        # A replaced logo stays for five minutes; without a logo none stays.
        self.must(page["logo"] in digests if page["logo"] else not digests, f"the logo is {logos} {digests}")

    def compare_incidents(self, model, page, summary):
        shown = {re.findall(MARK + r"\w+", incident["name"])[-1] for incident in summary["incidents"]}
        must, may = model.open_on(page)
        self.must(must <= shown <= may, f"summary.json shows {sorted(shown)}, not {sorted(may)}")
        down = {monitor for incident in model.incidents.values() if incident["is_open"] for monitor in incident["monitors"]}
        for number, component in zip(page["monitors"], summary["components"]):
            # A system of which nothing was ever reported has no state.
            is_down = component["status"] not in ("operational", None, "")
            self.must(is_down == (number in down), f"{component['name']} is {component['status']!r}, and down: {number in down}")
