"""The story of a run: Gantt chart, memory, vcores and where the capacity goes, one under the other on one time axis."""

from __future__ import annotations

import numpy as np

from engine import CapacitySplit, Run, covered
from webapp import theme
from webapp.figures.frame import Panel, frame, margin
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.timeline import capacity_areas, gantt, raster, row_labels, usage_curves
from webapp.figures.timeline.capacity_raster import pieces
from webapp.figures.timeline.rows import UNIT_NAMES, Rows, rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import slices

MOST_BARS = 2000
LEAST_ROW_PX = 2  # bars of lower rows run into each other
MOST_STEPS = 20_000  # containers; the levels of more are means over pixels
CURVE_PX = 62
SPLIT_PX = 120
CHARACTER_PX = 6.3
TAIL = 0.02  # of the whole time, room after the end
BESIDE = 0.5  # of the window, drawn on either side of it too, so that a drag shows no empty room


def run_figure(
    scene: Scene,
    found: CapacitySplit | None,
    *,
    window: tuple[int, int] | None = None,
    all_of: tuple[int, int] | None = None,
    highlight: str | None = None,
    dark: bool = False,
    width: int = 900,
    of: Rows | None = None,
    resource: str = "vcores",
) -> dict:
    """A figure dict of a run in `window` (ms; None: all of it), its chart `width` pixels wide, margins included.

    all_of: the window that shows all of the runs side by side; found: the capacity split, None leaves that panel out; highlight: a
    selection, the rest is dimmed; of: the rows that runs side by side share, and which of them are looked at; resource: "vcores" or
    "memory", what the split is of. layout.meta: mode "exact" (bars) or "raster" (a picture of the window), slices in the window, rows left
    out by a filter, and complete: a figure of the whole run then holds all there is, and zooming needs no other.
    """
    run = scene.run
    all_of = all_of or whole((run,))
    window = window or all_of
    sides = margin(width)
    of = of or rows((scene,))
    pixels = max(width - sides["l"] - sides["r"], 1)
    drawn, plot = _beside(window, all_of, pixels)
    top, images = _gantt(scene, of, drawn, plot, highlight, dark)
    changes = len(found.times) if found else 0
    short = len(scene.container) <= MOST_BARS and changes <= pixels and len(run.containers.job) <= pixels
    complete = of.seen is None and of.row_px >= LEAST_ROW_PX and not of.whole.any() and short
    looked = int(_looked(scene, of, window).sum())
    meta = {"mode": "raster" if images else "exact", "slices": looked, "hidden": of.hidden, "complete": bool(complete), "rows": of.count}
    shapes, names = row_labels.marks(of, sides["l"], dark)
    beside = row_labels.axis(of, int((sides["l"] - (22 if shapes else 8)) / CHARACTER_PX))
    panels = [Panel(_title(of), of.px, top, beside | {"fixedrange": of.seen is None})]
    resources = {"memory": usage_curves.memory(run), "vcores": usage_curves.vcores(run)}
    levels = {key: capacity_areas.levels(found, what.unit, drawn, plot) for key, what in resources.items()} if found else {}
    for key, what in resources.items():
        every, highlighted = _held(scene, what, levels.get(key), drawn, plot, highlight)
        traces, axis = usage_curves.curve(every, highlighted, what, drawn, plot, dark)
        panels.append(Panel(f"{what.title} in use", CURVE_PX, traces, axis))
    if found is not None:
        what = resources[resource]
        traces, axis = capacity_areas.areas(levels[resource], what, drawn, plot, dark)
        image: tuple[dict, ...] = ()
        if levels[resource].even:
            traces, image = _pictured(traces), (pieces(levels[resource], axis["range"][1], what.per, SPLIT_PX, dark),)
        panels.append(Panel(f"Where the capacity goes ({what.unit})", SPLIT_PX, traces, axis, images=image))
    figure = frame(panels, window, sides, dark)
    figure["layout"]["annotations"] += names
    figure["layout"]["images"] += images
    figure["layout"] |= {"shapes": shapes, "meta": meta, "uirevision": run.scenario.digest}
    return figure


