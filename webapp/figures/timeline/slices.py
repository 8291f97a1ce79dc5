"""The slices of a run that are looked at, each with its row: what is drawn as bars."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dashboard import WASTED
from webapp.figures.highlight import PHASE_KEYS, chosen_phase, highlighted_containers
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene


class Slices(NamedTuple):
    """One entry a slice. Times in ms. outcome: its container's or, of a task's slice, the task's."""

    container: np.ndarray  # int32, index into run.containers
    row: np.ndarray  # int64
    phase: np.ndarray  # int8, index into theme.PHASES
    start: np.ndarray  # int64
    end: np.ndarray  # int64
    outcome: np.ndarray  # int8, index into OUTCOMES
    speculative: np.ndarray  # bool, of a second attempt beside a first
    highlighted: np.ndarray  # bool, of what is highlighted; all are when nothing is
    # as Scene has them; None where no run of an executor's tasks is
    slot: np.ndarray | None = None
    slots: np.ndarray | None = None
    task: np.ndarray | None = None

    @property
    def wasted(self) -> np.ndarray:
        """bool: their work was of no use."""
        return np.isin(self.outcome, WASTED)


def visible_slices(
    scene: Scene, row_layout: Rows, chosen: np.ndarray | None = None, highlight: str | None = None
) -> Slices:
    """Those of a mask whose row is shown (None: all of them). highlight: a selection; one that names nothing
    is the same as None.
    """
    run = scene.run
    slices = np.arange(len(scene.container)) if chosen is None else np.flatnonzero(chosen)
    row = row_layout.rows_of(scene)[scene.container[slices]]
    slices, row = slices[row >= 0], row[row >= 0].astype(np.int64)
    container, phase = scene.container[slices], scene.phase[slices]
    mask, named = highlighted_containers(run, highlight), chosen_phase(highlight, PHASE_KEYS)
    if mask is not None:
        highlighted = mask[container]
    elif named is not None:
        highlighted = phase == named
    else:
        highlighted = np.ones(len(slices), bool)
    return Slices(
        container,
        row,
        phase,
        scene.start[slices],
        scene.end[slices],
        scene.outcomes(slices),
        scene.are_speculative(slices),
        highlighted,
        *(column if column is None else column[slices] for column in (scene.slot, scene.slots, scene.task)),
    )
