"""An origin as the suite of faults has it, and a mirror host behind an nginx of its own."""
import os
import shutil
import signal
import urllib.parse

from suite.client import Client, Write
from suite.service import PROGRAMS, Service, bash, run, signal_pid, wait_for

KEY = "the-key-of-the-mirror-in-the-fault-suite"
PUSHER = "daymark-mirrors"
INCOMPLETE = "the mirror does not catch up"


def kill_family(pid_file):
    """Kills the process of the file, and its children."""
    try:
        with open(pid_file) as file:
            parent = file.read().strip()
    except FileNotFoundError:
        return
    for pid in [parent, *run("pgrep", "-P", parent).stdout.split()]:
        signal_pid(int(pid), signal.SIGKILL)


class MirrorHost:
    def __init__(self, folder, host):
        self.dir, self.host, self.pages = folder, host, f"{folder}/pages"
        self.port = bash("free_port 18950").stdout.strip()
        for name in ("conf", "run", "log"):
            os.makedirs(f"{folder}/{name}")
        for path in (folder, f"{folder}/run"):
            os.chmod(path, 0o755)
        with open(f"{folder}/conf/daymark.conf", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(f"[site]\nbase_url = http://{host}\n[pages]\ndir = {self.pages}\n"
                       f"[server]\nlisten = unix:{folder}/run/daymark.sock\n[mirror_host]\nkey = {KEY}\n")
        self.start()

    def start(self):
        done = bash('service_start_daymark "$1" "$2" && service_copy_nginx "$1" "$1" "$3" && '
                    'service_run_nginx "$1" "$(find_nginx)" "$1/conf/nginx/daymark.conf" && '
                    'wait_until 30 curl -fsS "http://127.0.0.1:$3/healthz"', self.dir, PROGRAMS, self.port)
        if done.returncode != 0:
            raise RuntimeError(f"the mirror host does not start: {done.stderr}")

    def kill(self):
        for name in ("daymark", "nginx"):
            kill_family(f"{self.dir}/run/{name}.pid")

    def kill_worker(self):
        """Kills a process that receives, and serves visitors."""
        with open(f"{self.dir}/run/daymark.pid") as file:
            workers = run("pgrep", "-P", file.read().strip()).stdout.split()
        if workers:
            signal_pid(int(workers[0]), signal.SIGKILL)

    def remove(self):
        bash('service_stop "$1"', self.dir)
        shutil.rmtree(self.dir, ignore_errors=True)


class Installation(Service):
    """The origin, with its mirror."""

    def __init__(self, patience_s):
        super().__init__()
        self.patience_s = patience_s
        self.host = f"127.0.0.1:{self.port}"
        self.client, self.mirror = Client(self, self.key), None

    def add_mirror(self):
        self.mirror = MirrorHost(f"{self.dir}-mirror", self.host)
        with open(self.conf, "a") as file:
            # Without pictures of their state, pages are published before a mirror can have confirmed what was removed.
            file.write(f"\n[pages]\npreviews = no\n[mirrors]\nmirror = http://127.0.0.1:{self.mirror.port} name=paris key={KEY}\n")
        signal_pid(self.supervisor(), signal.SIGHUP)

    def api(self, method, path, *wanted, **fields):
        """Repeats the write until it is acknowledged: the origin may be restarting."""
        response = self.client.write(Write(method, f"/api/v1{path}", list(fields.items())), lambda response: None, lambda: True)
        if response.status not in (wanted or (200, 201)):
            raise RuntimeError(f"{method} {path} {fields}: {response.status} {response.body[:300]!r}")
        return response

    def make_page(self, slug, **fields):
        page = {"name": f"Page {slug}", "slug": slug, **fields}
        return {"id": self.api("POST", "/status-pages", **page).json()["data"]["id"], **page}

    def is_complete(self):
        """Whether the origin has published everything, and says that the mirror has it. Only looks: `publish --wait` would push
        in place of a pusher that is dead."""
        return (self.sql("SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL", must=False) == [["0"]]
                and self.ctl("mirror", "status").returncode == 0)

    def catches_up(self):
        try:
            wait_for("the mirror's completeness", self.is_complete, self.patience_s, pause_s=0.2)
        except TimeoutError:
            return False
        return True

    def pusher(self):
        return next((pid for pid, name in self.children().items() if name == PUSHER), 0)

    def cookie_of(self, link):
        """The cookie that a signed link gives."""
        parts = urllib.parse.urlsplit(link)
        given = self.client.get(f"{parts.path}?{parts.query}").headers.get("set-cookie", "")
        return {"Cookie": given.split(";")[0]}

    def view(self, path, headers=None, of_mirror=True):
        """What a visitor of the mirror, or of the origin, is shown."""
        return view(self.mirror if of_mirror else self, path, {"Host": self.host, **(headers or {})})

    def destroy(self):
        """Kills every process at once, and removes the origin's disk. The mirror host starts again."""
        for process in (self.holder, self.database):
            process.kill()
            process.wait()
        self.kill_daymark()
        kill_family(f"{self.dir}/run/nginx.pid")
        self.mirror.kill()
        self.holder = self.database = None
        shutil.rmtree(self.dir)
        self.mirror.start()

    def end(self, is_kept):
        self.stop()
        if is_kept:
            return
        self.remove()
        if self.mirror:
            self.mirror.remove()


def view(server, path, headers):
    client = Client(server)
    try:
        response = client.get(path, headers)
    finally:
        client.close()
    return response
