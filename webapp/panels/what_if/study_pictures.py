"""The pictures of a study, each with what it says in words: curve, map, and how seeds spread at one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from engine import quantities
from engine.dashboard import Metric, StudyResult, Tunable, Winner, best_points, estimates
from webapp.figures.charts.distribution_lines import seeds_figure
from webapp.figures.charts.parameter_sweep import sweep_figure
from webapp.figures.charts.winner_map import map_figure
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture
from webapp.panels.what_if import study_text

CURVE = Picture("study-curve", "Study", msg("panels.study_pictures.line_scheduler_its_mean_over_seeds"))
MAP = Picture("study-map", "Study", msg("panels.study_pictures.cell_has_colour_scheduler_best_there"))
SPREAD = Picture(
    "study-spread",
    msg("panels.study_pictures.how_do_seeds_spread"),
    msg("panels.study_pictures.line_scheduler_share_seeds_have_at"),
)


def _title(result: StudyResult, metric: Metric, tunables: list[Tunable]) -> str:
    seeds = quantities.count(result.study.seeds, "seeds")
    if result.study.jitter:
        seeds += msg("panels.study_pictures.jitter", percent=quantities.percent(result.study.jitter))
    return f"{metric.title} by {' and '.join(tunable.title for tunable in tunables)}, {seeds}"


def curve_picture(
    result: StudyResult, metric: Metric, tunable: Tunable, present: float | None, dark: bool, width: int
) -> Picture:
    """The mean of each scheduler with its band, a star where a value is best beyond doubt; present: where x
    stands now.
    """
    means, best = estimates(result, metric.key), best_points(result, metric.key)
    groups = study_text.identical_groups(result, metric)
    schedulers = [one[0] for one in groups]
    column = lambda numbers, place: [None if np.isnan(one) else one for one in numbers[:, place].tolist()]
    figure = sweep_figure(
        [study_text.equal_names(result, one) for one in groups],
        [cast(float, point[0]) for point in result.study.points],  # the page varies numbers alone
        [column(means.mean, place) for place in schedulers],
        schedulers,
        title=quantities.title_with_unit(metric.title, quantities.display_unit(metric.unit)[1]),
        tunable=quantities.title_with_unit(tunable.title, tunable.unit),
        unit=metric.unit,
        present=present,
        halves=[column(means.half, place) for place in schedulers],
        stars=[best[place] if best[place] >= 0 else None for place in schedulers],
        dark=dark,
        width=width,
    )
    story = study_text.curve_story(result, metric, tunable)
    return replace(CURVE, title=_title(result, metric, [tunable]), story=story, figure=figure)


def map_picture(
    result: StudyResult,
    metric: Metric,
    tunables: list[Tunable],
    winners_by_point: Sequence[Winner],
    dark: bool,
    width: int,
) -> Picture:
    """The winner of each cell; won: of each point."""
    xs, ys = ([float(value) for value in tunable.values] for tunable in result.study.vary)
    x, y = (quantities.title_with_unit(tunable.title, tunable.unit) for tunable in tunables)
    names = study_text.display_names(result)
    figure = map_figure(winners_by_point, xs, ys, names, x_title=x, y_title=y, dark=dark, width=width)
    story = study_text.map_story(result, metric, winners_by_point, tunables)
    return replace(MAP, title=_title(result, metric, tunables), story=story, figure=figure)


def cells(result: StudyResult, metric: Metric, winners_by_point: Sequence[Winner]) -> dict[str, Any]:
    """What the page's script needs to say of each cell, and to set the sliders: values of both, and a text a
    point, y changing first.
    """
    x, y = (list(one.values) for one in result.study.vary)
    return {"x": x, "y": y, "texts": study_text.cell_texts(result, metric, winners_by_point)}


def spread_picture(
    result: StudyResult, metric: Metric, point: int, tunables: list[Tunable], dark: bool, width: int
) -> Picture:
    """Of one point."""
    names = study_text.display_names(result)
    values = [np.sort(one[~np.isnan(one)]) for one in result.of(metric.key)[point]]
    figure = seeds_figure(names, values, metric.title, metric.unit, dark=dark, width=width)
    medians = "; ".join(
        f"{name} {quantities.amount(float(np.median(one)), metric.unit)}"
        for name, one in zip(names, values)
        if len(one)
    )
    where = study_text.point_text(result, point, tunables)
    story = msg("panels.study_pictures.median_at", point_text=where, medians=medians) if medians else ""
    return replace(SPREAD, story=story, figure=figure)
