"""How long each job takes from its submission to its finish, simulated against measured: on the diagonal both
are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine import quantities
from engine.dashboard import JobError
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    NARROW_PX,
    TICK_PX,
    chart,
    clock_px,
    legend_above,
    margins,
    plot_width,
    still,
    time_axis,
)
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.traces import UNSEEN, UNTOLD, lines, marks, told
from webapp.messages import msg

PLOT_PX, MIN_PX = 270, 180
LEGEND_PX = 26
TICKS_DOWN = 6
NAMED_JOBS = 3  # of the worst jobs have their names beside them
MAX_LABEL_CHARS = 22
MARGIN_SHARE = 0.16  # of the span, on either side: a name over or below the last mark has room
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
    named = {row.name for row in rows[:NAMED_JOBS]}
    for shift in (theme.EARLIER, theme.LATER):
        chosen = [row for row in rows if (row.error < 0) == (shift is theme.EARLIER)]
        if chosen:
            data.append(_jobs(chosen, named, shift, highlighted, dark, len(rows)))
    y_axis = time_axis("simulated ({})", span, TICKS_DOWN * TICK_PX, look) | FIXED_GRID
    sides = margins((62 if width < NARROW_PX else 76) + clock_px(y_axis), LEGEND_PX)
    across = msg("figures.measured_scatter.measured_from_submission_to_finish")
    layout = still(legend_above(look)) | {
        "hoverdistance": 20,
        "xaxis": time_axis(across, span, plot_width(width, sides), look) | FIXED_GRID,
        "yaxis": y_axis,
    }
    return chart(data, layout, sides, PLOT_PX, MIN_PX, dark)


def durations(row: JobError) -> tuple[float, float]:
    """The s from a job's submission to its finish, measured and simulated."""
    return row.measured_s - row.arrival_s, row.simulated_s - row.arrival_s


def hover_text(row: JobError) -> str:
    """A job under the pointer: both finishes, how far they are apart, and why."""
    measured, simulated = (quantities.moment(1000 * second) for second in (row.measured_s, row.simulated_s))
    error = msg(
        "figures.measured_scatter.simulated_too",
        signed_percent=quantities.percent(row.error, signed=True),
        difference=quantities.duration(1000 * abs(row.simulated_s - row.measured_s)),
        value="early" if row.error < 0 else "late",
    )
    finishes = msg("figures.measured_scatter.measured_simulated", moment=measured, moment2=simulated)
    texts = [f"<b>{escaped(shortened(row.name))}</b>", finishes, error, escaped(row.reason)]
    return "<br>".join(filter(None, texts))


def simulated_title(shift: theme.Shift) -> str:
    """The name of jobs that are simulated too early or too late."""
    return msg("shared.simulated", lower=shift.title.lower())


def _band(
    band: tuple[float, float] | None, title: str, span: tuple[float, float], look: theme.Look
) -> list[dict]:
    """What is measured is within the band times what is simulated: between two lines through 0."""
    if not band or min(band) <= 0:
        return []
    low, high = band
    x = [span[0], span[1], span[1], span[0]]
    y = [span[0] / high, span[1] / high, span[1] / low, span[0] / low]
    fill = {"fill": "toself", "fillcolor": theme.with_alpha(look.muted, 0.16)}
    return [lines(x, y, {"width": 0}, name=title, showlegend=bool(title)) | UNTOLD | fill]


def _diagonal(span: tuple[float, float], look: theme.Look) -> dict:
    line = {"color": look.ink, "width": 1.2, "dash": "dash"}
    return lines(list(span), list(span), line, name=msg("figures.measured_scatter.as_measured")) | UNTOLD


def _error_lines(rows: Sequence[JobError], look: theme.Look) -> dict:
    """A line from each job to the diagonal: its error."""
    x = [place for measured, _ in map(durations, rows) for place in (measured, measured, None)]
    y = [place for measured, simulated in map(durations, rows) for place in (measured, simulated, None)]
    return lines(x, y, {"color": look.muted, "width": 1}) | UNSEEN


def _jobs(
    rows: Sequence[JobError],
    named: Collection[str],
    shift: theme.Shift,
    highlighted: Collection[str],
    dark: bool,
    count: int,
) -> dict:
    ink, is_early = theme.look(dark).ink, shift is theme.EARLIER
    size = 5 if count > SMALL_MARKS_FROM else 11
    x, y = (list(seconds) for seconds in zip(*map(durations, rows)))
    is_selected = [row.name in highlighted for row in rows]
    marker = {
        "symbol": "triangle-down" if is_early else "triangle-up",
        "color": shift.colour(dark),
        "size": [size * (1.6 if selected else 1) for selected in is_selected],
        "line": {"color": ink, "width": [2 if selected else 0 for selected in is_selected]},
    }
    labels = [
        escaped(shortened(row.name, MAX_LABEL_CHARS)) if selected or row.name in named else ""
        for row, selected in zip(rows, is_selected)
    ]
    return marks(x, y, marker, **told([hover_text(row) for row in rows])) | {
        "mode": "markers+text",
        "ids": [f"job:{row.name}" for row in rows],
        "name": simulated_title(shift),
        "text": labels,
        "textposition": "bottom center" if is_early else "top center",
        "textfont": {"size": 12, "color": ink},
    }
