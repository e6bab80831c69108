"""The whole pages folder of an origin, and that of its mirror: each file of one must be in the other, with the same
bytes. OWN names what a disk has for itself, with the reason; a file that is in neither list is a difference."""
import glob
import hashlib
import os

# What visitors get, the access records and the signing key.
SHARED = ("public/", "noindex/", "private/", "host/", "secret")

OWN = {
    "both": {
        "boot": "the boot of the own machine",
        "lock/": "the locks of own processes",
        "new/": "files that are being written",
        "throttle": "the visitors who were counted here",
        "state/": "notes have revisions on an origin, and the origin's version on a mirror: compared by notes()",
    },
    "origin": {
        "checked": "the time of the last comparison with the database, which a mirror does not have",
        "filled": "every page of the database is here",
        "former/": "a file for each former address; a mirror has lists: compared by former_addresses()",
        "former-host/": "the same",
        "gone": "the deletions that mirrors are to learn",
        "mirror/": "what the mirrors have",
        "origin/": "as whom this folder feeds mirrors",
    },
    "mirror": {
        "received/": "files before they are in place, the plan, whom the mirror follows, and the lists of former addresses",
    },
}


def begins_with(path, names):
    return any(path == name or (name.endswith("/") and path.startswith(name)) for name in names)


def files(folder):
    """The SHA-256 of each file, by its path."""
    out = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            try:
                with open(full, "rb") as content:
                    out[os.path.relpath(full, folder)] = hashlib.sha256(content.read()).hexdigest()
            except FileNotFoundError:
                pass  # a temporary file
    return out


def only(names, tree):
    return {path: digest for path, digest in tree.items() if begins_with(path, names)}


def read(path):
    with open(path, "rb") as content:
        return content.read()


def notes(folder, is_mirror):
    """The version of each page: the hash of an origin's note, of which the mirror's note has a line."""
    out = {}
    for path in glob.glob(f"{folder}/state/*"):
        number, names = os.path.basename(path), os.listdir(path)
        if names != ["page"]:
            out[number] = f"the note is {names}"
            continue
        text = read(f"{path}/page")
        out[number] = (next((line.split()[1].decode() for line in text.splitlines() if line.startswith(b"version ")), None)
                       if is_mirror else hashlib.sha256(text).hexdigest())
    return out


def former_addresses(folder):
    """The page of each former slug and domain."""
    out = {}
    for place in ("former", "former-host"):
        for path in glob.glob(f"{folder}/{place}/*/page"):
            out[f"{place} {path.split('/')[-2]}"] = read(path).decode().strip()
    for path in glob.glob(f"{folder}/received/former/*"):
        for line in read(path).decode().splitlines():
            place, name, number = line.split(" ")
            out[f"{place} {name}"] = number
    return out


def differences(what, first, second):
    return [f"{what}{key}: " + ("not on the mirror" if key not in second else
                                "not on the origin" if key not in first else "different")
            for key in sorted(first.keys() | second.keys()) if first.get(key) != second.get(key)]


def compare(origin, mirror):
    """What differs, as texts, and how many files were compared. None instead of texts if the origin has published something
    meanwhile, such as a page without the files that it had replaced five minutes ago."""
    first, second = files(origin), files(mirror)
    found = (differences("page ", notes(origin, False), notes(mirror, True))
             + differences("", former_addresses(origin), former_addresses(mirror))
             + differences("", only(SHARED, first), only(SHARED, second)))
    for side, tree in (("origin", first), ("mirror", second)):
        known = (*SHARED, *OWN["both"], *OWN[side])
        found += [f"{path}: no file of the {side} has this name" for path in tree if not begins_with(path, known)]
    published = (*SHARED, "state/")
    is_still = not found or only(published, files(origin)) == only(published, first)
    return found if is_still else None, len(only(SHARED, first))
