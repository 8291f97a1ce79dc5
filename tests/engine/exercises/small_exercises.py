"""Small exercises, as the values of their files."""

from __future__ import annotations

from typing import Any

from engine.exercises.model import Exercise
from engine.exercises.reader import exercise_of_values

LARGE = {"name": "large", "maps": {"count": 8, "memory_mb": 1024, "vcores": 1, "duration_s": 20}}
SHORT = {"name": "small", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
STUCK = [  # their masters fill the cluster
    {
        "name": name,
        "arrival_s": 20,
        "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 5},
        "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 10},
    }
    for name in ("stuck", "b", "c", "d")
]
CLUSTER = {
    "nodes": [{"name": "n", "count": 2, "memory_mb": 2048, "vcores": 2}],
    "heartbeat_ms": 0,
    "containers_per_heartbeat": None,
}
FIRST = {"kind": "predict", "ask": "first"}
MAKESPAN = {"kind": "predict", "ask": "makespan"}
NODES = {"path": "cluster.nodes.total", "low": 1, "high": 6, "step": 1}
SLOWSTART = {"path": "jobs[*].slowstart", "low": 0, "high": 1, "step": 0.05}


def values(
    task: dict[str, Any], *, jobs: Any = (LARGE, SHORT), cluster: Any = None, **more: Any
) -> dict[str, Any]:
    """Of an exercise; four containers fit at a time."""
    return {
        "version": 1,
        "title": "A title",
        "learn": "What is learnt.",
        "text": "What it is about.",
        "scenario": {"version": 1, "cluster": CLUSTER | (cluster or {}), "jobs": list(jobs)},
        "schedulers": ["fifo"],
        "task": task,
        "explanation": "Why.\n\nAnd how.",
    } | more


def exercise(task: dict[str, Any], **more: Any) -> Exercise:
    """The same, read."""
    return exercise_of_values(values(task, **more))


def reach(*conditions: dict[str, Any], **cost: float) -> dict[str, Any]:
    """A task; cost: of each node more, and of others by their place in the list of changes."""
    costs = [{"path": "cluster.nodes.total", "each": cost["nodes"]}] if cost else []
    return {"kind": "reach", "conditions": list(conditions), "cost": costs}


def makespan(seconds: float) -> dict[str, Any]:
    """The condition that it is at most this."""
    return {"metric": "makespan_s", "at_most": seconds}
