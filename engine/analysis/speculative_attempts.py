"""Concurrent attempts of one task: which of them were speculative."""

from __future__ import annotations

import numpy as np

from engine.codes import KINDS, NONE
from engine.simulation.run import Run


def speculative(run: Run) -> np.ndarray:
    """bool[containers]: attempts that started while another attempt of their task ran. Cost: linear, and what
    tasks with several attempts take to sort.
    """
    c = run.containers
    is_speculative = np.zeros(len(c.job), bool)
    again = c.attempt > 1
    if not again.any():
        return is_speculative
    task = (c.job.astype(np.int64) * (int(c.stage.max()) + 1) + c.stage) * len(KINDS) + c.kind
    task = task * (int(c.index.max()) + 1) + c.index
    repeated = np.unique(task[again])
    task_index = np.searchsorted(repeated, task)
    repeated_attempts = np.flatnonzero(repeated[np.minimum(task_index, len(repeated) - 1)] == task)
    order = repeated_attempts[np.lexsort((c.attempt[repeated_attempts], task_index[repeated_attempts]))]
    start, end, group = (
        c.start[order],
        np.where(c.end == NONE, run.at_ms + 1, c.end)[order],
        task_index[order],
    )
    times = np.unique(np.concatenate([start, end]))
    start, end = np.searchsorted(times, start), np.searchsorted(times, end)
    # of this and the earlier attempts of the task
    latest = np.maximum.accumulate(group * len(times) + end) - group * len(times)
    is_speculative[order[1:]] = (group[1:] == group[:-1]) & (latest[:-1] > start[1:])
    return is_speculative
