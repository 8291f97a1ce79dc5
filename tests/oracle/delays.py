"""The oracle's delay scheduling: jobs that let nodes pass which are far from their maps' blocks."""

from __future__ import annotations

import math

import numpy as np

from tests.oracle.workload import Job, Node
from tests.oracle.world import World


class FairDelays:
    """FSAppAttempt's: a job takes nodes of its blocks at first; the more it has missed, the farther ones, until it gets a nearer one again."""

    def __init__(self, world: World, node: float, rack: float) -> None:
        self.is_on = world.scenario.cluster.locality is not None and node >= 0 and rack >= 0
        self.most = [min(part, 1.0) * len(world.nodes) for part in (node, rack)]
        self.world = world
        self.missed: dict[Job, int] = {}
        self.level: dict[Job, int] = {}

    def state(self, job: Job) -> tuple[int | None, int]:
        """What decides; more missed than any limit is as much."""
        return self.level.get(job), min(self.missed.get(job, 0), math.floor(max(self.most)) + 1)

    def asked(self, job: Job) -> bool:
        """A beat on which the job's maps are asked. Whether that changes anything."""
        before = self.state(job)
        self.missed[job] = self.missed.get(job, 0) + 1
        level = self.level.setdefault(job, 0)
        if before[0] is not None and level < 2 and self.missed[job] > self.most[level]:
            self.level[job], self.missed[job] = level + 1, 0
        return self.state(job) != before

    def is_far(self, job: Job, node: Node) -> bool:
        return min(job.distance(task, node) for task in self.world.to_place(job, "map")) > self.level[job]

    def given(self, job: Job, distance: int) -> None:
        self.level[job] = min(self.level[job], distance)


class CapacityDelays:
    """RegularContainerAllocator's: beats on which a job's maps were asked, since it last got a node or a rack of theirs."""

    def __init__(self, world: World, delay: float) -> None:
        self.world = world
        self.is_on = world.scenario.cluster.locality is not None
        self.delay = min(len(world.nodes), delay)
        self.missed: dict[Job, int] = {}
        self.changed = False

    def asked(self, job: Job) -> None:
        """More than there are nodes is as many."""
        self.changed = self.changed or self.missed.get(job, 0) <= len(self.world.nodes)
        self.missed[job] = self.missed.get(job, 0) + 1

    def taken_as(self, job: Job, node: Node) -> int | None:
        """As a node of a block (0), a rack of one (1), anywhere (2) or not (None)."""
        waiting = self.world.to_place(job, "map")
        distance = min(job.distance(task, node) for task in waiting)
        if distance == 0 or (distance == 1 and self.delay < self.missed[job]):
            return distance
        there = {other for task in waiting for other in job.blocks[task]}
        part = min(np.float32(len(there) + len({other.rack for other in there})) / np.float32(len(self.world.nodes)), np.float32(1))
        return 2 if min(len(self.world.nodes), np.float32(self.world.waiting(job, "map")) * part) < self.missed[job] else None

    def given(self, job: Job, taken: int) -> None:
        if taken < 2:
            self.missed[job] = 0
            self.changed = True
