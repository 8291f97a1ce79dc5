"""Contention: equal tasks of a job take the longer the more tasks compute on their node.

By the model (contention) each of k tasks runs at 1 / (1 + g (k - 1)). So what a task computed is known for every g, and the g is taken by which the tasks of
a job and kind computed alike: the least variance of the logarithm within jobs, over a grid. No simulation is asked.
"""

from __future__ import annotations

import numpy as np

from engine.prediction.evidence import FOR_EVER, Evidence
from engine.prediction.intervals import NOTHING, Estimate, of_sums
from engine.prediction.occupancy import Events, events, worked
from engine.schedulers.view import MAP, MASTER
from engine.simulation.run import FINISHED, NONE

GRID = np.concatenate((np.arange(0.0, 0.5, 0.01), np.arange(0.5, 2.01, 0.05)))
FEWEST = 3  # tasks of a job and kind that are compared


def computing(of: Evidence, jvm_ms: float, until: int = FOR_EVER) -> tuple[np.ndarray, Events]:
    """The attempts that computed, of those that began before `until`, and when: maps after their JVM's start, reduces after their shuffle."""
    c = of.containers
    begin = np.where(c.kind == MAP, np.minimum(c.begin + int(jvm_ms), c.end - 1), c.shuffle_end)
    tasks = np.flatnonzero((c.kind != MASTER) & (begin != NONE) & (begin < c.end) & (c.start < until))
    return tasks, events(c.node[tasks], begin[tasks], c.end[tasks], np.ones(len(tasks), np.int64))


def contention(of: Evidence, jvm_ms: float) -> Estimate:
    """NOTHING where no job has tasks to compare, or none of them ever had another number of tasks beside it."""
    c = of.containers
    tasks, found = computing(of, jvm_ms, of.until)
    if not len(tasks):
        return NOTHING
    group = 3 * c.job[tasks] + c.kind[tasks]
    used = (of.own & (c.outcome == FINISHED) & (c.end <= of.until))[tasks]
    size = np.bincount(group[used], minlength=1)
    used &= size[np.minimum(group, len(size) - 1)] >= FEWEST
    if not used.any():
        return NOTHING
    group, size = group[used], np.maximum(np.bincount(group[used]), 1)
    columns = []
    for slowed in GRID:
        log = np.log(np.maximum(worked(found, slowed, len(tasks))[used], 1.0))
        columns.append(np.bincount(group, log * log) - np.bincount(group, log) ** 2 / size)
    by_group = np.array(columns).T  # groups x grid: variance times tasks
    job = np.arange(len(by_group)) // 3
    rows = np.zeros((job[-1] + 1, len(GRID)))
    np.add.at(rows, job, by_group)
    rows = rows[np.ptp(rows, axis=1) > 1e-9]
    return of_sums(rows, _least) if len(rows) else NOTHING


def _least(sums: np.ndarray) -> np.ndarray:
    return GRID[sums.argmin(axis=1)]
