"""Who waits: how many jobs do over time, and how waits and turnarounds are spread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import NONE, TAKEN
from engine.simulation.run import Run


class StepFunction(NamedTuple):
    """A step function: from at[i] on (ascending, without repeats) it is level[i]."""

    at: np.ndarray
    level: np.ndarray


def jobs_waiting(run: Run) -> StepFunction:
    """How many jobs are submitted and have no container yet: those with arrival <= t < start of the first
    container.

    at: int64 ms, the first is the first arrival; a job that never starts waits for good, one that is refused
    does not wait. By Little's law
    (Little 1961: L = lambda W) the area below it is the sum of the waits.
    """
    taken = run.jobs.refused == TAKEN
    if not taken.any():
        return StepFunction(np.array([run.first_ms]), np.zeros(1, np.int64))
    arrival, start = run.jobs.arrival[taken], run.jobs.start[taken]
    started = start[start != NONE]
    at = np.concatenate([arrival, started])
    order = np.argsort(at, kind="stable")
    at = at[order]
    level = np.cumsum(np.concatenate([np.ones(len(arrival), np.int64), np.full(len(started), -1)])[order])
    last = np.append(at[1:] != at[:-1], True)
    return StepFunction(at[last], level[last])


def time_average(levels: StepFunction, until: int) -> float:
    """The mean over time from the first step to `until`; the first level where no time passes."""
    span = until - int(levels.at[0])
    if span <= 0:
        return float(levels.level[0])
    lengths = np.diff(np.append(levels.at, until))
    return int(lengths @ levels.level) / span


def distribution(ms: np.ndarray) -> StepFunction:
    """The empirical distribution function F(x) = (values <= x) / n (van der Vaart 1998, Asymptotic
    Statistics, 19): level[i] = F(at[i]).

    NONE stands for a value that never comes: such a job counts in n, so F stays below 1. Empty where no value
    ever comes.
    """
    values = np.sort(ms[ms != NONE])
    last = np.append(values[1:] != values[:-1], np.ones(min(len(values), 1), bool))
    return StepFunction(values[last], (np.flatnonzero(last) + 1) / max(len(ms), 1))
