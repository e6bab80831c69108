"""A Galera cluster of three nodes in place of the database, whose nodes are killed, paused and cut
off. Each node has a separate network, joined by a bridge that only this program sees, with the
ports of a usual installation."""
import os
import re
import subprocess
import time

from suite.fault import Fault
from suite.service import PROGRAMS, Service, bash, run, signal_pid, wait_for
from suite.tally import MANUAL, WRONG

NODES, JOIN_WITHIN_S = 3, 120
NETWORK = "10.77.0"


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


class Node:
    def __init__(self, service, number):
        self.service, self.number, self.process = service, number, None
        self.dir, self.address = f"{service.dir}/node{number}", f"{NETWORK}.{number + 1}"
        self.socket = f"{self.dir}/my.sock"
        self.link = f"node{number}"
        os.makedirs(f"{self.dir}/data")
        # Holds the network while the node is away.
        self.network = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stdin=subprocess.DEVNULL)
        self.connect()

    def inside(self, *command):
        return ["nsenter", f"--net=/proc/{self.network.pid}/ns/net", *command]

    def connect(self):
        own = os.readlink("/proc/self/ns/net")
        wait_for("the node's network", lambda: os.readlink(f"/proc/{self.network.pid}/ns/net") != own)
        must("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", str(self.network.pid))
        must("ip", "link", "set", self.link, "master", "cluster", "up")
        must(*self.inside("ip", "address", "add", f"{self.address}/24", "dev", "eth0"))
        for name in ("lo", "eth0"):
            must(*self.inside("ip", "link", "set", name, "up"))

    def set_link(self, state):
        must("ip", "link", "set", self.link, state)

    def command(self, *options):
        others = ",".join(node.address for node in self.service.nodes)
        return self.inside(
            "mariadbd", "--no-defaults", f"--datadir={self.dir}/data", f"--socket={self.socket}", f"--pid-file={self.dir}/pid",
            f"--tmpdir={self.dir}", "--skip-name-resolve", f"--bind-address={self.address}", "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=32M", "--innodb-flush-log-at-trx-commit=2", "--binlog-format=ROW",
            "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON", f"--wsrep-provider={self.service.provider}",
            "--wsrep-sst-method=rsync", "--wsrep-cluster-name=faults", f"--wsrep-node-name={self.link}",
            f"--wsrep-node-address={self.address}", f"--wsrep-cluster-address=gcomm://{others}",
            "--wsrep-provider-options=gcache.size=128M", *(["--user=root"] if os.geteuid() == 0 else []), *options)

    def start(self, is_first=False):
        position = None if is_first else self.position()
        options = ["--wsrep-new-cluster"] if is_first else [f"--wsrep-start-position={position}"] if position else []
        with open(f"{self.dir}/log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command(*options), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True, env=self.service.environment)

    def position(self):
        """The position at which the node's tables end, as galera_recovery of the package finds it
        before each start."""
        if not os.path.exists(f"{self.dir}/data/ibdata1"):
            return None
        done = run(*self.command("--wsrep-recover", "--disable-log-error"), env=self.service.environment)
        return re.findall(r"Recovered position: *(\S+)", done.stderr)[-1]

    def is_up(self):
        return self.process is not None and self.process.poll() is None

    def sql(self, text):
        """The rows; None if the node does not serve them."""
        try:
            done = run("mariadb", "--no-defaults", "--skip-ssl", "--connect-timeout=2", "-uroot", f"--socket={self.socket}", "-N",
                       "-B", "daymark", "-e", text, timeout=20)
        except subprocess.TimeoutExpired:
            return None
        return [line.split("\t") for line in done.stdout.splitlines()] if done.returncode == 0 else None

    def rows(self):
        """All rows of all tables, as statements, including all commits of other nodes."""
        self.sql("SET SESSION wsrep_sync_wait = 15; SELECT COUNT(*) FROM status_pages")
        done = run("mariadb-dump", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.socket}", "--no-create-info", "--compact",
                   "--skip-extended-insert", "--hex-blob", "daymark")
        if done.returncode != 0:
            raise RuntimeError(f"{self.link}: {done.stderr}")
        return set(done.stdout.splitlines())

    def is_synced(self):
        if not self.is_up():
            return False
        rows = self.sql("SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_local_state_comment')")
        return dict(rows or ()) == {"wsrep_cluster_size": str(NODES), "wsrep_local_state_comment": "Synced"}

    def end(self):
        if self.is_up():
            self.process.kill()
            self.process.wait()
        self.network.kill()
        self.network.wait()


