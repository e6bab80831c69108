"""Processes that die at any moment. They are started again as on a server: by the supervisor or the
service manager."""
import datetime
import fcntl
import json
import os
import signal
import subprocess
import time

from suite.fault import Fault
from suite.service import PROGRAMS, is_alive, signal_pid, wait_for
from suite.tally import LOST, WRONG


class _Process(Fault):
    group = "program"


class WorkerKilled(_Process):
    """A worker is killed (SIGKILL) while it serves requests."""

    def inject(self):
        workers = self.service.workers()
        if workers:
            signal_pid(self.rng.choice(workers), signal.SIGKILL)


class AllWorkersKilled(_Process):
    """All workers are killed at once."""

    is_short = False

    def inject(self):
        for pid in self.service.workers():
            signal_pid(pid, signal.SIGKILL)


class PublisherKilled(_Process):
    """The publisher is killed."""

    is_program_away = False

    def inject(self):
        for pid in self.service.publishers():
            signal_pid(pid, signal.SIGKILL)


class SupervisorKilled(_Process):
    """The parent of all processes is killed; the service manager starts it again."""

    def inject(self):
        signal_pid(self.service.supervisor(), signal.SIGKILL)


class ProgramKilled(_Process):
    """All processes of the program are killed at once."""

    is_short = False

    def inject(self):
        self.service.kill_daymark()


class WorkerStopped(_Process):
    """A worker is stopped (SIGSTOP), and goes on later."""

    is_short = False
    long_s = 4.0

    def inject(self):
        workers = self.service.workers()
        self.pid = self.rng.choice(workers) if workers else 0
        if self.pid:
            signal_pid(self.pid, signal.SIGSTOP)

    def heal(self):
        if self.pid:
            signal_pid(self.pid, signal.SIGCONT)


class PagesLocked(_Process):
    """A process that publishes is stuck: every fourth page and the pages folder stay locked."""

    is_program_away = False
    short_s, long_s = 2.0, 6.0

    def inject(self):
        names = [f"page-{number:02}" for number in range(0, 64, 4)]
        self.files = [open(f"{self.service.pages}/lock/{name}", "a") for name in [*names, "all"]]
        for file in self.files:
            fcntl.flock(file, fcntl.LOCK_SH if file is self.files[-1] else fcntl.LOCK_EX)

    def heal(self):
        for file in self.files:
            file.close()


class Restart(_Process):
    """The service manager restarts the program."""

    is_short = False

    def inject(self):
        self.service.restart_daymark()


class Reload(_Process):
    """The program is reloaded three times in a row."""

    is_short = False

    def inject(self):
        for _ in range(3):
            signal_pid(self.service.supervisor(), signal.SIGHUP)
            time.sleep(0.1)


class ToolKilled(Fault):
    """daymarkctl is killed in the middle of an import, of publish --all, of work --once and of a backup."""

    group = "tool"
    is_program_away = False
    short_s, long_s = 0.1, 0.1
    LINES = 2000

    def __init__(self, world, rng):
        super().__init__(world, rng)
        added = self.service.ctl("monitor", "add", "Imported", "https://www.example.org/", "--account", "Demo", "--json")
        self.monitor = json.loads(added.stdout)["id"]
        self.file, self.backup = f"{self.service.dir}/import.jsonl", f"{self.service.dir}/killed.sql"
        first = datetime.datetime(2026, 1, 1)
        with open(self.file, "w", encoding="utf-8") as out:
            for n in range(self.LINES):
                start = first + datetime.timedelta(minutes=n)
                end = start + datetime.timedelta(seconds=30)
                print(json.dumps({"monitor_id": self.monitor, "cause": f"Import {n}", "started_at": f"{start.isoformat()}Z",
                                  "ended_at": f"{end.isoformat()}Z"}), file=out)

    def inject(self):
        for words in (self.import_words(), ("publish", "--all"), ("work", "--once"), ("backup", self.backup)):
            child = subprocess.Popen([f"{PROGRAMS}/daymarkctl", *words, "--config", self.service.conf],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.uniform(0.01, 0.2))
            child.kill()
            child.wait()

    def import_words(self):
        return ("incident", "import", self.file, "--account", "Demo")

    def over(self):
        """Checks that the same command completes the import, and that a backup is whole or does not
        exist."""
        super().over()
        done = self.service.ctl(*self.import_words())
        there = self.service.sql("SELECT COUNT(*), COUNT(DISTINCT cause) FROM incidents WHERE monitor_id = "
                                 f"{self.monitor}")[0]
        if done.returncode != 0 or there != [str(self.LINES)] * 2:
            self.world.tally.problem(LOST, f"an import of {self.LINES} lines has made {there}: {done.stderr}")
        if os.path.exists(self.backup):
            with open(self.backup, "rb") as made:
                if not made.read().rstrip().split(b"\n")[-1].startswith(b"-- "):
                    self.world.tally.problem(WRONG, "a backup that was cut short has its final name")
            os.unlink(self.backup)


class NginxKilled(Fault):
    """The web server's processes are killed, and started again."""

    group = "web server"
    is_view_away = True

    def inject(self):
        master = self.service.pid("nginx")
        children = subprocess.run(["pgrep", "-P", str(master)], capture_output=True, text=True, check=False).stdout.split()
        for pid in [master, *map(int, children)]:
            signal_pid(pid, signal.SIGKILL)
        wait_for("nginx's end", lambda: not is_alive(master))

    def heal(self):
        self.service.start_nginx()


class EverythingKilled(Fault):
    """All processes are killed: of the program, of the database, of the web server."""

    group = "program"
    also_hurts = ("database", "web server")
    is_view_away = True

    def inject(self):
        NginxKilled.inject(self)
        self.service.database.kill()
        self.service.database.wait()
        self.service.kill_daymark()

    def heal(self):
        self.service.start_nginx()
        self.service.start_database()
