"""An installation that checks a farm of targets."""
import json
import os
import re
import signal
import subprocess
import time

from suite.client import Client, Write
from suite.farm import address
from suite.service import PROGRAMS, Service, run, wait_for

PHASES = ("pending", "up", "confirming", "down", "no_data")
TYPES = {"http": 1, "tcp": 2, "ping": 3, "dns": 4, "tls": 5, "heartbeat": 6}
# The rest has the values of src/domain/monitor/check_fields.h.
DEFAULTS = {"interval": 60, "timeout": 10, "confirmations": 2, "recoveries": 1, "slow_ms": 0, "depends_on_id": 0,
            "request_method": 0, "cache_buster": 0, "follow_redirects": 1, "verify_tls": 1, "alert_condition": 0,
            "json_operator": 0, "dns_type": 0, "ssl_alert_days": 0, "domain_alert_days": 0, "period": 0, "grace": 60}


def cpu_s(*pids):
    """The processor time that the processes have used."""
    ticks = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            words = stat.read().rsplit(")", 1)[1].split()
        ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def rss_mb(pid, name="VmRSS"):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(rf"{name}:\s+(\d+)", status.read())[1]) / 1024


class Checked(Service):
    def __init__(self, settings="", port=None):
        self.checker = None
        super().__init__(port)
        self.client = Client(self, self.key)
        with open(self.conf, "a") as conf:
            conf.write(f"\n[server]\nmetrics_allow = 127.0.0.1\n[checker]\n{settings}\n")
        self.restart_daymark()
        wait_for("readiness", lambda: self.client.get("/readyz").status == 200)
        # The example's systems, which nothing checks, would be in all figures.
        self.monitors = 0

    def start_checker(self):
        with open(f"{self.dir}/run/check.err", "a") as log:
            self.checker = subprocess.Popen([f"{PROGRAMS}/daymark-check", "--config", self.conf], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)

    def stop_checker(self, number=signal.SIGTERM):
        if self.checker:
            self.checker.send_signal(number)
            self.checker.wait()
        self.checker = None

    def stop(self):
        self.stop_checker()
        super().stop()

    def api(self, method, path, *fields):
        response = self.client.write(Write(method, f"/api/v1{path}", fields), lambda response: None, lambda: True)
        if response.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {response.status} {response.body[:300]!r}")
        return response.json()["data"]

    def read(self, path):
        return self.client.send("GET", f"/api/v1{path}", headers={"Authorization": f"Bearer {self.key}"}).json()["data"]

    def add(self, kind, count, url, **fields):
        """Adds monitors by SQL: the url may be an expression with `seq`, the number from 0 on. Returns the first id."""
        account, values = self.accounts[0].number, {"type": TYPES[kind], **DEFAULTS, **fields}
        first = int(self.sql("SELECT COALESCE(MAX(id), 0) + 1 FROM monitors")[0][0])
        names, rest = "".join(f", `{name}`" for name in values), "".join(f", {value}" for value in values.values())
        self.sql(f"""INSERT INTO monitors (id, account_id, name, url, created_at, updated_at)
                SELECT {first} + seq, {account}, CONCAT('{kind} ', seq), {url}, UTC_TIMESTAMP(), UTC_TIMESTAMP()
                FROM seq_0_to_{count - 1};
            INSERT INTO monitor_checks (monitor_id, account_id, changed_at{names})
                SELECT {first} + seq, {account}, UTC_TIMESTAMP(){rest} FROM seq_0_to_{count - 1}""")
        self.monitors += count
        return first

    def drop_monitors(self):
        self.sql(f"""DELETE FROM incidents WHERE account_id = {self.accounts[0].number};
            DELETE FROM monitors WHERE account_id = {self.accounts[0].number}""")
        self.monitors = 0

    def page(self, slug, monitors):
        """Creates a page, and returns the path of its file."""
        self.api("POST", "/status-pages", ("name", slug), ("slug", slug), *(("monitor_ids[]", one) for one in monitors))
        return f"{self.pages}/public/s/{slug}/status.json"

    def phases(self):
        """How many checked monitors are in each phase."""
        rows = self.sql("""SELECT COALESCE(s.phase, 0), COUNT(*) FROM monitor_checks c LEFT JOIN monitor_states s USING (monitor_id)
            WHERE c.type > 0 GROUP BY 1""")
        return {PHASES[int(phase)]: int(count) for phase, count in rows}

    def state(self, monitor):
        rows = self.sql(f"SELECT phase FROM monitor_states WHERE monitor_id = {monitor}")
        return PHASES[int(rows[0][0])] if rows else PHASES[0]

    def incidents(self):
        return int(self.sql(f"SELECT COUNT(*) FROM incidents WHERE account_id = {self.accounts[0].number}")[0][0])

    def check_lines(self):
        """What the checker has logged about its checks, each minute: dictionaries."""
        return [{name: int(value) for name, value in re.findall(r" (\w+)=(\d+)", line)}
                for line in self.log_lines() if "event=checks " in line]

    def next_check_line(self, seen):
        """The first line after so many, and how many there are then."""
        wait_for("the checker's line", lambda: len(self.check_lines()) > seen, 150, pause_s=0.2)
        return self.check_lines()[seen], seen + 1


def url_of(first, port, scheme="", path="", spread=0):
    """An SQL expression for targets from `first` on; with `spread` several monitors share one of so many targets."""
    place = f"({first} + seq{f' % {spread}' if spread else ''})"
    return f"CONCAT('{scheme}127.1.', {place} DIV 256, '.', {place} % 256, ':{port}{path}')" if port else \
        f"CONCAT('127.1.', {place} DIV 256, '.', {place} % 256)"