def find_programs():
    """The paths of the library and of the programs that nodes need. Missing ones are downloaded and
    unpacked."""
    found = bash('find_program galera-4 /usr/lib/galera/libgalera_smm.so && find_program rsync /usr/bin/rsync && '
                 'find_program mariadb-server /usr/bin/wsrep_sst_rsync')
    if found.returncode != 0:
        raise SystemExit(f"run: {found.stderr.strip()}")
    return found.stdout.split()


class Cluster(Service):
    """The installation with the three nodes as its `hosts`."""

    def __init__(self, port=None):
        self.nodes, self.asked = [], None
        self.provider, self.rsync, self.sender = find_programs()
        must("ip", "link", "set", "lo", "up")
        try:
            super().__init__(port)
        except BaseException:
            self.stop()
            raise

    def start_database(self, *options):
        if self.nodes:
            for node in self.nodes:
                if not node.is_up():
                    node.start()
            return
        super().start_database(*options)
        with open(self.conf, encoding="utf-8") as conf:
            text = conf.read()
        password = re.search(r"(?m)^password = (.*)", text)[1]
        self.sql(f"CREATE USER daymark@'{NETWORK}.%' IDENTIFIED BY '{password}'; "
                 f"GRANT SELECT, INSERT, UPDATE, DELETE ON daymark.* TO daymark@'{NETWORK}.%'")
        super().stop_database()
        self.start_nodes()
        hosts = ", ".join(node.address for node in self.nodes)
        with open(self.conf, "w", encoding="utf-8") as conf:
            conf.write(re.sub(r"(?m)^socket = .*", f"hosts = {hosts}", text))

    def start_nodes(self):
        """Starts the nodes: the first has the data, and the others get it from the first."""
        must("ip", "link", "add", "cluster", "type", "bridge")
        must("ip", "address", "add", f"{NETWORK}.254/24", "dev", "cluster")
        must("ip", "link", "set", "cluster", "up")
        self.make_programs()
        self.nodes = [Node(self, number) for number in range(NODES)]
        run("cp", "-a", "--sparse=always", f"{self.dir}/mysql/.", f"{self.nodes[0].dir}/data")
        for node in self.nodes:
            node.start(is_first=node.number == 0)
            wait_for(f"the start of {node.link}", lambda: self.has_started(node), JOIN_WITHIN_S)
        wait_for("the cluster", self.is_whole, JOIN_WITHIN_S)

    def make_programs(self):
        """Makes the programs that servers call to send data to a node. As root, rsync's daemon would
        become nobody."""
        folder = f"{self.dir}/programs"
        os.mkdir(folder)
        with open(f"{folder}/rsync", "w", encoding="utf-8") as out:
            out.write('#!/bin/sh\n[ "$1" != --daemon ] || set -- "$@" --dparam=uid=0 --dparam=gid=0\n'
                      f'exec {self.rsync} "$@"\n')
        os.chmod(f"{folder}/rsync", 0o755)
        path = f"{folder}:{os.path.dirname(self.sender)}:{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path}

    @staticmethod
    def has_started(node):
        if not node.is_up():
            raise RuntimeError(f"{node.link} has ended: see {node.dir}/log")
        return node.sql("SHOW STATUS LIKE 'wsrep_ready'") == [["wsrep_ready", "ON"]]

    def is_whole(self):
        return all(node.is_synced() for node in self.nodes)

    def sql(self, text, must=True):
        """Runs SQL on the first node that responds, or on the node that is being compared."""
        if not self.nodes:
            return super().sql(text, must)
        for node in [self.asked] if self.asked else self.nodes:
            rows = node.sql(f"SET SESSION wsrep_sync_wait = 15; {text}") if node.is_up() else None
            if rows is not None:
                return rows
        if must:
            raise RuntimeError(f"no node responds to {text}")
        return None

    def copies(self, tally):
        """Yields each node in turn, on which sql() then works. All nodes must have the same
        rows."""
        wait_for("the cluster", self.is_whole, JOIN_WITHIN_S)
        for node in self.nodes:
            self.asked = node
            try:
                yield node.link
            finally:
                self.asked = None
        try:
            # The publisher may have written meanwhile.
            wait_for("the same rows on all nodes", lambda: not self.differences(), 10)
        except TimeoutError:
            for difference in self.differences():
                tally.problem(WRONG, difference)

    def differences(self):
        """The difference between the rows of the other nodes and the rows of the first."""
        rows = [node.rows() for node in self.nodes]
        return [f"node{number} has or lacks {row[:200]}" for number, others in enumerate(rows) for row in others ^ rows[0]]

    def stop_database(self, number=15):
        if not self.nodes:
            super().stop_database(number)
        for node in self.nodes:
            node.end()


