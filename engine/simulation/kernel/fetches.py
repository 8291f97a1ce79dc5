"""Reduces that fetch map output (model 14, 15).

Where fetching counts for nothing in k, the end of a shuffle follows from the ends of the maps and is known once all have ended.
With a fetch weight it is played: a reduce hears of the maps that have ended when an instant is over, and then `row_left` is the
output it has to fetch, in ms at the full rate; contention.py moves its end as it does that of a task that computes.
"""

from __future__ import annotations

from engine.schedulers.view import MAP, PER_JOB, REDUCE
from engine.simulation.kernel.attempts import LONGEST, part_of
from engine.simulation.kernel.row_entries import begin_of, counts_on, entry_of, mark_dirty, set_row_end, start_computing
from engine.simulation.kernel.state import FAR
from engine.simulation.shuffle import after_map, fetched


def fetch_ms(v, s, container):
    """What a reduce takes to fetch the output of one map, at the full rate."""
    each = v.job_fetch[s.container_job[container]]
    return each * part_of(s, container) if s.skewed[0] == 1 else each


def map_ended(v, s, job, now, slowed):
    """One more of the job's maps has ended; after the last the end of each shuffle is known."""
    if s.weighs_fetching[0] == 1:
        output_changed(v, s, job)
        return
    finished = v.job_finished_maps[job]
    s.fetch_latest[job] = after_map(s.fetch_latest[job], now, finished, v.job_maps[job], v.job_fetch[job])
    if s.keeps_map_ends[0] == 1:
        s.map_ends[s.map_base[job] + finished - 1] = now
    if finished == v.job_maps[job]:
        if s.skewed[0] == 1:
            find_hull(v, s, job)
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            if container >= 0 and s.container_shuffle_end[container] < 0:
                start_fetching(v, s, entry_of(s, container), container, s.container_node[container], now, slowed)


def reduce_placed(v, s, entry, container, node, now, slowed):
    """A reduce has its container."""
    job = s.container_job[container]
    if s.weighs_fetching[0] == 1:
        s.container_heard[container] = 0
        s.container_span[container] = -1
        if begin_of(s, container) > now:
            set_row_end(s, entry, node, begin_of(s, container))
        else:
            mark_dirty(s, node)
    elif v.job_finished_maps[job] == v.job_maps[job]:
        start_fetching(v, s, entry, container, node, now, slowed)


def find_hull(v, s, job):
    """Of the points (k, Fk) those on their upper hull: only these maps can hold up a shuffle, whatever a reduce takes to fetch from a map."""
    first = s.map_base[job]
    count = 0
    for place in range(v.job_maps[job]):
        end = float(s.map_ends[first + place])
        while count > 1:
            above, before = s.hull[first + count - 1], s.hull[first + count - 2]
            start = float(s.map_ends[first + before])
            if (float(s.map_ends[first + above]) - start) * float(place - before) > (end - start) * float(above - before):
                break
            count -= 1
        s.hull[first + count] = place
        count += 1
    s.hull_count[job] = count


def latest_of_hull(v, s, job, each):
    """The latest of "a map's end plus what is to be fetched from it on" (shuffle.after_map) for a reduce that takes `each` ms a map."""
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


def start_fetching(v, s, entry, container, node, now, slowed):
    """All maps have ended: the end of the reduce's shuffle is known, and from its launch on the reduce counts as a running task."""
    job = s.container_job[container]
    begin = begin_of(s, container)
    each, latest = fetch_ms(v, s, container), s.fetch_latest[job]
    if s.skewed[0] == 1:
        latest = latest_of_hull(v, s, job, each)
    done = fetched(begin, min(latest, LONGEST), v.job_maps[job], min(each, LONGEST / v.job_maps[job])) + s.shuffle_latency[0]
    s.container_shuffle_end[container] = done
    if slowed and begin > now:
        set_row_end(s, entry, node, begin)
        return
    if slowed:
        counts_on(s, node)
    if slowed and done > now:
        set_row_end(s, entry, node, done)
    else:
        start_computing(v, s, entry, container, node, done, slowed)


def output_lost(v, s, job, ended, now, slowed):
    """The output of a map that ended at `ended` is gone, and `job_finished_maps` says so already: reduces that were to have all of it soon wait again."""
    if s.weighs_fetching[0] == 1:
        output_changed(v, s, job)
    else:
        first, finished = s.map_base[job], v.job_finished_maps[job]
        place = 0
        while s.map_ends[first + place] != ended:
            place += 1
        s.fetch_latest[job] = 0.0
        for other in range(finished):
            if other >= place:
                s.map_ends[first + other] = s.map_ends[first + other + 1]
            s.fetch_latest[job] = after_map(s.fetch_latest[job], s.map_ends[first + other], other + 1, v.job_maps[job], v.job_fetch[job])
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        if container >= 0 and s.container_shuffle_end[container] > now:
            forget_shuffle(s, container, slowed)


