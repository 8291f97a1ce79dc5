"""Runs whose rows are known."""

from __future__ import annotations

from engine.schedulers.view import MAP
from tests.webapp.handmade_runs import run
from webapp.figures.timeline.scene import Scene

# Node n-1 runs two containers at once and n-3 three; n-2 idles. Jobs j0 and j1 have three and two of them.
BUSY = [
    {"kind": MAP, "start": 0, "end": 9, "job": 0},
    {"kind": MAP, "start": 1, "end": 9, "job": 1},
    {"kind": MAP, "start": 5, "end": 9, "node": 2, "job": 0},
    {"kind": MAP, "start": 6, "end": 30, "node": 2, "job": 0},
    {"kind": MAP, "start": 7, "end": 9, "node": 2, "job": 1},
]


def busy(**more) -> Scene:
    return Scene(run(BUSY, nodes=3, jobs=2, **more))


def idle(nodes: int, lanes: int = 1) -> Scene:
    """Nodes of which the first runs `lanes` containers at once."""
    return Scene(run([{"kind": MAP, "start": 0, "end": 9} for _ in range(lanes)], nodes=nodes))
