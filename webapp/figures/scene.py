"""What the pictures of a run are made of, made once for it and kept beside it: its slices and lanes."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine import KILLED, MAP, MASTER, NONE, REDUCE, Lanes, Run, pack_lanes
from webapp import theme
from webapp.figures.shuffles import shuffle_parts


class Scene:
    """A run as slices: what each container did from when to when.

    container: int32[slices], index into run.containers; phase: int8[slices], index into theme.PHASES; start, end: int64[slices] in ms.
    A container that still runs in a deadlock is drawn to `at_ms`. killed: int64, the slices of killed containers, all of them in vain.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        c = run.containers
        ends = np.where(c.end == NONE, run.at_ms, c.end)
        masters, maps, reduces = (np.flatnonzero(c.kind == kind).astype(np.int32) for kind in (MASTER, MAP, REDUCE))
        leave = np.where(c.shuffle_end == NONE, ends, c.shuffle_end)[reduces]
        parts = [(theme.MASTER, masters, c.start[masters], ends[masters]), (theme.MAP, maps, c.start[maps], ends[maps])]
        for phase, start, end in (*shuffle_parts(run, reduces, leave), (theme.REDUCE, leave, ends[reduces])):
            some = np.flatnonzero(end > start)
            parts.append((phase, reduces[some], start[some], end[some]))
        self.container, self.start, self.end = (np.concatenate([part[place] for part in parts]) for place in (1, 2, 3))
        self.phase = np.repeat(np.array([part[0] for part in parts], np.int8), [len(part[1]) for part in parts])
        self.killed = np.flatnonzero((c.outcome == KILLED)[self.container])

    @cached_property
    def on_nodes(self) -> Lanes:
        """The lane of each container on its node."""
        return pack_lanes(self.run)

    @cached_property
    def in_jobs(self) -> Lanes:
        """The lane of each container among its job's."""
        return pack_lanes(self.run, by_job=True)

    @cached_property
    def vcores(self) -> np.ndarray:
        """int32[containers]: the vcores each holds."""
        c = self.run.containers
        return self.run.workload.request_vcores[c.job * 3 + c.kind].astype(np.int32)

    def within(self, window: tuple[int, int]) -> np.ndarray:
        """bool[slices]: those that share an instant with the window, in ms."""
        return (self.start < window[1]) & (self.end > window[0])


