"""A metric of every scheduler over the values of one parameter; a scheduler is a colour, a symbol and a
dash.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import quantities
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    NARROW_PX,
    TICK_PX,
    chart,
    clock_px,
    legend_above,
    margins,
    number_axis,
    still,
    time_axis,
    widened,
)
from webapp.figures.plotly_arrays import escaped
from webapp.figures.traces import UNSEEN, lines, marks, scheduler_line, scheduler_mark, told

PLOT_PX = 150
MIN_PX = 80  # of the plot, in a low drawer
LEGEND_PX = 26
TICK_COUNT = 5  # ticks of the metric
MAX_MARKS = 400  # of all curves together
SMALL_MARKS_FROM = 24  # values from which on points are smaller
MARGIN_SHARE = 0.06  # of the axis, over and under the curves

Column = Sequence[float | None]


def sweep_figure(
    names: Sequence[str],
    values: Sequence[float],
    columns: Sequence[Column],
    places: Sequence[int],
    *,
    title: str,
    tunable: str,
    unit: str,
    present: float | None = None,
    goal: float | None = None,
    goal_label: tuple[str, str] = ("goal", "end"),
    answers: Sequence[tuple[float, float] | None] = (),
    band: tuple[float, float] | None = None,
    halves: Sequence[Column] = (),
    stars: Sequence[int | None] = (),
    min_px: int = MIN_PX,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """columns: a metric of each scheduler at each value, None for a gap; places: of the schedulers among
    those run, whose colours they have.

    title, tunable: what the axes say, with their units; unit: the metric's, as in quantities.amount;
    present: the value that holds now, drawn as an upright line; goal: the bound, drawn as a level line;
    goal_label: what it is called, and at which end;
    answers: the value at which each scheduler reaches it and the metric there, None where it does not; band:
    least and largest share of what is simulated that a cluster may show, drawn as a ribbon around each curve;
    halves: half the width of each value's interval, of each scheduler, drawn as a ribbon; stars: of each
    scheduler the place of its best value, None where none is beyond doubt; min_px: how low the plot may be
    made. Of many values the line has every so many.
    """
    look = theme.look(dark)
    factor = quantities.display_unit(unit)[0]
    x = np.array(values, float)
    levels = [_scaled(column, factor) for column in columns]
    edges = _ribbon_edges(levels, [_scaled(column, factor) for column in halves], band)
    drawn = _drawn_indices(len(x), MAX_MARKS // max(len(names), 1))
    data = [
        ribbon
        for place, (low, high) in zip(places, edges)
        for ribbon in _ribbons(place, x[drawn], low[drawn], high[drawn], dark)
    ]
    for number, (place, name, level) in enumerate(zip(places, names, levels)):
        numbers = [columns[number][at] for at in drawn]
        half_widths = [halves[number][at] if halves else None for at in drawn]
        texts = _hover_texts(name, x[drawn], numbers, half_widths, unit, tunable)
        data.append(_curve(place, name, x[drawn], level[drawn], texts, dark))
    star = {"symbol": "star", "size": 15, "color": look.ink, "line": {"width": 1.4, "color": look.paper}}
    data += [_standing_out(x[at], level[at], star) for at, level in zip(stars, levels) if at is not None]
    goal_level = None if goal is None else goal * factor
    if goal_level is not None:
        ring = {"symbol": "circle-open", "size": 17, "color": look.ink, "line": {"width": 2}}
        data += [_standing_out(answer[0], answer[1] * factor, ring) for answer in answers if answer]
    span = _level_span([*levels, *(edge for pair in edges for edge in pair)], goal_level)
    y_axis = _y_axis(title, unit, span, look) | FIXED_GRID
    layout = still(legend_above(look)) | {
        "shapes": _lines(present, goal_level, goal_label, look),
        "xaxis": number_axis(escaped(tunable), _x_range(x), look, fixedrange=True),
        "yaxis": y_axis,
    }
    sides = margins((58 if width < NARROW_PX else 76) + clock_px(y_axis), LEGEND_PX)
    return chart(data, layout, sides, PLOT_PX, min_px, dark)


def _scaled(column: Column, factor: float) -> np.ndarray:
    return np.array([np.nan if number is None else number * factor for number in column], float)


def _ribbon_edges(
    levels: Sequence[np.ndarray], halves: Sequence[np.ndarray], band: tuple[float, float] | None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lower and upper edge of each curve's ribbon: of its intervals where there are any, else of the band."""
    if halves:
        return [(level - half, level + half) for level, half in zip(levels, halves)]
    return [(level * band[0], level * band[1]) for level in levels] if band else []


