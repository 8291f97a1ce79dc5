"""A study as JSON: what was asked, and at each point means, intervals, differences, winners, and why there is no number where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from engine.studies.measures import MEASURES
from engine.studies.result import StudyResult
from engine.studies.statistics import CONFIDENCE, Means, Winner, best_points, corrected, differences, estimates, winners
from engine.version import VERSION

FORMAT = 1


def study_plain(found: StudyResult, metrics: Sequence[str] | None = None) -> dict[str, Any]:
    """JSON values, of all metrics of the study or of some; what is not known is null, as are intervals of one value where draws would tell others."""
    study, keys = found.study, list(metrics or found.study.metrics)
    comparisons = len(study.points) * (len(study.schedulers) - 1)
    mean = {key: estimates(found, key) for key in keys}
    gap = {key: differences(found, key, 0, comparisons) for key in keys}
    best = {key: winners(found, key) for key in keys}
    points = []
    for point, values in enumerate(study.points):
        rows = []
        for place, name in enumerate(study.schedulers):
            numbers = {key: _interval(mean[key], point, place) for key in keys}
            lacking = {"missing": found.missing(point, place), "because": found.because.get((point, place))}
            rows.append({"scheduler": name, **lacking, "metrics": numbers})
        away = [
            {"scheduler": name, "to": study.schedulers[0], "metrics": {key: _interval(gap[key], point, place) for key in keys}}
            for place, name in enumerate(study.schedulers)
            if place
        ]
        won = {key: _winner(study.schedulers, best[key][point]) for key in keys}
        points.append({"values": {one.path: value for one, value in zip(study.vary, values)}, "schedulers": rows, "differences": away, "winners": won})
    return {
        "version": FORMAT,
        "engine": VERSION,
        "digest": study.digest,
        "study": study.plain(),
        "seeds": [study.seed(0), study.seed(study.seeds - 1)],
        "random": study.is_random,
        "confidence": CONFIDENCE,
        "difference_confidence": corrected(comparisons),
        "metrics": [MEASURES[key]._asdict() for key in keys],
        "points": points,
        "best_values": {key: _best_values(found, key) for key in keys},
    }


def _interval(of: Means, point: int, place: int) -> dict[str, Any]:
    mean, half = float(of.mean[point, place]), float(of.half[point, place])
    return {"mean": _known(mean), "low": _known(mean - half), "high": _known(mean + half), "count": int(of.count[point, place])}


def _winner(names: Sequence[str], one: Winner) -> dict[str, Any] | None:
    if one.place < 0:
        return None
    who = {"scheduler": names[one.place], "before": names[one.second] if one.second >= 0 else None}
    return who | {"margin": _known(one.margin), "low": _known(one.margin - one.half), "high": _known(one.margin + one.half), "clear": one.is_clear}


def _best_values(found: StudyResult, key: str) -> dict[str, Any]:
    """By scheduler, the values that are best beyond doubt; null where none are."""
    study = found.study
    points = [None if at < 0 else study.points[at] for at in best_points(found, key)]
    return {name: None if values is None else {one.path: value for one, value in zip(study.vary, values)} for name, values in zip(study.schedulers, points)}


def _known(value: float) -> float | None:
    return None if isnan(value) else value
