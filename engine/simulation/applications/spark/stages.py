"""When stages begin and finish, and what their driver does about it (SPARK-7, SPARK-9).

In Spark  DAGScheduler.submitStage, handleExecutorLost
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.dag.stage_progress import finish_stage, outputs_are_lost
from engine.simulation.applications.spark.driver_heartbeats import wake_driver
from engine.simulation.applications.spark.finished_durations import forget_lost_durations
from engine.simulation.applications.spark.slow_tasks import speculates
from engine.simulation.applications.spark.states import WORKS

if TYPE_CHECKING:
    from engine.simulation.kernel.state import State


def submit_first_stages(s: State, job: int, now: int) -> None:
    """The application begins: the stages without sources."""
    count_waiting_tasks(s, job)
    note_backlog(s, job, now)


def finish_stages(s: State, job: int, now: int) -> None:
    """Stages all of whose tasks are done have finished; those are submitted whose last source that was."""
    s.may_finish_stage[job] = 0
    waiting = s.waiting_tasks[job]
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_is_finished[stage] == 0 and s.stage_done[stage] == s.stage_tasks[stage]:
            finish_stage(s, job, stage)
    count_waiting_tasks(s, job)
    if s.waiting_tasks[job] > waiting:
        note_backlog(s, job, now)


def count_waiting_tasks(s: State, job: int) -> None:
    """Stages have finished, or tasks are to run again."""
    s.waiting_tasks[job] = s.marked_tasks[job] = 0
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_missing[stage] == 0:
            s.waiting_tasks[job] += s.stage_waiting[stage]
            if speculates(s, job):
                s.marked_tasks[job] += s.stage_marked[stage]


def note_backlog(s: State, job: int, now: int) -> None:
    """Tasks wait: free slots are offered together, and executors asked for when they have waited for long
    (TaskScheduler.submitTasks, ExecutorAllocationManager.onSchedulerBacklogged).
    """
    s.offers_all[job] = 1
    s.target_may_change[job] = 1
    if s.step_at[job] == INFINITE:
        s.step_at[job] = now + s.backlog_ms[job]


def node_is_lost(s: State, job: int, node: int, now: int) -> None:
    """The output that an external shuffle service kept there goes with it."""
    outputs_are_lost(s, job, -1, node)
    if speculates(s, job):
        forget_lost_durations(s, job)
    if s.driver_state[job] == WORKS:
        count_waiting_tasks(s, job)
    if s.waiting_tasks[job] > 0:
        note_backlog(s, job, now)
    wake_driver(s, job, now)
