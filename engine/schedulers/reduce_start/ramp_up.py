"""Ramp-up: reduces are asked for little by little, withdrawn, and killed when no map finds room, as Hadoop's own master does.

In Hadoop  MapReduce RMContainerAllocator 3.4.1, scheduleReduces and preemptReducesIfNeeded; mapreduce.job.reduce.slowstart.completedmaps,
           yarn.app.mapreduce.am.job.reduce.rampup.limit, …preemption.limit, mapreduce.job.reducer.unconditional-preempt.delay.sec
Knows      the job's waiting and finished tasks, those that run or whose end the scheduler has not seen; the headroom it is told
           Sizes are what the master asked for, whatever the scheduler rounds them to
Ours       masters without heartbeats of their own (am.heartbeat_s) beat at the same moments; what one asks for at a heartbeat reaches the
           scheduler at once; the latest-started reduce has done least; …reducer.preempt.delay.sec is 0, as by default
Cost       constant; asked at each heartbeat of the masters
"""

import numpy as np

from engine.schedulers.policy import JOB, REDUCE_START, Parameter, Policy, Term
from engine.schedulers.terms.reduces_left import is_past_slowstart, left_to_ask
from engine.schedulers.view import ASK, MAP, NO_CHANGE, NOT_YET, REDUCE, job_of, kind_of, request_of


def whole(memory, vcores, of_memory, of_vcores, counts_vcores):
    """How many containers fit, by integers that are cut towards 0 as Java's are (ResourceCalculatorUtils.computeAvailableContainers)."""
    found = cut(memory, of_memory)
    return min(found, cut(vcores, of_vcores)) if counts_vcores else found


def cut(amount, of):
    """amount / of, cut towards 0."""
    return amount // of if amount >= 0 else -(-amount // of)


def part(amount, share):
    """A float of it, cut (Resources.multiply)."""
    return int(amount * float(np.float32(share)))


def needed(memory, vcores, of_memory, of_vcores, counts_vcores):
    """How many containers hold an amount (ResourceCalculatorUtils.divideAndCeilContainers)."""
    found = (memory + of_memory - 1) // of_memory
    return max(found, (vcores + of_vcores - 1) // of_vcores) if counts_vcores else found


def limit_of(view, job):
    """(memory, vcores): the headroom and what the job's tasks hold."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    maps, reduces = view.request_held[as_map], view.request_held[as_reduce]
    memory = view.headroom_memory[0] + maps * view.request_own_memory[as_map] + reduces * view.request_own_memory[as_reduce]
    vcores = view.headroom_vcores[0] + maps * view.request_own_vcores[as_map] + reduces * view.request_own_vcores[as_reduce]
    return memory, vcores


def sizes_of(view, job):
    """(memory, vcores) of a map, of a reduce, and do vcores count."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    of_map = view.request_own_memory[as_map], view.request_own_vcores[as_map]
    of_reduce = view.request_own_memory[as_reduce], view.request_own_vcores[as_reduce]
    return of_map[0], of_map[1], of_reduce[0], of_reduce[1], view.counts_vcores[0] == 1


def hangs(view, as_map, now, unconditional_s):
    """Have the job's maps waited for so long that reduces go whatever the headroom is?"""
    return unconditional_s == 0 or now - view.request_asked[as_map] > 1000 * unconditional_s


def kills_of(view, job, now, preempt, unconditional_s):
    """How many of the job's reduces must go for maps of it; NO_CHANGE when a map runs, or there is room for one."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    waiting = view.request_waiting[as_map]
    if waiting == 0 or view.request_held[as_map] > 0:
        return NO_CHANGE
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = sizes_of(view, job)
    asked = view.request_waiting[as_reduce]
    left_memory, left_vcores = view.headroom_memory[0] - asked * reduce_memory, view.headroom_vcores[0] - asked * reduce_vcores
    if not hangs(view, as_map, now, unconditional_s) and whole(left_memory, left_vcores, map_memory, map_vcores, counts) > 0:
        return NO_CHANGE
    memory, vcores = limit_of(view, job)
    for_one = needed(map_memory, map_vcores, reduce_memory, reduce_vcores, counts)
    for_limit = needed(part(memory, preempt), part(vcores, preempt), reduce_memory, reduce_vcores, counts)
    for_all = needed(waiting * map_memory, waiting * map_vcores, reduce_memory, reduce_vcores, counts)
    running = view.job_running_reduces[job]
    killed_before = view.request_held[as_reduce] - running
    return min(max(min(max(for_one, for_limit), for_all) - killed_before, 0), running)


def kills_later(view, now, unconditional_s):
    """When the maps of a job that has reduces will hang, if nothing happens until then: the earliest such time, or NO_CHANGE."""
    soonest = NO_CHANGE
    for place in range(view.waiting_count[0]):
        request = view.waiting_requests[place]
        job = job_of(request)
        reduces = view.job_running_reduces[job] + view.request_waiting[request_of(job, REDUCE)]
        if kind_of(request) == MAP and view.request_held[request] == 0 and reduces > 0 and not hangs(view, request, now, unconditional_s):
            hanging = view.request_asked[request] + int(1000 * unconditional_s) + 1
            soonest = hanging if soonest == NO_CHANGE else min(soonest, hanging)
    return soonest


def ramp(view, job, limit):
    """How many reduces are to wait now; NOT_YET to leave it."""
    as_map, as_reduce = request_of(job, MAP), request_of(job, REDUCE)
    waiting = view.request_waiting[as_reduce] - view.request_backups[as_reduce]
    pending = left_to_ask(view, job)
    finished, maps = view.job_finished_maps[job], view.job_maps[job]
    if pending == 0 or not is_past_slowstart(view, job):
        return NOT_YET
    if view.request_waiting[as_map] == 0:
        return ASK
    memory, vcores = limit_of(view, job)
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = sizes_of(view, job)
    share = min(np.float32(finished) / np.float32(maps), np.float32(limit))
    for_reduces, for_reduces_vcores = part(memory, share), part(vcores, share)
    for_maps, for_maps_vcores = memory - for_reduces, vcores - for_reduces_vcores
    wanted_maps = view.request_waiting[as_map] + view.request_held[as_map]
    if whole(for_maps, for_maps_vcores, map_memory, map_vcores, counts) >= wanted_maps:
        for_reduces = for_reduces + (for_maps - wanted_maps * map_memory)
        for_reduces_vcores = for_reduces_vcores + (for_maps_vcores - wanted_maps * map_vcores)
    have = view.request_waiting[as_reduce] + view.request_held[as_reduce]
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
        Parameter(
            "unconditional_s",
            300.0,
            "seconds that maps wait before reduces go whatever the headroom is",
            "Hadoop, …reducer.unconditional-preempt.delay.sec",
            low=0,
            high=3600,
        ),
    ),
    rule="its share of the job's resources, which grows with the maps that have finished, allowed it",
    window="heartbeat_s",
    on_window=kills_later,
    preempt=kills_of,
    terms=(
        Term("completed", "Maps finished", JOB, "Share of the job's maps.", "share"),
        Term("limit", "Job's limit", JOB, "Its headroom and what its tasks hold.", "MB"),
        Term("for_reduces", "For reduces", JOB, "The part of the limit that reduces may have.", "MB", strip="for reduces"),
        Term("more", "More reduces", JOB, "How many more may be asked for.", "reduces"),
    ),
)
