"""A band around what is simulated: how far measured times were from simulated ones, for jobs that nothing was
fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.messages import msg

MIN_JOBS = 10  # jobs; with fewer the band spans minimum to maximum
LOW, HIGH = 10, 90  # percentiles


@dataclass(frozen=True)
class Band:
    """low, high: measured over simulated; of: how many jobs it was found from; basis: a sentence of what it
    covers.
    """

    low: float
    high: float
    of: int
    basis: str

    def around(self, seconds: float) -> tuple[float, float]:
        """The seconds between which it would be on the cluster, were it as far off as those jobs."""
        return seconds * self.low, seconds * self.high

    def words(self, seconds: float) -> str:
        """Such as "2 h 10 min to 2 h 40 min"; one time where both round to it."""
        low, high = (time_words(end) for end in self.around(seconds))
        return low if low == high else f"{low} to {high}"


def band(ratios: Sequence[float], judged: str) -> Band:
    """Of measured over simulated times; of none: no band, 1 to 1. judged: "held-out jobs", in the
    sentence.
    """
    if not len(ratios):
        return Band(1.0, 1.0, 0, msg("prediction.band.no_job_could_be_judged_how"))
    if len(ratios) < MIN_JOBS:
        return Band(
            float(min(ratios)),
            float(max(ratios)),
            len(ratios),
            msg("prediction.band.from_least_to_most_measured_over", ratios=len(ratios), judged=judged),
        )
    low, high = np.percentile(ratios, [LOW, HIGH])
    return Band(
        float(low),
        float(high),
        len(ratios),
        msg(
            "prediction.band.as_measured_over_simulated_from_to",
            ratios=len(ratios),
            judged=judged,
            low=LOW,
            high=HIGH,
        ),
    )


def time_words(seconds: float) -> str:
    """Three digits or so: 9.4 s, 94 s, 2 min 12 s, 12 min 30 s, 2 h 10 min, 3 d 4 h."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return _two_units(seconds, 60, "min", 1 if seconds < 600 else 10, "s")
    return (
        _two_units(seconds, 3600, "h", 60, "min")
        if seconds < 48 * 3600
        else _two_units(seconds, 86400, "d", 3600, "h")
    )


def _two_units(seconds: float, large: int, large_name: str, step: int, small_name: str) -> str:
    """In the large unit and the small one, to the nearest step."""
    rounded = round(seconds / step) * step
    count, remainder = divmod(rounded, large)
    small = {"s": 1, "min": 60, "h": 3600}[small_name]
    return f"{count:.0f} {large_name}" + (f" {remainder // small:.0f} {small_name}" if remainder else "")
