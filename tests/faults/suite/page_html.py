"""Compares a page's index.html with the journal, as visitors read it. Parses the HTML without the
program's code. The expected sentences come from docs/API.md and from users, not from src/view."""
import html.parser
import re

WITHOUT_END = {"meta", "link", "img", "br", "wbr", "input", "source", "hr"}
# In each name and text of the suite: where it must not be seen, it is looked for.
MARK = "Fault-"
WELL = ("Operational", "No data")
DOWN, PARTLY_DOWN = "Down", "Partly down"
UPDATES_SHOWN = 10


def without_form_name(body):
    """The body of a response. In a form for a password the name of the page is removed, which is
    the only thing that the form may show of the page."""
    name = re.search(rb'<p class="name"><bdi>(.*?)</bdi></p>', body, re.S)
    return body.replace(name.group(1), b"") if name and b'type="password"' in body else body


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.parts = tag, attributes, []

    def text(self):
        whole = "".join(part if isinstance(part, str) else part.text() for part in self.parts)
        return re.sub(r"\s+", " ", whole).strip()

    def all(self, tag, **wanted):
        """The elements with this tag below this one that have these attributes, or this word in an
        attribute."""
        for part in self.parts:
            if isinstance(part, str):
                continue
            if part.tag == tag and all(value in part.attributes.get(name, "").split() for name, value in wanted.items()):
                yield part
            yield from part.all(tag, **wanted)

    def first(self, tag, **wanted):
        return next(self.all(tag, **wanted), Element(tag, {}))


