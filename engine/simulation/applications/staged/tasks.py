"""Containers of applications whose tasks have one each, from their placement to their end, and what follows
(STAGES-3 to STAGES-5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FINISHED, MAP, RUNNING, TASK
from engine.simulation.applications.application_masters import learns_at
from engine.simulation.applications.attempt_draws import LAUNCH, attempt_draw_ms
from engine.simulation.applications.dag.single_tasks import begin_task, finish_task
from engine.simulation.applications.dag.stage_progress import (
    NOT_DONE,
    reads,
    take_task,
    task_waits_again,
)
from engine.simulation.applications.dag.task_speed import go_on, has_phase_left, stop_counting
from engine.simulation.applications.staged.stage_asks import may_ask, wake_master, withdraw_all
from engine.simulation.kernel.job_end import finish_job
from engine.simulation.kernel.node_rows import refresh_time, release, row_entry

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def stage_task_placed(v: View, s: State, entry: int, now: int) -> None:
    """It takes the lowest task of its stage that waits."""
    container, request = s.row_container[entry], s.row_request[entry]
    job = v.request_job[request]
    number = request - v.job_first_request[job] - TASK
    stage = s.job_first_stage[job] + number
    index = take_task(s, stage, container)
    s.container_stage[container] = number + 1
    s.container_index[container] = index
    s.container_attempt[container] = s.task_attempt[s.stage_draw[stage] + index]
    begin = now
    if s.launches == 1:
        attempt = s.container_attempt[container]
        begin = learns_at(s, job, now) + attempt_draw_ms(
            s.launch_law, s.job_key[job], attempt, LAUNCH, number + 1, MAP, index
        )
        s.container_begin[container] = begin
    begin_task(s, job, stage, index, container, begin, now)


def stage_task_due(v: View, s: State, entry: int, node: int, now: int) -> None:
    """Its task has finished; under contention, or goes on to what it does next."""
    container = s.row_container[entry]
    job, stage = s.container_job[container], s.running_stage[container]
    if has_phase_left(s, job, entry):
        go_on(s, job, container, now)
        return
    stop_counting(s, job, container)
    release(v, s, entry, node, FINISHED, now)
    finish_task(s, job, container, now)
    if s.unfinished_stages[job] == 0:
        finish_job(v, s, job, now)
        return
    for reader in range(stage + 1, s.job_first_stage[job + 1]):
        if s.stage_is_asked[reader] == 0 and reads(s, reader, stage) and may_ask(s, job, reader, now):
            wake_master(s, job, now)


def stop_stage_task(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """A running task stops; its work is lost."""
    node = s.container_node[container]
    stop_counting(s, s.container_job[container], container)
    release(v, s, row_entry(s, container), node, outcome, now)
    refresh_time(s, node)


def stage_task_lost(s: State, container: int, now: int) -> None:
    """It is to run again."""
    job = s.container_job[container]
    task_waits_again(s, job, s.running_stage[container], s.running_task[container])
    wake_master(s, job, now)


def stop_stage_tasks(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All its tasks that run are stopped, and nothing of it waits at the scheduler."""
    withdraw_all(v, s, job)
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        for task in range(s.stage_draw[stage], s.stage_draw[stage] + s.stage_tasks[stage]):
            container = s.task_container[task]
            if (
                container >= 0
                and s.task_state[task] == NOT_DONE
                and s.container_outcome[container] == RUNNING
            ):
                stop_stage_task(v, s, container, outcome, now)
                task_waits_again(s, job, stage, task)
