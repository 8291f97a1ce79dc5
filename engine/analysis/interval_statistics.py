"""A span of time of a run in numbers: what the capacity was used for, which containers ran, who waited and
why.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.capacity.split import PARTS, CapacitySplit, ordered_columns
from engine.analysis.grid import bin_means
from engine.codes import KINDS, NONE, TAKEN
from engine.simulation.run import Run

MAX_WAITING_JOBS = 5


class IntervalStatistics(NamedTuple):
    """vcores, memory: the mean share of capacity of each part of PARTS, by key; ran, started: containers by
    kind;

    waiting: (job, container-seconds its requests waited within the span), most first, at most
    MAX_WAITING_JOBS; others: how many other jobs waited;
    unstarted: jobs that had arrived and had no container yet, at any time of the span.
    """

    vcores: dict[str, float]
    memory: dict[str, float]
    ran: dict[str, int]
    started: dict[str, int]
    waiting: list[tuple[str, float]]
    others: int
    unstarted: int


def interval_statistics(run: Run, split: CapacitySplit, window: tuple[int, int]) -> IntervalStatistics:
    """What happened in [window[0], window[1]) ms. Cost: linear in containers."""
    c = run.containers
    first, until = window
    ran = (c.start < until) & ((c.end > first) | (c.end == NONE))
    started = (c.start >= first) & (c.start < until)
    waits = np.clip(np.minimum(c.start, until) - np.maximum(c.requested, first), 0, None)
    # of no containers numpy counts in integers
    waited = np.bincount(c.job, waits, len(run.workload.job_names)).astype(np.float64)
    never = run.waiting
    until_stuck = min(until, max(run.until_ms, first))
    waited += np.bincount(
        never.job, never.count * np.clip(until_stuck - np.maximum(never.since, first), 0, None), len(waited)
    )
    longest_waiting = np.argsort(-waited, kind="stable")[:MAX_WAITING_JOBS]
    begun = np.where(run.jobs.start == NONE, until, run.jobs.start)
    begun = np.where(run.jobs.refused == TAKEN, begun, run.jobs.arrival)
    return IntervalStatistics(
        vcores=_shares(split, "vcores", window),
        memory=_shares(split, "memory", window),
        ran=_kinds(c.kind[ran]),
        started=_kinds(c.kind[started]),
        waiting=[
            (run.workload.job_names[job], float(waited[job]) / 1000)
            for job in longest_waiting.tolist()
            if waited[job] > 0
        ],
        others=max(int((waited > 0).sum()) - MAX_WAITING_JOBS, 0),
        unstarted=int(((run.jobs.arrival < until) & (begun > first) & (begun > run.jobs.arrival)).sum()),
    )


def _shares(split: CapacitySplit, resource: str, window: tuple[int, int]) -> dict[str, float]:
    resource_split = getattr(split, resource)
    level = ordered_columns(bin_means(split.times, resource_split.figures, window, 1))[0]
    return {part.key: float(amount) / resource_split.capacity for part, amount in zip(PARTS, level)}


def _kinds(kind: np.ndarray) -> dict[str, int]:
    return dict(zip(KINDS, np.bincount(kind, minlength=len(KINDS)).tolist()))
