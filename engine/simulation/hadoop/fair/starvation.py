"""Which jobs are starved, at each of FairScheduler's updates: of their fair share, or of what their leaf's
minimum share leaves them (PREEMPT-1).

In Hadoop  FairScheduler.shouldAttemptPreemption, FSLeafQueue.updateStarvedApps,
           FSAppAttempt.fairShareStarvation, FSStarvedApps
A leaf is looked at in the order of its jobs' ranks, and no further than the first job that is not starved of
its fair share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import DRF, FIFO
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.run_records import (
    JOB,
    LEAF,
    PREEMPTS,
    QUEUE,
    Amounts,
    Flags,
    Floats,
    Ints,
    Record,
    amount,
    amounts,
    array,
    given,
    number,
)
from engine.schedulers.amounts import THE_RUN, assign, clear, differ, is_nothing, subtract
from engine.schedulers.hadoop.queue_sharing import job_rank, leaf_policy, pending_of
from engine.schedulers.hadoop.resources import amount_of, compare, of_cluster
from engine.schedulers.hadoop.shares import compare as compare_ranks
from engine.simulation.hadoop.fair.fair_shares import is_below
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.requests import first_unfinished

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Starvation(Record):
    """Jobs below their shares (FSPreemptionThread)."""

    preempts: int = number("", "1: FairScheduler kills for starved jobs")
    preemption_threshold: float = number("", "of the cluster's use")
    starved_jobs: Ints = array(JOB, "", "a heap of jobs", when=PREEMPTS)
    starved_count: int = number("", "of `starved_jobs`")
    starved_resource: Amounts = amounts(JOB, "what a job lacks of its fair share", when=PREEMPTS)
    min_share_starved_resource: Amounts = amounts(JOB, "and of its leaf's minimum share", when=PREEMPTS)
    last_at_fair_share: Ints = array(JOB, "ms", "when it last was seen to have its fair share", when=PREEMPTS)
    next_starvation_check: Ints = array(JOB, "", "before which it is not looked at", when=PREEMPTS)
    next_starvation_check_ms: int = number("ms", "after which a starved job is looked at again")
    starvation_deadline: int = number("", "until when starvation may change something though nothing happens")
    starvation_horizon_ms: int = number(
        "ms", "after which, if nothing has happened, starvation will change nothing more"
    )
    leaf_lacks_resource: Amounts = amount("scratch: what a leaf lacks of its minimum share")
    job_lacks_resource: Amounts = amount("scratch: what a job lacks, of its fair or of that share")
    ranked_jobs: Ints = array(JOB, "", "scratch: jobs of a leaf", when=PREEMPTS)
    leaf_order: Ints = given(LEAF, "", "leaves as Hadoop lists them")
    last_at_min_share: Ints = array(
        QUEUE, "", "when a leaf last was seen to have its minimum share", when=PREEMPTS
    )
    min_share_timeout: Ints = given(QUEUE, "ms", "below its minimum share before it may preempt")
    fair_share_timeout: Ints = given(QUEUE, "ms", "below its threshold before it may preempt")
    fair_share_threshold: Floats = given(QUEUE, "", "part of its fair share below which it is starved")
    allows_preemption: Flags = given(QUEUE, "", "1: containers below it may be killed")


def find_starved(v: View, s: State, now: int) -> None:
    """starved[:starved_count]: a heap of those to be helped, where the cluster is used beyond the
    threshold.
    """
    if v.cluster_nodes == 0:
        return
    used = np.float32(0.0)
    for resource in range(RESOURCE_COUNT):
        whole = v.cluster_resource[resource, THE_RUN]
        if whole > 0:
            used = max(used, np.float32(v.queue_used_resource[resource, 0]) / np.float32(whole))
    if np.float32(s.preemption_threshold) < used:
        for place in range(len(s.leaf_order)):
            find_starved_in_leaf(v, s, s.leaf_order[place], now)


def find_starved_in_leaf(v: View, s: State, queue: int, now: int) -> None:
    count = rank_demanding_jobs(v, s, queue, now)
    min_share_starvation(v, s, queue, now)
    for place in range(count):
        job = s.ranked_jobs[place]
        update_fair_share_starvation(v, s, job, queue, now)
        if is_nothing(s.starved_resource, job):
            break
        push_starved(s, job)
        subtract(s.leaf_lacks_resource, THE_RUN, s.starved_resource, job, 1)
    for place in range(count):
        job = s.ranked_jobs[place]
        is_lacking = not is_nothing(s.leaf_lacks_resource, THE_RUN)
        clear(s.job_lacks_resource, THE_RUN)
        if is_lacking:
            share_lack(v, s, job)
        set_lack(s, s.min_share_starved_resource, job)
        if is_lacking:
            push_starved(s, job)


def share_lack(v: View, s: State, job: int) -> None:
    """job_lacks_resource: what a job wants beyond its fair share, of what its leaf lacks, which is less by
    that.
    """
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[v.job_queue[job]])
    for resource in range(RESOURCE_COUNT):
        s.job_lacks_resource[resource, THE_RUN] = pending_of(v, job, resource)
    subtract(s.job_lacks_resource, THE_RUN, s.starved_resource, job, 1)
    of_leaf, of_job = amount_of(s.leaf_lacks_resource, THE_RUN), amount_of(s.job_lacks_resource, THE_RUN)
    if compare(int(policy == DRF), of_cluster(v), of_leaf, of_job) < 0:
        subtract(s.job_lacks_resource, THE_RUN, s.leaf_lacks_resource, THE_RUN, 1)
        clear(s.leaf_lacks_resource, THE_RUN)
    else:
        subtract(s.leaf_lacks_resource, THE_RUN, s.job_lacks_resource, THE_RUN, 1)


def set_lack(s: State, lacks: Amounts, job: int) -> None:
    """What a job lacks now is job_lacks_resource; that may let it reserve nodes, or no longer."""
    if differ(lacks, job, s.job_lacks_resource, THE_RUN):
        assign(lacks, job, s.job_lacks_resource, THE_RUN)
        s.event_count += 1
        wake_parked(s)


def rank_demanding_jobs(v: View, s: State, queue: int, now: int) -> int:
    """ranked_jobs: the leaf's jobs that want more and are to be looked at again by now, as its policy orders
    them; how many.
    """
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[queue])
    count = 0
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if (
            v.job_queue[job] != queue
            or v.job_is_active[job] == 0
            or v.job_runnable_since[job] < 0
            or now < s.next_starvation_check[job]
            or pending_of(v, job, MEMORY) == 0
        ):
            continue
        place = count
        while place > 0 and policy != FIFO and ranks_before(v, policy, job, s.ranked_jobs[place - 1]):
            s.ranked_jobs[place] = s.ranked_jobs[place - 1]
            place -= 1
        s.ranked_jobs[place] = job
        count += 1
    return count


def ranks_before(v: View, policy: int, job: int, other: int) -> bool:
    """Does a job stand before one that is earlier in job order?"""
    is_needy, first, second = job_rank(v, policy, job)
    other_needy, other_first, other_second = job_rank(v, policy, other)
    return compare_ranks(is_needy, first, second, other_needy, other_first, other_second) < 0


def update_fair_share_starvation(v: View, s: State, job: int, queue: int, now: int) -> None:
    """How far it is below the threshold of its fair share, once it has been for the timeout."""
    part = float(np.float32(s.fair_share_threshold[queue]))
    for resource in range(RESOURCE_COUNT):
        wanted = v.job_used_resource[resource, job] + pending_of(v, job, resource)
        threshold = int(v.job_fair_resource[resource, job] * part)
        s.job_lacks_resource[resource, THE_RUN] = min(threshold, wanted)
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[queue])
    lacks = is_below(v, policy, v.job_used_resource, job, s.job_lacks_resource, THE_RUN)
    if not lacks:
        s.last_at_fair_share[job] = now
    if lacks and now - s.last_at_fair_share[job] >= s.fair_share_timeout[queue]:
        subtract(s.job_lacks_resource, THE_RUN, v.job_used_resource, job, 1)
    else:
        clear(s.job_lacks_resource, THE_RUN)
    set_lack(s, s.starved_resource, job)


def min_share_starvation(v: View, s: State, queue: int, now: int) -> None:
    """leaf_lacks_resource: how far a leaf is below its minimum share, or its demand if that is less, once it
    has been for the timeout.
    """
    for resource in range(RESOURCE_COUNT):
        used = v.queue_used_resource[resource, queue]
        demand = min(used + v.queue_waiting_resource[resource, queue], v.queue_max_resource[resource, queue])
        wanted = min(v.queue_min_resource[resource, queue], demand)
        s.leaf_lacks_resource[resource, THE_RUN] = max(wanted - used, 0)
    if is_nothing(s.leaf_lacks_resource, THE_RUN):
        s.last_at_min_share[queue] = now
    if now - s.last_at_min_share[queue] < s.min_share_timeout[queue]:
        clear(s.leaf_lacks_resource, THE_RUN)


def is_starved_less(s: State, job: int, other: int) -> bool:
    """Does it lack no more than the other? (FSStarvedApps' comparator: of equals each goes first)"""
    more = 0
    for resource in range(RESOURCE_COUNT):
        more += lack_of(s, job, resource) > lack_of(s, other, resource)
    return more == 0


def lack_of(s: State, job: int, resource: int) -> int:
    """What a job lacks of either share."""
    return s.starved_resource[resource, job] + s.min_share_starved_resource[resource, job]


def push_starved(s: State, job: int) -> None:
    """Into the heap, if it is not there (java.util.concurrent.PriorityBlockingQueue.offer)."""
    place = s.starved_count
    for i in range(place):
        if s.starved_jobs[i] == job:
            return
    s.starved_count += 1
    while place > 0 and is_starved_less(s, job, s.starved_jobs[(place - 1) // 2]):
        s.starved_jobs[place] = s.starved_jobs[(place - 1) // 2]
        place = (place - 1) // 2
    s.starved_jobs[place] = job


def pop_starved(s: State) -> int:
    """Removes and returns the first of the heap."""
    first = s.starved_jobs[0]
    s.starved_count -= 1
    count = s.starved_count
    job = s.starved_jobs[count]
    place = 0
    while place < count // 2:
        child = 2 * place + 1
        if child + 1 < count and not is_starved_less(s, s.starved_jobs[child], s.starved_jobs[child + 1]):
            child += 1
        if is_starved_less(s, job, s.starved_jobs[child]):
            break
        s.starved_jobs[place] = s.starved_jobs[child]
        place = child
    s.starved_jobs[place] = job
    return first
