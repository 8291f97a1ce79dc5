"""The oracle's orders by queues: fifo, fair, drf, capacity, each a few comparisons over lists (QUEUE-1;
Hadoop's comparators).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.delays import FairDelays
from tests.oracle.fair_scheduler import FairScheduler
from tests.oracle.queues import Pair, Queue
from tests.oracle.reservations import FairReservations, NoReservations
from tests.oracle.workload import Job, Node

InLeaf = Callable[[Queue, list[Candidate]], Candidate]


class Side(NamedTuple):
    """What a comparator sees of a job or a queue; pairs are (memory, vcores)."""

    usage: Pair
    demand: Pair
    min_share: Pair
    weight: float


class Flat:
    """An order that knows neither queues nor their limits."""

    clock = None  # what ticks for it
    fair = None  # what FairScheduler knows, of an order over it
    reserves = NoReservations()
    # when a request that does not fit keeps the later ones of its job from a node: "unserved" there on this
    # heartbeat, "fitting", "always"
    stops = "never"
    delays = None  # how maps wait for nodes near their blocks
    uses_dynamic_max_assign = (
        False  # whether a node is given containers until half of what it had free is exceeded
    )
    spreads_load = False  # whether a node takes no more tasks of a kind than its part of those there are
    max_off_switch = math.inf  # containers far from their blocks on a heartbeat
    is_off_switch = True  # whether the one it chose last is
    shares = "all"  # what am-share takes a queue's share from: all jobs as one, "weights" or "capacity"

    def __init__(self, state: ClusterState) -> None:
        self.state = state

    def begin_heartbeat(self, node: Node) -> None:
        """A node beats, before anything is chosen for it."""

    def counted(self) -> bool:
        """Whether it has counted a heartbeat for a job whose maps wait, since this was last asked."""
        return False

    def asked_again(self, job: Job, kind: str) -> None:
        """A node beats that is reserved for a request."""

    def allows(self, job: Job, kind: str) -> bool:
        return True

    def pass_by(self, node: Node) -> None:
        """A node beats for which there is no candidate."""


class Fifo(Flat):
    stops = "unserved"

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        return candidates[0]


class QueueOrder:
    """fair, drf or capacity: bottom-up, the best request of each leaf, then the best child of each parent.

    `in_leaf` replaces what chooses inside a leaf; `kinds`: leaves that are fair compare what a job holds of
    the request's kind.
    """

    max_off_switch = math.inf
    is_off_switch = True

    def __init__(
        self,
        state: ClusterState,
        order: str,
        in_leaf: InLeaf | None = None,
        kinds: bool = False,
        stops: str = "never",
        reservations: str = "no",
        update_ms: float = 0,
        locality_node: float = -1,
        locality_rack: float = -1,
        dynamic_max_assign: str = "no",
        preemption: str = "no",
        **of_preemption: float | str,
    ) -> None:
        self.state = state
        self.order = order
        self.in_leaf = in_leaf or self._best_in_leaf
        self.kinds = kinds
        self.stops = stops
        self.spreads_load = kinds
        self.fair = None if order == "capacity" else FairScheduler(state, order, update_ms)
        if self.fair and preemption == "yes":
            self.fair.preemption = of_preemption
        self.reserves = FairReservations(state, self.fair) if reservations == "yes" else NoReservations()
        self.delays = FairDelays(state, -1 if kinds else locality_node, locality_rack)
        self.uses_dynamic_max_assign = dynamic_max_assign == "yes" and not kinds
        self.clock = None
        self.shares = "capacity" if order == "capacity" else "weights"

    def begin_heartbeat(self, node: Node) -> None:
        """A node beats, before anything is chosen for it."""

    def counted(self) -> bool:
        """Whether it has counted a heartbeat for a job whose maps wait, since this was last asked."""
        return False

    def asked_again(self, job: Job, kind: str) -> None:
        """A node beats that is reserved for a request."""

    def allows(self, job: Job, kind: str) -> bool:
        """Whether the limits of the job's queue and of those above it let this container in."""
        path = self.state.queues[job.group.queue].path
        if self.order == "capacity":
            return all(self._within_most(queue, job.size(kind)) for queue in path)
        return all(self._within_max_share(queue, job.size(kind)) for queue in path)

    def _within_most(self, queue: Queue, ask: Pair) -> bool:
        cluster, held = self.state.cluster, queue.usage
        memory_fits = held[0] + ask[0] <= int(cluster[0] * queue.max_capacity)
        return memory_fits and (
            self.state.memory_only or held[1] + ask[1] <= int(cluster[1] * queue.max_capacity)
        )

    def _within_max_share(self, queue: Queue, ask: Pair) -> bool:
        if queue.fields.max_share is None:
            return True
        held, max_capacity = queue.usage, queue.max_share
        return held[0] + ask[0] <= max_capacity[0] and (
            self.state.memory_only or held[1] + ask[1] <= max_capacity[1]
        )

    def pass_by(self, node: Node) -> None:
        """A node beats for which there is no candidate."""

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        """The request to serve; candidates are not empty."""
        return self._served(self.state.queues["root"], candidates)

    def _served(self, queue: Queue, candidates: list[Candidate]) -> Candidate | None:
        """The request to serve below a queue, or None if none is there."""
        if not queue.children:
            here = [candidate for candidate in candidates if candidate[0].group.queue == queue.name]
            return self.in_leaf(queue, here) if here else None
        served_by_child = {
            child: served
            for child in self._in_tie_order(queue.children)
            if (served := self._served(child, candidates))
        }
        return (
            served_by_child[_best(list(served_by_child), self._queue_policy(queue))]
            if served_by_child
            else None
        )

    def _in_tie_order(self, queues: list[Queue]) -> list[Queue]:
        return queues if self.order == "capacity" else sorted(queues, key=lambda queue: queue.name)

    def _best_in_leaf(self, queue: Queue, candidates: list[Candidate]) -> Candidate:
        policy = queue.fields.policy or ("fifo" if self.order == "capacity" else self.order)
        if policy == "fair" and self.kinds:
            return _best(candidates, lambda a, b: self._of_its_kind(a) < self._of_its_kind(b))
        if policy == "fifo":
            return candidates[0]
        job = _best(
            jobs_among(candidates),
            lambda a, b: _goes_first(policy, job_side(a, policy), job_side(b, policy), self.state.cluster),
        )
        return first_of(job, candidates)

    def _of_its_kind(self, candidate: Candidate) -> float:
        """Memory the job holds in containers of the request's kind, by weight."""
        job, kind = candidate
        return self.state.sizes(self.state.held(job, kind))[0] / job.group.weight

    def _queue_policy(self, queue: Queue):
        if self.order == "capacity":
            return lambda a, b: self._capacity_key(a) < self._capacity_key(b)
        policy = queue.fields.policy or self.order
        return lambda a, b: _goes_first(policy, self._side(a), self._side(b), self.state.cluster)

    def _side(self, queue: Queue) -> Side:
        return Side(queue.usage, self.fair.demand_of(queue), queue.min_share, queue.fields.weight)

    def _capacity_key(self, queue: Queue) -> tuple[float, float]:
        """Used over guaranteed as a float, then the larger guarantee; guaranteed are whole MB and vcores, at
        least the minimum allocation.
        """
        whole = [int(of * queue.capacity) for of in self.state.cluster]
        usage = self.used(queue)
        if self.state.memory_only:
            used = np.float32(usage[0]) / np.float32(max(whole[0], self.state.min_allocation[0]))
        else:
            guaranteed = max(
                _shares(whole, self.state.cluster), _shares(self.state.min_allocation, self.state.cluster)
            )
            used = np.float32(_shares(usage, self.state.cluster)[0] / guaranteed[0])
        return float(used), -queue.capacity

    def used(self, queue: Queue) -> Pair:
        return queue.usage


