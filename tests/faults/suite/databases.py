"""A database that is away, slow, full of connections, or takes no changes."""
import signal
import subprocess
import threading
import time

from suite.fault import Fault
from suite.service import signal_pid


class _Database(Fault):
    group = "database"


class DatabaseKilled(_Database):
    """The database is killed (SIGKILL), and started again."""

    def inject(self):
        self.service.database.kill()
        self.service.database.wait()

    def heal(self):
        self.service.start_database()


class DatabaseRestarted(_Database):
    """The database is shut down in order, and started again."""

    is_short = False

    def inject(self):
        self.service.stop_database()

    def heal(self):
        self.service.start_database()


class DatabasePaused(_Database):
    """The database is stopped (SIGSTOP): it accepts connections, and does not respond."""

    long_s = 12.0

    def inject(self):
        signal_pid(self.service.database.pid, signal.SIGSTOP)

    def heal(self):
        signal_pid(self.service.database.pid, signal.SIGCONT)


class DatabaseSlow(_Database):
    """The database runs for 5 ms, and is stopped for 45 ms, again and again."""

    is_short = False

    def inject(self):
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.slow_down, daemon=True)
        self.thread.start()

    def slow_down(self):
        while not self.is_over.is_set():
            signal_pid(self.service.database.pid, signal.SIGSTOP)
            time.sleep(0.045)
            signal_pid(self.service.database.pid, signal.SIGCONT)
            time.sleep(0.005)

    def heal(self):
        self.is_over.set()
        self.thread.join()


class DatabaseReadOnly(_Database):
    """The database takes no changes (read_only), as a primary before a fail-over."""

    def inject(self):
        self.service.sql("SET GLOBAL read_only = 1")

    def heal(self):
        self.service.sql("SET GLOBAL read_only = 0")


class DatabaseWithoutConnections(_Database):
    """The database has no connection left for the program: the present ones are cut, and others take all."""

    def inject(self):
        self.before = self.service.sql("SELECT @@max_connections")[0][0]
        # A connection of the administrator's that is there before there is none.
        self.administrator = self.hold()
        self.order("SET GLOBAL max_connections = 10")
        self.holders = [self.hold() for _ in range(10)]
        time.sleep(0.2)
        for row in self.service.sql("SELECT id FROM information_schema.processlist WHERE user = 'daymark'", must=False) or ():
            self.order(f"KILL {row[0]}")

    def hold(self):
        """A connection that waits for the next statement."""
        return subprocess.Popen(["mariadb", "--no-defaults", "--skip-ssl", "--force", "-uroot", f"--socket={self.service.socket}"],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def order(self, statement):
        self.administrator.stdin.write(f"{statement};\n".encode())
        self.administrator.stdin.flush()

    def heal(self):
        self.order(f"SET GLOBAL max_connections = {self.before}")
        for holder in self.holders:
            holder.kill()
            holder.wait()
            holder.stdin.close()
        self.administrator.communicate()


class ConnectionsCut(_Database):
    """All connections of the program are cut, three times in a row."""

    is_short = False

    def inject(self):
        administrator = DatabaseWithoutConnections.hold(self)
        for _ in range(3):
            ids = self.service.sql("SELECT id FROM information_schema.processlist WHERE user = 'daymark'", must=False)
            for row in ids or ():
                administrator.stdin.write(f"KILL {row[0]};\n".encode())
            administrator.stdin.flush()
            time.sleep(0.1)
        administrator.communicate()


class RowsLocked(_Database):
    """A transaction of somebody else holds the rows of the account and of all pages."""

    long_s = 4.0

    def inject(self):
        self.holder = subprocess.Popen(
            ["mariadb", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.service.socket}", "--unbuffered",
             "daymark"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.holder.stdin.write("BEGIN; SELECT id FROM accounts FOR UPDATE; SELECT page_id FROM page_revisions FOR "
                                "UPDATE; SELECT id FROM status_pages FOR UPDATE;\n")
        self.holder.stdin.flush()

    def heal(self):
        self.holder.kill()
        self.holder.communicate()
