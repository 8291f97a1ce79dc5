"""Fair shares of jobs, and which of them are starved (FairScheduler's ComputeFairShares,
FSAppAttempt.isStarved; UPDATE-1, PREEMPT-1).

A share depends on who is active, on weights and on the queues' minimum and maximum shares, not on what is
held or wanted: so they are computed anew only after jobs have come or gone. `fair` shares memory alone, `drf`
each resource, and under `fifo` the earliest job has all. A job has no minimum share here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import DRF, FAIR_SHARE, FIFO, INFINITE, STARVED
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.run_records import JOB, SHARER, Amounts, Flags, Floats, Ints, Record, array, number
from engine.schedulers.amounts import THE_RUN, assign
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.schedulers.hadoop.resources import amount_of, compare, of_cluster
from engine.schedulers.hadoop.shares import dominant_share
from engine.simulation.hadoop.queues.usage import note_stale

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class FairShares(Record):
    """FairScheduler's shares."""

    needs_fair_shares: int = number("", "1: a part reads fair shares")
    shares_are_stale: int = number("", "1: jobs have come or gone since the fair shares were computed")
    stale_since_heartbeat: int = number("ms", "`heartbeats_so_far` when they became so")
    update_event_count: int = number("", "`event_count` at FairScheduler's last update")
    default_queue_policy: int = number("", "of queues without one: FAIR or DRF")
    demand_changed: Ints = array(JOB, "", "jobs that hold or want other than at FairScheduler's last update")
    is_demand_changed: Flags = array(JOB, "", "1: it is in `demand_changed`")
    demand_changed_count: int = number("", "of `demand_changed`")
    schedulable: Ints = array(SHARER, "", "what shares a resource: queues or jobs (Hadoop: Schedulable)")
    schedulable_next: Ints = array(
        SHARER,
        "",
        "of the first of some that are equal, the index after them; of jobs the first alone has the "
        "next two:",
    )
    schedulable_weight: Floats = array(SHARER, "", "its weight")
    schedulable_min: Ints = array(SHARER, "", "its minimum share")
    schedulable_max: Ints = array(SHARER, "", "its maximum share")
    schedulable_share: Ints = array(SHARER, "", "its computed share, of the first of those that are equal")


HUGE = 2.0**60  # more than any cluster has; sums of it stay whole numbers
ITERATIONS = 25  # ComputeFairShares.COMPUTE_FAIR_SHARES_ITERATIONS
INCREMENTS = 2  # of FairScheduler's: what is smaller than so many reserves nothing
# by default; MB, and one of any other resource
INCREMENT = np.where(np.arange(RESOURCE_COUNT) == MEMORY, 1024, 1)


def heartbeats_so_far(v: View, s: State) -> int:
    """How many heartbeats of nodes there have been; without heartbeats, the time."""
    return s.heartbeat_round * len(s.awake) + s.heartbeat_node if v.heartbeat > 0 else v.now


def refresh_shares(v: View, s: State) -> None:
    """The shares as of the last heartbeat, where FairScheduler is updated at each."""
    if (
        v.update_interval == 0
        and s.shares_are_stale == 1
        and heartbeats_so_far(v, s) > s.stale_since_heartbeat
    ):
        compute_shares(v, s)


def note_jobs_changing(v: View, s: State) -> None:
    """Jobs are about to come or go."""
    if s.headroom == FAIR_SHARE:
        refresh_shares(v, s)
        s.stale_since_heartbeat = heartbeats_so_far(v, s)
    s.shares_are_stale = 1


def reserved_nodes(v: View, job: int) -> int:
    """How many nodes are reserved for a job."""
    count = 0
    for request in range(v.job_first_request[job], v.job_first_request[job + 1]):
        count += v.request_reserved[request]
    return count


