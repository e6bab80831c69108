"""Several machines: followers with separate disks, on a replica that lags by MASTER_DELAY and on
the primary with a read-only user. Then the replica is promoted without the last commits."""
import glob
import os
import re
import shutil
import subprocess
import threading
import time

from suite.client import Write
from suite.derived import differing, tree
from suite.service import PROGRAMS, bash, run, wait_for
from suite.tally import WRONG

# Seconds; the report has how long it took.
DELAY_S, EQUAL_WITHIN_S = 2, 60


class Disk:
    """Another machine's pages folder, kept up to date by `daymarkctl publish --follow`."""

    def __init__(self, service, name, socket):
        self.service, self.name = service, name
        self.pages = f"{service.dir}/{name}-pages"
        self.conf, self.err = f"{service.dir}/conf/{name}.conf", f"{service.dir}/run/{name}.err"
        self.highest, self.worse = {}, []
        with open(service.conf, encoding="utf-8") as conf:
            text = conf.read()
        for pattern, value in ((r"dir = .*", f"dir = {self.pages}"), (r"socket = .*", f"socket = {socket}"),
                               (r"user = .*", "user = daymark_follow"), (r"password = .*", "password = follows"),
                               (r"log_file = .*", "")):
            text = re.sub(rf"(?m)^{pattern}", value, text)
        text = re.sub(r"(?m)^migrate_.*\n", "", text)
        with open(self.conf, "w", encoding="utf-8") as conf:
            conf.write(text)
        os.makedirs(self.pages, exist_ok=True)
        # Links and cookies are signed by the same key on all machines.
        if os.path.exists(f"{service.pages}/secret"):
            shutil.copy(f"{service.pages}/secret", f"{self.pages}/secret")
        self.follower = subprocess.Popen([f"{PROGRAMS}/daymarkctl", "publish", "--follow", "--config", self.conf],
                                         stdout=subprocess.DEVNULL, stderr=open(self.err, "a", encoding="utf-8"))

    def look(self):
        """Checks that no page goes back to an earlier revision within an epoch."""
        for path in glob.glob(f"{self.pages}/state/*/page"):
            try:
                with open(path, encoding="utf-8") as note:
                    revision, epoch = int(note.readline().split()[0]), note.readline().strip()
            except (OSError, ValueError, IndexError):
                continue
            number = path.split("/")[-2]
            now, before = (int(epoch.split()[1]), revision), self.highest.get(number, (0, 0))
            if now < before:
                self.worse.append(f"{self.name}: page {number} went from {before} to {now}")
            self.highest[number] = max(now, before)

    def end(self):
        self.follower.terminate()
        self.follower.wait()


