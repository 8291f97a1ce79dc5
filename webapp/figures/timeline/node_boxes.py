"""The cluster at an instant, as boxes, one a node: left its memory, right its vcores, filled from the bottom
by what runs, in the colours of the phases.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import count as count_from
from typing import NamedTuple

import numpy as np

from engine import Run, quantities
from engine.dashboard import MASTER, OUTCOMES, RUNNING, WASTED, requests_of
from webapp import theme
from webapp.figures.container_words import task_text
from webapp.figures.highlight import highlighted_containers
from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.scene import Scene
from webapp.messages import msg

MAX_PX, MAX_HEIGHT_PX, MIN_PX = 104, 84, 3  # of a box
NAME_PX, NAME_FROM_PX = 15, 44  # from this width on a box has a name over it
LETTER_PX = 7.5  # of a name: as wide as most letters are, for the next name begins where a box ends
GAP_FROM_PX = 4  # containers at least this high are parted by a line
MAX_TITLED_NODES = 400  # nodes of which the pointer is told what they hold
MAX_LISTED = 8  # containers of one of them
END_WORDS = {
    outcome: "fails" if OUTCOMES[outcome] == "failed" else f"is {OUTCOMES[outcome]}" for outcome in WASTED
}


class NodesPicture(NamedTuple):
    """The drawing as SVG text; how many containers run and how many requests wait; what happened last, in a
    sentence.
    """

    svg: str
    running: int
    waiting: int
    happened: str


class _BoxGrid(NamedTuple):
    """columns and rows of boxes; their width, height and gap, and the room for a name over each, in px."""

    columns: int
    rows: int
    width: int
    height: int
    gap: int
    name: int

    @property
    def pitch(self) -> int:
        """From the upper edge of a row of boxes to the next, in px."""
        return self.height + self.name + self.gap


def draw_nodes(scene: Scene, at: int, width: int, room: int, highlight: str | None = None) -> NodesPicture:
    """at: ms; width, room: px there are, the height being more only where boxes would be too small;
    highlight: a selection, the rest is dimmed.
    """
    run = scene.run
    still_runs = (run.containers.outcome[scene.container] == RUNNING) & (scene.end == run.at_ms)
    now = np.flatnonzero((scene.start <= at) & ((scene.end > at) | still_runs))
    container, phase = _one_each(scene, now)
    boxes = _fit_boxes(len(run.workload.node_names), width, room)
    is_down = (scene.outages.lost <= at) & (at < scene.outages.back)
    down_words = {
        node: "lost" if lost else msg("figures.node_boxes.not_there_yet")
        for node, lost in zip(scene.outages.node[is_down].tolist(), scene.outages.lost[is_down].tolist())
    }
    parts = [
        *_usage_bars(run, container, phase, boxes, highlighted_containers(run, highlight)),
        _outlines(scene.outages.node[is_down], boxes, "p-down"),
        *_labelled_boxes(run, container, phase, boxes, down_words),
    ]
    waiting = int(
        (run.containers.requested <= at).sum()
        - (run.containers.start <= at).sum()
        + run.waiting.count[run.waiting.since <= at].sum()
    )
    drawing = svg.svg_element(width, boxes.rows * boxes.pitch - boxes.gap, *parts)
    return NodesPicture(drawing, len(container), waiting, last_event_text(run, at))


def _one_each(scene: Scene, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The containers of these slices and what each does; an executor with a task in any slot runs tasks."""
    container, phase = scene.container[now], scene.phase[now]
    if scene.slot is None:
        return container, phase
    order = np.lexsort((phase != theme.TASK_PHASE, container))
    container, first = np.unique(container[order], return_index=True)
    return container, phase[order][first]


def last_event_text(run: Run, at: int) -> str:
    """The last instant up to now at which anything started or ended; what started says more."""
    c = run.containers
    ended = c.end[(c.end >= 0) & (c.end <= at)]
    last = max(
        int(c.start[np.searchsorted(c.start, at, "right") - 1]) if len(c.start) and c.start[0] <= at else -1,
        int(ended.max(initial=-1)),
    )
    if last < 0:
        return msg("figures.node_boxes.nothing_has_happened_yet")
    came, went = np.flatnonzero(c.start == last), np.flatnonzero(c.end == last)
    listed = came if len(came) else went
    first = int(listed[0])
    node, task = run.workload.node_names[int(c.node[first])], _task_text(run, first)
    if len(came):
        words = msg("figures.node_boxes.gets", node=node, task=task)
    else:
        words = f"{task} {END_WORDS.get(int(c.outcome[first]), 'ends')} on {node}"
    if len(listed) > 1:
        what = "start" if len(came) else "end"
        words += msg("figures.node_boxes.and_more", listed=len(listed) - 1, value=what)
    return f"{quantities.clock(last / 1000)} {words}"


def _task_text(run: Run, container: int) -> str:
    c, work = run.containers, run.workload
    job = int(c.job[container])
    name = work.job_names[job]
    words = f"{task_text(run, container)} of {name}"
    if c.kind[container] == MASTER:
        words = msg("figures.node_boxes.applicationmaster", name=name)
    if work.job_iterations[job] > 1:
        words += msg("shared.iteration", stage=int(c.stage[container]))
    if c.attempt[container] > 1:
        words += msg("shared.attempt", attempt=int(c.attempt[container]))
    return words


