"""Stages: when they begin and finish, and which tasks run again after a loss (SPARK-7, SPARK-9).

In Spark  DAGScheduler.submitStage, handleExecutorLost
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.spark.driver_heartbeats import wake_driver
from engine.simulation.applications.spark.states import DONE, GONE, NOT_DONE

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def reset_stages(s: State, job: int) -> None:
    """No task of the application has run, or what has run is lost."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        s.stage_waiting[stage] = s.stage_tasks[stage]
        s.stage_next[stage] = 0
        s.stage_done[stage] = 0
        s.stage_is_finished[stage] = 0
        s.stage_missing[stage] = s.stage_first_source[stage + 1] - s.stage_first_source[stage]
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            s.task_executor[task] = -1
            s.task_state[task] = NOT_DONE
    s.unfinished_stages[job] = s.job_first_stage[job + 1] - s.job_first_stage[job]
    s.first_open_stage[job] = s.job_first_stage[job]
    s.may_finish_stage[job] = 0
    s.waiting_tasks[job] = 0
    s.running_tasks_of_job[job] = 0


def submit_first_stages(s: State, job: int, now: int) -> None:
    """The application begins: the stages without sources."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_missing[stage] == 0:
            s.waiting_tasks[job] += s.stage_waiting[stage]
    note_backlog(s, job, now)


def finish_stages(s: State, job: int, now: int) -> None:
    """Stages all of whose tasks are done have finished; those are submitted whose last source that was."""
    s.may_finish_stage[job] = 0
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_is_finished[stage] == 0 and s.stage_done[stage] == s.stage_tasks[stage]:
            s.stage_is_finished[stage] = 1
            s.unfinished_stages[job] -= 1
            for reader in range(stage + 1, s.job_first_stage[job + 1]):
                if reads(s, reader, stage):
                    s.stage_missing[reader] -= 1
                    if s.stage_missing[reader] == 0 and s.stage_waiting[reader] > 0:
                        s.waiting_tasks[job] += s.stage_waiting[reader]
                        note_backlog(s, job, now)


def reads(s: State, reader: int, stage: int) -> bool:
    """Does a stage read another's output?"""
    for place in range(s.stage_first_source[reader], s.stage_first_source[reader + 1]):
        if s.stage_source[place] == stage:
            return True
    return False


def note_backlog(s: State, job: int, now: int) -> None:
    """Tasks wait: when executors are asked for (ExecutorAllocationManager.onSchedulerBacklogged)."""
    s.target_may_change[job] = 1
    if s.step_at[job] == INFINITE:
        s.step_at[job] = now + s.backlog_ms[job]


def task_waits_again(s: State, job: int, stage: int, task: int) -> None:
    """A task that ran, or had finished, is to run again."""
    s.task_executor[task] = -1
    s.stage_waiting[stage] += 1
    s.stage_next[stage] = min(s.stage_next[stage], task - s.stage_draw[stage])
    s.first_open_stage[job] = min(s.first_open_stage[job], stage)
    if s.stage_missing[stage] == 0:
        s.waiting_tasks[job] += 1


def outputs_are_lost(s: State, job: int, container: int, node: int) -> None:
    """Output is gone that lay with an executor, or on a node (container -1). What is needed of all that is
    gone waits again: from the last stage to the first, for one that is to run again needs its sources.
    """
    first, end = s.job_first_stage[job], s.job_first_stage[job + 1]
    for task in range(s.stage_draw[first], s.stage_draw[end - 1] + s.stage_tasks[end - 1]):
        place = s.task_executor[task]
        if s.task_state[task] == DONE and (
            place == container or (container < 0 and s.container_node[place] == node)
        ):
            s.task_state[task] = GONE
    for stage in range(end - 1, first - 1, -1):
        if is_needed(s, job, stage):
            run_again(s, job, stage)


def run_again(s: State, job: int, stage: int) -> None:
    """Tasks of a stage whose output is gone."""
    for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
        if s.task_state[task] == GONE:
            s.task_state[task] = NOT_DONE
            s.stage_done[stage] -= 1
            reopen_stage(s, job, stage)
            task_waits_again(s, job, stage, task)


def node_is_lost(s: State, job: int, node: int, now: int) -> None:
    """The output that an external shuffle service kept there goes with it."""
    outputs_are_lost(s, job, -1, node)
    if s.waiting_tasks[job] > 0:
        note_backlog(s, job, now)
    wake_driver(s, job, now)


def is_needed(s: State, job: int, stage: int) -> bool:
    """Does a stage that has not finished read its output?"""
    for reader in range(stage + 1, s.job_first_stage[job + 1]):
        if s.stage_is_finished[reader] == 0 and reads(s, reader, stage):
            return True
    return False


def reopen_stage(s: State, job: int, stage: int) -> None:
    """A stage has not finished after all: those that read it begin no task."""
    if s.stage_is_finished[stage] == 1:
        s.stage_is_finished[stage] = 0
        s.unfinished_stages[job] += 1
        for reader in range(stage + 1, s.job_first_stage[job + 1]):
            if reads(s, reader, stage):
                if s.stage_missing[reader] == 0:
                    s.waiting_tasks[job] -= s.stage_waiting[reader]
                s.stage_missing[reader] += 1
