"""Ramp-up: reduces are asked for little by little, withdrawn, and killed when no map finds room, as Hadoop's own master does.

In Hadoop  MapReduce RMContainerAllocator 2.7, scheduleReduces and preemptReducesIfNeeded; mapreduce.job.reduce.slowstart.completedmaps,
           yarn.app.mapreduce.am.job.reduce.rampup.limit, …preemption.limit; every master's heartbeat is at the same moments (ours)
Knows      the job's waiting, running and finished tasks; what is free in the cluster, containers that have ended counting as gone
Ours       headroom is what is free in the whole cluster under every order (Hadoop's fair caps it at the fair share); what has
           waited is not asked (…preempt.delay.sec is 0 by default); 3.x's unconditional pre-emption after 300 s is left out; after a kill
           no reduce is asked for until a map of the job was placed, or scattered room could have reduces placed and killed for ever
Cost       constant; asked at each heartbeat of the masters
"""

import math

from engine.schedulers.policy import JOB, REDUCE_START, Parameter, Policy, Term
from engine.schedulers.view import ASK, MAP, NO_CHANGE, NOT_YET, REDUCE, request_of


def whole(memory, vcores, of_memory, of_vcores, counts_vcores):
    """How many containers fit, by integers that are cut towards 0 as Java's are (ResourceCalculatorUtils.computeAvailableContainers)."""
    found = cut(memory, of_memory)
    return min(found, cut(vcores, of_vcores)) if counts_vcores else found


def cut(amount, of):
    """amount / of, cut towards 0."""
    return amount // of if amount >= 0 else -(-amount // of)


def needed(memory, vcores, of_memory, of_vcores, counts_vcores):
    """How many containers hold an amount (ResourceCalculatorUtils.divideAndCeilContainers)."""
    found = (memory + of_memory - 1) // of_memory
    return max(found, (vcores + of_vcores - 1) // of_vcores) if counts_vcores else found


def limit_of(view, job):
    """(memory, vcores): what the job's tasks hold and what is free."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    maps, reduces = view.job_running_maps[job], view.job_running_reduces[job]
    memory = view.idle_memory[0] + maps * view.request_memory[as_map] + reduces * view.request_memory[as_reduce]
    vcores = view.idle_vcores[0] + maps * view.request_vcores[as_map] + reduces * view.request_vcores[as_reduce]
    return memory, vcores


def sizes_of(view, job):
    """(memory, vcores) of a map, of a reduce, and do vcores count."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    of_map = view.request_memory[as_map], view.request_vcores[as_map]
    of_reduce = view.request_memory[as_reduce], view.request_vcores[as_reduce]
    return of_map[0], of_map[1], of_reduce[0], of_reduce[1], view.counts_vcores[0] == 1


def kills_of(view, job, preempt):
    """How many of the job's reduces must go for a map of it; NO_CHANGE when there is room for one."""
    as_map = request_of(job, MAP)
    if view.request_waiting[as_map] == 0:
        return NO_CHANGE
    memory, vcores = limit_of(view, job)
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = sizes_of(view, job)
    running = view.job_running_reduces[job]
    if whole(memory - running * reduce_memory, vcores - running * reduce_vcores, map_memory, map_vcores, counts) > 0:
        return NO_CHANGE
    waiting = view.request_waiting[as_map]
    for_one = needed(map_memory, map_vcores, reduce_memory, reduce_vcores, counts)
    for_limit = needed(int(memory * preempt), int(vcores * preempt), reduce_memory, reduce_vcores, counts)
    for_all = needed(waiting * map_memory, waiting * map_vcores, reduce_memory, reduce_vcores, counts)
    return min(max(for_one, for_limit), for_all, running)


def ramp(view, job, limit):
    """How many reduces are to wait now; NOT_YET to leave it."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    waiting = view.request_waiting[as_reduce]
    pending = view.job_reduces[job] - view.job_placed_reduces[job] - waiting
    finished, maps = view.job_finished_maps[job], view.job_maps[job]
    if pending == 0 or finished < math.ceil(view.job_slowstart[job] * maps - 1e-9):
        return NOT_YET
    if view.request_waiting[as_map] == 0:
        return ASK
    memory, vcores = limit_of(view, job)
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = sizes_of(view, job)
    share = min(finished / maps, limit)
    for_reduces, for_reduces_vcores = int(memory * share), int(vcores * share)
    for_maps, for_maps_vcores = memory - for_reduces, vcores - for_reduces_vcores
    wanted_maps = view.request_waiting[as_map] + view.job_running_maps[job]
    if whole(for_maps, for_maps_vcores, map_memory, map_vcores, counts) >= wanted_maps:
        for_reduces = for_reduces + (for_maps - wanted_maps * map_memory)
        for_reduces_vcores = for_reduces_vcores + (for_maps_vcores - wanted_maps * map_vcores)
    have = waiting + view.job_running_reduces[job]
    more = whole(for_reduces - have * reduce_memory, for_reduces_vcores - have * reduce_vcores, reduce_memory, reduce_vcores, counts)
    view.completed[job] = finished / maps
    view.limit[job] = memory
    view.for_reduces[job] = for_reduces
    view.more[job] = more
    return waiting + min(more, pending) if more > 0 else waiting - min(-more, waiting)


RAMP_UP = Policy(
    "ramp-up",
    "Ramp-up",
    REDUCE_START,
    ramp,
    "Hadoop MapReduce, RMContainerAllocator",
    (
        Parameter("heartbeat_s", 1.0, "seconds between heartbeats of the masters", "Hadoop, …am.scheduler.heartbeat.interval-ms", low=0.001, high=1e6),
        Parameter("limit", 0.5, "largest share for reduces while maps wait", "Hadoop, …reduce.rampup.limit", low=0, high=1),
        Parameter("preempt", 0.5, "largest share to be freed at a time", "Hadoop, …reduce.preemption.limit", low=0, high=1),
    ),
    rule="its share of the job's resources, which grows with the maps that have finished, allowed it",
    window="heartbeat_s",
    on_window=lambda: NO_CHANGE,
    preempt=kills_of,
    terms=(
        Term("completed", "Maps finished", JOB, "Share of the job's maps.", "share"),
        Term("limit", "Job's limit", JOB, "What its tasks hold and what is free.", "MB"),
        Term("for_reduces", "For reduces", JOB, "The part of the limit that reduces may have.", "MB", strip="for reduces"),
        Term("more", "More reduces", JOB, "How many more may be asked for.", "reduces"),
    ),
)
