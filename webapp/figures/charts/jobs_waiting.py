"""How many jobs wait for their first container, over time, under each scheduler."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import Run, quantities
from engine.dashboard import display_name, jobs_waiting, time_average
from webapp.figures.charts.step_lines import Axes, Line, lines_figure
from webapp.figures.timeline.run_chart import full_window
from webapp.messages import msg

MAX_ROWS = 400  # of the table; more steps are sampled at equal distances


def waiting_figure(runs: Sequence[Run], *, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; runs: of one scenario."""
    lines = []
    for run in runs:
        waiting = jobs_waiting(run)
        lines.append(Line(display_name(run.scheduler), waiting.at / 1000, waiting.level, run.until_ms / 1000))
    first, until = full_window(runs)
    top = 1.08 * max(1, *(int(line.y.max()) for line in lines))
    title = msg("figures.jobs_waiting.jobs_waiting_2")
    says = msg("figures.jobs_waiting.jobs_wait_br_from_on")
    axes = Axes("time ({})", title, (first / 1000, until / 1000), top, says, ",d")
    return lines_figure(lines, axes, dark=dark, width=width)


def waiting_rows(runs: Sequence[Run]) -> list[dict]:
    """Jobs waiting at every time at which that changes under any scheduler, or at MAX_ROWS times at equal
    distances.
    """
    waiting_levels = [jobs_waiting(run) for run in runs]
    times = np.unique(np.concatenate([waiting.at for waiting in waiting_levels]))
    if len(times) > MAX_ROWS:
        times = np.unique(np.linspace(times[0], times[-1], MAX_ROWS).astype(np.int64))
    levels = [
        waiting.level[np.maximum(np.searchsorted(waiting.at, times, side="right") - 1, 0)].tolist()
        for waiting in waiting_levels
    ]
    rows = zip(times.tolist(), *levels)
    heads = [msg("figures.jobs_waiting.jobs_waiting", scheduler=run.scheduler) for run in runs]
    return [{"From (s)": at / 1000} | dict(zip(heads, row)) for at, *row in rows]


def waiting_story(runs: Sequence[Run]) -> str:
    """The mean and the most of each scheduler, and who never started."""
    words = []
    for run in runs:
        waiting = jobs_waiting(run)
        peak = int(waiting.level.argmax())
        mean = quantities.number(round(time_average(waiting, run.until_ms), 2))
        text = msg(
            "figures.jobs_waiting.on_average", scheduler=display_name(run.scheduler), time_average=mean
        )
        if most := int(waiting.level[peak]):
            at = quantities.moment(int(waiting.at[peak]))
            text += msg("figures.jobs_waiting.at_most_at", max_waiting=most, moment=at)
        else:
            text += msg("figures.jobs_waiting.never_one")
        if never := int(waiting.level[-1]):
            text += msg("figures.jobs_waiting.never_started", count=quantities.count(never, run.noun))
        words.append(text)
    return msg("figures.jobs_waiting.jobs_waiting_under") + "; ".join(words) + "."
