"""Reduces that fetch map output (model 14): when they have all of it is known once all maps have ended."""

from __future__ import annotations

from engine.simulation.kernel.attempts import LONGEST, part_of
from engine.simulation.kernel.rows import begin_of, counts_on, entry_of, set_row_end, start_computing
from engine.simulation.shuffle import after_map, fetched


def map_ended(v, s, job, now, slowed):
    """One more of the job's maps has ended; after the last the end of each shuffle is known."""
    finished = v.job_finished_maps[job]
    s.fetch_latest[job] = after_map(s.fetch_latest[job], now, finished, v.job_maps[job], v.job_fetch[job])
    if s.skewed[0] == 1:
        s.map_ends[s.map_base[job] + finished - 1] = now
    if finished == v.job_maps[job]:
        if s.skewed[0] == 1:
            find_hull(v, s, job)
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            if container >= 0:
                start_fetching(v, s, entry_of(s, container), container, s.container_node[container], now, slowed)


def reduce_placed(v, s, entry, container, node, now, slowed):
    """A reduce has its container."""
    job = s.container_job[container]
    if v.job_finished_maps[job] == v.job_maps[job]:
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
    each, latest = v.job_fetch[job], s.fetch_latest[job]
    if s.skewed[0] == 1:
        each = each * part_of(s, container)
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


def next_phase(v, s, entry, node, now):
    """Under contention: a task has been launched, or has fetched its input."""
    container = s.row_container[entry]
    if now == begin_of(s, container) and s.launches[0] == 1:
        counts_on(s, node)
    if now >= s.container_shuffle_end[container]:
        start_computing(v, s, entry, container, node, now, True)
    else:
        s.row_end[entry] = s.container_shuffle_end[container]
