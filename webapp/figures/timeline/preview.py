"""What the charts show while a number moves: the same rows, bars, curves and areas as the figures, as bytes that a script draws at once.

All that the preview needs of the figures' own code is called here and nowhere else, so both stay alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from typing import Any

import numpy as np

from engine import PARTS, CapacitySplit, Run
from webapp import theme
from webapp.figures.highlight import highlighted_containers
from webapp.figures.plotly_arrays import typed_array
from webapp.figures.timeline import raster, run_chart, usage_curves
from webapp.figures.timeline.capacity_areas import SAME
from webapp.figures.timeline.row_labels import axis, parents
from webapp.figures.timeline.rows import AS_USUAL, Rows, Wanted, rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.slices import Slices, slices

FINE = 65_535  # a place along the time axis, u2
TALL = 255  # a level of a curve, u1
KILLED_BIT, DIM_BIT = 8, 16  # of a bar's kind, over the number of its phase
MARGIN_PX = 22  # of the left margin, not for names


def previews(
    runs: Sequence[Run],
    splits: Sequence[CapacitySplit],
    *,
    window: tuple[int, int] | None,
    plot: int,
    left: int,
    highlight: str | None,
    dark: bool,
    wanted: Wanted = AS_USUAL,
    seen: tuple[float, float] | None = None,
) -> dict:
    """window: ms, None for all of every run; plot, left: pixels of the time axis and of the margin before it; wanted, seen: the rows, as in Rows.

    window of the answer in seconds; charts: one a run, `gantt`, `curves` (memory, vcores) and `areas`.
    """
    window = window or run_chart.whole(list(runs))
    scenes = [Scene(run) for run in runs]
    of = rows(scenes, wanted).looked(seen)
    charts = [_chart(scene, split, of, window, plot, highlight, dark) for scene, split in zip(scenes, splits, strict=True)]
    return {"window": [ms / 1000 for ms in window], "rows": _rows(of, left), "charts": charts}


def colours(dark: bool) -> dict[str, Any]:
    """What the script paints with: a phase's colour and hatch by the number of a bar's kind and of a part of the capacity, and the page's own."""
    plain = lambda phase: {"colour": phase.colour(dark), "hatch": phase.hatch, "over": theme.hatching(phase.key, dark)}
    parts = [theme.BY_KEY[SAME.get(part.key, part.key)] for part in PARTS]
    return {
        "phases": [plain(phase) for phase in theme.PHASES],
        "parts": [plain(phase) for phase in parts],
        "killed": plain(theme.KILLED) | {"under": [theme.faded(phase.colour(dark), 0.35) for phase in theme.PHASES]},
        "dim": raster.DIM,
        "look": theme.look(dark)._asdict(),
        "font": theme.FONT,
    }


def _rows(of: Rows, left: int) -> dict[str, Any]:
    """Height of the Gantt chart, its names and lines; places in rows."""
    marked = parents(of)
    found = axis(of, int((left - MARGIN_PX * (len(marked) > 1)) / run_chart.CHARACTER_PX))
    return {
        "px": of.px,
        "top": of.range[0],
        "bottom": of.range[1],
        "row": of.row_px,
        "names": [unescape(text) for text in found["ticktext"]],
        "at": found["tickvals"],
        "lines": found.get("minor", {}).get("tickvals", []),
        "racks": [first - 0.5 for _, first, _ in marked[1:]],
    }


def _chart(scene: Scene, split: CapacitySplit, of: Rows, window: tuple[int, int], plot: int, highlight: str | None, dark: bool) -> dict[str, Any]:
    run = scene.run
    seen = slices(scene, of, scene.within(window), highlight)
    if len(seen.row) > run_chart.MOST_BARS or of.row_px < run_chart.LEAST_ROW_PX or of.whole.any():
        image = raster.picture(scene, of, window, plot, dark, highlight)
        gantt = {"picture": image["source"], "from": image["y"], "until": image["y"] + image["sizey"]}
    else:
        gantt = _bars(seen, window)
    highlighted, resources = highlighted_containers(run, highlight), (usage_curves.memory(run), usage_curves.vcores(run))
    return {"gantt": gantt, "curves": [_curve(run, of, window, plot, highlighted) for of in resources], "areas": _areas(split, resources[1], window, plot)}


