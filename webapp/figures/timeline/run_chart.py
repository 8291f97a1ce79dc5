"""The chart of a run as SVG: Gantt chart, and below it strips of what is in use and of where the capacity goes, on one time axis."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine import CapacitySplit, Run, covered
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.timeline import capacity_areas, gantt, levels, lost_nodes, raster, row_names, svg, usage_curves
from webapp.figures.timeline.colouring import PHASE, Colouring
from webapp.figures.timeline.levels import Strip
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import slices

MOST_BARS = 4000  # drawn as bars; more are a picture
LEAST_ROW_PX = 2  # bars of lower rows run into each other
MOST_STEPS = 20_000  # containers; the levels of more are means over pixels
TAIL = 0.02  # of the whole time, room after the end
STRIPS = ("memory", "vcores", "capacity")


class RunChart(NamedTuple):
    """What is drawn of a run: SVG text of the Gantt chart, and of its strips by key; where that belongs, and what of it there is.

    rows: first row drawn and the one after the last; exact: every slice is a bar; slices: in the window.
    """

    gantt: str
    names: str
    strips: tuple[tuple[Strip, int], ...]
    place: Place
    rows: tuple[float, float]
    exact: bool
    slices: int


def run_chart(
    scene: Scene,
    split: CapacitySplit | None,
    of: Rows,
    place: Place,
    *,
    room: float = 92,
    strips: dict[str, int] | None = None,
    highlight: str | None = None,
    colouring: Colouring = PHASE,
    dark: bool = False,
) -> RunChart:
    """split: None where no strip is wanted; of: the rows that runs side by side share, which of them are looked at, and their height;
    room: px of the margin that their names stand in; strips: of STRIPS, each with its height in px; highlight: a selection, the rest is dimmed.
    """
    seen = _looked(scene, of, place.drawn)
    first, count = of.drawn
    exact = seen.sum() <= MOST_BARS and of.row_px >= LEAST_ROW_PX and not of.whole[first : first + count].any()
    until = first + count
    if exact:
        shown = slices(scene, of, seen, highlight)
        drawn = gantt.bars(scene.run, shown, of, place, colouring, _is_chosen(scene.run, highlight))
    else:
        source, first, until = raster.picture(scene, of, place.drawn, place.px, dark, highlight, colouring)
        drawn = svg.picture(source, 0, 0, place.px, (until - first) * of.row_px)
    parts = svg.drawing(place.px, (until - first) * of.row_px, drawn, lost_nodes.bands(scene, of, place), row_names.lines(of, place.px))
    beside = tuple((strip, high) for strip, high in _strips(scene, split, place, strips or {}, highlight))
    looked = int((seen & scene.within(place.window)).sum())
    return RunChart(parts, row_names.names(of, room), beside, place, (first, until), bool(exact), looked)


def whole(runs: tuple[Run, ...] | list[Run]) -> tuple[int, int]:
    """The window that shows all of the runs, in ms: from the first arrival to a little after the last end."""
    first, until = min(run.first_ms for run in runs), max(max(run.until_ms, int(run.containers.end.max(initial=0))) for run in runs)
    return first, until + max(round(TAIL * (until - first)), 1)


def _strips(scene: Scene, split: CapacitySplit | None, place: Place, wanted: dict[str, int], highlight: str | None) -> list[tuple[Strip, int]]:
    if split is None or not wanted:
        return []
    resources = {"memory": usage_curves.memory(scene.run), "vcores": usage_curves.vcores(scene.run)}
    parts = functools.cache(lambda unit: capacity_areas.levels(split, unit, place.drawn, place.px))
    found = []
    for key, what in resources.items():
        if key in wanted:
            every, highlighted = _held(scene, what, parts, place, highlight)
            found.append((levels.curve(key, every, highlighted, what, place, wanted[key]), wanted[key]))
    if "capacity" in wanted:
        what = resources["vcores"]
        found.append((levels.areas(parts(what.unit), what, place, wanted["capacity"]), wanted["capacity"]))
    return found


def _looked(scene: Scene, of: Rows, window: tuple[int, int]) -> np.ndarray:
    """bool[slices]: those in the window and the rows looked at."""
    within = scene.within(window)
    if of.seen is None and not of.hidden:
        return within
    first, count = of.drawn
    row = of.of(scene)[scene.container]
    return within & (row >= first) & (row < first + count)


def _is_chosen(run: Run, highlight: str | None) -> bool:
    return highlighted_containers(run, highlight) is not None or chosen_phase(highlight, raster.KEYS) is not None


def _held(
    scene: Scene, what: usage_curves.Resource, parts: Callable[[str], capacity_areas.Levels], place: Place, highlight: str | None
) -> tuple[usage_curves.Steps, usage_curves.Steps | None]:
    """What is in use, and the part of what is highlighted, None when nothing is. parts: where the capacity goes, by the unit of a resource."""
    run, window, px = scene.run, place.drawn, place.px
    short = len(run.containers.job) <= MOST_STEPS
    every = usage_curves.used(run, what.size) if short else parts(what.unit).held
    chosen, phase = highlighted_containers(run, highlight), chosen_phase(highlight, raster.KEYS)
    if chosen is None and phase is None:
        return every, None
    if chosen is not None and short:
        return every, usage_curves.used(run, what.size, chosen)
    edges = np.linspace(window[0], window[1], px + 1)
    line = np.zeros(len(run.containers.job), np.int32) if chosen is None else np.where(chosen, 0, -1).astype(np.int32)
    size = what.size[run.containers.job * 3 + run.containers.kind].astype(float)
    cells = covered(scene.container, scene.phase, scene.start, scene.end, line, size, window, (1, raster.PHASES, px))[0]
    level = cells.sum(axis=0) if phase is None else cells[phase]
    return every, usage_curves.Steps(edges, np.concatenate([level, level[-1:]]))


def plain(chart: RunChart, room: float) -> dict[str, Any]:
    """As the page gets it; times in ms, heights in px. room: as in run_chart."""
    strips = [
        {
            "key": strip.key,
            "title": strip.title,
            "px": high,
            "ticks": [[round(at, 1), words] for at, words in strip.ticks],
            "svg": svg.drawing(chart.place.px, high, strip.parts),
        }
        for strip, high in chart.strips
    ]
    return {
        "gantt": chart.gantt,
        "names": f'<svg width="{room:g}" height="100%" aria-hidden="true">{chart.names}</svg>',
        "strips": strips,
        "drawn": {"x0": chart.place.drawn[0], "x1": chart.place.drawn[1], "y0": chart.rows[0], "y1": chart.rows[1]},
        "exact": chart.exact,
        "slices": chart.slices,
    }
