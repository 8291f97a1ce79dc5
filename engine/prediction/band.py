"""A band around what is simulated: how far measured times were from simulated ones, for jobs that nothing was
fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import quantities
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
        low, high = (quantities.rough_duration(1000 * end) for end in self.around(seconds))
        return low if low == high else f"{low} to {high}"


def band(ratios: Sequence[float], judged: str) -> Band:
    """Of measured over simulated times; of none: no band, 1 to 1. judged: "held-out jobs", the
    plural of what they are of.
    """
    if not len(ratios):
        return Band(1.0, 1.0, 0, msg("prediction.band.no_job_could_be_judged_how"))
    counted = quantities.count(len(ratios), judged)
    if len(ratios) < MIN_JOBS:
        return Band(
            float(min(ratios)),
            float(max(ratios)),
            len(ratios),
            msg("prediction.band.range_measured_divided_by_simulated", judged=counted),
        )
    low, high = np.percentile(ratios, [LOW, HIGH])
    return Band(
        float(low),
        float(high),
        len(ratios),
        msg(
            "prediction.band.as_measured_over_simulated_from_to",
            judged=counted,
            low=quantities.percent(LOW / 100),
            high=quantities.percent(HIGH / 100),
        ),
    )
