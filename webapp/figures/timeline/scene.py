"""What the pictures of a run are made of, made once for it and kept beside it: its slices and lanes."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine import Run
from engine.dashboard import (
    OUTCOMES,
    WASTED,
    Lanes,
    Outages,
    outages,
    pack_lanes,
    phases,
    request_of,
    speculative,
)
from webapp.theme import LAUNCHING_PHASE, OF_EXECUTORS


class Scene:
    """A run as slices: what each container did from when to when.

    container: int32[slices], index into run.containers; phase: int8[slices], index into theme.PHASES; start,
    end: int64[slices] in ms. A container that still runs in a deadlock is drawn to `at_ms`. wasted: int64,
    the slices of containers that were killed, failed or lost.
    cached_rows: the rows of its containers as they were asked for last, behind the two arrays that they are
    made of (Rows.rows_of); zooms ask for the same ones.
    """

    cached_rows: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def __init__(self, run: Run) -> None:
        self.run = run
        run_phases = phases(run)
        self.container, self.phase = run_phases.container.astype(np.int32), run_phases.phase.astype(np.int8)
        self.start, self.end = run_phases.start, run_phases.end
        self.wasted = np.flatnonzero(np.isin(run.containers.outcome, WASTED)[self.container])

    @cached_property
    def node_lanes(self) -> Lanes:
        """The lane of each container on its node."""
        return pack_lanes(self.run)

    @cached_property
    def job_lanes(self) -> Lanes:
        """The lane of each container among its job's."""
        return pack_lanes(self.run, by_job=True)

    @cached_property
    def outages(self) -> Outages:
        """When nodes were lost."""
        return outages(self.run)

    @cached_property
    def speculative(self) -> np.ndarray:
        """bool[containers]: second attempts beside a first."""
        return speculative(self.run)

    @cached_property
    def legend(self) -> frozenset[str]:
        """Keys of theme.OPTIONAL_KEYS and theme.WASTES of which the run has something."""
        outcomes = np.bincount(self.run.containers.outcome, minlength=len(OUTCOMES))
        keys = {OUTCOMES[outcome] for outcome in WASTED if outcomes[outcome]}
        keys |= {"wasted"} if keys - {"killed"} else set()
        keys |= {"speculative"} if self.speculative.any() else set()
        keys |= {"launching"} if (self.phase == LAUNCHING_PHASE).any() else set()
        keys |= OF_EXECUTORS if self.run.tasks is not None else set()
        return frozenset(keys | ({"down"} if len(self.outages.node) else set()))

    @cached_property
    def vcores(self) -> np.ndarray:
        """int32[containers]: the vcores each holds."""
        c, work = self.run.containers, self.run.workload
        return work.request_vcores[request_of(work, c.job, c.kind)].astype(np.int32)

    @cached_property
    def _ended(self) -> np.ndarray:
        """int64[slices]: the latest end of this and all slices before it."""
        return np.maximum.accumulate(self.end)

    def between(self, window: tuple[int, int]) -> slice:
        """Slices outside of this share no instant with the window, in ms; containers stand in the order of
        their starts.
        """
        later = np.searchsorted(self.run.containers.start, window[1])
        return slice(
            int(np.searchsorted(self._ended, window[0], "right")), int(np.searchsorted(self.container, later))
        )

    def within(self, window: tuple[int, int]) -> np.ndarray:
        """bool[slices]: those that share an instant with the window, in ms."""
        candidates, mask = self.between(window), np.zeros(len(self.start), bool)
        mask[candidates] = (self.start[candidates] < window[1]) & (self.end[candidates] > window[0])
        return mask
