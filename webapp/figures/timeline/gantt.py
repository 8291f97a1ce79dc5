"""The Gantt chart as exact bars: a path a colour, over them what was wasted, which attempts were speculative,
what is highlighted, and the names of jobs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import NONE, OUTCOMES, RUNNING
from webapp import theme
from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.colouring import BY_PHASE, OWNER_COLOURS, Colouring
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.slices import Slices
from webapp.figures.timeline.time_scale import TimeScale

MIN_CHARACTERS = 5  # of a name that is too long for its bar
MIN_PX = 0.5  # of a bar, however short
EDGE_PX = 4.0  # bars narrower than this on average get no edge, it would hide them
EDGE = 0.4
LETTER_PX = 7.2  # of a name in a bar, which what follows in the row would cut off
LABEL_ROW_PX = 13.0  # rows from this height on have room for letters
FRAME_ROW_PX = 9.0  # rows from this height on have room for a frame around what is highlighted
ARROW_PX = 5
SLOT_EDGE, SLOT_EDGE_PX = 0.12, 1.2  # of a slot's height, and at most, left free above and below a task
PALE_PHASES = (
    "waiting",
    "executor_idle",
    "slots_free",
    "held_idle",
)  # their texture covers an owner's colour


def draw_bars(
    run: Run,
    slices: Slices,
    rows: Rows,
    time_scale: TimeScale,
    colouring: Colouring = BY_PHASE,
    any_highlighted: bool = False,
) -> str:
    """SVG of the slices, in px of the place's drawing and from the upper edge of the first row that is drawn.

    Classes: p-PHASE or g-NUMBER, tex-PHASE over the latter, dim around what is not highlighted, lit or, in
    low rows, plain around what is.
    """
    left, right = time_scale.x(slices.start), time_scale.x(slices.end)
    row_height = rows.row_px
    gap = min(1.6 / row_height, 0.2) * row_height
    bar_height = row_height - gap
    top = (slices.row - rows.drawn[0]) * row_height + gap / 2
    edge = EDGE if len(left) and (right - left).mean() >= EDGE_PX and not any_highlighted else 0.0
    widths = np.maximum(right - left - 2 * edge, MIN_PX)
    colour = None if colouring.is_by_phase else colouring.of_slices(run, slices.container, slices.task)
    in_slots = None if slices.slots is None else _SlotPlaces.of(slices, top, bar_height)

    def path(chosen: np.ndarray, kind: str) -> str:
        if in_slots is None:
            return svg.box_path(left[chosen] + edge, top[chosen], widths[chosen], bar_height, kind)
        inner_top, heights = in_slots.inner_top[chosen], in_slots.inner_height[chosen]
        return svg.box_path(left[chosen] + edge, inner_top, widths[chosen], heights, kind)

    def ground(mask: np.ndarray) -> str:
        """What holds the tasks: their executor, seen around them."""
        if in_slots is None:
            return ""
        of_tasks = mask & in_slots.has_task
        held, tops = np.maximum(right - left, MIN_PX)[of_tasks], in_slots.top[of_tasks]
        kind = "p-executor_idle-ground"
        return svg.box_path(left[of_tasks], tops, held, in_slots.height[of_tasks], kind)

    def group(mask: np.ndarray) -> str:
        masks = _class_masks(slices, mask, colour)
        return ground(mask) + "".join(path(chosen, kind) for kind, chosen in masks)

    if any_highlighted:
        kind = "lit" if row_height >= FRAME_ROW_PX else "plain"
        dim, lit = group(~slices.highlighted), group(slices.highlighted)
        drawn = f'<g class="dim">{dim}</g><g class="{kind}">{lit}</g>'
    else:
        drawn = group(np.ones(len(left), bool))
    return (
        drawn
        + path(slices.speculative, "p-speculative")
        + _labels(run, slices, left, right, top + bar_height / 2, rows, time_scale, colour)
        + _deadlock_arrows(run, slices, right, top + bar_height / 2)
    )


class _SlotPlaces(NamedTuple):
    """Where slices of slots are, in px: upper edge and height of the slot, and of what is drawn in it, which
    leaves its executor's edge free around a task; bool: where one is.
    """

    top: np.ndarray
    height: np.ndarray
    inner_top: np.ndarray
    inner_height: np.ndarray
    has_task: np.ndarray

    @classmethod
    def of(cls, slices: Slices, top: np.ndarray, bar_height: float) -> _SlotPlaces:
        assert slices.slots is not None and slices.slot is not None and slices.task is not None
        height = bar_height / np.where(slices.slot == NONE, 1, slices.slots)
        top = top + np.maximum(slices.slot, 0) * height
        has_task = slices.task != NONE
        edge = np.where(has_task, np.minimum(SLOT_EDGE * height, SLOT_EDGE_PX), 0)
        return cls(top, height, top + edge, height - 2 * edge, has_task)


def _class_masks(slices: Slices, mask: np.ndarray, colour: np.ndarray | None) -> list[tuple[str, np.ndarray]]:
    """Pairs of class and bool[slices], in the order in which they are painted. colour: as
    Colouring.of_slices, None by phase.
    """
    wasted = slices.wasted
    alive, lost_work = mask & ~wasted, mask & wasted
    of_phase = [(phase.key, slices.phase == number) for number, phase in enumerate(theme.PHASES)]
    masks = []
    if colour is not None:
        for number in range(len(OWNER_COLOURS)):
            owned = colour == number
            masks += [(f"g-{number}", alive & owned), (f"g-{number} wasted", lost_work & owned)]
        owned = colour != NONE
        textures = [(key, chosen) for key, chosen in of_phase if key not in ("map", "task")]
        masks += [(f"tex-{key}", alive & owned & chosen) for key, chosen in textures]
        alive, lost_work = alive & ~owned, lost_work & ~owned
    if colour is None or (colour == NONE).any():
        masks += [(f"p-{key}", alive & chosen) for key, chosen in of_phase]
        masks += [(f"p-{key} wasted", lost_work & chosen) for key, chosen in of_phase]
    return masks + [
        (f"p-{phase.key}", mask & (slices.outcome == OUTCOMES.index(phase.key)))
        for phase in theme.WASTED_OUTCOMES
    ]


def _labels(
    run: Run,
    slices: Slices,
    left: np.ndarray,
    right: np.ndarray,
    middle: np.ndarray,
    rows: Rows,
    time_scale: TimeScale,
    colour: np.ndarray | None,
) -> str:
    """The job's name in what is seen of its bars, unless the last bar with a name left of it in the row says
    the same.
    """
    if rows.row_px < LABEL_ROW_PX:
        return ""
    names, jobs = tuple(run.workload.job_names), run.containers.job[slices.container]
    first_px, last_px = time_scale.window_px
    visible_left = np.maximum(left, first_px)
    room = np.where(left < last_px, np.minimum(right, last_px) - visible_left, 0) - 8
    fits = room / LETTER_PX >= np.minimum([len(name) for name in names], MIN_CHARACTERS)[jobs]
    order = np.lexsort((slices.start, slices.row))
    if slices.slot is not None and slices.slots is not None:
        fits &= (slices.slot == NONE) | (rows.row_px >= LABEL_ROW_PX * slices.slots)
    order = order[(fits & slices.highlighted & ~slices.wasted)[order]]
    repeated = (slices.row[order][1:] == slices.row[order][:-1]) & (jobs[order][1:] == jobs[order][:-1])
    labels = []
    for bar in order[np.concatenate([[True], ~repeated])[: len(order)]].tolist():
        words = cut_names(names, int(room[bar] / LETTER_PX))[jobs[bar]]
        phase = theme.PHASES[slices.phase[bar]].key
        kind = _label_class(phase, NONE if colour is None else int(colour[bar]))
        labels.append(svg.text_element(visible_left[bar] + 4, middle[bar] + 4, words, kind))
    return f'<g class="labels">{"".join(labels)}</g>' if labels else ""


def _label_class(phase: str, colour: int) -> str:
    if colour == NONE or phase == "master":
        return f"on-{phase}"
    return "word" if phase in PALE_PHASES else f"on-g-{colour}"


def _deadlock_arrows(run: Run, slices: Slices, right: np.ndarray, middle: np.ndarray) -> str:
    """An arrow at the end of each container that still runs in a deadlock."""
    last = np.flatnonzero((run.containers.outcome[slices.container] == RUNNING) & (slices.end == run.at_ms))
    arrow = f"l{ARROW_PX} {ARROW_PX}l-{ARROW_PX} {ARROW_PX}z"
    arrows = "".join(f"M{right[bar]:.1f} {middle[bar] - ARROW_PX:.1f}{arrow}" for bar in last.tolist())
    return svg.path_element(arrows, "open-end") if arrows else ""
