"""Lost nodes: a band over a node's rows for as long as it is lost."""

from __future__ import annotations

from html import escape

import numpy as np

from webapp import theme
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.rows import Rows
from webapp.figures.timeline.scene import Scene


def bands(scene: Scene, of: Rows, place: Place) -> str:
    """SVG of the bands, from the upper edge of the first row that is drawn; none where rows are of jobs, or of several nodes."""
    first, count = of.drawn
    found = []
    for node, lost, back in zip(*(column.tolist() for column in scene.outages)):
        top, bottom = _rows(of, node)
        left, right = place.x(np.array([lost, back])).tolist()
        top, bottom = max(top, first), min(bottom, first + count)
        if top < bottom and left < right:
            box = f'x="{left:.1f}" y="{(top - first) * of.row_px:.1f}" width="{right - left:.1f}" height="{(bottom - top) * of.row_px:.1f}"'
            found.append(f'<rect {box} class="p-down"><title>{escape(says(scene, node, lost, back))}</title></rect>')
    return "".join(found)


def band_at(scene: Scene, of: Rows, row: float, ms: float) -> list[str] | None:
    """What the pointer is told of a lost node there; None where none is."""
    for node, lost, back in zip(*(column.tolist() for column in scene.outages)):
        top, bottom = _rows(of, node)
        if top <= round(row) < bottom and lost <= ms < back:
            return [scene.run.workload.node_names[node], says(scene, node, lost, back)]
    return None


def says(scene: Scene, node: int, lost: int, back: int) -> str:
    """In a sentence."""
    end = "to the end" if back >= scene.run.until_ms else f"to {theme.moment(back)}"
    return f"{scene.run.workload.node_names[node]} is lost from {theme.moment(lost)} {end}"


def _rows(of: Rows, node: int) -> tuple[int, int]:
    """The rows that are this node's alone, by the first and the one after the last."""
    top = -1 if of.by_job else int(of.first[node])
    if top < 0 or np.count_nonzero(of.first == top) > 1:
        return 0, 0
    return top, int(of.starts[np.searchsorted(of.starts, top, "right")])
