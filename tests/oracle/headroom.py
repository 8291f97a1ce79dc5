"""The oracle's headroom: what each scheduler tells a master that its job could still have; ends count once they are seen. Pairs are (memory, vcores)."""

from __future__ import annotations

import math

import numpy as np

from tests.oracle.capacity_walk import Capacity
from tests.oracle.queues import Queue
from tests.oracle.reservations import FairReservations
from tests.oracle.workload import Job
from tests.oracle.world import KINDS, Pair, World


class Free:
    """What is free in the cluster."""

    def __init__(self, world: World) -> None:
        self.world = world

    def beat(self) -> None:
        """A node beats."""

    def of(self, job: Job) -> Pair:
        used = self.world.sizes(self.world.held(None, *KINDS))
        return self.world.cluster[0] - used[0], self.world.cluster[1] - used[1]


class OfFairShare(Free):
    """FSAppAttempt.getHeadroom; fair shares are those of the last beat of any node."""

    def __init__(self, world: World, order: str) -> None:
        super().__init__(world)
        self.order = order
        self.shares: dict[Queue, list[int]] = {}

    def beat(self) -> None:
        self.shares = FairReservations(self.world, self.order).shares_of_queues()

    def of(self, job: Job) -> Pair:
        leaf = self.world.queues[job.group.queue]
        share = self.shares.get(leaf, [0, 0])
        how = leaf.fields.policy or self.order
        found = list(super().of(job))
        for resource in (0, 1):
            found[resource] = min(found[resource], leaf.max_share[resource] - leaf.usage[resource])
            if resource == 0 or how == "drf":
                found[resource] = min(found[resource], max(0, share[resource] - leaf.usage[resource]))
        return found[0], found[1]


class OfQueueLimit(Free):
    """AbstractLeafQueue.getHeadroom, with one user to a queue."""

    def __init__(self, world: World, order: Capacity) -> None:
        super().__init__(world)
        self.order = order

    def of(self, job: Job) -> Pair:
        leaf, root = self.world.queues[job.group.queue], self.world.queues["root"]
        used, of_all = self.order.used(leaf), self.order.used(root)
        most = self.order.told.get(leaf, self.order.most(leaf))
        own = tuple(max(0, min(a, b) - c) for a, b, c in zip(self._of_user(leaf, used), most, used))
        free = tuple(all_ - c for all_, c in zip(self.world.cluster, of_all))
        return min(free, own, key=self.order.size)

    def _of_user(self, leaf: Queue, used: Pair) -> Pair:
        """UsersManager.computeUserLimit: the guarantee; what is used and one unit more once that is as much."""
        guaranteed = max((1, 1), tuple(int(whole * leaf.capacity) for whole in self.world.cluster), key=self.order.size)
        consumed = self._consumed(used)
        current = guaranteed if self.order.size(consumed) < self.order.size(guaranteed) else (consumed[0] + 1, consumed[1] + 1)
        return max(current, (used[0] + 1, used[1] + 1), key=self.order.size)

    def _consumed(self, used: Pair) -> Pair:
        """The cluster times what is used of it, a float."""
        parts = [np.float32(part) / np.float32(whole) for part, whole in zip(used, self.world.cluster)]
        if self.world.memory_only:
            return int(self.world.cluster[0] * float(parts[0]) + 0.5), 0
        memory, vcores = (math.ceil(np.float32(whole * float(max(parts)))) for whole in self.world.cluster)
        return memory, vcores