def _shares(amount: Sequence[int], cluster: Pair) -> list[float]:
    """The parts of the cluster's two resources, the larger first."""
    return sorted((part / whole for part, whole in zip(amount, cluster)), reverse=True)


def jobs_among(candidates: list[Candidate]) -> list[Job]:
    """The jobs of candidates, each once, in job order."""
    return list(dict.fromkeys(job for job, _ in candidates))


def first_of(job: Job, candidates: list[Candidate]) -> Candidate:
    """The job's first candidate."""
    return next(candidate for candidate in candidates if candidate[0] is job)


def _best(items: list, goes_first):
    """The first item in tie order that no later one strictly heartbeats."""
    winner = items[0]
    for item in items[1:]:
        if goes_first(item, winner):
            winner = item
    return winner


def job_side(job: Job, policy: str) -> Side:
    """Only drf gives a job a minimum share of its own."""
    share = job.group.min_share if policy == "drf" else None
    return Side(job.usage, job.demand, (share.memory_mb, share.vcores) if share else (0, 0), job.group.weight)


def _goes_first(policy: str, a: Side, b: Side, cluster: Pair) -> bool:
    if policy == "fair":
        return _fair_key(a) < _fair_key(b)
    return drf_difference(a, b, cluster) < 0


def _fair_key(side: Side) -> tuple[float, ...]:
    """FairSharePolicy: memory only; who is below the minimum share first, by how far; then usage by
    weight, or usage after all others for who has no weight.
    """
    usage = side.usage[0]
    min_share = min(side.min_share[0], side.demand[0])
    by_weight = (0, usage / side.weight) if side.weight else (1, usage)
    if usage < min_share:
        return 0, usage / max(min_share, 1), *by_weight
    return 1, *by_weight


def drf_difference(a: Side, b: Side, cluster: Pair) -> float:
    """DominantResourceFairnessPolicy: negative when `a` goes first, 0 or NaN in a tie; no queue or job is
    compared by demand.
    """
    needy_a, needy_b = needy(a, cluster), needy(b, cluster)
    if needy_a != needy_b:
        return -1 if needy_a else 1
    ratios = _min_share_ratios if needy_a else weighted_shares
    difference = 0.0
    for one, other in zip(ratios(a, cluster), ratios(b, cluster)):
        difference = one - other
        if difference < 0 or difference > 0:
            break
    return difference


def _dominant(side: Side, cluster: Pair) -> int:
    return 1 if side.usage[1] / cluster[1] > side.usage[0] / cluster[0] else 0


def needy(side: Side, cluster: Pair) -> bool:
    dominant = _dominant(side, cluster)
    return side.usage[dominant] < side.min_share[dominant]


def weighted_shares(side: Side, cluster: Pair) -> list[float]:
    dominant = _dominant(side, cluster)
    return [
        _ratio(side.usage[resource] / cluster[resource], side.weight) for resource in (dominant, 1 - dominant)
    ]


def _min_share_ratios(side: Side, cluster: Pair) -> list[float]:
    dominant = _dominant(side, cluster)
    return [_ratio(side.usage[resource], side.min_share[resource]) for resource in (dominant, 1 - dominant)]


def _ratio(amount: float, share: float) -> float:
    if share:
        return amount / share
    return math.inf if amount else math.nan
