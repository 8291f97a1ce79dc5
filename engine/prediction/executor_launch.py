"""How long an executor takes to launch: from when the driver has learnt of its container to its registration;
and how much executors that launch on a node at the same time slow each other (CONTENTION-4).

No event log says when a container was placed. So executors are looked at for which there was room, on the
nodes and beside all that were asked for and had not registered by when the driver would learn of them: they
were placed at the node's next heartbeat, and the driver learnt of them at its own.

Nor does one say when those were asked for that Spark once asked for, then no longer, then again: for them its
reader has the first request of the application. They count as pending, and their launch is unknown.

What launching takes alone on a node is so known for every contention, and the one is taken by which all
executors take alike: the least variance of the logarithm, over a grid. No simulation is asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import EXECUTOR, KILLED
from engine.prediction.evidence import Evidence
from engine.prediction.intervals import NO_ESTIMATE, Estimate, median_interval, medians_by_job, sums_interval
from engine.prediction.occupancy import Events, events, work_done
from engine.prediction.slowdown import GRID

FIRST_BEAT_MS = 200  # spark.yarn.scheduler.initial-allocation.interval: after it 400 ms pass, and so on
MIN_EXECUTORS = 10  # for an estimate of contention, which any two would give


class Launches(NamedTuple):
    """Of executors that had room: job: of each, by its index in the file; node_events: when they launched."""

    job: np.ndarray
    node_events: Events

    def alone_ms(self, contention: float) -> np.ndarray:
        """What each would have taken alone on its node."""
        return work_done(self.node_events, contention, len(self.job))

    def medians(self, contention: float) -> dict[int, float]:
        """ms alone on a node, the median of each application's, by its index in the file."""
        medians = medians_by_job(self.job, self.alone_ms(contention))
        return dict(zip(np.unique(self.job).tolist(), medians.tolist()))


def launches(record: Evidence) -> Launches:
    """Of chosen applications."""
    c = record.containers
    rows = np.flatnonzero((c.kind == EXECUTOR) & (c.outcome != KILLED) & record.chosen[c.job])
    rows = rows[c.requested[rows] < record.until]
    rows = rows[_is_request_known(record, rows)]
    learning_ms = np.array([_learning_ms(record, job) for job in c.job[rows].tolist()], np.int64)
    begin = np.minimum(c.requested[rows] + learning_ms, c.begin[rows])
    has_room = _has_room(record, rows, begin)
    rows, begin = rows[has_room], begin[has_room]
    return Launches(c.job[rows], events(c.node[rows], begin, c.begin[rows], np.ones(len(rows), np.int64)))


def launch_contention(found: Launches) -> Estimate:
    """NO_ESTIMATE of few executors, and where as many launched beside each of them."""
    if len(found.job) < MIN_EXECUTORS:
        return NO_ESTIMATE
    job = np.unique(found.job, return_inverse=True)[1]
    logs = [np.log(np.maximum(found.alone_ms(contention), 1.0)) for contention in GRID]
    if np.ptp([log.var() for log in logs]) < 1e-9:
        return NO_ESTIMATE
    sums = [(np.bincount(job), np.bincount(job, log), np.bincount(job, log * log)) for log in logs]
    return sums_interval(np.moveaxis(np.array(sums), -1, 0).reshape(job.max() + 1, -1), _least_varied)


def executor_launch(found: Launches, contention: float) -> Estimate:
    """Alone on a node: the median over applications."""
    return median_interval(np.array(list(found.medians(contention).values())))


def _least_varied(sums: np.ndarray) -> np.ndarray:
    count, log, square = np.moveaxis(sums.reshape(len(sums), len(GRID), 3), -1, 0)
    return GRID[(square / count - (log / count) ** 2).argmin(axis=1)]


def _is_request_known(record: Evidence, rows: np.ndarray) -> np.ndarray:
    """Were these executors asked for after the first request, or among its number?"""
    c, groups = record.containers, [job.executors for job in record.scenario.jobs]
    first_count = np.array([group.initial_count if group else 0 for group in groups])
    return (c.requested > record.first_ask[c.job])[rows] | (c.index < first_count[c.job])[rows]


def _has_room(record: Evidence, rows: np.ndarray, learnt: np.ndarray) -> np.ndarray:
    """Whether the nodes had room for each of these executors when its driver would learn of it, and for those
    that were pending then, in memory.
    """
    c, memory = record.containers, record.memory
    times = np.unique(learnt)
    pending = np.flatnonzero((c.kind == EXECUTOR) & (c.begin >= c.requested))
    pending_then = _until(c.requested[pending], times) - _until(c.begin[pending], times)
    begins, ends = np.argsort(c.start, kind="stable"), np.argsort(c.end, kind="stable")
    begun, ended = _until(c.start, times), _until(c.end, times)
    held = np.zeros(len(record.work.node_memory), np.int64)
    has_room = np.zeros(len(rows), bool)
    last_begun = last_ended = 0
    for at, time in enumerate(times.tolist()):
        begin, end = begins[last_begun : begun[at]], ends[last_ended : ended[at]]
        np.add.at(held, c.node[begin], memory[begin])
        np.subtract.at(held, c.node[end], memory[end])
        last_begun, last_ended = begun[at], ended[at]
        free = np.maximum(record.work.node_memory - held, 0)
        asked = np.flatnonzero(learnt == time)
        for size in np.unique(memory[rows[asked]]).tolist():
            places = int((free // max(1, size)).sum())
            has_room[asked[memory[rows[asked]] == size]] = places >= pending_then[at]
    return has_room


def _until(moments: np.ndarray, times: np.ndarray) -> np.ndarray:
    """How many of the moments have come by each time."""
    return np.searchsorted(np.sort(moments), times, "right")


def _learning_ms(record: Evidence, job: int) -> float:
    """From an executor's request until its driver learns of its container, where there is room."""
    master, heartbeat_ms = record.scenario.jobs[job].am, record.scenario.cluster.heartbeat_ms
    longest = 1000 * (master.heartbeat_s if master else 0.0)
    if not longest:
        return heartbeat_ms / 2
    beat = interval = min(FIRST_BEAT_MS, longest)
    while beat < heartbeat_ms / 2:
        interval = min(2 * interval, longest)
        beat += interval
    return beat
