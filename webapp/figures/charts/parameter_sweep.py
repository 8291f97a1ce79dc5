"""A metric of every scheduler over the values of one parameter; a scheduler is a colour, a symbol and a
dash.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import quantities
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, TICK_PX, base, heights, plain_axis, small, time_axis
from webapp.figures.plotly_arrays import escaped, typed_array

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
    better: str | None,
    present: float | None = None,
    goal: float | None = None,
    answers: Sequence[tuple[float, float] | None] = (),
    band: tuple[float, float] | None = None,
    halves: Sequence[Column] = (),
    stars: Sequence[int | None] | None = None,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """columns: a metric of each scheduler at each value, None for a gap; places: of the schedulers among
    those run, whose colours they have.

    title, tunable: what the axes say, with their units; unit: the metric's, as in quantities.amount; better:
    "smaller", "larger" or None;
    present: the value that holds now, drawn as an upright line; goal: the bound, drawn as a level line;
    answers: the value at which each scheduler reaches it and the metric there, None where it does not; band:
    least and largest share of what is simulated that a cluster may show, drawn as a ribbon around each curve;
    halves: half the width of each value's interval, of each scheduler, drawn as a ribbon; stars: of each
    scheduler the place of its best value, None where none is beyond doubt; without, that of the least or
    largest number. Of many values the line has every so many.
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
        texts = _hover_texts(
            name,
            x[drawn],
            [columns[number][at] for at in drawn],
            [halves[number][at] for at in drawn] if halves else (),
            unit,
            tunable,
        )
        data.append(_curve(place, name, x[drawn], level[drawn], texts, dark))
    best = [_best_index(x, level, better, present) for level in levels] if stars is None else stars
    data += [_star(x[at], level[at], look) for at, level in zip(best, levels) if at is not None]
    goal_level = None if goal is None else goal * factor
    if goal_level is not None:
        data += [_goal_ring(answer[0], answer[1] * factor, look) for answer in answers if answer]
    span = _level_span([*levels, *(edge for pair in edges for edge in pair)], goal_level)
    layout = base(
        {"l": 58 if width < NARROW_PX else 76, "r": 16, "t": LEGEND_PX, "b": BOTTOM_PX, "pad": 0}, dark
    ) | {
        **heights(PLOT_PX, MIN_PX, BOTTOM_PX + LEGEND_PX),
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "bottom",
            "font": {"size": 12},
            "bgcolor": theme.with_alpha(look.paper, 0),
        },
        "dragmode": False,
        "shapes": _lines(present, goal_level, look),
        "xaxis": plain_axis(look)
        | {
            "title": small(escaped(tunable), look),
            "separatethousands": True,
            "fixedrange": True,
            "range": _x_range(x),
        },
        "yaxis": plain_axis(look) | _y_axis(title, unit, span, look) | {"showgrid": True, "fixedrange": True},
    }
    return {"data": data, "layout": layout}


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
    margin = MARGIN_SHARE * (highest - lowest) or max(abs(highest), 1.0) * MARGIN_SHARE
    return lowest - margin, highest + margin


def _y_axis(title: str, unit: str, span: tuple[float, float], look: theme.Look) -> dict:
    """The metric's axis; of seconds with ticks as on a clock."""
    if unit == "s":
        return time_axis(escaped(title).removesuffix(" (s)") + " ({})", span, TICK_COUNT * TICK_PX, look)
    return {
        "title": small(escaped(title), look),
        "separatethousands": True,
        "nticks": TICK_COUNT,
        "range": list(span),
    }


def _x_range(x: np.ndarray) -> list[float]:
    room = 0.02 * float(x[-1] - x[0]) or 1.0
    return [float(x[0]) - room, float(x[-1]) + room]


