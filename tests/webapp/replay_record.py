"""A record whose truth is known: what a run did under launching and start-up that its scenario no longer
says.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import Scenario, simulate
from tests.simulated_records import recorded

# maps, their s, arrival
SIZES = (
    (6, 20, 0.0),
    (4, 12, 7.0),
    (9, 15, 11.5),
    (3, 25, 20.0),
    (7, 9, 31.0),
    (5, 18, 44.0),
)
STARTUPS = (5.0, 6.5, 4.0, 9.0, 5.5, 7.0)  # s


@cache
def record() -> dict[str, Any]:
    """JSON values of six jobs on two nodes, with what was measured of them under fair; not to be changed."""
    jobs = [
        {
            "name": f"job-{number}",
            "user": "ann" if number % 2 else "bob",
            "arrival_s": arrival,
            "am": {"memory_mb": 1024, "vcores": 1, "startup_s": startup, "heartbeat_s": 1.0},
            "maps": {"count": maps, "memory_mb": 1024, "vcores": 1, "duration_s": float(took)},
            "reduces": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 5.0},
            "shuffle_mb_per_map": 10.0,
        }
        for number, ((maps, took, arrival), startup) in enumerate(zip(SIZES, STARTUPS))
    ]
    nodes = [{"name": "n", "count": 2, "memory_mb": 8192, "vcores": 8}]
    scenario = {"version": 1, "name": "recorded", "cluster": {"nodes": nodes, "launch_s": 1.5}, "jobs": jobs}
    result = recorded(simulate(Scenario.of(scenario), "fair", plain=True)).plain()
    del result["cluster"]["launch_s"]
    return result
