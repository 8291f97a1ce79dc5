"""The oracle's FairScheduler reservations: starved jobs, and nodes that are kept for them."""

from __future__ import annotations

import math
from fractions import Fraction

from engine.scenario.allocation import ContainerSize
from tests.oracle.allocation import pair
from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.fair_scheduler import FairScheduler
from tests.oracle.queues import Pair
from tests.oracle.workload import Node

INCREMENT = ContainerSize(memory_mb=1024, vcores=1)  # Hadoop's by default


class NoReservations:
    """Nothing reserves."""

    counts_beats = False  # does a heartbeat on which what is reserved does not fit matter?
    serves_others_at_once = True  # on the heartbeat on which a reservation is found to be of no use

    def __init__(self) -> None:
        self.reservation_count = 0
        self.rereservations: dict[
            Candidate, int
            # heartbeats of reserved nodes on which it did not fit, since one was last reserved or given up
        ] = {}

    def allows(self, node: Node, candidate: Candidate) -> bool:
        return False

    def reserve(self, node: Node, candidate: Candidate) -> None:
        self.reservation_count += 1
        node.reserved, node.reservation_number = candidate, self.reservation_count
        self.rereservations[candidate] = 0

    def give_up(self, node: Node) -> None:
        self.rereservations[node.reserved] = 0
        node.reserved = None


class FairReservations(NoReservations):
    """Who may reserve a node."""

    def __init__(self, state: ClusterState, fair: FairScheduler) -> None:
        super().__init__()
        self.state = state
        self.fair = fair
        allocation = state.scenario.cluster.allocation
        memory, vcores = pair(allocation.increment if allocation else INCREMENT)
        self.threshold = 2 * memory, 2 * vcores

    def allows(self, node: Node, candidate: Candidate) -> bool:
        """May a request that does not fit a node, and could fit it empty, reserve it?"""
        job, kind = candidate
        distance = (
            min(job.distance(task, node) for task in self.state.to_place(job, kind))
            if kind == "map" and job.blocks
            else 2
        )
        among = [other for other in self.state.up if distance == 2 or other.rack == node.rack]
        own = [other for other in among if other.reserved and other.reserved[0] is job]
        if distance > 0 and len(own) >= math.ceil(Fraction(len(among), 20)):
            return False
        share = self.fair.shares.get(job, [0, 0])
        lacks = self.fair.shortage.get(job, ((0, 0), (0, 0)))[1] != (0, 0)
        how = self.fair.policy(self.state.queues[job.group.queue])
        if how != "drf":
            return job.size(kind)[0] >= self.threshold[0] and (lacks or job.usage[0] < share[0])
        is_large = self._sorted_shares(job.size(kind)) >= self._sorted_shares(self.threshold)
        return is_large and (lacks or self._sorted_shares(job.usage)[0] < self._sorted_shares(share)[0])

    def _sorted_shares(self, amount: Pair | list[int]) -> list[float]:
        return sorted((part / whole for part, whole in zip(amount, self.state.cluster)), reverse=True)


class CapacityReservations(NoReservations):
    """The walk itself decides."""

    counts_beats = True
    serves_others_at_once = False

    def __init__(self, state: ClusterState) -> None:
        super().__init__()
        self.state = state
        self.max_held: dict[Candidate, int] = {}  # at a time, since there was none

    def allows(self, node: Node, candidate: Candidate) -> bool:
        return True

    def reserve(self, node: Node, candidate: Candidate) -> None:
        super().reserve(node, candidate)
        node.reserved_order = len(self.state.containers), 0, self.reservation_count
        self.state.users.held(candidate[0])
        self.max_held[candidate] = max(self.max_held.get(candidate, 0), self._held(candidate))

    def give_up(self, node: Node) -> None:
        candidate = node.reserved
        super().give_up(node)
        self.state.users.held(candidate[0])
        if not self._held(candidate):
            self.max_held[candidate] = 0

    def _held(self, candidate: Candidate) -> int:
        return sum(node.reserved == candidate for node in self.state.nodes)
