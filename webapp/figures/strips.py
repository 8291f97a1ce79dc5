"""Two runs one above the other: a small Gantt picture of each, on the same rows and the same time axis."""

from __future__ import annotations

import numpy as np

from engine import KILLED, Run
from webapp import theme
from webapp.figures import raster
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.rows import Rows, rows, shared_rows
from webapp.figures.slices import slices
from webapp.figures.story import whole
from webapp.figures.typed import escaped, shortened

STRIP_PX = 150
ROW_PX = 14
CHARACTER_PX = 7


def strips_figure(a: Run, b: Run, *, dark: bool = False, width: int = 700) -> dict:
    """a on top of b; a row is the same lane of the same node in both."""
    window = whole((a, b))
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    needed = shared_rows((a, b))
    panels, images = [], []
    for number, run in enumerate((a, b)):
        image, of = strip(run, needed, window, plot, dark)
        images.append(image | {"yref": "y2" if number else "y"})
        axis = {"range": [of.bottom, -0.5], "showticklabels": False, "title": {"text": "nodes", "standoff": 4, "font": {"size": 11}}}
        title = escaped(shortened(run.scheduler, int(plot / CHARACTER_PX)))
        panels.append(Panel(title, of.px, [], axis))
    panels[0] = panels[0]._replace(traces=_keys((a, b), dark))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["images"] = images
    figure["layout"]["xaxis"]["fixedrange"] = True
    return figure


def strip(run: Run, needed: np.ndarray, window: tuple[int, int], width: int, dark: bool) -> tuple[dict, Rows]:
    """The picture of a whole run as an entry of layout.images, and its rows. The only use made here of how Gantt charts are drawn."""
    of = rows(needed, run.workload.node_racks)
    per_px = -(-of.count // STRIP_PX)
    px = -(-of.count // per_px) if per_px > 1 else of.count * min(STRIP_PX // of.count, ROW_PX)
    of = of._replace(px=px, per_px=per_px)
    return raster.picture(slices(run, of.first), of, window, width, dark), of


def _keys(runs: tuple[Run, ...], dark: bool) -> list[dict]:
    """Bars of nothing, for the legend alone."""
    phases = [*theme.PHASES, *([theme.KILLED] if any((run.containers.outcome == KILLED).any() for run in runs) else [])]
    found = []
    for phase in phases:
        marker: dict = {"color": phase.colour(dark)}
        if phase.hatch:
            marker["pattern"] = {"shape": phase.hatch, "fgcolor": theme.hatching(phase.key, dark), "bgcolor": phase.colour(dark), "size": 6, "solidity": 0.2}
        found.append({"type": "bar", "x": [None], "y": [None], "name": phase.title, "showlegend": True, "marker": marker, "hoverinfo": "skip"})
    return found
