"""How sure a study is: means with intervals, differences between schedulers on common seeds, the winner at each point, and how values are spread.

Intervals are Student's t (Law, Simulation Modeling and Analysis, 4.5); differences are paired, seed by seed, as every scheduler has the same draws (Law 10.2.1,
11.2). What is best of several is corrected for how many are compared (Bonferroni: Law 10.4): with m comparisons each has the confidence 1 - 0.05 / m.
Where nothing is drawn values are exact, and their intervals have no width.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.experiments.replications import CONFIDENCE, t_quantile
from engine.studies.measures import MEASURES
from engine.studies.result import StudyResult


class Means(NamedTuple):
    """Arrays of one shape. half: half the width of the interval, nan where fewer than two values are known but one draw is; count: how many values."""

    mean: np.ndarray
    half: np.ndarray
    count: np.ndarray

    @property
    def low(self) -> np.ndarray:
        """The intervals' lower ends."""
        return self.mean - self.half

    @property
    def high(self) -> np.ndarray:
        """The intervals' upper ends."""
        return self.mean + self.half


class Winner(NamedTuple):
    """Of one point. place: the scheduler with the best mean, -1 where none has one; second: the next best; margin, half: how far it is before that one, paired,
    with the corrected interval; is_clear: it is before every other, and the corrected intervals leave out zero."""

    place: int
    second: int
    margin: float
    half: float
    is_clear: bool


def corrected(comparisons: int) -> float:
    """The confidence of each of so many intervals, that all of them hold at once with 95 %."""
    return 1 - (1 - CONFIDENCE) / max(comparisons, 1)


def means(values: np.ndarray, is_random: bool = True, confidence: float = CONFIDENCE) -> Means:
    """Along the last axis, the seeds'; nan are left out. Without draws one value is known as well as many."""
    known = ~np.isnan(values)
    count = known.sum(-1)
    total = np.where(known, values, 0.0).sum(-1)
    mean = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    squares = np.where(known, (values - mean[..., None]) ** 2, 0.0).sum(-1)
    spread = np.sqrt(np.divide(squares, (count - 1) * count, out=np.full(count.shape, np.nan), where=count > 1))
    quantiles = {int(one): t_quantile(int(one) - 1, confidence) for one in np.unique(count) if one > 1}
    half = spread * np.vectorize(lambda one: quantiles.get(int(one), np.nan), otypes=[float])(count)
    return Means(mean, half if is_random else np.where(count > 0, 0.0, np.nan), count)


def estimates(found: StudyResult, metric: str, confidence: float = CONFIDENCE) -> Means:
    """[points, schedulers] of a metric."""
    return means(found.of(metric), found.study.is_random, confidence)


def differences(found: StudyResult, metric: str, to: int, comparisons: int = 1) -> Means:
    """[points, schedulers]: how much more of a metric each has than scheduler `to`, paired by seed; of seeds for which one of the two has none, nothing."""
    values = found.of(metric)
    return means(values - values[:, to : to + 1], found.study.is_random, corrected(comparisons))


def winners(found: StudyResult, metric: str) -> list[Winner]:
    """At each point; a metric of which nobody says what is better has none. Who has the same values with every seed is no other: both are the best."""
    better = MEASURES[metric].better
    mean = estimates(found, metric).mean * (-1 if better == "larger" else 1)
    values = found.of(metric)
    points, schedulers = mean.shape
    comparisons = points * (schedulers - 1)
    away = [differences(found, metric, place, comparisons) for place in range(schedulers)]
    rows = []
    for point in range(points):
        known = [place for place in np.argsort(mean[point], kind="stable").tolist() if not np.isnan(mean[point, place])]
        if not known or better is None:
            rows.append(Winner(-1, -1, np.nan, np.nan, False))
            continue
        first, *others = known
        others = [other for other in others if not np.array_equal(values[point, first], values[point, other], equal_nan=True)]
        gaps = [(abs(away[first].mean[point, other]), away[first].half[point, other]) for other in others]
        clear = len(known) == schedulers and bool(others) and all(gap > half for gap, half in gaps)
        second = (others[0], *map(float, gaps[0])) if others else (-1, np.nan, np.nan)
        rows.append(Winner(first, *second, clear))
    return rows


def best_points(found: StudyResult, metric: str) -> list[int]:
    """For each scheduler the point that is best beyond doubt: its interval meets no other point's, corrected for how many are compared. -1: none is."""
    better = MEASURES[metric].better
    count = len(found.study.points)
    if better is None or count < 2:
        return [-1] * len(found.study.schedulers)
    is_sure = estimates(found, metric, corrected(count))
    best = []
    for place in range(len(found.study.schedulers)):
        low, high = is_sure.low[:, place], is_sure.high[:, place]
        if better == "larger":
            low, high = -high, -low
        known = np.flatnonzero(~np.isnan(high))
        top = known[np.argmin(high[known])] if len(known) else -1
        rivals = [low[one] for one in known if one != top]
        best.append(int(top) if rivals and high[top] < min(rivals) else -1)
    return best


def empirical_distribution(found: StudyResult, metric: str, point: int, place: int) -> tuple[np.ndarray, np.ndarray]:
    """(values in order, the share of seeds that have at most so much): the empirical distribution function at a point; runs without a value are left out."""
    values = found.of(metric)[point, place]
    values = np.sort(values[~np.isnan(values)])
    return values, np.arange(1, len(values) + 1) / max(len(values), 1)
