"""Reduces that fetch map output (SHUFFLE-1, SHUFFLE-4).

Where fetching counts for nothing in k, the end of a shuffle follows from the ends of the maps and is known
once all have ended. With a fetch weight it is played: a reduce hears of the maps that have ended when an
instant is over, and then `row_remaining_ms` is the output it has to fetch, in ms at the full rate;
contention.py moves its end as it does that of a task that computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import INFINITE, REDUCE
from engine.run_records import (
    CONTAINER,
    FETCHES,
    JOB,
    MAP_TASK,
    REDUCE_TASK,
    SKEWED,
    SPAN,
    Floats,
    Ints,
    Record,
    array,
    given,
    number,
)
from engine.simulation.applications.mapreduce.attempt_durations import (
    partition_factor,
    start_computing,
    task_begin,
)
from engine.simulation.applications.mapreduce.fetch_spans import end_span, start_span
from engine.simulation.applications.mapreduce.shuffle import after_map, fetched
from engine.simulation.applications.mapreduce.task_arrays import task_at
from engine.simulation.kernel.clock import MAX_DURATION_MS
from engine.simulation.kernel.node_rows import (
    add_running_task,
    is_running,
    mark_dirty,
    refresh_time,
    remove_running_task,
    row_entry,
    set_row_end,
)

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Fetching(Record):
    """What reduces fetch."""

    weighs_fetching: int = number("", "1: a reduce that fetches counts in k, and k slows it")
    skewed: int = number("", "1: the output of some job's maps is divided unevenly")
    fetch_latest: Floats = array(JOB, "", "shuffle.after_map")
    map_ends: Ints = array(
        MAP_TASK, "", "where parts are uneven: of the maps that have ended, in ascending order", when=SKEWED
    )
    hull: Ints = array(
        MAP_TASK,
        "",
        "of a job whose maps have all ended: which of them can hold up a shuffle, in ascending order",
        when=SKEWED,
    )
    hull_count: Ints = array(JOB, "", "of a job, its entries in `hull`")
    reduce_part: Floats = given(REDUCE_TASK, "", "how much it gets beside an even part of the job's output")
    shuffle_latency: int = number("ms", "of one fetch")
    fetch_weight: float = number("", "of a reduce that fetches, in k")
    container_span: Ints = array(
        CONTAINER, "", "of the spans the one in which it fetches, -1 while it does not", when=FETCHES
    )
    span_container: Ints = array(SPAN, "", "fetch_spans.py", initial=-1)
    span_start: Ints = array(SPAN, "ms", "when it begins", initial=-1)
    span_end: Ints = array(SPAN, "ms", "-1 until then", initial=-1)
    span_count: int = number("", "begun so far, more than there is room for if there are so many")


def fetch_ms(v: View, s: State, container: int) -> int:
    """What a reduce takes to fetch the output of one map, at the full rate."""
    each = v.job_fetch[s.container_job[container]]
    return each * partition_factor(s, container) if s.skewed == 1 else each


def map_ended(v: View, s: State, job: int, now: int) -> None:
    """One more of the job's maps has ended."""
    if s.weighs_fetching == 1:
        output_changed(v, s, job)
        return
    finished = v.job_finished_maps[job]
    s.fetch_latest[job] = after_map(s.fetch_latest[job], now, finished, v.job_maps[job], v.job_fetch[job])
    if s.skewed == 1:
        s.map_ends[s.map_base[job] + finished - 1] = now
        if finished == v.job_maps[job]:
            find_hull(v, s, job)


def waits_for_maps(s: State, container: int) -> int:
    """Does it run and lack map outputs? Where maps have run again, some reduces have fetched everything
    before.
    """
    return is_running(s, container) and s.container_shuffle_end[container] < 0


def start_remaining_fetches(v: View, s: State, job: int, now: int) -> None:
    """The last map has ended: the reduces that run know when they will have fetched everything, where nothing
    but maps' ends tells.
    """
    if s.weighs_fetching == 1:
        return
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        if container >= 0 and (s.retries == 0 or waits_for_maps(s, container)):
            start_fetching(v, s, row_entry(s, container), container, s.container_node[container], now)
        if s.retries == 1:
            second_attempt = s.second_attempt[task_at(v, s, job, REDUCE, task)]
            if second_attempt >= 0 and waits_for_maps(s, second_attempt):
                start_fetching(
                    v,
                    s,
                    row_entry(s, second_attempt),
                    second_attempt,
                    s.container_node[second_attempt],
                    now,
                )


