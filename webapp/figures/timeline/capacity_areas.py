"""Where the capacity goes over a window, its parts adding up to it; what changes faster than pixels is
averaged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dashboard import PARTS, CapacitySplit, bin_means, ordered_columns
from webapp.figures.timeline.usage_curves import StepFunction, clip_to_window

# capacity's parts that are phases of another name
PHASE_OF_PART = {"fetching": "shuffle", "computing": "reduce"}
# the parts before are held by what neither fetches nor is a reduce
REDUCES = [part.key for part in PARTS].index("fetching")
HELD = [part.key for part in PARTS].index("unseen")  # the parts before are held by containers
POINT_PX = 1.5


def phase_of_part(key: str) -> str:
    """The phase that a part of the capacity is drawn as."""
    return PHASE_OF_PART.get(key, key)


class CapacityLevels(NamedTuple):
    """From time[i] (ms) on, level[i] holds: float64[points, PARTS + 2], as ordered_columns has them;
    nothing at first and in the end.

    even: times are equally far apart, and levels are means over that time.
    """

    time: np.ndarray
    level: np.ndarray
    even: bool

    @property
    def parts(self) -> np.ndarray:
        """float64[points, PARTS]."""
        return self.level[:, : len(PARTS)]

    @property
    def wasted(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper edge of what is wasted later, about the edge between what maps and what reduces
        hold; float64[points] each.
        """
        lower = self.level[:, :REDUCES].clip(0).sum(axis=1) - self.level[:, -1]
        return lower, lower + self.level[:, -2]

    @property
    def held(self) -> StepFunction:
        """What containers hold, from their starts to their ends."""
        return StepFunction(self.time, self.level[:, :HELD].sum(axis=1))


def capacity_levels(split: CapacitySplit, unit: str, window: tuple[int, int], width: int) -> CapacityLevels:
    """The split within the window; what changes faster than pixels is averaged over time, so that areas stay
    true and the parts still add up.
    """
    resource = split.vcores if unit == "vcores" else split.memory
    times, figures = split.times, resource.figures
    first, last = (int(place) for place in np.searchsorted(times, window))
    if last - first > width:
        edges = np.linspace(window[0], window[1], int(width / POINT_PX) + 1)
        averaged = ordered_columns(bin_means(times, figures, window, len(edges) - 1))
        return CapacityLevels(edges, np.concatenate([averaged, averaged[-1:]]), True)
    start = max(first - 1, 0)
    padded = ordered_columns(np.concatenate([figures[start : last + 1], np.zeros((1, figures.shape[1]))]))
    ends = times[start : last + 1]
    steps = clip_to_window(StepFunction(ends, np.arange(1, len(ends) + 1)), window)
    padded = np.concatenate([np.zeros((1, padded.shape[1])), padded])
    return CapacityLevels(steps.time, padded[np.minimum(steps.level, len(padded) - 1)], False)
