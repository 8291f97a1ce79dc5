"""What the master of an application of stages asks for (STAGES-2, STAGES-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, TASK
from engine.simulation.applications.application_masters import next_heartbeat, wake_at
from engine.simulation.applications.dag.stage_progress import reset_stages
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.requests import request_containers, withdraw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def master_looks(v: View, s: State, job: int, now: int) -> None:
    """It asks for the containers of stages whose time has come, and for those of tasks that run again."""
    if v.job_finish[job] >= 0:
        return
    s.is_master_down[job] = 0
    if s.begun_at[job] < 0:
        s.begun_at[job] = now
        reset_stages(s, job)
    following = INFINITE
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        if s.stage_is_asked[stage] == 1 or may_ask(s, job, stage, now):
            s.stage_is_asked[stage] = 1
            request = stage_request(v, s, job, stage)
            missing = s.stage_waiting[stage] - v.request_waiting[request]
            if missing > 0:
                request_containers(v, s, request, missing, now)
        elif s.begun_at[job] + s.stage_start_ms[stage] > now:
            following = min(following, s.begun_at[job] + s.stage_start_ms[stage])
    set_time(s, len(s.awake) + job, next_heartbeat(s, job, following) if following < INFINITE else INFINITE)


def stage_request(v: View, s: State, job: int, stage: int) -> int:
    """The request of a job for containers of a stage."""
    return v.job_first_request[job] + TASK + stage - s.job_first_stage[job]


def may_ask(s: State, job: int, stage: int, now: int) -> bool:
    """Has its time come, and have enough tasks finished of each stage that it comes after?"""
    if now < s.begun_at[job] + s.stage_start_ms[stage]:
        return False
    for place in range(s.stage_first_source[stage], s.stage_first_source[stage + 1]):
        if s.stage_done[s.stage_source[place]] < s.source_needed[place]:
            return False
    return True


def wake_master(s: State, job: int, now: int) -> None:
    """Something has happened that its master may ask for containers for, at once or at its next heartbeat."""
    if s.begun_at[job] >= 0:
        wake_at(s, job, next_heartbeat(s, job, now))


def withdraw_all(v: View, s: State, job: int) -> None:
    """Nothing is asked for any more, and nobody looks."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        request = stage_request(v, s, job, stage)
        withdraw(v, s, request, v.request_waiting[request])
        s.stage_is_asked[stage] = 0
    set_time(s, len(s.awake) + job, INFINITE)
