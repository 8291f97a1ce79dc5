"""Two runs between which containers shift."""

from __future__ import annotations

from dataclasses import replace

from engine import difference
from engine.dashboard import Difference
from engine.schedulers.view import MAP
from tests.webapp.handmade_runs import run


def shifting(
    starts: list[tuple[int, int]],
    nodes: list[tuple[int, int]] | None = None,
    jobs: int = 1,
    length: int = 1_000,
) -> Difference:
    """Maps of so many jobs in turn that start at these times in ms under fifo and fair."""
    nodes = nodes or [(0, 0)] * len(starts)
    made = []
    for place, name in enumerate(("fifo", "fair")):
        tasks = [
            {
                "kind": MAP,
                "start": at[place],
                "end": at[place] + length,
                "node": node[place],
                "job": number % jobs,
                "index": number // jobs,
            }
            for number, (at, node) in enumerate(zip(starts, nodes))
        ]
        made.append(replace(run(tasks, nodes=2, jobs=jobs), scheduler=name))
    return difference(*made)
