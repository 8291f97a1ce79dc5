"""How far off the simulation is with each further thing it is given: a bar to the median error, a mark at 90
%.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, small
from webapp.figures.plotly_arrays import escaped
from webapp.figures.ticks import share_ticks
from webapp.messages import msg

ROW_PX, MIN_ROW_PX, TWO_LINES_PX = 34, 24, 34  # of a row; in a low drawer, with a title of one line or of two
LEGEND_PX, RIGHT_PX = 26, 16
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
    left = round(max_line_chars * CHARACTER_PX)
    plot = max(width - left - RIGHT_PX - LABEL_PX, LABEL_PX)
    y, titles = list(range(len(rows))), [_wrapped(row.title, max_line_chars) for row in rows]
    min_row_px = TWO_LINES_PX if any("<br>" in title for title in titles) else MIN_ROW_PX
    hover = [
        f"<b>{escaped(row.title)}</b><br>median {quantities.percent(row.median)}, "
        f"90 % {quantities.percent(row.p90)}"
        for row in rows
    ]
    common = {
        "y": y,
        "hovertext": hover,
        "hoverinfo": "text",
        "cliponaxis": False,
        "textfont": {"size": 12, "color": look.ink},
    }
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [row.median for row in rows],
        "width": BAR_HEIGHT,
        "name": msg("shared.median_error"),
        "marker": {"color": theme.scheduler(0, dark)},
    }
    ends: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [row.p90 for row in rows],
        "name": msg("figures.replay_variants.jobs_within"),
    }
    ends |= {"marker": {"symbol": "line-ns-open", "size": 16, "color": look.ink, "line": {"width": 2}}}
    ends |= {
        "text": [f"  {quantities.percent(row.median)}, {quantities.percent(row.p90)}" for row in rows],
        "textposition": "middle right",
    }
    layout = base({"l": left, "r": RIGHT_PX, "t": LEGEND_PX, "b": BOTTOM_PX, "pad": 0}, dark) | {
        **heights(len(rows) * ROW_PX, len(rows) * min_row_px, LEGEND_PX + BOTTOM_PX),
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
        "xaxis": plain_axis(look)
        | {
            "title": small(msg("figures.replay_variants.error_jobs_finish"), look),
            "range": [0, max_p90 * (1 + LABEL_PX / plot)],
        }
        | share_ticks(0, max_p90 * (1 + LABEL_PX / plot), 6)
        | {"showgrid": True, "fixedrange": True},
        "yaxis": plain_axis(look)
        | {
            "range": [len(rows) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": y,
            "ticktext": titles,
            "fixedrange": True,
        },
    }
    return {"data": [bars | common, ends | common], "layout": layout}


def _wrapped(text: str, max_chars: int) -> str:
    """In at most two lines."""
    if len(text) <= max_chars:
        return escaped(text)
    cut = text.rfind(" ", 0, max_chars)
    return f"{escaped(text[:cut])}<br>{escaped(text[cut + 1 :])}" if cut > 0 else escaped(text)
