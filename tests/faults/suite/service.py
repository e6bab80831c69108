"""The installation under test. tools/quickstart makes it; then this file runs it as systemd would,
with its pages, its log and its database each on a small separate file system."""
import collections
import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from suite.client import Client

# Monitors have the states that the suite gives them.
os.environ["DAYMARK_NO_CHECKER"] = "yes"

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PROGRAMS = os.environ.get("DAYMARK_BUILD", f"{TOP}/build")
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
NO_WORKERS = ("daymark-publish", "daymark-mirrors", "daymark-sender")
ACCOUNTS = 3
Account = collections.namedtuple("Account", "number key")
# Megabytes and inodes of the file systems, of which a fault can leave none.
DISKS = {"pages": (512, 400000), "log": (1024, 1000), "mysql": (2048, 5000)}
CONF = """[quotas]
status_pages = 0
monitors = 0
maintenances = 0
upload_mb = 0
incidents_per_day = 0
response_mb_per_day = 0
[server]
processes = 2
threads = 4
max_requests = 2000
"""


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def wait_for(what, condition, seconds=30, pause_s=0.05):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not happen within {seconds} s")
        time.sleep(pause_s)


def bash(script, *words, **environment):
    """Runs functions of tools/lib."""
    setup = 'top=$0; . "$top/tools/lib/common.sh"; . "$top/tools/lib/service.sh"; '
    return run("bash", "-c", setup + script, TOP, *words, env={**os.environ, **environment})


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def signal_pid(pid, number):
    """False if the process has ended."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


class Service:
    def __init__(self, port=None, has_mounts=False, has_clock=False):
        # In memory, if there is enough of it: tests that run at the same time wait for the disk.
        parent = os.environ.get("DAYMARK_TEST_PARENT") or "/tmp"
        self.dir = tempfile.mkdtemp(prefix="daymark-faults-", dir=parent)
        self.has_mounts, self.has_clock = has_mounts, has_clock
        self.offset_file = f"{self.dir}/run/clock"
        self.shared_memory = set(glob.glob("/dev/shm/*faketime_s*_*"))
        self.holder = None
        self.port = port or bash('free_port 18750').stdout.strip()
        self.lock = threading.Lock()
        self.make()
        self.conf = f"{self.dir}/conf/daymark.conf"
        self.pages = f"{self.dir}/pages"
        self.socket = f"{self.dir}/run/mysql.sock"
        if has_mounts:
            self.mount()
        with open(f"{self.dir}/quickstart.json") as known:
            self.demo_key = json.load(known)["api_key"]
        os.makedirs(f"{self.dir}/run", exist_ok=True)
        if has_clock:
            self.set_clock(0)
        self.start_database()
        self.start_daymark()
        self.start_nginx()
        wait_for("readiness", lambda: Client(self).get("/readyz").status == 200)
        self.accounts = [self.make_account(f"Faults {number}") for number in range(ACCOUNTS)]
        # Of the pages that readers look at, and of what others than writers change.
        self.key = self.accounts[0].key

    def make_account(self, name):
        number = json.loads(self.ctl("account", "add", name, "--json").stdout)["id"]
        return Account(int(number), json.loads(self.ctl("key", "create", "--account", str(number), "--json").stdout)["key"])

    def make(self):
        extra = f"{self.dir}.conf"
        with open(extra, "w") as out, open(f"{TOP}/tests/lib/unlimited.conf") as unlimited:
            out.write(unlimited.read() + CONF)
        done = run(f"{TOP}/tools/quickstart", "--background", "--no-build", "--extra", extra, "--port", str(self.port),
                   "--dir", self.dir)
        os.unlink(extra)
        if done.returncode != 0:
            shutil.rmtree(self.dir, ignore_errors=True)
            raise RuntimeError(done.stderr)
        run(f"{TOP}/tools/quickstart", "--stop", "--dir", self.dir)

    def mount(self):
        for name, (size_mb, inodes) in DISKS.items():
            here, aside = f"{self.dir}/{name}", f"{self.dir}/{name}.aside"
            os.rename(here, aside)
            os.mkdir(here, os.stat(aside).st_mode & 0o7777)
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mb}m,nr_inodes={inodes}", "tmpfs", here], check=True)
            # Without holes, which a full disk would not let be filled.
            subprocess.run(["cp", "-a", "--sparse=never", f"{aside}/.", here], check=True)
            shutil.rmtree(aside)

    def clock_environment(self):
        if not self.has_clock:
            return {}
        return {"LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": self.offset_file, "FAKETIME_CACHE_DURATION": "1",
                "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}

    def set_clock(self, offset_s):
        with open(f"{self.offset_file}.new", "w") as out:
            out.write(f"{offset_s:+d}\n")
        os.rename(f"{self.offset_file}.new", self.offset_file)

    def start_database(self, *options):
        command = ["mariadbd", "--no-defaults", f"--datadir={self.dir}/mysql", f"--socket={self.socket}",
                   f"--pid-file={self.dir}/run/mysql.pid", "--skip-networking", "--skip-log-bin",
                   f"--tmpdir={self.dir}/run", "--innodb-buffer-pool-size=128M", "--innodb-log-file-size=32M",
                   *(["--user=root"] if os.geteuid() == 0 else []), *options]
        with open(f"{self.dir}/run/mysql.log", "a") as log:
            self.database = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                             start_new_session=True, env={**os.environ, **self.clock_environment()})
        wait_for("the database's start", self.database_answers, 60)

    def database_answers(self):
        if self.database.poll() is not None:
            raise RuntimeError(f"mariadbd ended with status {self.database.returncode}: see run/mysql.log")
        return self.sql("SELECT 1", must=False) is not None

    def stop_database(self, number=signal.SIGTERM):
        signal_pid(self.database.pid, signal.SIGCONT)
        self.database.send_signal(number)
        self.database.wait()

    def sql(self, text, must=True):
        """Rows of texts, with NULL as the text NULL. Reads the database directly, not by the
        service."""
        done = run("mariadb", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.socket}", "-N", "-B", "daymark", "-e", text)
        if done.returncode != 0:
            if must:
                raise RuntimeError(done.stderr)
            return None
        return [line.split("\t") for line in done.stdout.splitlines()]

    def is_whole(self):
        """Whether each part of the database works."""
        return True

    def copies(self, tally):
        """Yields the copies of the database in turn; sql() reads the present one."""
        yield "database"

    def start_daymark(self):
        path = f"{self.dir}/run/daymark.sock"
        # The log file is open again after each restart, as the journal would be.
        with open(f"{self.dir}/run/daymark.err", "a") as log:
            self.holder = subprocess.Popen(
                [f"{TOP}/tests/lib/socket-holder", path, f"{self.dir}/run/daymark.pid", "env",
                 *(f"{name}={value}" for name, value in self.clock_environment().items()),
                 f"{PROGRAMS}/daymark", "--config", self.conf], stdout=log, stderr=log)

    def start_nginx(self):
        done = bash('service_start_nginx "$1" "$(find_nginx)" "$2"', self.dir, str(self.port))
        if done.returncode != 0:
            raise RuntimeError(f"nginx does not start: {done.stderr}")

    def stop(self):
        if self.holder:
            signal_pid(self.holder.pid, signal.SIGCONT)
            self.holder.terminate()
            try:
                self.holder.wait(60)
            except subprocess.TimeoutExpired:
                self.kill_daymark()
                self.holder.kill()
        if self.pid("nginx"):
            signal_pid(self.pid("nginx"), signal.SIGTERM)
        if getattr(self, "database", None):
            self.stop_database()

    def keep(self):
        """Copies files that are visible only through this program's mounts."""
        for name in ("pages", "log") if self.has_mounts else ():
            run("cp", "-a", f"{self.dir}/{name}", f"{self.dir}/kept-{name}")

    def remove(self):
        # A process that is killed leaves libfaketime's shared memory.
        for path in glob.glob("/dev/shm/*faketime_s*_*"):
            if path not in self.shared_memory and not os.path.exists(f"/proc/{path.rpartition('_')[2]}"):
                os.unlink(path)
        for name in DISKS if self.has_mounts else ():
            run("umount", "--lazy", f"{self.dir}/{name}")
        shutil.rmtree(self.dir, ignore_errors=True)

    def ctl(self, *words, timeout=None):
        return run(f"{PROGRAMS}/daymarkctl", *words, "--config", self.conf, timeout=timeout,
                   env={**os.environ, **self.clock_environment()})

    def pid(self, name):
        try:
            with open(f"{self.dir}/run/{name}.pid") as found:
                return int(found.read())
        except (OSError, ValueError):
            return 0

    def supervisor(self):
        return self.pid("daymark")

    def children(self):
        """The name of each process of the supervisor: a worker's, or one of NO_WORKERS."""
        out = {}
        for pid in run("pgrep", "-P", str(self.supervisor())).stdout.split():
            try:
                with open(f"/proc/{pid}/comm") as name:
                    out[int(pid)] = name.read().strip()
            except OSError:
                pass
        return out

    def workers(self):
        return [pid for pid, name in self.children().items() if name not in NO_WORKERS]

    def publishers(self):
        return [pid for pid, name in self.children().items() if name == "daymark-publish"]

    def kill_daymark(self):
        for pid in [self.supervisor(), *self.children()]:
            signal_pid(pid, signal.SIGKILL)

    def restart_daymark(self):
        os.kill(self.holder.pid, signal.SIGUSR1)

    def remount(self, name, options):
        # mount would send the options of before, too: an ordinary user's ids, which a user namespace does not know.
        return run("mount", "--options-mode", "ignore", "-o", f"remount,{options}", f"{self.dir}/{name}")

    def log_lines(self):
        """The lines of the log, and the output on standard error outside of the log."""
        for path in (f"{self.dir}/log/daymark.log", f"{self.dir}/run/daymark.err"):
            try:
                with open(path, errors="replace") as log:
                    yield from log
            except FileNotFoundError:
                pass
