"""How a metric is spread over the seeds of a study: the share of runs that have at most so much, a line a
scheduler.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import quantities
from webapp import theme
from webapp.figures.charts.step_lines import Axes, Line, lines_figure
from webapp.figures.frame import FIXED_GRID, number_axis, widened
from webapp.figures.plotly_arrays import escaped
from webapp.messages import msg

MARGIN_SHARE = 0.04  # of the axis, on either side


def seeds_figure(
    names: Sequence[str],
    values: Sequence[np.ndarray],
    title: str,
    unit: str,
    *,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A figure dict; values: of a metric, in order, of each scheduler's runs that have one; title: the
    metric's; unit: as in quantities.amount.
    """
    factor, shown = quantities.display_unit(unit)
    ends = [end * factor for value in values if len(value) for end in (float(value[0]), float(value[-1]))]
    span = widened(min(ends, default=0.0), max(ends, default=1.0), MARGIN_SHARE)
    lines = [
        Line(
            name,
            np.append(span[0], value * factor),
            np.append(0, np.arange(1, len(value) + 1) / max(len(value), 1)),
            span[1],
        )
        for name, value in zip(names, values)
    ]
    head = f"{title} ({{}})" if unit == "s" else quantities.title_with_unit(title, shown)
    axes = Axes(
        head,
        msg("figures.distribution_lines.share_seeds"),
        span,
        1.06,
        msg("figures.distribution_lines.seeds_br_have_at_most"),
        is_share=True,
        at=lambda at: quantities.amount(at / factor, unit),
    )
    figure = lines_figure(lines, axes, dark=dark, width=width)
    if unit != "s":
        axis = number_axis(escaped(head), span, theme.look(dark), nticks=6)
        figure["layout"]["xaxis"] = axis | FIXED_GRID
    return figure
