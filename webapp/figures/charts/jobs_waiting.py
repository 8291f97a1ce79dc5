"""How many jobs wait for their first container, over time, under each scheduler."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import Run, jobs_waiting, mean_level
from webapp import theme
from webapp.figures.charts.step_lines import Axes, Line, lines_figure
from webapp.figures.timeline.run_chart import whole

MOST_ROWS = 400  # of the table; more steps are sampled at equal distances


def queue_figure(runs: Sequence[Run], *, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; runs: of one scenario."""
    lines = []
    for run in runs:
        waiting = jobs_waiting(run)
        lines.append(Line(run.scheduler, waiting.at / 1000, waiting.level, run.until_ms / 1000))
    first, until = whole(list(runs))
    most = max(int(line.y.max()) for line in lines)
    says = "%{y:,} jobs wait<br>from %{customdata} on"
    return lines_figure(lines, Axes("time ({})", "jobs waiting", (first / 1000, until / 1000), 1.08 * max(most, 1), says, ",d"), dark=dark, width=width)


def queue_rows(runs: Sequence[Run]) -> list[dict]:
    """Jobs waiting at every time at which that changes under any scheduler, or at MOST_ROWS times at equal distances."""
    found = [jobs_waiting(run) for run in runs]
    times = np.unique(np.concatenate([waiting.at for waiting in found]))
    if len(times) > MOST_ROWS:
        times = np.unique(np.linspace(times[0], times[-1], MOST_ROWS).astype(np.int64))
    levels = [waiting.level[np.maximum(np.searchsorted(waiting.at, times, side="right") - 1, 0)].tolist() for waiting in found]
    rows = zip(times.tolist(), *levels)
    heads = [f"{run.scheduler} (jobs waiting)" for run in runs]
    return [{"From (s)": at / 1000} | dict(zip(heads, row)) for at, *row in rows]


def queue_story(runs: Sequence[Run]) -> str:
    """The mean and the most of each scheduler, and who never started."""
    words = []
    for run in runs:
        waiting = jobs_waiting(run)
        peak = int(waiting.level.argmax())
        most = int(waiting.level[peak])
        text = f"{run.scheduler}: {theme.number(round(mean_level(waiting, run.until_ms), 2))} on average"
        text += f", at most {most:,} (at {theme.moment(int(waiting.at[peak]))})" if most else ", never one"
        left = int(waiting.level[-1])
        words.append(text + (f", {theme.count(left, 'jobs')} never started" if left else ""))
    return "Jobs waiting under " + "; ".join(words) + "."
