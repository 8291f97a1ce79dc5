"""What stands beside the rows: as many names as fit, lines between nodes and racks, the names of racks along
the edge.
"""

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


def draw_names(row_layout: Rows, margin_px: float) -> str:
    """SVG of the names, from the upper edge of the rows looked at; margin_px: of the margin they stand in."""
    top, bottom = row_layout.range
    middle = (row_layout.starts[:-1] + row_layout.starts[1:] - 1) / 2
    seen = np.flatnonzero((row_layout.starts[1:] > top + 0.5) & (row_layout.starts[:-1] < bottom + 0.5))
    y = lambda row: float(row - top) * row_layout.row_px
    at = np.clip(
        (middle - top) * row_layout.row_px,
        EDGE_PX,
        max((bottom - top) * row_layout.row_px - EDGE_PX, EDGE_PX),
    )
    labelled = seen
    if len(seen):
        thinned = (seen[step] for step in _thinning_steps(len(seen)))
        labelled = next(groups for groups in thinned if (np.diff(at[groups]) >= LABEL_PX).all())
    parents = parent_spans(row_layout)
    parents = parents if len(parents) > 1 else []
    space = margin_px - EDGE_PX - (PARENT_PX if parents else 0)
    short = cut_names(row_layout.names, int(space / svg.LETTER_PX))
    labels = [
        svg.text_element(margin_px - EDGE_PX, float(at[group]) + 4, short[group], "name")
        for group in labelled.tolist()
    ]
    for name, first, after in parents:
        first_visible, last_visible = max(first, top + 0.5), min(after, bottom + 0.5)
        words = svg.fit_text(name, max(last_visible - first_visible, 0) * row_layout.row_px)
        if words:
            place = f"translate(12 {y((first_visible + last_visible - 1) / 2):.1f}) rotate(-90)"
            labels.append(f'<g transform="{place}">{svg.text_element(0, 0, words, "parent")}</g>')
    return "".join(labels)


def draw_lines(row_layout: Rows, width: float) -> str:
    """SVG of the lines between groups and between parents, from the upper edge of the first row that is
    drawn; width: px.
    """
    first, count = row_layout.drawn
    y = lambda row: (row - first) * row_layout.row_px
    starts = row_layout.starts[1:-1]
    inner = starts[(starts > first) & (starts < first + count)].tolist()
    if row_layout.px / (len(inner) + 1) < BAND_PX:
        inner = []
    racks = [start for _, start, _ in parent_spans(row_layout)[1:] if first < start < first + count]
    return "".join(
        svg.path_element("".join(f"M0 {y(row):.1f}h{width:g}" for row in rows), kind)
        for rows, kind in ((inner, "between"), (racks, "racks"))
        if rows
    )


def parent_spans(row_layout: Rows) -> list[tuple[str, int, int]]:
    """(parent, its first row, the row after its last), from the top."""
    edges = [
        place
        for place in range(len(row_layout.parents))
        if place == 0 or row_layout.parents[place] != row_layout.parents[place - 1]
    ]
    return [
        (row_layout.parents[edge], int(row_layout.starts[edge]), int(row_layout.starts[after]))
        for edge, after in zip(edges, [*edges[1:], len(row_layout.parents)])
    ]


def _thinning_steps(groups: int) -> Iterator[slice]:
    """Every group, every second, fifth, tenth … and in the end the first alone."""
    for ten in range(len(str(groups)) + 1):
        yield from (slice(None, None, step * 10**ten) for step in (1, 2, 5))
