"""A Tez application that several tests run, worked out in ms.

Two containers hold it from 0 to 5000. The tasks of `scan` end at 1000 and 3000. The one of `join` begins at
1000 in the first container, fetches the output of the first until 2000 and, once there is some, that of the
second from 3000 to 4000, and computes until 5000.
"""

from __future__ import annotations

from typing import Any

from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

SIZE = {"memory_mb": 1024, "vcores": 1}
HALF = {"slow_start_minimum": 0.5, "slow_start_maximum": 0.5}
TEZ: dict[str, Any] = {
    "name": "query",
    "framework": "tez",
    "am": SIZE,
    "containers": {"idle_minimum_s": 9, "idle_maximum_s": 9, **HALF},
    "stages": [
        SIZE | {"name": "scan", "tasks": 2, "duration_s": {"values": [1, 3]}, "output_mb": 100},
        SIZE | {"name": "join", "tasks": 1, "duration_s": 1, "after": ["scan"]},
    ],
}


def tez_scenario(*more: dict[str, Any], **changes: Any) -> Scenario:
    """On a node with room for all; more: jobs beside it; changes: of its fields."""
    nodes = [{"count": 1, "memory_mb": 16_384, "vcores": 16}]
    cluster = {"nodes": nodes, "heartbeat_ms": 0}
    return Scenario.of({"version": 1, "cluster": cluster, "jobs": [TEZ | changes, *more]})


def tez_run(*more: dict[str, Any], **changes: Any) -> Run:
    """Of tez_scenario, under fifo."""
    return simulate(tez_scenario(*more, **changes), "fifo", plain=True)