def _level_span(curves: Sequence[np.ndarray], goal_level: float | None) -> tuple[float, float]:
    """Both ends of the metric's axis: round the curves, ribbons and goal, with a margin."""
    levels = np.concatenate([*curves, [] if goal_level is None else [goal_level]])
    levels = levels[~np.isnan(levels)]
    lowest, highest = (float(levels.min()), float(levels.max())) if len(levels) else (0.0, 1.0)
    return widened(lowest, highest, MARGIN_SHARE)


def _y_axis(title: str, unit: str, span: tuple[float, float], look: theme.Look) -> dict:
    """The metric's axis; of seconds with ticks as on a clock."""
    if unit == "s":
        return time_axis(escaped(title).removesuffix(" (s)") + " ({})", span, TICK_COUNT * TICK_PX, look)
    return number_axis(escaped(title), span, look, nticks=TICK_COUNT)


def _x_range(x: np.ndarray) -> tuple[float, float]:
    room = 0.02 * float(x[-1] - x[0]) or 1.0
    return float(x[0]) - room, float(x[-1]) + room


def _drawn_indices(count: int, max_marks: int) -> np.ndarray:
    """The places of values that are drawn: all, or every so many and the last."""
    step = -(-count // max(max_marks, 2))
    return np.unique(np.append(np.arange(0, count, step), count - 1))


def _hover_texts(
    name: str, x: np.ndarray, column: Column, halves: Column, unit: str, tunable: str
) -> list[str]:
    """What hovering over each point says."""
    texts = []
    for at, number, half in zip(x.tolist(), column, halves):
        value = quantities.amount(number, unit) + (f" ± {quantities.amount(half, unit)}" if half else "")
        texts.append(f"<b>{escaped(name)}</b><br>{escaped(tunable)}: {quantities.number(at)}<br>{value}")
    return texts


def _curve(place: int, name: str, x: np.ndarray, level: np.ndarray, texts: list[str], dark: bool) -> dict:
    edge = {"width": 1.3 if place % 2 else 0, "color": theme.scheduler(place, dark)}
    mark = scheduler_mark(place, dark, 5 if len(x) > SMALL_MARKS_FROM else 8, edge)
    curve = lines(
        x, level, scheduler_line(place, dark, 1.6), name=escaped(name), connectgaps=False, cliponaxis=False
    )
    return curve | {"mode": "lines+markers", "marker": mark} | told(texts)


def _ribbons(place: int, x: np.ndarray, low: np.ndarray, high: np.ndarray, dark: bool) -> list[dict]:
    """The band around a curve; none where the curve has gaps on both sides of a point."""
    known = np.flatnonzero(~np.isnan(low))
    runs = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
    fill = {"fill": "toself", "fillcolor": theme.with_alpha(theme.scheduler(place, dark), 0.16)}
    there_and_back = lambda run, low, high: np.concatenate([low[run], high[run][::-1]])
    return [
        lines(there_and_back(run, x, x), there_and_back(run, low, high), {"width": 0}, **fill) | UNSEEN
        for run in runs
        if len(run) > 1
    ]


def _standing_out(x: float, y: float, marker: dict) -> dict:
    """A mark over a curve."""
    return marks([float(x)], [float(y)], marker, cliponaxis=False) | UNSEEN


def _lines(
    present: float | None, goal_level: float | None, goal_label: tuple[str, str], look: theme.Look
) -> list[dict]:
    shapes = []
    if present is not None:
        shapes.append(_straight_line("x", present, {"color": look.muted, "width": 1}))
    if goal_level is not None:
        font = {"size": 12, "color": look.ink}
        text, end = goal_label
        label = {"text": text, "textposition": end, "yanchor": "bottom", "font": font}
        line = {"color": look.ink, "width": 1.2, "dash": "dash"}
        shapes.append(_straight_line("y", goal_level, line) | {"label": label})
    return shapes


def _straight_line(axis: str, at: float, line: dict) -> dict:
    """Across the whole plot, where this axis has this value."""
    across = "y" if axis == "x" else "x"
    place = {f"{axis}ref": axis, f"{axis}0": at, f"{axis}1": at}
    return (
        {"type": "line", "line": line} | place | {f"{across}ref": "paper", f"{across}0": 0, f"{across}1": 1}
    )
