"""CapacityScheduler's monitor that kills containers of queues beyond their guarantees
(ProportionalCapacityPreemptionPolicy).
"""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import CAPACITY, Feature

ROOM = "capacity_preemption"
MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."
LONGER = 4  # times as long as other features' tasks, so that some live to be killed


def monitored(script: dict[str, Any], draw: random.Random) -> None:
    """A monitor with drawn settings, some queues that are spared, and jobs that fill the cluster before
    others come.
    """
    drawn = {
        "monitoring_interval_ms": draw.choice((500, 1_000, 1_700, 3_000)),
        "max_wait_before_kill_ms": draw.choice((0, 1_000, 1_000, 2_500, 6_000, 15_000)),
        "total_preemption_per_round": draw.choice((0.1, 0.3, 0.5, 1, 1)),
        "max_ignored_over_capacity": draw.choice((0, 0.1, 0.1, 0.3)),
        "natural_termination_factor": draw.choice((0.2, 0.2, 0.5, 1)),
    }
    names = ("monitoring_interval", "max_wait_before_kill", *list(drawn)[2:])
    script["conf"] = {
        "yarn.resourcemanager.scheduler.monitor.enable": "true",
        **{MONITOR + name: str(drawn[key]) for name, key in zip(names, drawn)},
    }
    spared = {}
    for queue in script["queues"][1:]:
        if draw.random() < 0.15:
            word = draw.choice(("yes", "yes", "no"))
            queue["settings"] = {"disable_preemption": {"yes": "true", "no": "false"}[word]}
            spared[queue["name"]] = {"disable_preemption": word}
    for job in script["jobs"]:
        job["maps"] = [LONGER * time for time in job["maps"]]
        job["reduces"] = [LONGER * time for time in job["reduces"]]
    first, *others = script["jobs"]
    first["slow"] += 12 * len(script["nodes"]) * (first["slow"] > 0)
    first["maps"] += [LONGER * draw.randint(4_000, 30_000) for _ in range(12 * len(script["nodes"]))]
    elsewhere = [
        queue for queue in dict.fromkeys(job["queue"] for job in others) if queue != first["queue"]
    ] or _leaves(script)
    for place, job in enumerate(others):
        job["arrival"] += 6_000
        job["queue"] = job["queue"] if place % 2 else draw.choice(elsewhere)
    script["gantry"] = {
        "scheduler": ["preemption=yes", *(f"{key}={value}" for key, value in drawn.items())],
        "queues": spared,
    }


def _leaves(script: dict[str, Any]) -> list[str]:
    names = [queue["name"] for queue in script["queues"]]
    return [name for name in names if not any(other.startswith(name + ".") for other in names)]


def monitored_users(script: dict[str, Any], draw: random.Random) -> None:
    """Whose limits let a queue pass its guarantee."""
    monitored(script, draw)
    for queue in script["queues"][1:]:
        queue["user_limit_factor"] = draw.choice((3.0, 5.0, 10.0))


FEATURES = (
    Feature(
        "preemption",
        CAPACITY,
        40,
        "A monitor kills containers of queues beyond their guarantees for queues below theirs.",
        tree=True,
        masters=True,
        adds=monitored,
        golden=ROOM,
    ),
    Feature(
        "preemption, sizes",
        CAPACITY,
        40,
        "CapacityScheduler's monitor, where containers have several sizes and nodes are reserved.",
        tree=True,
        shares=True,
        sizes=True,
        masters=True,
        reservations=True,
        adds=monitored,
        golden=ROOM,
    ),
    Feature(
        "preemption, reduces",
        CAPACITY,
        40,
        (
            "CapacityScheduler's monitor, beside reduces asked for while maps wait and jobs that kill "
            "their own."
        ),
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        masters=True,
        adds=monitored,
        golden=ROOM,
    ),
    Feature(
        "preemption, users",
        CAPACITY,
        40,
        (
            "CapacityScheduler's monitor, where users of a queue are limited and several containers are "
            "given a beat."
        ),
        tree=True,
        shares=True,
        sizes=True,
        masters=True,
        users=True,
        several=True,
        reservations=True,
        adds=monitored_users,
        golden=ROOM,
    ),
)
