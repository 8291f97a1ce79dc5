"""The chart of a run as SVG: Gantt chart, and below it strips of what is in use and of where the capacity
goes, on one time axis.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import CapacitySplit, requests_of
from webapp.figures.highlight import chosen_phase, highlighted_containers
from webapp.figures.timeline import (
    capacity_areas,
    gantt,
    outage_bands,
    raster,
    refusal_marks,
    row_labels,
    svg,
    usage_curves,
)
from webapp.figures.timeline.colouring import BY_PHASE, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import visible_slices
from webapp.figures.timeline.strips import Strip, capacity_strip, usage_strip
from webapp.figures.timeline.time_scale import TimeScale

MAX_BARS = 4000  # drawn as bars; more are a picture
MIN_ROW_PX = 2  # bars of lower rows run into each other
MIN_SLOT_PX = 1  # of a slot of an executor in a row
MAX_STEPS = 20_000  # containers; the levels of more are means over pixels
END_MARGIN = 0.02  # of the whole time, room after the end
STRIPS = ("memory", "vcores", "capacity")


class RunChart(NamedTuple):
    """What is drawn of a run: SVG text of the Gantt chart, and of its strips by key; where that belongs, and
    what of it there is.

    rows: first row drawn and the one after the last; exact: every slice is a bar; slices: in the window.
    """

    gantt: str
    names: str
    strips: tuple[tuple[Strip, int], ...]
    time_scale: TimeScale
    rows: tuple[float, float]
    exact: bool
    slices: int


def run_chart(
    scene: Scene,
    split: CapacitySplit | None,
    row_layout: Rows,
    time_scale: TimeScale,
    *,
    margin_px: float = 92,
    strips: dict[str, int] | None = None,
    highlight: str | None = None,
    colouring: Colouring = BY_PHASE,
    dark: bool = False,
) -> RunChart:
    """split: None where no strip is wanted; row_layout: the rows that runs side by side share, which of them
    are looked at, and their height;
    margin_px: of the margin that their names stand in; strips: of STRIPS, each with its height in px;
    highlight: a selection, the rest is dimmed.
    """
    visible = _visible_mask(scene, row_layout, time_scale.drawn)
    first, count = row_layout.drawn
    exact = (
        visible.sum() <= MAX_BARS
        and row_layout.row_px >= MIN_ROW_PX
        and (scene.slots is None or row_layout.row_px >= MIN_SLOT_PX * scene.slots[visible].max(initial=0))
        and not row_layout.is_aggregate[first : first + count].any()
    )
    until = first + count
    if exact:
        shown = visible_slices(scene, row_layout, visible, highlight)
        any_highlighted = _is_any_highlighted(scene.run, highlight)
        drawn = gantt.draw_bars(scene.run, shown, row_layout, time_scale, colouring, any_highlighted)
    else:
        source, first, until = raster.draw_picture(
            scene, row_layout, time_scale.drawn, time_scale.px, dark, highlight, colouring
        )
        drawn = svg.image_element(source, 0, 0, time_scale.px, (until - first) * row_layout.row_px)
    drawing = svg.svg_element(
        time_scale.px,
        (until - first) * row_layout.row_px,
        drawn,
        outage_bands.draw_bands(scene, row_layout, time_scale),
        refusal_marks.draw_marks(scene, row_layout, time_scale),
        row_labels.draw_lines(row_layout, time_scale.px),
    )
    visible_count = int((visible & scene.within(time_scale.window)).sum())
    return RunChart(
        drawing,
        row_labels.draw_names(row_layout, margin_px),
        tuple(_strips(scene, split, time_scale, strips or {}, highlight)),
        time_scale,
        (first, until),
        bool(exact),
        visible_count,
    )


def full_window(runs: Sequence[Run]) -> tuple[int, int]:
    """The window that shows all of the runs, in ms: from the first arrival to a little after the last end."""
    first = min(run.first_ms for run in runs)
    until = max(max(run.until_ms, int(run.containers.end.max(initial=0))) for run in runs)
    return first, until + max(round(END_MARGIN * (until - first)), 1)


def _strips(
    scene: Scene,
    split: CapacitySplit | None,
    time_scale: TimeScale,
    heights: dict[str, int],
    highlight: str | None,
) -> Iterator[tuple[Strip, int]]:
    """Those that are wanted, each with its height."""
    if split is None:
        return
    resources = {"memory": usage_curves.memory_view(scene.run), "vcores": usage_curves.vcores_view(scene.run)}
    levels_of_unit = functools.cache(
        lambda unit: capacity_areas.capacity_levels(split, unit, time_scale.drawn, time_scale.px)
    )
    for key, resource in resources.items():
        if height := heights.get(key):
            total, highlighted = _usage(scene, resource, levels_of_unit, time_scale, highlight)
            yield usage_strip(key, total, highlighted, resource, time_scale, height), height
    if height := heights.get("capacity"):
        resource = resources["vcores"]
        yield capacity_strip(levels_of_unit(resource.unit), resource, time_scale, height), height


def _visible_mask(scene: Scene, row_layout: Rows, window: tuple[int, int]) -> np.ndarray:
    """bool[slices]: those in the window and the rows looked at."""
    within = scene.within(window)
    if row_layout.seen is None and not row_layout.hidden:
        return within
    first, count = row_layout.drawn
    row = row_layout.rows_of(scene)[scene.container]
    return within & (row >= first) & (row < first + count)


def _is_any_highlighted(run: Run, highlight: str | None) -> bool:
    chosen, phase = highlighted_containers(run, highlight), chosen_phase(highlight, raster.KEYS)
    return chosen is not None or phase is not None


def _usage(
    scene: Scene,
    resource: usage_curves.ResourceView,
    levels_of_unit: Callable[[str], capacity_areas.CapacityLevels],
    time_scale: TimeScale,
    highlight: str | None,
) -> tuple[usage_curves.StepFunction, usage_curves.StepFunction | None]:
    """What is in use, and the part of what is highlighted, None when nothing is. levels_of_unit: where
    the capacity goes, by the unit of a resource.
    """
    run, window, px = scene.run, time_scale.drawn, time_scale.px
    is_small = len(run.containers.job) <= MAX_STEPS
    total = usage_curves.usage(run, resource.size) if is_small else levels_of_unit(resource.unit).held
    chosen, phase = highlighted_containers(run, highlight), chosen_phase(highlight, raster.KEYS)
    if chosen is None and phase is None:
        return total, None
    if chosen is not None and is_small:
        return total, usage_curves.usage(run, resource.size, chosen)
    line = np.zeros(len(run.containers.job), np.int32)
    if chosen is not None:
        line[~chosen] = -1
    size = resource.size[requests_of(run.workload, run.containers)].astype(float)
    cells = scene.coverage(scene.phase, line, size, window, (1, scene.phase_count, px))[0]
    chosen_cells = cells if phase is None else cells[phase : phase + 1]  # none of a phase that it never has
    level = chosen_cells.sum(axis=0)
    edges = np.linspace(window[0], window[1], px + 1)
    return total, usage_curves.StepFunction(edges, np.append(level, level[-1]))


def chart_to_json(chart: RunChart, margin_px: float) -> dict[str, Any]:
    """As the page gets it; times in ms, heights in px. margin_px: as in run_chart."""
    strips = [
        {
            "key": strip.key,
            "title": strip.title,
            "px": height,
            "ticks": [[round(at, 1), words] for at, words in strip.ticks],
            "svg": svg.svg_element(chart.time_scale.px, height, strip.parts),
        }
        for strip, height in chart.strips
    ]
    return {
        "gantt": chart.gantt,
        "names": f'<svg width="{margin_px:g}" height="100%" aria-hidden="true">{chart.names}</svg>',
        "strips": strips,
        "drawn": dict(zip(("x0", "x1", "y0", "y1"), (*chart.time_scale.drawn, *chart.rows))),
        "exact": chart.exact,
        "slices": chart.slices,
    }
