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
    amounts,
    array,
    given,
    number,
)
from engine.schedulers.hadoop.queue_sharing import job_rank, leaf_policy, pending_of
from engine.schedulers.hadoop.shares import compare, is_less
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
    used = max(
        np.float32(v.queue_used_memory[0]) / np.float32(v.cluster_memory),
        np.float32(v.queue_used_vcores[0]) / np.float32(v.cluster_vcores),
    )
    if np.float32(s.preemption_threshold) < used:
        for place in range(len(s.leaf_order)):
            find_starved_in_leaf(v, s, s.leaf_order[place], now)


def find_starved_in_leaf(v: View, s: State, queue: int, now: int) -> None:
    count = rank_demanding_jobs(v, s, queue, now)
    memory, vcores = 0, 0
    for place in range(count):
        job = s.ranked_jobs[place]
        update_fair_share_starvation(v, s, job, queue, now)
        if s.starved_memory[job] == 0 and s.starved_vcores[job] == 0:
            break
        push_starved(s, job)
        memory += s.starved_memory[job]
        vcores += s.starved_vcores[job]
    lacking_memory, lacking_vcores = min_share_starvation(v, s, queue, now)
    lacking_memory, lacking_vcores = max(lacking_memory - memory, 0), max(lacking_vcores - vcores, 0)
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[queue])
    for place in range(count):
        job = s.ranked_jobs[place]
        job_memory, job_vcores = 0, 0
        if lacking_memory > 0 or lacking_vcores > 0:
            pending_memory, pending_vcores = pending_of(v, job)
            job_memory, job_vcores = (
                max(pending_memory - s.starved_memory[job], 0),
                max(pending_vcores - s.starved_vcores[job], 0),
            )
            if is_less(v, policy == DRF, lacking_memory, lacking_vcores, job_memory, job_vcores):
                job_memory, job_vcores = (
                    max(job_memory - lacking_memory, 0),
                    max(job_vcores - lacking_vcores, 0),
                )
                lacking_memory, lacking_vcores = 0, 0
            else:
                lacking_memory, lacking_vcores = (
                    max(lacking_memory - job_memory, 0),
                    max(lacking_vcores - job_vcores, 0),
                )
            set_min_share_starvation(v, s, job, job_memory, job_vcores)
            push_starved(s, job)
        else:
            set_min_share_starvation(v, s, job, 0, 0)


def set_min_share_starvation(v: View, s: State, job: int, memory: int, vcores: int) -> None:
    """What it lacks of its leaf's minimum share; that may let it reserve nodes, or no longer."""
    if s.min_share_starved_memory[job] != memory or s.min_share_starved_vcores[job] != vcores:
        s.min_share_starved_memory[job], s.min_share_starved_vcores[job] = memory, vcores
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
            or pending_of(v, job)[0] == 0
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
    return compare(is_needy, first, second, other_needy, other_first, other_second) < 0


def update_fair_share_starvation(v: View, s: State, job: int, queue: int, now: int) -> None:
    """How far it is below the threshold of its fair share, once it has been for the timeout."""
    part = float(np.float32(s.fair_share_threshold[queue]))
    memory, vcores = pending_of(v, job)
    used_memory, used_vcores = v.job_used_memory[job], v.job_used_vcores[job]
    fair_memory, fair_vcores = int(v.job_fair_memory[job] * part), int(v.job_fair_vcores[job] * part)
    wanted_memory, wanted_vcores = (
        min(fair_memory, used_memory + memory),
        min(fair_vcores, used_vcores + vcores),
    )
    if not is_below(
        v,
        leaf_policy(s.default_queue_policy, v.queue_policy[queue]),
        used_memory,
        used_vcores,
        wanted_memory,
        wanted_vcores,
    ):
        s.last_at_fair_share[job] = now
        wanted_memory, wanted_vcores = 0, 0
    elif now - s.last_at_fair_share[job] < s.fair_share_timeout[queue]:
        wanted_memory, wanted_vcores = 0, 0
    lacking_memory, lacking_vcores = max(wanted_memory - used_memory, 0), max(wanted_vcores - used_vcores, 0)
    if wanted_memory == 0 and wanted_vcores == 0:
        lacking_memory, lacking_vcores = 0, 0
    if s.starved_memory[job] != lacking_memory or s.starved_vcores[job] != lacking_vcores:
        s.starved_memory[job], s.starved_vcores[job] = lacking_memory, lacking_vcores
        s.event_count += 1
        wake_parked(s)


def min_share_starvation(v: View, s: State, queue: int, now: int) -> tuple[int, int]:
    """How far a leaf is below its minimum share, or its demand if that is less, once it has been for the
    timeout.
    """
    used_memory, used_vcores = v.queue_used_memory[queue], v.queue_used_vcores[queue]
    demand_memory = min(used_memory + v.queue_waiting_memory[queue], v.queue_max_memory[queue])
    demand_vcores = min(used_vcores + v.queue_waiting_vcores[queue], v.queue_max_vcores[queue])
    memory = max(min(v.queue_min_memory[queue], demand_memory) - used_memory, 0)
    vcores = max(min(v.queue_min_vcores[queue], demand_vcores) - used_vcores, 0)
    if memory == 0 and vcores == 0:
        s.last_at_min_share[queue] = now
    if now - s.last_at_min_share[queue] < s.min_share_timeout[queue]:
        return 0, 0
    return memory, vcores


def is_below(v: View, policy: int, memory: int, vcores: int, than_memory: int, than_vcores: int) -> bool:
    """By memory, under drf by the larger share of the cluster alone (FSAppAttempt.isUsageBelowShare)."""
    if policy != DRF:
        return memory < than_memory
    share = max(memory / v.cluster_memory, vcores / v.cluster_vcores)
    return share < max(than_memory / v.cluster_memory, than_vcores / v.cluster_vcores)


def is_starved_less(s: State, job: int, other: int) -> bool:
    """Does it lack no more than the other? (FSStarvedApps' comparator: of equals each goes first)"""
    memory, vcores = (
        s.starved_memory[job] + s.min_share_starved_memory[job],
        s.starved_vcores[job] + s.min_share_starved_vcores[job],
    )
    return (
        memory <= s.starved_memory[other] + s.min_share_starved_memory[other]
        and vcores <= s.starved_vcores[other] + s.min_share_starved_vcores[other]
    )


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