class _Galera(Fault):
    """Checks that the service works on the remaining nodes, and that the node joins them by itself
    after the fault."""

    group = "galera"
    is_on_cluster = True
    recovery_s = 120
    # A node that is away for less than 5 s is only waited for.
    short_s, long_s = 5.0, 15.0
    work_within_s = 60

    def __init__(self, world, rng):
        super().__init__(world, rng)
        self.node = self.service.nodes[self.number()]

    def number(self):
        """Chooses mostly the node that the service prefers."""
        return self.rng.choices(range(NODES), [2, 1, 1])[0]

    def begin(self):
        super().begin()
        began = time.monotonic()
        while not self.world.probe():
            if time.monotonic() - began > self.work_within_s:
                self.world.tally.problem(MANUAL, f"{self.name()}: does not work without {self.node.link}")
                break
            time.sleep(0.1)
        self.outage_s = time.monotonic() - began


class NodeOfWritersKilled(_Galera):
    """The node of a Galera cluster that the service prefers is killed (SIGKILL), and started again."""

    def number(self):
        return 0

    def inject(self):
        self.node.process.kill()
        self.node.process.wait()

    def heal(self):
        self.node.start()


class OtherNodeKilled(NodeOfWritersKilled):
    """Another node is killed (SIGKILL), and started again."""

    def number(self):
        return self.rng.randrange(1, NODES)


class NodePaused(_Galera):
    """A node is stopped (SIGSTOP) for so long that the others leave it, and goes on."""

    def inject(self):
        signal_pid(self.node.process.pid, 19)

    def heal(self):
        signal_pid(self.node.process.pid, 18)


class NodeCutOff(_Galera):
    """A node's cable is out: neither the other nodes nor the service reach it, and nothing says so."""

    def inject(self):
        self.node.set_link("down")

    def heal(self):
        self.node.set_link("up")


class NodeIsolated(_Galera):
    """A node sees no other node, and the service reaches it."""

    def isolate(self, value):
        wait_for("the order to the node",
                 lambda: self.node.sql(f"SET GLOBAL wsrep_provider_options = 'gmcast.isolate={value}'") is not None)

    def inject(self):
        self.isolate(1)

    def heal(self):
        self.isolate(0)


class TwoMigrations(_Galera):
    """`daymarkctl migrate` runs on two machines at once, each with a node of its own."""

    is_program_away = False
    pairs = 8

    def conf(self, node):
        """The tables of a database that the service does not use."""
        path = f"{self.service.dir}/conf/{node.link}.conf"
        with open(self.service.conf, encoding="utf-8") as conf:
            text = re.sub(r"(?m)^migrate_.*\n", "", conf.read())
        for pattern, value in ((r"hosts = .*", f"hosts = {node.address}"), (r"name = .*", "name = fresh")):
            text = re.sub(rf"(?m)^{pattern}", value, text)
        with open(path, "w", encoding="utf-8") as conf:
            conf.write(text)
        return path

    def inject(self):
        self.service.sql(f"CREATE DATABASE fresh; GRANT ALL ON fresh.* TO daymark@'{NETWORK}.%'")
        paths = [self.conf(node) for node in self.service.nodes[:2]]
        # Of the first pair, one process makes the tables; the others have only the lease to write.
        for _ in range(self.pairs):
            processes = [subprocess.Popen([f"{PROGRAMS}/daymarkctl", "migrate", "--wait", "120", "--config", path], text=True,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                         for path in paths]
            for process in processes:
                said = process.communicate()[1]
                if process.returncode != 0:
                    self.world.tally.problem(MANUAL, f"{self.name()}: {said.strip()}")

    def heal(self):
        self.service.sql("DROP DATABASE fresh")
