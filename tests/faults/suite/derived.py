"""Further conditions at the end of a run: files are the files that publishing makes, counts agree,
no request has met a defect, and no process has grown."""
import csv
import glob
import hashlib
import json
import os
import re

from suite.tally import WRONG

WORKER_MAX_KIB, DESCRIPTORS_MAX = 192 * 1024, 150


def essence(name, content):
    """The part of a file that does not depend on the moment at which it was written."""
    if name.endswith(".json"):
        read = json.loads(content)
        if isinstance(read, dict) and "page" in read:
            read["page"].pop("updated_at", None)
        return json.dumps(read)
    # The uptime, the durations of today and the time of the last change go on. What else index.html shows is in summary.json and the feed.
    if name == "systems.badges" or name.endswith((".html", ".gz", ".incidents", ".maintenance")):
        return ""
    # The report of the present month counts until now: its systems, incidents and windows are compared.
    if name.endswith(".csv"):
        return [row[:2] for row in csv.reader(content.decode().splitlines())]
    # A text that was written twice in a second has further empty lines.
    return hashlib.sha256(content.rstrip(b"\n")).hexdigest()


def page_size(full):
    """The size of the page whose twin this is, without the empty lines at its end; 0 of another file."""
    if not full.endswith(".html.gz"):
        return 0
    try:
        with open(full.removesuffix(".gz"), "rb") as page:
            return len(page.read().rstrip(b"\n"))
    except FileNotFoundError:
        return 0


def may_lack_twin(sizes):
    """A page of 4,096 bytes or more has a twin. The clock alone can move a page past this size, so
    a page that is near it before or after the publication is not compared."""
    return any(abs(size - 4096) < 400 for size in sizes)


def is_replaced(path, file):
    """A style, script or picture that its page does not name any more stays for five minutes on the
    disk that replaced it."""
    if not re.fullmatch(r"[a-z-]+-[0-9a-f]{12,}\.[a-z0-9]+(\.gz)?", file):
        return False
    try:
        with open(f"{path}/index.html", "rb") as index:
            return file.removesuffix(".gz").encode() not in index.read()
    except FileNotFoundError:
        return False


def tree(folder):
    """Each file's essence, and the size of its page where the file is a twin."""
    out = {}
    for name in ("public", "noindex", "private", "host"):
        for path, _, files in os.walk(f"{folder}/{name}"):
            for file in files:
                # The length of the present month's report changes with the moment, and so does whether it has a twin.
                if is_replaced(path, file) or re.fullmatch(r"report-.*\.gz", file):
                    continue
                full = os.path.join(path, file)
                try:
                    with open(full, "rb") as content:
                        out[os.path.relpath(full, folder)] = (essence(file, content.read()), page_size(full))
                except FileNotFoundError:
                    pass  # replaced meanwhile: the caller compares again
    return out


def differing(one, other):
    """The paths of files that differ between two trees, and are not twins that the clock alone may remove."""
    absent = (None, 0)
    pairs = {path: (one.get(path, absent), other.get(path, absent)) for path in one.keys() | other.keys()}
    return sorted(path for path, ((was, size), (made, other_size)) in pairs.items()
                  if was != made and not may_lack_twin((size, other_size)))


def check_derived(world):
    service, before = world.service, tree(world.service.pages)
    for words in (("publish", "--all"), ("incident", "recount", "--check"), ("check-config",)):
        done = service.ctl(*words)
        if done.returncode != 0:
            world.tally.problem(WRONG, f"daymarkctl {' '.join(words)}: {done.stderr[-300:]}{done.stdout[-300:]}")
    # Processes that were killed leave files that were being written: the sweep, which is part of publish and which
    # the publisher does once a minute, removes them.
    for name in os.listdir(f"{service.pages}/new"):
        world.tally.problem(WRONG, f"{name} was left in the folder new")
    for path in glob.glob(f"{service.pages}/former*/*/page"):
        with open(path) as record:
            number = record.read()
        if not os.path.exists(f"{service.pages}/state/{number}"):
            world.tally.problem(WRONG, f"{path} names page {number}, which is gone")
    after = tree(service.pages)
    for path in differing(before, after):
        sizes = [files.get(path, (None, 0))[1] for files in (before, after)]
        world.tally.problem(WRONG, f"publish --all has changed {path} (page: {sizes[0]} -> {sizes[1]} bytes)")
    world.tally.count("files compared", len(after))


def check_log(world):
    for line in world.service.log_lines():
        if " status=500" in line or "Sanitizer" in line or "runtime error" in line:
            world.tally.problem(WRONG, f"log: {line.strip()[:300]}")


def check_processes(world):
    for pid, name in world.service.children().items():
        try:
            with open(f"/proc/{pid}/status") as known:
                peak_kib = int(next(line for line in known if line.startswith("VmHWM")).split()[1])
            count = len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            continue
        if peak_kib > WORKER_MAX_KIB or count > DESCRIPTORS_MAX:
            world.tally.problem(WRONG, f"{name} {pid} has {peak_kib} KiB and {count} descriptors")