class Machines:
    def __init__(self, world, row):
        self.world, self.service, self.tally, self.row = world, world.service, world.tally, row
        self.replica_dir = f"{self.service.dir}/replica"
        self.replica_socket = f"{self.replica_dir}/my.sock"
        self.port = int(bash('free_port "$1"', str(int(self.service.port) + 20)).stdout)
        self.disks, self.replica = [], None

    def sql(self, text, socket=None):
        done = run("mariadb", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={socket or self.service.socket}", "-N", "-B", "daymark",
                   "-e", text)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def run(self):
        self.tally.current = self.row.name
        try:
            self.start()
            self.follow_while_writing()
            self.promote()
            self.row.injections += 2
        finally:
            for disk in self.disks:
                disk.end()
            if self.replica:
                self.replica.terminate()
                self.replica.wait()
            self.tally.current = None

    def start(self):
        service = self.service
        self.sql("CREATE OR REPLACE USER follows@'127.0.0.1' IDENTIFIED BY 'follows'; GRANT REPLICATION SLAVE ON *.* TO "
                 "follows@'127.0.0.1'; CREATE OR REPLACE USER daymark_follow@localhost IDENTIFIED BY 'follows'; "
                 "GRANT SELECT ON daymark.* TO daymark_follow@localhost")
        service.stop_database()
        os.mkdir(self.replica_dir)
        run("cp", "-a", "--sparse=always", f"{service.dir}/mysql", f"{self.replica_dir}/data")
        service.start_database("--log-bin=bin", "--server-id=1", "--binlog-format=ROW", "--skip-skip-networking",
                               "--bind-address=127.0.0.1", f"--port={self.port}")
        with open(f"{self.replica_dir}/log", "a", encoding="utf-8") as log:
            self.replica = subprocess.Popen(
                ["mariadbd", "--no-defaults", f"--datadir={self.replica_dir}/data", f"--socket={self.replica_socket}",
                 f"--pid-file={self.replica_dir}/pid", f"--tmpdir={self.replica_dir}", "--skip-networking", "--server-id=2",
                 "--read-only", "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=32M",
                 *(["--user=root"] if os.geteuid() == 0 else [])], stdout=log, stderr=log)
        wait_for("the replica's start", lambda: run("mariadb", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.replica_socket}",
                                                     "-e", "SELECT 1").returncode == 0)
        self.sql(f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={self.port}, MASTER_USER='follows', "
                 f"MASTER_PASSWORD='follows', MASTER_LOG_FILE='bin.000001', MASTER_LOG_POS=4, MASTER_DELAY={DELAY_S}; "
                 "START SLAVE", self.replica_socket)
        wait_for("readiness", lambda: self.world.probe())
        self.disks = [Disk(service, "lagging", self.replica_socket), Disk(service, "reading", service.socket)]

    def follow_while_writing(self):
        """Checks that each disk only goes ahead, and has the same pages as the first disk when the
        writers rest."""
        is_over = threading.Event()
        watch = threading.Thread(target=self.watch, args=(is_over,), daemon=True)
        watch.start()
        for n in range(40):
            self.change(n)
        self.equal("followers")
        is_over.set()
        watch.join()
        for disk in self.disks:
            for detail in disk.worse:
                self.tally.problem(WRONG, detail)
            with open(disk.err, encoding="utf-8") as err:
                for line in err:
                    self.tally.problem(WRONG, f"{disk.name}: {line.strip()}")

    def watch(self, is_over):
        while not is_over.wait(0.02):
            for disk in self.disks:
                disk.look()

    def change(self, n):
        """Changes names and privacy, and creates and deletes a page."""
        slug = ("steady", "turning", "hidden")[n % 3]
        fields = [("name", f"Machines {n}.")] + ([("privacy", n // 3 % 2)] if slug == "turning" else [])
        writes = [Write("PUT", f"/api/v1/status-pages/{self.world.shown.numbers[slug]}", fields)]
        if n % 10 == 0:
            writes.append(Write("POST", "/api/v1/status-pages", [("name", f"Passing {n}."), ("slug", f"passing-{n}")]))
        for write in writes:
            response = self.world.probe_client.write(write, lambda response: None, lambda: True)
            self.row.acknowledged += 1
            self.tally.count("acknowledged")
            if n % 20 == 0 and write.method == "POST":
                self.world.probe_client.write(
                    Write("DELETE", f"/api/v1/status-pages/{response.json()['data']['id']}"), lambda response: None,
                    lambda: True)

    def equal(self, when):
        """Waits until all disks have the same pages."""
        began, first = time.monotonic(), {}
        while time.monotonic() - began < EQUAL_WITHIN_S + DELAY_S:
            first = tree(self.service.pages)
            others = [tree(disk.pages) for disk in self.disks]
            if not any(differing(first, other) for other in others):
                self.row.recovery_s = max(self.row.recovery_s, time.monotonic() - began)
                return
            time.sleep(0.2)
        for disk, other in zip(self.disks, others):
            different = differing(first, other)
            if different:
                self.tally.problem(WRONG, f"{when}: {disk.name} differs in {len(different)} files: {different[:4]}")

    def promote(self):
        """The primary dies before the replica has its last commits, and the replica takes the
        writes. An operator then runs publish --new-epoch, as docs/OPERATING.md says."""
        for n in range(100, 106):
            self.change(n)
        self.service.stop_database(9)
        self.sql("STOP SLAVE; RESET SLAVE ALL; SET GLOBAL read_only = 0", self.replica_socket)
        newest = self.sql("SELECT name FROM status_pages WHERE slug = 'steady'", self.replica_socket)[0][0]
        if newest == "Machines 105.":
            raise RuntimeError("the replica has all commits: nothing was lost that could come back")
        for conf in (self.service.conf, self.disks[1].conf):
            with open(conf, encoding="utf-8") as read:
                text = read.read()
            with open(conf, "w", encoding="utf-8") as out:
                out.write(text.replace(f"socket = {self.service.socket}", f"socket = {self.replica_socket}"))
        os.kill(self.service.supervisor(), 1)
        # A follower loads its configuration when it starts.
        self.disks[1].end()
        self.disks[1] = Disk(self.service, "reading", self.replica_socket)
        done = self.service.ctl("publish", "--new-epoch")
        if done.returncode != 0:
            self.tally.problem(WRONG, f"publish --new-epoch: {done.stderr}")
        self.equal("after the promotion")
        with open(f"{self.service.pages}/public/s/steady/index.html", encoding="utf-8") as page:
            if f"{newest}" not in page.read():
                self.tally.problem(WRONG, f"the disks do not show {newest}, which the database has")
