"""Rows of the Gantt chart: one a lane of a node, nodes of a rack together, and what of their names fits beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine import Run, pack_lanes
from webapp.figures.typed import escaped, shortened

MOST_PX = 480  # height of the rows together
LETTERED_PX = 600  # the same if it gives each row room for letters
LETTER_PX = 10
ROW_PX = 16  # at most, unless there are only a few
LEAST_PX = 96
LABEL_PX = 13  # between the middles of two node names
BAND_PX = 6  # a node lower than this gets no separator
HIDDEN = -(2**40)


class Rows(NamedTuple):
    """Which row is whose.

    first: int64[nodes], first row of each node, below 0 of one that is not shown; nodes: those shown, from the top;
    starts: int64[shown + 1], their first rows and the number of rows; px: height of all rows; per_px: rows in one pixel line.
    """

    first: np.ndarray
    nodes: np.ndarray
    starts: np.ndarray
    px: int
    per_px: int

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self.starts[-1])

    @property
    def row_px(self) -> float:
        """Height of a row in pixels; a whole number when it is not below 1, so that rows look alike."""
        return self.px / (self.bottom + 0.5)

    @property
    def bottom(self) -> float:
        """The lower end of the axis; the upper is -0.5."""
        return self.px * self.per_px - 0.5 if self.per_px > 1 else self.count - 0.5


def shared_rows(runs: Sequence[Run]) -> np.ndarray:
    """int64[nodes]: the rows a node needs in every one of the runs, so that their charts stand side by side row by row."""
    return np.max([pack_lanes(run).used for run in runs], axis=0).astype(np.int64)


def rows(needed: np.ndarray, racks: Sequence[str], shown: tuple[int, int] | None = None) -> Rows:
    """needed: rows of each node, an idle one keeps one; racks: of each node; shown: from the one node to before the other.

    Racks are in the order of their first nodes, and nodes of a rack in theirs.
    """
    place = {rack: number for number, rack in enumerate(dict.fromkeys(racks))}
    nodes = np.argsort([place[rack] for rack in racks], kind="stable")
    if shown:
        nodes = nodes[(nodes >= shown[0]) & (nodes < shown[1])]
    starts = np.concatenate([[0], np.cumsum(np.maximum(needed[nodes], 1), dtype=np.int64)])
    first = np.full(len(racks), HIDDEN)
    first[nodes] = starts[:-1]
    count = int(starts[-1])
    if count > MOST_PX:
        per_px = -(-count // MOST_PX)
        return Rows(first, nodes, starts, -(-count // per_px), per_px)
    room = LETTERED_PX if LETTERED_PX // count >= LETTER_PX else MOST_PX
    return Rows(first, nodes, starts, count * min(room // count, max(ROW_PX, LEAST_PX // count)), 1)


def axis(of: Rows, names: Sequence[str], most: int) -> dict:
    """The axis' part that depends on the rows: as many node names as fit at the middle of their rows, lines between nodes.

    names: of all nodes; most: characters of one that fit into the margin.
    """
    middle = (of.starts[:-1] + of.starts[1:] - 1) / 2
    every = next(every for every in _thinner(len(middle)) if (np.diff(middle[every]) * of.row_px >= LABEL_PX).all())
    found = {
        "range": [of.bottom, -0.5],
        "tickmode": "array",
        "tickvals": middle[every].tolist(),
        "ticktext": [escaped(shortened(names[node], most)) for node in of.nodes[every]],
    }
    between = of.starts[1:-1] - 0.5
    if len(between) and of.row_px * of.count / len(of.nodes) >= BAND_PX:
        found["minor"] = {"tickmode": "array", "tickvals": between.tolist(), "showgrid": True}
    return found


def racks(of: Rows, names: Sequence[str]) -> list[tuple[str, int, int]]:
    """(rack, its first row, the row after its last), from the top. names: the rack of each node."""
    shown = [names[node] for node in of.nodes]
    edges = [place for place in range(len(shown)) if place == 0 or shown[place] != shown[place - 1]]
    return [(shown[edge], int(of.starts[edge]), int(of.starts[after])) for edge, after in zip(edges, [*edges[1:], len(shown)])]


def _thinner(nodes: int) -> Iterator[slice]:
    """Every node, every second, fifth, tenth … and in the end the first alone."""
    for ten in range(len(str(nodes)) + 1):
        yield from (slice(None, None, step * 10**ten) for step in (1, 2, 5))
