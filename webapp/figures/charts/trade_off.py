"""Two metrics against each other, a mark a setting: what was tried, the settings that trade one for the
other, and the present one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    NARROW_PX,
    TICK_PX,
    chart,
    legend_above,
    margins,
    measure_axis,
    plot_width,
    still,
    widened,
)
from webapp.figures.plotly_arrays import escaped
from webapp.figures.traces import marks, told
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
    paper_edge, ink_edge = {"color": look.paper, "width": 1}, {"color": look.ink, "width": 1}
    best = {"symbol": "circle", "size": 10, "color": theme.scheduler(0, dark), "line": paper_edge}
    groups = [
        (
            "Beyond" if narrow else msg("figures.trade_off.beyond_constraint"),
            beyond,
            {"symbol": "x-thin", "size": 7, "line": {"color": look.muted, "width": 1.2}},
        ),
        ("Tried", tried, {"symbol": "circle", "size": 7, "color": theme.with_alpha(look.muted, 0.55)}),
        (
            "Present",
            [present] if present else [],
            {"symbol": "diamond", "size": 13, "color": theme.scheduler(1, dark), "line": ink_edge},
        ),
        ("Best" if narrow else msg("figures.trade_off.best_trade_offs"), front, best),
    ]
    data = [_marks(name, chosen, (x, y), marker) for name, chosen, marker in groups if chosen]
    if front:
        data[-1] |= _connected(front, (x, y), theme.scheduler(0, dark))
    all_marks = [mark for _, chosen, _ in groups for mark in chosen]
    sides = margins(62 if narrow else 76, LEGEND_PX * (2 if narrow else 1))  # the legend has two lines there
    x_axis = _axis(x, [(mark.x, mark.x_half) for mark in all_marks], plot_width(width, sides), look)
    y_axis = _axis(y, [(mark.y, mark.y_half) for mark in all_marks], TICKS_DOWN * TICK_PX, look)
    layout = {"hoverdistance": 20, "xaxis": x_axis | FIXED_GRID, "yaxis": y_axis | FIXED_GRID}
    return chart(data, still(legend_above(look)) | layout, sides, PLOT_PX, MIN_PX, dark)


def _marks(name: str, chosen: Sequence[Mark], measures: tuple[Measure, Measure], marker: dict) -> dict:
    """x and y as the axes count them; a pointer is told both with their units."""
    x, y = measures
    texts = [
        f"<b>{escaped(mark.says)}</b><br>{x.title} {quantities.estimate(mark.x, mark.x_half, x.unit)}<br>"
        f"{y.title} {quantities.estimate(mark.y, mark.y_half, y.unit)}"
        for mark in chosen
    ]
    x_factor, y_factor = (quantities.display_unit(measure.unit)[0] for measure in measures)
    xs, ys = [mark.x * x_factor for mark in chosen], [mark.y * y_factor for mark in chosen]
    return marks(xs, ys, marker, name=name) | told(texts)


def _connected(front: Sequence[Mark], measures: tuple[Measure, Measure], colour: str) -> dict:
    """The part of the answer's marks that connects them and shows their intervals."""
    trace: dict = {"mode": "lines+markers", "line": {"color": colour, "width": 2}}
    for axis, measure in zip("xy", measures):
        factor = quantities.display_unit(measure.unit)[0]
        halves = [getattr(mark, f"{axis}_half") * factor for mark in front]
        bars = {"type": "data", "color": colour, "thickness": 1.2, "width": 3}
        trace[f"error_{axis}"] = bars | {"array": halves}
    return trace


def _axis(measure: Measure, values: Sequence[tuple[float, float]], px: float, look: theme.Look) -> dict:
    """Over all marks with their intervals."""
    factor = quantities.display_unit(measure.unit)[0]
    least = min((value - half for value, half in values), default=0.0) * factor
    most = max((value + half for value, half in values), default=1.0) * factor
    low, high = widened(least, most, MARGIN_SHARE)
    span = max(low, 0.0) if least >= 0 else low, high
    tick_count = max(2, min(6, round(px / TICK_ACROSS_PX)))
    return measure_axis(measure.title, measure.unit, span, px, look, nticks=tick_count)
