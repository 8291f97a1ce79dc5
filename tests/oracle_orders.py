"""The oracle's orders: fifo, fair, drf, capacity, each a few comparisons over lists (model 13; Hadoop's comparators)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.scenario import Queue as QueueFields
from engine.scenario import Scenario
from tests.oracle_workload import Job, Node

Candidate = tuple[Job, str]
Pair = tuple[int, int]
ORDERS = ("fifo", "fair", "drf", "capacity")


class Side(NamedTuple):
    """What a comparator sees of a job or a queue; pairs are (memory, vcores)."""

    usage: Pair
    demand: Pair
    min_share: Pair
    weight: float


@dataclass(eq=False)
class Queue:
    """A queue of the tree; `capacity` and `most` are absolute, 1 is the cluster."""

    name: str
    fields: QueueFields
    parent: Queue | None
    children: list[Queue] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    capacity: float = 1.0
    most: float = 1.0

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
    """Every queue by name in order of first appearance; implied parents appear with their first descendant."""
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


def _set_capacities(queue: Queue) -> None:
    """Absolute capacities below a queue: the parent's times the percentage; empty ones share equally what is left."""
    given = [child.fields.capacity_pct for child in queue.children if child.fields.capacity_pct is not None]
    empty = len(queue.children) - len(given)
    total = 0.0
    for pct in given:  # left to right; sum() adds floats differently from Python 3.12 on
        total += pct
    for child in queue.children:
        pct = (100.0 - total) / empty if child.fields.capacity_pct is None else child.fields.capacity_pct
        most = 100.0 if child.fields.max_capacity_pct is None else child.fields.max_capacity_pct
        child.capacity = queue.capacity * pct / 100
        child.most = queue.most * most / 100
        _set_capacities(child)


class Order:
    """Chooses among candidate requests, given in the order of model 9; `resources` is "both" or "memory"."""

    def __init__(self, scenario: Scenario, nodes: list[Node], jobs: list[Job], order: str, resources: str) -> None:
        if order not in ORDERS or resources not in ("both", "memory"):
            raise ValueError(f"{order}(resources={resources}) is no order the oracle knows")
        self.order = order
        self.memory_only = resources == "memory"
        self.cluster = sum(node.memory for node in nodes), sum(node.vcores for node in nodes)
        self.queues = queue_tree(scenario, jobs)

    def allows(self, job: Job, kind: str) -> bool:
        """Whether the limits of the job's queue and of those above it let this container in."""
        path = self.queues[job.group.queue].path
        if self.order in ("fair", "drf"):
            return all(self._within_max_share(queue, job.size(kind)) for queue in path)
        if self.order == "capacity":
            return all(self._used(queue) < queue.most for queue in path[:-1])
        return True

    def _within_max_share(self, queue: Queue, ask: Pair) -> bool:
        memory_fits = queue.usage[0] + ask[0] <= queue.max_share[0]
        return memory_fits and (self.memory_only or queue.usage[1] + ask[1] <= queue.max_share[1])

    def choose(self, candidates: list[Candidate]) -> Candidate:
        """The request to serve; candidates are not empty."""
        first: dict[Job, Candidate] = {}
        for candidate in candidates:
            first.setdefault(candidate[0], candidate)
        if self.order == "fifo":
            return candidates[0]
        return first[self._best_job(self.queues["root"], list(first))]

    def _best_job(self, queue: Queue, jobs: list[Job]) -> Job | None:
        """The job to serve below a queue, of those given, or None if none is there."""
        if not queue.children:
            here = [job for job in jobs if job.group.queue == queue.name]
            return _best(here, self._job_policy(queue)) if here else None
        found = {child: job for child in self._in_tie_order(queue.children) if (job := self._best_job(child, jobs))}
        return found[_best(list(found), self._queue_policy(queue))] if found else None

    def _in_tie_order(self, queues: list[Queue]) -> list[Queue]:
        return queues if self.order == "capacity" else sorted(queues, key=lambda queue: queue.name)

    def _job_policy(self, queue: Queue):
        policy = queue.fields.policy or ("fifo" if self.order == "capacity" else self.order)
        if policy == "fifo":
            return lambda a, b: False
        return lambda a, b: self._goes_first(policy, _job_side(a, policy), _job_side(b, policy))

    def _queue_policy(self, queue: Queue):
        if self.order == "capacity":
            return lambda a, b: self._capacity_key(a) < self._capacity_key(b)
        policy = queue.fields.policy or self.order
        return lambda a, b: self._goes_first(policy, _queue_side(a), _queue_side(b))

    def _goes_first(self, policy: str, a: Side, b: Side) -> bool:
        if policy == "fair":
            return _fair_key(a) < _fair_key(b)
        return drf_difference(a, b, self.cluster) < 0

    def _used(self, queue: Queue) -> float:
        """The part of the cluster a queue holds: by its dominant resource, or by memory alone."""
        memory = queue.usage[0] / self.cluster[0]
        return memory if self.memory_only else max(memory, queue.usage[1] / self.cluster[1])

    def _capacity_key(self, queue: Queue) -> tuple[float, float]:
        floor = 1 / self.cluster[0] if self.memory_only else max(1 / self.cluster[0], 1 / self.cluster[1])
        return self._used(queue) / max(queue.capacity, floor), -queue.capacity


