"""The oracle's headroom: what each scheduler tells a master that its job could still have; ends count once they are seen. Pairs are (memory, vcores)."""

from __future__ import annotations

from tests.oracle.allocation import down
from tests.oracle.capacity_walk import Capacity
from tests.oracle.orders import QueueOrder
from tests.oracle.workload import Job
from tests.oracle.world import KINDS, Pair, World


class Free:
    """What is free in the cluster."""

    def __init__(self, world: World) -> None:
        self.world = world

    def of(self, job: Job) -> Pair:
        used = self.world.sizes(self.world.held(None, *KINDS))
        return self.world.cluster[0] - used[0], self.world.cluster[1] - used[1]


class OfFairShare(Free):
    """FSAppAttempt.getHeadroom; fair shares are those of FairScheduler's last update."""

    def __init__(self, world: World, order: QueueOrder) -> None:
        super().__init__(world)
        self.fair = order.fair

    def of(self, job: Job) -> Pair:
        leaf = self.world.queues[job.group.queue]
        share = self.fair.queue_shares.get(leaf, [0, 0])
        found = list(super().of(job))
        for resource in (0, 1):
            found[resource] = min(found[resource], leaf.max_share[resource] - leaf.usage[resource])
            if resource == 0 or self.fair.policy(leaf) == "drf":
                found[resource] = min(found[resource], max(0, share[resource] - leaf.usage[resource]))
        return found[0], found[1]


class OfQueueLimit(Free):
    """AbstractLeafQueue.getHeadroom."""

    def __init__(self, world: World, order: Capacity) -> None:
        super().__init__(world)
        self.order = order

    def of(self, job: Job) -> Pair:
        leaf, root, users = self.world.queues[job.group.queue], self.world.queues["root"], self.world.users
        used, of_all = self.order.used(leaf), self.order.used(root)
        own = _left(leaf.now or down(tuple(int(whole * leaf.most) for whole in self.world.whole), self.world.least), used)
        if self.order.limits_users:
            users.look(leaf)
            own = tuple(map(min, own, _left(users.limit(leaf), users.used(users.of(job)))))
        return min(_left(self.world.cluster, of_all), down(own, self.world.least), key=self.order.size)


def _left(most: Pair, used: Pair) -> Pair:
    return max(0, most[0] - used[0]), max(0, most[1] - used[1])
