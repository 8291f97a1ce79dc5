"""A Run as slices: what each container did from when to when, in which row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import KILLED, MAP, MASTER, NONE, REDUCE, Run, pack_lanes, shuffle_parts
from webapp import theme


class Slices(NamedTuple):
    """One entry a slice. Times in ms.

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


def slices(run: Run, first: np.ndarray, highlight: str | None = None) -> Slices:
    """first: the first row of each node, as in Rows. highlight: a job's name; one that no job has is the same as None."""
    c = run.containers
    ends = np.where(c.end == NONE, run.at_ms, c.end)
    masters, maps, reduces = (np.flatnonzero(c.kind == kind) for kind in (MASTER, MAP, REDUCE))
    leave = np.where(c.shuffle_end == NONE, ends, c.shuffle_end)[reduces]
    parts = [(theme.MASTER, masters, c.start[masters], ends[masters]), (theme.MAP, maps, c.start[maps], ends[maps])]
    for phase, start, end in (*shuffle_parts(run, reduces, leave), (theme.REDUCE, leave, ends[reduces])):
        some = np.flatnonzero(end > start)
        parts.append((phase, reduces[some], start[some], end[some]))
    container, start, end = (np.concatenate([part[place] for part in parts]) for place in (1, 2, 3))
    return Slices(
        container=container,
        row=(first[c.node] + pack_lanes(run).lane)[container],
        phase=np.repeat(np.array([part[0] for part in parts], np.int8), [len(part[1]) for part in parts]),
        start=start,
        end=end,
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
