"""Jobs that gain and lose from one run to another: a bar a job, to the left what it finishes earlier, to the
right what later.
"""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.dashboard import NONE, Difference, display_name
from webapp import theme
from webapp.figures.frame import chart, legend_below, plot_width, row_axis, row_margins, time_axis, zero_line
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.traces import shift_bars, tick_names, told
from webapp.messages import msg

MAX_ROWS = 24
ROW_PX, MIN_ROW_PX = 22, 15  # of a row; in a low drawer
BAR_HEIGHT = 0.7  # of a row
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
    sides = row_margins(width, 8)
    data = []
    for shift, chosen in ((theme.EARLIER, seconds < 0), (theme.LATER, seconds > 0)):
        rows = np.flatnonzero(chosen)
        if len(rows):
            words = [_signed(int(diff.finish_ms[jobs[row]])) for row in rows]
            hover = told([_hover_text(diff, int(jobs[row])) for row in rows])
            y = typed_array(rows, "f4")
            bars = shift_bars(shift, seconds[rows], y, words, dark, width=BAR_HEIGHT, showlegend=True)
            data.append(bars | hover)
    low, high = min(seconds.min(initial=0), 0.0), max(seconds.max(initial=0), 0.0)
    plot = plot_width(width, sides)
    margin = LABEL_PX * ((high - low) or 1.0) / max(plot - LABEL_PX * ((low < 0) + (high > 0)), LABEL_PX)
    is_bold = () if highlighted is None else highlighted[jobs]
    texts = tick_names((names[job] for job in jobs), int((sides["l"] - 8) / CHARACTER_PX), is_bold)
    span = float(low - (margin if low < 0 else 0)), float(high + (margin if high > 0 else 0))
    change = time_axis(msg("figures.job_gains.earlier_change_finish_later"), span, plot, look)
    layout = {"legend": legend_below(look), "xaxis": change | zero_line(look), "yaxis": row_axis(texts, look)}
    return chart(data, layout, sides, len(jobs) * ROW_PX, len(jobs) * MIN_ROW_PX, dark)


def jobs_table(diff: Difference, max_rows: int) -> list[dict]:
    """A row a job, at most so many, the largest changes first: its finish in both runs and the difference;
    nothing where it never finishes.
    """
    order = np.argsort(np.where(diff.compared, -np.abs(diff.finish_ms), 1), kind="stable")[:max_rows]
    seconds = lambda ms: None if ms == NONE else int(ms) / 1000
    return [
        {
            "Job": diff.a.workload.job_names[job],
            f"Finish under {diff.a.scheduler} (s)": seconds(diff.a.jobs.finish[job]),
            f"Finish under {diff.b.scheduler} (s)": seconds(diff.b.jobs.finish[job]),
            "Difference (s)": int(diff.finish_ms[job]) / 1000 if diff.compared[job] else None,
        }
        for job in order.tolist()
    ]


def _signed(ms: int) -> str:
    return quantities.duration(ms) if ms < 0 else "+" + quantities.duration(ms)


def _hover_text(diff: Difference, job: int) -> str:
    first, second = (quantities.moment(int(run.jobs.finish[job])) for run in (diff.a, diff.b))
    name = escaped(shortened(diff.a.workload.job_names[job]))
    a, b = (escaped(display_name(run.scheduler)) for run in (diff.a, diff.b))
    shift = shift_text(int(diff.finish_ms[job]))
    return f"<b>{name}</b><br>finishes at {first} under {a}<br>at {second} under {b}: {shift}"


def shift_text(ms: int) -> str:
    """A shift in words: "41 s earlier"."""
    if not ms:
        return msg("figures.job_gains.as_before")
    return f"{quantities.duration(abs(ms))} {'earlier' if ms < 0 else 'later'}"
