"""Attempts of one task beside each other: which of them were speculative."""

from __future__ import annotations

import numpy as np

from engine.simulation.run import NONE, Run


def speculative(run: Run) -> np.ndarray:
    """bool[containers]: attempts that started while another attempt of their task ran."""
    c = run.containers
    found = np.zeros(len(c.job), bool)
    if not len(found) or c.attempt.max() < 2:
        return found
    order = np.lexsort((c.attempt, c.index, c.kind, c.stage, c.job))
    again = np.append(False, ~_task_changes(run, order))
    end = np.where(c.end == NONE, run.at_ms, c.end)
    for place in np.flatnonzero(again).tolist():
        one = order[place]
        before = place - 1
        while True:
            found[one] |= end[order[before]] > c.start[one] >= c.start[order[before]]
            if not again[before]:
                break
            before -= 1
    return found


def _task_changes(run: Run, order: np.ndarray) -> np.ndarray:
    """bool[len(order) - 1]: whether the next of these containers is of another task."""
    c = run.containers
    return np.any([column[order[1:]] != column[order[:-1]] for column in (c.job, c.stage, c.kind, c.index)], axis=0)
