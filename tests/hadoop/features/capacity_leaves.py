"""How CapacityScheduler orders jobs and queues: priorities, fair leaves, size-based weight; and how many far
containers it gives on one heartbeat.
"""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import CAPACITY, SHARING, Feature

GOLDEN = "capacity_leaves"
HIGHEST = 5  # yarn.cluster.max-application-priority


def priorities(script: dict[str, Any], draw: random.Random) -> None:
    """Some above what the cluster lets be; FifoScheduler and FairScheduler look at none."""
    script["conf"] = {"yarn.cluster.max-application-priority": str(HIGHEST)}
    for job in script["jobs"]:
        job["priority"] = draw.choice((0, 0, 1, 2, 5, 9))
    script["gantry"] = {"jobs": [{"priority": min(job["priority"], HIGHEST)} for job in script["jobs"]]}


def crowded(script: dict[str, Any], draw: random.Random) -> None:
    """Priorities, and jobs that come so soon after one another that several wait for their masters."""
    priorities(script, draw)
    for job in script["jobs"]:
        job["arrival"] //= 5


def fair_leaves(script: dict[str, Any], draw: random.Random) -> None:
    _fair_leaves(script, draw, weighs_size=False)


def ties(script: dict[str, Any], draw: random.Random) -> None:
    """Jobs that come together and hold the same, of users who may have one container each: who is not known
    to want anything comes last.
    """
    fair_leaves(script, draw)
    for queue in script["queues"][1:]:
        queue["user_limit_factor"], queue["min_user_limit_pct"] = 0.05, 5
    for job in script["jobs"]:
        job["arrival"], job["am"], job["startup"], job["maps"], job["slow"] = (
            0,
            None,
            0,
            [3_000] * draw.randint(1, 5),
            0,
        )


def sized_leaves(script: dict[str, Any], draw: random.Random) -> None:
    """Each job has a master: CapacityScheduler learns of a demand from jobs whose masters run."""
    _fair_leaves(script, draw, weighs_size=True)
    for job in script["jobs"]:
        job["am"], job["startup"] = job["am"] or [1024, 1], draw.choice((300, 700, 1_300, 2_600))


def _fair_leaves(script: dict[str, Any], draw: random.Random, weighs_size: bool) -> None:
    queues = {}
    for queue in _leaves(script):
        if draw.random() < 0.8:
            queue["settings"] = {"ordering-policy": "fair"}
            queues[queue["name"]] = {"ordering": "fair"}
            if weighs_size and draw.random() < 0.8:
                queue["settings"]["ordering-policy.fair.enable-size-based-weight"] = "true"
                queues[queue["name"]]["size_based_weight"] = True
    script["gantry"] = {"queues": queues}


def queue_priorities(script: dict[str, Any], draw: random.Random) -> None:
    """A parent that names no ordering has its own parent's."""
    leaves = [queue["name"] for queue in _leaves(script)]
    top = draw.choice(("priority-utilization", "priority-utilization", "utilization"))
    script["conf"] = {"yarn.scheduler.capacity.root.ordering-policy": top}
    queues: dict[str, dict] = {"root": {"ordering": top}}
    for queue in script["queues"][1:]:
        priority = draw.choice((-1, 0, 0, 1, 2, 7))
        queue["settings"], queues[queue["name"]] = {"priority": str(priority)}, {"priority": priority}
        if queue["name"] not in leaves and draw.random() < 0.5:
            queue["settings"]["ordering-policy"] = queues[queue["name"]]["ordering"] = draw.choice(
                ("priority-utilization", "utilization")
            )
    script["gantry"] = {"queues": queues}


