"""The oracle's headroom: what each scheduler tells a master that its job could still have; ends count once
they are seen. Pairs are (memory, vcores).
"""

from __future__ import annotations

from tests.oracle.admission import max_now
from tests.oracle.allocation import down
from tests.oracle.capacity_walk import Capacity
from tests.oracle.cluster_state import ClusterState, Pair
from tests.oracle.orders import QueueOrder
from tests.oracle.workload import Job


class Free:
    """What is free in the cluster."""

    def __init__(self, state: ClusterState) -> None:
        self.state = state

    def of(self, job: Job) -> Pair:
        used = self.state.sizes(self.state.held(None))
        return self.state.cluster[0] - used[0], self.state.cluster[1] - used[1]


class OfFairShare(Free):
    """FSAppAttempt.getHeadroom; fair shares are those of FairScheduler's last update."""

    def __init__(self, state: ClusterState, order: QueueOrder) -> None:
        super().__init__(state)
        self.fair = order.fair

    def of(self, job: Job) -> Pair:
        leaf = self.state.queues[job.group.queue]
        share = self.fair.queue_shares.get(leaf, [0, 0])
        headroom = list(super().of(job))
        for resource in (0, 1):
            headroom[resource] = min(headroom[resource], leaf.max_share[resource] - leaf.usage[resource])
            if resource == 0 or self.fair.policy(leaf) == "drf":
                headroom[resource] = min(headroom[resource], max(0, share[resource] - leaf.usage[resource]))
        return headroom[0], headroom[1]


class OfQueueLimit(Free):
    """AbstractLeafQueue.getHeadroom."""

    def __init__(self, state: ClusterState, order: Capacity) -> None:
        super().__init__(state)
        self.order = order

    def of(self, job: Job) -> Pair:
        if self.state.cluster == (0, 0):
            return 0, 0
        leaf, root, users = self.state.queues[job.group.queue], self.state.queues["root"], self.state.users
        used, of_all = self.order.used(leaf), self.order.used(root)
        own = _left(
            leaf.now or max_now(leaf, self.state),
            used,
        )
        if self.order.limits_users:
            users.look(leaf)
            own = tuple(map(min, own, _left(users.limit(leaf), users.used(users.of(job)))))
        return min(
            _left(self.state.cluster, of_all), down(own, self.state.min_allocation), key=self.order.size
        )


def _left(max_capacity: Pair, used: Pair) -> Pair:
    return max(0, max_capacity[0] - used[0]), max(0, max_capacity[1] - used[1])
