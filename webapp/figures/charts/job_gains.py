"""Jobs that gain and lose from one run to another: a bar a job, to the left what it finishes earlier, to the
right what later.
"""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.dashboard import NONE, Difference, display_name
from webapp import theme
from webapp.figures.frame import BOTTOM_PX, NARROW_PX, base, heights, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.short_names import cut_names
from webapp.messages import msg

MAX_ROWS = 24
ROW_PX, MIN_ROW_PX = 22, 15  # of a row; in a low drawer
BAR_HEIGHT = 0.7  # of a row
RIGHT_PX = 16
CHARACTER_PX = 6.3
LABEL_PX = 84  # for the number behind a bar


def changed_jobs(diff: Difference) -> np.ndarray:
    """int64: jobs that finish in both runs, at other times, from the largest gain to the largest loss."""
    jobs = np.flatnonzero(diff.compared & (diff.finish_ms != 0))
    return jobs[np.argsort(diff.finish_ms[jobs], kind="stable")]


def drawn_jobs(diff: Difference) -> np.ndarray:
    """Those with a bar: the largest changes, in the same order."""
    jobs = changed_jobs(diff)
    if len(jobs) <= MAX_ROWS:
        return jobs
    largest = np.argsort(-np.abs(diff.finish_ms[jobs]), kind="stable")[:MAX_ROWS]
    return jobs[np.sort(largest)]


def gains_figure(
    diff: Difference, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700
) -> dict:
    """highlighted: bool[jobs], the selected ones, whose names are bold; None: none are."""
    look = theme.look(dark)
    jobs = drawn_jobs(diff)
    names = diff.a.workload.job_names
    seconds = diff.finish_ms[jobs] / 1000
    left = 84 if width < NARROW_PX else 120
    data = []
    for shift, chosen in ((theme.EARLIER, seconds < 0), (theme.LATER, seconds > 0)):
        rows = np.flatnonzero(chosen)
        if not len(rows):
            continue
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": typed_array(seconds[rows], "f8"),
                "y": typed_array(rows, "f4"),
                "width": BAR_HEIGHT,
                "name": shift.title,
                "showlegend": True,
                "marker": {"color": shift.colour(dark)},
                "text": [_signed(int(diff.finish_ms[jobs[row]])) for row in rows],
                "textposition": "outside",
                "cliponaxis": False,
                "textfont": {"size": 12, "color": look.ink},
                "hovertext": [_hover_text(diff, int(jobs[row])) for row in rows],
                "hoverinfo": "text",
            }
        )
    low, high = min(seconds.min(initial=0), 0.0), max(seconds.max(initial=0), 0.0)
    plot = width - left - RIGHT_PX
    margin = LABEL_PX * ((high - low) or 1.0) / max(plot - LABEL_PX * ((low < 0) + (high > 0)), LABEL_PX)
    texts = [
        escaped(name) for name in cut_names(tuple(names[job] for job in jobs), int((left - 8) / CHARACTER_PX))
    ]
    if highlighted is not None:
        texts = [f"<b>{text}</b>" if highlighted[job] else text for text, job in zip(texts, jobs)]
    sides = {"l": left, "r": RIGHT_PX, "t": 8, "b": BOTTOM_PX, "pad": 0}
    span = float(low - (margin if low < 0 else 0)), float(high + (margin if high > 0 else 0))
    change = time_axis(msg("figures.job_gains.earlier_change_finish_later"), span, plot, look)
    layout = base(sides, dark) | {
        **heights(len(jobs) * ROW_PX, len(jobs) * MIN_ROW_PX, sides["t"] + sides["b"]),
        "legend": {
            "orientation": "h",
            "x": 0,
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "font": {"size": 12},
        },
        "xaxis": change | {"showgrid": True, "zeroline": True, "zerolinecolor": look.ink, "fixedrange": True},
        "yaxis": plain_axis(look)
        | {
            "range": [len(jobs) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": list(range(len(jobs))),
            "ticktext": texts,
            "fixedrange": True,
        },
    }
    return {"data": data, "layout": layout}


def jobs_table(diff: Difference, max_rows: int) -> list[dict]:
    """A row a job, at most so many, the largest changes first: its finish in both runs and the difference;
    nothing where it never finishes.
    """
    order = np.argsort(np.where(diff.compared, -np.abs(diff.finish_ms), 1), kind="stable")[:max_rows]
    names = diff.a.workload.job_names
    a, b = diff.a.scheduler, diff.b.scheduler
    table = []
    for job in order.tolist():
        ends = [
            None if finish == NONE else finish / 1000
            for finish in (int(diff.a.jobs.finish[job]), int(diff.b.jobs.finish[job]))
        ]
        change = int(diff.finish_ms[job]) / 1000 if diff.compared[job] else None
        table.append(
            {
                "Job": names[job],
                f"Finish under {a} (s)": ends[0],
                f"Finish under {b} (s)": ends[1],
                "Difference (s)": change,
            }
        )
    return table


def _signed(ms: int) -> str:
    return quantities.duration(ms) if ms < 0 else "+" + quantities.duration(ms)


def _hover_text(diff: Difference, job: int) -> str:
    first, second = (quantities.moment(int(run.jobs.finish[job])) for run in (diff.a, diff.b))
    name, a, b = (
        escaped(text)
        for text in (
            shortened(diff.a.workload.job_names[job]),
            *map(display_name, (diff.a.scheduler, diff.b.scheduler)),
        )
    )
    return (
        f"<b>{name}</b><br>finishes at {first} under {a}<br>at {second} under {b}: "
        f"{shift_text(int(diff.finish_ms[job]))}"
    )


def shift_text(ms: int) -> str:
    """A shift in words: "41 s earlier"."""
    return (
        f"{quantities.duration(abs(ms))} {'earlier' if ms < 0 else 'later'}"
        if ms
        else msg("figures.job_gains.as_before")
    )
