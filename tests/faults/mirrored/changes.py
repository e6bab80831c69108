"""Changes after which visitors of a mirror must not see something any more, or see it elsewhere. Each takes a page of
its own, and returns the response, the addresses that are closed, and those that show a page, with its name."""
import re

from suite.page_html import without_form_name

FILES = ("", "status.json", "badge.svg")


class Address:
    def __init__(self, slug=None, domain=None):
        self.path, self.headers = (f"/s/{slug}/", {}) if slug else ("/", {"Host": domain})

    def __str__(self):
        return self.headers.get("Host", "") + self.path


def of(page):
    return [Address(slug=page["slug"]), Address(domain=page["domain"])]


def put(origin, page, **fields):
    return origin.api("PUT", f"/status-pages/{page['id']}", **fields)


def deleted(origin, page):
    return origin.api("DELETE", f"/status-pages/{page['id']}"), of(page), {}


def deleted_and_made_again(origin, page):
    response = origin.api("DELETE", f"/status-pages/{page['id']}")
    origin.api("POST", "/status-pages", name="Successor", slug=page["slug"])
    return response, of(page), {Address(slug=page["slug"]): "Successor"}


def made_private(origin, page):
    return put(origin, page, privacy=1), of(page), {}


def given_password(origin, page):
    return put(origin, page, privacy=2, password="a long password"), of(page), {}


def made_public(origin, page):
    """The page was private."""
    return put(origin, page, privacy=0), [], dict.fromkeys(of(page), page["name"])


def renamed(origin, page):
    slug = f"{page['slug']}-moved"
    return put(origin, page, slug=slug), of(page)[:1], {Address(slug=slug): page["name"], of(page)[1]: page["name"]}


def domain_given_up(origin, page):
    return put(origin, page, domain=""), of(page)[1:], {of(page)[0]: page["name"]}


def domain_changed(origin, page):
    domain = f"new.{page['domain']}"
    return put(origin, page, domain=domain), of(page)[1:], {Address(domain=domain): page["name"]}


def domain_taken_by_other(origin, page):
    """Another page takes the domain at once."""
    response = put(origin, page, domain="")
    origin.api("POST", "/status-pages", name="Heir", slug=f"{page['slug']}-heir", domain=page["domain"])
    return response, of(page)[1:], {of(page)[0]: page["name"], of(page)[1]: "Heir"}


CHANGES = (deleted, deleted_and_made_again, made_private, given_password, made_public, renamed, domain_given_up,
           domain_changed, domain_taken_by_other)


class Cast:
    """A page for each change, whose addresses are watched."""

    def __init__(self, origin, name):
        self.origin, self.pages = origin, {}
        for change in CHANGES:
            slug = f"{name}-{change.__name__.replace('_', '-')}"
            self.pages[change] = origin.make_page(slug, domain=f"{slug}.example", privacy=int(change is made_public))
        self.changed, self.without_names = [], []

    def make(self, change):
        page = self.pages[change]
        response, closed, shown = change(self.origin, page)
        self.changed.append((page["name"], closed, shown))
        # A repeated response names mirrors for deletions only.
        is_repeated = "idempotent-replayed" in response.headers and change not in (deleted, deleted_and_made_again)
        wanted = None if is_repeated else 'pending;names="paris"'
        if (closed and change is not renamed and change is not domain_taken_by_other
                and response.headers.get("x-daymark-mirrors") != wanted):
            self.without_names.append(f"{change.__name__} {response.status} {response.headers.get('x-daymark-mirrors')}")

    def compare(self):
        """What visitors of the mirror are shown otherwise than those of the origin, and what neither must show."""
        found, count = [], 0
        for name, closed, shown in self.changed:
            for address in {*closed, *shown}:
                for file in FILES:
                    count += 1
                    found += self.problems(address, file, name if address in closed else None,
                                           shown.get(address) if file == "" else None)
        return found, count

    def problems(self, address, file, hidden, shown):
        path = address.path + file
        first, second = (without_tokens(self.origin.view(path, address.headers, of_mirror)) for of_mirror in (False, True))
        if first != second:
            yield f"{address}{file} is {first[:2]} on the origin and {second[:2]} on the mirror"
        for where, (status, _, body) in (("origin", first), ("mirror", second)):
            if shown and (status != 200 or shown.encode() not in body):
                yield f"{address} is {status} on the {where} and does not show {shown}"
            if hidden and hidden.encode() in without_form_name(body):
                yield f"{address}{file} is {status} on the {where} and shows {hidden}"


def without_tokens(response):
    """The status, where it leads to, and the body. A page that is not public names its files with tokens, which say until
    when they are valid."""
    body = re.sub(rb"[0-9]{10}\.(?:[0-9]+\.)?[A-Za-z0-9_-]{43}", b"TOKEN", response.body)
    return response.status, response.headers.get("location"), body
