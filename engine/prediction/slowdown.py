"""Contention: equal tasks of a job take longer when more tasks compute on their node.

By the model (contention) each of k tasks runs at 1 / (1 + g (k - 1)). So what a task computed is known for
every g, and the g is taken by which the tasks of a job and kind computed alike: the least variance of the
logarithm within jobs, over a grid. No simulation is asked.
"""

from __future__ import annotations

import numpy as np

from engine.codes import FINISHED, INFINITE, MAP, NONE, REDUCE, job_of, requests_of
from engine.prediction.evidence import Evidence
from engine.prediction.intervals import NO_ESTIMATE, Estimate, sums_interval
from engine.prediction.occupancy import Events, events, work_done

MAX_CONTENTION = 2.0  # that is tried
GRID = np.concatenate((np.arange(0.0, 0.5, 0.01), np.arange(0.5, MAX_CONTENTION, 0.05), [MAX_CONTENTION]))
MIN_TASKS = 3  # tasks of a job and kind that are compared


def computing(record: Evidence, jvm_ms: float, until: int = INFINITE) -> tuple[np.ndarray, Events]:
    """The attempts that computed, of those that began before `until`, and when: maps after their JVM's start,
    reduces after their shuffle.
    """
    c = record.containers
    begin = np.where(c.kind == MAP, np.minimum(c.begin + int(jvm_ms), c.end - 1), c.shuffle_end)
    tasks = np.flatnonzero(
        np.isin(c.kind, (MAP, REDUCE)) & (begin != NONE) & (begin < c.end) & (c.start < until)
    )
    return tasks, events(c.node[tasks], begin[tasks], c.end[tasks], np.ones(len(tasks), np.int64))


def contention(record: Evidence, jvm_ms: float) -> Estimate:
    """NOTHING where no job has tasks to compare, or none of them ever had another number of tasks beside
    it.
    """
    c = record.containers
    tasks, node_events = computing(record, jvm_ms, record.until)
    if not len(tasks):
        return NO_ESTIMATE
    group = requests_of(record.work, c, tasks)
    is_compared = (record.is_chosen_attempt & (c.outcome == FINISHED) & (c.end <= record.until))[tasks]
    size = np.bincount(group[is_compared], minlength=1)
    is_compared &= size[np.minimum(group, len(size) - 1)] >= MIN_TASKS
    if not is_compared.any():
        return NO_ESTIMATE
    group, size = group[is_compared], np.maximum(np.bincount(group[is_compared]), 1)
    columns = []
    for slowdown in GRID:
        log = np.log(np.maximum(work_done(node_events, slowdown, len(tasks))[is_compared], 1.0))
        columns.append(np.bincount(group, log * log) - np.bincount(group, log) ** 2 / size)
    by_group = np.array(columns).T  # groups x grid: variance times tasks
    job = job_of(record.work, np.arange(len(by_group)))
    rows = np.zeros((job[-1] + 1, len(GRID)))
    np.add.at(rows, job, by_group)
    rows = rows[np.ptp(rows, axis=1) > 1e-9]
    return sums_interval(rows, _best_contention) if len(rows) else NO_ESTIMATE


def _best_contention(sums: np.ndarray) -> np.ndarray:
    return GRID[sums.argmin(axis=1)]
