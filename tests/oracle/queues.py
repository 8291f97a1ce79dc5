"""The oracle's tree of queues: what they hold, ask for and may hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.scenario.model import Queue as QueueFields
from engine.scenario.model import Scenario
from tests.oracle.workload import Job

Pair = tuple[int, int]


@dataclass(eq=False)
class Queue:
    """A queue of the tree; `capacity` and `max_capacity` are absolute, 1 is the cluster."""

    name: str
    fields: QueueFields
    parent: Queue | None
    children: list[Queue] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    capacity: float = 1.0
    max_capacity: float = 1.0
    now: Pair | None = None  # its limit when it was last asked, under capacity

    @property
    def path(self) -> list[Queue]:
        """Itself, its parent, ... up to root."""
        return [self] + (self.parent.path if self.parent else [])

    @property
    def usage(self) -> Pair:
        return _sum([part.usage for part in self.children + self.jobs])

    @property
    def min_share(self) -> Pair:
        return self.fields.min_share.memory_mb, self.fields.min_share.vcores

    @property
    def max_share(self) -> tuple[float, float]:
        """Never below the minimum share, as in Hadoop."""
        share = self.fields.max_share
        if share is None:
            return math.inf, math.inf
        return max(share.memory_mb, self.min_share[0]), max(share.vcores, self.min_share[1])

    @property
    def demand(self) -> Pair:
        memory, vcores = _sum([part.demand for part in self.children + self.jobs])
        return min(memory, self.max_share[0]), min(vcores, self.max_share[1])


def _sum(pairs: list[Pair]) -> Pair:
    return sum(memory for memory, _ in pairs), sum(vcores for _, vcores in pairs)


def queue_tree(scenario: Scenario, jobs: list[Job]) -> dict[str, Queue]:
    """Every queue by name in order of first appearance; implied parents appear with their first
    descendant.
    """
    listed = {queue.name: queue for queue in scenario.queues}
    queues: dict[str, Queue] = {}
    for name in ["root", *listed, "root.default"]:
        parts = name.split(".")
        for depth in range(1, len(parts) + 1):
            prefix = ".".join(parts[:depth])
            if prefix not in queues:
                parent = queues.get(".".join(parts[: depth - 1]))
                queues[prefix] = Queue(prefix, listed.get(prefix) or QueueFields(name=prefix), parent)
                if parent:
                    parent.children.append(queues[prefix])
    for job in jobs:
        queues[job.group.queue].jobs.append(job)
    _set_capacities(queues["root"])
    return queues


def _of(above: float, pct: float) -> float:
    """Hadoop keeps absolute capacities as floats."""
    return float(np.float32(above) * (np.float32(pct) / np.float32(100)))


def most_of(parent: Queue) -> float:
    """The most that its children may get: root's own maximum does not hold for root itself."""
    if parent.parent is None and parent.fields.max_capacity_pct is not None:
        return _of(1.0, parent.fields.max_capacity_pct)
    return parent.max_capacity


def _set_capacities(queue: Queue) -> None:
    """Absolute capacities below a queue: the parent's times the percentage; empty ones share equally what is
    left.
    """
    given = [child.fields.capacity_pct for child in queue.children if child.fields.capacity_pct is not None]
    empty = len(queue.children) - len(given)
    total = 0.0
    for pct in given:  # left to right; sum() adds floats differently from Python 3.12 on
        total += pct
    for child in queue.children:
        pct = (100.0 - total) / empty if child.fields.capacity_pct is None else child.fields.capacity_pct
        max_capacity = 100.0 if child.fields.max_capacity_pct is None else child.fields.max_capacity_pct
        child.capacity = _of(queue.capacity, pct)
        child.max_capacity = _of(most_of(queue), max_capacity)
        _set_capacities(child)