def everything(script: dict[str, Any], draw: random.Random) -> None:
    """Priorities of jobs and queues, and leaves of both kinds, together."""
    queue_priorities(script, draw)
    settings, queues = (
        {queue["name"]: queue.get("settings", {}) for queue in script["queues"]},
        script["gantry"]["queues"],
    )
    conf = script["conf"]
    sized_leaves(script, draw)
    for queue in script["queues"][1:]:
        queue["settings"] = settings[queue["name"]] | (
            queue["settings"] if queue["name"] in script["gantry"]["queues"] else {}
        )
    merged = {name: one | script["gantry"]["queues"].get(name, {}) for name, one in queues.items()}
    priorities(script, draw)
    script["conf"] |= conf
    script["gantry"]["queues"] = merged


def off_switch(script: dict[str, Any], draw: random.Random) -> None:
    """Without blocks every container is far from its own."""
    most = draw.choice((1, 2, 2, 3))
    script["conf"] = {"yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments": str(most)}
    script["gantry"] = {"scheduler": [f"maximum_offswitch_assignments={most}"]}


def _leaves(script: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        queue
        for queue in script["queues"]
        if not any(other["name"].startswith(queue["name"] + ".") for other in script["queues"])
    ]


FEATURES = (
    Feature(
        "priorities of jobs",
        CAPACITY,
        40,
        (
            "Jobs of several priorities: the higher goes first in a fifo leaf of CapacityScheduler, and "
            "its master too."
        ),
        tree=True,
        reduces=True,
        masters=True,
        adds=priorities,
        golden=GOLDEN,
    ),
    Feature(
        "priorities of jobs",
        ("fifo", *SHARING),
        10,
        "FifoScheduler and FairScheduler look at no priority.",
        tree=True,
        reduces=True,
        masters=True,
        adds=priorities,
        golden=GOLDEN,
    ),
    Feature(
        "priorities of jobs, limits of masters",
        CAPACITY,
        40,
        "Jobs of several priorities and users, nodes that are reserved, masters that are limited.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        users=True,
        am_limit=True,
        reservations=True,
        adds=crowded,
        golden=GOLDEN,
    ),
    Feature(
        "fair leaves",
        CAPACITY,
        40,
        "Leaves of CapacityScheduler whose ordering-policy is fair.",
        tree=True,
        reduces=True,
        slowstart=True,
        masters=True,
        several=True,
        adds=fair_leaves,
        golden=GOLDEN,
    ),
    Feature(
        "fair leaves, ties",
        CAPACITY,
        40,
        (
            "Jobs of a fair leaf that come together and hold the same, and users who may have one "
            "container each."
        ),
        users=True,
        several=True,
        adds=ties,
        golden=GOLDEN,
    ),
    Feature(
        "fair leaves, reservations",
        CAPACITY,
        40,
        "Leaves whose ordering-policy is fair, where nodes are reserved and users limited.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        users=True,
        reservations=True,
        adds=fair_leaves,
        golden=GOLDEN,
    ),
    Feature(
        "size-based weight",
        CAPACITY,
        40,
        "Fair leaves with fair.enable-size-based-weight, where nodes are reserved.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        reservations=True,
        adds=sized_leaves,
        golden=GOLDEN,
    ),
    Feature(
        "priorities of queues",
        CAPACITY,
        40,
        ("Parents whose ordering-policy is priority-utilization, below and above their queues' guarantees."),
        tree=True,
        shares=True,
        reduces=True,
        masters=True,
        adds=queue_priorities,
        golden=GOLDEN,
    ),
    Feature(
        "priorities, fair leaves, ramp-up",
        CAPACITY,
        24,
        ("Priorities of queues and jobs, fair leaves, limits of masters and Hadoop's own MapReduce master."),
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        users=True,
        am_limit=True,
        reservations=True,
        ramp_up=True,
        adds=everything,
        golden=GOLDEN,
    ),
    Feature(
        "off-switch assignments",
        CAPACITY,
        20,
        (
            "Several containers a beat, of which maximum-offswitch-assignments may be off-switch: without "
            "blocks all are."
        ),
        tree=True,
        several=True,
        reduces=True,
        masters=True,
        adds=off_switch,
        golden=GOLDEN,
    ),
)
