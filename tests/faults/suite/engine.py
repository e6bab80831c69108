"""Injects faults one after the other, or two at a time, and measures the recovery of each."""
import random
import time

from suite.calls import Calls
from suite.checker import Checker
from suite.derived import check_derived, check_log, check_processes
from suite.fault import FAULTS, Unable
from suite.machines import Machines
from suite.service import wait_for
from suite.tally import MANUAL, WRONG

# Between quiet points, at which the checker compares everything.
QUIET_S = 60
# What can be broken beside the nodes of a cluster, which have no file systems of their own.
CLUSTER_GROUPS = {"galera", "program", "tool", "web server"}


class Row:
    """The results for a fault in a report."""

    def __init__(self, name):
        self.name, self.injections, self.acknowledged, self.recovery_s, self.reason = name, 0, 0, 0.0, None


class Engine:
    def __init__(self, world, options, say):
        self.world, self.tally, self.options, self.say = world, world.tally, options, say
        self.rng = random.Random(f"{options.seed} faults")
        self.rows = {}

    def row(self, name):
        return self.rows.setdefault(name, Row(name))

    def run_short(self, faults):
        """Injects each fault once, in an order that the seed determines."""
        order = list(faults)
        self.rng.shuffle(order)
        for cls in order:
            self.trouble([cls])
            time.sleep(0.2)

    def run_long(self, faults, seconds):
        """Injects faults at random until the time is over, some of them two at a time."""
        until, quiet_at = time.monotonic() + seconds, time.monotonic() + QUIET_S
        waiting = []
        while faults and time.monotonic() < until:
            if not waiting:
                # Each as often as any other.
                waiting = self.rng.sample(faults, len(faults))
            classes = [waiting.pop()]
            others = [cls for cls in faults if cls.goes_with(classes[0])]
            if others and self.rng.random() < 0.3:
                classes.append(self.rng.choice(others))
            self.trouble(classes)
            time.sleep(self.rng.uniform(0.1, 1.0))
            if time.monotonic() > quiet_at:
                self.quiet_point()
                quiet_at = time.monotonic() + QUIET_S

    def make(self, classes):
        faults = []
        for cls in classes:
            try:
                faults.append(cls(self.world, self.rng))
            except Unable as reason:
                self.row(cls.name()).reason = str(reason)
        return faults

    def trouble(self, classes):
        faults = self.make(classes)
        if not faults:
            return
        name = " + ".join(fault.name() for fault in faults)
        self.tally.current = name
        before = self.tally.get("acknowledged")
        began = time.monotonic()
        lasts = faults[0].short_s if self.options.is_short else self.rng.uniform(0.3, faults[0].long_s)
        for fault in faults:
            fault.begin()
        time.sleep(lasts)
        for fault in reversed(faults):
            fault.end()
        away_s = max(fault.outage_s for fault in faults)
        taken = self.recover(max(fault.recovery_s for fault in faults))
        for fault in faults:
            fault.over()
            row = self.row(fault.name())
            row.injections += 1
            row.acknowledged += self.tally.get("acknowledged") - before
            row.recovery_s = max(row.recovery_s, taken, away_s)
        self.say(f"{name}: {time.monotonic() - began:.1f} s, of which {taken:.1f} s to recover"
                 + (f" and {away_s:.1f} s without writes" if away_s else "") + "; "
                 f"{self.tally.get('acknowledged')} writes; "
                 + ", ".join(f"{len(found)} {kind}" for kind, found in self.tally.problems.items()))

    def recover(self, within_s):
        """The seconds until everything works again without help."""
        # The machine's time: after a jump of the clock, a busy database may keep the wrong time for seconds.
        began, since, lack = time.monotonic(), time.strftime("%F %T", time.gmtime()), None
        while time.monotonic() - began < within_s:
            lack = self.world.lack(since)
            if not lack:
                return time.monotonic() - began
            time.sleep(0.1)
        self.tally.problem(MANUAL, f"{self.tally.current}: {within_s} s after the fault was healed: {lack}")
        self.world.repair()
        return time.monotonic() - began

    def wait_until_published(self):
        def is_published():
            return self.world.service.sql("SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL",
                                          must=False) == [["0"]]
        try:
            wait_for("the publishing of all pages", is_published, 60)
        except TimeoutError as problem:
            self.tally.problem(WRONG, str(problem))

    def quiet_point(self):
        """Compares everything while no write is under way."""
        self.world.gate.shut()
        try:
            self.wait_until_published()
            Checker(self.world).everything()
            self.tally.count("quiet points")
        finally:
            self.world.gate.open()

    def each_call(self):
        calls = Calls(self.world, self.options)
        calls.each_call(self.row)
        calls.each_allocation(self.row)
        calls.finish()

    def finish(self, parts):
        self.tally.current = "at the end"
        self.world.end()
        if "calls" in parts:
            self.each_call()
        self.wait_until_published()
        self.tally.current = None
        Checker(self.world).everything()
        check_derived(self.world)
        check_log(self.world)
        check_processes(self.world)
        if "machines" in parts:
            Machines(self.world, self.row("machines")).run()


def chosen(names):
    """The faults with these names or groups; all if there are no names."""
    known = {"calls", "machines"} | {name for cls in FAULTS for name in (cls.name(), cls.group)}
    for name in names:
        if name not in known:
            raise SystemExit(f"run: there is no fault {name}; --list shows them")
    found = [cls for cls in FAULTS if cls.name() in names or cls.group in names or not (names or cls.is_on_cluster)]
    groups = {cls.group for cls in found} | {"calls", "machines"}.intersection(names)
    if any(cls.is_on_cluster for cls in found) and not groups <= CLUSTER_GROUPS:
        raise SystemExit(f"run: on the Galera cluster there are only the groups {', '.join(sorted(CLUSTER_GROUPS))}")
    return found
