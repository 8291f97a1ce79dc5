"""DAGs that begin, and which tasks of their vertices are scheduled (TEZ-1, TEZ-2).

In Tez  ShuffleVertexManagerBase
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.codes import EXECUTOR, INFINITE

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def begin_dags(s: State, job: int, now: int) -> None:
    """DAGs that have been submitted begin, one after another."""
    while next_dag_start(s, job) <= now:
        start = s.stage_start_ms[s.begun_end[job]]
        while s.begun_end[job] < s.job_first_stage[job + 1] and s.stage_start_ms[s.begun_end[job]] == start:
            s.begun_end[job] += 1


def next_dag_start(s: State, job: int) -> int:
    """When the next DAG is submitted; INFINITE where there is none, or one before it has not finished."""
    following = s.begun_end[job]
    if following == s.job_first_stage[job + 1]:
        return INFINITE
    for stage in range(s.job_first_stage[job], following):
        if s.stage_is_finished[stage] == 0:
            return INFINITE
    return s.begun_at[job] + s.stage_start_ms[following]


def schedule_tasks(s: State, job: int) -> None:
    """Of each vertex whose DAG has begun as many as its sources allow."""
    for stage in range(s.job_first_stage[job], s.begun_end[job]):
        if s.stage_missing[stage] == 0:
            s.stage_scheduled[stage] = s.stage_tasks[stage]
        else:
            s.stage_scheduled[stage] = max(s.stage_scheduled[stage], allowed_tasks(s, job, stage))


def allowed_tasks(s: State, job: int, stage: int) -> int:
    """By how many tasks of its sources have finished, in the arithmetic of getNumOfTasksToSchedule."""
    finished = np.float32(1.0)
    for place in range(s.stage_first_source[stage], s.stage_first_source[stage + 1]):
        source = s.stage_source[place]
        finished = min(finished, np.float32(s.stage_done[source]) / np.float32(s.stage_tasks[source]))
    minimum, maximum = np.float32(s.slow_start_minimum[job]), np.float32(s.slow_start_maximum[job])
    if maximum <= minimum:
        return s.stage_tasks[stage] if finished >= minimum else 0
    share = min(max((finished - minimum) / (maximum - minimum), np.float32(0.0)), np.float32(1.0))
    return int(math.ceil(share * np.float32(s.stage_tasks[stage])))


def vertex_request(v: View, s: State, job: int, stage: int) -> int:
    """The request of a job for containers of a vertex."""
    return v.job_first_request[job] + EXECUTOR + stage - s.job_first_stage[job]


def waiting_of(s: State, stage: int) -> int:
    """Tasks of a vertex that are scheduled and wait."""
    return max(0, s.stage_scheduled[stage] - (s.stage_tasks[stage] - s.stage_waiting[stage]))
