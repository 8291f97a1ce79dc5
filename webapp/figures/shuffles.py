"""What a reduce does before it computes, in up to three slices.

Launched at S it fetches without a pause what m maps had left, from S to S + m c (c: to fetch the output of one map), and again from the
last map's end on. In between it fetches each output as a map ends and waits otherwise, as often as there are maps: that is drawn as
what it mostly is, and the pointer tells how long it fetched and waited in all.
"""

from __future__ import annotations

import numpy as np

from engine import FINISHED, MAP, Run
from webapp import theme


def shuffle_parts(run: Run, reduces: np.ndarray, leave: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """(phase, start, end) of each part of these reduces, in ms; a part that a reduce has not is empty.

    reduces: indices into run.containers; leave: when each has fetched everything, or ends before.
    """
    start = run.containers.start[reduces]
    there, seen, last = _maps_ended(run, reduces, leave)
    one = run.workload.job_fetch_ms[run.containers.job[reduces]]
    caught_up = np.minimum(start + np.ceil(there * one).astype(np.int64), leave)
    last = np.clip(last, caught_up, leave)
    waits = 2 * (leave - start - seen * one) >= last - caught_up
    split = np.where(waits, caught_up, leave)
    again = np.where(waits, last, leave)
    return [(theme.SHUFFLE, start, split), (theme.WAITING, split, again), (theme.SHUFFLE, again, leave)]


def _maps_ended(run: Run, reduces: np.ndarray, leave: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each reduce's iteration: maps that had ended when it started, maps that had before it left, and the last one's end, `leave` if some had not."""
    c = run.containers
    maps = np.flatnonzero((c.kind == MAP) & (c.outcome == FINISHED))
    stages = int(c.stage.max(initial=0)) + 1
    _, iteration = np.unique(c.job.astype(np.int64) * stages + c.stage, return_inverse=True)
    times, place = np.unique(c.end[maps], return_inverse=True)
    width = len(times) + 1
    ended = np.sort(iteration[maps] * width + place)  # by iteration, then by time
    first = iteration[reduces] * width
    before = np.searchsorted(ended, first)
    there = np.searchsorted(ended, first + np.searchsorted(times, c.start[reduces], "right")) - before
    seen = np.searchsorted(ended, first + np.searchsorted(times, leave)) - before
    every = seen == run.workload.job_maps[c.job[reduces]]
    last = leave.copy()
    last[every] = times[ended[(before + seen - 1)[every]] - first[every]]
    return there, seen, last
