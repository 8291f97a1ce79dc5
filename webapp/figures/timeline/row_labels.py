"""What stands beside the rows: as many names as fit, lines between nodes, racks and the jobs of a user along the edge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webapp import theme
from webapp.figures.plotly_arrays import escaped, shortened
from webapp.figures.timeline.rows import Rows

LABEL_PX = 13  # between the middles of two names
BAND_PX = 6  # a group lower than this gets no separator
CHARACTER_PX = 6.2


def axis(of: Rows, most: int) -> dict:
    """The axis' part that depends on the rows: names at the middle of their rows, lines between groups. most: characters of one that fit into the margin."""
    top, bottom = of.range
    middle = (of.starts[:-1] + of.starts[1:] - 1) / 2
    seen = np.flatnonzero((of.starts[1:] > top + 0.5) & (of.starts[:-1] < bottom + 0.5))
    every = next(seen[every] for every in _thinner(len(seen)) if (np.diff(middle[seen[every]]) * of.row_px >= LABEL_PX).all()) if len(seen) else seen
    found = {
        "range": [bottom, top],
        "tickmode": "array",
        "tickvals": middle[every].tolist(),
        "ticktext": [escaped(shortened(of.names[group], most)) for group in every.tolist()],
    }
    between = of.starts[1:-1][(of.starts[1:-1] > top) & (of.starts[1:-1] < bottom)] - 0.5
    if len(between) and of.px / max(len(seen), 1) >= BAND_PX:
        found["minor"] = {"tickmode": "array", "tickvals": between.tolist(), "showgrid": True}
    return found


def parents(of: Rows) -> list[tuple[str, int, int]]:
    """(parent, its first row, the row after its last), from the top."""
    edges = [place for place in range(len(of.parents)) if place == 0 or of.parents[place] != of.parents[place - 1]]
    return [(of.parents[edge], int(of.starts[edge]), int(of.starts[after])) for edge, after in zip(edges, [*edges[1:], len(of.parents)])]


def marks(of: Rows, left: int, dark: bool) -> tuple[list[dict], list[dict]]:
    """Lines between parents and their names along the margin's edge, where they fit; none when there is one. left: pixels of the margin."""
    look = theme.look(dark)
    top, bottom = of.range
    found = [(name, max(first, top + 0.5), min(after, bottom + 0.5)) for name, first, after in parents(of)]
    found = [mark for mark in found if mark[1] < mark[2]]
    if len(found) < 2:
        return [], []
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "line": {"color": look.muted, "width": 1}}
    text = {"xref": "paper", "x": 0, "xshift": -left + 8, "yref": "y", "textangle": -90, "showarrow": False, "font": {"size": 10, "color": look.muted}}
    lines = [line | {"y0": first - 0.5, "y1": first - 0.5} for _, first, _ in found[1:]]
    fitting = [mark for mark in found if mark[0] and len(mark[0]) * CHARACTER_PX <= (mark[2] - mark[1]) * of.row_px]
    return lines, [text | {"text": escaped(name), "y": (first + after - 1) / 2} for name, first, after in fitting]


def _thinner(groups: int) -> Iterator[slice]:
    """Every group, every second, fifth, tenth … and in the end the first alone."""
    for ten in range(len(str(groups)) + 1):
        yield from (slice(None, None, step * 10**ten) for step in (1, 2, 5))
