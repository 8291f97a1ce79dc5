"""The Gantt chart as exact bars: one trace a phase, each slice a bar that tells what it is."""

from __future__ import annotations

import numpy as np

from engine import RUNNING, Run
from webapp import theme
from webapp.figures.plotly_arrays import escaped, shortened, typed_array
from webapp.figures.timeline.rows import LETTER_PX, Rows
from webapp.figures.timeline.slices import Slices
from webapp.figures.timeline.tooltips import details

DIM = 0.22  # opacity of jobs that are not highlighted
CHARACTER_PX = 6.2
LEAST_CHARACTERS = 5  # of a name that is too long for its bar
EDGE_PX = 4.0  # bars narrower than this on average get no edge, it would hide them
NOWHERE = -9  # a row above the chart


def bars(run: Run, slices: Slices, rows: Rows, ms_per_px: float, any_highlighted: bool, dark: bool) -> list[dict]:
    """Bar traces of the slices in seconds; customdata is the container's index in run.containers."""
    text = dict(zip((chosen := np.unique(slices.container)).tolist(), details(run, chosen)))
    labels = _labels(run, slices, ms_per_px) if rows.row_px >= LETTER_PX else None
    wide = len(slices.start) and (slices.end - slices.start).mean() / ms_per_px >= EDGE_PX
    found = []
    for highlighted in (False, True):
        for killed in (False, True):
            for number, phase in enumerate(theme.PHASES):
                mask = (slices.phase == number) & (slices.killed == killed) & (slices.highlighted == highlighted)
                if mask.any():
                    trace = _trace(slices.take(mask), text, phase, rows, dark)
                    trace["marker"] |= _marker(phase, killed, highlighted, any_highlighted, wide, dark)
                    if labels is not None and highlighted and not killed:
                        trace |= _lettering(labels[mask], min(rows.row_px - 1, 10), theme.text_on(phase.colour(dark)))
                    found.append(trace)
    return found


def open_ends(run: Run, slices: Slices, dark: bool) -> list[dict]:
    """An arrow at the end of each container that still runs in a deadlock."""
    last = (run.containers.outcome[slices.container] == RUNNING) & (slices.end == run.at_ms)
    if not last.any():
        return []
    shown = slices.take(last)
    colours = [phase.colour(dark) for phase in theme.PHASES]
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": typed_array(shown.end / 1000, "f8"),
            "y": typed_array(shown.row, "i4"),
            "marker": {"symbol": "triangle-right", "size": 9, "opacity": 1, "color": [colours[phase] for phase in shown.phase.tolist()]},
            "hoverinfo": "skip",
            "cliponaxis": False,
        }
    ]


def _trace(shown: Slices, text: dict[int, str], phase: theme.Phase, rows: Rows, dark: bool) -> dict:
    """plotly.js 4 looks for a negative bar through the whole trace for every bar: the first two, a hair wide, end its search."""
    containers = shown.container.tolist()
    lengths = (shown.end - shown.start) / 1000
    bases = shown.start / 1000
    return {
        "type": "bar",
        "orientation": "h",
        "name": phase.title,
        "base": typed_array(np.concatenate([bases[:1], bases[:1], bases]), "f8"),
        "x": typed_array(np.concatenate([[1e-9, -1e-9], lengths]), "f8"),
        "y": typed_array(np.concatenate([[NOWHERE, NOWHERE], shown.row]), "i4"),
        "width": 1 - min(1.6 / rows.row_px, 0.2),
        "hovertext": ["", "", *(text[container] for container in containers)],
        "hoverinfo": "text",
        "customdata": [-1, -1, *containers],
        "marker": {"color": phase.colour(dark)},
    }


def _marker(phase: theme.Phase, killed: bool, highlighted: bool, any_highlighted: bool, wide: bool, dark: bool) -> dict:
    look = theme.look(dark)
    found: dict = {"line": {"width": 0}}
    if any_highlighted:
        found = {"line": {"width": 1.2, "color": look.ink}} if highlighted else {"line": {"width": 0}, "opacity": DIM}
    elif wide:
        found = {"line": {"width": 0.8, "color": look.paper}}
    if killed:
        under = theme.faded(phase.colour(dark), 0.35)
        found["pattern"] = {"shape": theme.KILLED.hatch, "fgcolor": theme.KILLED.colour(dark), "bgcolor": under, "size": 6, "solidity": 0.35}
    elif phase.hatch:
        found["pattern"] = {"shape": phase.hatch, "fgcolor": theme.hatching(phase.key, dark), "bgcolor": phase.colour(dark), "size": 6, "solidity": 0.2}
    return found


def _labels(run: Run, slices: Slices, ms_per_px: float) -> np.ndarray:
    """str[slices]: as much of the job's name as fits into the bar, unless the last bar with a name left of it says the same."""
    names = run.workload.job_names
    jobs = run.containers.job[slices.container]
    room = (((slices.end - slices.start) / ms_per_px - 8) / CHARACTER_PX).astype(np.int64)
    fits = room >= np.minimum([len(name) for name in names], LEAST_CHARACTERS)[jobs]
    order = np.lexsort((slices.start, slices.row))
    order = order[fits[order]]
    repeated = (slices.row[order][1:] == slices.row[order][:-1]) & (jobs[order][1:] == jobs[order][:-1])
    found = np.full(len(jobs), "", object)
    for place in order[np.concatenate([[True], ~repeated])[: len(order)]].tolist():
        found[place] = escaped(shortened(names[jobs[place]], int(room[place])))
    return found


def _lettering(labels: np.ndarray, size: float, colour: str) -> dict:
    if not labels.any():
        return {}
    return {
        "text": ["", "", *labels.tolist()],
        "textposition": "inside",
        "insidetextanchor": "start",
        "textangle": 0,
        "textfont": {"size": size, "color": colour},
        "constraintext": "none",
    }
