"""The counts of all threads of a run, and the mistakes that they found."""
import sys
import threading

LOST = "lost"          # an acknowledged write that is not there
DOUBLED = "doubled"    # a write that was done twice
WRONG = "wrong"        # anything else that a client, a visitor or an operator must never meet
MANUAL = "manual"      # a fault after which somebody would have to do something

# Problems of each kind and fault that are shown at once; the report has more of them.
SHOWN = 4


class Tally:
    def __init__(self):
        self.lock = threading.Lock()
        self.counts = {}
        self.problems = {LOST: [], DOUBLED: [], WRONG: [], MANUAL: []}
        self.shown = {}
        self.current = None  # the name of the fault that was injected last

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def get(self, what):
        with self.lock:
            return self.counts.get(what, 0)

    def problem(self, kind, detail):
        with self.lock:
            of = self.current or "-"
            self.problems[kind].append((of, detail))
            count = self.shown[kind, of] = self.shown.get((kind, of), 0) + 1
        if count <= SHOWN:
            print(f"# {kind} ({of}): {detail}", file=sys.stderr, flush=True)

    def number(self, kind, fault=None):
        with self.lock:
            return sum(fault in (None, of) for of, _ in self.problems[kind])
