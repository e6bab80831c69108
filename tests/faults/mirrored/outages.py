"""What fails while pages change: the mirror host, the pusher, the origin."""
import signal
import threading
import time

from suite.service import signal_pid


class MirrorDown:
    """the mirror host is down"""

    def __init__(self, origin, rng):
        self.origin = origin

    def begin(self):
        self.origin.mirror.kill()

    def end(self):
        self.origin.mirror.start()


class _Repeated:
    """Strikes again and again, until it ends."""

    pause_s = (0.0, 0.0)

    def __init__(self, origin, rng):
        self.origin, self.rng, self.is_over = origin, rng, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def begin(self):
        self.strike()
        self.thread.start()

    def run(self):
        while not self.is_over.wait(self.rng.uniform(*self.pause_s)):
            self.strike()

    def end(self):
        self.is_over.set()
        self.thread.join()


class PusherDead(_Repeated):
    """the pusher is dead, and killed soon after each start"""

    pause_s = (0.0, 0.05)

    def strike(self):
        pusher = self.origin.pusher()
        if pusher:
            signal_pid(pusher, signal.SIGKILL)


class OriginRestarts(_Repeated):
    """the origin restarts, in order and by kill -9"""

    pause_s = (0.1, 0.4)

    def strike(self):
        if self.rng.random() < 0.5:
            self.origin.restart_daymark()
        else:
            self.origin.kill_daymark()


OUTAGES = {"mirror-down": MirrorDown, "pusher-dead": PusherDead, "origin-restarts": OriginRestarts}
# So many changes are on their way when the outage begins.
BEFORE = 2


def change_during(outage, cast, rng):
    changes = list(cast.pages)
    rng.shuffle(changes)
    for change in changes[:BEFORE]:
        cast.make(change)
    outage.begin()
    try:
        for change in changes[BEFORE:]:
            cast.make(change)
            time.sleep(rng.uniform(0, 0.1))
    finally:
        outage.end()
