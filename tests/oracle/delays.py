"""The oracle's delay scheduling: jobs that let nodes pass which are far from their maps' blocks."""

from __future__ import annotations

import math

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
