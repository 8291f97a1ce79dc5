"""The oracle's FairScheduler reservations: fair shares by who is active, starved jobs, and nodes that are kept for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from tests.oracle.queues import Pair, Queue
from tests.oracle.workload import Job, Node
from tests.oracle.world import Candidate, World

THRESHOLD = (2048, 2)  # MB, vcores: twice Hadoop's increments
STEPS = 25


class NoReservations:
    """Nothing reserves."""

    counts_beats = False  # does a beat on which what is reserved does not fit matter?
    serves_others_at_once = True  # on the beat on which a reservation is found to be of no use

    def __init__(self) -> None:
        self.made = 0
        self.again: dict[Candidate, int] = {}  # beats of reserved nodes on which it did not fit, since one was last reserved or given up

    def allows(self, candidate: Candidate) -> bool:
        return False

    def reserve(self, node: Node, candidate: Candidate) -> None:
        self.made += 1
        node.reserved, node.reserved_place = candidate, self.made
        self.again[candidate] = 0

    def give_up(self, node: Node) -> None:
        self.again[node.reserved] = 0
        node.reserved = None


class FairReservations(NoReservations):
    """Who may reserve a node. order: fair or drf, what a queue without a policy of its own does."""

    def __init__(self, world: World, order: str) -> None:
        super().__init__()
        self.world = world
        self.order = order
        self.shares: dict[Job, list[int]] = {}
        self.of_queues: dict[Queue, list[int]] = {}

    def allows(self, candidate: Candidate) -> bool:
        """May a request that does not fit a node, and could fit it empty, reserve it?"""
        job, kind = candidate
        own = [node for node in self.world.nodes if node.reserved and node.reserved[0] is job]
        if len(own) >= math.ceil(Fraction(len(self.world.nodes), 20)):
            return False
        self._share(self.world.queues["root"], list(self.world.cluster))
        how = self._policy(self.world.queues[job.group.queue])
        if how != "drf":
            return job.size(kind)[0] >= THRESHOLD[0] and job.usage[0] < self.shares.get(job, [0, 0])[0]
        is_large = self._sorted_shares(job.size(kind)) >= self._sorted_shares(THRESHOLD)
        return is_large and self._sorted_shares(job.usage)[0] < self._sorted_shares(self.shares.get(job, [0, 0]))[0]

    def shares_of_queues(self) -> dict[Queue, list[int]]:
        """Of those with active jobs."""
        self._share(self.world.queues["root"], list(self.world.cluster))
        return self.of_queues

    def _sorted_shares(self, amount: Pair | list[int]) -> list[float]:
        return sorted((part / whole for part, whole in zip(amount, self.world.cluster)), reverse=True)

    def _policy(self, queue: Queue) -> str:
        return queue.fields.policy or self.order

    def _is_active(self, job: Job) -> bool:
        return job.arrival <= self.world.now and not job.gone

    def _active_jobs(self, queue: Queue) -> int:
        return sum(self._is_active(job) for job in queue.jobs) + sum(self._active_jobs(child) for child in queue.children)

    def _share(self, queue: Queue, own: list[int]) -> None:
        """Down the tree; what `fair` does not share, vcores, stays as it was, and under `fifo` only the earliest job has a share."""
        self.of_queues[queue] = own
        how = self._policy(queue)
        resources = range(2 if how == "drf" else 1)
        if not queue.children:
            jobs = [job for job in self.world.jobs if job in queue.jobs and self._is_active(job)]
            if how == "fifo":
                self.shares |= {job: list(own) for job in jobs[:1]}
                return
            for resource in resources:
                for job, part in zip(jobs, divided(own[resource], [(job.group.weight, 0, math.inf) for job in jobs])):
                    self.shares.setdefault(job, [0, 0])[resource] = part
            return
        children = [child for child in queue.children if self._active_jobs(child)]
        shares = {child: [0, 0] for child in children}
        for resource in resources:
            bounds = [(child.fields.weight, child.min_share[resource], child.max_share[resource]) for child in children]
            for child, part in zip(children, divided(own[resource], bounds)):
                shares[child][resource] = part
        for child in children:
            self._share(child, shares[child])


def divided(total: int, sharers: list[tuple[float, int, float]]) -> list[int]:
    """By weight between least and most, so that together they come to the total (ComputeFairShares)."""
    part: Callable[[float], list[int]] = lambda ratio: [int(min(max(weight * ratio, least), most, 2**60)) for weight, least, most in sharers]
    total = min(total, sum(most for *_, most in sharers))
    high = 1.0
    while sum(part(high)) < total:
        high *= 2
    low = 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        planned = sum(part(middle))
        low, high = (middle, high) if planned < total else (low, middle)
        if planned == total:
            break
    return part(high)


class CapacityReservations(NoReservations):
    """The walk itself decides."""

    counts_beats = True
    serves_others_at_once = False

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.most_held: dict[Candidate, int] = {}  # at a time, since there was none

    def allows(self, candidate: Candidate) -> bool:
        return True

    def reserve(self, node: Node, candidate: Candidate) -> None:
        super().reserve(node, candidate)
        self.most_held[candidate] = max(self.most_held.get(candidate, 0), self._held(candidate))

    def give_up(self, node: Node) -> None:
        candidate = node.reserved
        super().give_up(node)
        if not self._held(candidate):
            self.most_held[candidate] = 0

    def _held(self, candidate: Candidate) -> int:
        return sum(node.reserved == candidate for node in self.world.nodes)
