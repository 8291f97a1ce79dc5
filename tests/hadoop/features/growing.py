"""Nodes that register at a time; half of the clusters are empty at first."""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import CAPACITY, EVERY, SHARING, Feature


def nodes_join(script: dict[str, Any], draw: random.Random) -> None:
    """Now and then two at once; the first is there from the beginning unless none is."""
    script["nodes"] += [list(draw.choice(script["nodes"])) for _ in range(draw.randint(1, 3))]
    joins = [draw.choice((0, 1, 500, 2_500, draw.randint(1, 40_000))) for _ in script["nodes"]]
    joins[0] = 0
    if draw.random() < 0.5:
        joins = [at or draw.choice((700, 3_000, draw.randint(1, 20_000))) for at in joins]
    script["joins"] = joins
    for job in script["jobs"]:
        if draw.random() < 0.3:
            job["arrival"] += draw.randint(0, 20_000)
    script["jobs"].sort(key=lambda job: job["arrival"])
    script.setdefault("gantry", {})["nodes"] = [{"joins_s": at / 1000} for at in joins]


FEATURES = (
    Feature(
        "nodes that join",
        EVERY,
        20,
        "Nodes that register at a time; half of the clusters are empty at first.",
        tree=True,
        reduces=True,
        masters=True,
        adds=nodes_join,
        golden="growing",
    ),
    Feature(
        "nodes that join, all else",
        SHARING,
        40,
        "Beside reservations, updates every 500 ms, maxAMShare and limits of queues.",
        tree=True,
        weights=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        am_limit=True,
        reservations=True,
        update_ms=500,
        adds=nodes_join,
        golden="growing",
    ),
    Feature(
        "nodes that join, all else",
        CAPACITY,
        50,
        "Beside reservations, users' limits and limits of masters and of queues.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        am_limit=True,
        users=True,
        reservations=True,
        adds=nodes_join,
        golden="growing",
    ),
)
