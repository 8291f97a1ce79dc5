"""Where the capacity goes as stacked areas of a plotly figure: the traces and the axis that the charts of the
drawer share.
"""

from __future__ import annotations

import numpy as np

from engine import quantities
from engine.dashboard import PARTS
from webapp import theme
from webapp.figures.plotly_arrays import typed_array
from webapp.figures.timeline.capacity_areas import CapacityLevels, phase_of_part
from webapp.figures.timeline.usage_curves import ResourceView
from webapp.figures.traces import UNTOLD, hatch, lines, told

HOVER_PX = 8  # between two points that say what all parts are


def capacity_traces(
    levels: CapacityLevels, of: ResourceView, window: tuple[int, int], width: int, dark: bool
) -> tuple[list[dict], dict]:
    """Traces and axis of one resource. width: pixels of the window."""
    time, parts = levels.time, levels.parts.clip(0) / of.per
    lower, upper = (edge / of.per for edge in levels.wasted)
    x = (
        {"x0": float(time[0]) / 1000, "dx": float(time[1] - time[0]) / 1000}
        if levels.even
        else {"x": typed_array(time / 1000, "f8")}
    )
    phases = [theme.PHASES_BY_KEY[phase_of_part(part.key)] for part in PARTS]
    traces = [
        _area(x, parts[:, number], phase, dark)
        for number, phase in enumerate(phases)
        if parts[:, number].any()
    ]
    if (upper > lower).any():
        edge = UNTOLD | {"type": "scatter", "mode": "lines", "line": {"shape": "hv", "width": 0}}
        clear, red = theme.with_alpha(theme.look(dark).paper, 0), theme.WASTED.colour(dark)
        pattern = hatch(theme.WASTED, dark) | {"fgcolor": red, "bgcolor": clear, "solidity": 0.25}
        filled = {"fill": "tonexty", "fillpattern": pattern, "name": theme.WASTED.title, "showlegend": True}
        traces += [
            edge | x | {"y": typed_array(lower, "f4")},
            edge | x | {"y": typed_array(upper, "f4")} | filled,
        ]
    top = of.capacity / of.per
    everything, keys = np.column_stack([parts, upper - lower]), _keys([*phases, theme.WASTED], dark)
    traces.append(_hover_trace(time, everything, keys, top, of.unit, window, width))
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
    area = UNTOLD | {
        "type": "scatter",
        "mode": "lines",
        **x,
        "y": typed_array(level, "f4"),
        "stackgroup": "parts",
        "line": {"shape": "hv", "width": 0},
        "fillcolor": phase.colour(dark),
        "name": phase.title,
        "showlegend": True,
    }
    return area | {"fillpattern": hatch(phase, dark)} if phase.hatch else area


def _hover_trace(
    time: np.ndarray,
    levels: np.ndarray,
    keys: list[str],
    top: float,
    unit: str,
    window: tuple[int, int],
    width: int,
) -> dict:
    """An unseen line along the middle whose points say what all parts are just then: areas themselves tell
    their edges only.
    """
    at = np.linspace(window[0], window[1], width // HOVER_PX + 1)
    texts = []
    for ms, row in zip(at.tolist(), levels[np.searchsorted(time, at, "right") - 1].tolist()):
        parts = [
            f"{key}: {level:,.4g} {unit}, {quantities.percent(level / top)}"
            for key, level in zip(keys, row)
            if level > 0
        ]
        texts.append("<br>".join([f"<b>at {quantities.moment(ms)}</b>", *parts]))
    return lines(at / 1000, typed_array(np.full(len(at), top / 2), "f4"), {"width": 0}) | told(texts)


def _keys(phases: list[theme.Phase], dark: bool) -> list[str]:
    """The names of phases, each with a patch of its colour or hatch."""
    colours = [theme.hatch_colour(phase.key, dark) if phase.hatch else phase.colour(dark) for phase in phases]
    return [f'<span style="color:{colour}">■</span> {phase.title}' for phase, colour in zip(phases, colours)]
