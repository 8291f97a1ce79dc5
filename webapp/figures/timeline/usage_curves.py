"""Memory and vcores in use over time, as step lines under the cluster's capacity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import NONE, Run
from webapp import theme
from webapp.figures.plotly_arrays import typed_array

HOVER_PX = 8  # a level that lasts longer gets points in between, so that the pointer always finds one nearby


class Steps(NamedTuple):
    """From time[i] (ms, ascending) on the level is level[i]."""

    time: np.ndarray
    level: np.ndarray


def used(run: Run, size: np.ndarray, chosen: np.ndarray | None = None) -> Steps:
    """What containers hold from their start to their end. size: of each request (3 a job); chosen: bool[containers], those that count; None: all."""
    c = run.containers
    some = slice(None) if chosen is None else np.flatnonzero(chosen)
    amount = size[c.job[some] * 3 + c.kind[some]]
    end = c.end[some]
    ended = end != NONE
    time = np.concatenate([[run.first_ms], c.start[some], end[ended]])
    change = np.concatenate([[0], amount, -amount[ended]])
    order = np.argsort(time, kind="stable")
    time, level = time[order], np.cumsum(change[order])
    last = np.concatenate([time[1:] != time[:-1], [True]])
    return Steps(time[last], level[last])


def within(steps: Steps, window: tuple[int, int]) -> Steps:
    """The part of it inside the window, which begins with the level there and ends with the last one held to the window's end."""
    first, last = np.searchsorted(steps.time, window, "right")
    before = steps.level[first - 1] if first else 0
    after = steps.level[last - 1] if last else 0
    time = np.concatenate([[window[0]], steps.time[first:last], [window[1]]])
    return Steps(time, np.concatenate([[before], steps.level[first:last], [after]]))


def thinned(steps: Steps, window: tuple[int, int], width: int) -> Steps:
    """At most four points a pixel: the first, lowest, highest and last of it. width: pixels of the window."""
    if len(steps.time) <= 4 * width:
        return steps
    pixel = (steps.time - window[0]) * width // (window[1] - window[0] + 1)
    first = np.flatnonzero(np.concatenate([[True], pixel[1:] != pixel[:-1]]))
    last = np.concatenate([first[1:], [len(pixel)]]) - 1
    low, high = np.minimum.reduceat(steps.level, first), np.maximum.reduceat(steps.level, first)
    time = np.stack([steps.time[first], steps.time[first], steps.time[last], steps.time[last]], axis=1)
    level = np.stack([steps.level[first], low, high, steps.level[last]], axis=1)
    fresh = np.stack([np.ones(len(first), bool), last > first, last > first, last > first], axis=1)
    return Steps(time[fresh], level[fresh])


def dense(steps: Steps, window: tuple[int, int], width: int) -> Steps:
    """The same steps with a point every HOVER_PX pixels at least."""
    every = max((window[1] - window[0]) * HOVER_PX / width, 1e-9)
    more = np.ceil(np.diff(steps.time) / every).astype(np.int64).clip(1)
    place = np.repeat(np.arange(len(more)), more)
    part = np.arange(len(place)) - np.repeat(np.cumsum(more) - more, more)
    time = steps.time[:-1][place] + np.diff(steps.time)[place] * part / more[place]
    return Steps(np.append(time, steps.time[-1]), np.append(steps.level[:-1][place], steps.level[-1]))


class Resource(NamedTuple):
    """A resource as charts show it. title: with its unit; per: how many of the scenario's units are one of the chart's."""

    title: str
    unit: str
    per: int
    size: np.ndarray  # of each request
    capacity: int


def memory(run: Run) -> Resource:
    """Memory in GB, or in MB in a cluster of less than 8 GB."""
    capacity = int(run.workload.node_memory.sum())
    unit, per = ("GB", 1024) if capacity >= 8192 else ("MB", 1)
    return Resource(f"Memory ({unit})", unit, per, run.workload.request_memory, capacity)


def vcores(run: Run) -> Resource:
    """Virtual cores."""
    return Resource("Vcores", "vcores", 1, run.workload.request_vcores, int(run.workload.node_vcores.sum()))


def curve(held: Steps, highlighted: Steps | None, of: Resource, window: tuple[int, int], width: int, dark: bool) -> tuple[list[dict], dict]:
    """Traces of the level in use and of the capacity, and the axis. held: all in use; highlighted: what the highlighted hold of it, filled then.

    width: pixels of the window.
    """
    look = theme.look(dark)
    traces = [_line(held, of, window, width, look.ink, 0.14 if highlighted is None else 0.0, "in use")]
    if highlighted is not None:
        traces.append(_line(highlighted, of, window, width, look.muted, 0.45, "held by what is highlighted"))
    top = of.capacity / of.per
    ends = np.array(window) / 1000
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": typed_array(ends, "f8"),
            "y": typed_array(np.array([top, top]), "f8"),
            "line": {"color": look.muted, "width": 1, "dash": "dash"},
            "hoverinfo": "skip",
        }
    )
    most = max(top, float(held.level.max(initial=0)) / of.per)
    return traces, level_axis(top, most)


def level_axis(top: float, most: float) -> dict:
    """An axis from 0 whose ticks are nothing, half and all of the capacity."""
    ticks = [0.0, top / 2, top]
    return {"range": [0, 1.06 * most], "tickmode": "array", "tickvals": ticks, "ticktext": ["0", f"{ticks[1]:,.5g}", f"{ticks[2]:,.6g}"]}


def _line(steps: Steps, of: Resource, window: tuple[int, int], width: int, colour: str, fill: float, what: str) -> dict:
    shown = dense(thinned(within(steps, window), window, width), window, width)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": typed_array(shown.time / 1000, "f8"),
        "y": typed_array(shown.level / of.per, "f4"),
        "line": {"shape": "hv", "color": colour, "width": 1.4},
        **({"fill": "tozeroy", "fillcolor": theme.faded(colour, fill)} if fill else {}),
        "hovertemplate": f"%{{y:,.4~r}} of {of.capacity / of.per:,.6g} {of.unit} {what}<br>at %{{x:,.3~f}} s<extra></extra>",
    }
