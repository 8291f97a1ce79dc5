"""What the pictures of a run are made of, made once for it and kept beside it: its slices and lanes."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine import Run
from engine.dashboard import (
    NONE,
    OUTCOMES,
    WASTED,
    Lanes,
    Outages,
    bin_coverage,
    outages,
    pack_lanes,
    phases,
    requests_of,
    slot_phases,
    slots_of_jobs,
    speculative,
    speculative_tasks,
)
from webapp.theme import LAUNCHING_PHASE, PHASES


class Scene:
    """A run as slices: what each container did from when to when.

    container: int32[slices], index into run.containers; phase: int8[slices], index into theme.PHASES; start,
    end: int64[slices] in ms. A container that still runs in a deadlock is drawn to `at_ms`. wasted: int64,
    the slices of containers, and of tasks, that were killed, failed or lost.
    phase_count: of theme.PHASES, those that the run may have. Where it has tasks of executors, slot, task:
    int32[slices] as engine's SlotPhases has them, and slots: int64[slices], of its executor; else None.
    cached_rows: the rows of its containers as they were asked for last, behind the two arrays that they are
    made of (Rows.rows_of); zooms ask for the same ones.
    """

    cached_rows: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def __init__(self, run: Run) -> None:
        self.run = run
        self.slot: np.ndarray | None = None
        self.slots: np.ndarray | None = None
        self.task: np.ndarray | None = None
        if run.tasks is None:
            container, phase, self.start, self.end = phases(run)
        else:
            container, phase, self.start, self.end, self.slot, self.task = slot_phases(run)
        self.container, self.phase = container.astype(np.int32), phase.astype(np.int8)
        self.phase_count = max(LAUNCHING_PHASE, int(self.phase.max(initial=0))) + 1
        if run.tasks is not None:
            self.slots = slots_of_jobs(run)[run.containers.job[self.container]]
        self.wasted = self._wasted()

    def _wasted(self) -> np.ndarray:
        outcomes = self.run.containers.outcome
        if self.run.tasks is None:
            return np.flatnonzero(np.isin(outcomes, WASTED)[self.container])
        return np.flatnonzero(np.isin(self.outcomes(slice(None)), WASTED))

    def outcomes(self, chosen: np.ndarray | slice) -> np.ndarray:
        """int8[chosen], index into OUTCOMES: of these slices, a task's own, else its container's."""
        outcomes = self.run.containers.outcome[self.container[chosen]]
        if self.task is None or self.run.tasks is None:
            return outcomes
        task = self.task[chosen]
        return np.where(task == NONE, outcomes, self.run.tasks.outcome[task])

    def coverage(
        self,
        kind: np.ndarray,
        line: np.ndarray,
        weight: np.ndarray,
        window: tuple[int, int],
        shape: tuple[int, int, int],
    ) -> np.ndarray:
        """bin_coverage of the slices: kind of each slice; line and weight of each container, of which a slot
        weighs its share.
        """
        seen = self.between(window)
        owner = self.container[seen]
        if self.slot is not None and self.slots is not None:
            share = 1 / np.maximum(slots_of_jobs(self.run)[self.run.containers.job], 1)
            owner = owner + len(line) * (self.slot[seen] != NONE)
            line, weight = np.tile(line, 2), np.concatenate([weight, weight * share])
        slices = owner, kind[seen], self.start[seen], self.end[seen]
        return bin_coverage(*slices, line, weight, window, shape)

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
    def speculative_tasks(self) -> np.ndarray:
        """bool: the same of tasks in slots."""
        return speculative_tasks(self.run)

    def are_speculative(self, chosen: np.ndarray) -> np.ndarray:
        """bool[chosen]: of these slices."""
        of_container = self.speculative[self.container[chosen]]
        if self.task is None or not self.speculative_tasks.any():
            return of_container
        task = self.task[chosen]
        return np.where(task == NONE, of_container, self.speculative_tasks[task])

    @cached_property
    def legend(self) -> frozenset[str]:
        """Keys of theme.OPTIONAL_KEYS and theme.WASTES of which the run has something."""
        counts = np.bincount(self.run.containers.outcome, minlength=len(OUTCOMES))
        if self.run.tasks is not None:
            counts += np.bincount(self.run.tasks.outcome, minlength=len(OUTCOMES))
        keys = {OUTCOMES[outcome] for outcome in WASTED if counts[outcome]}
        keys |= {"wasted"} if keys - {"killed"} else set()
        keys |= {"speculative"} if self.speculative.any() or self.speculative_tasks.any() else set()
        keys |= {PHASES[phase].key for phase in np.flatnonzero(np.bincount(self.phase))}
        return frozenset(keys | ({"down"} if len(self.outages.node) else set()))

    @cached_property
    def vcores(self) -> np.ndarray:
        """int32[containers]: the vcores each holds."""
        c, work = self.run.containers, self.run.workload
        return work.request_vcores[requests_of(work, c)].astype(np.int32)

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
