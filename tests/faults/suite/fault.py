"""The faults. A fault is a class with inject() and heal(); reports name faults by their class, with
dashes. FAULTS lists them in the order in which they are shown."""
import re

FAULTS = []


class Unable(Exception):
    """The machine cannot make this fault: the report names it with the reason."""


class Fault:
    # Everything must work again so many seconds after heal(); a report has the longest time that was measured.
    recovery_s = 90
    # Faults of one group are not combined: they hurt the same thing. Nor are those of a group that this one hurts, too.
    group = None
    also_hurts = ()
    # Whether views of public pages may fail meanwhile, and whether pages that need the program may.
    is_view_away = False
    is_program_away = True
    # How long it lasts: of a short run, and at most.
    short_s, long_s = 0.7, 6.0
    # How long nothing could be written while it lasted, of a fault that must not keep the service from its work.
    outage_s = 0.0
    # Whether the database is the cluster of galera.py, which takes too long to start for a run of all faults.
    is_on_cluster = False
    # Whether short runs have it. Those that do not have another fault that includes it.
    is_short = True

    def __init__(self, world, rng):
        self.world, self.service, self.rng = world, world.service, rng

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.group and not cls.__name__.startswith("_"):
            FAULTS.append(cls)

    @classmethod
    def goes_with(cls, other):
        """Whether both can be injected at once. A jump of the clock is always injected alone."""
        return ("clock" not in (cls.group, other.group) and cls.group != other.group
                and cls.group not in other.also_hurts and other.group not in cls.also_hurts)

    @classmethod
    def name(cls):
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    @classmethod
    def what(cls):
        """A sentence for --list."""
        return cls.__doc__

    def inject(self):
        raise NotImplementedError

    def heal(self):
        pass

    def begin(self):
        """Injects the fault. Readers of the suite know of it, but other visitors do not."""
        if self.is_view_away:
            self.world.pages_away(self, True)
        if self.is_program_away:
            self.world.program_away(self, True)
        self.inject()

    def end(self):
        try:
            self.heal()
        finally:
            self.world.pages_away(self, False) if self.is_view_away else None

    def over(self):
        """Called after the recovery."""
        if self.is_program_away:
            self.world.program_away(self, False)
