"""Valid input, from which hostile input is made."""

from __future__ import annotations

from typing import Any

from engine import presets

SMALL: dict[str, Any] = {
    "version": 1,
    "name": "small",
    "seed": 3,
    "cluster": {
        "nodes": [
            {
                "name": "n",
                "count": 2,
                "memory_mb": 4096,
                "vcores": 4,
                "speed": 1,
                "map_slots": 2,
                "reduce_slots": 2,
            },
            {"count": 1, "memory_mb": 2048, "vcores": 2},
        ],
        "heartbeat_ms": 1000,
        "shuffle_mb_s": 100,
        "contention": 0.1,
        "outages": [{"node": "n-2", "lost_s": 5, "back_s": 9}],
    },
    "queues": [
        {
            "name": "root.a",
            "weight": 2,
            "capacity_pct": 60,
            "max_capacity_pct": 80,
            "min_share": {"memory_mb": 1, "vcores": 1},
            "policy": "fair",
        },
        {"name": "root.b", "capacity_pct": 40, "user_limit_factor": 1, "min_user_limit_pct": 50},
    ],
    "jobs": [
        {
            "name": "one",
            "queue": "root.a",
            "user": "ann",
            "arrival_s": 1,
            "slowstart": 0.5,
            "maps": {
                "count": 3,
                "memory_mb": 1024,
                "vcores": 1,
                "duration_s": {"dist": "normal", "mean": 10, "sd": 2},
            },
            "reduces": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": {"values": [5]}},
            "shuffle_mb_per_map": 10,
            "am": {"memory_mb": 512, "vcores": 1},
        },
        {
            "name": "two",
            "count": 2,
            "interval_s": 3,
            "queue": "root.b",
            "maps": {"count": 2, "memory_mb": 512, "vcores": 1, "duration_s": 4},
        },
    ],
}
PLAIN: dict[str, Any] = {
    "version": 1,
    "cluster": {"nodes": [{"count": 1, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [{"name": "one", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}],
}
SCENARIOS = (SMALL, PLAIN, *(preset.scenario.plain() for preset in presets()[:3]))
NAMES = (
    "fifo",
    "fair",
    "capacity",
    "drf+slowstart(at=0.5)",
    "haste+lazy-start",
    "saf",
    "fair(reservations=no, update_ms=0)+slowstart+admit-all",
    "omo",
)
LOOK = {
    "window": {"x0": 0, "x1": 20_000, "y0": 0, "y1": 5},
    "rows": {"by": "job", "sort": "start", "find": "one"},
    "highlight": "job:one",
    "colour": "phase",
    "dark": False,
    "width": 300,
    "height": 240,
    "room": 92,
    "strips": {"memory": 40, "vcores": 40, "capacity": 80},
    "charts": [0, 1],
}
ASKED = tuple(
    {"scenario": scenario, "schedulers": list(NAMES[at : at + 2])} for at, scenario in enumerate(SCENARIOS)
)
