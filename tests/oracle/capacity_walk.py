"""The oracle's CapacityScheduler: limits handed down the queues, leaves that stop at theirs, and what those block for their siblings."""

from __future__ import annotations

from tests.oracle.orders import QueueOrder, first_of, jobs_among
from tests.oracle.queues import Pair, Queue
from tests.oracle.workload import Job, Node
from tests.oracle.world import KINDS, Candidate, World


class Capacity(QueueOrder):
    """capacity: one walk a decision, written as Hadoop's recursion."""

    def __init__(self, world: World) -> None:
        super().__init__(world, "capacity", stops="always")

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate | None:
        return self._assign(self.world.queues["root"], self.world.cluster, candidates)[0]

    def _assign(self, queue: Queue, limit: Pair, candidates: list[Candidate]) -> tuple[Candidate | None, Pair]:
        """What is served below a queue that may use so much, and what its parent loses for its other children."""
        limit = min(limit, self._most(queue), key=self._size)
        if not _waits(queue) or self._size(queue.usage) >= self._size(limit):
            return None, (0, 0)
        if not queue.children:
            return self._in_limit(queue, _minus(limit, queue.usage), candidates)
        blocked = (0, 0)
        for child in sorted(queue.children, key=self._capacity_key):  # siblings that tie stay in the order of the file
            room = _plus(_minus(_minus(limit, blocked), queue.usage), child.usage)
            served, lost = self._assign(child, room, candidates)
            if served:
                return served, (0, 0)
            if self._size(lost) > self._size((0, 0)):
                blocked = _plus(blocked, lost)
        return None, blocked

    def _in_limit(self, leaf: Queue, left: Pair, candidates: list[Candidate]) -> tuple[Candidate | None, Pair]:
        here = [candidate for candidate in candidates if candidate[0].group.queue == leaf.name]
        for job in self._in_order(leaf):
            served = first_of(job, here) if job in jobs_among(here) else None
            ask = job.size(served[1] if served else next(kind for kind in KINDS if kind in job.waiting))
            if ask[0] > left[0] or (not self.world.memory_only and ask[1] > left[1]):
                return None, left
            if served:
                return served, (0, 0)
        return None, (0, 0)

    def _in_order(self, leaf: Queue) -> list[Job]:
        """The jobs of a leaf that wait, as its policy orders them."""
        rest = [job for job in self.world.jobs if job.waiting and job.group.queue == leaf.name]
        if leaf.fields.policy in (None, "fifo"):
            return rest
        ordered = []
        while rest:
            ordered.append(self._best_in_leaf(leaf, [(job, "map") for job in rest])[0])
            rest.remove(ordered[-1])
        return ordered

    def _most(self, queue: Queue) -> Pair:
        return int(self.world.cluster[0] * queue.most), int(self.world.cluster[1] * queue.most)

    def _size(self, amount: Pair) -> tuple[float, ...]:
        """What amounts are compared by: memory alone, or the larger share of the cluster, then the smaller."""
        if self.world.memory_only:
            return (amount[0],)
        shares = amount[0] / self.world.cluster[0], amount[1] / self.world.cluster[1]
        return max(shares), min(shares)


def _waits(queue: Queue) -> bool:
    return any(job.waiting for job in queue.jobs) or any(_waits(child) for child in queue.children)


def _plus(a: Pair, b: Pair) -> Pair:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Pair, b: Pair) -> Pair:
    return a[0] - b[0], a[1] - b[1]
