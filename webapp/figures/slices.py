"""A Run as slices: what each container did from when to when, in which row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import KILLED, MAP, MASTER, NONE, REDUCE, Run, pack_lanes
from webapp import theme


class Slices(NamedTuple):
    """One entry a slice; those of a reduce are two, shuffle and reduce. Times in ms.

    A container that still runs in a deadlock is drawn to `at_ms`. killed: its container was killed, so all of it was in vain.
    """

    container: np.ndarray  # int64, index into run.containers
    row: np.ndarray  # int64
    phase: np.ndarray  # int8, index into theme.PHASES
    start: np.ndarray  # int64
    end: np.ndarray  # int64
    killed: np.ndarray  # bool
    lit: np.ndarray  # bool, of the highlighted job; all are when none is

    def take(self, chosen: np.ndarray) -> Slices:
        """The slices of a mask or of indices."""
        return Slices(*(field[chosen] for field in self))


PHASE_OF_KIND = np.zeros(3, np.int8)
PHASE_OF_KIND[[MASTER, REDUCE, MAP]] = theme.MASTER, theme.SHUFFLE, theme.MAP


def slices(run: Run, first: np.ndarray, highlight: str | None = None) -> Slices:
    """first: the first row of each node, as in Rows. highlight: a job's name; one that no job has is the same as None."""
    c = run.containers
    end = np.where(c.end == NONE, run.at_ms, c.end)
    fetched = np.flatnonzero((c.kind == REDUCE) & (c.shuffle_end != NONE))
    until = end.copy()
    until[fetched] = c.shuffle_end[fetched]
    container = np.concatenate([np.arange(len(end)), fetched])
    return Slices(
        container=container,
        row=(first[c.node] + pack_lanes(run).lane)[container],
        phase=np.concatenate([PHASE_OF_KIND[c.kind], np.full(len(fetched), theme.REDUCE, np.int8)]),
        start=np.concatenate([c.start, c.shuffle_end[fetched]]),
        end=np.concatenate([until, end[fetched]]),
        killed=(c.outcome == KILLED)[container],
        lit=lit_jobs(run, highlight)[c.job][container],
    )


def lit_jobs(run: Run, highlight: str | None) -> np.ndarray:
    """bool[jobs]: the highlighted one, or all of them."""
    names = run.workload.job_names
    lit = np.full(len(names), highlight not in names)
    if highlight in names:
        lit[names.index(highlight)] = True
    return lit


def visible(of: Slices, window: tuple[int, int]) -> np.ndarray:
    """bool[slices]: those that share an instant with the window, in ms."""
    return (of.start < window[1]) & (of.end > window[0])