def exceeds_reservation_threshold(v: View, s: State, request: int) -> bool:
    """Is it at least the threshold: by memory, or under drf by dominant shares of the cluster, of which an
    empty one has none?
    """
    if v.cluster_nodes == 0:
        return False
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[v.job_queue[v.request_job[request]]])
    size, threshold = amount_of(v.request_resource, request), amount_of(s.threshold_resource, THE_RUN)
    return compare(int(policy == DRF), of_cluster(v), size, threshold) >= 0


def is_starved(v: View, policy: int, job: int) -> bool:
    """Does the job hold less than its fair share?"""
    return usage_share(v, policy, job) < fair_share(v, policy, job)


def usage_share(v: View, policy: int, job: int) -> float:
    """What the job holds."""
    return share_of(v, policy, v.job_used_resource, job)


def fair_share(v: View, policy: int, job: int) -> float:
    """What it may hold."""
    return share_of(v, policy, v.job_fair_resource, job)


def is_below(v: View, policy: int, held: Amounts, holder: int, shares: Amounts, share: int) -> bool:
    """Is so much held less than a share (FSAppAttempt.isUsageBelowShare)?"""
    return share_of(v, policy, held, holder) < share_of(v, policy, shares, share)


def share_of(v: View, policy: int, amounts: Amounts, amount: int) -> float:
    """What amounts are compared by: MB, under drf the largest share of the cluster alone."""
    if policy != DRF:
        return float(amounts[MEMORY, amount])
    if v.cluster_nodes == 0:
        return 0.0
    return dominant_share(v.cluster_resource, amounts, amount)


def compute_shares(v: View, s: State) -> None:
    """Down the tree: each queue shares its own among its active children, each leaf among its active jobs."""
    s.shares_are_stale = 0
    v.queue_fair_resource[:] = 0
    assign(v.queue_fair_resource, 0, v.cluster_resource, THE_RUN)
    for queue in range(len(v.queue_parent)):
        if s.queue_active_jobs[queue] > 0:
            policy = leaf_policy(s.default_queue_policy, v.queue_policy[queue])
            children = list_children(v, s, queue)
            if children > 0:
                for resource in range(shared_resources(policy)):
                    share_among_queues(v, s, queue, children, resource)
            elif s.preempts == 1 or s.reserves == STARVED:  # nobody else asks for those of jobs
                share_among_jobs(v, s, queue, policy)


def shared_resources(policy: int) -> int:
    """How many are shared: each, or the first, memory, alone."""
    return RESOURCE_COUNT if policy == DRF else MEMORY + 1


def list_children(v: View, s: State, queue: int) -> int:
    """schedulable: the queue's children; how many."""
    count = 0
    for child in range(queue + 1, len(v.queue_parent)):
        if v.queue_parent[child] == queue:
            s.schedulable[count] = child
            count += 1
    return count


def share_among_queues(v: View, s: State, queue: int, count: int, resource: int) -> None:
    """What a queue has of one resource, among the first queues of `schedulable`; what no job is active in
    gets nothing, what has no weight its minimum (ComputeFairShares.getFairShareIfFixed).
    """
    for i in range(count):
        child = s.schedulable[i]
        minimum, maximum = v.queue_min_resource[resource, child], v.queue_max_resource[resource, child]
        s.schedulable_weight[i], s.schedulable_min[i] = v.queue_weight[child], minimum
        s.schedulable_max[i] = maximum if s.queue_active_jobs[child] > 0 else 0
        if v.queue_weight[child] == 0:
            s.schedulable_max[i] = min(s.schedulable_max[i], minimum)
    group_equal(s, count)
    solve_shares(s, count, v.queue_fair_resource[resource, queue])
    assign_shares(s, count, v.queue_fair_resource, resource)


def share_among_jobs(v: View, s: State, queue: int, policy: int) -> None:
    count = list_jobs(v, s, queue)
    if policy == FIFO:
        s.schedulable[0], s.schedulable_next[0] = s.schedulable[:count].min(), 1
        assign(v.job_fair_resource, s.schedulable[0], v.queue_fair_resource, queue)
        if s.ranks_by > 0 and s.reserves == STARVED:
            note_starved(v, s, policy, 1)
        return
    for resource in range(shared_resources(policy)):
        solve_shares(s, count, v.queue_fair_resource[resource, queue])
        assign_shares(s, count, v.job_fair_resource, resource)
    if s.ranks_by > 0 and s.reserves == STARVED:
        note_starved(v, s, policy, count)


