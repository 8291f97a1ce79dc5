"""Tasks in the slots of executors: which runs where, and what follows when it ends (SPARK-8).

In Spark  TaskSchedulerImpl.resourceOffers, FIFOSchedulingAlgorithm, TaskSetManager
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FINISHED, INFINITE
from engine.simulation.applications.dag.stage_progress import DONE, take_task, task_ms
from engine.simulation.applications.dag.task_log import log_end, log_task
from engine.simulation.applications.spark.executor_lists import add_free, sort_free
from engine.simulation.applications.spark.slot_speed import begin_in_slot, end_in_slot
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.node_rows import refresh_time, row_entry

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def fill_slots(s: State, job: int, now: int) -> None:
    """Executors get a task each in turn, in the order in which they registered, while any waits."""
    if s.waiting_tasks[job] == 0 or s.first_free[job] < 0:
        return
    sort_free(s, job)
    while s.waiting_tasks[job] > 0 and s.first_free[job] >= 0:
        before, container = -1, s.first_free[job]
        while container >= 0 and s.waiting_tasks[job] > 0:
            following = s.next_free[container]
            start_task(s, job, container, now)
            if s.executor_running[container] < s.executor_slots[job]:
                before = container
            else:
                s.is_free[container] = 0
                s.free_executors[job] -= 1
                if before >= 0:
                    s.next_free[before] = following
                else:
                    s.first_free[job] = following
            container = following


def start_task(s: State, job: int, container: int, now: int) -> None:
    """The next task begins in the lowest free slot of an executor."""
    stage = next_stage(s, job)
    index = take_task(s, stage, container)
    task = s.stage_draw[stage] + index
    s.waiting_tasks[job] -= 1
    s.running_tasks_of_job[job] += 1
    if s.waiting_tasks[job] == 0:
        s.step_at[job] = INFINITE
        s.target_step[job] = 1
    slot = s.first_slot[container]
    while s.slot_task[slot] >= 0:
        slot += 1
    s.slot_task[slot] = task
    s.slot_stage[slot] = stage
    begin_in_slot(s, container, slot, task_ms(s, job, stage, index, container), now)
    s.executor_running[container] += 1
    s.executor_idle_end[container] = INFINITE
    if s.is_timed_out[container] == 1:
        s.is_timed_out[container] = 0
        s.timed_out_executors[job] -= 1
    s.slot_run[slot] = log_task(s, job, container, slot - s.first_slot[container], stage, task, now)
    update_executor_end(s, job, container)


def next_stage(s: State, job: int) -> int:
    """The first stage, in order, that has waiting tasks and whose sources have finished; there is one."""
    stage = s.first_open_stage[job]
    while s.stage_waiting[stage] == 0:
        stage += 1
    s.first_open_stage[job] = stage
    while s.stage_waiting[stage] == 0 or s.stage_missing[stage] > 0:
        stage += 1
    return stage


def clear_slot(s: State, job: int, container: int, slot: int, outcome: int, now: int) -> None:
    """The task in it has ended, one way or the other."""
    log_end(s, s.slot_run[slot], outcome, now)
    s.slot_task[slot] = -1
    end_in_slot(s, container, slot)
    s.running_tasks_of_job[job] -= 1


def end_tasks(s: State, job: int, container: int, now: int) -> None:
    """The tasks of an executor whose time has come have finished."""
    first = s.first_slot[container]
    for slot in range(first, first + s.executor_slots[job]):
        if s.slot_end[slot] == now:
            stage = s.slot_stage[slot]
            s.task_state[s.slot_task[slot]] = DONE
            clear_slot(s, job, container, slot, FINISHED, now)
            s.executor_running[container] -= 1
            s.stage_done[stage] += 1
            if s.stage_is_read[stage] == 1 and s.outputs_go[job] == 1:
                s.has_output[container] = 1
            if s.stage_done[stage] == s.stage_tasks[stage]:
                s.may_finish_stage[job] = 1
            add_free(s, job, container)
    if s.executor_running[container] == 0:
        begin_idling(s, job, container, now)


def begin_idling(s: State, job: int, container: int, now: int) -> None:
    """An executor that has registered has no task: when it has been idle for too long (SPARK-6)."""
    if s.executor_idle_end[container] != INFINITE or s.is_timed_out[container] == 1:
        return
    if s.is_dynamic[job] == 0 or s.has_output[container] == 1:
        return
    s.executor_idle_end[container] = now + s.idle_ms[job]
    time_out(s, job, container, now)


def time_out(s: State, job: int, container: int, now: int) -> None:
    """Has an executor been idle for too long?"""
    if s.executor_idle_end[container] <= now:
        s.executor_idle_end[container] = INFINITE
        s.is_timed_out[container] = 1
        s.timed_out_executors[job] += 1


def executor_end(s: State, job: int, container: int) -> int:
    """When something next happens in an executor that has registered."""
    earliest_end = s.executor_idle_end[container]
    first = s.first_slot[container]
    for slot in range(first, first + s.executor_slots[job]):
        earliest_end = min(earliest_end, s.slot_end[slot])
    return earliest_end


def update_executor_end(s: State, job: int, container: int) -> None:
    node, entry = s.container_node[container], row_entry(s, container)
    before, end = s.row_end[entry], executor_end(s, job, container)
    s.row_end[entry] = end
    noted = s.timer_tree[s.tree_leaves + node]
    if end < noted:
        set_time(s, node, end)
    elif before == noted and end > before:
        refresh_time(s, node)
