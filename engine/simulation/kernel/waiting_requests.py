"""What waits, in order, and the minimum and maximum of it that a node must have free.

Where orders see the first of each group, or walk down the queues, the list is made only when somebody is to
go through it (refresh_waiting_list): a request that begins or ceases to wait then costs the same however many
others wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, MASTER, STARVED, WALKED
from engine.resource_types import RESOURCE_COUNT
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
from engine.schedulers.amounts import THE_RUN, assign, fits
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
    widen_extremes(s, s.fit_resource, request)
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
    elif not are_extremes_unchanged(v, s, request):
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
    assign(s.waiting_resource, to, s.waiting_resource, i)
    s.waiting_reserves[to] = s.waiting_reserves[i]


def set_list_entry(v: View, s: State, i: int, request: int) -> None:
    v.waiting_requests[i] = request
    assign(s.waiting_resource, i, s.fit_resource, request)
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


def widen_extremes(s: State, sizes: Amounts, size: int) -> None:
    """There is one more size that is waited for."""
    for resource in range(RESOURCE_COUNT):
        asked = sizes[resource, size]
        s.min_waiting_resource[resource, THE_RUN] = min(s.min_waiting_resource[resource, THE_RUN], asked)
        s.max_waiting_resource[resource, THE_RUN] = max(s.max_waiting_resource[resource, THE_RUN], asked)


def forget_extremes(s: State) -> None:
    for resource in range(RESOURCE_COUNT):
        s.min_waiting_resource[resource, THE_RUN] = INFINITE
        s.max_waiting_resource[resource, THE_RUN] = 0


def find_extremes(v: View, s: State) -> None:
    """The least and the most that is waited for: a node with less room than the least need not be looked at,
    one with the most fits all.
    """
    forget_extremes(s)
    for i in range(v.waiting_count):
        widen_extremes(s, s.waiting_resource, i)


def find_group_extremes(s: State) -> None:
    """As find_extremes, where requests are in groups."""
    forget_extremes(s)
    for group in range(s.group_count):
        if s.group_waiting[group] > 0:
            widen_extremes(s, s.group_resource, group)


def are_extremes_unchanged(v: View, s: State, request: int) -> bool:
    """Are the extremes the same without this request?"""
    for resource in range(RESOURCE_COUNT):
        asked = s.fit_resource[resource, request]
        least, most = s.min_waiting_resource[resource, THE_RUN], s.max_waiting_resource[resource, THE_RUN]
        is_unchanged = least < asked < most
        i = 0
        while i < v.waiting_count and not is_unchanged:
            is_unchanged = s.waiting_resource[resource, i] == asked
            i += 1
        if not is_unchanged:
            return False
    return True


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
            is_smaller = fits(s.group_resource, group, s.group_resource, own_group)
            smaller_waits = smaller_waits or (waits and is_smaller)
    return smaller_waits
