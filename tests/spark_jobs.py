"""Spark applications that several tests run."""

from __future__ import annotations

from typing import Any

from tests.small_scenarios import master

SPARK: dict[str, Any] = {
    "name": "etl",
    "framework": "spark",
    "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 5, "heartbeat_s": 3},
    "executors": {"memory_mb": 640, "vcores": 1, "launch_s": 5, "count": 4},
    "stages": [
        {"name": "scan", "tasks": 40, "duration_s": 3},
        {"tasks": 12, "duration_s": 5},
        {
            "name": "join",
            "after": ["scan", "stage2"],
            "tasks": 16,
            "duration_s": {"dist": "uniform", "low": 3, "high": 4},
        },
    ],
}
# Dynamic allocation in executors of three slots beside a MapReduce job; a node is lost on the way.
MIXED: dict[str, Any] = {
    "version": 1,
    "cluster": {
        "nodes": [{"name": "w", "count": 4, "memory_mb": 4096, "vcores": 4}],
        "containers_per_heartbeat": None,
        "outages": [{"node": "w-2", "lost_s": 30, "back_s": 50}],
    },
    "jobs": [
        SPARK
        | {
            "executors": {
                "memory_mb": 1500,
                "vcores": 2,
                "slots": 3,
                "launch_s": 5,
                "dynamic": {"maximum": 6, "idle_s": 2},
            }
        },
        {
            "name": "mr",
            "arrival_s": 5,
            "maps": {"count": 30, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
            "reduces": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        },
    ],
}


def spark(stages: list[dict], heartbeat_s: float = 0.0, **executors: Any) -> dict:
    """An application whose containers are of 1 MB; it is told of them every so often, 0: at once."""
    return {
        "name": "a",
        "framework": "spark",
        "am": {**master(), "heartbeat_s": heartbeat_s},
        "executors": {"memory_mb": 1, "memory_overhead_mb": 0, "vcores": 1, **executors},
        "stages": stages,
    }


def stage(count: int, seconds: Any, *after: str) -> dict:
    return {"tasks": count, "duration_s": seconds, "after": list(after)}
