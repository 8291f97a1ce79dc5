"""What a pointer into a Gantt chart finds, where a container is drawn, and which one stands beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine import NONE, PARTS, CapacitySplit, Run
from webapp import theme
from webapp.figures import Rows, Scene
from webapp.figures.highlight import Selection, chosen_phase, highlighted_containers
from webapp.figures.timeline import capacity_areas, lost_nodes, usage_curves
from webapp.figures.timeline.raster import KEYS
from webapp.figures.timeline.rows import UNIT_NAMES

MOST = 1e15  # ms or rows from the start; also keeps out what is no number
PARTED = {"rack": "node", "user": "job", "queue": "job"}  # what an opened row of these is parted into


class Click(NamedTuple):
    """Where somebody pointed: the chart's number, the row and time (ms) there, and how far from a bar still counts."""

    number: int
    row: float
    ms: float
    near_rows: float
    near_ms: float

    @classmethod
    def of(cls, sent: Any) -> Click | None:
        """From what the page sent, which may be anything."""
        try:
            near = sent["near"]
            found = cls(
                int(sent["index"]),
                float(sent["row"] if sent.get("row") is not None else -1),
                float(sent["ms"]),
                abs(float(near["rows"])),
                abs(float(near["ms"])),
            )
        except (TypeError, KeyError, ValueError, OverflowError):
            return None
        return found if all(abs(one) < MOST for one in found) else None


def container_at(scene: Scene, of: Rows, row: float, ms: float, near_rows: float, near_ms: float) -> int | None:
    """Index into run.containers of what is drawn at a row and time, or the nearest within these distances; None where nothing is."""
    close = np.flatnonzero((scene.start <= ms + near_ms) & (scene.end >= ms - near_ms))
    rows = of.of(scene)[scene.container[close]]
    down = np.maximum(np.abs(rows - row) - 0.5, 0)
    aside = np.maximum(np.maximum(scene.start[close] - ms, ms - scene.end[close]), 0)
    chosen = np.flatnonzero((down <= near_rows) & (rows >= 0))
    if not len(chosen):
        return None
    away = aside[chosen] / max(near_ms, 1e-9) + down[chosen] / max(near_rows, 1e-9)
    return int(scene.container[close[chosen[np.lexsort((down[chosen], away))[0]]]])  # of two as far, the one in the row


def group_of(of: Rows, place: int) -> Selection | None:
    """What a row belongs to: a node, job …; None where there is no such row."""
    if not 0 <= place < of.starts[-1]:
        return None
    group = int(np.searchsorted(of.starts, place, "right")) - 1
    kind = UNIT_NAMES[of.wanted.by]
    if of.parents[group] in of.wanted.opened and kind in PARTED:
        kind = PARTED[kind]
    return Selection(kind, of.names[group])


def extent(scene: Scene, of: Rows, highlight: str | None) -> tuple[int, int, int, int] | None:
    """(first start, last end, uppermost row, the one below the lowest) of the containers of what is highlighted; None without any."""
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)
    mask = chosen[scene.container] if chosen is not None else scene.phase == phase if phase is not None else np.zeros(0, bool)
    some = np.flatnonzero(mask)
    if not len(some):
        return None
    row = of.of(scene)[scene.container[some]]
    shown = row[row >= 0] if (row >= 0).any() else np.array([0, of.count - 1])
    return int(scene.start[some].min()), int(scene.end[some].max()), int(shown.min()), int(shown.max()) + 1


def group_at(scene: Scene, of: Rows, row: float, ms: float) -> dict[str, Any] | None:
    """What a row that holds all of something holds just then, in words; None for a row that is a lane."""
    place = round(row)
    if not 0 <= place < len(of.whole) or not of.whole[place]:
        return None
    now = np.flatnonzero((scene.start <= ms) & (scene.end > ms))
    now = now[of.of(scene)[scene.container[now]] == place]
    group = group_of(of, place)
    counts = np.bincount(scene.phase[now], minlength=len(theme.PHASES))
    held = np.bincount(scene.phase[now], scene.vcores[scene.container[now]], len(theme.PHASES))
    every = zip(theme.PHASES, counts.tolist(), held.tolist())
    lost = lost_nodes.band_at(scene, of, row, ms)
    lines = lost[1:] if lost else []
    lines += [f"{phase.title}: {theme.count(count, 'containers')}, {theme.vcores(amount)}" for phase, count, amount in every if count]
    text = [group.name, f"at {theme.moment(ms)}", *(lines or ["holds nothing"])]
    return {"text": text, "row": place, "group": group.text}


def levels_at(run: Run, split: CapacitySplit, strip: str, ms: int) -> list[str]:
    """What a strip shows at a time, in words, the time first. strip: of run_chart's STRIPS."""
    of = usage_curves.memory(run) if strip == "memory" else usage_curves.vcores(run)
    now = capacity_areas.levels(split, of.unit, (ms, ms + 1), 1)
    parts = now.level[0]
    words = lambda level: f"{theme.count(level / of.per, of.unit)}, {theme.percent(level / of.capacity)}"
    head = f"at {theme.moment(ms)}"
    if strip != "capacity":
        return [head, f"{words(parts[: capacity_areas.HELD].sum())} in use"]
    phases = [*(theme.BY_KEY[capacity_areas.SAME.get(part.key, part.key)] for part in PARTS), theme.WASTED]
    return [head, *(f"{phase.title}: {words(level)}" for phase, level in zip(phases, parts.tolist()) if level > 0)]


def first_from(run: Run, ms: float) -> int | None:
    """The first container placed at this time or later, else the last one; None in a run without any."""
    starts = run.containers.start
    return min(int(np.searchsorted(starts, ms)), len(starts) - 1) if len(starts) else None


def first_seen(scene: Scene, of: Rows, window: tuple[int, int]) -> int | None:
    """The first container that runs within a window, of the uppermost row looked at that has one."""
    c = scene.run.containers
    first, count = of.drawn
    row = of.of(scene)
    some = np.flatnonzero((row >= first) & (row < first + count) & (c.start < window[1]) & ((c.end > window[0]) | (c.end == NONE)))
    return int(some[np.lexsort((c.start[some], row[some]))[0]]) if len(some) else None


def beside(scene: Scene, of: Rows, container: int, by: int) -> int | None:
    """The container of the same row that starts next (by 1) or before (by -1); None where there is none."""
    row = of.of(scene)
    mates = np.flatnonzero(row == row[container]) if row[container] >= 0 else np.array([container])
    mates = mates[np.argsort(scene.run.containers.start[mates], kind="stable")]
    place = int(np.flatnonzero(mates == container)[0]) + by
    return int(mates[place]) if 0 <= place < len(mates) else None


def bar(scene: Scene, of: Rows, container: int) -> dict[str, int]:
    """Where the page finds the bar of a container: its row (below 0: it is not shown), and start and end in ms."""
    c, end = scene.run.containers, int(scene.run.containers.end[container])
    return {"row": int(of.of(scene)[container]), "start": int(c.start[container]), "end": scene.run.at_ms if end == NONE else end}
