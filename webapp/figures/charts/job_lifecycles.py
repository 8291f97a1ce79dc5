"""Each job from its arrival to its finish: what it waited for, and when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run, quantities
from engine.dashboard import NONE, TAKEN, display_name
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_margin, name_chars, named_margin
from webapp.figures.frame import FIXED_GRID, chart, plot_width, row_axis, still, time_axis
from webapp.figures.highlight import bright_groups
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.timeline.run_chart import full_window
from webapp.figures.traces import UNSEEN, lines, marks, tick_names, told, with_gaps
from webapp.messages import msg

MAX_ROWS = 40
ROW_PX = 16
MIN_PX = 90
LABEL_PX = 13
DIM = 0.25
# Moments of a job in their order, each with its symbol; the line from each to the next has the colour of what
# the job then does.
MOMENTS = ("arrival", "start", "maps_end", "shuffle_end", "finish")
NAMES = (
    "submitted",
    msg("figures.job_lifecycles.first_container"),
    msg("figures.job_lifecycles.maps_end"),
    msg("figures.job_lifecycles.shuffle_ends"),
    "finish",
)
SYMBOLS = ("line-ns", "triangle-right", "diamond", "cross", "square")
SEGMENT_PHASES = (None, "map", "shuffle", "reduce")


class LifecycleRows(NamedTuple):
    """times: float64[rows, MOMENTS] in ms, NaN where there is none; names; jobs: indices of each row's;
    grouped: rows are medians of several jobs.
    """

    times: np.ndarray
    names: list[str]
    jobs: list[np.ndarray]
    grouped: bool


def page_options(jobs: int) -> list[tuple[str, str]]:
    """(value, words) of what can be looked at: all jobs, in groups where they are many, and then each
    MAX_ROWS of them.
    """
    if jobs <= MAX_ROWS:
        words = f"All {quantities.count(jobs, 'jobs')}" if jobs > 1 else msg("figures.job_lifecycles.job")
        return [("all", words)]
    jobs_per_row = -(-jobs // MAX_ROWS)
    words = msg("figures.job_lifecycles.all_jobs_to_row", jobs=jobs, jobs_per_row=jobs_per_row)
    window = lambda first: msg(
        "figures.job_lifecycles.jobs_to", first=first + 1, first2=min(first + MAX_ROWS, jobs)
    )
    return [("all", words), *((str(first), window(first)) for first in range(0, jobs, MAX_ROWS))]


def page_rows(run: Run, page: str) -> LifecycleRows:
    """What a page of `page_options` shows; all of it for one that is not there."""
    times = _moments(run)
    names, count = run.workload.job_names, len(times)
    if page.isdecimal() and len(page) < 10 and int(page) < count:
        jobs = np.arange(int(page), min(int(page) + MAX_ROWS, count))
    elif count <= MAX_ROWS:
        jobs = np.arange(count)
    else:
        jobs_per_row = -(-count // MAX_ROWS)
        groups = np.split(np.arange(count), np.arange(jobs_per_row, count, jobs_per_row))
        medians = np.stack([_medians(times[group]) for group in groups])
        spans = [f"{names[group[0]]} to {names[group[-1]]}" for group in groups]
        return LifecycleRows(medians, spans, groups, True)
    return LifecycleRows(times[jobs], [names[job] for job in jobs], list(jobs[:, None]), False)


def _moments(run: Run) -> np.ndarray:
    """float64[jobs, MOMENTS] in ms, NaN where there is none."""
    times = np.stack([getattr(run.jobs, moment) for moment in MOMENTS], axis=1).astype(float)
    times[times == NONE] = np.nan
    return times


def lifecycle_figure(
    run: Run, page: str, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700
) -> dict:
    """A figure dict; highlighted: bool[jobs], the others are dimmed, or None."""
    look, sides, rows = theme.look(dark), named_margin(width), page_rows(run, page)
    plot = plot_width(width, sides)
    count, px = len(rows.times), max(ROW_PX, MIN_PX // max(len(rows.times), 1))
    bright = bright_groups(rows.jobs, highlighted)
    sides |= legend_margin([name for name, ms in zip(NAMES, rows.times.T) if not np.isnan(ms).all()], plot)
    data = []
    for strength in (1.0, DIM):
        chosen = np.flatnonzero(bright == (strength == 1.0))
        if len(chosen):
            data += [
                _segments(rows, chosen, place, run.until_ms, strength, dark)
                for place in range(len(SEGMENT_PHASES))
            ]
    data += [_marks(rows, bright, place, look) for place in range(len(MOMENTS))]
    first, until = (ms / 1000 for ms in full_window([run]))
    names = (name.split(" to ")[0] if rows.grouped else name for name in rows.names)
    texts = tick_names(names, name_chars(sides), () if highlighted is None else bright)
    layout = still(legend(look)) | {
        "hoverdistance": 30,
        "xaxis": time_axis("time ({})", (first - 0.01 * (until - first), until), plot, look) | FIXED_GRID,
        "yaxis": row_axis(texts, look),
    }
    return chart(data, layout, sides, count * px, count * ROW_PX, dark)


def _medians(times: np.ndarray) -> np.ndarray:
    """Of each moment over the jobs that reach it; a moment that half of the group or fewer reach has none."""
    is_known = ~np.isnan(times)
    medians = np.full(times.shape[1], np.nan)
    for moment in np.flatnonzero(2 * is_known.sum(axis=0) > len(times)):
        medians[moment] = np.median(times[is_known[:, moment], moment])
    return medians


def _fill_gaps(times: np.ndarray, until: float) -> np.ndarray:
    """float64[rows, MOMENTS], ascending and without gaps: a moment that a job skips is the next one, and one
    that it never reaches is `until`.
    """
    filled = times.copy()
    unfinished = np.isnan(filled[:, -1])
    filled[unfinished, -1] = until
    for place in range(len(MOMENTS) - 2, 0, -1):
        missing = np.isnan(filled[:, place])
        filled[missing, place] = filled[missing, place + 1]
    return np.maximum.accumulate(filled, axis=1)


def _segments(
    rows: LifecycleRows, chosen: np.ndarray, place: int, until: int, strength: float, dark: bool
) -> dict:
    """From one moment to the next; waiting is thin and dotted, for nothing is done."""
    times = _fill_gaps(rows.times[chosen], until)
    has_length = times[:, place + 1] > times[:, place]
    rows_drawn = chosen[has_length]
    x = with_gaps(*times[has_length, place : place + 2].T / 1000)
    phase = SEGMENT_PHASES[place]
    line = {"color": theme.with_alpha(theme.look(dark).muted, strength), "width": 1.5, "dash": "dot"}
    if phase:
        line = {"color": theme.with_alpha(theme.colour(phase, dark), strength), "width": 5}
    return lines(x, with_gaps(rows_drawn, rows_drawn), line) | UNSEEN


def _marks(rows: LifecycleRows, bright: np.ndarray, place: int, look: theme.Look) -> dict:
    known = np.flatnonzero(~np.isnan(rows.times[:, place]))
    ms = rows.times[known, place]
    after = ms - rows.times[known, 0]
    what = f"median {NAMES[place]}" if rows.grouped else NAMES[place]
    names = [rows.names[row] for row in known.tolist()]
    texts = []
    for name, at, elapsed in zip(names, ms.tolist(), after.tolist()):
        more = f"<br>{quantities.duration(elapsed)} after it was submitted" if place else ""
        texts.append(f"<b>{escaped(shortened(name))}</b><br>{what} at {quantities.moment(at)}{more}")
    marker = {
        "symbol": SYMBOLS[place],
        "size": 7 if place else 9,
        "color": look.ink,
        "line": {"width": 0.8, "color": look.paper} if place else {"width": 1.4, "color": look.ink},
        "opacity": np.where(bright[known], 1.0, DIM).tolist(),
    }
    ids = {} if rows.grouped else {"ids": [f"job:{name}" for name in names]}
    return marks(ms / 1000, known, marker, name=NAMES[place]) | told(texts) | ids


def lifecycle_rows(run: Run) -> list[dict]:
    """A row a job, in job order; empty where it never got so far."""
    columns = [getattr(run.jobs, moment).tolist() for moment in MOMENTS]
    heads = [f"{name[0].upper()}{name[1:]} (s)" for name in NAMES]
    return [
        {"Job": name} | {head: None if ms == NONE else ms / 1000 for head, ms in zip(heads, times)}
        for name, *times in zip(run.workload.job_names, *columns)
    ]


def lifecycle_story(run: Run, page: str) -> str:
    """Where the jobs' time goes on average, and what a row is."""
    rows = page_rows(run, page)
    times = _moments(run)
    failed = run.jobs.failed.astype(bool)
    done = ~np.isnan(times[:, -1]) & ~failed
    text = msg("figures.job_lifecycles.under", scheduler=display_name(run.scheduler))
    if done.any():
        parts = np.diff(_fill_gaps(times[done], 0.0), axis=1).mean(axis=0)
        words = (
            msg("figures.job_lifecycles.to_its_first_container"),
            msg("figures.job_lifecycles.on_to_end_its_maps"),
            msg("figures.job_lifecycles.on_to_end_its_shuffle"),
            msg("figures.job_lifecycles.on_to_its_finish"),
        )
        spans = ", ".join(f"{quantities.duration(ms)} {word}" for ms, word in zip(parts.tolist(), words))
        text += msg("figures.job_lifecycles.finished_job_takes_on_average") + spans + "."
    else:
        text += msg("figures.job_lifecycles.no_job_finished")
    refused = run.jobs.refused != TAKEN
    for mask, word in (
        (~done & ~failed & ~refused, msg("figures.job_lifecycles.never_finished")),
        (failed, "failed"),
        (refused, msg("figures.job_lifecycles.were_refused")),
    ):
        if mask.any():
            text += f" {int(mask.sum()):,} of {quantities.count(len(done), run.noun)} {word}."
    if rows.grouped:
        jobs = quantities.count(len(rows.jobs[0]), run.noun)
        text += msg("figures.job_lifecycles.row_stands_for_up_to_submitted", count=jobs)
    return text
