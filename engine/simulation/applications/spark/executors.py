"""Executors from their placement to their end (SPARK-4, SPARK-9).

In Spark  ExecutorRunnable, CoarseGrainedSchedulerBackend, TaskSetManager.executorLost
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, INFINITE, NONE
from engine.simulation.applications.attempt_draws import LAUNCH, attempt_draw_ms
from engine.simulation.applications.dag.stage_progress import outputs_are_lost, task_waits_again
from engine.simulation.applications.spark.driver_heartbeats import set_driver_timer, skip_beats, wake_driver
from engine.simulation.applications.spark.executor_lists import (
    add_free,
    append_placed,
    insert_registered,
    take_out_executor,
    take_out_free,
)
from engine.simulation.applications.spark.finished_durations import forget_lost_durations
from engine.simulation.applications.spark.slot_speed import begin_launching, end_launching
from engine.simulation.applications.spark.slots import (
    begin_idling,
    clear_slot,
    end_tasks,
    executor_end,
    time_out,
    update_executor_end,
)
from engine.simulation.applications.spark.slow_tasks import goes_on_elsewhere, speculates
from engine.simulation.applications.spark.stages import count_waiting_tasks, note_backlog
from engine.simulation.applications.spark.states import IN_ORDER, LAUNCHES, NEW, OTHERS, REGISTERED, WORKS
from engine.simulation.durations import LAW_SIZE
from engine.simulation.kernel.node_rows import refresh_time, release, row_entry

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def executor_placed(v: View, s: State, entry: int, now: int) -> None:
    """The driver learns of it at a heartbeat."""
    container = s.row_container[entry]
    job = s.container_job[container]
    s.new_executors[job] += 1
    skip_beats(v, s, job, now + 1)
    s.container_index[container] = s.job_executors[job]
    s.container_begin[container] = NONE
    s.job_executors[job] += 1
    s.live_executors[job] += 1
    s.executor_state[container] = NEW
    s.executor_removed_at[container] = INFINITE
    s.executor_excluded_at[container] = exclusion_time(v, s, job, container)
    append_placed(s, job, container)
    set_driver_timer(v, s, job, now)


def launch_executor(s: State, job: int, container: int, now: int) -> None:
    """The driver has learnt of it."""
    s.new_executors[job] -= 1
    s.executor_state[container] = LAUNCHES
    law = s.executor_launch_law[LAW_SIZE * job : LAW_SIZE * job + LAW_SIZE]
    index = s.container_index[container]
    launch = attempt_draw_ms(law, s.job_key[job], 1, LAUNCH, 1, EXECUTOR, index)
    if launch == 0:
        register_executor(s, job, container, now)
        update_executor_end(s, job, container)
    else:
        begin_launching(s, container, launch, now)


def register_executor(s: State, job: int, container: int, now: int) -> None:
    """It is ready for tasks."""
    s.executor_state[container] = REGISTERED
    s.container_begin[container] = now
    take_out_executor(s, job, OTHERS, container)
    insert_registered(s, job, container)
    s.registered_executors[job] += 1
    s.executor_changes[job] += 1
    s.first_slot[container] = s.slot_count
    s.slot_count += s.executor_slots[job]
    add_free(s, job, container)
    s.offers_all[job] = 1
    begin_idling(s, job, container, now)
    exclude(s, job, container, now)


def executor_due(s: State, entry: int, now: int) -> None:
    """It registers, tasks of it end, it has been idle for too long, or is excluded."""
    container = s.row_container[entry]
    job = s.container_job[container]
    if s.executor_state[container] == LAUNCHES:
        end_launching(s, container)
        register_executor(s, job, container, now)
    else:
        end_tasks(s, job, container, now)
        time_out(s, job, container, now)
        exclude(s, job, container, now)
    s.row_end[entry] = executor_end(s, job, container)
    wake_driver(s, job, now)


def exclusion_time(v: View, s: State, job: int, container: int) -> int:
    """From when on one that has just been placed gets no task (SPARK-14); INFINITE: never."""
    place = s.first_exclusion[job] + s.container_index[container]
    if place >= s.end_of_exclusions[job] or s.exclusion_ms[place] == 0:
        return INFINITE
    return v.job_arrival[job] + s.exclusion_ms[place]


def exclude(s: State, job: int, container: int, now: int) -> None:
    """One that has registered gets no more task, where its time has come."""
    if s.executor_excluded_at[container] <= now:
        s.executor_excluded_at[container] = INFINITE
        s.is_excluded[container] = 1
        take_out_free(s, job, container)


def stop_executor(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """It ends, and the tasks in it; the scheduler knows when its node tells."""
    job = s.container_job[container]
    if s.executor_state[container] == REGISTERED:
        first = s.first_slot[container]
        for slot in range(first, first + s.executor_slots[job]):
            if s.slot_task[slot] >= 0:
                clear_slot(s, job, container, slot, outcome, now)
        take_out_executor(s, job, IN_ORDER, container)
        take_out_free(s, job, container)
        s.registered_executors[job] -= 1
        s.executor_changes[job] += 1
        s.timed_out_executors[job] -= s.is_timed_out[container]
        s.removed_executors[job] -= s.executor_removed_at[container] != INFINITE
    else:
        take_out_executor(s, job, OTHERS, container)
        s.new_executors[job] -= s.executor_state[container] == NEW
        if s.executor_state[container] == LAUNCHES:
            end_launching(s, container)
    s.live_executors[job] -= 1
    node = s.container_node[container]
    release(v, s, row_entry(s, container), node, outcome, now)
    refresh_time(s, node)


def stop_executors(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All executors of an application end."""
    for which in (OTHERS, IN_ORDER):
        while s.first_executor[2 * job + which] >= 0:
            stop_executor(v, s, s.first_executor[2 * job + which], outcome, now)


def kill_executor(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """It is lost with its node, or killed for another job: what ran there, and what is needed of its output,
    is to run again.
    """
    job = s.container_job[container]
    skip_beats(v, s, job, now)
    stop_tasks_of(s, job, container)
    stop_executor(v, s, container, outcome, now)
    s.lost_executors[job] += 1
    if s.outputs_go[job] == 1:
        outputs_are_lost(s, job, container, -1)
        if speculates(s, job):
            forget_lost_durations(s, job)
    if s.driver_state[job] == WORKS:
        count_waiting_tasks(s, job)
    if s.waiting_tasks[job] > 0:
        note_backlog(s, job, now)
    wake_driver(s, job, now)


def stop_tasks_of(s: State, job: int, container: int) -> None:
    """Its running tasks wait again, but those that run elsewhere too."""
    if s.executor_state[container] != REGISTERED:
        return
    first = s.first_slot[container]
    for slot in range(first, first + s.executor_slots[job]):
        stage, task = s.slot_stage[slot], s.slot_task[slot]
        if task >= 0 and not (speculates(s, job) and goes_on_elsewhere(s, job, stage, task, container)):
            task_waits_again(s, job, stage, task)
