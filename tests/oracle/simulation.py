"""What the oracle's steps share: the world, the parts of the scheduler, clocks."""

from __future__ import annotations

from engine.scenario.model import Scenario
from tests.oracle.admission import AdmitAll, AmLimit
from tests.oracle.clocks import MasterClock
from tests.oracle.names import admission_of, booking_of, headroom_of, memory_only, monitor_of, order_of, parse, reduce_start_of
from tests.oracle.result import Running
from tests.oracle.room import Room
from tests.oracle.running_jobs import RunningJobs
from tests.oracle.world import KINDS, World


class Simulation:
    """One run; the steps are its subclasses."""

    def __init__(self, scenario: Scenario, scheduler: str) -> None:
        parts = parse(scheduler)
        self.cluster = scenario.cluster
        self.world = World(scenario, memory_only(parts), booking_of(scenario, parts))
        self.nodes = self.world.nodes
        self.jobs = self.world.jobs
        self.containers = self.world.containers
        self.order = order_of(self.world, parts)
        self.reduce_start = reduce_start_of(self.world, parts, headroom_of(self.world, parts, self.order))
        self.admission = admission_of(self.world, parts, self.order)
        self.monitor = monitor_of(self.world, parts, self.order)
        self.order.holds_masters = not isinstance(self.admission, (AdmitAll, AmLimit))
        self.room = Room(self.world, self.order, self.admission)
        self.running_jobs = RunningJobs(self.world, self.order.shares != "all")
        self.clocks = [part.clock for part in (self.order, self.reduce_start) if part.clock]
        self.clocks += [MasterClock(job, self.reduce_start) for job in self.jobs if job.beat_ms]
        self.outages_over = 0
        self.idle = dict.fromkeys(self.clocks, 0)  # ticks of each in a row that changed nothing, since anything changed
        self.beat = 0  # the next beat: node beat % N, round beat // N (3)
        self._begin_preemption()
        self.quiet = self.idle_updates = 0  # beats, and updates of FairScheduler, in a row that changed nothing, since anything changed

    def _begin_preemption(self) -> None:
        """Its state, where there is any."""

    @property
    def now(self) -> int:
        return self.world.now

    def _running(self) -> list[Running]:
        return self.world.running(None, *KINDS)
