"""The time scale of a drawing: which times it covers, and how many px they take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

OVERSCAN = 0.5  # of the window, drawn on either side of it too, so that a drag shows no empty room


class TimeScale(NamedTuple):
    """window: what is looked at, in ms; drawn: the same with what is drawn beside it; width: px of the
    window.
    """

    window: tuple[int, int]
    drawn: tuple[int, int]
    width: int

    @classmethod
    def of(cls, window: tuple[int, int], full_window: tuple[int, int], width: int) -> TimeScale:
        """The window and some of what is on either side of it, within all there is."""
        overscan_ms = round(OVERSCAN * (window[1] - window[0]))
        drawn = (
            min(window[0], max(window[0] - overscan_ms, full_window[0])),
            max(window[1], min(window[1] + overscan_ms, full_window[1])),
        )
        return cls(window, drawn, width)

    @property
    def scale(self) -> float:
        """px a ms."""
        return self.width / (self.window[1] - self.window[0])

    @property
    def px(self) -> int:
        """Width of the drawing."""
        return max(round((self.drawn[1] - self.drawn[0]) * self.scale), 1)

    @property
    def window_px(self) -> tuple[float, float]:
        """Left and right edge of the window, in px of the drawing."""
        left = (self.window[0] - self.drawn[0]) * self.scale
        return left, left + self.width

    def x(self, ms: np.ndarray) -> np.ndarray:
        """px of times, cut to the drawing."""
        return np.clip((ms - self.drawn[0]) * self.scale, 0, self.px)