def _bars(shown: Slices, window: tuple[int, int]) -> dict[str, Any]:
    span = window[1] - window[0]
    places = [np.clip((at - window[0]) * (FINE / span), 0, FINE) for at in (shown.start, shown.end)]
    kind = shown.phase + KILLED_BIT * shown.killed + DIM_BIT * ~shown.highlighted
    return {"x0": _bytes(places[0], "u2"), "x1": _bytes(places[1], "u2"), "row": _bytes(shown.row, "u2"), "kind": _bytes(kind, "u1")}


def _curve(run: Run, of: usage_curves.Resource, window: tuple[int, int], plot: int, highlighted: np.ndarray | None) -> dict[str, Any]:
    """Lowest and highest level in each pixel of the time axis, and the part held by the highlighted job; of `TALL`, which is the axis' upper end."""
    every = usage_curves.used(run, of.size)
    scale = usage_curves.level_axis(of.capacity / of.per, max(of.capacity, float(every.level.max())) / of.per)
    top = scale["range"][1] * of.per
    low, high = _extent(every, window, plot)
    found = {"low": _bytes(low * TALL / top, "u1"), "high": _bytes(high * TALL / top, "u1"), "full": of.capacity / top}
    found |= {"ticks": _ticks(scale), "title": of.title}
    if highlighted is not None:
        found["highlighted"] = _bytes(_extent(usage_curves.used(run, of.size, highlighted), window, plot)[1] * TALL / top, "u1")
    return found


def _extent(steps: usage_curves.Steps, window: tuple[int, int], plot: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest level in each of `plot` pixels of the window."""
    inside = usage_curves.within(steps, window)
    edges = window[0] + (window[1] - window[0]) * np.arange(plot + 1) / plot
    held = np.maximum(np.searchsorted(inside.time[:-1], edges[:-1], "right") - 1, 0)  # the level that holds where a pixel begins
    until = np.maximum(np.searchsorted(inside.time[:-1], edges[1:], "left"), held + 1)
    places = np.stack([held, until], axis=1).ravel()
    level = np.append(inside.level[:-1], inside.level[-1])
    return np.minimum.reduceat(level, places)[::2], np.maximum.reduceat(level, places)[::2]


def _areas(split: CapacitySplit, of: usage_curves.Resource, window: tuple[int, int], plot: int) -> dict[str, Any]:
    """Upper edge of each part that is ever there, in each pixel, means over its time: parts[i] is an index into PARTS, edges[i] its bytes."""
    parts = split.vcores.parts.clip(0)
    top = usage_curves.level_axis(of.capacity, max(of.capacity, float(parts.sum(axis=1).max(initial=0))))
    present = np.flatnonzero(parts.any(axis=0))
    edges = np.linspace(window[0], window[1], plot + 1)
    spent = np.concatenate([np.zeros((1, len(present))), np.cumsum(np.cumsum(parts[:, present], axis=1) * np.diff(split.times)[:, None], axis=0)])
    stacked = [np.diff(np.interp(edges, split.times, column)) * (TALL / top["range"][1] * plot / (window[1] - window[0])) for column in spent.T]
    return {"parts": present.tolist(), "edges": [_bytes(edge, "u1") for edge in stacked], "ticks": _ticks(top), "title": f"Where the capacity goes ({of.unit})"}


def _ticks(axis: dict) -> list[list]:
    """(place from the bottom as a share, text) of each."""
    return [[value / axis["range"][1], text] for value, text in zip(axis["tickvals"], axis["ticktext"])]


def _bytes(values: np.ndarray, kind: str) -> str:
    return typed_array(np.rint(values), kind)["bdata"]
