"""The oracle's monitor of CapacityScheduler: ideal amounts of queues, down the tree, and what is killed for
them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.admission import am_share_of
from tests.oracle.capacity_walk import Capacity, java_hash
from tests.oracle.cluster_state import ClusterState
from tests.oracle.leaf_order import by_priority
from tests.oracle.queues import Pair, Queue
from tests.oracle.result import Running
from tests.oracle.users import guarantee
from tests.oracle.workload import Job, Node

NONE = (0, 0)
# their places in a java.util.HashMap of SchedulerRequestKey; an executor has the priority of a master, and
# the stages come after it
PRIORITIES = {"am": 8, "executor": 8, "reduce": 6, "map": 12}


class CapacityMonitor:
    """masters: of a queue for its masters, None: they are spared. Numbers are floats where Hadoop's are."""

    def __init__(
        self,
        state: ClusterState,
        order: Capacity,
        masters: float | None,
        monitoring_interval_ms: float,
        max_wait_before_kill_ms: float,
        total_preemption_per_round: float,
        max_ignored_over_capacity: float,
        natural_termination_factor: float,
    ) -> None:
        self.state, self.order = state, order
        self.masters = masters
        self.interval, self.wait = (
            math.floor(monitoring_interval_ms + 0.5),
            math.floor(max_wait_before_kill_ms + 0.5),
        )
        self.per_round = float(np.float32(total_preemption_per_round))
        self.ignored, self.natural = max_ignored_over_capacity, natural_termination_factor
        self.marked: dict[int, int] = {}  # containers by their place, and when
        self.is_quiet = False  # nothing was chosen, and nothing has happened since

    def is_due(self, now: int) -> bool:
        return now % self.interval == 0

    def next_round(self, now: int) -> int:
        return (now // self.interval + 1) * self.interval

    def round(self) -> tuple[list[Node], list[Running]]:
        """Nodes whose reservation goes, and containers that are killed."""
        now = self.state.now
        self.cluster = self.state.cluster
        nodes, chosen = self._selected() if self.cluster != NONE else ([], [])
        self.is_quiet = not chosen
        killed = []
        for container in chosen:
            place = self.state.containers.index(container)
            if place in self.marked and self.marked[place] + self.wait <= now:
                killed.append(container)
                del self.marked[place]
            else:
                self.marked.setdefault(place, now)
        self.marked = {place: since for place, since in self.marked.items() if since + 2 * self.wait >= now}
        return nodes, killed

    def _selected(self) -> tuple[list[Node], list[Running]]:
        """Nodes whose reservation goes, and containers that are to be given back."""
        self.allowed = times(self.cluster, self.per_round)
        root = self.state.queues["root"]
        self.usages = {queue: self._holds(queue) for queue in self.state.queues.values()}
        self.pending = {queue: self._wants(queue, False) for queue in self.state.queues.values()}
        self.pending_unreserved = {queue: self._wants(queue, True) for queue in self.state.queues.values()}
        self.unpreemptable: dict[Queue, Pair] = {}
        self._extras(root)
        self.ideal, self.to_preempt = dict.fromkeys(self.usages, NONE), dict.fromkeys(self.usages, NONE)
        self.ideal[root] = self.cluster
        self._share(root)
        nodes, chosen = [], []
        for leaf in _hashed(root):
            if not _is_preemption_disabled(leaf):
                self._choose(leaf, nodes, chosen)
        return nodes, chosen

    def _key(self, amount: Pair, within: Pair) -> tuple[float, ...]:
        if self.state.memory_only:
            return (amount[0],)
        return tuple(
            sorted((part / whole if whole else math.inf for part, whole in zip(amount, within)), reverse=True)
        )

    def _less(self, one: Pair, other: Pair, within: Pair) -> bool:
        if not self.state.memory_only and within == NONE:
            return one != other and all(a <= b for a, b in zip(one, other))
        return self._key(one, within) < self._key(other, within)

    def _larger(self, one: Pair, other: Pair, within: Pair) -> Pair:
        return other if self._less(one, other, within) else one

    def _smaller(self, one: Pair, other: Pair, within: Pair) -> Pair:
        return other if self._less(other, one, within) else one

    def _holds(self, queue: Queue) -> Pair:
        kept = [
            node.reserved[0].size(node.reserved[1])
            for node in self.state.nodes
            if node.reserved and queue in self._queue(node.reserved[0]).path
        ]
        return each(sum, (queue.usage, *kept))

    def _queue(self, job: Job) -> Queue:
        return self.state.queues[job.group.queue]

    def _active(self, leaf: Queue) -> list[Job]:
        return [job for job in leaf.jobs if job.is_registered and job.active and not job.has_left]

    def _wants(self, queue: Queue, without_reserved: bool) -> Pair:
        """What waits, as far as users may have it."""
        if queue.children:
            return each(sum, [self._wants(child, without_reserved) for child in queue.children])
        result = NONE
        by_user: dict[str, Pair] = {}
        for job in self._active(queue):
            waits = each(
                sum, [NONE, *[times(job.size(kind), self.state.waiting(job, kind)) for kind in job.waiting]]
            )
            if without_reserved:
                kept = [
                    job.size(node.reserved[1])
                    for node in self.state.nodes
                    if node.reserved and node.reserved[0] is job
                ]
                waits = each(max, (minus(waits, each(sum, (NONE, *kept))), NONE))
            by_user[job.group.user] = each(sum, (by_user.get(job.group.user, NONE), waits))
        for user, waits in by_user.items():
            if self.order.limits_users:
                self.state.users.look(queue)
                available = each(
                    max,
                    (minus(self.state.users.limit(queue), self.state.users.used((queue.name, user))), NONE),
                )
                waits = each(min, (waits, available))
            result = each(sum, (result, waits))
        return result

    def _extras(self, queue: Queue) -> Pair:
        """What may be taken back of what is held beyond guarantees."""
        below = each(sum, [NONE, *[self._extras(child) for child in queue.children]])
        extra = self._larger(minus(self.usages[queue], guarantee(queue, self.state)), NONE, self.cluster)
        if not queue.children:
            below = NONE if _is_preemption_disabled(queue) else extra
        self.unpreemptable[queue] = minus(extra, below) if self._less(below, extra, self.cluster) else NONE
        return self._smaller(below, extra, self.cluster)

    def _share(self, parent: Queue) -> None:
        within = self.ideal[parent]
        guaranteed = {child: guarantee(child, self.state) for child in parent.children}
        some = [child for child in parent.children if self._less(NONE, guaranteed[child], within)]
        none = [child for child in parent.children if child not in some]
        left = self._fix_point(some, within, within, lambda: self._parts(guaranteed))
        if none and self._less(NONE, left, within):
            self._fix_point(
                none,
                within,
                left,
                lambda: dict.fromkeys(self.heap, (float(np.float32(1) / np.float32(len(self.heap))),) * 2),
            )
        needed = each(
            sum,
            [
                NONE,
                *[
                    minus(self.usages[q], self.ideal[q])
                    for q in parent.children
                    if self._less(self.ideal[q], self.usages[q], within)
                ],
            ],
        )
        part = self._divide(self.allowed, needed, within) if self._less(self.allowed, needed, within) else 1.0
        for child in parent.children:
            own = self._smaller(
                each(sum, (self.usages[child], self.pending[child])), guaranteed[child], within
            )
            kept = self._larger(own, self.ideal[child], within)
            if self._less(kept, self.usages[child], within):
                self.to_preempt[child] = times(minus(self.usages[child], kept), part)
        for child in parent.children:
            if child.children:
                self._share(child)

    def _divide(self, one: Pair, other: Pair, within: Pair) -> float:
        if self.state.memory_only:
            return float(np.float32(one[0]) / np.float32(other[0]))
        above, below = (
            max([0.0] + [part / whole for part, whole in zip(amount, within) if whole])
            for amount in (one, other)
        )
        return float(np.float32(above / below)) if below else math.inf

    def _need(self, queue: Queue, within: Pair) -> float:
        guaranteed = guarantee(queue, self.state)
        return (
            self._divide(self.ideal[queue], guaranteed, within)
            if self._less(NONE, guaranteed, within)
            else 2.0**31 - 1
        )

    def _before(self, queue: Queue, other_queue: Queue, within: Pair) -> bool:
        need, other = self._need(queue, within), self._need(other_queue, within)
        own, its = queue.fields.priority, other_queue.fields.priority
        if by_priority(queue.parent) and own != its and (need < 1) == (other < 1):
            return own > its
        return need < other

    def _fix_point(
        self, queues: list[Queue], within: Pair, left: Pair, parts: Callable[[], dict[Queue, Any]]
    ) -> Pair:
        """computeFixpointAllocation; what it leaves, as its caller sees it."""
        self.heap: list[Queue] = []
        for queue in queues:
            guaranteed, held = guarantee(queue, self.state), self.usages[queue]
            is_over = self._less(guaranteed, held, within)
            self.ideal[queue] = (
                each(sum, (each(min, (guaranteed, held)), self.unpreemptable[queue])) if is_over else held
            )
            left = minus(left, self.ideal[queue])
            if self._less(self.ideal[queue], each(sum, (held, self.pending[queue])), within):
                self._push(queue, within)
        seen, is_seen = left, False
        while self.heap and self._less(NONE, left, within):
            part = parts()
            neediest = [self._pop(within)]
            while self.heap and not self._before(neediest[-1], self.heap[0], within):
                neediest.append(self._pop(within))
            at_first = left
            for queue in neediest:
                if not any(amount > 0 for amount in left[: 1 if self.state.memory_only else 2]):
                    break
                offered = tuple(
                    int(a * p + 0.5) if self.state.memory_only else math.ceil(a * p)
                    for a, p in zip(at_first, part[queue])
                )
                taken = self._offer(queue, each(min, (offered, left)), within)
                self.ideal[queue] = each(sum, (self.ideal[queue], taken))
                if self._less(NONE, taken, within):
                    self._push(queue, within)
                left = minus(left, taken)
                seen, is_seen = seen if is_seen else left, True
                left = each(max, (left, NONE))
        return seen

    def _offer(self, queue: Queue, offered: Pair, within: Pair) -> Pair:
        ideal, held = self.ideal[queue], self.usages[queue]
        max_capacity = tuple(int(whole * queue.max_capacity) for whole in self.cluster)
        wanted = minus(each(sum, (held, self.pending_unreserved[queue])), ideal)
        taken = each(
            min, (each(max, (minus(max_capacity, ideal), NONE)), self._smaller(offered, wanted, within))
        )
        if not queue.children:
            own = minus(self._larger(held, guarantee(queue, self.state), within), ideal)
            taken = self._smaller(taken, self._larger(own, NONE, within), within)
        return each(min, (each(max, (taken, NONE)), offered))

    def _parts(self, guaranteed: dict[Queue, Pair]) -> dict[Queue, list[float]]:
        parts: dict[Queue, list[float]] = {queue: [] for queue in self.heap}
        capacity = np.float32(0)
        for queue in self.heap:
            capacity += np.float32(queue.capacity)
        for resource in (0, 1):
            active = sum(guaranteed[queue][resource] for queue in self.heap)
            for queue in self.heap:
                if active and any(guaranteed[other][resource] == 0 and other.capacity for other in self.heap):
                    part = np.float32(queue.capacity) / capacity
                elif not active or not capacity:
                    part = np.float32(1) / np.float32(len(self.heap))
                else:
                    part = np.float32(guaranteed[queue][resource]) / np.float32(active)
                parts[queue].append(float(part))
        return parts

    def _push(self, queue: Queue, within: Pair) -> None:
        """As java.util.PriorityQueue sifts up."""
        self.heap.append(queue)
        at = len(self.heap) - 1
        while at and self._before(queue, self.heap[(at - 1) // 2], within):
            self.heap[at], at = self.heap[(at - 1) // 2], (at - 1) // 2
        self.heap[at] = queue

    def _pop(self, within: Pair) -> Queue:
        first, last = self.heap[0], self.heap.pop()
        at = 0
        while children := [child for child in (2 * at + 1, 2 * at + 2) if child < len(self.heap)]:
            child = (
                children[-1]
                if self._before(self.heap[children[-1]], self.heap[children[0]], within)
                else children[0]
            )
            if not self._before(self.heap[child], last, within):
                break
            self.heap[at], at = self.heap[child], child
        if self.heap:
            self.heap[at] = last
        return first

    def _choose(self, leaf: Queue, nodes: list[Node], chosen: list[Running]) -> None:
        """Reservations, then containers of the leaf's last jobs; its masters at the end."""
        over = times(guarantee(leaf, self.state), 1.0 + self.ignored)
        if not self._less(over, self.usages[leaf], self.cluster):
            return
        wanted = self.to_preempt[leaf]
        if self.state.memory_only:
            wanted = int(wanted[0] * self.natural + 0.5), 0
        elif self._less(NONE, wanted, self.cluster):
            wanted = tuple(math.ceil(np.float32(amount * self.natural)) for amount in wanted)
        self.wanted = wanted
        masters: list[Running] = []
        for job in reversed(self._in_order(leaf)):
            self._choose_reservations(job, nodes)
            self._choose_tasks(job, chosen, masters)
        if self.masters is not None:
            self._choose_masters(leaf, masters, chosen)

    def _choose_reservations(self, job: Job, nodes: list[Node]) -> None:
        kept = [node for node in self.state.nodes if node.reserved and node.reserved[0] is job]
        for node in sorted(kept, key=self._place_in_maps):
            if self._less(NONE, self.wanted, self.cluster):
                self._takes(job.size(node.reserved[1]))
                nodes.append(node)

    def _choose_tasks(self, job: Job, chosen: list[Running], masters: list[Running]) -> None:
        """Reduces before maps, the last created first; the job's master is kept in `masters` for later."""
        held = [
            one for one in self.state.containers if one.job is job and one.seen is None and not one.returned
        ]
        last_first = lambda one: (-job.kinds.index(one.kind), [-part for part in one.creation_order])
        for container in sorted(held, key=last_first):
            if not self._less(NONE, self.wanted, self.cluster):
                break
            if container.kind == "am":
                masters.append(container)
            elif self._takes(container.job.size(container.kind)):
                chosen.append(container)

    def _choose_masters(self, leaf: Queue, masters: list[Running], chosen: list[Running]) -> None:
        """As long as the masters hold more than the leaf's limit of them."""
        sizes = each(sum, [NONE, *[one.job.size("am") for one in masters]])
        part = float(np.float32(am_share_of(leaf, self.masters)))
        if part < 0:
            return
        max_capacity = times(guarantee(leaf, self.state), part)
        for container in masters:
            if not self._less(NONE, self.wanted, self.cluster) or not self._less(
                max_capacity, sizes, self.cluster
            ):
                break
            if self._takes(container.job.size("am")):
                chosen.append(container)
                sizes = minus(sizes, container.job.size("am"))

    def _in_order(self, leaf: Queue) -> list[Job]:
        """By what they hold now."""
        jobs = self._active(leaf)
        if leaf.fields.ordering != "fair":
            return self.order.jobs_in_order(leaf, jobs)
        return sorted(jobs, key=lambda job: self._magnitude(leaf, job))

    def _magnitude(self, leaf: Queue, job: Job) -> float:
        memory = job.usage[0]
        demand = memory + sum(self.state.waiting(job, kind) * job.size(kind)[0] for kind in job.waiting)
        return (
            memory / (math.log1p(demand) / math.log(2))
            if leaf.fields.size_based_weight and memory
            else memory
        )

    def _place_in_maps(self, node: Node) -> tuple[int, int, int]:
        job, kind = node.reserved
        table = 16
        while self.order.reserves.max_held[node.reserved] > 0.75 * table:
            table *= 2
        return (
            PRIORITIES.get(kind, PRIORITIES["am"] + job.kinds.index(kind)),
            java_hash(self.state.nodes.index(node)) % table,
            node.reservation_number,
        )

    def _takes(self, size: Pair) -> bool:
        wanted = tuple(amount or -1 for amount in self.wanted)
        self.wanted = wanted
        counted = 1 if self.state.memory_only else 2
        after = minus(wanted, size)
        helps = self._less(each(max, (after, NONE)), each(max, (wanted, NONE)), self.cluster)
        if not helps or not all(a <= b for a, b in list(zip(size, self.allowed))[:counted]):
            return False
        self.wanted, self.allowed = after, minus(self.allowed, size)
        return True


def each(what: Callable, amounts: Any) -> Pair:
    """What holds for the memory of amounts, and for their vcores."""
    return what(amount[0] for amount in amounts), what(amount[1] for amount in amounts)


def minus(one: Pair, other: Pair) -> Pair:
    return one[0] - other[0], one[1] - other[1]


def times(amount: Pair, by: float) -> Pair:
    return int(amount[0] * by), int(amount[1] * by)


def _is_preemption_disabled(queue: Queue) -> bool:
    own = queue.fields.disable_preemption
    return own == "yes" if own is not None or not queue.parent else _is_preemption_disabled(queue.parent)


def _hashed(queue: Queue) -> list[Queue]:
    """The leaves below a queue as java.util.HashSets of names list them."""
    if not queue.children:
        return [queue]
    leaves = [leaf for child in queue.children for leaf in _hashed(child)]
    table = 16
    while len(leaves) > 0.75 * table:
        table *= 2
    return sorted(leaves, key=lambda leaf: _text_hash(leaf.name) % table)


def _text_hash(text: str) -> int:
    result = 0
    for unit in np.frombuffer(text.encode("utf-16-le"), "<u2"):
        result = (31 * result + int(unit)) % 2**32
    return result ^ (result >> 16)
