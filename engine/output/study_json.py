"""A study as JSON: what was asked, and at each point means, intervals, differences, winners, and why there is
no number where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from engine.studies.measures import STUDY_MEASURES
from engine.studies.result import StudyResult
from engine.studies.statistics import (
    CONFIDENCE,
    Means,
    Winner,
    best_points,
    corrected,
    differences,
    estimates,
    winners,
)
from engine.version import VERSION

FORMAT = 1


def study_plain(result: StudyResult, metrics: Sequence[str] | None = None) -> dict[str, Any]:
    """JSON values, of all metrics of the study or of some; what is not known is null, as are intervals of one
    value where draws would tell others.
    """
    study, keys = result.study, list(metrics or result.study.metrics)
    comparisons = len(study.points) * (len(study.schedulers) - 1)
    means = {key: estimates(result, key) for key in keys}
    differences_by_metric = {key: differences(result, key, 0, comparisons) for key in keys}
    best_by_metric = {key: winners(result, key) for key in keys}
    points = []
    for point, values in enumerate(study.points):
        rows = []
        for index, name in enumerate(study.schedulers):
            numbers = {key: _interval(means[key], point, index) for key in keys}
            missing = {"missing": result.missing(point, index), "because": result.because.get((point, index))}
            rows.append({"scheduler": name, **missing, "metrics": numbers})
        difference_rows = [
            {
                "scheduler": name,
                "to": study.schedulers[0],
                "metrics": {key: _interval(differences_by_metric[key], point, index) for key in keys},
            }
            for index, name in enumerate(study.schedulers)
            if index
        ]
        winner_by_metric = {key: _winner(study.schedulers, best_by_metric[key][point]) for key in keys}
        points.append(
            {
                "values": {dimension.path: value for dimension, value in zip(study.vary, values)},
                "schedulers": rows,
                "differences": difference_rows,
                "winners": winner_by_metric,
            }
        )
    return {
        "version": FORMAT,
        "engine": VERSION,
        "digest": study.digest,
        "study": study.plain(),
        "seeds": [study.seed(0), study.seed(study.seeds - 1)],
        "random": study.is_random,
        "confidence": CONFIDENCE,
        "difference_confidence": corrected(comparisons),
        "metrics": [STUDY_MEASURES[key]._asdict() for key in keys],
        "points": points,
        "best_values": {key: _best_values(result, key) for key in keys},
    }


def _interval(means: Means, point: int, index: int) -> dict[str, Any]:
    mean, half = float(means.mean[point, index]), float(means.half[point, index])
    return {
        "mean": _null_if_nan(mean),
        "low": _null_if_nan(mean - half),
        "high": _null_if_nan(mean + half),
        "count": int(means.count[point, index]),
    }


def _winner(names: Sequence[str], winner: Winner) -> dict[str, Any] | None:
    if winner.scheduler_index < 0:
        return None
    entry = {
        "scheduler": names[winner.scheduler_index],
        "before": names[winner.second] if winner.second >= 0 else None,
    }
    return entry | {
        "margin": _null_if_nan(winner.margin),
        "low": _null_if_nan(winner.margin - winner.half),
        "high": _null_if_nan(winner.margin + winner.half),
        "clear": winner.is_clear,
    }


def _best_values(result: StudyResult, key: str) -> dict[str, Any]:
    """By scheduler, the values that are best beyond doubt; null where none are."""
    study = result.study
    points = [None if point < 0 else study.points[point] for point in best_points(result, key)]
    return {
        name: None
        if values is None
        else {dimension.path: value for dimension, value in zip(study.vary, values)}
        for name, values in zip(study.schedulers, points)
    }


def _null_if_nan(value: float) -> float | None:
    return None if isnan(value) else value
