"""Where the capacity goes, as stacked step areas that add up to it; in the phases' colours, idle room in grey."""

from __future__ import annotations

import numpy as np

from engine import PARTS, CapacitySplit
from webapp import theme
from webapp.figures.curves import HOVER_PX, Resource, Steps, level_axis, within
from webapp.figures.typed import typed

SAME = {"fetching": "shuffle", "computing": "reduce"}  # capacity's parts that are phases of another name
KILLABLE = 2  # the parts below are never killed: masters and maps
POINT_PX = 1.5


def areas(split: CapacitySplit, of: Resource, window: tuple[int, int], width: int, dark: bool) -> tuple[list[dict], dict]:
    """Traces and axis of one resource. width: pixels of the window.

    What changes faster than pixels is averaged over time, so that areas stay true and the parts still add up.
    """
    look = theme.look(dark)
    resource = split.vcores if of.unit == "vcores" else split.memory
    figures = np.column_stack([resource.parts, resource.killed]) / of.per
    time, levels = _levels(split.times, figures, window, width)
    levels = levels.clip(0)
    parts, killed = levels[:, :-1], levels[:, -1]
    x = {"x": typed(time / 1000, "f8")}
    phases = [theme.BY_KEY[SAME.get(part.key, part.key)] for part in PARTS]
    traces = [_area(x, parts[:, number], phase, dark) for number, phase in enumerate(phases) if parts[:, number].any()]
    if killed.any():
        under = parts[:, :KILLABLE].sum(axis=1)
        edge = {"type": "scatter", "mode": "lines", "line": {"shape": "hv", "width": 0}, "hoverinfo": "skip"}
        pattern = {"shape": theme.KILLED.hatch, "fgcolor": theme.KILLED.colour(dark), "bgcolor": theme.faded(look.paper, 0), "size": 6, "solidity": 0.25}
        filled = {"fill": "tonexty", "fillpattern": pattern, "name": theme.KILLED.title, "showlegend": True}
        traces += [edge | x | {"y": typed(under, "f4")}, edge | x | {"y": typed(under + killed, "f4")} | filled]
    top = resource.capacity / of.per
    traces.append(_pointer(time, levels, (*phases, theme.KILLED), top, of.unit, window, width, dark))
    return traces, level_axis(top, max(top, float(parts.sum(axis=1).max(initial=0))))


def _levels(times: np.ndarray, figures: np.ndarray, window: tuple[int, int], width: int) -> tuple[np.ndarray, np.ndarray]:
    """float64[points] in ms and the figures from there on, float64[points, columns]."""
    first, last = np.searchsorted(times, window)
    padded = np.concatenate([figures, np.zeros((1, figures.shape[1]))])
    if last - first <= width:
        steps = within(Steps(times, np.arange(1, len(times) + 1)), window)
        return steps.time, np.concatenate([padded[-1:], padded])[steps.level]
    edges = np.linspace(window[0], window[1], int(width / POINT_PX) + 1)
    spent = np.concatenate([padded[-1:], np.cumsum(figures * np.diff(times)[:, None], axis=0)])
    at = np.column_stack([np.interp(edges, times, column) for column in spent.T])
    levels = np.diff(at, axis=0) / (edges[1] - edges[0])
    return edges, np.concatenate([levels, levels[-1:]])


def _area(x: dict, level: np.ndarray, phase: theme.Phase, dark: bool) -> dict:
    colour = phase.colour(dark)
    area = {
        "type": "scatter",
        "mode": "lines",
        **x,
        "y": typed(level, "f4"),
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
        "x": typed(at / 1000, "f8"),
        "y": typed(np.full(len(at), top / 2), "f4"),
        "line": {"width": 0},
        "hovertext": found,
        "hoverinfo": "text",
    }
