"""What the oracle's FairScheduler knows: fair shares, demand and what is available, as of its last update or
heartbeat.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from tests.oracle.cluster_state import ClusterState
from tests.oracle.queues import Pair, Queue
from tests.oracle.workload import Job, Node

STEPS = 25


class FairScheduler:
    """order: fair or drf, what a queue without a policy of its own does. update_ms 0: everything is renewed
    at each heartbeat.
    """

    def __init__(self, state: ClusterState, order: str, update_ms: float = 0) -> None:
        self.state = state
        self.order = order
        self.update_ms = math.floor(update_ms + 0.5)
        self.shares: dict[Job, list[int]] = {}
        self.queue_shares: dict[Queue, list[int]] = {}
        self.available: Pair = (0, 0)
        self.demand: dict[Job, Pair] = {}
        self.queue_demand: dict[Queue, Pair] = {}
        self.preemption: dict[str, float | str] = {}  # its parameters; none: nothing is killed
        self.shortage: dict[
            Job, tuple[Pair, Pair]
        ] = {}  # what starved jobs lack of their fair share, and of their leaf's minimum share
        self.claims: dict[tuple[Node, Job], Pair] = {}  # room that is made for them

    def on_heartbeat(self) -> None:
        held = self.state.queues["root"].usage
        self.available = self.state.cluster[0] - held[0], self.state.cluster[1] - held[1]
        if not self.update_ms:
            self._renew_shares()

    def update(self) -> bool:
        """Its update thread. Whether it learns of any other demand."""
        self._renew_shares()
        before = self.demand
        self.demand = {job: job.demand for job in self.state.jobs}
        self.queue_demand = {queue: queue.demand for queue in self.state.queues.values()}
        return self.demand != before

    def wants(self, job: Job) -> bool:
        """Has it, as far as it is known, a demand beyond what it holds?"""
        return not self.update_ms or self.demand.get(job, (0, 0)) != job.usage

    def demand_of(self, queue: Queue) -> Pair:
        return self.queue_demand.get(queue, (0, 0)) if self.update_ms else queue.demand

    def _renew_shares(self) -> None:
        self.queue_shares = {}
        self._share(self.state.queues["root"], list(self.state.cluster))

    def policy(self, queue: Queue) -> str:
        return queue.fields.policy or self.order

    def _is_active(self, job: Job) -> bool:
        return job.is_runnable and not job.has_left

    def _active_jobs(self, queue: Queue) -> int:
        return sum(self._is_active(job) for job in queue.jobs) + sum(
            self._active_jobs(child) for child in queue.children
        )

    def _share(self, queue: Queue, own: list[int]) -> None:
        """Down the tree; what `fair` does not share, vcores, stays as it was, and under `fifo` only the
        earliest job has a share.
        """
        self.queue_shares[queue] = own
        how = self.policy(queue)
        resources = range(2 if how == "drf" else 1)
        if not queue.children:
            jobs = [job for job in self.state.jobs if job in queue.jobs and self._is_active(job)]
            if how == "fifo":
                self.shares |= {job: list(own) for job in jobs[:1]}
                return
            for resource in resources:
                for job, part in zip(
                    jobs, divide(own[resource], tuple((job.group.weight, 0, math.inf) for job in jobs))
                ):
                    self.shares.setdefault(job, [0, 0])[resource] = part
            return
        children = [child for child in queue.children if self._active_jobs(child)]
        shares = {child: [0, 0] for child in children}
        for resource in resources:
            bounds = tuple(
                (child.fields.weight, child.min_share[resource], child.max_share[resource])
                if child.fields.weight
                else (0, child.min_share[resource], child.min_share[resource])
                for child in children
            )
            for child, part in zip(children, divide(own[resource], bounds)):
                shares[child][resource] = part
        for child in children:
            self._share(child, shares[child])


@lru_cache(1000)
def divide(total: int, sharers: tuple[tuple[float, int, float], ...]) -> list[int]:
    """By weight between least and most, so that together they come to the total (ComputeFairShares)."""
    part: Callable[[float], list[int]] = lambda ratio: [
        int(min(max(weight * ratio, least), most, 2**60)) for weight, least, most in sharers
    ]
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
