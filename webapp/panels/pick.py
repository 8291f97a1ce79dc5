"""What a click into a Gantt chart finds, and where a container is drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine import NONE, Run, pack_lanes
from webapp.figures.rows import rows
from webapp.figures.slices import slices


class Click(NamedTuple):
    """Where somebody clicked: the chart's number, the row and time (ms) there, and how far from a bar still counts."""

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
            return cls(int(sent["index"]), float(sent["row"]), float(sent["ms"]), abs(float(near["rows"])), abs(float(near["ms"])))
        except (TypeError, KeyError, ValueError, OverflowError):
            return None


def container_at(run: Run, needed: np.ndarray, row: float, ms: float, near_rows: float, near_ms: float) -> int | None:
    """Index into run.containers of what is drawn at a row and time, or the nearest within these distances; None where nothing is.

    needed: rows of each node, as the charts were drawn with.
    """
    found = slices(run, rows(needed, run.workload.node_racks).first)
    down = np.maximum(np.abs(found.row - row) - 0.5, 0)
    aside = np.maximum(np.maximum(found.start - ms, ms - found.end), 0)
    chosen = np.flatnonzero((down <= near_rows) & (aside <= near_ms))
    if not len(chosen):
        return None
    return int(found.container[chosen[np.argmin(aside[chosen] / max(near_ms, 1e-9) + down[chosen] / max(near_rows, 1e-9))]])


def first_from(run: Run, ms: float) -> int | None:
    """The first container placed at this time or later, else the last one; None in a run without any."""
    starts = run.containers.start
    return min(int(np.searchsorted(starts, ms)), len(starts) - 1) if len(starts) else None


def bar(run: Run, needed: np.ndarray, container: int) -> dict[str, int]:
    """Where the page finds the bar of a container: its row, and start and end in ms. needed: as for container_at."""
    c = run.containers
    first = rows(needed, run.workload.node_racks).first
    end = int(c.end[container])
    return {
        "row": int(first[c.node[container]] + pack_lanes(run).lane[container]),
        "start": int(c.start[container]),
        "end": run.at_ms if end == NONE else end,
    }
