"""What the master of a Tez application does when it looks (TEZ-1, TEZ-4).

In Tez  DAGAppMaster, DagAwareYarnTaskScheduler, AMRMClientAsync
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.application_masters import next_heartbeat
from engine.simulation.applications.dag.stage_progress import reset_stages
from engine.simulation.applications.tez.held_containers import (
    assign_idle,
    end_launches,
    give_held_back,
    launch_held,
    release_idle,
    stop_all_held,
)
from engine.simulation.applications.tez.tez_records import NEW, RELEASED
from engine.simulation.applications.tez.vertices import (
    begin_dags,
    next_dag_start,
    schedule_tasks,
    vertex_request,
    waiting_of,
)
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.requests import request_containers, withdraw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def tez_looks(v: View, s: State, job: int, now: int) -> None:
    """Everything that the master does at an instant."""
    if v.job_finish[job] >= 0:
        return
    s.is_master_down[job] = 0
    if s.begun_at[job] < 0:
        s.begun_at[job] = now
        s.begun_end[job] = s.job_first_stage[job]
        reset_stages(s, job)
    following = run_vertices(v, s, job, now)
    if s.job_heartbeat_ms[job] > 0:
        if next_heartbeat(s, job, now) == now and s.beat_at[job] != now:
            s.beat_at[job] = now
            following = beat(v, s, job, now)
        if has_effect(v, s, job):
            following = min(following, next_heartbeat(s, job, now + 1))
    else:
        while has_effect(v, s, job):
            following = beat(v, s, job, now)
    set_time(s, len(s.awake) + job, min(following, next_dag_start(s, job)))


def run_vertices(v: View, s: State, job: int, now: int) -> int:
    """DAGs begin, tasks are scheduled and take containers, idle ones are released; when the next would be."""
    begin_dags(s, job, now)
    schedule_tasks(s, job)
    assign_idle(v, s, job, now)
    return release_idle(s, job, now)


def beat(v: View, s: State, job: int, now: int) -> int:
    """A heartbeat to the ResourceManager; when the next idle container is released."""
    end_released(v, s, job, now)
    has_new = s.new_held[job] > 0
    learn_of_containers(v, s, job, now)
    for stage in range(s.job_first_stage[job], s.begun_end[job]):
        request = vertex_request(v, s, job, stage)
        missing = missing_containers(v, s, job, stage)
        if missing > 0:
            request_containers(v, s, request, missing, now)
        else:
            withdraw(v, s, request, min(v.request_waiting[request], -missing))
    if has_new:
        end_launches(s, job, now)
    return run_vertices(v, s, job, now)


def missing_containers(v: View, s: State, job: int, stage: int) -> int:
    """That are still to be asked for a vertex; fewer than none are too many."""
    request = vertex_request(v, s, job, stage)
    return waiting_of(s, stage) - v.request_waiting[request] - s.stage_new[stage] - s.stage_launching[stage]


def has_effect(v: View, s: State, job: int) -> bool:
    """Would a heartbeat end, learn of, ask for or withdraw anything?"""
    if s.new_held[job] + s.released_held[job] > 0:
        return True
    for stage in range(s.job_first_stage[job], s.begun_end[job]):
        request = vertex_request(v, s, job, stage)
        missing = missing_containers(v, s, job, stage)
        if missing > 0 or (missing < 0 and v.request_waiting[request] > 0):
            return True
    return False


def end_released(v: View, s: State, job: int, now: int) -> None:
    """Containers end that were released before this instant."""
    container = s.first_held[job] if s.released_held[job] > 0 else -1
    while container >= 0:
        following = s.next_held[container]
        if s.held_state[container] == RELEASED and (
            s.released_at[container] < now or s.job_heartbeat_ms[job] == 0
        ):
            give_held_back(v, s, container, now)
        container = following


def learn_of_containers(v: View, s: State, job: int, now: int) -> None:
    """Those that came before this instant are launched while tasks of their vertex wait, others go back."""
    container = s.first_held[job] if s.new_held[job] > 0 else -1
    while container >= 0:
        following = s.next_held[container]
        if s.held_state[container] == NEW and (
            s.container_start[container] < now or s.job_heartbeat_ms[job] == 0
        ):
            stage = s.job_first_stage[job] + s.container_stage[container] - 1
            if s.stage_launching[stage] < waiting_of(s, stage):
                launch_held(s, job, container, now)
            else:
                give_held_back(v, s, container, now)
        container = following


def stop_tez(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All that the master has asked for and been given goes, and it looks no more."""
    for stage in range(s.job_first_stage[job], s.job_first_stage[job + 1]):
        request = vertex_request(v, s, job, stage)
        withdraw(v, s, request, v.request_waiting[request])
        s.stage_scheduled[stage] = 0
    stop_all_held(v, s, job, outcome, now)
    s.waiting_since[job] = INFINITE
    set_time(s, len(s.awake) + job, INFINITE)
