"""What a pointer into a Gantt chart finds, where a container is drawn, and which one stands beside it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine import Run, quantities
from engine.dashboard import NONE, PARTS, CapacitySplit
from webapp import theme
from webapp.figures import Rows, Scene
from webapp.figures.highlight import Selection, chosen_phase, highlighted_containers
from webapp.figures.timeline import capacity_areas, outage_bands, refusal_marks, usage_curves
from webapp.figures.timeline.raster import KEYS
from webapp.figures.timeline.rows import UNIT_NAMES
from webapp.messages import msg

MAX_DECISIONS = 1e15  # ms or rows from the start; also keeps out what is no number
SUBGROUPS = {"rack": "node", "user": "job", "queue": "job"}  # what an opened row of these is split into


class Click(NamedTuple):
    """Where somebody pointed: the chart's number, the row and time (ms) there, and how far from a bar still
    counts.
    """

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
            click = cls(
                int(sent["index"]),
                float(sent["row"] if sent.get("row") is not None else -1),
                float(sent["ms"]),
                abs(float(near["rows"])),
                abs(float(near["ms"])),
            )
        except (TypeError, KeyError, ValueError, OverflowError):
            return None
        return click if all(abs(value) < MAX_DECISIONS for value in click) else None


def container_at(
    scene: Scene, row_layout: Rows, row: float, ms: float, near_rows: float, near_ms: float
) -> int | None:
    """Index into run.containers of what is drawn at a row and time, or the nearest within these distances;
    None where nothing is.
    """
    candidates = np.flatnonzero((scene.start <= ms + near_ms) & (scene.end >= ms - near_ms))
    rows = row_layout.rows_of(scene)[scene.container[candidates]]
    row_distance = np.maximum(np.abs(rows - row) - 0.5, 0)
    ms_distance = np.maximum(np.maximum(scene.start[candidates] - ms, ms - scene.end[candidates]), 0)
    chosen = np.flatnonzero((row_distance <= near_rows) & (rows >= 0))
    if not len(chosen):
        return None
    distance = ms_distance[chosen] / max(near_ms, 1e-9) + row_distance[chosen] / max(near_rows, 1e-9)
    # of two as far, the one in the row
    return int(scene.container[candidates[chosen[np.lexsort((row_distance[chosen], distance))[0]]]])


def task_at(scene: Scene, row_layout: Rows, container: int, row: float, ms: float) -> int | None:
    """Index into run.tasks of what a container's slot runs at a row and time; None where it runs nothing."""
    if scene.slot is None or scene.slots is None or scene.task is None:
        return None
    first, last = np.searchsorted(scene.container, [container, container + 1])
    part = slice(int(first), int(last))
    depth = row - float(row_layout.rows_of(scene)[container]) + 0.5
    slot = np.floor(depth * scene.slots[part])
    is_there = (scene.start[part] <= ms) & (scene.end[part] > ms) & (scene.task[part] != NONE)
    found = scene.task[part][is_there & (scene.slot[part] == slot)]
    return int(found[0]) if len(found) else None


def group_of(row_layout: Rows, row: int) -> Selection | None:
    """What a row belongs to: a node, job …; None where there is no such row."""
    if not 0 <= row < row_layout.starts[-1]:
        return None
    group = int(np.searchsorted(row_layout.starts, row, "right")) - 1
    kind = UNIT_NAMES[row_layout.options.by]
    if row_layout.parents[group] in row_layout.options.opened and kind in SUBGROUPS:
        kind = SUBGROUPS[kind]
    return Selection(kind, row_layout.names[group])


def extent(scene: Scene, row_layout: Rows, highlight: str | None) -> tuple[int, int, int, int] | None:
    """(first start, last end, uppermost row, the one below the lowest) of the containers of what is
    highlighted; None without any.
    """
    chosen, phase = highlighted_containers(scene.run, highlight), chosen_phase(highlight, KEYS)
    if chosen is None and phase is None:
        return None
    indices = np.flatnonzero(scene.phase == phase if chosen is None else chosen[scene.container])
    if not len(indices):
        return None
    row = row_layout.rows_of(scene)[scene.container[indices]]
    shown = row[row >= 0] if (row >= 0).any() else np.array([0, row_layout.row_count - 1])
    first, last = int(scene.start[indices].min()), int(scene.end[indices].max())
    return first, last, int(shown.min()), int(shown.max()) + 1


