"""Scenario -> what the kernel reads of applications' stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.scenario.field_types import milliseconds
from engine.scenario.model import Job, Scenario

if TYPE_CHECKING:
    from engine.simulation.workload import Workload


def stage_arrays(scenario: Scenario, work: Workload) -> dict[str, np.ndarray]:
    """The arrays of Stages that exist before a run: stages of all jobs, numbered job by job, and their
    sources; none but the frameworks where no job has stages.
    """
    arrays = {"job_framework": work.job_framework}
    if not any(job.stages for job in scenario.jobs):
        return arrays
    first_stage, first_source = [0], [0]
    tasks: list[int] = []
    draws: list[int] = []
    starts: list[int] = []
    is_kept: list[bool] = []
    sources: list[int] = []
    needed: list[int] = []
    fetches: list[float] = []
    edges_of_group = [_edges(job, scenario.cluster.shuffle_mb_s) for job in scenario.jobs]
    first_draw = (np.cumsum(work.job_tasks) - work.job_tasks).tolist()
    for job, group in enumerate(work.job_group.tolist()):
        base, draw = len(tasks), first_draw[job]
        for stage, edges in zip(scenario.jobs[group].stages, edges_of_group[group], strict=True):
            tasks.append(stage.tasks)
            draws.append(draw)
            starts.append(milliseconds(stage.start_s))
            is_kept.append(not stage.result)
            draw += stage.tasks
            for source, count, fetch_ms in edges:
                sources.append(base + source)
                needed.append(count)
                fetches.append(fetch_ms)
            first_source.append(len(sources))
        first_stage.append(len(tasks))
    return arrays | {
        "job_first_stage": np.array(first_stage, np.int64),
        "stage_tasks": np.array(tasks, np.int64),
        "stage_draw": np.array(draws, np.int64),
        "stage_start_ms": np.array(starts, np.int64),
        "stage_first_source": np.array(first_source, np.int64),
        "stage_source": np.array(sources, np.int64),
        "source_needed": np.array(needed, np.int64),
        "source_fetch_ms": np.array(fetches, np.float64),
        "stage_is_read": (np.isin(np.arange(len(tasks)), sources) & is_kept).astype(np.int8),
    }


def _edges(job: Job, shuffle_mb_s: float) -> list[list[tuple[int, int, float]]]:
    """Of each stage its sources: which, how many of its tasks must have finished before the stage is asked
    for, and the ms in which one of its tasks fetches the output of one of theirs.
    """
    return [
        [
            (
                source,
                int(np.ceil(np.float32(stage.slow_start) * np.float32(job.stages[source].tasks))),
                stage.fetch_ms(job.stages[source], shuffle_mb_s),
            )
            for source in read
        ]
        for stage, read in zip(job.stages, job.stage_sources, strict=True)
    ]