def map_lost(v: View, s: State, job: int, now: int) -> None:
    """Some of the job's maps have to run again, as `map_done` and `job_finished_maps` say: reduces that were
    to have their output wait for it.
    """
    if s.weighs_fetching == 1:
        output_changed(v, s, job)
    else:
        find_latest(v, s, job)
    for index in range(v.job_reduces[job]):
        wait_again(s, s.reduce_container[s.reduce_base[job] + index], now)
        wait_again(s, s.second_attempt[task_at(v, s, job, REDUCE, index)], now)


def find_latest(v: View, s: State, job: int) -> None:
    """`fetch_latest` and `map_ends` by the maps that have finished."""
    ends = np.empty(v.job_finished_maps[job], np.int64)
    count = 0
    for index in range(v.job_maps[job]):
        if s.map_done[s.map_base[job] + index] == 1:
            ends[count] = s.container_end[s.map_container[s.map_base[job] + index]]
            count += 1
    ends.sort()
    s.fetch_latest[job] = 0.0
    for rank in range(count):
        s.fetch_latest[job] = after_map(
            s.fetch_latest[job], ends[rank], rank + 1, v.job_maps[job], v.job_fetch[job]
        )
        if s.skewed == 1:
            s.map_ends[s.map_base[job] + rank] = ends[rank]


def wait_again(s: State, container: int, now: int) -> None:
    """A reduce that does not compute yet does not know any more when it will."""
    if not is_running(s, container) or s.container_shuffle_end[container] <= now:
        return
    node, entry = s.container_node[container], row_entry(s, container)
    if s.has_contention == 1 and s.weighs_fetching == 0 and s.row_end[entry] != task_begin(s, container):
        remove_running_task(s, node)
    s.container_shuffle_end[container] = -1
    s.row_end[entry] = INFINITE
    refresh_time(s, node)


def reduce_placed(v: View, s: State, entry: int, container: int, node: int, now: int) -> None:
    """A reduce has its container."""
    job = s.container_job[container]
    if s.weighs_fetching == 1:
        s.container_map_outputs[container] = 0
        s.container_span[container] = -1
        if task_begin(s, container) > now:
            set_row_end(s, entry, node, task_begin(s, container))
        else:
            mark_dirty(s, node)
    elif v.job_finished_maps[job] == v.job_maps[job]:
        start_fetching(v, s, entry, container, node, now)


def find_hull(v: View, s: State, job: int) -> None:
    """Of the points (k, Fk) those on their upper hull: only these maps can hold up a shuffle, whatever a
    reduce takes to fetch from a map.
    """
    first = s.map_base[job]
    count = 0
    for place in range(v.job_maps[job]):
        end = float(s.map_ends[first + place])
        while count > 1:
            above, before = s.hull[first + count - 1], s.hull[first + count - 2]
            start = float(s.map_ends[first + before])
            if (float(s.map_ends[first + above]) - start) * float(place - before) > (end - start) * float(
                above - before
            ):
                break
            count -= 1
        s.hull[first + count] = place
        count += 1
    s.hull_count[job] = count


def latest_of_hull(v: View, s: State, job: int, each: int) -> int:
    """The latest of "a map's end plus what is to be fetched from it on" (shuffle.after_map) for a reduce that
    takes `each` ms a map.
    """
    first = s.map_base[job]
    low, high = 0, s.hull_count[job] - 1
    while low < high:  # along the hull the ends rise ever more slowly
        middle = (low + high) // 2
        place, after = s.hull[first + middle], s.hull[first + middle + 1]
        if float(s.map_ends[first + after] - s.map_ends[first + place]) <= each * float(after - place):
            high = middle
        else:
            low = middle + 1
    place = s.hull[first + low]
    return after_map(0.0, s.map_ends[first + place], place + 1, v.job_maps[job], each)


def start_fetching(v: View, s: State, entry: int, container: int, node: int, now: int) -> None:
    """All maps have ended: the end of the reduce's shuffle is known, and from its launch on the reduce counts
    as a running task.
    """
    job = s.container_job[container]
    begin = task_begin(s, container)
    each, latest = fetch_ms(v, s, container), s.fetch_latest[job]
    if s.skewed == 1:
        latest = latest_of_hull(v, s, job, each)
    shuffle_end = (
        fetched(
            begin, min(latest, MAX_DURATION_MS), v.job_maps[job], min(each, MAX_DURATION_MS / v.job_maps[job])
        )
        + s.shuffle_latency
    )
    s.container_shuffle_end[container] = shuffle_end
    if s.has_contention == 1 and begin > now:
        set_row_end(s, entry, node, begin)
        return
    if s.has_contention == 1:
        add_running_task(s, node)
    if s.has_contention == 1 and shuffle_end > now:
        set_row_end(s, entry, node, shuffle_end)
    else:
        start_computing(v, s, entry, container, node, shuffle_end)


