"""Random scripts that Hadoop's schedulers and Gantry's engine both play, from a seed that is the script's
name.

A script is what the referee's driver reads (referee/…/Script.java); `scenario` and `scheduler` are the same
for Gantry. Sizes are multiples of 1,024 MB and 1 vcore, Hadoop's minimum allocation, so that its rounding
changes nothing but where a feature asks for it.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from engine import Scenario
from tests.hadoop.features import CAPACITY, FEATURES, MEMORY_ONLY, NAMES, SHARING, Feature

MB = 1024
HEARTBEAT_MS = 1000


def scripts(seed: str = "golden", part: float = 1.0) -> Iterator[dict[str, Any]]:
    """All scripts of a seed, or a part of each feature's."""
    for feature in FEATURES:
        for scheduler in feature.schedulers:
            yield from _of(feature, scheduler, seed, part)


def _of(
    feature: Feature, scheduler: str, seed: str = "golden", part: float = 1.0
) -> Iterator[dict[str, Any]]:
    for number in range(max(1, round(part * feature.each))):
        yield script(feature, scheduler, f"{seed}/{feature.name}/{scheduler}/{number}")


@cache
def golden_scripts(scheduler: str, name: str) -> list[dict[str, Any]]:
    """The scripts of the golden files for a scheduler and a feature; nobody changes them."""
    return [
        one
        for feature in FEATURES
        if feature.name == name and scheduler in feature.schedulers
        for one in _of(feature, scheduler)
    ]


@cache
def by_id() -> dict[str, dict[str, Any]]:
    """The scripts of the golden files; nobody changes them."""
    return {one["id"]: one for one in scripts()}


def script(feature: Feature, scheduler: str, name: str) -> dict[str, Any]:
    """One script; the same name gives the same script."""
    draw = random.Random(name)
    step = MB if feature.reservations else 1  # requests are rounded up to it
    vcore_bound = scheduler in ("drf", "capacity-drc")
    room = 10 if feature.tens else 8  # containers on a node
    nodes = [
        [MB * draw.choice((8, 12, 16)), draw.choice((8, 12))] if feature.sizes else [MB * room, room]
        for _ in range(draw.randint(1, 6))
    ]
    queues = _queues(feature, scheduler, draw, nodes)
    # masters of a queue without vcores are limited all the same
    while feature.users and not feature.am_limit and _min_vcores(queues, nodes) < 1:
        queues = _queues(feature, scheduler, draw, nodes)
    leaves = [
        queue["name"]
        for queue in queues
        if not any(other["name"].startswith(queue["name"] + ".") for other in queues)
    ]
    jobs, arrival = [], 0
    for _ in range(draw.randint(2, 6)):
        jobs.append(_job(feature, draw, leaves, arrival, step, vcore_bound))
        arrival += draw.choice((0, 0, draw.randint(1, 9_000)))
    result = {
        "id": name,
        "scheduler": scheduler,
        "heartbeat_ms": HEARTBEAT_MS,
        "per_beat": _per_beat(feature, scheduler, draw),
        "update_ms": feature.update_ms,
        "reservations": feature.reservations,
        "increment_mb": step,
        "am_limit": draw.choice((0.1, 0.2, 0.3, 0.5)) if feature.am_limit else None,
        **({"master": "ramp-up"} if feature.ramp_up else {}),
        "nodes": nodes,
        "queues": queues,
        "jobs": jobs,
    }
    if feature.adds:
        feature.adds(result, draw)
    return result


def _job(
    feature: Feature, draw: random.Random, leaves: list[str], arrival: int, step: int, vcore_bound: bool
) -> dict[str, Any]:
    """The order of draws is part of what a script is."""
    maps = draw.randint(1, 20)
    reduces = 0
    if feature.reduces and draw.random() < 0.8:
        reduces = draw.randint(1, 16 if feature.ramp_up else 6)
    return {
        "queue": draw.choice(leaves),
        "user": draw.choice(("ann", "bob", "cho")) if feature.users else "user",
        "arrival": arrival,
        "am": _master(feature, draw),
        "startup": draw.choice((0, 0, 1_500)) if feature.masters else 0,
        "map": [MB * draw.randint(5, 7), 1] if feature.hangs else _size(feature, draw, step, vcore_bound),
        "maps": _times(draw, maps),
        "reduce": _size(feature, draw, step, vcore_bound) if reduces else None,
        "reduces": _times(draw, reduces),
        "slow": _slow(feature, draw, maps),
    }


