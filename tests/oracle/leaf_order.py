"""The oracle's order of the jobs of a leaf, and of the queues of a parent, as CapacityScheduler's ordering
policies have it.
"""

from __future__ import annotations

import math

from tests.oracle.queues import Queue
from tests.oracle.workload import Job


class LeafOrder:
    """FifoOrderingPolicy and FairOrderingPolicy, whose jobs keep their places until the leaf that is asked
    sorts in anew those that were marked.
    """

    def __init__(self) -> None:
        self.ranked_by: dict[
            Job, tuple[int, int]
        ] = {}  # memory a job held when it was last sorted in, and that with what it waited for

    def look(self, leaf: Queue) -> None:
        for job in leaf.jobs:
            if job.needs_reorder or (job.requests_changed and leaf.fields.size_based_weight):
                self.ranked_by[job] = job.usage[0], job.demand[0]
            job.needs_reorder = job.requests_changed = False

    def sort(self, leaf: Queue, jobs: list[Job]) -> list[Job]:
        if leaf.fields.ordering == "fair":
            return sorted(
                jobs, key=lambda job: (self._magnitude(leaf, job), job.arrival, self._known(job)[1] == 0)
            )
        return sorted(jobs, key=lambda job: -job.group.priority)

    def _magnitude(self, leaf: Queue, job: Job) -> float:
        memory, demand = self._known(job)
        return (
            memory / (math.log1p(demand) / math.log(2))
            if leaf.fields.size_based_weight and memory
            else memory
        )

    def _known(self, job: Job) -> tuple[int, int]:
        return self.ranked_by.get(job, (0, 0))


def by_priority(queue: Queue) -> bool:
    """Does a parent order its queues by priority? As its own parent, where it says nothing."""
    if queue.fields.ordering is None and queue.parent:
        return by_priority(queue.parent)
    return queue.fields.ordering == "priority-utilization"
