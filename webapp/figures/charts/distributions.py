"""How waits or turnarounds are spread: the share of jobs that are served within a time, under each
scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine import Run, quantities
from engine.dashboard import INFINITE, NONE, StepFunction, display_name, distribution, turnaround_ms, wait_ms
from webapp import theme
from webapp.figures.charts.step_lines import Axes, Line, lines_figure
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.traces import marks, told
from webapp.messages import msg

MEASURES: dict[str, tuple[str, str, Callable[[Run], np.ndarray]]] = {
    "wait": (
        msg("figures.distributions.wait_job"),
        msg("figures.distributions.have_started_within"),
        wait_ms,
    ),
    "turnaround": (
        msg("figures.distributions.turnaround_job"),
        msg("figures.distributions.have_finished_within"),
        turnaround_ms,
    ),
}
MAX_MARKS = 60  # of highlighted jobs on a line
PERCENTS = (0, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99, 100)


def distribution_figure(
    runs: Sequence[Run],
    what: str,
    *,
    highlighted: np.ndarray | None = None,
    dark: bool = False,
    width: int = 700,
) -> dict:
    """A figure dict of the empirical distribution function; what: a key of MEASURES. Who is never served
    keeps a line below 100 %.

    highlighted: bool[jobs], those that are marked on each line, or None.
    """
    title, verb, measure = MEASURES[what]
    values = [measure(run) for run in runs]
    distributions = [distribution(ms) for ms in values]
    top = 1.04 * max([1, *(int(levels.at[-1]) for levels in distributions if len(levels.at))]) / 1000
    drawn = [
        Line(display_name(run.scheduler), np.append(0, levels.at / 1000), np.append(0, levels.level), top)
        for run, levels in zip(runs, distributions)
    ]
    span, says = (-0.01 * top, top), msg("figures.distributions.jobs_br", verb=verb)
    axes = Axes(title, msg("figures.distributions.share_jobs"), span, 1.06, says, is_share=True)
    figure = lines_figure(drawn, axes, dark=dark, width=width)
    if highlighted is not None:
        figure["data"] += [
            _marks(run, ms, levels, highlighted, place, dark)
            for place, (run, ms, levels) in enumerate(zip(runs, values, distributions))
        ]
    return figure


def _marks(
    run: Run, ms: np.ndarray, levels: StepFunction, highlighted: np.ndarray, place: int, dark: bool
) -> dict:
    """Where the highlighted jobs are on their line, the first MAX_MARKS of them."""
    jobs = np.flatnonzero(highlighted & (ms != NONE))[:MAX_MARKS]
    share = levels.level[np.searchsorted(levels.at, ms[jobs])] if len(jobs) else np.zeros(0)
    texts = [
        f"<b>{escaped(shortened(run.workload.job_names[job]))}</b> under "
        f"{escaped(display_name(run.scheduler))}<br>{quantities.duration(int(ms[job]))}"
        for job in jobs.tolist()
    ]
    edge = {"width": 1.5, "color": theme.look(dark).paper}
    marker = {"symbol": "circle", "size": 8, "color": theme.scheduler(place, dark), "line": edge}
    return marks(ms[jobs] / 1000, share, marker, showlegend=False) | told(texts)


def percentile(ms: np.ndarray, percent: int) -> int:
    """The least that at least so many percent of all don't exceed, by nearest rank; NONE where too few are
    ever served.
    """
    values = np.sort(np.where(ms == NONE, INFINITE, ms))
    value = int(values[max(-(-percent * len(values) // 100), 1) - 1])
    return NONE if value == INFINITE else value


def distribution_rows(runs: Sequence[Run], what: str) -> list[dict]:
    """A row a percentile; empty where so many are never served."""
    values = [MEASURES[what][2](run) for run in runs]
    seconds = lambda ms: None if ms == NONE else ms / 1000
    return [
        {"Percentile": percent}
        | {f"{run.scheduler} (s)": seconds(percentile(ms, percent)) for run, ms in zip(runs, values)}
        for percent in PERCENTS
    ]


def distribution_story(runs: Sequence[Run], what: str) -> str:
    """Median and 95th percentile of each scheduler."""
    _, verb, measure = MEASURES[what]
    words = []
    for run in runs:
        values = measure(run)
        half, most = (
            quantities.NO_VALUE if ms == NONE else quantities.duration(ms)
            for ms in (percentile(values, percent) for percent in (50, 95))
        )
        scheduler = display_name(run.scheduler)
        text = msg("figures.distributions.and", scheduler=scheduler, times=half, times2=most)
        if missing := int((values == NONE).sum()):
            jobs = quantities.count(len(values), run.noun)
            text += msg("figures.distributions.never", missing=missing, count=jobs)
        words.append(text)
    return msg("figures.distributions.half_jobs_and_them", verb=verb) + "; ".join(words) + "."