def _size(feature: Feature, draw: random.Random, step: int, vcore_bound: bool) -> list[int]:
    if not feature.sizes:
        return [MB, 1]
    memory = MB * draw.choice((1, 1, 1.5, 2, 3, 3.7))
    return [math.ceil(memory / step) * step, draw.choice((1, 1, 2, 3)) if vcore_bound else 1]


def _times(draw: random.Random, count: int) -> list[int]:
    mean = draw.choice((3_000, 8_000, 20_000))
    return [draw.randint(mean // 2, 2 * mean) for _ in range(count)]


def _slow(feature: Feature, draw: random.Random, maps: int) -> int:
    """How many maps are done before reduces are asked for."""
    if feature.slowstart:
        return draw.randint(0, maps)
    return draw.randint(0, maps // 3) if feature.ramp_up else maps


def _master(feature: Feature, draw: random.Random) -> list[int] | None:
    if feature.am_limit:
        return [MB * draw.choice((1, 1, 2, 3)), draw.choice((1, 1, 2))]
    return [MB, 1] if feature.ramp_up or (feature.masters and draw.random() < 0.7) else None


def _per_beat(feature: Feature, scheduler: str, draw: random.Random) -> int:
    if scheduler == "fifo":
        return 0  # FifoScheduler knows no limit
    return draw.choice((0, 2, 3)) if feature.several else 1


def _queues(
    feature: Feature, scheduler: str, draw: random.Random, nodes: list[list[int]]
) -> list[dict[str, Any]]:
    """Parents before children, siblings in the order of the files."""
    children = {"root": ["default"]}
    if feature.tree and scheduler != "fifo":
        children = {"root": ["a", "b", "c", "default"][-draw.randint(2, 4) :]}
        for parent in [
            f"root.{name}" for name in children["root"] if name != "default" and draw.random() < 0.5
        ]:
            children[parent] = ["x", "y", "z"][: draw.randint(2, 3)]
    queues = [queue("root")]
    for parent, names in children.items():
        percentages = _percentages(draw, len(names))
        for name, percentage in zip(names, percentages):
            queues.append(queue(f"{parent}.{name}", **_settings(feature, scheduler, draw, nodes, percentage)))
    return queues


def queue(name: str, **settings: Any) -> dict[str, Any]:
    """A queue of a script; what is not given is as if it stood in no file."""
    plain = {
        "weight": 1.0,
        "min_share": None,
        "max_share": None,
        "capacity": "100",
        "max_capacity": "100",
        "policy": None,
        "user_limit_factor": None,
        "min_user_limit_pct": None,
    }
    return {"name": name, **plain, **settings}


def _settings(
    feature: Feature, scheduler: str, draw: random.Random, nodes: list[list[int]], percentage: int
) -> dict[str, Any]:
    settings: dict[str, Any] = {"capacity": str(percentage)}
    if feature.weights:
        settings["weight"] = draw.choice((0.5, 1.0, 1.0, 2.0, 3.0))
    if feature.shares and scheduler in SHARING:
        memory, vcores = sum(node[0] for node in nodes) // MB, sum(node[1] for node in nodes)
        if draw.random() < 0.5:
            settings["min_share"] = [
                MB * draw.randint(1, max(1, memory // 3)),
                draw.randint(1, max(1, vcores // 3)),
            ]
        if draw.random() < 0.4:
            settings["max_share"] = [
                MB * draw.randint(max(1, memory // 4), memory),
                draw.randint(max(1, vcores // 4), vcores),
            ]
    if feature.shares and scheduler in CAPACITY:
        settings["max_capacity"] = str(draw.randint(percentage, 100))
    if feature.users:
        settings["user_limit_factor"] = draw.choice((0.3, 0.5, 1.0, 1.0, 2.0))
        settings["min_user_limit_pct"] = draw.choice((20, 25, 33, 50, 100))
    return settings


def _min_vcores(queues: list[dict[str, Any]], nodes: list[list[int]]) -> float:
    """What the queue of the least capacity is guaranteed."""
    part = {"root": 1.0}
    for one in queues[1:]:
        part[one["name"]] = part[one["name"].rpartition(".")[0]] * int(one["capacity"]) / 100
    return min(part.values()) * sum(vcores for _, vcores in nodes)


def limits_masters(script: dict[str, Any]) -> bool:
    """Does Hadoop limit the masters of a script that has no limit? It has 1,000 times what a queue may use,
    and that is nothing where a queue is guaranteed no vcore and its parent has none left (AbstractLeafQueue,
    calculateAndGetAMResourceLimitPerPartition).
    """
    return (
        script["scheduler"] == "capacity-drc"
        and script["am_limit"] is None
        and _min_vcores(script["queues"], script["nodes"]) < 1
    )


def _percentages(draw: random.Random, count: int) -> list[int]:
    cuts = sorted(draw.sample(range(5, 100, 5), count - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, 100])]


def scheduler_of(script: dict[str, Any]) -> str:
    """What Gantry calls the script's scheduler, with its settings."""
    name = script["scheduler"]
    settings = [
        f"resources={'memory' if name in MEMORY_ONLY else 'both'}",
        *script.get("gantry", {}).get("scheduler", ()),
    ]
    if name != "fifo":
        settings.append(f"reservations={'yes' if script['reservations'] else 'no'}")
    if name in SHARING:
        settings.append(f"update_ms={script['update_ms']}")
    if name in CAPACITY:
        settings.append("user_limits=yes")
    rule = "am-limit" if name in CAPACITY else "am-share"
    admission = "admit-all" if script["am_limit"] is None else f"{rule}(limit={script['am_limit']})"
    return f"{NAMES[name]}({', '.join(settings)})+{script.get('master', 'slowstart')}+{admission}"


def scenario(script: dict[str, Any]) -> Scenario:
    """The script as Gantry reads it."""
    return Scenario.of(plain_scenario(script))


def plain_scenario(script: dict[str, Any]) -> dict[str, Any]:
    """It as JSON has it; what `gantry` says of the cluster, of queues and users by name, of nodes and of
    jobs by their place stands beside the rest.
    """
    extra = script.get("gantry", {})
    plain = {
        "version": 1,
        "cluster": {
            "nodes": [
                {"count": 1, "memory_mb": memory, "vcores": vcores} for memory, vcores in script["nodes"]
            ],
            "heartbeat_ms": script["heartbeat_ms"],
            "containers_per_heartbeat": script["per_beat"] or None,
        },
        "queues": [_scenario_queue(queue) for queue in script["queues"]],
        "jobs": [_scenario_job(job) for job in script["jobs"]],
    }
    plain["cluster"] |= extra.get("cluster", {})
    for queue in plain["queues"]:
        queue |= extra.get("queues", {}).get(queue["name"], {})
    for group in ("nodes", "jobs"):
        rows = plain["cluster"]["nodes"] if group == "nodes" else plain["jobs"]
        for row, more in zip(rows, extra.get(group, ())):
            row |= more
    return plain | extra.get("scenario", {})


def _scenario_queue(queue: dict[str, Any]) -> dict[str, Any]:
    shares = {
        key: {"memory_mb": queue[key][0], "vcores": queue[key][1]}
        for key in ("min_share", "max_share")
        if queue[key]
    }
    percentages = (
        {}
        if queue["name"] == "root"
        else {"capacity_pct": float(queue["capacity"]), "max_capacity_pct": float(queue["max_capacity"])}
    )
    users = {
        "user_limit_factor": queue["user_limit_factor"] or 100_000,
        "min_user_limit_pct": queue["min_user_limit_pct"],
    }
    return {
        "name": queue["name"],
        "weight": queue["weight"],
        "policy": queue["policy"],
        **shares,
        **percentages,
        **users,
    }


def _scenario_job(job: dict[str, Any]) -> dict[str, Any]:
    def tasks(kind: str) -> dict[str, Any]:
        memory, vcores = job[kind]
        times = job[f"{kind}s"]
        return {
            "count": len(times),
            "memory_mb": memory,
            "vcores": vcores,
            "duration_s": {"values": [time / 1000 for time in times]},
        }

    made = {
        "queue": job["queue"],
        "user": job["user"],
        "arrival_s": job["arrival"] / 1000,
        "maps": tasks("map"),
        "slowstart": job["slow"] / len(job["maps"]),
    }
    if job["am"]:
        made["am"] = {"memory_mb": job["am"][0], "vcores": job["am"][1], "startup_s": job["startup"] / 1000}
    if job["reduces"]:
        made["reduces"] = tasks("reduce")
    return made


def script_line(found: dict[str, Any]) -> str:
    """The script as the driver reads it."""
    return json.dumps(found, separators=(",", ":"))


def digest(script: dict[str, Any]) -> str:
    """What a golden file knows its script by."""
    return hashlib.sha256(script_line(script).encode()).hexdigest()[:12]
