"""Ramp-up: reduces are asked for little by little, withdrawn, and killed when no map finds room, as Hadoop's
own master does (RAMPUP-1, RAMPUP-3).

In Hadoop  MapReduce RMContainerAllocator 3.4.1, scheduleReduces and preemptReducesIfNeeded;
           mapreduce.job.reduce.slowstart.completedmaps, yarn.app.mapreduce.am.job.reduce.rampup.limit,
           …preemption.limit, mapreduce.job.reducer.unconditional-preempt.delay.sec
Knows      the job's waiting and finished tasks, those that run or whose end the scheduler has not seen; the
           headroom it is told. Sizes are what the master asked for, whatever the scheduler rounds them to;
           of resources memory and vcores alone (SchedulerResourceTypes)
Ours       masters without heartbeats of their own (am.heartbeat_s) heartbeat at the same moments; what one
           asks for at a heartbeat reaches the scheduler at once; the latest-started reduce has done least;
           …reducer.preempt.delay.sec is 0, as by default
Cost       constant; asked at each heartbeat of the masters
"""

import math

import numpy as np

from engine.schedulers.policy import JOB, REDUCE_START, RUN, Parameter, Policy, StateArray, Term, Windows
from engine.schedulers.terms.remaining_reduces import is_past_slowstart, unrequested_reduces
from engine.schedulers.view import ASK, MAP, NO_CHANGE, NOT_YET, REDUCE, job_of, kind_of, request_of


def containers_that_fit(memory, vcores, container_memory, container_vcores, counts_vcores):
    """How many containers fit, by integers that are cut towards 0 as Java's are
    (ResourceCalculatorUtils.computeAvailableContainers).
    """
    count = truncated_quotient(memory, container_memory)
    return min(count, truncated_quotient(vcores, container_vcores)) if counts_vcores else count


def truncated_quotient(amount, divisor):
    """amount / of, cut towards 0."""
    return amount // divisor if amount >= 0 else -(-amount // divisor)


def multiply(amount, share):
    """A float of it, cut (Resources.multiply)."""
    return int(amount * float(np.float32(share)))


