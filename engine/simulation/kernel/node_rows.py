"""Entries of a node's row: one a container that runs there, or has ended there and was not reported yet."""

from __future__ import annotations

from engine.codes import ENDED, INFINITE, MAP, PER_JOB, REDUCE, RUNNING
from engine.simulation.kernel.attempt_durations import duration_ms
from engine.simulation.kernel.clock import set_time, wake
from engine.simulation.kernel.fetch_spans import end_span
from engine.simulation.kernel.out_of_band_heartbeats import schedule_out_of_band


def mark_dirty(s, node):
    if s.is_dirty[node] == 0:
        s.is_dirty[node] = 1
        s.dirty[s.dirty_count[0]] = node
        s.dirty_count[0] += 1


def set_row_end(s, entry, node, time):
    """An entry of a node's row ends (or changes phase) at `time`."""
    s.row_end[entry] = time
    if time < s.timer_tree[s.tree_leaves[0] + node]:
        set_time(s, node, time)


def task_begin(s, container):
    """When its task begins."""
    return s.container_begin[container] if s.launches[0] == 1 else s.container_start[container]


def start_computing(v, s, entry, container, node, now, has_contention):
    """The part of a task that contention stretches begins at `now`."""
    work = duration_ms(v, s, container)
    if has_contention:
        s.row_remaining_ms[entry] = float(work)
        s.row_end[entry] = INFINITE
        mark_dirty(s, node)
    else:
        set_row_end(s, entry, node, now + work)


def add_running_task(s, node):
    """One more task slows the others there."""
    s.running_tasks[node] += 1
    mark_dirty(s, node)


def release(v, s, entry, node, outcome, now):
    """A container ends: known to its job, not yet to the scheduler."""
    container = s.row_container[entry]
    request = s.row_request[entry]
    kind = request % PER_JOB
    s.container_end[container] = now
    s.container_outcome[container] = outcome
    s.row_end[entry] = ENDED
    if kind == REDUCE and s.weighs_fetching[0] == 1:
        end_span(s, container, now)
        mark_dirty(s, node)
    v.idle_memory[0] += v.request_memory[request]
    v.idle_vcores[0] += v.request_vcores[request]
    s.unreported_memory[node] += v.request_memory[request]
    s.unreported_vcores[node] += s.fit_vcores[request]
    if kind == MAP:
        s.unreported_map_slots[node] += 1
    elif kind == REDUCE:
        s.unreported_reduce_slots[node] += 1
    s.unreported[node] += 1
    s.end_count[0] += 1
    s.event_count[0] += 1
    s.last_event_ms[0] = now
    wake(s, node)
    if s.sends_out_of_band[0] == 1:
        schedule_out_of_band(s, node)


def row_entry(s, container):
    """Where a running container stands in its node's row."""
    entry = s.container_node[container] * s.row_width[0]
    while s.row_container[entry] != container:
        entry += 1
    return entry


def is_running(s, container):
    return container >= 0 and s.container_outcome[container] == RUNNING


def refresh_time(s, node):
    """The node's next end, after one of its entries has ended before its time."""
    first = node * s.row_width[0]
    earliest_end = INFINITE
    for entry in range(first, first + s.row_count[node]):
        earliest_end = min(earliest_end, s.row_end[entry])
    set_time(s, node, earliest_end)
