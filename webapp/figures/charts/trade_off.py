"""Two metrics against each other, a mark a setting: what was tried, the settings that trade one for the
other, and the present one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, TICK_PX, base, heights, plain_axis, small, time_axis
from webapp.figures.plotly_arrays import escaped
from webapp.messages import msg

PLOT_PX, MIN_PX = 270, 150
LEGEND_PX = 26
TICKS_DOWN = 6
TICK_ACROSS_PX = 60  # that a number below an axis takes, with the room beside it
MARGIN_SHARE = 0.06  # of the span, on either side


class Mark(NamedTuple):
    """x, y: means of the two metrics; x_half, y_half: half their intervals, 0 where nothing is drawn; says:
    what it is, for the pointer.
    """

    x: float
    y: float
    says: str
    x_half: float = 0.0
    y_half: float = 0.0


class Measure(NamedTuple):
    """What an axis shows; unit: as in quantities.amount."""

    title: str
    unit: str


def trade_off_figure(
    x: Measure,
    y: Measure,
    tried: Sequence[Mark],
    beyond: Sequence[Mark],
    front: Sequence[Mark],
    present: Mark | None,
    *,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A figure dict. tried, beyond: settings within the constraints and beyond one; front: the answer, from
    the best of x on; present: None without a value.
    """
    look, narrow = theme.look(dark), width < NARROW_PX
    diamond = {
        "symbol": "diamond",
        "size": 13,
        "color": theme.scheduler(1, dark),
        "line": {"color": look.ink, "width": 1},
    }
    marks = [
        (
            "Beyond" if narrow else msg("figures.trade_off.beyond_constraint"),
            beyond,
            {"symbol": "x-thin", "size": 7, "line": {"color": look.muted, "width": 1.2}},
        ),
        ("Tried", tried, {"symbol": "circle", "size": 7, "color": theme.with_alpha(look.muted, 0.55)}),
        ("Present", [present] if present else [], diamond),
    ]
    data = [_marks(name, chosen, (x, y), marker) for name, chosen, marker in marks if chosen]
    if front:
        data.append(
            _front("Best" if narrow else msg("figures.trade_off.best_trade_offs"), front, (x, y), dark)
        )
    all_marks = [*tried, *beyond, *front, *([present] if present else [])]
    above = LEGEND_PX * (2 if narrow else 1)  # the legend stands on two lines there
    sides = {"l": 62 if narrow else 76, "r": 16, "t": above, "b": BOTTOM_PX, "pad": 0}
    x_axis = _axis(x, [(mark.x, mark.x_half) for mark in all_marks], width - sides["l"] - sides["r"], look)
    y_axis = _axis(y, [(mark.y, mark.y_half) for mark in all_marks], TICKS_DOWN * TICK_PX, look)
    layout = base(sides, dark) | {
        **heights(PLOT_PX, MIN_PX, BOTTOM_PX + above),
        "hoverdistance": 20,
        "dragmode": False,
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
        "xaxis": x_axis | {"showgrid": True, "fixedrange": True},
        "yaxis": y_axis | {"showgrid": True, "fixedrange": True},
    }
    return {"data": data, "layout": layout}


def _marks(name: str, marks: Sequence[Mark], measures: tuple[Measure, Measure], marker: dict) -> dict:
    """x and y as the axes count them; a pointer is told both with their units."""
    factors = [quantities.display_unit(measure.unit)[0] for measure in measures]
    words = [
        f"{measures[0].title} {_amount(mark.x, mark.x_half, measures[0])}<br>{measures[1].title} "
        f"{_amount(mark.y, mark.y_half, measures[1])}"
        for mark in marks
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [mark.x * factors[0] for mark in marks],
        "y": [mark.y * factors[1] for mark in marks],
        "marker": marker,
        "hovertext": [f"<b>{escaped(mark.says)}</b><br>{text}" for mark, text in zip(marks, words)],
        "hoverinfo": "text",
    }


def _front(name: str, front: Sequence[Mark], measures: tuple[Measure, Measure], dark: bool) -> dict:
    """The answer, connected, with its intervals."""
    colour, look = theme.scheduler(0, dark), theme.look(dark)
    trace = _marks(
        name,
        front,
        measures,
        {"symbol": "circle", "size": 10, "color": colour, "line": {"color": look.paper, "width": 1}},
    )
    bars = {"type": "data", "color": colour, "thickness": 1.2, "width": 3}
    halves = {
        f"error_{axis}": bars
        | {
            "array": [
                getattr(mark, f"{axis}_half") * quantities.display_unit(measure.unit)[0] for mark in front
            ]
        }
        for axis, measure in zip("xy", measures)
    }
    return trace | {"mode": "lines+markers", "line": {"color": colour, "width": 2}} | halves


def _amount(value: float, half: float, measure: Measure) -> str:
    return quantities.estimate(value, half, measure.unit)


def _axis(measure: Measure, values: Sequence[tuple[float, float]], px: float, look: theme.Look) -> dict:
    """Over all marks with their intervals."""
    factor, unit = quantities.display_unit(measure.unit)
    low, high = (
        min((value - half for value, half in values), default=0.0) * factor,
        max((value + half for value, half in values), default=1.0) * factor,
    )
    margin = MARGIN_SHARE * (high - low) or MARGIN_SHARE * max(abs(high), 1.0)
    span = max(low - margin, 0.0) if low >= 0 else low - margin, high + margin
    if measure.unit == "s":
        return time_axis(f"{escaped(measure.title)} ({{}})", span, px, look)
    title = small(escaped(quantities.title_with_unit(measure.title, unit)), look)
    return plain_axis(look) | {
        "title": title,
        "range": list(span),
        "nticks": max(2, min(6, round(px / TICK_ACROSS_PX))),
        "separatethousands": True,
    }
