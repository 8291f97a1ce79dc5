"""What stands beside the rows: as many names as fit, lines between nodes and racks, the names of racks along the edge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webapp.figures.short_names import cut_names
from webapp.figures.timeline import svg
from webapp.figures.timeline.rows import Rows

LABEL_PX = 14  # between the middles of two names
BAND_PX = 6  # a group lower than this gets no line
EDGE_PX = 6  # between a name and the rows, and from its middle to their upper and lower edge at least
PARENT_PX = 16  # of the margin, for the names of racks


def names(of: Rows, room: float) -> str:
    """SVG of the names, from the upper edge of the rows looked at; room: px of the margin they stand in."""
    top, bottom = of.range
    middle = (of.starts[:-1] + of.starts[1:] - 1) / 2
    seen = np.flatnonzero((of.starts[1:] > top + 0.5) & (of.starts[:-1] < bottom + 0.5))
    y = lambda row: float(row - top) * of.row_px
    at = np.clip((middle - top) * of.row_px, EDGE_PX, max((bottom - top) * of.row_px - EDGE_PX, EDGE_PX))
    every = next(seen[some] for some in _thinner(len(seen)) if (np.diff(at[seen[some]]) >= LABEL_PX).all()) if len(seen) else seen
    beside = parents(of) if len(parents(of)) > 1 else []
    space = room - EDGE_PX - (PARENT_PX if beside else 0)
    short = cut_names(of.names, int(space / svg.LETTER_PX))
    found = [svg.text(room - EDGE_PX, float(at[group]) + 4, short[group], "name") for group in every.tolist()]
    for name, first, after in beside:
        low, high = max(first, top + 0.5), min(after, bottom + 0.5)
        words = svg.shortened(name, (high - low) * of.row_px) if low < high else ""
        if words:
            found.append(f'<g transform="translate(12 {y((low + high - 1) / 2):.1f}) rotate(-90)">{svg.text(0, 0, words, "parent")}</g>')
    return "".join(found)


def lines(of: Rows, wide: float) -> str:
    """SVG of the lines between groups and between parents, from the upper edge of the first row that is drawn; wide: px."""
    first, count = of.drawn
    y = lambda row: (row - first) * of.row_px
    inner = of.starts[1:-1][(of.starts[1:-1] > first) & (of.starts[1:-1] < first + count)]
    parts = []
    groups = len(inner) + 1
    if len(inner) and of.px / groups >= BAND_PX:
        parts.append(svg.path("".join(f"M0 {y(row):.1f}h{wide:g}" for row in inner.tolist()), "between"))
    racks = [y(start) for _, start, _ in parents(of)[1:] if first < start < first + count]
    if racks:
        parts.append(svg.path("".join(f"M0 {at:.1f}h{wide:g}" for at in racks), "racks"))
    return "".join(parts)


def parents(of: Rows) -> list[tuple[str, int, int]]:
    """(parent, its first row, the row after its last), from the top."""
    edges = [place for place in range(len(of.parents)) if place == 0 or of.parents[place] != of.parents[place - 1]]
    return [(of.parents[edge], int(of.starts[edge]), int(of.starts[after])) for edge, after in zip(edges, [*edges[1:], len(of.parents)])]


def _thinner(groups: int) -> Iterator[slice]:
    """Every group, every second, fifth, tenth … and in the end the first alone."""
    for ten in range(len(str(groups)) + 1):
        yield from (slice(None, None, step * 10**ten) for step in (1, 2, 5))