def list_jobs(v: View, s: State, queue: int) -> int:
    """schedulable: the leaf's active jobs, of which those of one weight, one after another, are joined; how
    many. Those that have left are forgotten.
    """
    active = count = first = 0
    for place in range(s.active_count):
        job = s.active_jobs[place]
        if v.job_is_active[job] == 0:
            continue
        s.active_jobs[active] = job
        active += 1
        if v.job_queue[job] != queue:
            continue
        s.schedulable[count] = job
        if count == 0 or v.job_weight[job] != s.schedulable_weight[first]:
            s.schedulable_next[first] = count
            s.schedulable_weight[count], s.schedulable_min[count], s.schedulable_max[count] = (
                v.job_weight[job],
                0,
                INFINITE,
            )
            first = count
        count += 1
    s.schedulable_next[first] = count
    s.active_count = active
    return count


def note_starved(v: View, s: State, policy: int, count: int) -> None:
    """Of the first `schedulable`, those that were above their share, or below it, and are so no more. Who is
    to find its place anew finds that out by itself.
    """
    i = 0
    while i < count:
        share = fair_share(v, policy, s.schedulable[i])
        for i_same in range(i, s.schedulable_next[i]):
            job = s.schedulable[i_same]
            if (s.usage_share[job] < share) != s.is_starving[job] and s.is_stale[job] == 0:
                note_stale(s, job)
        i = s.schedulable_next[i]


def solve_shares(s: State, count: int, total: int) -> None:
    """schedulable_share: by weight, from its least to its most, so that together they come to the total
    (ComputeFairShares.computeSharesInternal).

    Of those that are joined the first has it.
    """
    max_total, i = 0, 0
    while i < count and max_total < total:
        max_total = min(max_total + (s.schedulable_next[i] - i) * min(s.schedulable_max[i], total), total)
        i = s.schedulable_next[i]
    total = max_total
    high = 1.0
    while total_share(s, count, high) < total:
        high *= 2.0
    low = 0.0
    for _ in range(ITERATIONS):
        middle = (low + high) / 2.0
        planned = total_share(s, count, middle)
        if planned < total:
            low = middle
        else:
            high = middle
        if planned == total:
            break
    i = 0
    while i < count:
        s.schedulable_share[i] = share_at(s, i, high)
        i = s.schedulable_next[i]


def assign_shares(s: State, count: int, shares: Amounts, resource: int) -> None:
    """shares: what each of the first `schedulable` was given of the resource."""
    i = 0
    while i < count:
        for i_same in range(i, s.schedulable_next[i]):
            shares[resource, s.schedulable[i_same]] = s.schedulable_share[i]
        i = s.schedulable_next[i]


def group_equal(s: State, count: int) -> None:
    """schedulable_next: of the first of some that are alike, one after another, who comes after them."""
    after = count
    for i in range(count - 1, -1, -1):
        if i + 1 < count and not are_equal(s, i, i + 1):
            after = i + 1
        s.schedulable_next[i] = after


def are_equal(s: State, i: int, other: int) -> bool:
    same_limits = (
        s.schedulable_min[i] == s.schedulable_min[other] and s.schedulable_max[i] == s.schedulable_max[other]
    )
    return same_limits and s.schedulable_weight[i] == s.schedulable_weight[other]


def total_share(s: State, count: int, ratio: float) -> float:
    shared, i = 0.0, 0
    while i < count:
        shared = min(shared + float(s.schedulable_next[i] - i) * share_at(s, i, ratio), HUGE)
        i = s.schedulable_next[i]
    return shared


def share_at(s: State, i: int, ratio: float) -> int:
    return int(min(HUGE, max(s.schedulable_weight[i] * ratio, s.schedulable_min[i]), s.schedulable_max[i]))
