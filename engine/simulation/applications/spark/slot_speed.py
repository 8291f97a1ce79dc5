"""Tasks in slots, and the load of their node (CONTENTION-1, CONTENTION-2): each counts, and is stretched; and
executors that launch, which slow each other (CONTENTION-4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, INFINITE, SPARK
from engine.simulation.applications.spark.states import LAUNCHES, REGISTERED
from engine.simulation.kernel.node_rows import (
    add_running_task,
    mark_dirty,
    remove_running_task,
    row_entry,
    set_row_end,
)
from engine.simulation.kernel.slowed_work import slowdown, slowed_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def begin_in_slot(s: State, container: int, slot: int, work: int, now: int) -> None:
    """A task of so much work begins."""
    if s.has_contention == 1:
        s.slot_remaining_ms[slot] = float(work)
        s.slot_end[slot] = INFINITE
        add_running_task(s, s.container_node[container])
    else:
        s.slot_end[slot] = now + work


def end_in_slot(s: State, container: int, slot: int) -> None:
    """Its task has ended, one way or the other."""
    s.slot_end[slot] = INFINITE
    if s.has_contention == 1:
        remove_running_task(s, s.container_node[container])


def begin_launching(s: State, container: int, work: int, now: int) -> None:
    """An executor of so much work to launch does so from now on."""
    node = s.container_node[container]
    if s.has_contention == 1:
        s.launch_remaining_ms[container] = float(work)
        s.row_end[row_entry(s, container)] = INFINITE
        s.launching[node] += 1
        mark_dirty(s, node)
    else:
        set_row_end(s, row_entry(s, container), node, now + work)


def end_launching(s: State, container: int) -> None:
    """It has registered, or ends before."""
    if s.has_contention == 1:
        s.launching[s.container_node[container]] -= 1
        mark_dirty(s, s.container_node[container])


def runs_slots(v: View, s: State, entry: int) -> bool:
    """Is it an executor that launches, or has registered?"""
    if len(s.slot_task) == 0:
        return False
    request = s.row_request[entry]
    return (
        v.request_kind[request] == EXECUTOR
        and s.job_framework[v.request_job[request]] == SPARK
        and s.row_end[entry] <= INFINITE
        and s.executor_state[s.row_container[entry]] in (LAUNCHES, REGISTERED)
    )


def settle_slots(s: State, entry: int, now: int, has_changed: bool, before: float, after: float) -> None:
    """The instant is over: the ends of an executor's tasks move if the load of the node has changed, and new
    ones get theirs. before, after: the slowdown.
    """
    container = s.row_container[entry]
    if s.executor_state[container] == LAUNCHES:
        settle_launch(s, entry, now)
        return
    earliest_end = min(s.executor_idle_end[container], s.executor_excluded_at[container])
    first = s.first_slot[container]
    for slot in range(first, first + s.executor_slots[s.container_job[container]]):
        if s.slot_task[slot] >= 0:
            is_new = s.slot_end[slot] == INFINITE
            if is_new or has_changed:
                if not is_new:
                    s.slot_remaining_ms[slot] -= (now - s.slot_updated_at[slot]) / before
                s.slot_updated_at[slot] = now
                s.slot_end[slot] = slowed_end(now, s.slot_remaining_ms[slot], after)
            earliest_end = min(earliest_end, s.slot_end[slot])
    s.row_end[entry] = earliest_end


def settle_launch(s: State, entry: int, now: int) -> None:
    """The same of an executor's registration, where the number of those that launch on its node has."""
    container = s.row_container[entry]
    node = s.container_node[container]
    is_new = s.row_end[entry] == INFINITE
    if is_new or s.launching[node] != s.settled_launching[node]:
        if not is_new:
            before = slowdown(s.launch_contention, s.settled_launching[node])
            s.launch_remaining_ms[container] -= (now - s.row_updated_at[entry]) / before
        s.row_updated_at[entry] = now
        after = slowdown(s.launch_contention, s.launching[node])
        s.row_end[entry] = slowed_end(now, s.launch_remaining_ms[container], after)
