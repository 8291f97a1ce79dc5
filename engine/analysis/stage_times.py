"""The stages of the applications of a run: when each ran, and the longest way through them; pure functions of
a Run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from engine.codes import FINISHED, NOISE_MS, NONE, TASK, TEZ
from engine.scenario.field_types import milliseconds
from engine.scenario.model import Cluster, Job
from engine.simulation.run import Run


class StageTimes(NamedTuple):
    """A stage of an application. start: of its first task; end: of its last, NONE while one is unfinished;
    ms. is_critical: the application, or the next critical stage, waited for its end.
    """

    name: str
    start: int
    end: int
    is_critical: bool


class StageTasks(NamedTuple):
    """One entry an attempt of a task of a stage, in a container of its own or in one that runs several.
    stage: from 1; computes: when it has what it reads, ms; NONE: it never had.
    """

    job: np.ndarray
    stage: np.ndarray
    index: np.ndarray  # type: ignore[assignment]  # hides tuple.index
    start: np.ndarray
    computes: np.ndarray
    end: np.ndarray
    outcome: np.ndarray


def stage_tasks(run: Run) -> StageTasks:
    """Of all applications, in no particular order."""
    c = run.containers
    own = np.flatnonzero(c.kind == TASK)
    reads = stage_values(run, c.job[own], c.stage[own], has_sources)
    computes = np.where(reads == 1, c.shuffle_end[own], c.start[own])
    columns = [c.job[own], c.stage[own], c.index[own], c.start[own], computes, c.end[own], c.outcome[own]]
    if run.tasks is not None:
        tasks = run.tasks
        job = c.job[tasks.container]
        has_input = tasks.start
        if (run.workload.job_framework == TEZ).any():
            fetches = run.workload.job_framework[job] == TEZ
            fetches &= stage_values(run, job, tasks.stage, has_sources) == 1
            has_input = np.where(fetches, tasks.shuffle_end, tasks.start)
        in_slots = [job, tasks.stage, tasks.index, tasks.start, has_input, tasks.end, tasks.outcome]
        columns = [np.concatenate(both) for both in zip(columns, in_slots, strict=True)]
    return StageTasks(*columns)


def stage_values(
    run: Run, jobs: np.ndarray, stages: np.ndarray, values: Callable[[Job], Iterable[int]]
) -> np.ndarray:
    """A value of the stage that each of these tasks is of. stages: from 1; values: of a job's stages."""
    of_stages = np.array([value for job in run.scenario.jobs for value in values(job)], np.int64)
    first = np.cumsum([0, *(len(job.stages) for job in run.scenario.jobs)])
    return of_stages[first[run.workload.job_group[jobs]] + stages - 1]


def has_sources(job: Job) -> list[bool]:
    """Of each stage: does it come after others?"""
    return [bool(stage.after) for stage in job.stages]


def stage_times(run: Run, job: int) -> list[StageTimes]:
    """Of one job; job: its index."""
    return stages_of_jobs(run)[job]


def stages_of_jobs(run: Run) -> list[list[StageTimes]]:
    """Of each job its stages in their order; none of a MapReduce job, or where no task of any has begun.

    The critical path goes back from the stage that ended last, from each stage to the source that ended last,
    the first of several: Kelley and Walker 1959, by what happened. Cost: that of sorting the tasks.
    """
    tasks, jobs = stage_tasks(run), run.scenario.jobs
    groups = run.workload.job_group.tolist()
    if not len(tasks.job):
        return [[] for _ in groups]
    counts = [[stage.tasks for stage in jobs[group].stages] for group in groups]
    first = np.cumsum([0, *map(len, counts)])
    number = first[tasks.job] + tasks.stage - 1
    done = tasks.outcome == FINISHED
    begun = np.full(first[-1], run.until_ms + 1)
    np.minimum.at(begun, number, tasks.start)
    last = np.full(first[-1], NONE)
    np.maximum.at(last, number[done], tasks.end[done])
    finished = np.unique(np.stack([number[done], tasks.index[done]]), axis=1)[0]
    is_over = np.bincount(finished, minlength=first[-1]) == [count for of_job in counts for count in of_job]
    begun, over = np.where(begun > run.until_ms, NONE, begun), np.where(is_over, last, NONE)
    found = []
    for group, start in zip(groups, first.tolist()):
        own = slice(start, start + len(jobs[group].stages))
        ends = over[own].tolist()
        critical = _critical_path(jobs[group].stage_sources, ends)
        found.append(
            [
                StageTimes(name, since, until, place in critical)
                for place, (name, since, until) in enumerate(
                    zip(jobs[group].stage_names, begun[own].tolist(), ends)
                )
            ]
        )
    return found


def longest_path_ms(run: Run) -> np.ndarray:
    """int64[jobs]: the longest way through an application's stages, each as long as its longest task that
    finished computed, with what a stage fetches of its source's last task between them, and of demand with
    the time before it is asked for; 0 of a MapReduce job. No schedule of these tasks is shorter (Graham
    1969).
    """
    total, tasks = np.zeros(len(run.workload.job_names), np.int64), stage_tasks(run)
    done = tasks.outcome == FINISHED
    longest = np.zeros((len(total), max((len(job.stages) for job in run.scenario.jobs), default=0)), np.int64)
    np.maximum.at(longest, (tasks.job[done], tasks.stage[done] - 1), (tasks.end - tasks.computes)[done])
    for group, job in enumerate(run.scenario.jobs):
        if job.stages:
            jobs = np.flatnonzero(run.workload.job_group == group)
            total[jobs] = longest_way(job, longest[jobs], run.scenario.cluster)
    return total


def longest_way(job: Job, longest: np.ndarray, cluster: Cluster) -> np.ndarray:
    """ms[copies]: the longest way through a job's stages. longest: ms[copies, stages], of a task once it has
    what it reads.
    """
    reached = np.zeros_like(longest)
    for number, (stage, sources) in enumerate(zip(job.stages, job.stage_sources, strict=True)):
        before = np.full(len(longest), milliseconds(stage.start_s), longest.dtype)
        for source in sources:
            last_ms = _fetch_ms(job, cluster, stage.fetch_ms(job.stages[source], cluster.shuffle_mb_s))
            before = np.maximum(before, reached[:, source] + last_ms)
        reached[:, number] = before + longest[:, number]
    return reached.max(axis=1, initial=0)


def input_ms(job: Job, cluster: Cluster) -> list[int]:
    """Of each stage, the ms in which a task fetches all that it reads, where all of it is there."""
    found = []
    for stage, sources in zip(job.stages, job.stage_sources, strict=True):
        exact_ms = [
            job.stages[source].tasks * stage.fetch_ms(job.stages[source], cluster.shuffle_mb_s)
            for source in sources
        ]
        found.append(_fetch_ms(job, cluster, sum(exact_ms)) if sources else 0)
    return found


def _fetch_ms(job: Job, cluster: Cluster, exact_ms: float) -> int:
    """With the latency, which is none in an executor of Spark."""
    latency = milliseconds(cluster.shuffle_latency_s) if job.framework in ("stages", "tez") else 0
    return max(math.ceil(exact_ms - NOISE_MS), 0) + latency


def _critical_path(sources: list[list[int]], end: list[int]) -> set[int]:
    candidates, path = list(range(len(end))), set()
    while candidates:
        latest = max(candidates, key=lambda stage: end[stage])
        if end[latest] == NONE:
            break
        path.add(latest)
        candidates = sources[latest]
    return path
