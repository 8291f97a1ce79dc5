"""Tasks in the slots of executors: which runs where, and what follows when it ends (SPARK-8).

In Spark  TaskSchedulerImpl.resourceOffers, FIFOSchedulingAlgorithm, TaskSetManager
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FINISHED, INFINITE, KILLED
from engine.simulation.applications.dag.stage_progress import (
    DONE,
    give_container,
    lowest_waiting,
    task_ms,
)
from engine.simulation.applications.dag.task_log import log_end, log_task
from engine.simulation.applications.spark.executor_lists import add_free, sort_free, take_out_full
from engine.simulation.applications.spark.finished_durations import insert_duration
from engine.simulation.applications.spark.pools import has_pools, may_begin_on, next_of_pools, sort_stages
from engine.simulation.applications.spark.slot_speed import begin_in_slot, end_in_slot
from engine.simulation.applications.spark.slow_tasks import (
    begin_second,
    first_marked,
    second_goes_on,
    speculates,
    unlist,
    watch,
)
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.node_rows import refresh_time, row_entry

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def fill_slots(s: State, job: int, now: int) -> None:
    """Free slots are offered, while any task waits."""
    if pending_tasks(s, job) > 0 and s.first_free[job] >= 0:
        sort_free(s, job)
        if has_pools(s, job):
            sort_stages(s, job)
        while offer_slots(s, job, now):
            pass
    s.offers_all[job] = 0


def pending_tasks(s: State, job: int) -> int:
    """That wait, for a second attempt too."""
    return s.waiting_tasks[job] + s.marked_tasks[job]


def offer_slots(s: State, job: int, now: int) -> bool:
    """Executors get a task each in turn, in the order in which they registered. Has one begun?"""
    has_begun = False
    before, container = -1, s.first_free[job]
    while container >= 0 and pending_tasks(s, job) > 0:
        following = s.next_free[container]
        if start_task(s, job, container, now):
            has_begun = True
        if s.executor_running[container] < s.executor_slots[job]:
            before = container
        else:
            take_out_full(s, job, before, container)
        container = following
    return has_begun


def start_task(s: State, job: int, container: int, now: int) -> bool:
    """The next task begins in an executor. Is there one for it?"""
    node = s.container_node[container]
    stage = next_stage(s, job, node)
    if stage < 0:
        return False
    if s.stage_waiting[stage] > 0:
        index = lowest_waiting(s, stage)
    else:
        index = first_marked(s, stage, node) - s.stage_draw[stage]
    begin_task(s, job, container, stage, index, now)
    return True


def begin_task(s: State, job: int, container: int, stage: int, index: int, now: int) -> None:
    """A task that waits, or for a second attempt, begins in the lowest free slot of an executor."""
    task = s.stage_draw[stage] + index
    is_first = s.task_container[task] < 0
    if is_first:
        give_container(s, stage, index, container)
        s.waiting_tasks[job] -= 1
    else:
        s.task_attempt[task] += 1
        unlist(s, job, stage, task)
    s.running_tasks_of_job[job] += 1
    if pending_tasks(s, job) == 0:
        s.step_at[job] = INFINITE
        s.target_step[job] = 1
    slot = s.first_slot[container]
    while s.slot_task[slot] >= 0:
        slot += 1
    s.slot_task[slot] = task
    s.slot_stage[slot] = stage
    s.stage_running[stage] += 1
    begin_in_slot(s, container, slot, task_ms(s, job, stage, index, container), now)
    s.executor_running[container] += 1
    s.executor_idle_end[container] = INFINITE
    if s.is_timed_out[container] == 1:
        s.is_timed_out[container] = 0
        s.timed_out_executors[job] -= 1
    run = log_task(s, job, container, slot - s.first_slot[container], stage, task, now)
    s.slot_run[slot] = run
    if not is_first:
        begin_second(s, task, container, now, run)
    elif speculates(s, job):
        watch(s, stage, task, now, run)
    update_executor_end(s, job, container)


def next_stage(s: State, job: int, node: int) -> int:
    """The first stage, in order or as pools have it, of which a task may begin on a node; -1 where that is
    none.
    """
    if has_pools(s, job):
        if s.offers_all[job] == 0:
            sort_stages(s, job)
        return next_of_pools(s, job, node)
    stage, end = s.first_open_stage[job], s.job_first_stage[job + 1]
    if s.marked_tasks[job] > 0:
        stage = s.job_first_stage[job]
        while stage < end and not may_begin_on(s, job, stage, node):
            stage += 1
        return stage if stage < end else -1
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
    s.stage_running[s.slot_stage[slot]] -= 1


def end_tasks(s: State, job: int, container: int, now: int) -> None:
    """The tasks of an executor whose time has come have finished."""
    first = s.first_slot[container]
    for slot in range(first, first + s.executor_slots[job]):
        if s.slot_end[slot] == now:
            if speculates(s, job) and not wins(s, job, container, slot, now):
                kill_attempt(s, job, container, slot, now)
            else:
                finish_task(s, job, container, slot, now)
    if s.executor_running[container] == 0:
        begin_idling(s, job, container, now)


def finish_task(s: State, job: int, container: int, slot: int, now: int) -> None:
    stage, task = s.slot_stage[slot], s.slot_task[slot]
    s.task_state[task] = DONE
    clear_slot(s, job, container, slot, FINISHED, now)
    s.executor_running[container] -= 1
    s.stage_done[stage] += 1
    if s.stage_is_read[stage] == 1 and s.outputs_go[job] == 1:
        s.has_output[container] = 1
    if s.stage_done[stage] == s.stage_tasks[stage]:
        s.may_finish_stage[job] = 1
    if speculates(s, job):
        s.task_end[task] = now
        insert_duration(s, stage, now - s.attempt_start[task])
    add_free(s, job, container)


def wins(s: State, job: int, container: int, slot: int, now: int) -> bool:
    """An attempt's time has come, and another one of the task is killed; but of two that end at one instant
    the first to begin has won.
    """
    stage, task = s.slot_stage[slot], s.slot_task[slot]
    if s.second_container[task] < 0:
        unlist(s, job, stage, task)
        return True
    is_second = s.second_container[task] == container
    other = s.task_container[task] if is_second else s.second_container[task]
    others_slot = s.first_slot[other]
    while s.slot_task[others_slot] != task:
        others_slot += 1
    if is_second and s.slot_end[others_slot] == now:
        s.second_container[task] = -1
        return False
    if is_second:
        second_goes_on(s, task)
    s.second_container[task] = -1
    kill_attempt(s, job, other, others_slot, now)
    if s.executor_running[other] == 0:
        begin_idling(s, job, other, now)
    update_executor_end(s, job, other)
    return True


def kill_attempt(s: State, job: int, container: int, slot: int, now: int) -> None:
    """Another attempt of its task has won, and it is killed."""
    clear_slot(s, job, container, slot, KILLED, now)
    s.executor_running[container] -= 1
    add_free(s, job, container)


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
    earliest_end = min(s.executor_idle_end[container], s.executor_excluded_at[container])
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
