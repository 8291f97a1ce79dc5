"""The oracle's users of a queue under CapacityScheduler: what each holds and wants, and how much of it one may hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tests.oracle.allocation import down, up
from tests.oracle.queues import Pair, Queue
from tests.oracle.workload import Job

if TYPE_CHECKING:
    from tests.oracle.world import World

User = tuple[str, str]  # queue and name


class Users:
    """Shares of users are floats that add up as they change, as in Hadoop, so each change is told: by `held` and `waits`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.wanting: set[Job] = set()
        self.ratio: dict[User, np.float32] = {}
        self.queue_ratio: dict[str, np.float32] = {}
        self.changed: set[str] = set(world.queues)  # queues whose limit is computed anew when one of their jobs is looked at next
        self.held_back: dict[str, int] = {}
        self.forgotten: set[User] = set()
        self.limits: dict[str, Pair] = {}  # as they were last computed

    def of(self, job: Job) -> User:
        return job.group.queue, job.group.user

    def held(self, job: Job) -> None:
        """What the job holds or has reserved is another."""
        job.moved = True
        user = self.of(job)
        memory, vcores = (np.float32(used) / np.float32(whole) for used, whole in zip(self.used(user), self.world.cluster))
        ratio = memory if self.world.memory_only else max(memory, vcores)
        self.queue_ratio[user[0]] = self.queue_ratio.get(user[0], np.float32(0)) + (ratio - self.ratio.get(user, np.float32(0)))
        self.ratio[user] = ratio
        self.changed.add(user[0])

    def asked(self, job: Job) -> None:
        """A request of the job appeared: that makes its user one who wants more, if one of the user's masters may start."""
        if any(other.active and not other.gone for other in self._jobs(self.of(job))):
            self._note(job, True)

    def waits(self, job: Job) -> None:
        """Some of what waited was served or withdrawn."""
        if not job.waiting:
            self._note(job, False)

    def _note(self, job: Job, wants: bool) -> None:
        before = self.of(job) in self._wanting(job.group.queue)
        self.wanting = self.wanting | {job} if wants else self.wanting - {job}
        if before != (self.of(job) in self._wanting(job.group.queue)):
            self.changed.add(job.group.queue)
            self.forgotten.discard(self.of(job))

    def left(self, job: Job) -> None:
        """A user all of whose jobs in the queue are gone or may not run yet does not share, until they have wanted nothing once."""
        if not any(other.runs and not other.gone for other in self._jobs(self.of(job))) and self.of(job) in self._wanting(job.group.queue):
            self.forgotten.add(self.of(job))

    def used(self, user: User) -> Pair:
        """Held and reserved."""
        jobs = self._jobs(user)
        kept = [node.reserved[0].size(node.reserved[1]) for node in self.world.nodes if node.reserved and node.reserved[0] in jobs]
        sizes = [job.usage for job in jobs] + kept
        return sum(memory for memory, _ in sizes), sum(vcores for _, vcores in sizes)

    def wanting_in(self, queue: str) -> int:
        return len(self._wanting(queue))

    def look(self, queue: Queue) -> None:
        """A job of the queue is looked at: users none of whose masters may start are counted only after something has changed."""
        if queue.name in self.changed:
            here = [job for job in queue.jobs if job.runs and not job.gone]
            users = {self.of(job) for job in here}
            self.held_back[queue.name] = len([user for user in users if not any(job.active for job in here if self.of(job) == user)])
            self.limits[queue.name] = self._compute_limit(queue)
        self.changed.discard(queue.name)

    def limit(self, queue: Queue) -> Pair:
        """What each user of the queue may hold; UsersManager.removeUser does not have it computed anew."""
        return self.limits[queue.name]

    def _compute_limit(self, queue: Queue) -> Pair:
        """UsersManager.computeUserLimit."""
        guaranteed = guarantee(queue, self.world)
        least = self.world.least
        own = self.larger(guaranteed, least)
        held = rounded_up(self.world.cluster, float(self.queue_ratio.get(queue.name, 0)), self.world)
        now = own if self.size(held) < self.size(own) else (held[0] + least[0], held[1] + least[1])
        users = self._wanting(queue.name) - self.forgotten
        wanted = [sum(used) for used in zip(least, *(self.used(user) for user in users))]
        even = tuple(math.ceil(np.float32(amount) / np.float32(len(users))) if users else 0 for amount in wanted)
        percent = 100 if queue.fields.min_user_limit_pct is None else queue.fields.min_user_limit_pct
        share = self.larger(even, tuple(-(-amount * percent // 100) for amount in now))
        factor = float(np.float32(1 if queue.fields.user_limit_factor is None else queue.fields.user_limit_factor))
        most = tuple(math.floor(amount * factor) for amount in own)
        if guaranteed == (0, 0):
            most = down(tuple(int(whole * queue.most) for whole in self.world.cluster), least)
        found = most if self.size(most) < self.size(share) else share
        return tuple(map(up, found, least))

    def larger(self, a: Pair, b: Pair) -> Pair:
        return b if self.size(a) < self.size(b) else a

    def size(self, amount: Pair) -> tuple[float, ...]:
        """What amounts are compared by: memory alone, or the larger share of the cluster, then the smaller."""
        if self.world.memory_only:
            return (amount[0],)
        shares = amount[0] / self.world.cluster[0], amount[1] / self.world.cluster[1]
        return max(shares), min(shares)

    def _jobs(self, user: User) -> list[Job]:
        return [job for job in self.world.jobs if self.of(job) == user]

    def _wanting(self, queue: str) -> set[User]:
        return {self.of(job) for job in self.wanting if job.group.queue == queue}


def guarantee(queue: Queue, world: World) -> Pair:
    return int(world.cluster[0] * queue.capacity), int(world.cluster[1] * queue.capacity)


def rounded_up(amount: Pair, part: float, world: World) -> Pair:
    """Part of an amount in whole minimum allocations."""
    parts = [int(one * part + 0.5) if world.memory_only else math.ceil(np.float32(one * part)) for one in amount]
    return tuple(map(up, parts, world.least))
