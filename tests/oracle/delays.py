"""The oracle's delay scheduling: jobs that let nodes pass which are far from their maps' blocks."""

from __future__ import annotations

import math

import numpy as np

from tests.oracle.cluster_state import ClusterState
from tests.oracle.workload import Job, Node


class FairDelays:
    """FSAppAttempt's: a job takes nodes of its blocks at first; the more it has missed, the farther ones,
    until it gets a nearer one again.
    """

    def __init__(self, state: ClusterState, node: float, rack: float) -> None:
        self.is_on = state.scenario.cluster.locality is not None and node >= 0 and rack >= 0
        self.parts = [min(part, 1.0) for part in (node, rack)]
        self.state = state
        self.missed: dict[Job, int] = {}
        self.level: dict[Job, int] = {}

    @property
    def max_missed(self) -> list[float]:
        return [part * len(self.state.up) for part in self.parts]

    def snapshot(self, job: Job) -> tuple[int | None, int]:
        """What decides; more missed than any limit is as much."""
        return self.level.get(job), min(self.missed.get(job, 0), math.floor(max(self.max_missed)) + 1)

    def asked(self, job: Job) -> bool:
        """A heartbeat on which the job's maps are asked. Whether that changes anything."""
        before = self.snapshot(job)
        self.missed[job] = self.missed.get(job, 0) + 1
        level = self.level.setdefault(job, 0)
        if before[0] is not None and level < 2 and self.missed[job] > self.max_missed[level]:
            self.level[job], self.missed[job] = level + 1, 0
        return self.snapshot(job) != before

    def is_far(self, job: Job, node: Node) -> bool:
        return min(job.distance(task, node) for task in self.state.to_place(job, "map")) > self.level[job]

    def given(self, job: Job, distance: int) -> None:
        self.level[job] = min(self.level[job], distance)


class CapacityDelays:
    """RegularContainerAllocator's: heartbeats on which a job's maps were asked, since it last got a node or a
    rack of theirs.
    """

    def __init__(self, state: ClusterState, delay: float, off_rack: float) -> None:
        self.state = state
        self.is_on = state.scenario.cluster.locality is not None
        self.delay, self.off_rack = delay, off_rack
        self.missed: dict[Job, int] = {}
        self.changed = False
        self.first: dict[Job, int] = {}
        self.idle = self.container_count = 0
        self.off_switch_maps: dict[Job, int] = {}

    def leads_somewhere(self) -> bool:
        """Counts that are set back again and again are no sign that anything will happen: not for more than
        400 rounds without a container.
        """
        self.idle = self.idle + 1 if len(self.state.containers) == self.container_count else 0
        self.container_count = len(self.state.containers)
        return self.idle < 400 * len(self.state.nodes)

    def begins(self, node: Node) -> None:
        """A heartbeat: what the masters have asked for is known; during it the scheduler only counts down
        what it gives itself.
        """
        self.first = {
            job: self._distance(job, node) for job in self.state.jobs if self.is_on and "map" in job.waiting
        }
        self.off_switch_maps = dict.fromkeys(self.first, 0)

    def _distance(self, job: Job, node: Node) -> int:
        return min(job.distance(task, node) for task in self.state.to_place(job, "map"))

    def asked(self, job: Job) -> None:
        """More than there are nodes is as many."""
        self.changed = self.changed or self.missed.get(job, 0) <= len(self.state.nodes)
        self.missed[job] = self.missed.get(job, 0) + 1

    def allowed_locality(self, job: Job, node: Node) -> int | None:
        """As a node of a block (0), a rack of one (1), anywhere (2) or not (None)."""
        distance = self._distance(job, node)
        if self.off_switch_maps[job] and distance == 2:
            distance = 1
        nodes = len(self.state.up)
        if distance == 0 or (distance == 1 and min(nodes, self.delay) < self.missed[job]):
            return distance
        if self.off_rack > -1:
            return 2 if min(nodes, self.delay + self.off_rack) < self.missed[job] else None
        there = {other for block in job.blocks for other in block}
        served_locations = (self.first[job] == 0) + (self.first[job] < 2 and distance == 2)
        part = min(
            np.float32(len(there) + len({other.rack for other in there}) - served_locations)
            / np.float32(nodes),
            np.float32(1),
        )
        return 2 if min(nodes, np.float32(self.state.waiting(job, "map")) * part) < self.missed[job] else None

    def given(self, job: Job, node: Node, taken: int) -> None:
        """A map taken for a far one may be one of the rack; then the rack is taken for one that has maps
        until a far one has gone as one of it.
        """
        is_far = self._distance(job, node) == 2
        self.off_switch_maps[job] += (taken == 2 and not is_far) - (taken == 1 and is_far)
        if taken < 2:
            self.missed[job] = 0
            self.changed = True
