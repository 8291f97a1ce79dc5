"""A small exercise of each kind, and right and wrong answers to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.dashboard import Exercise
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    MAKESPAN,
    NODES,
    SHORT,
    exercise,
    makespan,
    reach,
)

CONTAINER = "small/1/map/1"  # placed at 0:20, when maps of large wait too
FAIR: dict[str, Any] = {"schedulers": ["fair"], "jobs": (LARGE, {**SHORT, "arrival_s": 5})}
EXERCISES: Mapping[str, Exercise] = {
    "first": exercise(FIRST, schedulers=["fifo", "fair"], hints=["One.", "Two."]),
    "makespan": exercise(MAKESPAN),
    "reach": exercise(reach(makespan(30), nodes=2), change=[NODES]),
    "next": exercise({"kind": "predict", "ask": "next", "container": CONTAINER}, **FAIR),
    "place": exercise({"kind": "predict", "ask": "place", "container": CONTAINER}, **FAIR),
    "explain": exercise({"kind": "explain", "container": CONTAINER}, **FAIR),
    "compute": exercise({"kind": "compute", "quantity": "fair share", "job": "small", "at_s": 21}, **FAIR),
}

RIGHT: Mapping[str, dict[str, str | float]] = {
    "first": {"job": "large"},
    "makespan": {"makespan_s": 51},
    "reach": {"cluster.nodes.total": 4},
    "next": {"job": "small"},
    "place": {"node": "n-1", "request": "small/map"},
    "explain": {"rule": "room"},
    "compute": {"value": 2},
}
WRONG: Mapping[str, dict[str, str | float]] = {
    "first": {"job": "small"},
    "makespan": {"makespan_s": 80},
    "reach": {"cluster.nodes.total": 3},
    "next": {"job": "large"},
    "place": {"node": "n-2", "request": "large/map"},
    "explain": {"rule": "order"},
    "compute": {"value": 3},
}
