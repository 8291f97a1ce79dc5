"""How sure a study is: means with intervals, differences between schedulers on common seeds, the winner at
each point, and how values are spread.

Intervals are Student's t (Law, Simulation Modeling and Analysis, 4.5); differences are paired, seed by seed,
as every scheduler has the same draws (Law 10.2.1, 11.2). What is best of several is corrected for how many
are compared (Bonferroni: Law 10.4): with m comparisons each has the confidence 1 - 0.05 / m. Where nothing is
drawn values are exact, and their intervals have no width.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.metrics import UNDONE
from engine.experiments.replications import CONFIDENCE, t_quantile
from engine.studies.measures import STUDY_MEASURES
from engine.studies.result import StudyResult


class Means(NamedTuple):
    """Arrays of one shape. half: half the width of the interval, nan where fewer than two values are known
    but one draw is; count: how many values.
    """

    mean: np.ndarray
    half: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # hides tuple.count

    @property
    def low(self) -> np.ndarray:
        """The intervals' lower ends."""
        return self.mean - self.half

    @property
    def high(self) -> np.ndarray:
        """The intervals' upper ends."""
        return self.mean + self.half


class Winner(NamedTuple):
    """Of one point. scheduler_index: the scheduler with the best mean, -1 where none has one; second: the
    next best; margin, half: how far it is before that one, paired, with the corrected interval; is_clear: it
    is before every other, and the corrected intervals leave out zero."""

    scheduler_index: int
    second: int
    margin: float
    half: float
    is_clear: bool


def corrected(comparisons: int) -> float:
    """The confidence of each of so many intervals, that all of them hold at once with 95 %."""
    return 1 - (1 - CONFIDENCE) / max(comparisons, 1)


def means(values: np.ndarray, is_random: bool = True, confidence: float = CONFIDENCE) -> Means:
    """Along the last axis, the seeds'; nan are left out. Without draws one value is known as well as many."""
    is_known = ~np.isnan(values)
    count = is_known.sum(-1)
    total = np.where(is_known, values, 0.0).sum(-1)
    mean = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    squares = np.where(is_known, (values - mean[..., None]) ** 2, 0.0).sum(-1)
    spread = np.sqrt(
        np.divide(squares, (count - 1) * count, out=np.full(count.shape, np.nan), where=count > 1)
    )
    quantiles = {int(n): t_quantile(int(n) - 1, confidence) for n in np.unique(count) if n > 1}
    half = spread * np.vectorize(lambda n: quantiles.get(int(n), np.nan), otypes=[float])(count)
    return Means(mean, half if is_random else np.where(count > 0, 0.0, np.nan), count)


def estimates(result: StudyResult, metric: str, confidence: float = CONFIDENCE) -> Means:
    """[points, schedulers] of a metric."""
    return means(result.of(metric), result.study.is_random, confidence)


def differences(result: StudyResult, metric: str, reference: int, comparisons: int = 1) -> Means:
    """[points, schedulers]: how much more of a metric each has than scheduler `to`, paired by seed; of seeds
    for which one of the two has none, nothing.
    """
    values = result.of(metric)
    return means(
        values - values[:, reference : reference + 1], result.study.is_random, corrected(comparisons)
    )


def gives_up_more(result: StudyResult, metric: str, axis: int) -> np.ndarray:
    """bool[points, schedulers]: where significantly more jobs fail or are refused than where the fewest are,
    so that no value of the metric is the best there (analysis.metrics.contenders); nowhere where the study
    does not measure that. axis: among schedulers at a point (1), or points of a scheduler (0).
    """
    keys = [key for key in UNDONE if key in result.study.metrics and metric not in UNDONE]
    undone = sum((result.of(key) for key in keys), np.zeros(result.state.shape))
    number = means(undone, result.study.is_random).mean
    fewest = np.expand_dims(np.where(np.isnan(number), np.inf, number).argmin(axis), (axis, 2))
    more = means(undone - np.take_along_axis(undone, fewest, axis), result.study.is_random)
    return (more.mean > 0) & ~(more.mean <= more.half)


def winners(result: StudyResult, metric: str) -> list[Winner]:
    """At each point; a metric of which nobody says what is better has none, nor who gives up more jobs than
    another. Who has the same values with every seed is no other: both are the best.
    """
    better = STUDY_MEASURES[metric].better
    mean = estimates(result, metric).mean * (-1 if better == "larger" else 1)
    barred = gives_up_more(result, metric, 1)
    values = result.of(metric)
    points, schedulers = mean.shape
    comparisons = points * (schedulers - 1)
    differences_to = [differences(result, metric, index, comparisons) for index in range(schedulers)]
    rows = []
    for point in range(points):
        ranked = [
            index
            for index in np.argsort(mean[point], kind="stable").tolist()
            if not (np.isnan(mean[point, index]) or barred[point, index])
        ]
        if not ranked or better is None:
            rows.append(Winner(-1, -1, np.nan, np.nan, False))
            continue
        first, *others = ranked
        others = [
            other
            for other in others
            if not np.array_equal(values[point, first], values[point, other], equal_nan=True)
        ]
        gaps = [
            (abs(differences_to[first].mean[point, other]), differences_to[first].half[point, other])
            for other in others
        ]
        clear = (
            len(ranked) + barred[point].sum() == schedulers
            and bool(others)
            and all(gap > half for gap, half in gaps)
        )
        if others:
            margin, half = map(float, gaps[0])
            rows.append(Winner(first, others[0], margin, half, clear))
        else:
            rows.append(Winner(first, -1, np.nan, np.nan, clear))
    return rows


def best_points(result: StudyResult, metric: str) -> list[int]:
    """For each scheduler the significantly best point of those at which the fewest jobs are given up: its
    interval overlaps no other point's, corrected for how many are compared. -1: none is.
    """
    better = STUDY_MEASURES[metric].better
    count = len(result.study.points)
    if better is None or count < 2:
        return [-1] * len(result.study.schedulers)
    corrected_means, barred = estimates(result, metric, corrected(count)), gives_up_more(result, metric, 0)
    best = []
    for scheduler_index in range(len(result.study.schedulers)):
        low, high = corrected_means.low[:, scheduler_index], corrected_means.high[:, scheduler_index]
        if better == "larger":
            low, high = -high, -low
        with_value = np.flatnonzero(~(np.isnan(high) | barred[:, scheduler_index]))
        best_point = with_value[np.argmin(high[with_value])] if len(with_value) else -1
        other_lows = [low[point] for point in with_value if point != best_point]
        best.append(int(best_point) if other_lows and high[best_point] < min(other_lows) else -1)
    return best


def empirical_distribution(
    result: StudyResult, metric: str, point: int, scheduler_index: int
) -> tuple[np.ndarray, np.ndarray]:
    """(values in order, the share of seeds that have at most so much): the empirical distribution function at
    a point; runs without a value are left out.
    """
    values = result.of(metric)[point, scheduler_index]
    values = np.sort(values[~np.isnan(values)])
    return values, np.arange(1, len(values) + 1) / max(len(values), 1)
