"""By how much each job's simulated finish is off: a bar a job, to the left what is simulated too early, to
the right what too late.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine import quantities
from engine.dashboard import JobError
from webapp import theme
from webapp.figures.charts.measured_scatter import hover_text, simulated_title
from webapp.figures.frame import chart, plain_axis, plot_width, row_axis, row_margins, small, zero_line
from webapp.figures.ticks import share_ticks
from webapp.figures.traces import shift_bars, tick_names, told
from webapp.messages import msg

MAX_ROWS = 16
ROW_PX, MIN_ROW_PX = 20, 13  # of a row; in a low drawer
BAR_HEIGHT = 0.7  # of a row
TOP_PX = 26
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
    sides = row_margins(width, TOP_PX, 130)
    data = []
    for shift in (theme.EARLIER, theme.LATER):
        places = [place for place, row in enumerate(shown) if (row.error < 0) == (shift is theme.EARLIER)]
        if places:
            data.append(_bars([shown[place] for place in places], places, shift, dark))
    low = min([row.error for row in shown] + [-(p90 or 0.0), -MIN_SPAN])
    high = max([row.error for row in shown] + [p90 or 0.0, MIN_SPAN])
    margin = LABEL_PX * (high - low) / max(plot_width(width, sides) - 2 * LABEL_PX, LABEL_PX)
    span = low - margin, high + margin
    is_bold = [row.name in highlighted for row in shown]
    texts = tick_names((row.name for row in shown), int((sides["l"] - 8) / CHARACTER_PX), is_bold)
    title = small(msg("figures.job_errors.too_early_error_simulated_finish_too"), look)
    axis = {"title": title, "range": list(span)} | share_ticks(*span, 7) | zero_line(look)
    layout = {
        "dragmode": False,
        "shapes": [_error_band(share, alpha, look) for share, alpha in ((p90, 0.1), (median, 0.16)) if share],
        "annotations": [
            _edge_label(share, word, look) for share, word in ((median, MEDIAN), (p90, "90 %")) if share
        ],
        "xaxis": plain_axis(look) | axis,
        "yaxis": row_axis(texts, look),
    }
    return chart(data, layout, sides, len(shown) * ROW_PX, len(shown) * MIN_ROW_PX, dark)


def _bars(rows: Sequence[JobError], places: list[int], shift: theme.Shift, dark: bool) -> dict:
    words = [quantities.percent(row.error, signed=True) for row in rows]
    bars = shift_bars(shift, [row.error for row in rows], places, words, dark, width=BAR_HEIGHT)
    about = {"ids": [f"job:{row.name}" for row in rows], "name": simulated_title(shift)}
    return bars | about | told([hover_text(row) for row in rows])


def _error_band(share: float, alpha: float, look: theme.Look) -> dict:
    edges = {"x0": -share, "x1": share, "y0": 0, "y1": 1, "xref": "x", "yref": "paper"}
    fill = {"fillcolor": theme.with_alpha(look.muted, alpha), "line": {"width": 0}}
    return {"type": "rect", "layer": "below"} | edges | fill


def _edge_label(share: float, word: str, look: theme.Look) -> dict:
    """What a shade is, over its edge: the median at the left, so that both have room."""
    x, anchor = (-share, "right") if word == MEDIAN else (share, "left")
    place = {"x": x, "xref": "x", "xanchor": anchor, "y": 1, "yref": "paper", "yanchor": "bottom"}
    font = {"size": 12, "color": look.muted}
    return place | {"text": f"{word}: {quantities.percent(share)}", "showarrow": False, "font": font}
