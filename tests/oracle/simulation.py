"""What the oracle's steps share: the cluster state, the parts of the scheduler, clocks."""

from __future__ import annotations

from typing import Any

from engine.scenario.model import Scenario
from tests.oracle.admission import AdmitAll, AmLimit
from tests.oracle.clocks import MasterClock
from tests.oracle.cluster_state import ClusterState
from tests.oracle.names import (
    admission_of,
    headroom_of,
    memory_only,
    monitor_of,
    normalization_of,
    order_of,
    parse,
    reduce_start_of,
)
from tests.oracle.placement_rules import PlacementRules
from tests.oracle.refusals import Refusals
from tests.oracle.result import Running, Target
from tests.oracle.running_jobs import RunningJobs
from tests.oracle.spark import Application
from tests.oracle.stages import Stages
from tests.oracle.tez import Tez


class Simulation:
    """One run; the steps are its subclasses."""

    def __init__(self, scenario: Scenario, scheduler: str) -> None:
        parts = parse(scheduler)
        self.cluster = scenario.cluster
        self.state = ClusterState(scenario, memory_only(parts), normalization_of(scenario, parts))
        self.nodes = self.state.nodes
        self.jobs = self.state.jobs
        self.containers = self.state.containers
        self.order = order_of(self.state, parts)
        self.reduce_start = reduce_start_of(self.state, parts, headroom_of(self.state, parts, self.order))
        self.admission = admission_of(self.state, parts, self.order)
        self.monitor = monitor_of(self.state, parts, self.order)
        self.order.holds_masters = not isinstance(self.admission, (AdmitAll, AmLimit))
        self.placement = PlacementRules(self.state, self.order, self.admission)
        self.refusals = Refusals(self.state, self.order.shares)
        self.running_jobs = RunningJobs(self.state, self.order.shares != "all")
        self.clocks = [part.clock for part in (self.order, self.reduce_start) if part.clock]
        self.clocks += [
            MasterClock(job, self.reduce_start) for job in self.jobs if job.beat_ms and not job.group.is_spark
        ]
        self.task_log: list[Any] = []  # attempts of spark.py and of tez.py
        self.targets: list[tuple[int, int, Target]] = []
        for job in self.jobs:
            if job.group.is_spark:
                job.application = Application(self, job)
            elif job.stage_kinds:
                job.application = (Tez if job.group.framework == "tez" else Stages)(self, job)
        self.outages_over = 0
        # ticks of each in a row that changed nothing, since anything changed
        self.idle = dict.fromkeys(self.clocks, 0)
        self.beat = 0  # the next heartbeat: node beat % N, round heartbeat // N (3)
        self._begin_preemption()
        self.idle_heartbeats = self.idle_updates = (
            # heartbeats, and updates of FairScheduler, in a row that changed nothing, since anything changed
            0
        )

    def _begin_preemption(self) -> None:
        """Its state, where there is any."""

    @property
    def now(self) -> int:
        return self.state.now

    def _running(self) -> list[Running]:
        return self.state.running(None)
