"""Where the capacity goes as stacked areas of a plotly figure: the traces and the axis that the charts of the
drawer share.
"""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.dashboard import PARTS
from webapp import theme
from webapp.figures.plotly_arrays import typed_array
from webapp.figures.timeline.capacity_areas import PHASE_OF_PART, CapacityLevels
from webapp.figures.timeline.usage_curves import ResourceView

HOVER_PX = 8  # between two points that say what all parts are


def capacity_traces(
    levels: CapacityLevels, of: ResourceView, window: tuple[int, int], width: int, dark: bool
) -> tuple[list[dict], dict]:
    """Traces and axis of one resource. width: pixels of the window."""
    look = theme.look(dark)
    time, parts = levels.time, levels.parts.clip(0) / of.per
    lower, upper = (edge / of.per for edge in levels.wasted)
    x = (
        {"x0": float(time[0]) / 1000, "dx": float(time[1] - time[0]) / 1000}
        if levels.even
        else {"x": typed_array(time / 1000, "f8")}
    )
    phases = [theme.PHASES_BY_KEY[PHASE_OF_PART.get(part.key, part.key)] for part in PARTS]
    traces = [
        _area(x, parts[:, number], phase, dark)
        for number, phase in enumerate(phases)
        if parts[:, number].any()
    ]
    if (upper > lower).any():
        edge = {"type": "scatter", "mode": "lines", "line": {"shape": "hv", "width": 0}, "hoverinfo": "skip"}
        pattern = {
            "shape": theme.WASTED.hatch,
            "fgcolor": theme.WASTED.colour(dark),
            "bgcolor": theme.with_alpha(look.paper, 0),
            "size": 6,
            "solidity": 0.25,
        }
        filled = {"fill": "tonexty", "fillpattern": pattern, "name": theme.WASTED.title, "showlegend": True}
        traces += [
            edge | x | {"y": typed_array(lower, "f4")},
            edge | x | {"y": typed_array(upper, "f4")} | filled,
        ]
    top = of.capacity / of.per
    traces.append(
        _hover_trace(
            time,
            np.column_stack([parts, upper - lower]),
            (*phases, theme.WASTED),
            top,
            of.unit,
            window,
            width,
            dark,
        )
    )
    return traces, level_axis(top, max(top, float(parts.sum(axis=1).max(initial=0))))


def level_axis(top: float, max_level: float) -> dict:
    """An axis from 0 whose ticks are nothing, half and all of the capacity."""
    ticks = [0.0, top / 2, top]
    return {
        "range": [0, 1.06 * max_level],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": ["0", f"{ticks[1]:,.5g}", f"{ticks[2]:,.6g}"],
    }


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
        area["fillpattern"] = {
            "shape": phase.hatch,
            "fgcolor": theme.hatch_colour(phase.key, dark),
            "bgcolor": colour,
            "size": 6,
            "solidity": 0.2,
        }
    return area


def _hover_trace(
    time: np.ndarray,
    levels: np.ndarray,
    phases: tuple,
    top: float,
    unit: str,
    window: tuple[int, int],
    width: int,
    dark: bool,
) -> dict:
    """An unseen line along the middle whose points say what all parts are just then: areas themselves tell
    their edges only.
    """
    at = np.linspace(window[0], window[1], width // HOVER_PX + 1)
    keys = [f'<span style="color:{_key_colour(phase, dark)}">■</span> {phase.title}' for phase in phases]
    hover_texts = []
    for ms, row in zip(at.tolist(), levels[np.searchsorted(time, at, "right") - 1].tolist()):
        lines = [
            f"{key}: {level:,.4g} {unit}, {quantities.percent(level / top)}"
            for key, level in zip(keys, row)
            if level > 0
        ]
        hover_texts.append("<br>".join([f"<b>at {quantities.moment(ms)}</b>", *lines]))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": typed_array(at / 1000, "f8"),
        "y": typed_array(np.full(len(at), top / 2), "f4"),
        "line": {"width": 0},
        "hovertext": hover_texts,
        "hoverinfo": "text",
    }


def _key_colour(phase: theme.Phase, dark: bool) -> str:
    return theme.hatch_colour(phase.key, dark) if phase.hatch else phase.colour(dark)