def next_phase(v: View, s: State, entry: int, node: int, now: int) -> None:
    """Under contention: a task has been launched, or has fetched its input, or all of it that there is."""
    container = s.row_container[entry]
    kind = v.request_kind[s.row_request[entry]]
    if is_fetching(s, entry, kind):
        s.row_remaining_ms[entry] = -1.0
        s.row_end[entry] = INFINITE
        end_span(s, container, now)
        mark_dirty(s, node)
        return
    if (s.launches == 1 and now == task_begin(s, container)) or (kind == REDUCE and s.weighs_fetching == 1):
        add_running_task(s, node)
    if now >= s.container_shuffle_end[container]:
        start_computing(v, s, entry, container, node, now)
    else:
        s.row_end[entry] = s.container_shuffle_end[container]


# With a fetch weight.


def is_fetching(s: State, entry: int, kind: int) -> bool:
    """Does it fetch, wait for maps, or wait to begin with that?"""
    return kind == REDUCE and s.weighs_fetching == 1 and s.container_shuffle_end[s.row_container[entry]] < 0


def output_changed(v: View, s: State, job: int) -> None:
    """There is more or less to fetch for the job's reduces; they hear of it when the instant is over."""
    if v.job_running_reduces[job] == 0:
        return
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        if container >= 0:
            mark_dirty(s, s.container_node[container])
        if s.retries == 1:
            second_attempt = s.second_attempt[task_at(v, s, job, REDUCE, task)]
            if second_attempt >= 0:
                mark_dirty(s, s.container_node[second_attempt])


def update_fetches(v: View, s: State, node: int, now: int, slowdown: float) -> None:
    """The instant is over: the reduces of a node learn what there is to fetch, and those that have everything
    go on.

    slowdown: of the node since it was settled last.
    """
    fetching = 0
    first = node * s.row_width
    for entry in range(first, first + s.row_count[node]):
        container = s.row_container[entry]
        if (
            s.row_end[entry] <= INFINITE
            and is_fetching(s, entry, v.request_kind[s.row_request[entry]])
            and task_begin(s, container) <= now
        ):
            job = s.container_job[container]
            if s.container_map_outputs[container] != v.job_finished_maps[job]:
                add_output(v, s, entry, container, now, slowdown)
            if s.row_remaining_ms[entry] > 0.0:
                fetching += 1
            elif s.container_map_outputs[container] == v.job_maps[job]:
                end_shuffle(v, s, entry, container, node, now)
    if fetching != v.node_fetching[node]:
        s.event_count += 1  # a window may see it
    v.node_fetching[node] = fetching


def add_output(v: View, s: State, entry: int, container: int, now: int, slowdown: float) -> None:
    """What the maps have made since it heard of them is to be fetched; output that was lost is taken from
    what is not fetched yet.
    """
    job = s.container_job[container]
    to_fetch = 0.0
    if s.row_remaining_ms[entry] > 0.0:
        to_fetch = s.row_remaining_ms[entry] - (now - s.row_updated_at[entry]) / slowdown
    to_fetch += (v.job_finished_maps[job] - s.container_map_outputs[container]) * fetch_ms(v, s, container)
    s.container_map_outputs[container] = v.job_finished_maps[job]
    s.row_remaining_ms[entry] = to_fetch if to_fetch > 0.0 else -1.0
    s.row_updated_at[entry] = now
    s.row_end[entry] = INFINITE
    if to_fetch > 0.0 and s.container_span[container] < 0:
        start_span(s, container, now)
    elif to_fetch <= 0.0:
        end_span(s, container, now)


def end_shuffle(v: View, s: State, entry: int, container: int, node: int, now: int) -> None:
    """It has fetched everything, and computes after the latency, which costs its node nothing."""
    shuffle_end = now + s.shuffle_latency
    s.container_shuffle_end[container] = shuffle_end
    if shuffle_end > now:
        s.row_end[entry] = shuffle_end
    else:
        add_running_task(s, node)
        start_computing(v, s, entry, container, node, now)
