"""The cluster at an instant, as boxes, one a node: left its memory, right its vcores, filled from the bottom by what runs, in the colours of the phases."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from engine import KINDS, MASTER, OUTCOMES, REDUCE, RUNNING, WASTED, Run
from webapp import theme
from webapp.figures.highlight import highlighted_containers
from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.scene import Scene

MOST_PX, MOST_HIGH_PX, LEAST_PX = 104, 84, 3  # of a box
NAME_PX, NAMED_PX = 15, 44  # from this width on a box has a name over it
LETTER_PX = 7.5  # of a name: as wide as most letters are, for the next name begins where a box ends
PARTED_PX = 4  # containers at least this high are parted by a line
MOST_TITLED = 400  # nodes of which the pointer is told what they hold
MOST_LISTED = 8  # containers of one of them
ENDS = {outcome: f"{'fails' if OUTCOMES[outcome] == 'failed' else f'is {OUTCOMES[outcome]}'}" for outcome in WASTED}


class Nodes(NamedTuple):
    """The drawing as SVG text; how many containers run and how many requests wait; what happened last, in a sentence."""

    svg: str
    running: int
    waiting: int
    happened: str


class _Boxes(NamedTuple):
    """columns and rows of boxes; their width, height and gap, and the room for a name over each, in px."""

    columns: int
    rows: int
    wide: int
    high: int
    gap: int
    name: int


def nodes(scene: Scene, at: int, width: int, room: int, highlight: str | None = None) -> Nodes:
    """at: ms; width, room: px there are, the height being more only where boxes would be too small; highlight: a selection, the rest is dimmed."""
    run = scene.run
    now = np.flatnonzero((scene.start <= at) & ((scene.end > at) | ((run.containers.outcome[scene.container] == RUNNING) & (scene.end == run.at_ms))))
    container, phase = scene.container[now], scene.phase[now]
    boxes = _boxes(len(run.workload.node_names), width, room)
    down = scene.outages.node[(scene.outages.lost <= at) & (at < scene.outages.back)]
    parts = [*_filled(run, container, phase, boxes, highlighted_containers(run, highlight)), *_lost(down, boxes)]
    high = boxes.rows * (boxes.high + boxes.name + boxes.gap) - boxes.gap
    waiting = int((run.containers.requested <= at).sum() - (run.containers.start <= at).sum() + run.waiting.count[run.waiting.since <= at].sum())
    return Nodes(svg.drawing(width, high, *parts, *_named(run, container, phase, boxes, down)), len(now), waiting, happened(run, at))


def happened(run: Run, at: int) -> str:
    """The last instant up to now at which anything started or ended; what started says more."""
    c = run.containers
    ended = c.end[(c.end >= 0) & (c.end <= at)]
    last = max(int(c.start[np.searchsorted(c.start, at, "right") - 1]) if len(c.start) and c.start[0] <= at else -1, int(ended.max(initial=-1)))
    if last < 0:
        return "Nothing has happened yet."
    came, went = np.flatnonzero(c.start == last), np.flatnonzero(c.end == last)
    listed = came if len(came) else went
    first = int(listed[0])
    node, task = run.workload.node_names[int(c.node[first])], _task(run, first)
    words = f"{node} gets {task}" if len(came) else f"{task} {ENDS.get(int(c.outcome[first]), 'ends')} on {node}"
    more = f", and {len(listed) - 1:,} more {'start' if len(came) else 'end'}" if len(listed) > 1 else ""
    return f"{theme.clock(last / 1000)} {words}{more}"


def _task(run: Run, container: int) -> str:
    c, work = run.containers, run.workload
    job, kind = int(c.job[container]), int(c.kind[container])
    name = work.job_names[job]
    words = f"the master of {name}" if kind == MASTER else f"{'reduce' if kind == REDUCE else KINDS[kind]} {int(c.index[container])} of {name}"
    words += f", iteration {int(c.stage[container])}" if work.job_iterations[job] > 1 else ""
    return words + (f", attempt {int(c.attempt[container])}" if c.attempt[container] > 1 else "")


def _boxes(count: int, width: int, room: int) -> _Boxes:
    """The largest boxes that fit."""
    columns = 0
    while True:
        columns += 1
        rough = (width + 1) / columns
        gap = 7 if rough >= 30 else 3 if rough >= 12 else 1
        wide = min(int((width + gap) / columns - gap), MOST_PX)
        name = NAME_PX if wide >= NAMED_PX else 0
        high = min(round(0.85 * wide), MOST_HIGH_PX) if name else wide
        across = max((width + gap) // (max(wide, LEAST_PX) + gap), columns)
        rows = -(-count // across)
        if rows * (high + name + gap) - gap <= room or wide <= LEAST_PX:
            return _Boxes(across, rows, max(wide, LEAST_PX), max(high, LEAST_PX), gap, name)


def _places(boxes: _Boxes, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Left and upper edge of the boxes of nodes, in px."""
    return (node % boxes.columns) * (boxes.wide + boxes.gap), (node // boxes.columns) * (boxes.high + boxes.name + boxes.gap) + boxes.name


def _filled(run: Run, container: np.ndarray, phase: np.ndarray, boxes: _Boxes, lit: np.ndarray | None) -> Sequence[str]:
    """Frames of all boxes, and in each half what is held, those placed first at the bottom."""
    c, work = run.containers, run.workload
    every = np.arange(len(work.node_names))
    left, top = _places(boxes, every)
    found = [svg.boxes(left.astype(float), top.astype(float), np.full(len(every), float(boxes.wide)), boxes.high, "node")]
    order = np.lexsort((container, c.node[container]))
    container, phase = container[order], phase[order]
    node, request = c.node[container], c.job[container] * len(KINDS) + c.kind[container]
    half = (boxes.wide - 3) / 2 if boxes.wide >= 12 else boxes.wide / 2
    inner = 1 if boxes.wide >= 12 else 0
    for place, (size, capacity) in enumerate(((work.request_memory, work.node_memory), (work.request_vcores, work.node_vcores))):
        share = size[request] / np.maximum(capacity[node], 1)
        total = np.bincount(node, share, len(every))
        scale = boxes.high / np.maximum(total, 1)  # vcores may exceed what there is where the calculator counts memory alone
        above = np.cumsum(share)
        first = np.searchsorted(node, node)
        below = above - share - np.where(first > 0, above[first - 1], 0)
        x, y = _places(boxes, node)
        tall = share * scale[node]
        bottom = y + boxes.high - below * scale[node]
        x = x + inner + place * (half + 1)
        for dim in (False, True) if lit is not None else (False,):
            some = np.ones(len(node), bool) if lit is None else lit[container] != dim
            drawn = "".join(_column(x, bottom, tall, half, phase, some & (phase == number), f"p-{one.key}") for number, one in enumerate(theme.PHASES))
            found.append(f'<g class="dim">{drawn}</g>' if dim else drawn)
    return found


def _lost(down: np.ndarray, boxes: _Boxes) -> list[str]:
    """The boxes of nodes that are lost now."""
    left, top = _places(boxes, down)
    return [svg.boxes(left.astype(float), top.astype(float), np.full(len(down), float(boxes.wide)), boxes.high, "p-down")]


def _column(x: np.ndarray, bottom: np.ndarray, tall: np.ndarray, wide: float, phase: np.ndarray, some: np.ndarray, kind: str) -> str:
    if not some.any():
        return ""
    shown = np.where(tall[some] >= PARTED_PX, tall[some] - 1, tall[some])
    numbers = np.stack([x[some], bottom[some], np.full(some.sum(), wide), shown, np.full(some.sum(), wide)], axis=1).ravel().tolist()
    return svg.path(("M%.1f %.1fh%.1fv-%.1fh-%.1fz" * int(some.sum())) % tuple(numbers), kind)


def _named(run: Run, container: np.ndarray, phase: np.ndarray, boxes: _Boxes, down: np.ndarray) -> Sequence[str]:
    """Names over the boxes, and for the pointer what each holds."""
    work = run.workload
    names = work.node_names
    if len(names) > MOST_TITLED:
        return []
    found = []
    for node, name in enumerate(cut_names(tuple(names), int(boxes.wide / LETTER_PX))):
        left, top = (int(one) for one in _places(boxes, np.array(node)))
        words = svg.text(left, top - 4, name, "node-name") if boxes.name else ""
        held = np.flatnonzero(run.containers.node[container] == node)
        says = [names[node], "lost"] if node in down else _holds(run, node, container[held], phase[held])
        title = escape("\n".join(says))
        box = f'x="{left}" y="{top}" width="{boxes.wide}" height="{boxes.high}" class="hit" data-node="{escape(names[node])}"'
        found.append(f"<g>{words}<rect {box}><title>{title}</title></rect></g>")
    return found


def _holds(run: Run, node: int, container: np.ndarray, phase: np.ndarray) -> list[str]:
    work, c = run.workload, run.containers
    request = c.job[container] * len(KINDS) + c.kind[container]
    memory, vcores = int(work.request_memory[request].sum()), int(work.request_vcores[request].sum())
    full = f"{theme.memory(memory)} of {theme.memory(int(work.node_memory[node]))}, {vcores:,} of {theme.vcores(int(work.node_vcores[node]))} in use"
    lines = [f"{_task(run, one)} ({theme.PHASES[stage].title.lower()})" for one, stage in zip(container[:MOST_LISTED].tolist(), phase.tolist())]
    return [work.node_names[node], full, *lines, *([f"and {len(container) - MOST_LISTED:,} more"] if len(container) > MOST_LISTED else [])]
