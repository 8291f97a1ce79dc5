"""How many containers FairScheduler gives a node on a heartbeat: assignmultiple with dynamic.max.assign."""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import SHARING, Feature

FAIR = "yarn.scheduler.fair."


def half_of_the_node(script: dict[str, Any], draw: random.Random) -> None:
    """Hadoop does not ask max.assign then, nor Gantry containers_per_heartbeat: both are drawn and must not
    matter. Odd vcores have no whole half.
    """
    script["conf"] = {
        FAIR + "assignmultiple": "true",
        FAIR + "dynamic.max.assign": "true",
        FAIR + "max.assign": str(draw.choice((-1, 1, 3))),
    }
    script["gantry"] = {"scheduler": ["dynamic_max_assign=yes"]}
    for node in script["nodes"]:
        node[1] += draw.choice((0, 1, 5))


FEATURES = (
    Feature(
        "half a node a beat",
        SHARING,
        40,
        (
            "dynamic.max.assign: on a beat a node is given containers until they come to more than half "
            "of what it had free."
        ),
        tree=True,
        weights=True,
        several=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        adds=half_of_the_node,
        golden="assigning",
    ),
    Feature(
        "half a node a beat, reservations",
        SHARING,
        50,
        ("dynamic.max.assign where nodes are reserved, limits of queues hold and updates come every 500 ms."),
        tree=True,
        shares=True,
        several=True,
        reduces=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        update_ms=500,
        adds=half_of_the_node,
        golden="assigning",
    ),
)
