"""The oracle's admission rules: which masters may start. Pairs are (memory, vcores)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.oracle.allocation import down, largest
from tests.oracle.capacity_walk import Capacity
from tests.oracle.cluster_state import TASKS, ClusterState, Pair
from tests.oracle.queues import Queue
from tests.oracle.result import Running
from tests.oracle.users import guarantee, multiply_round_up
from tests.oracle.workload import Job


class Rule:
    holds = False  # whether masters wait to be admitted once and for all
    overtakes = True
    reads_walks = False  # whether what the order leaves behind on every heartbeat matters

    def reconsider(self, job: Job) -> None:
        """The job has come, or has left."""
        job.active = True

    def cluster_changed(self) -> None:
        """A node has come, or has gone."""


class AdmitAll(Rule):
    def passes(self, job: Job) -> bool:
        """Whether its master that waits and fits may be a candidate."""
        return True


class Holding(Rule):
    """A master is held until the room that must stay free stays free; admitted masters count from then on."""

    holds = True
    overtakes = True

    def __init__(self, state: ClusterState) -> None:
        self.state = state

    def passes(self, job: Job) -> bool:
        return job.admitted

    def reserved(self) -> list[float | None]:
        """R of memory and of vcores; None: no matter how little stays free."""
        raise NotImplementedError

    def admits(self, job: Job) -> bool:
        memory, vcores = self.state.sizes(self.state.held(None, "am"))
        to_come = [other.size("am") for other in self.state.jobs if other.admitted and "am" in other.waiting]
        total = memory + sum(size[0] for size in to_come), vcores + sum(size[1] for size in to_come)
        left = [c - held - own for c, held, own in zip(self.state.cluster, total, job.size("am"))]
        return all(reserve is None or free >= reserve for free, reserve in zip(left, self.reserved()))


class Reserve(Holding):
    """A fixed amount stays free of masters."""

    overtakes = False

    def __init__(
        self, state: ClusterState, vcores: float | None, memory_mb: float | None, fraction: float | None
    ) -> None:
        super().__init__(state)
        self.amounts = memory_mb, vcores
        self.fraction = fraction

    def reserved(self) -> list[float | None]:
        """The larger of the amount and the fraction, which are both to be kept."""
        parts = [
            (amount, None if self.fraction is None else self.fraction * c)
            for amount, c in zip(self.amounts, self.state.cluster)
        ]
        return [max([part for part in both if part is not None], default=None) for both in parts]


class AutoAdmin(Holding):
    """AutoAdmin's Algorithms 2 and 3: the reserve follows the mean sizes of masters and tasks."""

    def __init__(self, state: ClusterState, floor: float, resource: str) -> None:
        super().__init__(state)
        self.floor = floor
        self.resources = {"memory": [0], "vcores": [1], "both": [0, 1]}[resource]

    def reserved(self) -> list[float | None]:
        masters, tasks = self.state.held(None, "am"), self.state.held(None, *TASKS)
        return [
            self._reserve(masters, tasks, resource) if resource in self.resources else None
            for resource in (0, 1)
        ]

    def _reserve(self, masters: list[Running], tasks: list[Running], resource: int) -> float:
        total, of_tasks = self.state.sizes(masters)[resource], self.state.sizes(tasks)[resource]
        return auto_reserve(
            self.state.cluster[resource], self.floor, total, len(masters), of_tasks, len(tasks)
        )


def auto_reserve(c: int, floor: float, total: int, masters: int, of_tasks: int, tasks: int) -> float:
    """Room for the tasks of masters that hold so much in all (Eq. 3.1), bounded as in Algorithm 2."""
    if not masters or not tasks:
        return c * floor
    average, of_task = total / masters, of_tasks / tasks
    reserve = c * of_task / (average + of_task)
    if reserve > c - total:
        reserve = reserve * (reserve + total) / c
    reserve = max(reserve, c * floor)
    return min(reserve, c - average)


