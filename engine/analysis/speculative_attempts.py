"""Concurrent attempts of one task: which of them were speculative."""

from __future__ import annotations

import numpy as np

from engine.codes import KINDS, NONE
from engine.simulation.run import Containers, Run, TaskRuns


def speculative(run: Run) -> np.ndarray:
    """bool[containers]: attempts that started while another attempt of their task ran. Cost: linear, and what
    tasks with several attempts take to sort.
    """
    c = run.containers
    return _beside_others(run, c, c.job, c.stage.astype(np.int64) * len(KINDS) + c.kind)


def speculative_tasks(run: Run) -> np.ndarray:
    """bool[tasks]: the same of tasks in slots."""
    if run.tasks is None:
        return np.zeros(0, bool)
    return _beside_others(run, run.tasks, run.containers.job[run.tasks.container], run.tasks.stage)


def _beside_others(
    run: Run, attempts: Containers | TaskRuns, job: np.ndarray, stage: np.ndarray
) -> np.ndarray:
    """stage: of the job, also the kind where that is not all."""
    is_speculative = np.zeros(len(job), bool)
    again = attempts.attempt > 1
    if not again.any():
        return is_speculative
    task = job.astype(np.int64) * (int(stage.max()) + 1) + stage
    task = task * (int(attempts.index.max()) + 1) + attempts.index
    repeated = np.unique(task[again])
    task_index = np.searchsorted(repeated, task)
    repeated_attempts = np.flatnonzero(repeated[np.minimum(task_index, len(repeated) - 1)] == task)
    order = repeated_attempts[
        np.lexsort((attempts.attempt[repeated_attempts], task_index[repeated_attempts]))
    ]
    start, end, group = (
        attempts.start[order],
        np.where(attempts.end == NONE, run.at_ms + 1, attempts.end)[order],
        task_index[order],
    )
    times = np.unique(np.concatenate([start, end]))
    start, end = np.searchsorted(times, start), np.searchsorted(times, end)
    # of this and the earlier attempts of the task
    latest = np.maximum.accumulate(group * len(times) + end) - group * len(times)
    is_speculative[order[1:]] = (group[1:] == group[:-1]) & (latest[:-1] > start[1:])
    return is_speculative
