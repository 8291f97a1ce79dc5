"""The oracle's CapacityScheduler: limits handed down the queues, leaves that stop at theirs, and what those
block for their siblings.
"""

from __future__ import annotations

import math

import numpy as np

from tests.oracle.allocation import down, largest
from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.delays import CapacityDelays
from tests.oracle.leaf_order import LeafOrder, by_priority
from tests.oracle.orders import QueueOrder, first_of, jobs_among
from tests.oracle.queues import Pair, Queue
from tests.oracle.reservations import CapacityReservations
from tests.oracle.workload import Job, Node


class Capacity(QueueOrder):
    """capacity: one walk a decision, written as Hadoop's recursion."""

    excluded: Job | None = None  # it is not met on this walk

    def __init__(
        self,
        state: ClusterState,
        reservations: str,
        user_limits: str,
        node_locality_delay: float,
        rack_locality_additional_delay: float,
        maximum_offswitch_assignments: float | str,
        **_: object,  # what CapacityMonitor reads
    ) -> None:
        super().__init__(state, "capacity", stops="always")
        self.missed = CapacityDelays(state, node_locality_delay, rack_locality_additional_delay)
        self.is_reserving = reservations == "yes"
        self.limits_users = user_limits == "yes"
        self.leaf_order = LeafOrder()
        if maximum_offswitch_assignments != "off":
            self.max_off_switch = math.floor(maximum_offswitch_assignments)
        if self.is_reserving:
            self.reserves = CapacityReservations(state)

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate | None:
        self.node = node
        if not self._fits(self.state.min_allocation, self._free):
            return None
        try:
            return self._assign(self.state.queues["root"], self.state.cluster, candidates)[0]
        except Refused:
            return None

    def pass_by(self, node: Node) -> None:
        """It walks all the same."""
        self.choose(node, [])

    @property
    def _free(self) -> Pair:
        return self.node.memory - self.node.held_memory, self.node.vcores - self.node.held_vcores

    def _assign(
        self, queue: Queue, limit: Pair, candidates: list[Candidate]
    ) -> tuple[Candidate | None, Pair]:
        """What is served below a queue that may use so much, and what its parent loses for its other
        children.
        """
        limit = min(limit, self.max_capacity(queue), key=self.size)
        if not _waits(queue):
            return None, (0, 0)
        if not queue.children:
            self.leaf_order.look(queue)
        if self.is_reserving and not queue.children:
            return self._assign_reserving(queue, limit, candidates)
        if self.size(queue.usage) >= self.size(limit):
            return None, (0, 0)
        if not queue.children:
            return self._assign_within_limit(queue, limit, candidates)
        blocked = (0, 0)
        how = self._priority_key if by_priority(queue) else self._capacity_key
        for child in sorted(queue.children, key=how):  # siblings that tie stay in the order of the file
            available = _plus(_minus(_minus(limit, blocked), self.used(queue)), self.used(child))
            served, lost = self._assign(child, down(available, self.state.min_allocation), candidates)
            if served:
                return served, (0, 0)
            if self.size(lost) > self.size((0, 0)):
                blocked = _plus(blocked, lost)
        return None, blocked

    def hand_down(self, queue: Queue, limit: Pair) -> None:
        """The cluster is another: each queue has its limit, with nothing blocked."""
        if self.state.cluster == (0, 0):
            queue.now = 0, 0
        else:
            limit = min(limit, self.max_capacity(queue), key=self.size)
            queue.now = min(down(self.max_capacity(queue), self.state.min_allocation), limit, key=self.size)
        for child in queue.children:
            available = _plus(_minus(limit, self.used(queue)), self.used(child))
            self.hand_down(child, down(available, self.state.min_allocation))

    def _priority_key(self, queue: Queue) -> tuple[float, ...]:
        """Those below their guarantees first, then the higher priority."""
        used, guaranteed = self._capacity_key(queue)
        return used >= 1, -queue.fields.priority, used, guaranteed

    def used(self, queue: Queue) -> Pair:
        """What is reserved counts as used."""
        return _plus(
            queue.usage,
            self._reserved(
                [node for node in self.state.nodes if node.reserved and queue in self._path(node.reserved[0])]
            ),
        )

    def _path(self, job: Job) -> list[Queue]:
        return self.state.queues[job.group.queue].path

    def _reserved(self, nodes: list[Node]) -> Pair:
        sizes = [node.reserved[0].size(node.reserved[1]) for node in nodes]
        return sum(memory for memory, _ in sizes), sum(vcores for _, vcores in sizes)

    def _assign_reserving(
        self, leaf: Queue, limit: Pair, candidates: list[Candidate]
    ) -> tuple[Candidate | None, Pair]:
        """AbstractLeafQueue and RegularContainerAllocator.assignContainers with reservations; every active
        job meets the queue's limit.
        """
        used = self.used(leaf)
        left = _minus(limit, used)
        for job in self.jobs_in_order(
            leaf,
            [job for job in self.state.jobs if job.active and not job.has_left and job is not self.excluded],
        ):
            own = self._reserved(
                [node for node in self.state.nodes if node.reserved and node.reserved[0] is job]
            )
            if self.size(used) >= self.size(limit) and (
                own == (0, 0) or self.size(_minus(used, own)) >= self.size(limit)
            ):
                return None, (0, 0)
            over = self._excess_over_limit(leaf, limit, job, own)
            if over is None or not job.waiting:
                continue
            candidate = job, next(kind for kind in job.kinds if kind in job.waiting)
            if not self._fits(job.size(candidate[1]), _plus(left, own)):
                return None, left
            if self._takes(candidate, left, over, candidates):
                return candidate, (0, 0)
        return None, (0, 0)

    def _excess_over_limit(self, leaf: Queue, limit: Pair, job: Job, own: Pair) -> Pair | None:
        """What the job's user holds beyond the limit; None when that is so even without what is reserved for
        the job.
        """
        leaf.now = min(down(self.max_capacity(leaf), self.state.min_allocation), limit, key=self.size)
        users = self.state.users
        users.look(leaf)
        if not self.limits_users:
            return 0, 0
        used, max_capacity = users.used(users.of(job)), users.limit(leaf)
        if self.size(used) <= self.size(max_capacity):
            return 0, 0
        return None if self.size(_minus(used, own)) > self.size(max_capacity) else _minus(used, max_capacity)

    def _takes(self, candidate: Candidate, left: Pair, over: Pair, candidates: list[Candidate]) -> bool:
        """Does it get a container or a reservation? Raises Refused when that would pass a maximum."""
        size = candidate[0].size(candidate[1])
        taken = self._allowed_locality(candidate)
        if taken is None:
            return False
        is_held_back = self.holds_masters and candidate not in candidates and candidate[1] == "am"
        if is_held_back or not self._fits(size, (self.node.memory, self.node.vcores)):
            return False
        held = [node for node in self.state.nodes if node.reserved == candidate]
        should = self._starvation(candidate, len(held)) + self.state.waiting(*candidate) > len(held)
        shortage = self.state.users.larger(_minus(size, left), over)
        is_short = not self._fits(shortage, (0, 0))
        released = None
        if not should or is_short:
            is_enough = held and (not is_short or self._fits(shortage, size))
            if not self._fits(size, self._free) or not is_enough:
                return False
            released = self._first_of_a_hash_map(candidate, held)
        self._given(candidate, taken)
        added = (0, 0) if released else size
        if candidate not in candidates or not all(
            self._fits(_plus(self.used(queue), added), self.max_capacity(queue))
            for queue in self._path(candidate[0])
        ):
            raise Refused
        if released:
            self.reserves.give_up(released)
        return True

    def _allowed_locality(self, candidate: Candidate) -> int | None:
        """What the node is to a request that is asked; None: too far from its blocks."""
        job, kind = candidate
        if kind != "map" or not self.missed.is_on:
            return 2
        self.missed.asked(candidate[0])
        return self.missed.allowed_locality(candidate[0], self.node)

    def _given(self, candidate: Candidate, taken: int) -> None:
        self.is_off_switch = taken == 2
        if self.missed.is_on and candidate[1] == "map":
            self.missed.given(candidate[0], self.node, taken)

    def begin_heartbeat(self, node: Node) -> None:
        self.missed.begins(node)

    def counted(self) -> bool:
        changed, self.missed.changed = self.missed.changed, False
        return changed and self.missed.leads_somewhere()

    def asked_again(self, job: Job, kind: str) -> None:
        if self.missed.is_on and kind == "map":
            self.missed.asked(job)

    def _starvation(self, candidate: Candidate, held: int) -> int:
        if not held:
            return 0
        max_capacity = largest(self.state.scenario, candidate[0].group.queue)
        part = min(
            self._part(candidate[0].size(candidate[1]), max_capacity),
            self._part(_minus(max_capacity, self.state.min_allocation), max_capacity),
        )
        return int(
            np.float32(self.reserves.rereservations[candidate]) / np.float32(held) * (np.float32(1) - part)
        )

    def _part(self, amount: Pair, of: Pair) -> np.float32:
        parts = [np.float32(one) / np.float32(whole) for one, whole in zip(amount, of)]
        return parts[0] if self.state.memory_only else max(parts)

    def _first_of_a_hash_map(self, candidate: Candidate, held: list[Node]) -> Node:
        table = 16
        while self.reserves.max_held.get(candidate, 0) > 0.75 * table:
            table *= 2
        return min(
            held, key=lambda node: (java_hash(self.state.nodes.index(node)) % table, node.reservation_number)
        )

    def _fits(self, amount: Pair, available: Pair) -> bool:
        return amount[0] <= available[0] and (self.state.memory_only or amount[1] <= available[1])

    def _assign_within_limit(
        self, leaf: Queue, limit: Pair, candidates: list[Candidate]
    ) -> tuple[Candidate | None, Pair]:
        left = _minus(limit, leaf.usage)
        here = [candidate for candidate in candidates if candidate[0].group.queue == leaf.name]
        for job in self.jobs_in_order(
            leaf,
            [job for job in self.state.jobs if job.waiting and job.is_runnable and job is not self.excluded],
        ):
            if self._excess_over_limit(leaf, limit, job, (0, 0)) is None:
                continue
            served = first_of(job, here) if job in jobs_among(here) else None
            asked = served or (job, next(kind for kind in job.kinds if kind in job.waiting))
            ask = job.size(asked[1])
            if ask[0] > left[0] or (not self.state.memory_only and ask[1] > left[1]):
                return None, left
            taken = self._allowed_locality(asked)
            if served and taken is not None:
                self._given(asked, taken)
                return served, (0, 0)
        return None, (0, 0)

    def jobs_in_order(self, leaf: Queue, jobs: list[Job]) -> list[Job]:
        """Those of a leaf, as its policy orders them."""
        rest = [job for job in jobs if job.group.queue == leaf.name]
        if leaf.fields.ordering or leaf.fields.policy in (None, "fifo"):
            return self.leaf_order.sort(leaf, rest)
        ordered = []
        while rest:
            ordered.append(self._best_in_leaf(leaf, [(job, "map") for job in rest])[0])
            rest.remove(ordered[-1])
        return ordered

    def max_capacity(self, queue: Queue) -> Pair:
        return int(self.state.cluster[0] * queue.max_capacity), int(
            self.state.cluster[1] * queue.max_capacity
        )

    def size(self, amount: Pair) -> tuple[float, ...]:
        """What amounts are compared by: memory alone, or the larger share of the cluster, then the
        smaller.
        """
        if self.state.memory_only:
            return (amount[0],)
        shares = amount[0] / self.state.cluster[0], amount[1] / self.state.cluster[1]
        return max(shares), min(shares)


class Refused(Exception):
    """What a walk chose would pass a maximum of its queues: nothing happens on this heartbeat
    (AbstractCSQueue.accept).
    """


def java_hash(node: int) -> int:
    """NodeId.hashCode of 10.0.0.1:1234, …, as java.util.HashMap spreads it."""
    text = 0
    for letter in f"10.0.{node // 250}.{node % 250 + 1}":
        text = (31 * text + ord(letter)) % 2**32
    value = (493217 * ((493217 * 8501 + text) % 2**32) + 1234) % 2**32
    return value ^ (value >> 16)


def _waits(queue: Queue) -> bool:
    return any(job.waiting for job in queue.jobs) or any(_waits(child) for child in queue.children)


def _plus(a: Pair, b: Pair) -> Pair:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Pair, b: Pair) -> Pair:
    return a[0] - b[0], a[1] - b[1]