def _drawn_indices(count: int, max_marks: int) -> np.ndarray:
    """The places of values that are drawn: all, or every so many and the last."""
    step = -(-count // max(max_marks, 2))
    return np.unique(np.append(np.arange(0, count, step), count - 1))


def _hover_texts(
    name: str, x: np.ndarray, column: Column, halves: Column, unit: str, tunable: str
) -> list[str]:
    """What hovering over each point says."""
    texts = []
    for place, (at, number) in enumerate(zip(x.tolist(), column)):
        half = halves[place] if halves else None
        more = f" ± {quantities.amount(half, unit)}" if half else ""
        texts.append(
            f"<b>{escaped(name)}</b><br>{escaped(tunable)}: "
            f"{quantities.number(at)}<br>{quantities.amount(number, unit)}{more}"
        )
    return texts


def _curve(place: int, name: str, x: np.ndarray, level: np.ndarray, texts: list[str], dark: bool) -> dict:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": escaped(name),
        "x": typed_array(x, "f8"),
        "y": typed_array(level, "f8"),
        "connectgaps": False,
        "line": {
            "width": 1.6,
            "color": theme.scheduler(place, dark),
            "dash": theme.DASHES[place % len(theme.DASHES)],
        },
        "marker": _symbol(place, dark, 5 if len(x) > SMALL_MARKS_FROM else 8),
        "hovertext": texts,
        "hoverinfo": "text",
    }


def _ribbons(place: int, x: np.ndarray, low: np.ndarray, high: np.ndarray, dark: bool) -> list[dict]:
    """The band around a curve; none where the curve has gaps on both sides of a point."""
    known = np.flatnonzero(~np.isnan(low))
    runs = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
    look = {
        "type": "scatter",
        "mode": "lines",
        "fill": "toself",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    look["fillcolor"] = theme.with_alpha(theme.scheduler(place, dark), 0.16)
    there_and_back = lambda run, low, high: typed_array(np.concatenate([low[run], high[run][::-1]]), "f8")
    return [
        look | {"x": there_and_back(run, x, x), "y": there_and_back(run, low, high)}
        for run in runs
        if len(run) > 1
    ]


def _symbol(place: int, dark: bool, size: float) -> dict:
    """A scheduler's mark by its place; every second one is hollow."""
    hollow, colour = place % 2, theme.scheduler(place, dark)
    shape = theme.SYMBOLS[place % len(theme.SYMBOLS)] + "-open" * hollow
    return {
        "symbol": shape,
        "size": size,
        "color": colour,
        "line": {"width": 1.3 if hollow else 0, "color": colour},
    }


def _best_index(x: np.ndarray, level: np.ndarray, better: str | None, present: float | None) -> int | None:
    """The place of the best value, of equal ones the nearest to the present; None for a level curve."""
    known_indices = np.flatnonzero(~np.isnan(level))
    if better is None or not len(known_indices) or np.ptp(level[known_indices]) == 0:
        return None
    best_level = level[known_indices].min() if better == "smaller" else level[known_indices].max()
    equal = known_indices[level[known_indices] == best_level]
    return int(equal[np.argmin(np.abs(x[equal] - (present or 0)))])


def _star(x: float, y: float, look: theme.Look) -> dict:
    return _marks(
        x, y, {"symbol": "star", "size": 15, "color": look.ink, "line": {"width": 1.4, "color": look.paper}}
    )


def _goal_ring(x: float, y: float, look: theme.Look) -> dict:
    return _marks(x, y, {"symbol": "circle-open", "size": 17, "color": look.ink, "line": {"width": 2}})


def _marks(x: float, y: float, marker: dict) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [float(x)],
        "y": [float(y)],
        "marker": marker,
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }


def _lines(present: float | None, goal_level: float | None, look: theme.Look) -> list[dict]:
    shapes = []
    if present is not None:
        shapes.append(
            {
                "type": "line",
                "xref": "x",
                "x0": present,
                "x1": present,
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"color": look.muted, "width": 1},
            }
        )
    if goal_level is not None:
        line = {"color": look.ink, "width": 1.2, "dash": "dash"}
        text = {
            "text": "goal",
            "textposition": "end",
            "yanchor": "bottom",
            "font": {"size": 12, "color": look.ink},
        }
        shapes.append(
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "yref": "y",
                "y0": goal_level,
                "y1": goal_level,
                "line": line,
                "label": text,
            }
        )
    return shapes