def forget_shuffle(s, container, slowed):
    """The end of the shuffle of a reduce that does not compute yet is not known any more."""
    entry, node = entry_of(s, container), s.container_node[container]
    if slowed:
        leave_k(s, entry, node)
    s.container_shuffle_end[container] = -1
    s.row_end[entry] = FAR


def leave_k(s, entry, node):
    """Under contention: a map or reduce is about to end before its work is done, or to wait again; it counts no more on its node, if it did."""
    container = s.row_container[entry]
    computes, shuffled = s.row_left[entry] >= 0.0, s.container_shuffle_end[container] >= 0
    if s.row_request[entry] % PER_JOB == MAP:
        counts = computes
    elif s.weighs_fetching[0] == 1:
        counts = computes and shuffled
    else:
        counts = computes or (shuffled and s.row_end[entry] != begin_of(s, container))
    if counts:
        s.tasks[node] -= 1
    mark_dirty(s, node)


def next_phase(v, s, entry, node, now):
    """Under contention: a task has been launched, or has fetched its input, or all of it that there is."""
    container = s.row_container[entry]
    kind = s.row_request[entry] % PER_JOB
    if is_fetching(s, entry, kind):
        s.row_left[entry] = -1.0
        s.row_end[entry] = FAR
        stop_fetching(s, container, node, now)
        return
    if (s.launches[0] == 1 and now == begin_of(s, container)) or (kind == REDUCE and s.weighs_fetching[0] == 1):
        counts_on(s, node)
    if now >= s.container_shuffle_end[container]:
        start_computing(v, s, entry, container, node, now, True)
    else:
        s.row_end[entry] = s.container_shuffle_end[container]


# With a fetch weight.


def is_fetching(s, entry, kind):
    """Does it fetch, wait for maps, or wait to begin with that?"""
    return kind == REDUCE and s.weighs_fetching[0] == 1 and s.container_shuffle_end[s.row_container[entry]] < 0


def output_changed(v, s, job):
    """There is more or less to fetch for the job's reduces; they hear of it when the instant is over."""
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        if container >= 0:
            mark_dirty(s, s.container_node[container])


def hear_of_maps(v, s, node, now, slowness):
    """The instant is over: the reduces of a node learn what there is to fetch, and those that have everything go on.

    slowness: of the node since it was settled last.
    """
    fetching = 0
    first = node * s.row_width[0]
    for entry in range(first, first + s.row_count[node]):
        container = s.row_container[entry]
        if s.row_end[entry] <= FAR and is_fetching(s, entry, s.row_request[entry] % PER_JOB) and begin_of(s, container) <= now:
            job = s.container_job[container]
            if s.container_heard[container] != v.job_finished_maps[job]:
                add_output(v, s, entry, container, now, slowness)
            if s.row_left[entry] > 0.0:
                fetching += 1
            elif s.container_heard[container] == v.job_maps[job]:
                end_shuffle(v, s, entry, container, node, now)
    s.fetching[node] = fetching


def add_output(v, s, entry, container, now, slowness):
    """What the maps have made since it heard of them is to be fetched; output that was lost is taken from what is not fetched yet."""
    job = s.container_job[container]
    left = 0.0
    if s.row_left[entry] > 0.0:
        left = s.row_left[entry] - (now - s.row_since[entry]) / slowness
    left += (v.job_finished_maps[job] - s.container_heard[container]) * fetch_ms(v, s, container)
    s.container_heard[container] = v.job_finished_maps[job]
    s.row_left[entry] = left if left > 0.0 else -1.0
    s.row_since[entry] = now
    s.row_end[entry] = FAR
    if left > 0.0 and s.container_span[container] < 0:
        start_span(s, container, now)
    elif left <= 0.0:
        end_span(s, container, now)


def end_shuffle(v, s, entry, container, node, now):
    """It has fetched everything, and computes after the latency, which costs its node nothing."""
    done = now + s.shuffle_latency[0]
    s.container_shuffle_end[container] = done
    if done > now:
        s.row_end[entry] = done
    else:
        counts_on(s, node)
        start_computing(v, s, entry, container, node, now, True)


def stop_fetching(s, container, node, now):
    """A reduce fetches no more: it has what there is, or its container ends."""
    end_span(s, container, now)
    mark_dirty(s, node)


def start_span(s, container, now):
    span = s.span_count[0]
    s.span_count[0] += 1
    s.container_span[container] = span
    if span < len(s.span_start):
        s.span_container[span] = container
        s.span_start[span] = now


def end_span(s, container, now):
    span = s.container_span[container]
    s.container_span[container] = -1
    if 0 <= span < len(s.span_end):
        s.span_end[span] = now
