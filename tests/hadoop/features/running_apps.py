"""How many jobs run at a time: maxRunningApps of FairScheduler, max-parallel-apps of CapacityScheduler, of
queues and of users.
"""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import CAPACITY, SHARING, Feature

CONF = "yarn.scheduler.capacity."
USERS = ("ann", "bob", "cho")


def of_queues(script: dict[str, Any], draw: random.Random) -> None:
    """Leaves and parents; now and then a default, which holds for parents and for root too."""
    _submit_apart(script, draw)
    default = draw.choice((None, None, 2, 3))
    most = {queue["name"]: default for queue in script["queues"] if default}
    for queue in script["queues"]:
        if draw.random() < 0.6:
            most[queue["name"]] = draw.choice((1, 1, 2, 3))
            _limit_queue(script, queue, str(most[queue["name"]]))
    if default:
        _everywhere(script, {"queueMaxAppsDefault": str(default)}, {CONF + "max-parallel-apps": str(default)})
    _for_gantry(script, queues={name: {"max_running_apps": number} for name, number in most.items()})


def of_users(script: dict[str, Any], draw: random.Random) -> None:
    """The default, and some users with a limit of their own, above or below it."""
    _submit_apart(script, draw)
    for job in script["jobs"]:
        job["user"] = draw.choice(USERS)
    default = draw.choice((None, 1, 1, 2))
    own = {user: draw.choice((1, 2, 3)) for user in USERS if default is None or draw.random() < 0.3}
    if default:
        _everywhere(
            script, {"userMaxAppsDefault": str(default)}, {CONF + "user.max-parallel-apps": str(default)}
        )
    if script["scheduler"] in SHARING:
        script["user_max_apps"] = {user: str(number) for user, number in own.items()}
    else:
        script.setdefault("conf", {}).update(
            {f"{CONF}user.{user}.max-parallel-apps": str(number) for user, number in own.items()}
        )
    users = [{"name": user, "max_running_apps": number} for user, number in own.items()]
    _for_gantry(script, cluster={"user_max_running_apps": default}, scenario={"users": users})


def of_both(script: dict[str, Any], draw: random.Random) -> None:
    of_users(script, draw)
    of_queues(script, draw)


def of_both_and_users_limits(script: dict[str, Any], draw: random.Random) -> None:
    """No user's limit is below the queue's guarantee: a job that it stops for ever keeps all that wait from
    running.
    """
    of_both(script, draw)
    for queue in script["queues"]:
        queue["user_limit_factor"] = draw.choice((1.0, 2.0, 4.0))


def _submit_apart(script: dict[str, Any], draw: random.Random) -> None:
    """More jobs than may run, no two at the same millisecond: of such, Hadoop takes the first whose list its
    heap has on top, and may count one twice.
    """
    script["jobs"] += [
        {**job, "arrival": job["arrival"] + draw.randint(0, 6_000)}
        for job in script["jobs"][: draw.randint(1, 4)]
    ]
    script["jobs"].sort(key=lambda job: job["arrival"])
    for before, job in zip(script["jobs"], script["jobs"][1:]):
        job["arrival"] = max(job["arrival"], before["arrival"] + 1)


def _limit_queue(script: dict[str, Any], queue: dict[str, Any], most: str) -> None:
    if script["scheduler"] in SHARING:
        queue["settings"] = {"maxRunningApps": most}
    else:
        script.setdefault("conf", {})[f"{CONF}{queue['name']}.max-parallel-apps"] = most


def _everywhere(script: dict[str, Any], allocations: dict[str, str], conf: dict[str, str]) -> None:
    if script["scheduler"] in SHARING:
        script.setdefault("allocations", {}).update(allocations)
    else:
        script.setdefault("conf", {}).update(conf)


def _for_gantry(script: dict[str, Any], **words: Any) -> None:
    script.setdefault("gantry", {}).update(words)


BOTH = (*SHARING, *CAPACITY)
FEATURES = (
    Feature(
        "running jobs of a queue",
        BOTH,
        40,
        "maxRunningApps or max-parallel-apps of leaves, parents and root.",
        tree=True,
        reduces=True,
        masters=True,
        adds=of_queues,
        golden="running_apps",
    ),
    Feature(
        "running jobs of a user",
        BOTH,
        40,
        (
            "userMaxAppsDefault or user.max-parallel-apps, and users with a limit of their own, in "
            "whatever queue."
        ),
        tree=True,
        reduces=True,
        masters=True,
        adds=of_users,
        golden="running_apps",
    ),
    Feature(
        "running jobs, all else",
        SHARING,
        40,
        ("Jobs that wait to run beside reservations, updates every 500 ms, maxAMShare and limits of queues."),
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
        adds=of_both,
        golden="running_apps",
    ),
    Feature(
        "running jobs, all else",
        CAPACITY,
        50,
        "Jobs that wait to run beside reservations, users' limits and limits of masters and of queues.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        am_limit=True,
        users=True,
        reservations=True,
        adds=of_both_and_users_limits,
        golden="running_apps",
    ),
    Feature(
        "running jobs, ramp-up",
        BOTH,
        24,
        "Jobs that wait to run, under Hadoop's own MapReduce master.",
        tree=True,
        reduces=True,
        masters=True,
        reservations=True,
        sizes=True,
        ramp_up=True,
        adds=of_both,
        golden="running_apps",
    ),
)
