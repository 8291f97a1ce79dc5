"""How the maps' output is divided among the reduces of a job (SHUFFLE-3): drawn once a job, the same in all
iterations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codes import REDUCE
from engine.jit import compiled
from engine.scenario.model import Job
from engine.simulation.applications.attempt_draws import PARTITION, attempt_draw
from engine.simulation.durations import job_keys


def reduce_parts(scenario: Any, work: Any) -> np.ndarray:
    """float64: what each reduce has beside an even part, the reduces of one job after those of another; empty
    where all jobs divide evenly.
    """
    if not any(job.partitions for job in scenario.jobs):
        return np.zeros(0)
    sizes = [_sizes(job) for job in scenario.jobs]
    ranked = [job.partitions is not None and job.partitions.zipf is not None for job in scenario.jobs]
    keys = job_keys(scenario, work, ranked)
    parts = []
    for job, group in enumerate(work.job_group.tolist()):
        job_sizes = sizes[group]
        if ranked[group]:
            draws = np.empty(len(job_sizes))
            with np.errstate(over="ignore"):
                _draw(draws, keys[job])
            job_sizes = np.empty(len(job_sizes))
            job_sizes[np.argsort(draws, kind="stable")] = sizes[group]
        parts.append(job_sizes)
    return np.concatenate(parts)


def _sizes(job: Job) -> np.ndarray:
    """The parts of a group's reduces beside an even one: in the order of rank under zipf, else of index."""
    count = job.reduces.count if job.reduces else 0
    if not job.partitions:
        return np.ones(count)
    weights = job.partitions.sizes
    if not weights:
        assert job.partitions.zipf is not None  # validation: one of the two is given
        weights = [1.0 / float(rank) ** job.partitions.zipf for rank in range(1, count + 1)]
    total = 0.0
    for weight in weights:
        total += weight
    return np.array([weight * count / total for weight in weights])


@compiled
def _draw(out, key):
    for index in range(len(out)):
        out[index] = attempt_draw(key, 0, PARTITION, 0, REDUCE, index)