def containers_needed(memory, vcores, container_memory, container_vcores, counts_vcores):
    """How many containers hold an amount (ResourceCalculatorUtils.divideAndCeilContainers)."""
    count = (memory + container_memory - 1) // container_memory
    return max(count, (vcores + container_vcores - 1) // container_vcores) if counts_vcores else count


def resource_limit(view, job):
    """(memory, vcores): the headroom and what the job's tasks hold."""
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    maps, reduces = view.request_held[as_map], view.request_held[as_reduce]
    memory = (
        view.headroom_memory
        + maps * view.request_asked_memory[as_map]
        + reduces * view.request_asked_memory[as_reduce]
    )
    vcores = (
        view.headroom_vcores
        + maps * view.request_asked_vcores[as_map]
        + reduces * view.request_asked_vcores[as_reduce]
    )
    return memory, vcores


def task_sizes(view, job):
    """(memory, vcores) of a map, of a reduce, and do vcores count."""
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    map_size = view.request_asked_memory[as_map], view.request_asked_vcores[as_map]
    reduce_size = view.request_asked_memory[as_reduce], view.request_asked_vcores[as_reduce]
    return map_size[0], map_size[1], reduce_size[0], reduce_size[1], view.counts_vcores == 1


def waits_too_long(view, as_map, now, unconditional_s):
    """Have the job's maps waited for so long that reduces go whatever the headroom is?"""
    return unconditional_s == 0 or now - view.request_asked_at[as_map] > 1000 * unconditional_s


def reduces_to_preempt(view, job, now, preempt, unconditional_s):
    """How many of the job's reduces must go for maps of it; NO_CHANGE when a map runs, or there is room for
    one.
    """
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    waiting_maps = view.request_waiting[as_map]
    if waiting_maps == 0 or view.request_held[as_map] > 0:
        return NO_CHANGE
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = task_sizes(view, job)
    waiting_reduces = view.request_waiting[as_reduce]
    free_memory, free_vcores = (
        view.headroom_memory - waiting_reduces * reduce_memory,
        view.headroom_vcores - waiting_reduces * reduce_vcores,
    )
    if (
        not waits_too_long(view, as_map, now, unconditional_s)
        and containers_that_fit(free_memory, free_vcores, map_memory, map_vcores, counts) > 0
    ):
        return NO_CHANGE
    memory, vcores = resource_limit(view, job)
    reduces_for_one_map = containers_needed(map_memory, map_vcores, reduce_memory, reduce_vcores, counts)
    reduces_at_limit = containers_needed(
        multiply(memory, preempt), multiply(vcores, preempt), reduce_memory, reduce_vcores, counts
    )
    reduces_for_all_maps = containers_needed(
        waiting_maps * map_memory, waiting_maps * map_vcores, reduce_memory, reduce_vcores, counts
    )
    running = view.job_running_reduces[job]
    killed_before = view.request_held[as_reduce] - running
    return min(
        max(min(max(reduces_for_one_map, reduces_at_limit), reduces_for_all_maps) - killed_before, 0), running
    )


def next_preemption_ms(view, now, unconditional_s):
    """When the maps of a job that has reduces will hang, if nothing happens until then: the earliest such
    time, or NO_CHANGE.
    """
    earliest = NO_CHANGE
    for position in range(view.waiting_count):
        request = view.waiting_requests[position]
        job = job_of(view, request)
        reduces = view.job_running_reduces[job] + view.request_waiting[request_of(view, job, REDUCE)]
        if (
            kind_of(view, request) == MAP
            and view.request_held[request] == 0
            and reduces > 0
            and not waits_too_long(view, request, now, unconditional_s)
        ):
            due = view.request_asked_at[request] + int(1000 * unconditional_s) + 1
            earliest = due if earliest == NO_CHANGE else min(earliest, due)
    return earliest


def target_reduces(view, job, limit):
    """How many reduces are to wait now; NOT_YET to leave it."""
    as_map, as_reduce = request_of(view, job, MAP), request_of(view, job, REDUCE)
    waiting = view.request_waiting[as_reduce] - view.request_speculative[as_reduce]
    unrequested = unrequested_reduces(view, job)
    finished, maps = view.job_finished_maps[job], view.job_maps[job]
    if unrequested == 0 or not is_past_slowstart(view, job):
        return NOT_YET
    view.completed[job] = finished / maps
    view.all_maps_placed[0] = view.request_waiting[as_map] == 0
    if view.all_maps_placed[0] == 1:
        view.limit[job] = view.for_reduces[job] = math.nan  # nothing was computed
        view.for_reduces_vcores[job] = view.more[job] = math.nan
        return ASK
    memory, vcores = resource_limit(view, job)
    map_memory, map_vcores, reduce_memory, reduce_vcores, counts = task_sizes(view, job)
    share = min(np.float32(finished) / np.float32(maps), np.float32(limit))
    for_reduces, for_reduces_vcores = multiply(memory, share), multiply(vcores, share)
    for_maps, for_maps_vcores = memory - for_reduces, vcores - for_reduces_vcores
    requested_maps = view.request_waiting[as_map] + view.request_held[as_map]
    if containers_that_fit(for_maps, for_maps_vcores, map_memory, map_vcores, counts) >= requested_maps:
        for_reduces = for_reduces + (for_maps - requested_maps * map_memory)
        for_reduces_vcores = for_reduces_vcores + (for_maps_vcores - requested_maps * map_vcores)
    requested_reduces = view.request_waiting[as_reduce] + view.request_held[as_reduce]
    more = containers_that_fit(
        for_reduces - requested_reduces * reduce_memory,
        for_reduces_vcores - requested_reduces * reduce_vcores,
        reduce_memory,
        reduce_vcores,
        counts,
    )
    view.limit[job] = memory
    view.for_reduces[job] = for_reduces
    view.for_reduces_vcores[job] = for_reduces_vcores if counts else math.nan
    view.more[job] = more
    return waiting + min(more, unrequested) if more > 0 else waiting - min(-more, waiting)


RAMP_UP = Policy(
    "ramp-up",
    "Ramp-up",
    REDUCE_START,
    target_reduces,
    "Hadoop MapReduce, RMContainerAllocator",
    (
        Parameter(
            "heartbeat_s",
            1.0,
            "seconds between heartbeats of the ApplicationMasters",
            "Hadoop, …am.scheduler.heartbeat.interval-ms",
            low=0.001,
            high=1e6,
        ),
        Parameter(
            "limit",
            0.5,
            "maximum share for reduces while maps wait",
            "Hadoop, …reduce.rampup.limit",
            low=0,
            high=1,
        ),
        Parameter(
            "preempt",
            0.5,
            "maximum share that is released at a time",
            "Hadoop, …reduce.preemption.limit",
            low=0,
            high=1,
        ),
        Parameter(
            "unconditional_s",
            300.0,
            "seconds that maps wait before reduces are killed regardless of the headroom",
            "Hadoop, …reducer.unconditional-preempt.delay.sec",
            low=0,
            high=3600,
        ),
    ),
    rule=(
        "its share of the job's resources, which grows with the maps that have finished, allowed it",
        "all maps of its job had their containers",
    ),
    ground="all_maps_placed",
    memory=(StateArray("all_maps_placed", RUN, "int64"),),
    windows=Windows("heartbeat_s", next_preemption_ms),
    preempt=reduces_to_preempt,
    terms=(
        Term("completed", "Maps finished", JOB, "Share of the job's maps.", "share"),
        Term("limit", "Job's limit", JOB, "Its headroom and what its tasks hold.", "MB"),
        Term(
            "for_reduces",
            "For reduces",
            JOB,
            "The part of the limit that reduces may have.",
            "MB",
            strip="for reduces",
        ),
        Term(
            "for_reduces_vcores",
            "Vcores for reduces",
            JOB,
            "The part of its vcores that reduces may have.",
            "vcores",
        ),
        Term("more", "More reduces", JOB, "How many more may be requested.", "reduces"),
    ),
)
