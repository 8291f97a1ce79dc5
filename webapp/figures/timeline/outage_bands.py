"""Nodes that are lost or have not joined yet: a band over a node's rows for as long as it is down."""

from __future__ import annotations

from html import escape

import numpy as np

from engine import quantities
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg


def draw_bands(scene: Scene, row_layout: Rows, time_scale: TimeScale) -> str:
    """SVG of the bands, from the upper edge of the first row that is drawn; none where rows are of jobs, or
    of several nodes.
    """
    first, count = row_layout.drawn
    rects = []
    for node, lost, back in zip(*(column.tolist() for column in scene.outages)):
        top, bottom = _node_rows(row_layout, node)
        left, right = time_scale.x(np.array([lost, back])).tolist()
        top, bottom = max(top, first), min(bottom, first + count)
        if top < bottom and left < right:
            box = (
                f'x="{left:.1f}" y="{(top - first) * row_layout.row_px:.1f}" width="{right - left:.1f}" '
                f'height="{(bottom - top) * row_layout.row_px:.1f}"'
            )
            title = escape(outage_text(scene, node, lost, back))
            rects.append(f'<rect {box} class="p-down"><title>{title}</title></rect>')
    return "".join(rects)


def outage_at(scene: Scene, row_layout: Rows, row: float, ms: float) -> list[str] | None:
    """What the pointer is told of a node that is down there; None where none is."""
    for node, lost, back in zip(*(column.tolist() for column in scene.outages)):
        top, bottom = _node_rows(row_layout, node)
        if top <= round(row) < bottom and lost <= ms < back:
            return [scene.run.workload.node_names[node], outage_text(scene, node, lost, back)]
    return None


def outage_text(scene: Scene, node: int, lost: int, back: int) -> str:
    """In a sentence; what is down at 0 was never there."""
    name, is_to_end = scene.run.workload.node_names[node], back >= scene.run.until_ms
    if lost == 0:
        if is_to_end:
            return msg("figures.outage_bands.does_not_join", node=name)
        return msg("figures.outage_bands.joins_at", node=name, moment=quantities.moment(back))
    end = msg("figures.outage_bands.to_end") if is_to_end else f"to {quantities.moment(back)}"
    moment = quantities.moment(lost)
    return msg("figures.outage_bands.lost_from", node_names=name, moment=moment, end=end)


def _node_rows(row_layout: Rows, node: int) -> tuple[int, int]:
    """The rows that are this node's alone, by the first and the one after the last."""
    top = -1 if row_layout.by_job else int(row_layout.first[node])
    if top < 0 or np.count_nonzero(row_layout.first == top) > 1:
        return 0, 0
    return top, int(row_layout.starts[np.searchsorted(row_layout.starts, top, "right")])
