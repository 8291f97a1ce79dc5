"""The story of a run: Gantt chart, memory, vcores and where the capacity goes, one under the other on one time axis."""

from __future__ import annotations

import numpy as np

from engine import CapacitySplit, Run
from webapp.figures import curves, gantt, raster
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.rows import Rows, axis, rows, shared_rows
from webapp.figures.slices import Slices, lit_jobs, slices, visible
from webapp.figures.split import areas

MOST_BARS = 2000
LEAST_ROW_PX = 2  # bars of lower rows run into each other
CURVE_PX = 62
SPLIT_PX = 120
CHARACTER_PX = 6.3
TAIL = 0.02  # of the whole time, room after the end


def run_figure(
    run: Run,
    split: CapacitySplit | None,
    *,
    window: tuple[int, int] | None = None,
    highlight: str | None = None,
    dark: bool = False,
    width: int = 900,
    needed: np.ndarray | None = None,
    nodes: tuple[int, int] | None = None,
    resource: str = "vcores",
) -> dict:
    """A figure dict of the run in `window` (ms; None: all of it), its chart `width` pixels wide, margins included.

    highlight: a job's name, the others are dimmed; needed: rows of each node as `shared_rows` gives them for runs side by side;
    nodes: shows those from the one index to before the other only; resource: "vcores" or "memory", what the split is of; split None
    leaves that panel out. layout.meta: mode "exact" (bars) or "raster" (a picture of the window), slices in the window, and complete:
    a figure of the whole run then holds all there is, and zooming needs no other.
    """
    window = window or whole((run,))
    sides = margin(width)
    plot = max(width - sides["l"] - sides["r"], 1)
    work = run.workload
    of = rows(shared_rows((run,)) if needed is None else needed, work.node_racks, nodes)
    every = slices(run, of.first, highlight)
    lit = lit_jobs(run, highlight)
    every = every.take(every.row >= 0)
    top, images, count = _gantt(run, every, of, window, plot, not lit.all(), dark)
    pieces = len(split.times) if split else 0
    complete = of.row_px >= LEAST_ROW_PX and len(every.row) <= MOST_BARS and pieces <= plot and len(run.containers.job) <= plot
    meta = {"mode": "raster" if images else "exact", "slices": count, "complete": bool(complete)}
    shapes, names = gantt.rack_marks(of, work.node_racks, sides["l"], dark)
    labels = axis(of, work.node_names, int((sides["l"] - (22 if shapes else 8)) / CHARACTER_PX))
    panels = [Panel("Containers by node", of.px, top, labels)]
    resources = {"memory": curves.memory(run), "vcores": curves.vcores(run)}
    for what in resources.values():
        traces, levels = curves.curve(run, what, window, plot, lit, dark)
        panels.append(Panel(f"{what.title} in use", CURVE_PX, traces, levels))
    if split is not None:
        what = resources[resource]
        traces, levels = areas(split, what, window, plot, dark)
        panels.append(Panel(f"Where the capacity goes ({what.unit})", SPLIT_PX, traces, levels))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["annotations"] += names
    figure["layout"] |= {"images": images, "shapes": shapes, "meta": meta, "uirevision": run.scenario.digest}
    return figure


def whole(runs: tuple[Run, ...] | list[Run]) -> tuple[int, int]:
    """The window that shows all of the runs, in ms: from the first arrival to a little after the last end."""
    first, until = min(run.first_ms for run in runs), max(run.until_ms for run in runs)
    return first, until + max(round(TAIL * (until - first)), 1)


def _gantt(run: Run, every: Slices, of: Rows, window: tuple[int, int], plot: int, highlighted: bool, dark: bool) -> tuple[list[dict], list[dict], int]:
    """Traces and images of the Gantt chart, and how many slices the window shows."""
    seen = visible(every, window)
    count = int(seen.sum())
    if count > MOST_BARS or of.row_px < LEAST_ROW_PX:
        return [], [raster.picture(every.take(seen), of, window, plot, dark)], count
    shown = every if len(seen) <= MOST_BARS else every.take(seen)
    traces = gantt.bars(run, shown, of, (window[1] - window[0]) / plot, highlighted, dark)
    return traces + gantt.open_ends(run, shown, dark), [], count
