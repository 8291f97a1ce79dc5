"""Each job from its arrival to its finish: what it waited for, and when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import NONE, Run
from webapp import theme
from webapp.figures.charts.step_lines import legend, legend_room, name_room, named_margin
from webapp.figures.frame import BOTTOM_PX, base, heights, plain_axis, time_axis
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.short_names import cut_names
from webapp.figures.timeline.run_chart import whole

MOST_ROWS = 40
ROW_PX = 16
LEAST_PX = 90
LABEL_PX = 13
DIM = 0.25
# Moments of a job in their order, each with its symbol; the line from each to the next has the colour of what the job then does.
MOMENTS = ("arrival", "start", "maps_end", "shuffle_end", "finish")
NAMES = ("submitted", "first container", "maps end", "shuffle ends", "finish")
SYMBOLS = ("line-ns", "triangle-right", "diamond", "cross", "square")
DOES = (None, "map", "shuffle", "reduce")


class Rows(NamedTuple):
    """times: float64[rows, MOMENTS] in ms, NaN where there is none; names; jobs: indices of each row's; grouped: rows are medians of several jobs."""

    times: np.ndarray
    names: list[str]
    jobs: list[np.ndarray]
    grouped: bool


def pages(jobs: int) -> list[tuple[str, str]]:
    """(value, words) of what can be looked at: all jobs, in groups where they are many, and then each MOST_ROWS of them."""
    if jobs <= MOST_ROWS:
        return [("all", f"All {theme.count(jobs, 'jobs')}" if jobs > 1 else "The job")]
    each = -(-jobs // MOST_ROWS)
    windows = [(str(first), f"Jobs {first + 1:,} to {min(first + MOST_ROWS, jobs):,}") for first in range(0, jobs, MOST_ROWS)]
    return [("all", f"All {jobs:,} jobs, {each:,} to a row"), *windows]


def rows(run: Run, page: str) -> Rows:
    """What a page of `pages` shows; all of it for one that is not there."""
    every = np.stack([getattr(run.jobs, moment) for moment in MOMENTS], axis=1).astype(float)
    every[every == NONE] = np.nan
    names, count = run.workload.job_names, len(every)
    if page.isdecimal() and len(page) < 10 and int(page) < count:
        first = int(page)
        chosen = np.arange(first, min(first + MOST_ROWS, count))
        return Rows(every[chosen], [names[job] for job in chosen], [np.array([job]) for job in chosen], False)
    if count <= MOST_ROWS:
        return Rows(every, list(names), [np.array([job]) for job in range(count)], False)
    each = -(-count // MOST_ROWS)
    groups = np.split(np.arange(count), np.arange(each, count, each))
    times = np.stack([_medians(every[group]) for group in groups])
    return Rows(times, [f"{names[group[0]]} to {names[group[-1]]}" for group in groups], groups, True)


def lifecycle_figure(run: Run, page: str, *, highlighted: np.ndarray | None = None, dark: bool = False, width: int = 700) -> dict:
    """A figure dict; highlighted: bool[jobs], the others are dimmed, or None."""
    look, sides, of = theme.look(dark), named_margin(width), rows(run, page)
    plot = max(width - sides["l"] - sides["r"], 1)
    count, px = len(of.times), max(ROW_PX, LEAST_PX // max(len(of.times), 1))
    bright = np.ones(count, bool) if highlighted is None else np.array([highlighted[jobs].any() for jobs in of.jobs])
    sides |= legend_room([name for name, ms in zip(NAMES, of.times.T) if not np.isnan(ms).all()], plot)
    data = []
    for strength in (1.0, DIM):
        chosen = np.flatnonzero(bright == (strength == 1.0))
        if len(chosen):
            data += [_segments(of, chosen, place, run.until_ms, strength, dark) for place in range(len(DOES))]
    data += [_marks(of, bright, place, look) for place in range(len(MOMENTS))]
    window = [ms / 1000 for ms in whole([run])]
    layout = base(sides, dark) | {**heights(count * px, count * ROW_PX, sides["t"] + BOTTOM_PX), "showlegend": True, "legend": legend(look), "dragmode": False}
    layout["hoverdistance"] = 30
    fixed = plain_axis(look) | {"fixedrange": True}
    layout["xaxis"] = time_axis("time ({})", (window[0] - 0.01 * (window[1] - window[0]), window[1]), plot, look) | {"fixedrange": True, "showgrid": True}
    names = tuple(name.split(" to ")[0] if of.grouped else name for name in of.names)
    texts = [escaped(name) for name in cut_names(names, name_room(sides))]
    texts = [f"<b>{text}</b>" if highlighted is not None and one else text for text, one in zip(texts, bright)]
    layout["yaxis"] = fixed | {"range": [count - 0.5, -0.5], "tickmode": "array", "tickvals": list(range(count)), "ticktext": texts}
    return {"data": data, "layout": layout}


def _medians(times: np.ndarray) -> np.ndarray:
    """Of each moment over the jobs that reach it; a moment that half of the group or fewer reach has none."""
    known = ~np.isnan(times)
    found = np.full(times.shape[1], np.nan)
    for moment in np.flatnonzero(2 * known.sum(axis=0) > len(times)):
        found[moment] = np.median(times[known[:, moment], moment])
    return found


def _filled(times: np.ndarray, until: float) -> np.ndarray:
    """float64[rows, MOMENTS], ascending and without gaps: a moment that a job skips is the next one, and one that it never reaches is `until`."""
    found = times.copy()
    over = np.isnan(found[:, -1])
    found[over, -1] = until
    for place in range(len(MOMENTS) - 2, 0, -1):
        gone = np.isnan(found[:, place])
        found[gone, place] = found[gone, place + 1]
    return np.maximum.accumulate(found, axis=1)


def _segments(of: Rows, chosen: np.ndarray, place: int, until: int, strength: float, dark: bool) -> dict:
    """From one moment to the next; waiting is thin and dotted, for nothing is done."""
    times = _filled(of.times[chosen], until)
    there = times[:, place + 1] > times[:, place]
    x, y = np.full((int(there.sum()), 3), np.nan), np.full((int(there.sum()), 3), np.nan)
    x[:, :2], y[:, :2] = times[there, place : place + 2] / 1000, chosen[there, None]
    what = DOES[place]
    line = {"color": theme.faded(theme.look(dark).muted, strength), "width": 1.5, "dash": "dot"}
    if what:
        line = {"color": theme.faded(theme.colour(what, dark), strength), "width": 5}
    where = {"x": typed_array(x.ravel(), "f8"), "y": typed_array(y.ravel(), "f8")}
    return {"type": "scatter", "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False} | where


def _marks(of: Rows, bright: np.ndarray, place: int, look: theme.Look) -> dict:
    known = np.flatnonzero(~np.isnan(of.times[:, place]))
    ms = of.times[known, place]
    after = ms - of.times[known, 0]
    middle = "median " if of.grouped else ""
    later = [f"<br>{theme.duration(gone)} after it was submitted" if place else "" for gone in after.tolist()]
    names = [escaped(shortened(of.names[row])) for row in known.tolist()]
    edge = {"width": 0.8, "color": look.paper} if place else {"width": 1.4, "color": look.ink}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": NAMES[place],
        "x": typed_array(ms / 1000, "f8"),
        "y": typed_array(known, "f8"),
        "marker": {"symbol": SYMBOLS[place], "size": 7 if place else 9, "color": look.ink, "line": edge, "opacity": np.where(bright[known], 1.0, DIM).tolist()},
        "hovertext": [f"<b>{name}</b><br>{middle}{NAMES[place]} at {theme.moment(at)}{more}" for name, at, more in zip(names, ms.tolist(), later)],
        "hoverinfo": "text",
    } | ({} if of.grouped else {"ids": [f"job:{of.names[row]}" for row in known.tolist()]})


def lifecycle_rows(run: Run) -> list[dict]:
    """A row a job, in job order; empty where it never got so far."""
    columns = [getattr(run.jobs, moment).tolist() for moment in MOMENTS]
    heads = [f"{name[0].upper()}{name[1:]} (s)" for name in NAMES]
    return [
        {"Job": name} | {head: None if ms == NONE else ms / 1000 for head, ms in zip(heads, times)} for name, *times in zip(run.workload.job_names, *columns)
    ]


def lifecycle_story(run: Run, page: str) -> str:
    """Where the jobs' time goes on average, and what a row is."""
    of = rows(run, page)
    every = np.stack([getattr(run.jobs, moment) for moment in MOMENTS], axis=1)
    failed = run.jobs.failed.astype(bool)
    done = (every[:, -1] != NONE) & ~failed
    text = f"Under {run.scheduler} "
    if done.any():
        times = np.where(every[done] == NONE, np.nan, every[done].astype(float))
        parts = np.diff(_filled(times, 0.0), axis=1).mean(axis=0)
        words = ("to its first container", "on to the end of its maps", "on to the end of its shuffle", "on to its finish")
        text += "a finished job takes on average " + ", ".join(f"{theme.duration(ms)} {word}" for ms, word in zip(parts.tolist(), words)) + "."
    else:
        text += "no job finished."
    for some, word in ((~done & ~failed, "never finished"), (failed, "failed")):
        if some.any():
            text += f" {int(some.sum()):,} of {theme.count(len(done), 'jobs')} {word}."
    if of.grouped:
        text += f" A row stands for up to {theme.count(len(of.jobs[0]), 'jobs')} submitted in turn, its marks for their medians; the table has each job."
    return text
