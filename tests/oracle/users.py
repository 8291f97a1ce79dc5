"""The oracle's users of a queue under CapacityScheduler: what each holds and wants, and how much of it one
may hold.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tests.oracle.allocation import down, up
from tests.oracle.queues import Pair, Queue
from tests.oracle.workload import Job

if TYPE_CHECKING:
    from tests.oracle.cluster_state import ClusterState

User = tuple[str, str]  # queue and name


class Users:
    """Shares of users are floats that add up as they change, as in Hadoop, so each change is told: by `held`
    and `waits`.
    """

    def __init__(self, state: ClusterState) -> None:
        self.state = state
        self.pending: set[Job] = set()
        self.ratio: dict[User, np.float32] = {}
        self.queue_ratio: dict[str, np.float32] = {}
        # queues whose limit is computed anew when one of their jobs is looked at next
        self.changed: set[str] = set(state.queues)
        self.held_back: dict[str, int] = {}
        self.forgotten: set[User] = set()
        self.limits: dict[str, Pair] = {}  # as they were last computed

    def of(self, job: Job) -> User:
        return job.group.queue, job.group.user

    def held(self, job: Job) -> None:
        """What the job holds or has reserved is another."""
        job.needs_reorder = True
        user, ratio = self.of(job), self._ratio(self.of(job))
        self.queue_ratio[user[0]] = self.queue_ratio.get(user[0], np.float32(0)) + (
            ratio - self.ratio.get(user, np.float32(0))
        )
        self.ratio[user] = ratio
        self.changed.add(user[0])

    def _ratio(self, user: User) -> np.float32:
        """What part of the cluster the user holds."""
        memory, vcores = (
            np.float32(used) / np.float32(whole) for used, whole in zip(self.used(user), self.state.cluster)
        )
        return memory if self.state.memory_only else max(memory, vcores)

    def cluster_changed(self) -> None:
        """All parts are added up anew."""
        self.changed = set(self.state.queues)
        self.ratio, self.queue_ratio = {}, {}
        for user in dict.fromkeys(self.of(job) for job in self.state.jobs):
            if self.used(user) != (0, 0):
                self.ratio[user] = self._ratio(user)
                self.queue_ratio[user[0]] = self.queue_ratio.get(user[0], np.float32(0)) + self.ratio[user]

    def asked(self, job: Job) -> None:
        """A request of the job appeared: that makes its user one with pending requests, if one of the user's
        masters may start.
        """
        if any(other.active and not other.has_left for other in self._jobs(self.of(job))):
            self._note(job, True)

    def waits(self, job: Job) -> None:
        """Some of what waited was served or withdrawn."""
        if not job.waiting:
            self._note(job, False)

    def _note(self, job: Job, wants: bool) -> None:
        before = self.of(job) in self._active_users(job.group.queue)
        self.pending = self.pending | {job} if wants else self.pending - {job}
        if before != (self.of(job) in self._active_users(job.group.queue)):
            self.changed.add(job.group.queue)
            self.forgotten.discard(self.of(job))

    def left(self, job: Job) -> None:
        """A user all of whose jobs in the queue are gone or may not run yet does not share, until they have
        wanted nothing once.
        """
        if not any(
            other.is_runnable and not other.has_left for other in self._jobs(self.of(job))
        ) and self.of(job) in self._active_users(job.group.queue):
            self.forgotten.add(self.of(job))

    def used(self, user: User) -> Pair:
        """Held and reserved."""
        jobs = self._jobs(user)
        reserved = [
            node.reserved[0].size(node.reserved[1])
            for node in self.state.nodes
            if node.reserved and node.reserved[0] in jobs
        ]
        sizes = [job.usage for job in jobs] + reserved
        return sum(memory for memory, _ in sizes), sum(vcores for _, vcores in sizes)

    def active_users_in(self, queue: str) -> int:
        return len(self._active_users(queue))

    def look(self, queue: Queue) -> None:
        """A job of the queue is looked at: users none of whose masters may start are counted only after
        something has changed.
        """
        if queue.name in self.changed:
            runnable = [job for job in queue.jobs if job.is_runnable and not job.has_left]
            users = {self.of(job) for job in runnable}
            self.held_back[queue.name] = len(
                [user for user in users if not any(job.active for job in runnable if self.of(job) == user)]
            )
            self.limits[queue.name] = self._compute_limit(queue)
        self.changed.discard(queue.name)

    def limit(self, queue: Queue) -> Pair:
        """What each user of the queue may hold; UsersManager.removeUser does not have it computed anew."""
        return self.limits[queue.name]

    def _compute_limit(self, queue: Queue) -> Pair:
        """UsersManager.computeUserLimit."""
        guaranteed = guarantee(queue, self.state)
        min_allocation = self.state.min_allocation
        floor = self.larger(guaranteed, min_allocation)
        held = multiply_round_up(self.state.cluster, float(self.queue_ratio.get(queue.name, 0)), self.state)
        shared = (
            floor
            if self.size(held) < self.size(floor)
            else (held[0] + min_allocation[0], held[1] + min_allocation[1])
        )
        users = self._active_users(queue.name) - self.forgotten
        wanted = [sum(used) for used in zip(min_allocation, *(self.used(user) for user in users))]
        even = tuple(
            math.ceil(np.float32(amount) / np.float32(len(users))) if users else 0 for amount in wanted
        )
        percent = float(
            np.float32(100 if queue.fields.min_user_limit_pct is None else queue.fields.min_user_limit_pct)
        )
        share = self.larger(even, tuple(math.ceil(math.floor(amount * percent) / 100) for amount in shared))
        factor = float(
            np.float32(1 if queue.fields.user_limit_factor is None else queue.fields.user_limit_factor)
        )
        maximum = tuple(math.floor(amount * factor) for amount in floor)
        if guaranteed == (0, 0):
            maximum = down(
                tuple(int(whole * queue.max_capacity) for whole in self.state.cluster), min_allocation
            )
        limit = maximum if self.size(maximum) < self.size(share) else share
        return tuple(map(up, limit, min_allocation))

    def larger(self, a: Pair, b: Pair) -> Pair:
        return b if self.size(a) < self.size(b) else a

    def size(self, amount: Pair) -> tuple[float, ...]:
        """What amounts are compared by: memory alone, or the larger share of the cluster, then the
        smaller.
        """
        if self.state.memory_only:
            return (amount[0],)
        shares = amount[0] / self.state.cluster[0], amount[1] / self.state.cluster[1]
        return max(shares), min(shares)

    def _jobs(self, user: User) -> list[Job]:
        return [job for job in self.state.jobs if self.of(job) == user]

    def _active_users(self, queue: str) -> set[User]:
        return {self.of(job) for job in self.pending if job.group.queue == queue}


def guarantee(queue: Queue, state: ClusterState) -> Pair:
    return int(state.cluster[0] * queue.capacity), int(state.cluster[1] * queue.capacity)


def multiply_round_up(amount: Pair, part: float, state: ClusterState) -> Pair:
    """Part of an amount in whole minimum allocations."""
    parts = [
        int(one * part + 0.5) if state.memory_only else math.ceil(np.float32(one * part)) for one in amount
    ]
    return tuple(map(up, parts, state.min_allocation))