class AmShare(Rule):
    """Masters of a queue hold no more than a part of the queue's share; under an order by queues one counts
    until its job has left.
    """

    def __init__(self, state: ClusterState, limit: float, order: Any) -> None:
        self.state = state
        self.limit = float(np.float32(limit))
        self.order = order

    def passes(self, job: Job) -> bool:
        if job.master_losses or job.master_kills:
            return True
        queue = self.state.queues[job.group.queue]
        held = self._held(queue)
        limit = (
            self.limit if self.order.shares == "all" else float(np.float32(am_share_of(queue, self.limit)))
        )
        if limit == -1:
            return True
        own_size = job.size("am") if self.order.shares == "all" else counted(self.state, job)
        fits = [
            amount + own <= math.ceil(limit * share)
            for amount, own, share in zip(held, own_size, self._share(queue))
        ]
        return fits[0] and (self.state.memory_only or fits[1])

    def _held(self, queue: Queue) -> Pair:
        if self.order.shares == "all":
            return self.state.sizes(self.state.held(None, "am"))
        masters = [
            master
            for master in self.state.all(None, "am")
            if master.job in queue.jobs and not master.job.has_left and master.attempt == 1
        ]
        return _plus((0, 0), *(counted(self.state, master.job) for master in masters))

    def _share(self, queue: Queue) -> Pair:
        """Under fair its fair share, or of what it has none what is available."""
        if self.order.shares == "all":
            return self.state.cluster
        if self.order.shares == "capacity":
            return tuple(int(queue.capacity * c) for c in self.state.cluster)
        fair = self.order.fair
        shares = fair.queue_shares.get(queue, (0, 0))
        return tuple(
            share or min(available, max_capacity)
            for share, available, max_capacity in zip(shares, fair.available, queue.max_share)
        )


def max_now(queue: Queue, state: ClusterState) -> Pair:
    """Its maximum capacity, in whole minimum allocations."""
    return down(tuple(int(whole * queue.max_capacity) for whole in state.cluster), state.min_allocation)


def am_share_of(queue: Queue, limit: float) -> float:
    """The queue's own, or the one of all."""
    return limit if queue.fields.max_am_share is None else queue.fields.max_am_share


def counted(state: ClusterState, job: Job) -> Pair:
    """A master counts for no more than its queue's largest container."""
    return tuple(map(min, job.size("am"), largest(state.scenario, job.group.queue)))


class AmLimit(Rule):
    """CapacityScheduler's: masters of a queue, and of a user in it, hold no more than a part of it; one
    counts from when it may start.
    """

    def __init__(self, state: ClusterState, limit: float, order: Any) -> None:
        self.state = state
        self.limit = np.float32(limit)
        self.reads_walks = isinstance(order, Capacity)

    def passes(self, job: Job) -> bool:
        return job.active

    def reconsider(self, job: Job) -> None:
        self._activate(self.state.queues[job.group.queue])

    def cluster_changed(self) -> None:
        for queue in self.state.queues.values():
            self._activate(queue)

    def _activate(self, queue: Queue) -> None:
        """None starts on an empty cluster."""
        if self.state.cluster == (0, 0):
            return
        for other in sorted(self.state.jobs, key=lambda job: -job.group.priority):
            if (
                other.is_runnable
                and other in queue.jobs
                and not other.active
                and (not other.group.am or self._may_start(other, queue))
            ):
                other.active = True

    def _may_start(self, job: Job, queue: Queue) -> bool:
        of_queue = [one for one in queue.jobs if one.active and not one.has_left and one.group.am]
        of_user = [one for one in of_queue if one.group.user == job.group.user]
        users = self.state.users
        guaranteed = guarantee(queue, self.state)
        now = queue.now or max_now(queue, self.state)
        share = np.float32(am_share_of(queue, self.limit))
        if share == -1:
            return True
        limit = self._part(now if self._fits(guaranteed, now) else guaranteed, share)
        if not any(self._masters(of_queue)[: 1 if self.state.memory_only else 2]):
            return True
        min_allocation = 100 if queue.fields.min_user_limit_pct is None else queue.fields.min_user_limit_pct
        even = np.float32(1) / np.float32(
            max(1, users.active_users_in(queue.name) + users.held_back.get(queue.name, 0))
        )
        factor = np.float32(1 if queue.fields.user_limit_factor is None else queue.fields.user_limit_factor)
        own = self._part(
            guaranteed,
            share * min(max(np.float32(min_allocation) / np.float32(100), even), np.float32(1)) * factor,
        )
        own = limit if users.size(limit) < users.size(own) else own
        size = counted(self.state, job)
        return self._fits(_plus(self._masters(of_queue), size), limit) and self._fits(
            _plus(self._masters(of_user), size), own
        )

    def _masters(self, jobs: list[Job]) -> Pair:
        return _plus((0, 0), *(counted(self.state, job) for job in jobs))

    def _part(self, amount: Pair, part: np.float32) -> Pair:
        return multiply_round_up(amount, float(part), self.state)

    def _fits(self, amount: Pair, available: Pair) -> bool:
        return amount[0] <= available[0] and (self.state.memory_only or amount[1] <= available[1])


def _plus(*pairs: Pair) -> Pair:
    return sum(memory for memory, _ in pairs), sum(vcores for _, vcores in pairs)
