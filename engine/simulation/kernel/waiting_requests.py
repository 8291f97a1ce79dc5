"""What waits, in order, and the minimum and maximum of it that a node must have free.

Where orders see the first of each group, or walk down the queues, the list is made only when somebody is to
go through it (refresh_waiting_list): a request that begins or ceases to wait then costs the same however many
others wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, MASTER, STARVED, WALKED
from engine.run_records import (
    GROUP,
    JOB,
    QUEUE,
    REQUEST,
    Amounts,
    Flags,
    Ints,
    Record,
    Size,
    amount,
    amounts,
    array,
    given,
    given_amounts,
    number,
)
from engine.schedulers.hadoop.leaf_order import first_waiting
from engine.schedulers.view import JOBS_IN_BLOCK
from engine.simulation.hadoop.fair.fair_shares import exceeds_reservation_threshold
from engine.simulation.hadoop.queues.usage import count_in_queues

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class WaitingRequests(Record):
    """What waits, and its smallest and largest container."""

    waiting_resource: Amounts = amounts(REQUEST, "what a container of View.waiting must find free on a node")
    waiting_reserves: Flags = array(REQUEST, "", "it may reserve a node")
    lists_lazily: int = number(
        "", "1: waiting_requests is made when somebody is to go through it (waiting_requests.py)"
    )
    is_list_stale: int = number("", "1: waiting_requests is to be made again")
    first_waiting: int = number("", "where lists_lazily: no job before it has a request that waits")
    unadmitted_count: int = number("", "waiting masters that are not admitted, where a rule may hold them")
    reserving_count: int = number("", "waiting requests that may reserve a node")
    min_waiting_resource: Amounts = amount(
        "of all that waits: a node with less free needs no look", initial=INFINITE
    )
    max_waiting_resource: Amounts = amount("a node with as much free fits everything")
    group_of: Ints = given(
        Size(REQUEST, 2),
        "",
        "of a request, and of requests that may reserve in the second half: which leaf, size and kind "
        "of container",
    )
    group_count: int = number("", "of the groups")
    group_waiting: Ints = array(GROUP, "", "requests of it that wait")
    group_resource: Amounts = given_amounts(GROUP, "what a container of it needs")
    active_jobs: Ints = array(
        JOB, "", "as they became active; some have left since the list was last looked at"
    )
    active_count: int = number("", "of active_jobs")
    queue_active_jobs: Ints = array(QUEUE, "", "in it and below it; waiting_requests.py, fair_shares.py")


def may_reserve(v: View, s: State, request: int) -> bool:
    """Is it one that can ever reserve a node?"""
    return s.reserves == WALKED or (s.reserves == STARVED and exceeds_reservation_threshold(v, s, request))


def may_be_held_back(v: View, s: State, request: int) -> bool:
    """Is it of a master that is not admitted, where a rule may hold it?"""
    if v.request_kind[request] != MASTER or s.admits_all == 1:
        return False
    return s.admitted[v.request_job[request]] == 0


def add_to_waiting_list(v: View, s: State, request: int) -> None:
    """A request waits."""
    if s.lists_lazily == 1:
        s.is_list_stale = 1
        s.first_waiting = min(s.first_waiting, v.request_job[request])
    else:
        i = v.waiting_count
        while i > 0 and v.waiting_requests[i - 1] > request:
            copy_entry(v, s, i - 1, i)
            i -= 1
        set_list_entry(v, s, i, request)
    v.waiting_count += 1
    s.reserving_count += may_reserve(v, s, request)
    s.unadmitted_count += may_be_held_back(v, s, request)
    count_waiting_job(v, request, 1)
    widen_extremes(v, s, request)
    if s.group_count > 0:
        s.group_waiting[s.group_of[request]] += 1


def remove_from_waiting_list(v: View, s: State, request: int) -> None:
    """A request waits no more."""
    v.waiting_count -= 1
    if s.lists_lazily == 1:
        s.is_list_stale = 1
    else:
        i = 0
        while v.waiting_requests[i] != request:
            i += 1
        while i < v.waiting_count:
            copy_entry(v, s, i + 1, i)
            i += 1
    s.reserving_count -= may_reserve(v, s, request)
    s.unadmitted_count -= may_be_held_back(v, s, request)
    count_waiting_job(v, request, -1)
    if s.group_count > 0:
        s.group_waiting[s.group_of[request]] -= 1
        if s.group_waiting[s.group_of[request]] == 0:
            find_group_extremes(s)
    elif s.lists_lazily == 1:
        if v.waiting_count == 0:
            find_extremes(v, s)  # else they stay as wide as they were, which costs a look at a node at most
    elif not are_extremes_unchanged(v, s, v.request_memory[request], s.fit_vcores[request]):
        find_extremes(v, s)


def recount_reserving(v: View, s: State) -> None:
    """The cluster is another: what is large by its share of it is too."""
    s.reserving_count = 0
    first = v.job_first_request[s.first_waiting * s.lists_lazily]
    for request in range(first, v.job_first_request[s.arrived_jobs]):
        s.reserving_count += v.request_waiting[request] > 0 and may_reserve(v, s, request)
    s.is_list_stale = s.lists_lazily
    if s.lists_lazily == 0:
        for i in range(v.waiting_count):
            s.waiting_reserves[i] = may_reserve(v, s, v.waiting_requests[i])


def copy_entry(v: View, s: State, i: int, to: int) -> None:
    v.waiting_requests[to] = v.waiting_requests[i]
    s.waiting_memory[to] = s.waiting_memory[i]
    s.waiting_vcores[to] = s.waiting_vcores[i]
    s.waiting_reserves[to] = s.waiting_reserves[i]


def set_list_entry(v: View, s: State, i: int, request: int) -> None:
    v.waiting_requests[i] = request
    s.waiting_memory[i] = v.request_memory[request]
    s.waiting_vcores[i] = s.fit_vcores[request]
    s.waiting_reserves[i] = may_reserve(v, s, request)


def refresh_waiting_list(v: View, s: State) -> None:
    """The list is as it would be had every request been entered, and left it, in its place."""
    if s.is_list_stale == 0:
        return
    s.is_list_stale = 0
    count = 0
    for block in range(s.arrived_jobs // JOBS_IN_BLOCK + 1):
        if v.waiting_in_block[block] > 0:
            first, end = JOBS_IN_BLOCK * block, min(JOBS_IN_BLOCK * (block + 1), len(v.job_arrival))
            for request in range(v.job_first_request[first], v.job_first_request[end]):
                if v.request_waiting[request] > 0:
                    set_list_entry(v, s, count, request)
                    count += 1


def first_waiting_job(v: View, s: State) -> int:
    """No job before it has a request that waits."""
    job = s.first_waiting
    while job < s.arrived_jobs and first_waiting(v, job) < 0:
        job = (
            job + 1
            if v.waiting_in_block[job // JOBS_IN_BLOCK] > 0
            else (job // JOBS_IN_BLOCK + 1) * JOBS_IN_BLOCK
        )
    s.first_waiting = job
    return job


def count_waiting_job(v: View, request: int, change: int) -> None:
    """A request waits (1), or does no more (-1): so does its job, unless another one of it waits."""
    job = v.request_job[request]
    others = 0
    for other in range(v.job_first_request[job], v.job_first_request[job + 1]):
        others += other != request and v.request_waiting[other] > 0
    if others == 0:
        v.queue_waiting_jobs[0] += change
        v.queue_waiting_jobs[v.job_queue[job]] += change
        v.waiting_in_block[job // JOBS_IN_BLOCK] += change
        count_active_waiting_job(v, job, change * v.job_is_active[job])


def set_active(v: View, s: State, job: int, is_active: int) -> None:
    """The scheduler may serve the job (1), or no more (0)."""
    change = is_active - v.job_is_active[job]
    v.job_is_active[job] = is_active
    if change > 0:
        s.active_jobs[s.active_count] = job
        s.active_count += 1
    count_in_queues(v, s.queue_active_jobs, job, change)
    if first_waiting(v, job) >= 0:
        count_active_waiting_job(v, job, change)


def count_active_waiting_job(v: View, job: int, change: int) -> None:
    v.active_waiting_in_block[job // JOBS_IN_BLOCK] += change
    v.queue_active_waiting_jobs[v.job_queue[job]] += change


def widen_extremes(v: View, s: State, request: int) -> None:
    """A request is one more that waits."""
    memory, vcores = v.request_memory[request], s.fit_vcores[request]
    s.min_waiting_memory = min(s.min_waiting_memory, memory)
    s.min_waiting_vcores = min(s.min_waiting_vcores, vcores)
    s.max_waiting_memory = max(s.max_waiting_memory, memory)
    s.max_waiting_vcores = max(s.max_waiting_vcores, vcores)


def find_extremes(v: View, s: State) -> None:
    """The least and the most that is waited for: a node with less room than the least need not be looked at,
    one with the most fits all.
    """
    min_memory = min_vcores = INFINITE
    max_memory = max_vcores = 0
    for i in range(v.waiting_count):
        min_memory = min(min_memory, s.waiting_memory[i])
        min_vcores = min(min_vcores, s.waiting_vcores[i])
        max_memory = max(max_memory, s.waiting_memory[i])
        max_vcores = max(max_vcores, s.waiting_vcores[i])
    s.min_waiting_memory = min_memory
    s.min_waiting_vcores = min_vcores
    s.max_waiting_memory = max_memory
    s.max_waiting_vcores = max_vcores


def find_group_extremes(s: State) -> None:
    """As find_extremes, where requests are in groups."""
    s.min_waiting_memory = s.min_waiting_vcores = INFINITE
    s.max_waiting_memory = s.max_waiting_vcores = 0
    for group in range(s.group_count):
        if s.group_waiting[group] > 0:
            s.min_waiting_memory = min(s.min_waiting_memory, s.group_memory[group])
            s.min_waiting_vcores = min(s.min_waiting_vcores, s.group_vcores[group])
            s.max_waiting_memory = max(s.max_waiting_memory, s.group_memory[group])
            s.max_waiting_vcores = max(s.max_waiting_vcores, s.group_vcores[group])


def are_extremes_unchanged(v: View, s: State, memory: int, vcores: int) -> bool:
    """Are the extremes the same without a request of this size?"""
    memory_unchanged = s.min_waiting_memory < memory < s.max_waiting_memory
    vcores_unchanged = s.min_waiting_vcores < vcores < s.max_waiting_vcores
    i = 0
    while i < v.waiting_count and not (memory_unchanged and vcores_unchanged):
        memory_unchanged = memory_unchanged or s.waiting_memory[i] == memory
        vcores_unchanged = vcores_unchanged or s.waiting_vcores[i] == vcores
        i += 1
    return memory_unchanged and vcores_unchanged


def no_idle_node_fits(s: State, request: int) -> int:
    """Does no node that sleeps have room for a request that has begun to wait? None has, if another one waits
    that needs no more: it would have woken it.

    Those that a limit of tasks keeps asleep may.
    """
    smaller_waits = False
    if s.limits_slots == 0:
        own_group = s.group_of[request] if s.group_count > 0 else -1
        for group in range(s.group_count):
            waits = s.group_waiting[group] > (group == own_group)
            is_smaller = (
                s.group_memory[group] <= s.group_memory[own_group]
                and s.group_vcores[group] <= s.group_vcores[own_group]
            )
            smaller_waits = smaller_waits or (waits and is_smaller)
    return smaller_waits
