"""Tasks in slots, and the load of their node (CONTENTION-1, CONTENTION-2): each counts, and is stretched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, INFINITE, SPARK
from engine.simulation.applications.spark.states import REGISTERED
from engine.simulation.kernel.node_rows import add_running_task, remove_running_task
from engine.simulation.kernel.slowed_work import slowed_end

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


def runs_slots(v: View, s: State, entry: int) -> bool:
    """Is it an executor that has registered?"""
    if len(s.slot_task) == 0:
        return False
    request = s.row_request[entry]
    return (
        v.request_kind[request] == EXECUTOR
        and s.job_framework[v.request_job[request]] == SPARK
        and s.row_end[entry] <= INFINITE
        and s.executor_state[s.row_container[entry]] == REGISTERED
    )


def settle_slots(s: State, entry: int, now: int, has_changed: bool, before: float, after: float) -> None:
    """The instant is over: the ends of an executor's tasks move if the load of the node has changed, and new
    ones get theirs. before, after: the slowdown.
    """
    container = s.row_container[entry]
    earliest_end = s.executor_idle_end[container]
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
