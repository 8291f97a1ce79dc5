"""How a metric is spread over the seeds of a study: the share of runs that have at most so much, a line a scheduler."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webapp import theme
from webapp.figures.charts.step_lines import Axes, Line, lines_figure
from webapp.figures.frame import plain_axis, small
from webapp.figures.plotly_arrays import escaped

ROOM = 0.04  # of the axis, on either side


def seeds_figure(names: Sequence[str], values: Sequence[np.ndarray], title: str, unit: str, *, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; values: of a metric, in order, of each scheduler's runs that have one; title: the metric's; unit: as in theme.amount."""
    times, shown = theme.column(unit)
    known = [one for one in values if len(one)]
    low, high = (float(min(one[0] for one in known)) * times, float(max(one[-1] for one in known)) * times) if known else (0.0, 1.0)
    room = ROOM * (high - low) or max(abs(high), 1.0) * ROOM
    span = low - room, high + room
    lines = [
        Line(name, np.append(span[0], one * times), np.append(0, np.arange(1, len(one) + 1) / max(len(one), 1)), span[1]) for name, one in zip(names, values)
    ]
    head = f"{title} ({{}})" if unit == "s" else theme.titled(title, shown)
    says = "%{y:.0%} of the seeds<br>have at most %{customdata}"
    axes = Axes(head, "share of seeds", span, 1.06, says, ".0%", lambda at: theme.amount(at / times, unit))
    figure = lines_figure(lines, axes, dark=dark, width=width)
    if unit != "s":
        look = theme.look(dark)
        axis = {"title": small(escaped(head), look), "range": list(span), "nticks": 6, "separatethousands": True, "showgrid": True, "fixedrange": True}
        figure["layout"]["xaxis"] = plain_axis(look) | axis
    return figure
