"""How long an executor takes to launch: from when the driver has learnt of its container to its registration.

No event log says when a container was placed. So executors are looked at for which there was room when they
were asked for, on the nodes and beside all that were asked for and had not registered: they were placed at
the node's next heartbeat, and the driver learnt of them at its own.
"""

from __future__ import annotations

import numpy as np

from engine.codes import EXECUTOR, KILLED
from engine.prediction.evidence import Evidence
from engine.prediction.intervals import Estimate, median_interval, medians_by_job

FIRST_BEAT_MS = 200  # spark.yarn.scheduler.initial-allocation.interval: after it 400 ms pass, and so on


def executor_launches(record: Evidence) -> dict[int, float]:
    """ms, the median of each chosen application's executors that had room, by its index in the file."""
    c = record.containers
    asked = np.flatnonzero((c.kind == EXECUTOR) & (c.outcome != KILLED) & record.chosen[c.job])
    rows = asked[(c.requested[asked] < record.until) & _has_room(record, asked)]
    if not len(rows):
        return {}
    waits = (c.begin - c.requested)[rows] - np.array(
        [_learning_ms(record, job) for job in c.job[rows].tolist()]
    )
    medians = medians_by_job(c.job[rows], np.maximum(waits, 0))
    return dict(zip(np.unique(c.job[rows]).tolist(), medians.tolist()))


def executor_launch(record: Evidence) -> Estimate:
    """The median over applications."""
    return median_interval(np.array(list(executor_launches(record).values())))


def _has_room(record: Evidence, rows: np.ndarray) -> np.ndarray:
    """Whether the nodes had room at its request for each of these executors, and for those that were pending
    then, in memory.
    """
    c, memory = record.containers, record.memory
    seen = c.start < record.until
    free = []
    for row in rows.tolist():
        at = c.requested[row]
        held = np.flatnonzero(seen & (c.start <= at) & (c.end > at))
        left = record.work.node_memory - np.bincount(
            c.node[held], memory[held], minlength=len(record.work.node_memory)
        )
        pending = seen & (c.kind == EXECUTOR) & (c.requested <= at) & (c.begin > at)
        places = np.maximum(left, 0) // max(1, memory[row])
        free.append(places.sum() >= int(pending.sum()))
    return np.array(free, bool)


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
