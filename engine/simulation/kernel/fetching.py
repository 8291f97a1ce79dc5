"""Reduces that fetch map output (model 14): when they have all of it is known once all maps have ended."""

from __future__ import annotations

from engine.simulation.kernel.attempts import LONGEST
from engine.simulation.kernel.rows import begin_of, counts_on, entry_of, set_row_end, start_computing
from engine.simulation.shuffle import after_map, fetched


def map_ended(v, s, job, now, slowed):
    """One more of the job's maps has ended; after the last the end of each shuffle is known."""
    s.fetch_latest[job] = after_map(s.fetch_latest[job], now, v.job_finished_maps[job], v.job_maps[job], v.job_fetch[job])
    if v.job_finished_maps[job] == v.job_maps[job]:
        for task in range(v.job_reduces[job]):
            container = s.reduce_container[s.reduce_base[job] + task]
            if container >= 0:
                start_fetching(v, s, entry_of(s, container), container, s.container_node[container], now, slowed)


def reduce_placed(v, s, entry, container, node, now, slowed):
    """A reduce has its container."""
    job = s.container_job[container]
    if v.job_finished_maps[job] == v.job_maps[job]:
        start_fetching(v, s, entry, container, node, now, slowed)


def start_fetching(v, s, entry, container, node, now, slowed):
    """All maps have ended: the end of the reduce's shuffle is known, and from its launch on the reduce counts as a running task."""
    job = s.container_job[container]
    begin = begin_of(s, container)
    done = fetched(begin, min(s.fetch_latest[job], LONGEST), v.job_maps[job], min(v.job_fetch[job], LONGEST / v.job_maps[job])) + s.shuffle_latency[0]
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
