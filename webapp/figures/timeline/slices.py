"""The slices of a run that are looked at, each with its row: what is drawn as bars."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dashboard import WASTED
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.theme import PHASES


class Slices(NamedTuple):
    """One entry a slice. Times in ms. outcome: its container's."""

    container: np.ndarray  # int32, index into run.containers
    row: np.ndarray  # int64
    phase: np.ndarray  # int8, index into theme.PHASES
    start: np.ndarray  # int64
    end: np.ndarray  # int64
    outcome: np.ndarray  # int8, index into OUTCOMES
    speculative: np.ndarray  # bool, of a second attempt beside a first
    highlighted: np.ndarray  # bool, of what is highlighted; all are when nothing is

    @property
    def wasted(self) -> np.ndarray:
        """bool: their work was of no use."""
        return np.isin(self.outcome, WASTED)

    def take(self, chosen: np.ndarray) -> Slices:
        """The slices of a mask or of indices."""
        return Slices(*(field[chosen] for field in self))


def visible_slices(
    scene: Scene, row_layout: Rows, chosen: np.ndarray | None = None, highlight: str | None = None
) -> Slices:
    """Those of a mask or of indices whose row is shown (None: all of them). highlight: a selection; one that
    names nothing is the same as None.
    """
    run = scene.run
    slice_indices = (
        np.arange(len(scene.container))
        if chosen is None
        else np.flatnonzero(chosen)
        if chosen.dtype == bool
        else chosen
    )
    row = row_layout.rows_of(scene)[scene.container[slice_indices]]
    slice_indices, row = slice_indices[row >= 0], row[row >= 0]
    container, phase = scene.container[slice_indices], scene.phase[slice_indices]
    mask, named = (
        highlighted_containers(run, highlight),
        chosen_phase(highlight, tuple(phase.key for phase in PHASES)),
    )
    highlighted = (
        mask[container]
        if mask is not None
        else phase == named
        if named is not None
        else np.ones(len(slice_indices), bool)
    )
    return Slices(
        container,
        row.astype(np.int64),
        phase,
        scene.start[slice_indices],
        scene.end[slice_indices],
        run.containers.outcome[container],
        scene.speculative[container],
        highlighted,
    )
