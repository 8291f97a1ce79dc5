"""Schedulers beside each other: when each job finishes, and a measure over many seeds. A scheduler is a
colour, with a symbol or a dash.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import Run, quantities
from engine.dashboard import INFINITE, NONE, display_name
from webapp import theme
from webapp.figures.frame import (
    FIXED_GRID,
    chart,
    legend_above,
    number_axis,
    plain_axis,
    plot_width,
    row_axis,
    row_margins,
    small,
    time_axis,
)
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.traces import (
    UNSEEN,
    lines,
    marks,
    scheduler_line,
    scheduler_mark,
    tick_names,
    told,
    with_gaps,
)
from webapp.messages import msg

MAX_ROWS = 24  # with more jobs, the curve of those finished says more than a row each
ROW_PX, MIN_ROW_PX = 24, 15  # of a row; in a low drawer
CURVE_PX, MIN_CURVE_PX = 220, 84
LEGEND_PX = 26
CHARACTER_PX = 6.5
# of a row, over which the symbols of a job are spread so that equal times don't hide each other
SYMBOL_SPREAD = 0.6


def finish_figure(
    runs: Sequence[Run], *, highlight: str | None = None, dark: bool = False, width: int = 700
) -> dict:
    """When each job finishes under each scheduler: a row a job, or with many jobs how many have finished by
    when.

    runs: of one scenario; highlight: a job's name, set in bold. A job that never finishes has no symbol.
    """
    names = runs[0].workload.job_names
    if len(names) > MAX_ROWS:
        return _finished_curve(runs, dark, width)
    look, sides = theme.look(dark), row_margins(width, LEGEND_PX)
    finish = np.stack([run.jobs.finish for run in runs])
    data = [_spans(finish, look)]
    for number, run in enumerate(runs):
        done = np.flatnonzero(finish[number] != NONE)
        times, scheduler = finish[number][done], escaped(display_name(run.scheduler))
        y = typed_array(done + SYMBOL_SPREAD * ((number + 0.5) / len(runs) - 0.5), "f4")
        at = zip(done.tolist(), map(quantities.moment, times.tolist()))
        texts = [
            f"<b>{escaped(shortened(names[job]))}</b> under {scheduler}<br>finishes at {moment}"
            for job, moment in at
        ]
        data.append(marks(times / 1000, y, _symbol(number, dark), name=scheduler) | told(texts))
    span = 0.0, 1.02 * max(finish.max(initial=0) / 1000, 0.001)
    axis = time_axis(msg("figures.finish_times.finish_each_job"), span, plot_width(width, sides), look)
    return _rows_figure(data, names, axis, sides, dark, [name == highlight for name in names])


def interval_figure(
    rows: Sequence[tuple[str, float, float, float]],
    places: Sequence[int],
    *,
    title: str,
    unit: str,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A measure over many seeds. rows: (scheduler, mean, lower and upper end of its interval), as many as are
    drawn; places: of these schedulers among all, which are their colours'; unit: as in quantities.amount.
    """
    look, sides = theme.look(dark), row_margins(width, 8)
    names = [name for name, *_ in rows]
    factor, shown = quantities.display_unit(unit)
    mean, low, high = (np.array(column, float) * factor for column in zip(*(numbers for _, *numbers in rows)))
    words = [[quantities.amount(number, unit) for number in numbers] for _, *numbers in rows]
    ends = {"type": "data", "symmetric": False, "color": look.ink, "thickness": 1.5, "width": 5}
    ends |= {"array": (high - mean).tolist(), "arrayminus": (mean - low).tolist()}
    marker = {"symbol": "circle", "size": 9, "color": [theme.scheduler(place, dark) for place in places]}
    texts = [
        f"<b>{escaped(name)}</b><br>mean {m}<br>interval {a} to {b}" for name, (m, a, b) in zip(names, words)
    ]
    y = typed_array(np.arange(len(rows)), "f4")
    means = marks(mean, y, marker, error_x=ends, showlegend=False) | told(texts)
    room = 0.06 * float(high.max() - low.min()) or 0.06 * abs(float(high.max())) or 1.0
    span = float(low.min()) - room, float(high.max()) + room
    axis = (
        time_axis(f"{title} ({{}})", span, plot_width(width, sides), look)
        if unit == "s"
        else number_axis(quantities.title_with_unit(title, shown), span, look)
    )
    return _rows_figure([means], names, axis, sides, dark)


def _finished_curve(runs: Sequence[Run], dark: bool, width: int) -> dict:
    """How many jobs have finished, over time."""
    look, sides = theme.look(dark), row_margins(width, LEGEND_PX)
    jobs = len(runs[0].jobs.finish)
    data = []
    for number, run in enumerate(runs):
        finish = np.sort(run.jobs.finish[run.jobs.finish != NONE])
        x = np.concatenate([[run.first_ms], finish, [run.until_ms]])
        finished = np.concatenate([np.arange(len(finish) + 1), [len(finish)]])
        line = scheduler_line(number, dark, 1.8) | {"shape": "hv"}
        data.append(
            lines(x / 1000, typed_array(finished, "i4"), line, name=escaped(display_name(run.scheduler)))
            | {"customdata": [quantities.moment(ms) for ms in x.tolist()]}
            | {"hovertemplate": msg("figures.finish_times.jobs_finished_by", jobs=jobs)}
        )
    first = min(run.first_ms for run in runs) / 1000
    until = max(max(run.until_ms, run.first_ms + 1) for run in runs) / 1000
    title = {"title": small(msg("figures.finish_times.jobs_finished"), look)}
    layout = _with_legend(look) | {
        "xaxis": time_axis("time ({})", (first, until), plot_width(width, sides), look) | {"showgrid": True},
        "yaxis": plain_axis(look) | title | {"range": [0, 1.04 * jobs], "nticks": 5} | FIXED_GRID,
    }
    return chart(data, layout, sides, CURVE_PX, MIN_CURVE_PX, dark)


def _spans(finish: np.ndarray, look: theme.Look) -> dict:
    """A line of each row from its first symbol to its last. finish: int64[runs, jobs] in ms."""
    rows = np.flatnonzero((finish != NONE).any(axis=0))
    low, high = np.where(finish == NONE, INFINITE, finish)[:, rows].min(axis=0), finish[:, rows].max(axis=0)
    x, y = with_gaps(low / 1000, high / 1000), with_gaps(rows, rows)
    return lines(x, y, {"color": look.line, "width": 2}) | UNSEEN


def _symbol(number: int, dark: bool) -> dict:
    """Hollow ones have an edge of their colour, others one of paper."""
    colour = theme.scheduler(number, dark) if number % 2 else theme.look(dark).paper
    return scheduler_mark(number, dark, 9, {"width": 1.6, "color": colour})


def _rows_figure(
    data: list[dict],
    names: Sequence[str],
    axis: dict,
    sides: dict[str, int],
    dark: bool,
    bold: Sequence[bool] = (),
) -> dict:
    """The traces over rows of these names. axis: the one across."""
    look = theme.look(dark)
    texts = tick_names(names, int((sides["l"] - 8) / CHARACTER_PX), bold)
    layout = _with_legend(look) | {"xaxis": axis | {"showgrid": True}, "yaxis": row_axis(texts, look)}
    return chart(data, layout, sides, len(names) * ROW_PX, len(names) * MIN_ROW_PX, dark)


def _with_legend(look: theme.Look) -> dict:
    return {"showlegend": True, "legend": legend_above(look)}
