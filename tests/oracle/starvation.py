"""The oracle's FairScheduler that kills for starved jobs: who is starved, who goes, and the room that is kept
for whom. Pairs are (memory, vcores).
"""

from __future__ import annotations

import functools
import math

import numpy as np

from tests.oracle.fair_scheduler import FairScheduler
from tests.oracle.orders import _goes_first, job_side
from tests.oracle.preemption import Preemption
from tests.oracle.queues import Pair, Queue
from tests.oracle.result import Running
from tests.oracle.workload import Job, Node

KINDS = ("reduce", "am", "map", "executor")  # by the hash of their priorities


class Starvation(Preemption):
    """Under an order of FairScheduler with preemption; state by job, queue and node."""

    def _begin_preemption(self) -> None:
        self.fair: FairScheduler | None = self.order.fair
        self.preempts = bool(self.fair and self.fair.preemption)
        self.shortage = self.fair.shortage if self.fair else {}
        self.at_share: dict[Job, int] = {}
        self.at_least: dict[Queue, int] = {}
        self.checked_from: dict[Job, int] = {}
        self.marked: list[Running] = []
        self.due: list[tuple[int, Running]] = []
        self.claims = self.fair.claims if self.fair else {}
        self.max_containers: dict[Node, int] = {}
        self.hopes_until = -1

    def _kill_due(self) -> bool:
        changed = False
        while self.due and self.due[0][0] <= self.now:
            container = self.due.pop(0)[1]
            if container not in self.marked or container.seen is not None or container.returned:
                continue
            changed = True
            self.marked.remove(container)
            if container.outcome != "running":
                self._give_back(container)
                continue
            self._preempt(container)
            if container.kind == "am" and container.job.finish is None:
                self.shortage.pop(container.job, None)
                self.checked_from.pop(container.job, None)
                self.at_share[container.job] = self.now
                container.job.containers_made = 0
        return changed

    def _check_starvation(self) -> bool:
        """At an update. Whether anything is another."""
        before = dict(self.shortage), len(self.due)
        given = self.fair.preemption
        if self.state.cluster == (0, 0):
            return False
        used = max(
            np.float32(held) / np.float32(whole)
            for held, whole in zip(self.state.queues["root"].usage, self.state.cluster)
        )
        self.heap: list[Job] = []
        if np.float32(given["utilization_threshold"]) < used:
            for queue in self._leaves():
                self._check_leaf(queue)
        while self.heap:
            self._help(self._take())
        return before != (self.shortage, len(self.due))

    def _leaves(self) -> list[Queue]:
        leaves = [queue for queue in self.state.queues.values() if not queue.children]
        return sorted(
            leaves,
            key=lambda queue: _bucket(
                functools.reduce(lambda code, letter: 31 * code + ord(letter), queue.name, 0), len(leaves)
            ),
        )

    def _field(self, queue: Queue, name: str, otherwise):
        rows = [getattr(one.fields, name) for one in queue.path if getattr(one.fields, name) is not None]
        return rows[0] if rows else otherwise

    def _timeout(self, queue: Queue, name: str) -> float:
        return (
            math.floor(1000 * self._field(queue, name, math.inf) + 0.5)
            if self._field(queue, name, None) is not None
            else math.inf
        )

    def _check_leaf(self, queue: Queue) -> None:
        how = self.fair.policy(queue)
        jobs = [
            job
            for job in self.state.jobs
            if job in queue.jobs
            and job.is_runnable
            and job.waiting
            and job.finish is None
            and self.now >= self.checked_from.get(job, 0)
        ]
        if how != "fifo":
            first = lambda a, b: (
                -1
                if _goes_first(how, job_side(a, how), job_side(b, how), self.state.cluster)
                else 1
                if _goes_first(how, job_side(b, how), job_side(a, how), self.state.cluster)
                else 0
            )
            jobs.sort(key=functools.cmp_to_key(first))
        total = (0, 0)
        for job in jobs:
            self.shortage[job] = self._of_fair_share(job, queue), self.shortage.get(job, ((0, 0), (0, 0)))[1]
            if self.shortage[job][0] == (0, 0):
                break
            self._add(job)
            total = _plus(total, self.shortage[job][0])
        shortage = _less(self._of_least(queue), total)
        for job in jobs:
            fair = self.shortage.get(job, ((0, 0), (0, 0)))[0]
            own = (0, 0)
            if shortage != (0, 0):
                own = _less(_less(job.demand, job.usage), fair)
                if self._key(how, own) > self._key(how, shortage):
                    own, shortage = _less(own, shortage), (0, 0)
                else:
                    shortage = _less(shortage, own)
                self.shortage[job] = fair, own
                self._add(job)
            else:
                self.shortage[job] = fair, own

    def _key(self, how: str, amount: Pair) -> list[float]:
        shares = sorted((part / whole for part, whole in zip(amount, self.state.cluster)), reverse=True)
        return shares if how == "drf" else [amount[0]]

    def _below(self, job: Job, amount: Pair, share) -> bool:
        how = self.fair.policy(self.state.queues[job.group.queue])
        return self._key(how, amount)[0] < self._key(how, share)[0]

    def _of_fair_share(self, job: Job, queue: Queue) -> Pair:
        part = float(np.float32(self._field(queue, "fair_share_preemption_threshold", 0.5)))
        wanted = tuple(
            min(int(share * part), demand)
            for share, demand in zip(self.fair.shares.get(job, (0, 0)), job.demand)
        )
        if not self._below(job, job.usage, wanted):
            self.at_share[job] = self.now
            return 0, 0
        if self.now - self.at_share.get(job, job.arrival) < self._timeout(
            queue, "fair_share_preemption_timeout_s"
        ):
            return 0, 0
        return _less(wanted, job.usage)

    def _of_least(self, queue: Queue) -> Pair:
        result = _less(tuple(map(min, queue.min_share, queue.demand)), queue.usage)
        if result == (0, 0):
            self.at_least[queue] = self.now
        return (
            (0, 0)
            if self.now - self.at_least.get(queue, 0) < self._timeout(queue, "min_share_preemption_timeout_s")
            else result
        )

    def _first(self, job: Job, other: Job) -> bool:
        return all(a <= b for a, b in zip(_plus(*self.shortage[job]), _plus(*self.shortage[other])))

    def _add(self, job: Job) -> None:
        if job not in self.heap:
            self.heap.append(job)
            at = len(self.heap) - 1
            while at and self._first(self.heap[at], self.heap[(at - 1) // 2]):
                self.heap[at], self.heap[(at - 1) // 2] = self.heap[(at - 1) // 2], self.heap[at]
                at = (at - 1) // 2

    def _take(self) -> Job:
        result, last = self.heap[0], self.heap.pop()
        if self.heap:
            self.heap[0], at = last, 0
            while 2 * at + 1 < len(self.heap):
                child = 2 * at + 1
                if child + 1 < len(self.heap) and not self._first(self.heap[child], self.heap[child + 1]):
                    child += 1
                if self._first(self.heap[at], self.heap[child]):
                    break
                self.heap[at], self.heap[child] = self.heap[child], self.heap[at]
                at = child
        return result

    def _help(self, job: Job) -> None:
        left = _plus(*self.shortage[job])
        for kind in (*KINDS, *job.stage_kinds):
            if left != (0, 0) and kind in job.waiting:
                size = job.size(kind)
                count = min(len(job.waiting[kind].tasks), int(np.float32(left[0]) / np.float32(size[0])))
                for _ in range(count):
                    self._mark(job, self._victims(size))
                left = _less(left, (count * size[0], count * size[1]))
        given = self.fair.preemption
        self.checked_from[job] = self.now + sum(
            math.floor(given[name] + 0.5) for name in ("wait_before_kill_ms", "starvation_check_ms")
        )

    def _mark(self, job: Job, victims: list[Running]) -> None:
        if victims:
            self.marked += victims
            self.due += [
                (self.now + math.floor(self.fair.preemption["wait_before_kill_ms"] + 0.5), one)
                for one in victims
            ]
            where = victims[0].node, job
            self.claims[where] = _plus(self.claims.get(where, (0, 0)), self.state.sizes(victims))

    def _victims(self, size: Pair) -> list[Running]:
        best: list[Running] = []
        masters: float = math.inf
        up = [node for node in self.nodes if not node.down]
        hosts = [f"10.0.{place // 250}.{place % 250 + 1}" for place in range(len(self.nodes))]
        code = lambda node: (
            493217
            * (
                493217 * 8501
                + functools.reduce(
                    lambda code, letter: 31 * code + ord(letter), hosts[self.nodes.index(node)], 0
                )
            )
            + 1234
        )
        for node in sorted(up, key=lambda node: _bucket(code(node), len(self.nodes))):
            result = self._victims_on(node, size, masters)
            if result is not None:
                best, masters = result, sum(one.kind == "am" for one in result)
                if not masters:
                    break
        return best

    def _victims_on(self, node: Node, size: Pair, max_containers: float) -> list[Running] | None:
        kept = [claim for (where, _), claim in self.claims.items() if where is node]
        if node.reserved:
            kept.append(node.reserved[0].size(node.reserved[1]))
        free = node.memory - node.held_memory, node.vcores - node.held_vcores
        for one in kept:
            free = free[0] - one[0], free[1] - one[1]
        free = max(free[0], 0), max(free[1], 0)
        victims: list[Running] = []
        there = sorted(
            node.row,
            key=lambda one: (_bucket(one.code, self.max_containers[node]), self.containers.index(one)),
        )
        there = [one for one in there if one not in self.marked]
        for one in [one for one in reversed(there) if one.kind != "am"] + [
            one for one in there if one.kind == "am"
        ]:
            if one.job.has_left:
                continue
            if self._may_go(one, victims):
                if one.kind == "am" and 1 + sum(other.kind == "am" for other in victims) >= max_containers:
                    return None
                victims.append(one)
                free = _plus(free, one.job.size(one.kind))
            if size[0] <= free[0] and (self.state.memory_only or size[1] <= free[1]):
                return victims
        return None

    def _may_go(self, one: Running, others: list[Running]) -> bool:
        queue = self.state.queues[one.job.group.queue]
        spared = one.kind == "am" and self.fair.preemption["am_preemption"] == "no"
        if not all(above.fields.allow_preemption_from for above in queue.path) or spared or one.returned:
            return False
        departing = [
            other
            for other in (*self.marked, *others, one)
            if other.job is one.job and other.seen is None and not other.returned
        ]
        left = tuple(held - part for held, part in zip(one.job.usage, self.state.sizes(departing)))
        return not self._below(one.job, left, self.fair.shares.get(one.job, (0, 0)))

    def _serve_claims(self, node: Node) -> bool:
        """Whether anything changed."""
        changed = False
        for where, job in list(self.claims):
            if where is node and (job.has_left or not self._starved_still(job)):
                del self.claims[where, job]
                changed = True
        for where, job in list(self.claims):
            while where is node and (where, job) in self.claims and (kind := self._first_for(node, job)):
                self._place(node, job, kind)
                changed = True
        return changed

    def _starved_still(self, job: Job) -> bool:
        fair, least = self.shortage.get(job, ((0, 0), (0, 0)))
        return least != (0, 0) or (
            fair != (0, 0) and self._below(job, job.usage, self.fair.shares.get(job, (0, 0)))
        )

    def _first_for(self, node: Node, job: Job) -> str | None:
        for kind in job.kinds:
            if (
                kind in job.waiting
                and self.placement.fits(node, 0, 0, {}, job, kind, slots_count=False)
                and self.order.allows(job, kind)
            ):
                fits = self.placement.fits(
                    node, node.held_memory, node.held_vcores, node.held_slots, job, kind
                )
                return kind if fits and (kind != "am" or self.admission.passes(job)) else None
        return None

    def _note_given(self, container: Running) -> None:
        """A container has started."""
        where = container.node, container.job
        self.max_containers[container.node] = max(
            self.max_containers.get(container.node, 0), len(container.node.row)
        )
        if where in self.claims:
            self.claims[where] = _less(self.claims[where], container.job.size(container.kind))
            if self.claims[where] == (0, 0):
                del self.claims[where]


def code_of(job: Job, place: int) -> int:
    """The hash of the job's next container."""
    job.containers_made += 1
    return (
        2**32 - 1219638209 + 347671 * place + job.master_losses + job.master_kills + 31 * job.containers_made
    ) % 2**32


def _bucket(code: int, count: int) -> int:
    """Where a java.util.HashMap that holds so many keeps it."""
    table = 16
    while count > 0.75 * table:
        table *= 2
    code %= 2**32
    return (code ^ code >> 16) % table


def _plus(a: Pair, b: Pair) -> Pair:
    return a[0] + b[0], a[1] + b[1]


def _less(a: Pair, b: Pair) -> Pair:
    return max(a[0] - b[0], 0), max(a[1] - b[1], 0)
