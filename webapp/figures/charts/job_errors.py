"""By how much each job's simulated finish is off: a bar a job, to the left what is simulated too early, to
the right what too late.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine import quantities
from engine.dashboard import JobError
from webapp import theme
from webapp.figures.charts.measured_scatter import hover_text
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, small
from webapp.figures.plotly_arrays import escaped
from webapp.figures.short_names import cut_names
from webapp.figures.ticks import share_ticks
from webapp.messages import msg

MAX_ROWS = 16
ROW_PX, MIN_ROW_PX = 20, 13  # of a row; in a low drawer
BAR_HEIGHT = 0.7  # of a row
TOP_PX, RIGHT_PX = 26, 16
CHARACTER_PX = 6.3
LABEL_PX = 62  # for the number behind a bar
MEDIAN = "median"
MIN_SPAN = 0.01  # of a finish, that an axis shows


def errors_figure(
    rows: Sequence[JobError],
    *,
    median: float | None = None,
    p90: float | None = None,
    highlighted: Collection[str] = (),
    dark: bool = False,
    width: int = 700,
) -> dict:
    """rows: of which the MAX_ROWS largest errors are drawn, the largest on top; median, p90: of the sizes of
    all errors, as shares; shaded around 0.
    """
    look = theme.look(dark)
    shown = sorted(rows, key=lambda row: -abs(row.error))[:MAX_ROWS]
    left = 84 if width < NARROW_PX else 130
    data = []
    for shift, early in ((theme.EARLIER, True), (theme.LATER, False)):
        places = [place for place, row in enumerate(shown) if (row.error < 0) == early]
        if places:
            data.append(_bars([shown[place] for place in places], places, shift, look, dark))
    low = min([row.error for row in shown] + [-(p90 or 0.0), -MIN_SPAN])
    high = max([row.error for row in shown] + [p90 or 0.0, MIN_SPAN])
    plot = width - left - RIGHT_PX
    margin = LABEL_PX * (high - low) / max(plot - 2 * LABEL_PX, LABEL_PX)
    names = [
        escaped(name) for name in cut_names(tuple(row.name for row in shown), int((left - 8) / CHARACTER_PX))
    ]
    texts = [f"<b>{name}</b>" if row.name in highlighted else name for name, row in zip(names, shown)]
    sides = {"l": left, "r": RIGHT_PX, "t": TOP_PX, "b": BOTTOM_PX, "pad": 0}
    axis = {
        "title": small(msg("figures.job_errors.too_early_error_simulated_finish_too"), look),
    } | share_ticks(low - margin, high + margin, 7)
    layout = base(sides, dark) | {
        **heights(len(shown) * ROW_PX, len(shown) * MIN_ROW_PX, TOP_PX + BOTTOM_PX),
        "dragmode": False,
        "shapes": [
            shape
            for share, alpha in ((p90, 0.1), (median, 0.16))
            if share
            for shape in [_error_band(share, alpha, look)]
        ],
        "annotations": [
            _edge_label(share, word, look) for share, word in ((median, MEDIAN), (p90, "90 %")) if share
        ],
        "xaxis": plain_axis(look)
        | axis
        | {
            "range": [low - margin, high + margin],
            "showgrid": True,
            "zeroline": True,
            "zerolinecolor": look.ink,
            "fixedrange": True,
        },
        "yaxis": plain_axis(look)
        | {
            "range": [len(shown) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": list(range(len(shown))),
            "ticktext": texts,
            "fixedrange": True,
        },
    }
    return {"data": data, "layout": layout}


def _bars(
    rows: Sequence[JobError], places: Sequence[int], shift: theme.Shift, look: theme.Look, dark: bool
) -> dict:
    return {
        "type": "bar",
        "orientation": "h",
        "x": [row.error for row in rows],
        "y": list(places),
        "ids": [f"job:{row.name}" for row in rows],
        "width": BAR_HEIGHT,
        "name": msg("shared.simulated", lower=shift.title.lower()),
        "marker": {"color": shift.colour(dark)},
        "text": [quantities.percent(row.error, signed=True) for row in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"size": 12, "color": look.ink},
        "hovertext": [hover_text(row) for row in rows],
        "hoverinfo": "text",
    }


def _error_band(share: float, alpha: float, look: theme.Look) -> dict:
    edges = {"x0": -share, "x1": share, "y0": 0, "y1": 1, "xref": "x", "yref": "paper"}
    return {
        "type": "rect",
        "layer": "below",
        "fillcolor": theme.with_alpha(look.muted, alpha),
        "line": {"width": 0},
    } | edges


def _edge_label(share: float, word: str, look: theme.Look) -> dict:
    """What a shade is, over its edge: the median at the left, so that both have room."""
    x, anchor = (-share, "right") if word == MEDIAN else (share, "left")
    place = {"x": x, "xref": "x", "xanchor": anchor, "y": 1, "yref": "paper", "yanchor": "bottom"}
    return {
        "text": f"{word}: {quantities.percent(share)}",
        "showarrow": False,
        "font": {"size": 12, "color": look.muted},
    } | place