def _fit_boxes(count: int, width: int, room: int) -> _BoxGrid:
    """The largest boxes that fit."""
    for columns in count_from(1):
        pitch = (width + 1) / columns
        gap = 7 if pitch >= 30 else 3 if pitch >= 12 else 1
        box_width = min(int((width + gap) / columns - gap), MAX_PX)
        name = NAME_PX if box_width >= NAME_FROM_PX else 0
        box_height = min(round(0.85 * box_width), MAX_HEIGHT_PX) if name else box_width
        per_row = max((width + gap) // (max(box_width, MIN_PX) + gap), columns)
        rows = -(-count // per_row)
        if rows * (box_height + name + gap) - gap <= room or box_width <= MIN_PX:
            break
    return _BoxGrid(per_row, rows, max(box_width, MIN_PX), max(box_height, MIN_PX), gap, name)


def _box_corners(boxes: _BoxGrid, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Left and upper edge of the boxes of nodes, in px."""
    left = (node % boxes.columns) * (boxes.width + boxes.gap)
    return left, (node // boxes.columns) * boxes.pitch + boxes.name


def _outlines(nodes: np.ndarray, boxes: _BoxGrid, kind: str) -> str:
    """The boxes of nodes, as a path of this class."""
    left, top = _box_corners(boxes, nodes)
    return svg.box_path(left, top, np.full(len(nodes), boxes.width), boxes.height, kind)


def _usage_bars(
    run: Run, container: np.ndarray, phase: np.ndarray, boxes: _BoxGrid, lit: np.ndarray | None
) -> Sequence[str]:
    """Frames of all boxes, and in each half what is held, those placed first at the bottom."""
    c, work = run.containers, run.workload
    nodes = np.arange(len(work.node_names))
    parts = [_outlines(nodes, boxes, "node")]
    order = np.lexsort((container, c.node[container]))
    container, phase = container[order], phase[order]
    node, request = c.node[container], requests_of(work, c, container)
    half = (boxes.width - 3) / 2 if boxes.width >= 12 else boxes.width / 2
    inner = 1 if boxes.width >= 12 else 0
    resources = (work.request_memory, work.node_memory), (work.request_vcores, work.node_vcores)
    for place, (size, capacity) in enumerate(resources):
        share = size[request] / np.maximum(capacity[node], 1)
        total = np.bincount(node, share, len(nodes))
        # vcores may exceed what there is where the calculator counts memory alone
        scale = boxes.height / np.maximum(total, 1)
        above = np.cumsum(share)
        first = np.searchsorted(node, node)
        below = above - share - np.where(first > 0, above[first - 1], 0)
        x, y = _box_corners(boxes, node)
        heights = share * scale[node]
        bottom = y + boxes.height - below * scale[node]
        x = x + inner + place * (half + 1)
        for dim in (False, True) if lit is not None else (False,):
            chosen = np.ones(len(node), bool) if lit is None else lit[container] != dim
            drawn = "".join(
                _bar_path(x, bottom, heights, half, phase, chosen & (phase == number), f"p-{phase_look.key}")
                for number, phase_look in enumerate(theme.PHASES)
            )
            parts.append(f'<g class="dim">{drawn}</g>' if dim else drawn)
    return parts


def _bar_path(
    x: np.ndarray,
    bottom: np.ndarray,
    heights: np.ndarray,
    width: float,
    phase: np.ndarray,
    chosen: np.ndarray,
    kind: str,
) -> str:
    if not chosen.any():
        return ""
    shown = np.where(heights[chosen] >= GAP_FROM_PX, heights[chosen] - 1, heights[chosen])
    widths = np.full(len(shown), width)
    numbers = np.stack([x[chosen], bottom[chosen], widths, shown, widths], axis=1).ravel().tolist()
    return svg.path_element(("M%.1f %.1fh%.1fv-%.1fh-%.1fz" * len(shown)) % tuple(numbers), kind)


def _labelled_boxes(
    run: Run, container: np.ndarray, phase: np.ndarray, boxes: _BoxGrid, down_words: dict[int, str]
) -> Sequence[str]:
    """Names over the boxes, and for the pointer what each holds."""
    work = run.workload
    names = work.node_names
    if len(names) > MAX_TITLED_NODES:
        return []
    parts = []
    for node, name in enumerate(cut_names(tuple(names), int(boxes.width / LETTER_PX))):
        left, top = (int(corner) for corner in _box_corners(boxes, np.array(node)))
        words = svg.text_element(left, top - 4, name, "node-name") if boxes.name else ""
        held = np.flatnonzero(run.containers.node[container] == node)
        lines = _node_lines(run, node, container[held], phase[held])
        lines = [names[node], down_words[node]] if node in down_words else lines
        title = escape("\n".join(lines))
        box = (
            f'x="{left}" y="{top}" width="{boxes.width}" height="{boxes.height}" class="hit" '
            f'data-node="{escape(names[node])}"'
        )
        parts.append(f"<g>{words}<rect {box}><title>{title}</title></rect></g>")
    return parts


def _node_lines(run: Run, node: int, container: np.ndarray, phase: np.ndarray) -> list[str]:
    work, c = run.workload, run.containers
    request = requests_of(work, c, container)
    memory, vcores = int(work.request_memory[request].sum()), int(work.request_vcores[request].sum())
    full = msg(
        "figures.node_boxes.in_use",
        memory=quantities.memory(memory),
        memory2=quantities.memory(int(work.node_memory[node])),
        vcores=vcores,
        vcores2=quantities.vcores(int(work.node_vcores[node])),
    )
    lines = [
        f"{_task_text(run, one)} ({theme.PHASES[stage].title.lower()})"
        for one, stage in zip(container[:MAX_LISTED].tolist(), phase.tolist())
    ]
    if len(container) > MAX_LISTED:
        lines.append(msg("figures.node_boxes.and_more_2", container=len(container) - MAX_LISTED))
    return [work.node_names[node], full, *lines]
