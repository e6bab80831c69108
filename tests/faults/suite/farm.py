"""A farm of targets on 127/8 (tests/lib/farm.c), and the network of its own that it needs."""
import atexit
import collections
import functools
import os
import shutil
import subprocess
import sys
import tempfile

from suite.service import TOP, run

Entry = collections.namedtuple("Entry", "at target place is_up")
HTTP, TCP = 0, 1
NETWORK = "DAYMARK_FARM_NETWORK"


def enter_network():
    """Starts this program again in a network that has nothing but 127/8, and can be cut. Returns whether it runs there: this
    needs root, or user namespaces."""
    if os.environ.get(NETWORK):
        return True
    users = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    inside = ["unshare", "--net", *users, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if run(*inside, "true").returncode != 0:
        return False
    os.environ[NETWORK] = "yes"
    os.execvp(inside[0], [*inside, sys.executable, *sys.argv])


def set_line(is_up):
    """Everything by network fails while it is cut; sockets of files do not."""
    run("ip", "link", "set", "lo", "up" if is_up else "down")


def address(target):
    return f"127.1.{target >> 8}.{target & 255}"


@functools.cache
def program():
    """Where programs may run, unlike in a container's /dev/shm, which may have the service's folder."""
    folder = tempfile.mkdtemp(prefix="daymark-farm-")
    atexit.register(shutil.rmtree, folder)
    subprocess.run(["cc", "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-o", f"{folder}/farm", f"{TOP}/tests/lib/farm.c"], check=True)
    return f"{folder}/farm"


class Farm:
    def __init__(self, folder, port, has_log=True):
        self.port, self.log_path = port, f"{folder}/farm-{port}.log" if has_log else None
        self.process = subprocess.Popen([program(), str(port), *([self.log_path] if has_log else [])], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.command("f", 0, 0)

    def command(self, mode, first, count):
        """Returns how many connections there were."""
        self.process.stdin.write(f"{mode} {first} {count}\n")
        return int(self.process.stdout.readline().split()[1])

    def connections(self):
        return self.command("f", 0, 0)

    def entries(self):
        self.connections()
        with open(self.log_path) as log:
            for line in log:
                ms, target, place, result = line.split()
                yield Entry(int(ms) / 1000, int(target), int(place), result == "u")

    def kill(self):
        self.process.kill()
        self.process.wait()
