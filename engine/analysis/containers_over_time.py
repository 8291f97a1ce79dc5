"""How many containers an application asked for and had, over time: pure functions of a Run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.executor_use import Steps, executor_use, steps
from engine.analysis.stage_times import stage_tasks
from engine.codes import EXECUTOR, NONE, TASK
from engine.simulation.run import Run


class ContainersOverTime(NamedTuple):
    """Of one application, without its master. asked: those that run or wait to be placed; of executors those
    that the driver wants, the target.

    held: from their starts to their ends, executors from their registration on, Tez's from their launch;
    busy: of these, those that run tasks; working: that compute, executors that run a task.
    """

    asked: Steps
    held: Steps
    busy: Steps
    working: Steps


def containers_over_time(run: Run, job: int) -> ContainersOverTime:
    """job: its index; of a MapReduce job there are none. Cost: that of sorting the run's tasks."""
    c, waiting, group = run.containers, run.waiting, run.scenario.jobs[run.workload.job_group[job]]
    kind = EXECUTOR if group.slots else TASK
    use = executor_use(run, job)
    if group.executors:
        return ContainersOverTime(_executors_asked(run, job), use.registered, use.running, use.running)
    own = np.flatnonzero((c.job == job) & (c.kind == kind))
    end = np.where(c.end[own] == NONE, run.until_ms, c.end[own])
    never = (waiting.job == job) & (waiting.kind == kind)
    since = np.repeat(waiting.since[never], waiting.count[never])
    asked = steps(
        np.concatenate([c.requested[own], since]),
        np.concatenate([end, np.full(len(since), run.until_ms)]),
    )
    if group.slots:
        return ContainersOverTime(asked, use.registered, use.running, _computing(run, job))
    computes = np.where(c.shuffle_end[own] == NONE, c.begin[own], c.shuffle_end[own])
    computes = np.where(_reads(run, job)[c.stage[own] - 1] & (c.shuffle_end[own] == NONE), end, computes)
    held = steps(c.start[own], end)
    return ContainersOverTime(asked, held, held, steps(np.minimum(computes, end), end))


def _computing(run: Run, job: int) -> Steps:
    """Tasks in held containers that have what they read."""
    tasks = stage_tasks(run)
    own = tasks.job == job
    end = np.where(tasks.end[own] == NONE, run.until_ms, tasks.end[own])
    return steps(np.where(tasks.computes[own] == NONE, end, tasks.computes[own]), end)


def _reads(run: Run, job: int) -> np.ndarray:
    """bool[stages]: come after others."""
    return np.array([bool(own) for own in run.scenario.jobs[run.workload.job_group[job]].stage_sources], bool)


def _executors_asked(run: Run, job: int) -> Steps:
    if run.targets is None:
        return Steps(np.zeros(0, np.int64), np.zeros(0, np.int64))
    own = run.targets.job == job
    return Steps(run.targets.time[own], run.targets.executors[own])