def _pictured(traces: list[dict]) -> list[dict]:
    """The areas' traces where an image stands for them: their names alone, for the legend of a picture that leaves the page, and what the pointer reads."""
    nothing = {"x": [None], "y": [None]}
    return [
        {key: value for key, value in trace.items() if key not in ("x0", "dx", "stackgroup", "fill")} | nothing | {"marker": {"symbol": "square"}}
        if trace.get("showlegend")
        else trace
        for trace in traces
        if trace.get("showlegend") or "hovertext" in trace
    ]


def whole(runs: tuple[Run, ...] | list[Run]) -> tuple[int, int]:
    """The window that shows all of the runs, in ms: from the first arrival to a little after the last end."""
    first, until = min(run.first_ms for run in runs), max(run.until_ms for run in runs)
    return first, until + max(round(TAIL * (until - first)), 1)


def _title(of: Rows) -> str:
    unit = UNIT_NAMES[of.wanted.by]
    if not of.whole.any():
        return f"Containers by {unit}"
    high = float(of.full[~of.laned & (of.first >= 0)].max(initial=1))
    return f"Vcores held by {unit}; a full row is {theme.vcores(high) if of.by_job or np.ptp(of.full) == 0 else 'all it has'}"


def _beside(window: tuple[int, int], all_of: tuple[int, int], pixels: int) -> tuple[tuple[int, int], int]:
    """What is drawn, in ms: the window and some of what is on either side of it; and its width in pixels, at the window's scale."""
    more = round(BESIDE * (window[1] - window[0]))
    drawn = min(window[0], max(window[0] - more, all_of[0])), max(window[1], min(window[1] + more, all_of[1]))
    return drawn, max(round(pixels * (drawn[1] - drawn[0]) / (window[1] - window[0])), 1)


def _looked(scene: Scene, of: Rows, window: tuple[int, int]) -> np.ndarray:
    """bool[slices]: those in the window and the rows looked at."""
    within = scene.within(window)
    if of.seen is None and not of.hidden:
        return within
    first, count = of.drawn
    row = of.of(scene)[scene.container]
    return within & (row >= first) & (row < first + count)


def _gantt(scene: Scene, of: Rows, drawn: tuple[int, int], plot: int, highlight: str | None, dark: bool) -> tuple[list[dict], list[dict]]:
    """Traces and images of the Gantt chart."""
    first, count = of.drawn
    seen = _looked(scene, of, drawn)
    if seen.sum() > MOST_BARS or of.row_px < LEAST_ROW_PX or of.whole[first : first + count].any():
        return [], [raster.picture(scene, of, drawn, plot, dark, highlight)]
    shown = slices(scene, of, None if len(seen) <= MOST_BARS else seen, highlight)
    traces = gantt.bars(scene.run, shown, of, (drawn[1] - drawn[0]) / plot, not shown.highlighted.all() or _is_chosen(scene.run, highlight), dark)
    return traces + gantt.open_ends(scene.run, shown, dark), []


def _is_chosen(run: Run, highlight: str | None) -> bool:
    return highlighted_containers(run, highlight) is not None or chosen_phase(highlight, raster.KEYS) is not None


def _held(
    scene: Scene, what: usage_curves.Resource, levels: capacity_areas.Levels | None, window: tuple[int, int], plot: int, highlight: str | None
) -> tuple[usage_curves.Steps, usage_curves.Steps | None]:
    """What is in use, and the part of what is highlighted, None when nothing is."""
    run = scene.run
    short = len(run.containers.job) <= MOST_STEPS
    every = levels.held if levels and not short else usage_curves.used(run, what.size)
    chosen, phase = highlighted_containers(run, highlight), chosen_phase(highlight, raster.KEYS)
    if chosen is None and phase is None:
        return every, None
    if chosen is not None and short:
        return every, usage_curves.used(run, what.size, chosen)
    edges = np.linspace(window[0], window[1], plot + 1)
    line = np.zeros(len(run.containers.job), np.int32) if chosen is None else np.where(chosen, 0, -1).astype(np.int32)
    size = what.size[run.containers.job * 3 + run.containers.kind].astype(float)
    cells = covered(scene.container, scene.phase, scene.start, scene.end, line, size, window, (1, raster.PHASES, plot))[0]
    level = cells.sum(axis=0) if phase is None else cells[phase]
    return every, usage_curves.Steps(edges, np.concatenate([level, level[-1:]]))