class Document(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        element = Element(tag, {name.replace("class", "of").replace("-", "_"): value or "" for name, value in attrs})
        self.open[-1].parts.append(element)
        if tag not in WITHOUT_END:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in WITHOUT_END:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in {element.tag for element in self.open}:
            raise ValueError(f"</{tag}> ends nothing")
        if self.open.pop().tag != tag:
            raise ValueError(f"</{tag}> is in the wrong place")

    def handle_data(self, data):
        self.open[-1].parts.append(data)


def banner(systems):
    """The first (name, state) that the page shows for each of these systems."""
    for state, words in ((DOWN, "down"), (PARTLY_DOWN, "partly down")):
        names = [name for name, has in systems if has == state]
        if len(names) == len(systems) > 1:
            return f"All systems are {words}"
        if len(names) == 1:
            return f"{names[0]} is {words}"
        if len(names) == 2:
            return f"{names[0]} and {names[1]} are {words}"
        if names:
            return f"{names[0]} and {len(names) - 1} more are {words}"
    without = [name for name, state in systems if state == "No data"]
    if len(without) == len(systems):
        return "No data yet" if systems else "No systems are shown yet"
    return "All systems with data operational" if without else "All systems operational"


def affected(systems):
    count = sum(state not in WELL for _, state in systems)
    if count == 0 or len(systems) < 2:
        return ""
    return f"{count} of {len(systems)} systems {'is' if count == 1 else 'are'} affected."


class Shown:
    """Compares one page. Each difference raises ValueError."""

    def __init__(self, text, model, page):
        self.model, self.page, self.source = model, page, text
        document = Document(text)
        if document.open != [document.root]:
            raise ValueError(f"index.html does not close {document.open[-1].tag}")
        self.root = document.root

    @staticmethod
    def must(condition, detail):
        if not condition:
            raise ValueError(f"index.html {detail}")

    def compare(self):
        name = self.root.first("h1").text()
        self.must(name == self.page["name"], f"has the heading {name}, not {self.page['name']}")
        self.compare_systems()
        self.compare_incidents()
        self.compare_log()
        self.compare_maintenances()
        self.compare_texts()

    def compare_systems(self):
        rows = list(self.root.first("ul", of="systems").all("li"))
        systems = [(row.first("span", of="name").text(), row.first("span", of="state").text()) for row in rows]
        wanted = [self.model.monitors[monitor]["name"] for monitor in self.page["monitors"]]
        self.must([name for name, _ in systems] == wanted, f"has the systems {systems}, not {wanted}")
        opened = [incident for incident in self.model.incidents.values() if incident["is_open"]]
        for monitor, (system, state) in zip(self.page["monitors"], systems):
            kinds = {incident["kind"] for incident in opened if monitor in incident["monitors"]}
            states = (DOWN,) if "detected" in kinds else (PARTLY_DOWN,) if kinds else WELL
            self.must(state in states, f"says that {system} is {state}, not {states[0]}")
        overall = self.root.first("section", of="overall")
        said = (overall.first("h2").text(), overall.first("p").text())
        self.must(said == (banner(systems), affected(systems)), f"says {said} of {systems}")

    def compare_incidents(self):
        must, may = self.model.open_on(self.page)
        shown = set()
        for article in self.root.first("section", aria_labelledby="open").all("article", of="open"):
            number = int(article.attributes["id"].removeprefix("incident-"))
            incident = self.model.incidents.get(number, {"is_open": False, "text": number})
            self.must(incident["is_open"], f"lists {incident['text']} as open")
            self.compare_incident(article, incident)
            shown.add(incident["text"])
        self.must(must <= shown <= may, f"lists {sorted(shown)} as open, not {sorted(must)}")

    def compare_log(self):
        """The incidents that have ended, each with one of its updates."""
        for row in self.root.first("section", aria_labelledby="past").all("li"):
            incident = self.model.incidents.get(int(row.attributes.get("id", "-0").rpartition("-")[2]))
            title, body = row.first("strong").text(), row.first("div", of="text").text()
            # Imported by others; or inside of a reported one, without its text.
            if incident and title:
                self.must(not incident["is_open"], f"lists {title} as ended")
                self.compare_title(title, incident)
                self.must(body in (incident["updates"] or [""]), f"has the text {body} of {title}, not {incident['updates']}")

    def compare_title(self, title, incident):
        wanted = incident["text"]
        if incident["kind"] == "detected":
            wanted = f"{self.model.monitors[incident['monitors'][0]]['name']}: {wanted}"
        self.must(title == wanted, f"has the incident {title}, not {wanted}")

    def compare_incident(self, article, incident):
        title, state = article.first("h3").text(), article.first("span", of="state").text()
        is_reported = incident["kind"] == "reported"
        self.compare_title(title, incident)
        is_down = any(other["is_open"] and other["kind"] == "detected" and set(other["monitors"]) & set(incident["monitors"])
                      for other in self.model.incidents.values())
        # What monitoring has found is part of a reported incident only while both last.
        states = {DOWN} if not is_reported else {DOWN, PARTLY_DOWN} if is_down else {PARTLY_DOWN}
        self.must(state in states, f"says that {title} is {state}")
        # Some of them are folded, in a list of their own.
        said = {(row.first("strong").text(), row.first("div", of="text").text())
                for listed in article.all("ol", of="updates") for row in listed.all("li") if row.first("strong").text()}
        wanted = {("Monitoring" if at else "Investigating", body) for at, body in enumerate(incident["updates"])}
        self.must(said <= wanted, f"has the updates {said} of {title}, not {wanted}")
        self.must(len(said) == min(len(wanted), UPDATES_SHOWN), f"has {len(said)} of {len(wanted)} updates of {title}")

    def compare_maintenances(self):
        """Checks that the page announces the windows, which are all years ahead."""
        said = self.root.first("section", aria_labelledby="upcoming").text()
        for window in self.model.maintenances.values():
            if set(window["monitors"]) & set(self.page["monitors"]):
                self.must(window["title"] in said, f"does not announce {window['title']}")

    def compare_texts(self):
        """Checks that the page shows nothing that was deleted, and nothing of another writer's
        account."""
        for text in set(re.findall(MARK + r"\w+", self.source)):
            self.must(text not in self.model.gone_texts, f"shows {text}, which was deleted")
            self.must(text.startswith(f"{MARK}{self.model.writer}x"), f"shows {text}, which is another writer's")
