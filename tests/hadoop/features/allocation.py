"""What containers may be asked for: rounding, largest containers, parts for masters, and queues whose
policies differ.
"""

from __future__ import annotations

import random
from typing import Any

from tests.hadoop.features.feature import CAPACITY, SHARING, Feature

# no container is larger than the largest node, from the first moment on
STEADY = {"yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms": "-1"}
MINIMUM, MAXIMUM = "yarn.scheduler.minimum-allocation", "yarn.scheduler.maximum-allocation"


def rounding(script: dict[str, Any], draw: random.Random) -> None:
    """Requests of any size, a minimum, an increment and a maximum."""
    largest = [max(node[resource] for node in script["nodes"]) for resource in (0, 1)]
    minimum = [draw.choice((256, 512, 1000, 1024, 1536, 2048)), draw.choice((1, 1, 2))]
    increment = [draw.choice((128, 500, 512, 1024, 1024, 2048)), draw.choice((1, 1, 2, 3))]
    maximum = [
        draw.choice((largest[0], largest[0] - 100, largest[0] * 3 // 4)),
        draw.choice((largest[1], max(4, largest[1] // 2))),
    ]
    for job in script["jobs"]:
        for kind in ("am", "map", "reduce"):
            if job[kind]:
                most = maximum[0] if kind != "am" else maximum[0] // 3
                memory = draw.choice(
                    (draw.randint(1, 3000), draw.randint(500, 5000), draw.choice((1024, 2048, most)))
                )
                job[kind] = [min(memory, most), draw.choice((1, 1, 2, 3))]
    allocation = {"minimum": minimum, "increment": increment, "maximum": maximum}
    conf = {
        f"{MINIMUM}-mb": minimum[0],
        f"{MINIMUM}-vcores": minimum[1],
        f"{MAXIMUM}-mb": maximum[0],
        f"{MAXIMUM}-vcores": maximum[1],
    }
    conf |= {
        f"yarn.resource-types.{name}.increment-allocation": amount
        for name, amount in zip(("memory-mb", "vcores"), increment)
    }
    script["conf"] = STEADY | {key: str(value) for key, value in conf.items()}
    script["gantry"] = {
        "cluster": {
            "allocation": {key: {"memory_mb": size[0], "vcores": size[1]} for key, size in allocation.items()}
        }
    }


def largest_containers(script: dict[str, Any], draw: random.Random) -> None:
    """As rounding, and some queues refuse what others take, leaves and parents."""
    rounding(script, draw)
    allocation = script["gantry"]["cluster"]["allocation"]
    least, most = (
        [allocation[key]["memory_mb"], allocation[key]["vcores"]] for key in ("minimum", "maximum")
    )
    limited = [queue["name"] for queue in script["queues"][1:] if draw.random() < 0.6]
    own = {name: [draw.randint(low, high) for low, high in zip(least, most)] for name in limited}
    for queue in script["queues"]:
        if queue["name"] in own:
            memory, vcores = own[queue["name"]]
            capacity = {"maximum-allocation-mb": str(memory), "maximum-allocation-vcores": str(vcores)}
            queue["settings"] = (
                capacity
                if script["scheduler"] in CAPACITY
                else {"maxContainerAllocation": f"{memory} mb, {vcores} vcores"}
            )
    for job in script["jobs"]:
        limiting = next((own[name] for name in _with_parents(job["queue"]) if name in own), most)
        for kind in ("am", "map", "reduce"):
            if job[kind]:
                job[kind] = [min(asked, allowed) for asked, allowed in zip(job[kind], limiting)]
    script["gantry"]["queues"] = {
        name: {"max_container": {"memory_mb": memory, "vcores": vcores}}
        for name, (memory, vcores) in own.items()
    }


def masters_at_limits(script: dict[str, Any], draw: random.Random) -> None:
    """Many masters of several vcores below low maximum capacities; leaves whose largest container is little
    more than a large minimum.
    """
    minimum, vcores = draw.choice((1024, 1536, 2048)), draw.choice((1, 2))
    own = {
        queue["name"]: draw.randint(minimum + 1, 2 * minimum - 1)
        for queue in script["queues"]
        if _is_leaf(script, queue["name"]) and draw.random() < 0.5
    }
    for queue in script["queues"][1:]:
        queue["max_capacity"] = str(min(100, int(queue["capacity"]) + draw.choice((0, 5, 20, 50))))
        if queue["name"] in own:
            queue["settings"] = {"maximum-allocation-mb": str(own[queue["name"]])}
    script["jobs"] = [{**job, "am": [1, 1]} for job in script["jobs"] for _ in range(draw.randint(1, 2))]
    for job in script["jobs"]:
        most = own.get(job["queue"], 4 * minimum)
        job["am"] = [draw.choice((most, minimum, draw.randint(1, most))), draw.choice((1, 2, 3, 4))]
        job["map"], job["reduce"] = (
            [draw.randint(1, most), draw.choice((1, 2, 4))] if job[kind] else None
            for kind in ("map", "reduce")
        )
    largest = [max(node[resource] for node in script["nodes"]) for resource in (0, 1)]
    allocation = {
        "minimum": {"memory_mb": minimum, "vcores": vcores},
        "maximum": {"memory_mb": largest[0], "vcores": largest[1]},
    }
    conf = {
        f"{MINIMUM}-mb": minimum,
        f"{MINIMUM}-vcores": vcores,
        f"{MAXIMUM}-mb": largest[0],
        f"{MAXIMUM}-vcores": largest[1],
    }
    script["conf"] = STEADY | {key: str(value) for key, value in conf.items()}
    queues = {
        name: {"max_container": {"memory_mb": memory, "vcores": largest[1]}} for name, memory in own.items()
    }
    script["gantry"] = {"cluster": {"allocation": allocation}, "queues": queues}


def _with_parents(name: str) -> list[str]:
    """A queue, its parent, and so on up to root."""
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(len(parts), 0, -1)]


def parts_for_masters(script: dict[str, Any], draw: random.Random) -> None:
    """Leaves that have their own limit of masters, or under FairScheduler none."""
    parts = (
        (0.05, 0.1, 0.3, 0.7, 1.0) if script["scheduler"] in CAPACITY else (0.05, 0.1, 0.3, 0.7, 1.0, -1.0)
    )
    own = {
        queue["name"]: draw.choice(parts)
        for queue in script["queues"]
        if _is_leaf(script, queue["name"]) and draw.random() < 0.5
    }
    for queue in script["queues"]:
        if queue["name"] in own:
            queue["settings"] = {
                "maximum-am-resource-percent" if script["scheduler"] in CAPACITY else "maxAMShare": str(
                    own[queue["name"]]
                )
            }
    script["gantry"] = {"queues": {name: {"max_am_share": part} for name, part in own.items()}}


def _is_leaf(script: dict[str, Any], name: str) -> bool:
    return not any(other["name"].startswith(f"{name}.") for other in script["queues"])


def mixed_policies(script: dict[str, Any], draw: random.Random) -> None:
    """Each queue has its own policy or none, as SchedulingPolicy.isChildPolicyAllowed has it: fifo in leaves,
    drf under drf alone.
    """
    own = script["scheduler"]
    how: dict[str, str] = {}
    for queue in script["queues"]:
        above = how.get(queue["name"].rpartition(".")[0], "drf")
        allowed = [
            "fair",
            *(["drf"] if above == "drf" else []),
            *(["fifo", "fifo"] if _is_leaf(script, queue["name"]) else []),
        ]
        if own in allowed:
            allowed.append(None)
        queue["policy"] = draw.choice(allowed)
        how[queue["name"]] = queue["policy"] or own
    for job in script["jobs"]:
        for kind in ("am", "map", "reduce"):
            if job[kind]:
                job[kind] = [job[kind][0], draw.choice((1, 1, 2, 3))]


FEATURES = (
    Feature(
        "rounding",
        ("fifo", *SHARING),
        24,
        "Requests of any size, rounded up to a minimum or an increment and no larger than a maximum.",
        tree=True,
        weights=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        adds=rounding,
        golden="allocation",
    ),
    Feature(
        "rounding",
        CAPACITY,
        24,
        "Requests of any size, rounded up to a minimum or an increment and no larger than a maximum.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        reservations=True,
        adds=rounding,
        golden="allocation",
    ),
    Feature(
        "rounding, users' limits",
        CAPACITY,
        40,
        "Requests of any size, where Hadoop's own MapReduce masters of several users are limited.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        users=True,
        am_limit=True,
        reservations=True,
        ramp_up=True,
        adds=rounding,
        golden="allocation",
    ),
    Feature(
        "rounding, all defaults",
        SHARING,
        30,
        "Requests of any size, with FairScheduler's defaults and Hadoop's own MapReduce masters.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        am_limit=True,
        reservations=True,
        update_ms=500,
        ramp_up=True,
        adds=rounding,
        golden="allocation",
    ),
    Feature(
        "rounding, reservations, limits of masters",
        (*SHARING, *CAPACITY),
        24,
        "Requests of any size where nodes are reserved and masters limited.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        adds=rounding,
        golden="allocation",
    ),
    Feature(
        "largest containers of queues",
        (*SHARING, *CAPACITY),
        40,
        "Queues that refuse what others take, to which they also round and by which they reserve.",
        tree=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        adds=largest_containers,
        golden="allocation",
    ),
    Feature(
        "parts of queues for masters",
        (*SHARING, *CAPACITY),
        40,
        "maxAMShare or maximum-am-resource-percent of each leaf.",
        tree=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        adds=parts_for_masters,
        golden="allocation",
    ),
    Feature(
        "masters at limits",
        CAPACITY,
        40,
        (
            "Many masters of several vcores below low maximum capacities, in queues that take little more "
            "than the minimum."
        ),
        tree=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        adds=masters_at_limits,
        golden="allocation",
    ),
    Feature(
        "mixed policies",
        SHARING,
        30,
        "Queues of several policies: fifo leaves, fair ones under drf parents, drf ones.",
        tree=True,
        weights=True,
        shares=True,
        reduces=True,
        slowstart=True,
        sizes=True,
        masters=True,
        adds=mixed_policies,
        golden="allocation",
    ),
    Feature(
        "mixed policies, all defaults",
        SHARING,
        30,
        "Queues of several policies with FairScheduler's defaults and Hadoop's own MapReduce masters.",
        tree=True,
        weights=True,
        shares=True,
        reduces=True,
        sizes=True,
        masters=True,
        reservations=True,
        am_limit=True,
        update_ms=500,
        ramp_up=True,
        adds=mixed_policies,
        golden="allocation",
    ),
)
