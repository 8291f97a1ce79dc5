"""The pictures of a study, each with what it says in words: curve, map, and how seeds spread at one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine import Metric, StudyResult, Tunable, Winner, best_points, estimates
from webapp import theme
from webapp.figures.charts.distribution_lines import seeds_figure
from webapp.figures.charts.parameter_sweep import sweep_figure
from webapp.figures.charts.winner_map import map_figure
from webapp.panels.compare.chart_card import Picture
from webapp.panels.what_if import study_text

READ_CURVE = "A line a scheduler: its mean over the seeds, shaded the 95 % interval of that mean. Click a point to set the slider to it."
READ_MAP = (
    "A cell has the colour of the scheduler that is best there, the stronger the larger its margin, and is hatched where that one is not told apart from the "
    "next. Click a cell, or press Enter on it, to set both sliders."
)
CURVE = Picture("study-curve", "Study", READ_CURVE)
MAP = Picture("study-map", "Study", READ_MAP)
SPREAD = Picture("study-spread", "How do the seeds spread?", "A line a scheduler: the share of seeds that have at most so much.")


def _title(found: StudyResult, metric: Metric, tunables: list[Tunable]) -> str:
    seeds = theme.count(found.study.seeds, "seeds")
    jitter = f", jitter {theme.percent(found.study.jitter)}" if found.study.jitter else ""
    return f"{metric.title} by {' and '.join(one.title for one in tunables)}, {seeds}{jitter}"


def of_curve(found: StudyResult, metric: Metric, tunable: Tunable, present: float | None, dark: bool, width: int) -> Picture:
    """The mean of each scheduler with its band, a star where a value is best beyond doubt; present: where x stands now."""
    of, best, groups = estimates(found, metric.key), best_points(found, metric.key), study_text.alike(found, metric)
    places = [one[0] for one in groups]
    column = lambda numbers, place: [None if np.isnan(one) else one for one in numbers[:, place].tolist()]
    figure = sweep_figure(
        [study_text.equal_names(found, one) for one in groups],
        [point[0] for point in found.study.points],
        [column(of.mean, place) for place in places],
        places,
        title=theme.titled(metric.title, theme.column(metric.unit)[1]),
        tunable=theme.titled(tunable.title, tunable.unit),
        unit=metric.unit,
        better=metric.better,
        present=present,
        halves=[column(of.half, place) for place in places],
        stars=[best[place] if best[place] >= 0 else None for place in places],
        dark=dark,
        width=width,
    )
    return replace(
        CURVE,
        title=_title(found, metric, [tunable]),
        story=study_text.curve_story(found, metric, tunable),
        figure=figure,
    )


def of_map(found: StudyResult, metric: Metric, tunables: list[Tunable], won: Sequence[Winner], dark: bool, width: int) -> Picture:
    """The winner of each cell; won: of each point."""
    xs, ys = ([float(value) for value in one.values] for one in found.study.vary)
    titles = [theme.titled(one.title, one.unit) for one in tunables]
    figure = map_figure(won, xs, ys, found.study.schedulers, x_title=titles[0], y_title=titles[1], dark=dark, width=width)
    return replace(
        MAP,
        title=_title(found, metric, tunables),
        story=study_text.map_story(found, metric, won, tunables),
        figure=figure,
    )


def cells(found: StudyResult, metric: Metric, won: Sequence[Winner]) -> dict[str, Any]:
    """What the page's script needs to say of each cell, and to set the sliders: values of both, and a text a point, y changing first."""
    x, y = (list(one.values) for one in found.study.vary)
    return {"x": x, "y": y, "texts": study_text.cell_texts(found, metric, won)}


def of_spread(found: StudyResult, metric: Metric, point: int, tunables: list[Tunable], dark: bool, width: int) -> Picture:
    """Of one point."""
    names = found.study.schedulers
    values = [np.sort(one[~np.isnan(one)]) for one in found.of(metric.key)[point]]
    figure = seeds_figure(names, values, metric.title, metric.unit, dark=dark, width=width)
    halves = "; ".join(f"{name} {theme.amount(float(np.median(one)), metric.unit)}" for name, one in zip(names, values) if len(one))
    return replace(SPREAD, story=f"Median at {study_text.point_text(found, point, tunables)}: {halves}." if halves else "", figure=figure)
