"""Schedulers beside each other: when each job finishes, and a measure over many seeds. A scheduler is a
colour, with a symbol or a dash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine import Run, quantities
from engine.dashboard import INFINITE, NONE, display_name
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, small, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.short_names import cut_names
from webapp.messages import msg

MAX_ROWS = 24  # with more jobs, the curve of those finished says more than a row each
ROW_PX, MIN_ROW_PX = 24, 15  # of a row; in a low drawer
CURVE_PX, MIN_CURVE_PX = 220, 84
LEGEND_PX = 26
CHARACTER_PX = 6.5
SYMBOL_SPREAD = (
    0.6  # of a row, over which the symbols of a job are spread so that equal times don't hide each other
)
LINE = {"type": "scatter", "mode": "lines"}
MARKS = {"type": "scatter", "mode": "markers"}


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
    look = theme.look(dark)
    finish = np.stack([run.jobs.finish for run in runs])
    data = [_spans(finish, look)]
    for number, run in enumerate(runs):
        done = np.flatnonzero(finish[number] != NONE)
        times = finish[number][done]
        at = [
            (escaped(shortened(names[job])), quantities.moment(ms))
            for job, ms in zip(done.tolist(), times.tolist())
        ]
        data.append(
            MARKS
            | {
                "name": escaped(display_name(run.scheduler)),
                "x": typed_array(times / 1000, "f8"),
                "y": typed_array(done + SYMBOL_SPREAD * ((number + 0.5) / len(runs) - 0.5), "f4"),
                "marker": _symbol(number, dark),
                "hovertext": [
                    f"<b>{name}</b> under {escaped(display_name(run.scheduler))}<br>finishes at {when}"
                    for name, when in at
                ],
                "hoverinfo": "text",
            }
        )
    span = 0.0, 1.02 * max(finish.max(initial=0) / 1000, 0.001)
    figure = _figure(
        data,
        names,
        lambda px: time_axis(msg("figures.finish_times.finish_each_job"), span, px, look),
        dark,
        width,
    )
    if highlight in names:
        ticks = figure["layout"]["yaxis"]["ticktext"]
        ticks[names.index(highlight)] = f"<b>{ticks[names.index(highlight)]}</b>"
    return figure


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
    look = theme.look(dark)
    names = [name for name, *_ in rows]
    factor, shown = quantities.display_unit(unit)
    mean, low, high = (np.array(column, float) * factor for column in zip(*(numbers for _, *numbers in rows)))
    words = [[quantities.amount(number, unit) for number in numbers] for _, *numbers in rows]
    ends = {
        "type": "data",
        "symmetric": False,
        "array": (high - mean).tolist(),
        "arrayminus": (mean - low).tolist(),
    }
    colours = [theme.scheduler(place, dark) for place in places]
    marks = MARKS | {
        "x": typed_array(mean, "f8"),
        "y": typed_array(np.arange(len(rows)), "f4"),
        "error_x": ends | {"color": look.ink, "thickness": 1.5, "width": 5},
        "marker": {"symbol": "circle", "size": 9, "color": colours},
        "hovertext": [
            f"<b>{escaped(name)}</b><br>mean {m}<br>interval {a} to {b}"
            for name, (m, a, b) in zip(names, words)
        ],
        "hoverinfo": "text",
        "showlegend": False,
    }
    room = 0.06 * float(high.max() - low.min()) or 0.06 * abs(float(high.max())) or 1.0
    span = float(low.min()) - room, float(high.max()) + room
    plain = plain_axis(look) | {
        "title": small(quantities.title_with_unit(title, shown), look),
        "separatethousands": True,
        "range": list(span),
    }
    return _figure(
        [marks],
        names,
        lambda px: time_axis(f"{title} ({{}})", span, px, look) if unit == "s" else plain,
        dark,
        width,
    )


def _finished_curve(runs: Sequence[Run], dark: bool, width: int) -> dict:
    """How many jobs have finished, over time."""
    look = theme.look(dark)
    jobs = len(runs[0].jobs.finish)
    data = []
    for number, run in enumerate(runs):
        finish = np.sort(run.jobs.finish[run.jobs.finish != NONE])
        x = np.concatenate([[run.first_ms], finish, [run.until_ms]])
        data.append(
            LINE
            | {
                "name": escaped(display_name(run.scheduler)),
                "x": typed_array(x / 1000, "f8"),
                "y": typed_array(np.concatenate([np.arange(len(finish) + 1), [len(finish)]]), "i4"),
                "customdata": [quantities.moment(ms) for ms in x.tolist()],
                "line": {
                    "shape": "hv",
                    "width": 1.8,
                    "color": theme.scheduler(number, dark),
                    "dash": theme.DASHES[number % len(theme.DASHES)],
                },
                "hovertemplate": msg("figures.finish_times.jobs_finished_by", jobs=jobs),
            }
        )
    span = (
        min(run.first_ms for run in runs) / 1000,
        max(max(run.until_ms, run.first_ms + 1) for run in runs) / 1000,
    )
    figure = _figure(data, [], lambda px: time_axis("time ({})", span, px, look), dark, width)
    figure["layout"] |= heights(CURVE_PX, MIN_CURVE_PX, LEGEND_PX + BOTTOM_PX)
    levels = {"range": [0, 1.04 * jobs], "nticks": 5, "showgrid": True, "fixedrange": True}
    figure["layout"]["yaxis"] = (
        plain_axis(look) | levels | {"title": small(msg("figures.finish_times.jobs_finished"), look)}
    )
    return figure


def _spans(finish: np.ndarray, look: theme.Look) -> dict:
    """A line of each row from its first symbol to its last. finish: int64[runs, jobs] in ms."""
    finished = np.flatnonzero((finish != NONE).any(axis=0))
    low = np.where(finish == NONE, INFINITE, finish)[:, finished].min(axis=0)
    x, y = np.full((len(finished), 3), np.nan), np.full((len(finished), 3), np.nan)
    x[:, 0], x[:, 1] = low / 1000, finish[:, finished].max(axis=0) / 1000
    y[:, :2] = finished[:, None]
    return LINE | {
        "x": typed_array(x.ravel(), "f8"),
        "y": typed_array(y.ravel(), "f8"),
        "line": {"color": look.line, "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _symbol(number: int, dark: bool) -> dict:
    """Every second one is hollow."""
    symbol, hollow, colour = (
        theme.SYMBOLS[number % len(theme.SYMBOLS)],
        number % 2,
        theme.scheduler(number, dark),
    )
    return {
        "symbol": symbol + "-open" * hollow,
        "size": 9,
        "color": colour,
        "line": {"width": 1.6, "color": colour if hollow else theme.look(dark).paper},
    }


def _figure(
    data: list[dict], names: Sequence[str], axis: Callable[[int], dict], dark: bool, width: int
) -> dict:
    """The traces over rows of these names, a legend on top if a trace wants one. axis: (its length in px) ->
    the one across.
    """
    look = theme.look(dark)
    top = LEGEND_PX if any(trace.get("showlegend", True) for trace in data) else 8
    left = 84 if width < NARROW_PX else 120
    legend = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "font": {"size": 12},
        "bgcolor": theme.with_alpha(look.paper, 0),
    }
    texts = [escaped(name) for name in cut_names(tuple(names), int((left - 8) / CHARACTER_PX))]
    ticks = {
        "range": [len(names) - 0.5, -0.5],
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": texts,
    }
    layout = base({"l": left, "r": 16, "t": top, "b": BOTTOM_PX, "pad": 0}, dark) | {
        **heights(len(names) * ROW_PX, len(names) * MIN_ROW_PX, top + BOTTOM_PX),
        "showlegend": True,
        "legend": legend,
        "xaxis": axis(width - left - 16) | {"showgrid": True},
        "yaxis": plain_axis(look) | ticks | {"fixedrange": True},
    }
    return {"data": data, "layout": layout}
