"""Where the capacity goes, as stacked step areas that add up to it; in the phases' colours, idle room in grey."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import PARTS, CapacitySplit, means
from webapp import theme
from webapp.figures.plotly_arrays import typed_array
from webapp.figures.timeline.usage_curves import HOVER_PX, Resource, Steps, level_axis, within

SAME = {"fetching": "shuffle", "computing": "reduce"}  # capacity's parts that are phases of another name
KILLABLE = 2  # the parts below are never killed: masters and maps
HELD = [part.key for part in PARTS].index("unseen")  # the parts before are held by containers
POINT_PX = 1.5


def areas(levels: Levels, of: Resource, window: tuple[int, int], width: int, dark: bool) -> tuple[list[dict], dict]:
    """Traces and axis of one resource. width: pixels of the window."""
    look = theme.look(dark)
    time, shown = levels.time, levels.level.clip(0) / of.per
    parts, killed = shown[:, :-1], shown[:, -1]
    x = {"x0": float(time[0]) / 1000, "dx": float(time[1] - time[0]) / 1000} if levels.even else {"x": typed_array(time / 1000, "f8")}
    phases = [theme.BY_KEY[SAME.get(part.key, part.key)] for part in PARTS]
    traces = [_area(x, parts[:, number], phase, dark) for number, phase in enumerate(phases) if parts[:, number].any()]
    if killed.any():
        under = parts[:, :KILLABLE].sum(axis=1)
        edge = {"type": "scatter", "mode": "lines", "line": {"shape": "hv", "width": 0}, "hoverinfo": "skip"}
        pattern = {"shape": theme.KILLED.hatch, "fgcolor": theme.KILLED.colour(dark), "bgcolor": theme.faded(look.paper, 0), "size": 6, "solidity": 0.25}
        filled = {"fill": "tonexty", "fillpattern": pattern, "name": theme.KILLED.title, "showlegend": True}
        traces += [edge | x | {"y": typed_array(under, "f4")}, edge | x | {"y": typed_array(under + killed, "f4")} | filled]
    top = of.capacity / of.per
    traces.append(_pointer(time, shown, (*phases, theme.KILLED), top, of.unit, window, width, dark))
    return traces, level_axis(top, max(top, float(parts.sum(axis=1).max(initial=0))))


class Levels(NamedTuple):
    """From time[i] (ms) on, level[i] holds: float64[points, PARTS + 1], the last what is killed later; nothing at first and in the end.

    even: times are equally far apart, and levels are means over that time.
    """

    time: np.ndarray
    level: np.ndarray
    even: bool

    @property
    def held(self) -> Steps:
        """What containers hold, from their starts to their ends."""
        return Steps(self.time, self.level[:, :HELD].sum(axis=1))


def levels(split: CapacitySplit, unit: str, window: tuple[int, int], width: int) -> Levels:
    """The split within the window; what changes faster than pixels is averaged over time, so that areas stay true and the parts still add up."""
    resource = split.vcores if unit == "vcores" else split.memory
    times, figures = split.times, resource.figures
    first, last = (int(place) for place in np.searchsorted(times, window))
    if last - first > width:
        edges = np.linspace(window[0], window[1], int(width / POINT_PX) + 1)
        found = means(times, figures, window, len(edges) - 1)
        return Levels(edges, np.concatenate([found, found[-1:]]), True)
    low = max(first - 1, 0)
    padded = np.concatenate([figures[low : last + 1], np.zeros((1, figures.shape[1]))])
    ends = times[low : last + 1]
    steps = within(Steps(ends, np.arange(1, len(ends) + 1)), window)
    padded = np.concatenate([np.zeros((1, figures.shape[1])), padded])
    return Levels(steps.time, padded[np.minimum(steps.level, len(padded) - 1)], False)


def _area(x: dict, level: np.ndarray, phase: theme.Phase, dark: bool) -> dict:
    colour = phase.colour(dark)
    area = {
        "type": "scatter",
        "mode": "lines",
        **x,
        "y": typed_array(level, "f4"),
        "stackgroup": "parts",
        "line": {"shape": "hv", "width": 0},
        "fillcolor": colour,
        "hoverinfo": "skip",
        "name": phase.title,
        "showlegend": True,
    }
    if phase.hatch:
        area["fillpattern"] = {"shape": phase.hatch, "fgcolor": theme.hatching(phase.key, dark), "bgcolor": colour, "size": 6, "solidity": 0.2}
    return area


def _pointer(time: np.ndarray, levels: np.ndarray, phases: tuple, top: float, unit: str, window: tuple[int, int], width: int, dark: bool) -> dict:
    """An unseen line along the middle whose points say what all parts are just then: areas themselves tell their edges only."""
    at = np.linspace(window[0], window[1], width // HOVER_PX + 1)
    keys = [f'<span style="color:{theme.hatching(phase.key, dark) if phase.hatch else phase.colour(dark)}">■</span> {phase.title}' for phase in phases]
    found = []
    for moment, row in zip(at.tolist(), levels[np.searchsorted(time, at, "right") - 1].tolist()):
        lines = [f"{key}: {level:,.4g} {unit}, {theme.percent(level / top)}" for key, level in zip(keys, row) if level > 0]
        found.append("<br>".join([f"<b>at {theme.seconds(round(moment))}</b>", *lines]))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": typed_array(at / 1000, "f8"),
        "y": typed_array(np.full(len(at), top / 2), "f4"),
        "line": {"width": 0},
        "hovertext": found,
        "hoverinfo": "text",
    }
