"""The clock of the machine jumps: for the program and for the database. A jump by more than a day comes while no
write is under way, since an Idempotency-Key counts for a day."""
import datetime
import os
import time

from suite.fault import Fault, Unable
from suite.service import FAKETIME

CACHE_S = 1  # after which processes see a jump; see Service.clock_environment()


class _Clock(Fault):
    group = "clock"
    is_program_away = False
    is_far = False

    def __init__(self, world, rng):
        super().__init__(world, rng)
        if not os.path.exists(FAKETIME):
            raise Unable("libfaketime is not installed")
        if not self.service.has_clock:
            raise Unable("the service was started without libfaketime")

    def offset_s(self):
        raise NotImplementedError

    def jump(self, offset_s):
        if self.is_far:
            self.world.gate.shut()
        try:
            self.service.set_clock(offset_s)
            time.sleep(CACHE_S + 0.2)
        finally:
            if self.is_far:
                self.world.gate.open()

    def inject(self):
        self.jump(int(self.offset_s()))

    def heal(self):
        self.jump(0)


class ClockForward(_Clock):
    """The clock jumps ahead by two hours, and back."""

    is_short = False

    def offset_s(self):
        return 7200


class ClockBack(_Clock):
    """The clock is set back by two hours, and ahead again."""

    def offset_s(self):
        return -7200


class Midnight(_Clock):
    """The day ends while clients write."""

    short_s, long_s = 3.0, 5.0

    def offset_s(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        end = (now + datetime.timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return (end - now).total_seconds() - CACHE_S - 2


class _Dst(_Clock):
    short_s, long_s = 3.0, 5.0
    is_far = True
    month = 0

    def offset_s(self):
        """To the last Sunday of the next such month, shortly before 01:00 UTC, when Europe changes its clocks."""
        now = datetime.datetime.now(datetime.timezone.utc)
        for year in (now.year, now.year + 1):
            last = datetime.datetime(year, self.month, 31, 1, tzinfo=datetime.timezone.utc)
            change = last - datetime.timedelta(days=(last.weekday() + 1) % 7)
            if change > now:
                return (change - now).total_seconds() - CACHE_S - 2
        raise AssertionError("no such Sunday")


class SummerTimeBegins(_Dst):
    """European clocks go ahead while clients write; some pages are in that zone."""

    month = 3


class SummerTimeEnds(_Dst):
    """European clocks go back while clients write."""

    is_short = False
    month = 10
