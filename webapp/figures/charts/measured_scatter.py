"""How long each job takes from its submission to its finish, simulated against measured: on the diagonal both
are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine import quantities
from engine.dashboard import JobError
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, TICK_PX, base, heights, time_axis
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.messages import msg

PLOT_PX, MIN_PX = 270, 150
LEGEND_PX = 26
TICKS_DOWN = 6
NAMED_JOBS = 3  # of the worst jobs have their names beside them
MAX_LABEL_CHARS = 22
MARGIN_SHARE = 0.12  # of the span, on either side: a name below the lowest mark has room
SMALL_MARKS_FROM = 400  # jobs from which on marks are smaller


def scatter_figure(
    rows: Sequence[JobError],
    *,
    band: tuple[float, float] | None = None,
    band_title: str = "",
    highlighted: Collection[str] = (),
    dark: bool = False,
    width: int = 700,
) -> dict:
    """rows: the worst first; band: least and largest measured time, as a share of the simulated one;
    highlighted: names of the selected jobs.
    """
    look = theme.look(dark)
    all_durations = [seconds for row in rows for seconds in durations(row)]
    shortest, longest = min(all_durations, default=0.0), max(all_durations, default=1.0)
    margin = MARGIN_SHARE * (longest - shortest) or 1.0
    span = max(shortest - margin, 0.0), longest + margin
    data = [*_band(band, band_title, span, look), _diagonal(span, look), _error_lines(rows, look)]
    for shift, chosen in (
        (theme.EARLIER, [row for row in rows if row.error < 0]),
        (theme.LATER, [row for row in rows if row.error >= 0]),
    ):
        if chosen:
            data.append(
                _jobs(chosen, {row.name for row in rows[:NAMED_JOBS]}, shift, highlighted, dark, len(rows))
            )
    sides = {"l": 62 if width < NARROW_PX else 76, "r": 16, "t": LEGEND_PX, "b": BOTTOM_PX, "pad": 0}
    x_axis = time_axis(
        msg("figures.measured_scatter.measured_from_submission_to_finish"),
        span,
        width - sides["l"] - sides["r"],
        look,
    )
    y_axis = time_axis("simulated ({})", span, TICKS_DOWN * TICK_PX, look)
    layout = base(sides, dark) | {
        **heights(PLOT_PX, MIN_PX, BOTTOM_PX + LEGEND_PX),
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


def durations(row: JobError) -> tuple[float, float]:
    """The s from a job's submission to its finish, measured and simulated."""
    return row.measured_s - row.arrival_s, row.simulated_s - row.arrival_s


def hover_text(row: JobError) -> str:
    """A job under the pointer: both finishes, how far they are apart, and why."""
    difference = quantities.duration(1000 * abs(row.simulated_s - row.measured_s))
    lines = [
        f"<b>{escaped(shortened(row.name))}</b>",
        msg(
            "figures.measured_scatter.measured_simulated",
            moment=quantities.moment(1000 * row.measured_s),
            moment2=quantities.moment(1000 * row.simulated_s),
        ),
    ]
    lines.append(
        msg(
            "figures.measured_scatter.simulated_too",
            signed_percent=quantities.percent(row.error, signed=True),
            difference=difference,
            value="early" if row.error < 0 else "late",
        )
    )
    return "<br>".join([*lines, *([escaped(row.reason)] if row.reason else [])])


def _band(
    band: tuple[float, float] | None, title: str, span: tuple[float, float], look: theme.Look
) -> list[dict]:
    """What is measured is within the band times what is simulated: between two lines through 0."""
    if not band or min(band) <= 0:
        return []
    low, high = band
    x = [span[0], span[1], span[1], span[0]]
    y = [span[0] / high, span[1] / high, span[1] / low, span[0] / low]
    fill = {"fill": "toself", "fillcolor": theme.with_alpha(look.muted, 0.16), "line": {"width": 0}}
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": y,
            "name": title,
            "hoverinfo": "skip",
            "showlegend": bool(title),
        }
        | fill
    ]


def _diagonal(span: tuple[float, float], look: theme.Look) -> dict:
    line = {"color": look.ink, "width": 1.2, "dash": "dash"}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(span),
        "y": list(span),
        "line": line,
        "name": msg("figures.measured_scatter.as_measured"),
        "hoverinfo": "skip",
    }


def _error_lines(rows: Sequence[JobError], look: theme.Look) -> dict:
    """A line from each job to the diagonal: its error."""
    x = [place for measured, _ in map(durations, rows) for place in (measured, measured, None)]
    y = [place for measured, simulated in map(durations, rows) for place in (measured, simulated, None)]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"color": look.muted, "width": 1},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _jobs(
    rows: Sequence[JobError],
    named: Collection[str],
    shift: theme.Shift,
    highlighted: Collection[str],
    dark: bool,
    count: int,
) -> dict:
    look = theme.look(dark)
    size = 5 if count > SMALL_MARKS_FROM else 11
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [durations(row)[0] for row in rows],
        "y": [durations(row)[1] for row in rows],
        "ids": [f"job:{row.name}" for row in rows],
        "name": msg("shared.simulated", lower=shift.title.lower()),
        "marker": {
            "symbol": "triangle-down" if shift is theme.EARLIER else "triangle-up",
            "color": shift.colour(dark),
            "size": [size * (1.6 if row.name in highlighted else 1) for row in rows],
            "line": {"color": look.ink, "width": [2 if row.name in highlighted else 0 for row in rows]},
        },
        "text": [
            escaped(shortened(row.name, MAX_LABEL_CHARS))
            if row.name in named or row.name in highlighted
            else ""
            for row in rows
        ],
        "textposition": "bottom center" if shift is theme.EARLIER else "top center",
        "textfont": {"size": 12, "color": look.ink},
        "hovertext": [hover_text(row) for row in rows],
        "hoverinfo": "text",
    }
