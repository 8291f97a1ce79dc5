"""How far off the simulation is with each further thing it is given: a bar to the median error, a mark at 90
%.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    NARROW_PX,
    chart,
    legend_above,
    margins,
    plain_axis,
    plot_width,
    row_axis,
    small,
    still,
)
from webapp.figures.plotly_arrays import escaped
from webapp.figures.ticks import share_ticks
from webapp.figures.traces import bars, marks, told
from webapp.messages import msg

ROW_PX, MIN_ROW_PX, TWO_LINES_PX = 34, 24, 34  # of a row; in a low drawer, with a title of one line or of two
LEGEND_PX = 26
BAR_HEIGHT = 0.56
CHARACTER_PX = 6.3
LABEL_PX = 92  # for the numbers behind a mark


class VariantError(NamedTuple):
    """What is simulated with, in a few words; median and p90 of the sizes of its errors, as shares."""

    title: str
    median: float
    p90: float


def variants_figure(rows: Sequence[VariantError], *, dark: bool = False, width: int = 700) -> dict:
    """A row a variant, in the order in which they build on each other."""
    look = theme.look(dark)
    max_p90 = max([row.p90 for row in rows], default=0.0) or 1.0
    max_line_chars = 24 if width < NARROW_PX else 30
    sides = margins(round(max_line_chars * CHARACTER_PX), LEGEND_PX)
    plot = max(plot_width(width, sides) - LABEL_PX, LABEL_PX)
    y, titles = list(range(len(rows))), [_wrapped(row.title, max_line_chars) for row in rows]
    min_row_px = TWO_LINES_PX if any("<br>" in title for title in titles) else MIN_ROW_PX
    errors = [(quantities.percent(row.median), quantities.percent(row.p90)) for row in rows]
    hover = [
        f"<b>{escaped(row.title)}</b><br>median {median}, 90 % {p90}"
        for row, (median, p90) in zip(rows, errors)
    ]
    common = {"cliponaxis": False, "textfont": {"size": 12, "color": look.ink}} | told(hover)
    medians = bars([row.median for row in rows], y, {"color": theme.scheduler(0, dark)}, width=BAR_HEIGHT)
    end = {"symbol": "line-ns-open", "size": 16, "color": look.ink, "line": {"width": 2}}
    ends = marks([row.p90 for row in rows], y, end, name=msg("figures.replay_variants.jobs_within")) | {
        "mode": "markers+text",
        "text": [f"  {median}, {p90}" for median, p90 in errors],
        "textposition": "middle right",
    }
    top = max_p90 * (1 + LABEL_PX / plot)
    about = {"title": small(msg("figures.replay_variants.error_jobs_finish"), look), "range": [0, top]}
    x_axis = plain_axis(look) | about | share_ticks(0, top, 6) | FIXED_GRID
    layout = still(legend_above(look)) | {"xaxis": x_axis, "yaxis": row_axis(titles, look)}
    data = [medians | common | {"name": msg("shared.median_error")}, ends | common]
    return chart(data, layout, sides, len(rows) * ROW_PX, len(rows) * min_row_px, dark)


def _wrapped(text: str, max_chars: int) -> str:
    """In at most two lines."""
    if len(text) <= max_chars:
        return escaped(text)
    cut = text.rfind(" ", 0, max_chars)
    return f"{escaped(text[:cut])}<br>{escaped(text[cut + 1 :])}" if cut > 0 else escaped(text)
