"""In what order CapacityScheduler asks the jobs of a leaf (QUEUE-7).

In Hadoop  FifoOrderingPolicy (PriorityComparator, FifoComparator), FairOrderingPolicy.FairComparator,
           AbstractComparatorOrderingPolicy
Fifo asks the job of the highest priority first. Fair asks the job that holds the least memory; with
size-based weight that memory is divided by the logarithm of what the job holds and waits for. Then come the
earlier arrival and who waits for anything. A job's memory and demand are those of when the leaf last found
its place anew: when asked after it was given, lost or reserved a container, and with size-based weight after
it asked. A reserved container that it is given at last marks it with size-based weight only, when a ramp-up
master then asks anew for the rest.
Ours       a leaf without `ordering` whose `policy` is fair or drf: by weight, always up to date
Ties       job order
Cost       one pass over the jobs of a leaf that does not ask in job order
"""

import math

from engine.resource_types import MEMORY
from engine.schedulers.hadoop.queue_sharing import job_before, leaf_policy, pending_of
from engine.schedulers.policy import JOB, RUN, StateArray
from engine.schedulers.view import (
    AS_POLICY,
    BY_MEMORY,
    BY_MEMORY_SIZE_WEIGHTED,
    CAPACITY,
    FIFO,
    IN_PLACE,
    REORDER,
)

LEAF_MEMORY = (
    StateArray("has_rank", JOB, "int64"),
    StateArray("first_unfinished", RUN, "int64"),  # the first job that may be active
)
IN_JOB_ORDER, FIRST_BY_PRIORITY, SHARING = range(3)
IDLE = 0.5  # ms by which a job that wants nothing comes after others of its arrival


def order_of(view, leaf):
    """IN_JOB_ORDER, FIRST_BY_PRIORITY or SHARING."""
    ordering = view.queue_ordering[leaf]
    if is_by_memory(ordering) or (
        ordering == AS_POLICY and leaf_policy(CAPACITY, view.queue_policy[leaf]) != FIFO
    ):
        return SHARING
    return FIRST_BY_PRIORITY if view.has_job_priorities == 1 else IN_JOB_ORDER


def is_by_memory(ordering):
    return ordering in (BY_MEMORY, BY_MEMORY_SIZE_WEIGHTED)


def reorder_marked_jobs(view, leaf):
    """The leaf is asked: places are found anew of its jobs that were marked (reorderScheduleEntities)."""
    if not is_by_memory(view.queue_ordering[leaf]):
        return
    for job in range(first_unfinished_job(view), len(view.job_queue)):
        if view.job_arrival[job] > view.now:
            break
        if view.job_queue[job] == leaf and (view.job_reorder[job] == REORDER or view.has_rank[job] == 0):
            rank_by_memory(view, job, view.queue_ordering[leaf] == BY_MEMORY_SIZE_WEIGHTED)


def rank_by_memory(view, job, size_based_weight):
    """One that was never marked holds nothing and wants nothing, as far as its leaf knows."""
    memory, demand = 0.0, 0.0
    if view.job_reorder[job] == REORDER:
        memory = float(view.job_used_memory[job])
        demand = memory + pending_of(view, job, MEMORY)
    if size_based_weight:
        memory = size_weighted(memory, demand)
    view.needy[job], view.share[job] = 0.0, memory
    view.second_share[job] = view.job_arrival[job] + (0.0 if demand > 0.0 else IDLE)
    view.job_reorder[job], view.has_rank[job] = IN_PLACE, 1


def size_weighted(memory, demand):
    """FairOrderingPolicy.getMagnitude with size-based weight."""
    return memory / (math.log1p(demand) / math.log(2.0)) if memory > 0.0 else memory


def comes_before(view, job, other):
    """Does a job come before another of its leaf, which does not ask in job order?"""
    if order_of(view, view.job_queue[job]) == FIRST_BY_PRIORITY:
        return has_higher_priority(view, job, other)
    return job_before(view, job, other) or (job < other and not job_before(view, other, job))


def has_higher_priority(view, job, other):
    """By priority, then in job order."""
    if view.job_priority[job] != view.job_priority[other]:
        return view.job_priority[job] > view.job_priority[other]
    return job < other


def next_active(view, leaf, last, in_order):
    """The leaf's next active job after the last one, one that wants nothing too; -1: no more."""
    best = -1
    for job in range(last + 1 if in_order and last >= 0 else first_unfinished_job(view), len(view.job_queue)):
        if view.job_arrival[job] > view.now:
            break
        if view.job_queue[job] != leaf or view.job_is_active[job] == 0:
            continue
        if in_order:
            return job
        if (
            job != last
            and (last < 0 or comes_before(view, last, job))
            and (best < 0 or comes_before(view, job, best))
        ):
            best = job
    return best


def first_unfinished_job(view):
    """No job before it has still to leave."""
    job = view.first_unfinished[0]
    while job < len(view.job_queue) and view.job_finish[job] >= 0 and view.job_is_active[job] == 0:
        job += 1
    view.first_unfinished[0] = job
    return job


def first_waiting(view, job):
    """The job's first request that waits, -1 when none does."""
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        if view.request_waiting[request] > 0:
            return request
    return -1
