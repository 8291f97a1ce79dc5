"""Tasks of stages that run one at a time, and the load of their node (CONTENTION-1): one counts from its
begin on, or once all that it reads has finished; what it computes is stretched (kernel/contention.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import DEMAND, INFINITE
from engine.simulation.applications.dag.stage_progress import task_ms
from engine.simulation.kernel.node_rows import (
    add_running_task,
    mark_dirty,
    remove_running_task,
    row_entry,
    set_row_end,
)

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def is_slowed(s: State, job: int) -> bool:
    """Do tasks of the job slow others, and others them? Demand is held as long as it says."""
    return s.has_contention == 1 and s.job_framework[job] != DEMAND


def has_phase_left(s: State, job: int, entry: int) -> bool:
    """Does a task whose time has come not compute yet?"""
    return is_slowed(s, job) and s.row_remaining_ms[entry] < 0.0


def go_on(s: State, job: int, container: int, now: int) -> None:
    """Its input is there, or it is known when it will be: it begins, fetches, or computes next."""
    node, entry, begin = s.container_node[container], row_entry(s, container), s.running_since[container]
    if begin > now:
        set_row_end(s, entry, node, begin)
        return
    if not counts(s, entry, container):
        add_running_task(s, node)
    shuffle_end = s.container_shuffle_end[container]
    if shuffle_end > now:
        set_row_end(s, entry, node, shuffle_end)
        return
    stage = s.running_stage[container]
    index = s.running_task[container] - s.stage_draw[stage]
    s.row_remaining_ms[entry] = float(task_ms(s, job, stage, index, container))
    s.row_end[entry] = INFINITE
    mark_dirty(s, node)


def counts(s: State, entry: int, container: int) -> bool:
    """Does it count in the load of its node? It computes, or has begun and knows when it will have fetched
    everything.
    """
    end = s.row_end[entry]
    fetches = end == s.container_shuffle_end[container] and end != s.running_since[container]
    return s.row_remaining_ms[entry] >= 0.0 or fetches


def stop_counting(s: State, job: int, container: int) -> None:
    """It ends, or waits for output again."""
    if not is_slowed(s, job):
        return
    entry = row_entry(s, container)
    if counts(s, entry, container):
        remove_running_task(s, s.container_node[container])
        s.row_remaining_ms[entry] = -1.0
