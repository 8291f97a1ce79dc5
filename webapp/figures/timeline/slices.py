"""The slices of a run that are looked at, each with its row: what is drawn as bars."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import WASTED
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


def slices(scene: Scene, of: Rows, chosen: np.ndarray | None = None, highlight: str | None = None) -> Slices:
    """Those of a mask or of indices whose row is shown (None: all of them). highlight: a selection; one that names nothing is the same as None."""
    run = scene.run
    every = np.arange(len(scene.container)) if chosen is None else np.flatnonzero(chosen) if chosen.dtype == bool else chosen
    row = of.of(scene)[scene.container[every]]
    every, row = every[row >= 0], row[row >= 0]
    container, phase = scene.container[every], scene.phase[every]
    mask, named = highlighted_containers(run, highlight), chosen_phase(highlight, tuple(one.key for one in PHASES))
    highlighted = mask[container] if mask is not None else phase == named if named is not None else np.ones(len(every), bool)
    return Slices(
        container,
        row.astype(np.int64),
        phase,
        scene.start[every],
        scene.end[every],
        run.containers.outcome[container],
        scene.speculative[container],
        highlighted,
    )
