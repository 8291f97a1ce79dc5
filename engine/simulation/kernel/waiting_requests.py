"""What waits, in order, and the minimum and maximum of it that a node must have free.

Where orders see the first of each group, or walk down the queues, the list is made only when somebody is to
go through it (refresh_waiting_list): a request that begins or ceases to wait then costs the same however many
others wait.
"""

from __future__ import annotations

from engine.codes import INFINITE, MASTER, PER_JOB, STARVED, WALKED
from engine.schedulers.terms.leaf_order import first_waiting
from engine.schedulers.view import JOBS_IN_BLOCK
from engine.simulation.kernel.fair_shares import exceeds_reservation_threshold
from engine.simulation.kernel.usage import count_in_queues


def may_reserve(v, s, request):
    """Is it one that can ever reserve a node?"""
    return s.reserves[0] == WALKED or (
        s.reserves[0] == STARVED and exceeds_reservation_threshold(v, s, request)
    )


def may_be_held_back(s, request):
    """Is it of a master that is not admitted, where a rule may hold it?"""
    return request % PER_JOB == MASTER and s.admitted[request // PER_JOB] == 0 and s.admits_all[0] == 0


def add_to_waiting_list(v, s, request):
    """A request waits."""
    if s.lists_lazily[0] == 1:
        s.is_list_stale[0] = 1
        s.first_waiting[0] = min(s.first_waiting[0], request // PER_JOB)
    else:
        i = v.waiting_count[0]
        while i > 0 and v.waiting_requests[i - 1] > request:
            copy_entry(v, s, i - 1, i)
            i -= 1
        set_list_entry(v, s, i, request)
    v.waiting_count[0] += 1
    s.reserving_count[0] += may_reserve(v, s, request)
    s.unadmitted_count[0] += may_be_held_back(s, request)
    count_waiting_job(v, request, 1)
    widen_extremes(v, s, request)
    if s.group_count[0] > 0:
        s.group_waiting[s.group_of[request]] += 1


def remove_from_waiting_list(v, s, request):
    """A request waits no more."""
    v.waiting_count[0] -= 1
    if s.lists_lazily[0] == 1:
        s.is_list_stale[0] = 1
    else:
        i = 0
        while v.waiting_requests[i] != request:
            i += 1
        while i < v.waiting_count[0]:
            copy_entry(v, s, i + 1, i)
            i += 1
    s.reserving_count[0] -= may_reserve(v, s, request)
    s.unadmitted_count[0] -= may_be_held_back(s, request)
    count_waiting_job(v, request, -1)
    if s.group_count[0] > 0:
        s.group_waiting[s.group_of[request]] -= 1
        if s.group_waiting[s.group_of[request]] == 0:
            find_group_extremes(s)
    elif s.lists_lazily[0] == 1:
        if v.waiting_count[0] == 0:
            find_extremes(v, s)  # else they stay as wide as they were, which costs a look at a node at most
    elif not are_extremes_unchanged(v, s, v.request_memory[request], s.fit_vcores[request]):
        find_extremes(v, s)


def recount_reserving(v, s):
    """The cluster is another: what is large by its share of it is too."""
    s.reserving_count[0] = 0
    for request in range(PER_JOB * s.first_waiting[0] * s.lists_lazily[0], PER_JOB * s.arrived_jobs[0]):
        s.reserving_count[0] += v.request_waiting[request] > 0 and may_reserve(v, s, request)
    s.is_list_stale[0] = s.lists_lazily[0]
    if s.lists_lazily[0] == 0:
        for i in range(v.waiting_count[0]):
            s.waiting_reserves[i] = may_reserve(v, s, v.waiting_requests[i])


def copy_entry(v, s, i, to):
    v.waiting_requests[to] = v.waiting_requests[i]
    s.waiting_memory[to] = s.waiting_memory[i]
    s.waiting_vcores[to] = s.waiting_vcores[i]
    s.waiting_reserves[to] = s.waiting_reserves[i]


def set_list_entry(v, s, i, request):
    v.waiting_requests[i] = request
    s.waiting_memory[i] = v.request_memory[request]
    s.waiting_vcores[i] = s.fit_vcores[request]
    s.waiting_reserves[i] = may_reserve(v, s, request)


def refresh_waiting_list(v, s):
    """The list is as it would be had every request been entered, and left it, in its place."""
    if s.is_list_stale[0] == 0:
        return
    s.is_list_stale[0] = 0
    count = 0
    for block in range(s.arrived_jobs[0] // JOBS_IN_BLOCK + 1):
        if v.waiting_in_block[block] > 0:
            first = PER_JOB * JOBS_IN_BLOCK * block
            for request in range(first, min(first + PER_JOB * JOBS_IN_BLOCK, len(v.request_waiting))):
                if v.request_waiting[request] > 0:
                    set_list_entry(v, s, count, request)
                    count += 1


def first_waiting_job(v, s):
    """No job before it has a request that waits."""
    job = s.first_waiting[0]
    while job < s.arrived_jobs[0] and first_waiting(v, job) < 0:
        job = (
            job + 1
            if v.waiting_in_block[job // JOBS_IN_BLOCK] > 0
            else (job // JOBS_IN_BLOCK + 1) * JOBS_IN_BLOCK
        )
    s.first_waiting[0] = job
    return job


def count_waiting_job(v, request, change):
    """A request waits (1), or does no more (-1): so does its job, unless another one of it waits."""
    job = request // PER_JOB
    others = 0
    for other in range(PER_JOB * job, PER_JOB * job + PER_JOB):
        others += other != request and v.request_waiting[other] > 0
    if others == 0:
        v.queue_waiting_jobs[0] += change
        v.queue_waiting_jobs[v.job_queue[job]] += change
        v.waiting_in_block[job // JOBS_IN_BLOCK] += change
        count_active_waiting_job(v, job, change * v.job_is_active[job])


def set_active(v, s, job, is_active):
    """The scheduler may serve the job (1), or no more (0)."""
    change = is_active - v.job_is_active[job]
    v.job_is_active[job] = is_active
    if change > 0:
        s.active_jobs[s.active_count[0]] = job
        s.active_count[0] += 1
    count_in_queues(v, s.queue_active_jobs, job, change)
    if first_waiting(v, job) >= 0:
        count_active_waiting_job(v, job, change)


def count_active_waiting_job(v, job, change):
    v.active_waiting_in_block[job // JOBS_IN_BLOCK] += change
    v.queue_active_waiting_jobs[v.job_queue[job]] += change


def widen_extremes(v, s, request):
    """A request is one more that waits."""
    memory, vcores = v.request_memory[request], s.fit_vcores[request]
    s.min_waiting_memory[0] = min(s.min_waiting_memory[0], memory)
    s.min_waiting_vcores[0] = min(s.min_waiting_vcores[0], vcores)
    s.max_waiting_memory[0] = max(s.max_waiting_memory[0], memory)
    s.max_waiting_vcores[0] = max(s.max_waiting_vcores[0], vcores)


def find_extremes(v, s):
    """The least and the most that is waited for: a node with less room than the least need not be looked at,
    one with the most fits all.
    """
    min_memory = min_vcores = INFINITE
    max_memory = max_vcores = 0
    for i in range(v.waiting_count[0]):
        min_memory = min(min_memory, s.waiting_memory[i])
        min_vcores = min(min_vcores, s.waiting_vcores[i])
        max_memory = max(max_memory, s.waiting_memory[i])
        max_vcores = max(max_vcores, s.waiting_vcores[i])
    s.min_waiting_memory[0] = min_memory
    s.min_waiting_vcores[0] = min_vcores
    s.max_waiting_memory[0] = max_memory
    s.max_waiting_vcores[0] = max_vcores


def find_group_extremes(s):
    """As find_extremes, where requests are in groups."""
    s.min_waiting_memory[0] = s.min_waiting_vcores[0] = INFINITE
    s.max_waiting_memory[0] = s.max_waiting_vcores[0] = 0
    for group in range(s.group_count[0]):
        if s.group_waiting[group] > 0:
            s.min_waiting_memory[0] = min(s.min_waiting_memory[0], s.group_memory[group])
            s.min_waiting_vcores[0] = min(s.min_waiting_vcores[0], s.group_vcores[group])
            s.max_waiting_memory[0] = max(s.max_waiting_memory[0], s.group_memory[group])
            s.max_waiting_vcores[0] = max(s.max_waiting_vcores[0], s.group_vcores[group])


def are_extremes_unchanged(v, s, memory, vcores):
    """Are the extremes the same without a request of this size?"""
    memory_unchanged = s.min_waiting_memory[0] < memory < s.max_waiting_memory[0]
    vcores_unchanged = s.min_waiting_vcores[0] < vcores < s.max_waiting_vcores[0]
    i = 0
    while i < v.waiting_count[0] and not (memory_unchanged and vcores_unchanged):
        memory_unchanged = memory_unchanged or s.waiting_memory[i] == memory
        vcores_unchanged = vcores_unchanged or s.waiting_vcores[i] == vcores
        i += 1
    return memory_unchanged and vcores_unchanged


def no_idle_node_fits(s, request):
    """Does no node that sleeps have room for a request that has begun to wait? None has, if another one waits
    that needs no more: it would have woken it.

    Those that a limit of tasks keeps asleep may.
    """
    smaller_waits = False
    if s.limits_slots[0] == 0:
        own_group = s.group_of[request] if s.group_count[0] > 0 else -1
        for group in range(s.group_count[0]):
            waits = s.group_waiting[group] > (group == own_group)
            is_smaller = (
                s.group_memory[group] <= s.group_memory[own_group]
                and s.group_vcores[group] <= s.group_vcores[own_group]
            )
            smaller_waits = smaller_waits or (waits and is_smaller)
    return smaller_waits
