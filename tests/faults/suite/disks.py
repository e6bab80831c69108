"""File systems without space, without inodes, or read-only: of the pages, of the log, of the
database. Each is a separate tmpfs, whose limits are moved to its present use."""
import os
import signal
import subprocess
import time

from suite.fault import Fault, Unable
from suite.service import DISKS, is_alive, signal_pid


class _Disk(Fault):
    disk = None
    is_program_away = True

    def __init__(self, world, rng):
        super().__init__(world, rng)
        if not self.service.has_mounts:
            raise Unable("no file system can be mounted here (unshare --mount)")

    def must(self, options):
        done = self.service.remount(self.disk, options)
        if done.returncode != 0:
            raise RuntimeError(f"mount -o remount,{options}: {done.stderr.strip()}")

    def fill(self):
        """Leaves no free block: the use may grow up to the limit."""
        for _ in range(100):
            about = os.statvfs(f"{self.service.dir}/{self.disk}")
            used_kb = (about.f_blocks - about.f_bfree) * about.f_frsize // 1024
            if self.service.remount(self.disk, f"size={used_kb}k").returncode == 0:
                return
        raise RuntimeError("the file system grows faster than it is filled")

    def empty(self):
        self.must(f"size={DISKS[self.disk][0]}m,nr_inodes={DISKS[self.disk][1]}")


class _Full(_Disk):
    def inject(self):
        self.fill()

    def heal(self):
        self.empty()


class PagesDiskFull(_Full):
    """The disk of the pages is full."""

    group = disk = "pages"


class PagesDiskWithoutInodes(_Disk):
    """The disk of the pages has no inode left."""

    group = disk = "pages"

    def inject(self):
        for _ in range(100):
            about = os.statvfs(f"{self.service.dir}/{self.disk}")
            if self.service.remount(self.disk, f"nr_inodes={about.f_files - about.f_ffree}").returncode == 0:
                return
        raise RuntimeError("the file system grows faster than it is filled")

    def heal(self):
        self.empty()


class _ReadOnly(_Disk):
    """A disk cannot become read-only while files are open for writing: the processes are killed,
    and start again on the read-only disk, as after a crash of the machine."""

    def make_read_only(self, kill):
        # The holder starts nothing meanwhile.
        holder = self.service.holder
        signal_pid(holder.pid, signal.SIGSTOP)
        try:
            deadline = time.monotonic() + 10
            while True:
                kill()
                if self.service.remount(self.disk, "ro").returncode == 0:
                    return
                if time.monotonic() > deadline:
                    raise RuntimeError("the file system stays in use")
                time.sleep(0.02)
        finally:
            signal_pid(holder.pid, signal.SIGCONT)

    def heal(self):
        self.must("rw")


class PagesDiskReadOnly(_ReadOnly):
    """The disk of the pages is read-only."""

    group = disk = "pages"

    def inject(self):
        self.make_read_only(self.service.kill_daymark)


class LogDiskFull(_Full):
    """The disk of the log is full: of the program's and of the web server's."""

    group = disk = "log"


class LogDiskReadOnly(_ReadOnly):
    """The disk of the log is read-only when the program and the web server start."""

    is_short = False
    group = disk = "log"
    is_view_away = True

    def inject(self):
        def kill():
            self.service.kill_daymark()
            master = self.service.pid("nginx")
            children = subprocess.run(["pgrep", "-P", str(master)], capture_output=True, text=True, check=False).stdout
            for pid in [master, *map(int, children.split())]:
                signal_pid(pid, signal.SIGKILL)
        self.make_read_only(kill)

    def heal(self):
        super().heal()
        if not is_alive(self.service.pid("nginx")):
            self.service.start_nginx()


class DatabaseDiskFull(_Full):
    """The disk of the database is full, while pictures are uploaded."""

    group, disk = "database", "mysql"
    short_s = 2.0
    recovery_s = 120

    def inject(self):
        self.world.wants_space.set()
        super().inject()

    def heal(self):
        self.world.wants_space.clear()
        super().heal()
        if self.service.database.poll() is not None:
            self.service.start_database()


class DatabaseDiskReadOnly(_ReadOnly):
    """The disk of the database is read-only: the database was killed and cannot start."""

    group, disk = "database", "mysql"
    recovery_s = 120

    def inject(self):
        def kill():
            self.service.database.kill()
            self.service.database.wait()
        self.make_read_only(kill)
        try:
            self.service.start_database()
        except (RuntimeError, TimeoutError):
            pass

    def heal(self):
        if self.service.database.poll() is None:
            self.service.stop_database()
        super().heal()
        self.service.start_database()
