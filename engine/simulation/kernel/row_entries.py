"""Entries of a node's row: when they begin and end, and what makes their speed change."""

from __future__ import annotations

from engine.simulation.kernel.attempts import duration
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.state import FAR


def mark_dirty(s, node):
    if s.is_dirty[node] == 0:
        s.is_dirty[node] = 1
        s.dirty[s.dirty_count[0]] = node
        s.dirty_count[0] += 1


def set_row_end(s, entry, node, time):
    """An entry of a node's row ends (or changes phase) at `time`."""
    s.row_end[entry] = time
    if time < s.times[s.tree_leaves[0] + node]:
        set_time(s, node, time)


def begin_of(s, container):
    """When its task begins."""
    return s.container_begin[container] if s.launches[0] == 1 else s.container_start[container]


def counts_on(s, node):
    """One more task slows the others there."""
    s.tasks[node] += 1
    mark_dirty(s, node)


def start_computing(v, s, entry, container, node, now, slowed):
    """The part of a task that contention stretches begins at `now`."""
    work = duration(v, s, container)
    if slowed:
        s.row_left[entry] = float(work)
        s.row_end[entry] = FAR
        mark_dirty(s, node)
    else:
        set_row_end(s, entry, node, now + work)


def entry_of(s, container):
    """Where a running container stands in its node's row."""
    entry = s.container_node[container] * s.row_width[0]
    while s.row_container[entry] != container:
        entry += 1
    return entry
