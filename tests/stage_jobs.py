"""Applications of stages and of demand that several tests run."""

from __future__ import annotations

from typing import Any

_SIZE = {"memory_mb": 1024, "vcores": 1}
# On two vcores: scan's tasks run from 0 to 4, 0 to 4 and 4 to 8 s; sum's container is asked for when two of
# them have finished, and starts at 4 s. It fetches each output in 1 s: two from 4 to 6 s, the last from 8 s.
STAGES: dict[str, Any] = {
    "name": "dag",
    "framework": "stages",
    "stages": [
        {"name": "scan", "tasks": 3, "duration_s": 4, **_SIZE, "output_mb": 10},
        {"name": "sum", "after": ["scan"], "tasks": 1, "duration_s": 2, **_SIZE, "slow_start": 0.5},
    ],
}
# Alone on a vcore: from 3 to 13 s, and from 13 to 23 s.
DEMAND: dict[str, Any] = {
    "name": "held",
    "framework": "demand",
    "stages": [{"name": "base", "tasks": 2, "duration_s": 10, **_SIZE, "start_s": 3}],
}


def on_one_node(vcores: int, *jobs: dict[str, Any]) -> dict[str, Any]:
    """A scenario of these jobs; placing takes no time."""
    node = {"name": "n", "count": 1, "memory_mb": 65_536, "vcores": vcores}
    cluster = {"nodes": [node], "heartbeat_ms": 0, "shuffle_mb_s": 10, "containers_per_heartbeat": None}
    return {"version": 1, "cluster": cluster, "jobs": list(jobs)}
