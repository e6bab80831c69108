"""What the checker must have stored and reported, by the farm's log. It knows only the log, the times at which daymark-check
was killed, and SQL."""
import bisect
import collections

from suite.checked import PHASES

CONFIRMATIONS = 2
# RECORDER_STORE_S, and the time of a transaction on a machine that does other work.
LOSS_S = 5
# So late after the database's return the checker stores again: its longest wait, and RECORDER_STORE_S.
RETURN_S = 9
# Stored times are whole seconds.
NEAR_S = 1.6

Series = collections.namedtuple("Series", "failures recovery")


def series_of(entries):
    """The failures in a row, with the success that ends each."""
    failures = []
    for entry in entries:
        if not entry.is_up:
            failures.append(entry.at)
        elif failures:
            yield Series(failures, entry.at)
            failures = []
    if failures:
        yield Series(failures, None)


def is_near(one, other, before_s=NEAR_S, after_s=NEAR_S):
    return one is not None and other is not None and other - before_s <= one <= other + after_s


class Replay:
    def __init__(self, service, entries, monitors, kills, timeout_s, absences=()):
        """`kills`: of the checker. `absences`: pairs of times between which there was no database."""
        self.service, self.monitors, self.kills, self.timeout_s = service, monitors, sorted(kills), timeout_s
        # What was found since then may be lost with the kill.
        self.kept = [min([kill - LOSS_S] + [start - LOSS_S for start, end in absences if start <= kill < end + RETURN_S])
                     for kill in self.kills]
        self.entries = {target: [] for target in monitors}
        for entry in entries:
            if entry.target in self.entries:
                self.entries[entry.target].append(entry)
        self.count = sum(map(len, self.entries.values()))
        self.hours_text = self.incidents_text = self.gaps_text = ""
        self.rows = {name: self.read(name, columns) for name, columns in (
            ("monitor_states", "phase, UNIX_TIMESTAMP(checked_at), UNIX_TIMESTAMP(failing_since)"),
            ("monitor_hours", "checks, failures, response_sum_ms"),
            ("monitor_checks", "`interval`"),
            ("monitor_gaps", "UNIX_TIMESTAMP(started_at), UNIX_TIMESTAMP(ended_at)"),
            ("incidents", "UNIX_TIMESTAMP(started_at), UNIX_TIMESTAMP(ended_at)"))}

    def read(self, table, columns):
        """The rows of each monitor, in the order of time."""
        out = collections.defaultdict(list)
        order = {"monitor_gaps": ", started_at", "incidents": ", started_at"}.get(table, "")
        for row in self.service.sql(f"SET time_zone = '+00:00'; SELECT monitor_id, {columns} FROM {table} ORDER BY monitor_id{order}"):
            out[int(row[0])].append([None if value == "NULL" else float(value) for value in row[1:]])
        return out

    def may_be_lost(self, at):
        """Whether a check of this time may be missing."""
        place = bisect.bisect_left(self.kills, at - 0.5)
        return place < len(self.kills) and at > self.kept[place]

    def lost_s(self, at):
        """How much earlier than a check of this time, the last before a silence, the last one that was stored may be."""
        place = bisect.bisect_left(self.kills, at - 0.5)
        return at - self.kept[place] if self.may_be_lost(at) else 0

    def each(self):
        for target, monitor in self.monitors.items():
            yield monitor, self.entries[target]

    def wrong_states(self):
        out = []
        for monitor, entries in self.each():
            phase, checked_at, failing_since = self.rows["monitor_states"][monitor][0]
            last = entries[-1]
            wanted = "up" if last.is_up else "down"
            if PHASES[int(phase)] != wanted:
                out.append(f"monitor {monitor} is {PHASES[int(phase)]}, and not {wanted}")
            # The last check may have been ended by the end of the checker.
            if not any(is_near(checked_at, entry.at) for entry in entries[-2:]):
                out.append(f"monitor {monitor} was checked at {checked_at:.0f}, and not {last.at:.1f}")
            if wanted == "down" and not self.is_start(failing_since, list(series_of(entries))[-1]):
                out.append(f"monitor {monitor} fails since {failing_since}")
        return out

    def wrong_hours(self):
        out, least_sum, found_sum = [], 0, 0
        for monitor, entries in self.each():
            rows = self.rows["monitor_hours"][monitor]
            for place, name, counted in ((0, "checks", entries), (1, "failures", [one for one in entries if not one.is_up])):
                found = sum(row[place] for row in rows)
                # A check may have been under way at the end.
                least = sum(not self.may_be_lost(entry.at) for entry in counted) - 1
                if not least <= found <= len(counted):
                    out.append(f"monitor {monitor} has {found:.0f} {name}, and not {least} to {len(counted)}")
                if place == 0:
                    least_sum, found_sum = least_sum + least, found_sum + found
        self.hours_text = f"{found_sum:.0f} of {self.count} checks are stored, {least_sum} must be"
        return out

    def segments(self, series):
        """The failures between two kills of the checker."""
        out = collections.defaultdict(list)
        for at in series.failures:
            out[bisect.bisect_left(self.kills, at)].append(at)
        return [out[place] for place in sorted(out)]

    def is_start(self, at, series):
        """An outage that was not reported before a kill begins with the first failure after it."""
        return any(is_near(at, segment[0]) for segment in self.segments(series))

    def is_end(self, at, series):
        if series.recovery is None or at is None:
            return series.recovery is None and at is None
        # A recovery that was not reported before a kill is that of the first check after it.
        return is_near(at, series.recovery) or (self.may_be_lost(series.recovery) and at >= series.recovery - NEAR_S)

    def must_be_told(self, series):
        return any(len(segment) >= CONFIRMATIONS and not self.may_be_lost(segment[CONFIRMATIONS - 1])
                   for segment in self.segments(series))

    def wrong_incidents(self):
        out, count = [], 0
        for monitor, entries in self.each():
            left = list(self.rows["incidents"][monitor])
            for series in series_of(entries):
                found = next((one for one in left if self.is_start(one[0], series)), None)
                if found and len(series.failures) >= CONFIRMATIONS:
                    left.remove(found)
                    count += 1
                    if not self.is_end(found[1], series):
                        out.append(f"the incident of monitor {monitor} of {found[0]:.0f} ended at {found[1]}, and not {series.recovery}")
                elif not found and self.must_be_told(series):
                    out.append(f"monitor {monitor} has no incident of {series.failures[0]:.1f} to {series.recovery}")
            out += [f"monitor {monitor} has a false incident of {one[0]:.0f} to {one[1]}" for one in left]
        self.incidents_text = f"{count} incidents"
        return out

    def wrong_gaps(self):
        out, count = [], 0
        for monitor, entries in self.each():
            stale_s = 2 * self.rows["monitor_checks"][monitor][0][0] + self.timeout_s
            left = list(self.rows["monitor_gaps"][monitor])
            for one, other in zip(entries, entries[1:]):
                # The gap begins with the last check that was stored.
                found = [gap for gap in left if is_near(gap[0], one.at, self.lost_s(one.at) + NEAR_S) and is_near(gap[1], other.at, after_s=2 * NEAR_S)]
                left = [gap for gap in left if gap not in found]
                count += len(found)
                if other.at - one.at > stale_s + NEAR_S and len(found) != 1:
                    out.append(f"monitor {monitor} has {len(found)} gaps from {one.at:.1f} to {other.at:.1f}: {self.rows['monitor_gaps'][monitor]}")
                if found and other.at - one.at + self.lost_s(one.at) < stale_s - NEAR_S:
                    out.append(f"monitor {monitor} has the gap {found} but was checked from {one.at:.1f} to {other.at:.1f}")
            out += [f"monitor {monitor} has a false gap of {gap[0]:.0f} to {gap[1]}" for gap in left]
        self.gaps_text = f"{count} gaps"
        return out

    def wrong_uptimes(self):
        """The API's uptimes beside those by SQL. An outage goes on in a gap, which hides its end."""
        out, now = [], float(self.service.sql("SELECT UNIX_TIMESTAMP()")[0][0])
        known = {int(row[0]): float(row[1]) for row in self.service.sql(
            "SET time_zone = '+00:00'; SELECT id, UNIX_TIMESTAMP(known_since) FROM monitors WHERE known_since IS NOT NULL")}
        for monitor, _ in self.each():
            shown = self.service.read(f"/monitors/{monitor}")["uptime_1d"]
            gaps = [(start, end or now) for start, end in self.rows["monitor_gaps"][monitor]]
            outages = [(start, end or now) for start, end in self.rows["incidents"][monitor]]
            lost = sum(end - start for start, end in outages)
            unknown = sum(end - start for start, end in gaps) - sum(
                max(0, min(one[1], two[1]) - max(one[0], two[0])) for one in gaps for two in outages)
            observed = now - known[monitor] - unknown
            wanted = 100 * (1 - lost / observed)
            if shown is None or abs(float(shown) - wanted) > 100 * 2 * NEAR_S / observed:
                out.append(f"monitor {monitor} has an uptime of {shown}, and not {wanted:.3f}")
        return out