def group_at(scene: Scene, row_layout: Rows, row: float, ms: float) -> dict[str, Any] | None:
    """What a row that holds all of something holds just then, in words; where that is nothing, also what
    waits. None for a row that is a lane.
    """
    index = round(row)
    group = group_of(row_layout, index)
    if group is None or not row_layout.is_aggregate[index]:
        return None
    running = np.flatnonzero((scene.start <= ms) & (scene.end > ms))
    running = running[row_layout.rows_of(scene)[scene.container[running]] == index]
    held = scene.vcores[scene.container[running]].astype(float)
    if scene.slot is not None and scene.slots is not None:
        held /= np.where(scene.slot[running] == NONE, 1, scene.slots[running])
    vcores = np.bincount(scene.phase[running], held, len(theme.PHASES))
    of_phase = np.unique(np.stack([scene.phase[running], scene.container[running]]), axis=1)[0]
    counts = np.bincount(of_phase, minlength=len(theme.PHASES))
    lost_band = outage_bands.outage_at(scene, row_layout, row, ms)
    lines = lost_band[1:] if lost_band else []
    for phase, count, amount in zip(theme.PHASES, counts.tolist(), vcores.tolist()):
        if count:
            words = f"{quantities.count(count, 'containers')}, {quantities.vcores(amount)}"
            lines.append(f"{phase.title}: {words}")
    head, found = [group.name, f"at {quantities.moment(ms)}"], {"row": index, "group": group.text}
    if lines:
        return found | {"text": [*head, *lines]}
    nothing = refusal_marks.refusal_at(scene, row_layout, group.name, ms) or msg(
        "panels.picking.holds_nothing"
    )
    gap = gap_at(scene.run, ms)
    return found | gap | {"text": [*head, nothing, *gap.get("text", [])[1:]]}


def gap_at(run: Run, ms: float) -> dict[str, Any]:
    """Where nothing runs: in words how many containers wait then, which a click explains; {} where none
    does.
    """
    count = waiting_count(run, ms)
    if not count:
        return {}
    waits = msg("panels.picking.containers_wait", count=quantities.count(count, "containers"))
    return {"text": [f"at {quantities.moment(ms)}", waits], "waiting": round(ms)}


def levels_at(run: Run, split: CapacitySplit, strip: str, ms: int) -> list[str]:
    """What a strip shows at a time, in words, the time first. strip: of run_chart's STRIPS."""
    curve = usage_curves.memory_view(run) if strip == "memory" else usage_curves.vcores_view(run)
    levels = capacity_areas.capacity_levels(split, curve.unit, (ms, ms + 1), 1).level[0]

    def text(level: float) -> str:
        amount = quantities.count(level / curve.per, curve.unit)
        return f"{amount}, {quantities.percent(level / curve.capacity)}"

    head = f"at {quantities.moment(ms)}"
    if strip != "capacity":
        in_use = text(levels[: capacity_areas.HELD].sum())
        return [head, msg("panels.picking.in_use", level_text=in_use)]
    keys = [capacity_areas.phase_of_part(part.key) for part in PARTS]
    phases = [*map(theme.PHASES_BY_KEY.__getitem__, keys), theme.WASTED]
    named = zip(phases, levels.tolist())
    return [head, *(f"{phase.title}: {text(level)}" for phase, level in named if level > 0)]


def waiting_count(run: Run, at_ms: float) -> int:
    """How many containers wait then."""
    c, waiting = run.containers, run.waiting
    asked = int(((c.requested <= at_ms) & (c.start > at_ms)).sum())
    return asked + int(waiting.count[waiting.since <= at_ms].sum())


def first_from(run: Run, ms: float) -> int | None:
    """The first container placed at this time or later, else the last one; None in a run without any."""
    starts = run.containers.start
    return min(int(np.searchsorted(starts, ms)), len(starts) - 1) if len(starts) else None


def first_visible(scene: Scene, row_layout: Rows, window: tuple[int, int]) -> int | None:
    """The first container that runs within a window, of the uppermost row looked at that has one."""
    c, row = scene.run.containers, row_layout.rows_of(scene)
    first, count = row_layout.drawn
    is_running = (c.start < window[1]) & ((c.end > window[0]) | (c.end == NONE))
    indices = np.flatnonzero((row >= first) & (row < first + count) & is_running)
    return int(indices[np.lexsort((c.start[indices], row[indices]))[0]]) if len(indices) else None


def neighbour_in_row(scene: Scene, row_layout: Rows, container: int, by: int) -> int | None:
    """The container of the same row that starts next (by 1) or before (by -1); None where there is none."""
    row = row_layout.rows_of(scene)
    same_row = np.flatnonzero(row == row[container]) if row[container] >= 0 else np.array([container])
    same_row = same_row[np.argsort(scene.run.containers.start[same_row], kind="stable")]
    index = int(np.flatnonzero(same_row == container)[0]) + by
    return int(same_row[index]) if 0 <= index < len(same_row) else None


def bar(scene: Scene, row_layout: Rows, container: int) -> dict[str, int]:
    """Where the page finds the bar of a container: its row (below 0: it is not shown), and start and end in
    ms.
    """
    c, end = scene.run.containers, int(scene.run.containers.end[container])
    return {
        "row": int(row_layout.rows_of(scene)[container]),
        "start": int(c.start[container]),
        "end": scene.run.at_ms if end == NONE else end,
    }