def _best(items: list, goes_first):
    """The first item in tie order that no later one strictly beats."""
    winner = items[0]
    for item in items[1:]:
        if goes_first(item, winner):
            winner = item
    return winner


def _job_side(job: Job, policy: str) -> Side:
    """Only drf gives a job a minimum share of its own."""
    share = job.group.min_share if policy == "drf" else None
    return Side(job.usage, job.demand, (share.memory_mb, share.vcores) if share else (0, 0), job.group.weight)


def _queue_side(queue: Queue) -> Side:
    return Side(queue.usage, queue.demand, queue.min_share, queue.fields.weight)


def _fair_key(side: Side) -> tuple[int, float]:
    """FairSharePolicy: memory only; who is below the minimum share first, by how far; else usage by weight."""
    usage = side.usage[0]
    min_share = min(side.min_share[0], side.demand[0])
    if usage < min_share:
        return 0, usage / max(min_share, 1)
    return 1, usage / side.weight


def drf_difference(a: Side, b: Side, cluster: Pair) -> float:
    """DominantResourceFairnessPolicy: negative when `a` goes first, 0 or NaN in a tie; no queue or job is compared by demand."""
    needy_a, needy_b = _needy(a, cluster), _needy(b, cluster)
    if needy_a != needy_b:
        return -1 if needy_a else 1
    ratios = _min_share_ratios if needy_a else _weighted_shares
    difference = 0.0
    for one, other in zip(ratios(a, cluster), ratios(b, cluster)):
        difference = one - other
        if difference < 0 or difference > 0:
            break
    return difference


def _dominant(side: Side, cluster: Pair) -> int:
    return 1 if side.usage[1] / cluster[1] > side.usage[0] / cluster[0] else 0


def _needy(side: Side, cluster: Pair) -> bool:
    dominant = _dominant(side, cluster)
    return side.usage[dominant] < side.min_share[dominant]


def _weighted_shares(side: Side, cluster: Pair) -> list[float]:
    dominant = _dominant(side, cluster)
    return [side.usage[resource] / cluster[resource] / side.weight for resource in (dominant, 1 - dominant)]


def _min_share_ratios(side: Side, cluster: Pair) -> list[float]:
    dominant = _dominant(side, cluster)
    return [_ratio(side.usage[resource], side.min_share[resource]) for resource in (dominant, 1 - dominant)]


def _ratio(amount: int, share: int) -> float:
    if share:
        return amount / share
    return math.inf if amount else math.nan
