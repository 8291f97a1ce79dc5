"""Where the capacity goes over a window, its parts adding up to it; what changes faster than pixels is averaged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import PARTS, CapacitySplit, in_order, means
from webapp.figures.timeline.usage_curves import Steps, within

SAME = {"fetching": "shuffle", "computing": "reduce"}  # capacity's parts that are phases of another name
REDUCES = [part.key for part in PARTS].index("fetching")  # the parts before are held by masters, maps and what launches
HELD = [part.key for part in PARTS].index("unseen")  # the parts before are held by containers
POINT_PX = 1.5


class Levels(NamedTuple):
    """From time[i] (ms) on, level[i] holds: float64[points, PARTS + 2], as in_order has them; nothing at first and in the end.

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
        """Lower and upper edge of what is wasted later, about the edge between what maps and what reduces hold; float64[points] each."""
        lower = self.level[:, :REDUCES].clip(0).sum(axis=1) - self.level[:, -1]
        return lower, lower + self.level[:, -2]

    @property
    def held(self) -> Steps:
        """What containers hold, from their starts to their ends."""
        return Steps(self.time, self.level[:, :HELD].sum(axis=1))


def levels(split: CapacitySplit, unit: str, window: tuple[int, int], width: int) -> Levels:
    """The split within the window; what changes faster than pixels is averaged over time, so that areas stay true and the parts still add up."""
    resource = split.vcores if unit == "vcores" else split.memory
    times, figures = split.times, resource.figures
    first, last = (int(place) for place in np.searchsorted(times, window))
    if last - first > width:
        edges = np.linspace(window[0], window[1], int(width / POINT_PX) + 1)
        found = in_order(means(times, figures, window, len(edges) - 1))
        return Levels(edges, np.concatenate([found, found[-1:]]), True)
    low = max(first - 1, 0)
    padded = in_order(np.concatenate([figures[low : last + 1], np.zeros((1, figures.shape[1]))]))
    ends = times[low : last + 1]
    steps = within(Steps(ends, np.arange(1, len(ends) + 1)), window)
    padded = np.concatenate([np.zeros((1, padded.shape[1])), padded])
    return Levels(steps.time, padded[np.minimum(steps.level, len(padded) - 1)], False)
