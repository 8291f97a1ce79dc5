"""FairScheduler kills containers of jobs above their fair share for those that are starved."""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import SHARING, Feature
from tests.hadoop.features.running_apps import of_queues

FAIR = "yarn.scheduler.fair."


def preemption(script: dict[str, Any], draw: random.Random) -> None:
    """Timeouts of queues, as those of root or their own; jobs late enough to find the cluster full."""
    names = {
        "utilization_threshold": (
            f"{FAIR}preemption.cluster-utilization-threshold",
            draw.choice((0.0, 0.3, 0.8, 0.8)),
        ),
        "wait_before_kill_ms": (f"{FAIR}waitTimeBeforeKill", draw.choice((1_000, 2_500, 5_000, 15_000))),
        "starvation_check_ms": (f"{FAIR}waitTimeBeforeNextStarvationCheck", draw.choice((0, 2_000, 10_000))),
        "am_preemption": (f"{FAIR}am.preemption", "no"),
    }
    conf = {f"{FAIR}preemption": "true"} | {
        name: {"no": "false"}.get(value, str(value)) for name, value in names.values()
    }
    queues: dict[str, dict[str, Any]] = {}
    for queue in script["queues"]:
        own, settings = _queue(queue["name"], draw)
        queues[queue["name"]] = own
        if settings:
            queue["settings"] = settings
    arrival = 0
    for place, job in enumerate(script["jobs"]):
        longer = draw.choice((4, 10)) if place < 2 else 1
        job["maps"] = [time * longer for time in job["maps"]]
        job["arrival"] = arrival
        arrival += draw.choice((0, draw.randint(3_000, 20_000)))
    script["conf"] = conf
    script["gantry"] = {
        "scheduler": ["preemption=yes", *(f"{name}={value}" for name, (_, value) in names.items())],
        "queues": queues,
    }


def _queue(name: str, draw: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """Gantry's fields of a queue, and the elements of Hadoop's file; root's are the defaults of all."""
    least = name == "root" or draw.random() < 0.3
    both = {
        "min_share_preemption_timeout_s": (
            "minSharePreemptionTimeout",
            draw.choice((1, 4, 10)) if least and draw.random() < 0.8 else None,
        ),
        "fair_share_preemption_timeout_s": (
            "fairSharePreemptionTimeout",
            draw.choice((1, 5, 12)) if least and draw.random() < 0.8 else None,
        ),
        "fair_share_preemption_threshold": (
            "fairSharePreemptionThreshold",
            draw.choice((0.3, 0.5, 0.9, 1.0)) if least and draw.random() < 0.7 else None,
        ),
        "allow_preemption_from": (
            "allowPreemptionFrom",
            False if name != "root" and draw.random() < 0.15 else None,
        ),
    }
    given = {own: (element, value) for own, (element, value) in both.items() if value is not None}
    return {own: value for own, (_, value) in given.items()}, {
        element: str(value).lower() for element, value in given.values()
    }


def beside_running_jobs(script: dict[str, Any], draw: random.Random) -> None:
    """Jobs that wait for others to leave are not starved."""
    preemption(script, draw)
    own, settings = (
        script["gantry"]["queues"],
        {queue["name"]: queue.get("settings", {}) for queue in script["queues"]},
    )
    of_queues(script, draw)
    limits = script["gantry"]["queues"]
    script["gantry"]["queues"] = {name: {**own.get(name, {}), **limits.get(name, {})} for name in settings}
    for queue in script["queues"]:
        queue["settings"] = {**settings[queue["name"]], **queue.get("settings", {})}


ABOUT = (
    "FairScheduler kills for starved jobs: thresholds, timeouts of queues, warnings, nothing from queues "
    "that forbid it"
)
FEATURES = (
    Feature(
        "preemption",
        SHARING,
        40,
        f"{ABOUT}.",
        tree=True,
        weights=True,
        shares=True,
        masters=True,
        update_ms=500,
        adds=preemption,
        golden="fair_preemption",
    ),
    Feature(
        "preemption, sizes, reduces",
        SHARING,
        40,
        f"{ABOUT}; beside reservations, with reduces and containers of several sizes.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        reservations=True,
        update_ms=500,
        adds=preemption,
        golden="fair_preemption",
    ),
    Feature(
        "preemption, running jobs",
        SHARING,
        40,
        f"{ABOUT}; beside limits of running jobs.",
        tree=True,
        weights=True,
        shares=True,
        masters=True,
        update_ms=500,
        adds=beside_running_jobs,
        golden="fair_preemption",
    ),
)
