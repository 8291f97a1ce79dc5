"""Random scripts that Hadoop's schedulers and Gantry's engine both play, from a seed that is the script's name.

A script is what the referee's driver reads (referee/…/Script.java); `scenario` and `scheduler` are the same for Gantry.
Sizes are multiples of 1,024 MB and 1 vcore, Hadoop's minimum allocation, so that its rounding changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import Scenario

MB = 1024
HEARTBEAT_MS = 1000
NAMES = {  # the schedulers of Hadoop and what Gantry calls each
    "fifo": "fifo(resources=memory)",
    "fair": "fair",
    "drf": "drf",
    "capacity": "capacity(resources=memory)",
    "capacity-drc": "capacity",
}
SHARING = ("fair", "drf")
CAPACITY = ("capacity", "capacity-drc")


@dataclass(frozen=True)
class Feature:
    """What scripts of one kind exercise. schedulers: those that know it; each: how many scripts a scheduler."""

    name: str
    schedulers: tuple[str, ...]
    each: int
    tree: bool = False  # queues on three levels, else one leaf
    weights: bool = False
    shares: bool = False  # minimum and maximum shares, or maximum capacities
    reduces: bool = False
    slowstart: bool = False  # reduces while maps wait
    several: bool = False  # containers a beat
    masters: bool = False
    sizes: bool = False  # containers and nodes of several sizes
    reservations: bool = False
    ramp_up: bool = False  # Hadoop's own MapReduce master, and reduces enough to be in the way
    tens: bool = False  # nodes for ten containers, so that percentages give whole ones, were they not floats


EVERY = tuple(NAMES)
FEATURES = (
    Feature("one queue", EVERY, 10, masters=True),
    Feature("queues", (*SHARING, *CAPACITY), 20, tree=True),
    Feature("weights", SHARING, 24, tree=True, weights=True, sizes=True),
    Feature("guarantees", CAPACITY, 24, tree=True, tens=True),
    Feature("limits of queues", (*SHARING, *CAPACITY), 50, tree=True, weights=True, shares=True),
    Feature("limits of queues, sizes", SHARING, 36, tree=True, weights=True, shares=True, sizes=True, masters=True),
    Feature("reduces", EVERY, 16, tree=True, reduces=True, masters=True),
    Feature("slowstart", ("fifo", *SHARING), 36, tree=True, reduces=True, slowstart=True, sizes=True, masters=True),
    Feature("slowstart, one size", CAPACITY, 24, tree=True, reduces=True, slowstart=True, masters=True),
    Feature("several a beat", EVERY, 16, tree=True, several=True, reduces=True, masters=True),
    Feature("several a beat, sizes", ("fifo", *SHARING), 24, tree=True, weights=True, several=True, reduces=True, slowstart=True, sizes=True, masters=True),
    Feature("reservations", SHARING, 40, tree=True, weights=True, sizes=True, masters=True, reservations=True),
    Feature("reservations, reduces", SHARING, 40, tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, reservations=True),
    Feature("reservations", CAPACITY, 40, tree=True, sizes=True, masters=True, reservations=True),
    Feature("ramp-up", EVERY, 24, tree=True, reduces=True, masters=True, ramp_up=True),
    Feature("ramp-up, sizes", ("fifo", *SHARING), 24, tree=True, weights=True, shares=True, reduces=True, sizes=True, masters=True, ramp_up=True),
    Feature("ramp-up, reservations", SHARING, 24, tree=True, shares=True, reduces=True, sizes=True, masters=True, reservations=True, ramp_up=True),
    Feature("ramp-up, reservations", CAPACITY, 24, tree=True, shares=True, reduces=True, sizes=True, masters=True, reservations=True, ramp_up=True),
    Feature("reservations, limits", CAPACITY, 50, tree=True, shares=True, sizes=True, reservations=True),
    Feature("reservations, reduces", CAPACITY, 40, tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, reservations=True),
)


def scripts(seed: str = "golden", part: float = 1.0) -> Iterator[dict[str, Any]]:
    """All scripts of a seed, or a part of each feature's."""
    for feature in FEATURES:
        for scheduler in feature.schedulers:
            for number in range(max(1, round(part * feature.each))):
                yield script(feature, scheduler, f"{seed}/{feature.name}/{scheduler}/{number}")


def script(feature: Feature, scheduler: str, name: str) -> dict[str, Any]:
    """One script; the same name gives the same script."""
    draw = random.Random(name)
    step = MB if feature.reservations else 1  # requests are rounded up to it
    vcore_bound = scheduler in ("drf", "capacity-drc")
    room = 10 if feature.tens else 8  # containers on a node
    nodes = [[MB * draw.choice((8, 12, 16)), draw.choice((8, 12))] if feature.sizes else [MB * room, room] for _ in range(draw.randint(1, 6))]
    queues = _queues(feature, scheduler, draw, nodes)
    leaves = [queue["name"] for queue in queues if not any(other["name"].startswith(queue["name"] + ".") for other in queues)]

    def size() -> list[int]:
        if not feature.sizes:
            return [MB, 1]
        memory = MB * draw.choice((1, 1, 1.5, 2, 3, 3.7))
        return [math.ceil(memory / step) * step, draw.choice((1, 1, 2, 3)) if vcore_bound else 1]

    def times(count: int) -> list[int]:
        mean = draw.choice((3_000, 8_000, 20_000))
        return [draw.randint(mean // 2, 2 * mean) for _ in range(count)]

    jobs, arrival = [], 0
    for _ in range(draw.randint(2, 6)):
        maps = draw.randint(1, 20)
        reduces = draw.randint(1, 16 if feature.ramp_up else 6) if feature.reduces and draw.random() < 0.8 else 0
        jobs.append({
            "queue": draw.choice(leaves), "user": "user", "arrival": arrival,
            "am": [MB, 1] if feature.ramp_up or (feature.masters and draw.random() < 0.7) else None,
            "startup": draw.choice((0, 0, 1_500)) if feature.masters else 0,
            "map": size(), "maps": times(maps), "reduce": size() if reduces else None, "reduces": times(reduces),
            "slow": draw.randint(0, maps) if feature.slowstart else draw.randint(0, maps // 3) if feature.ramp_up else maps,
        })  # fmt: skip
        arrival += draw.choice((0, 0, draw.randint(1, 9_000)))
    return {
        "id": name, "scheduler": scheduler, "heartbeat_ms": HEARTBEAT_MS, "per_beat": _per_beat(feature, scheduler, draw), "update_ms": 0,
        "reservations": feature.reservations, "increment_mb": step, "am_limit": None, **({"master": "ramp-up"} if feature.ramp_up else {}),
        "nodes": nodes, "queues": queues, "jobs": jobs,
    }  # fmt: skip


def _per_beat(feature: Feature, scheduler: str, draw: random.Random) -> int:
    if scheduler == "fifo":
        return 0  # FifoScheduler knows no limit
    return draw.choice((0, 2, 3)) if feature.several else 1


def _queues(feature: Feature, scheduler: str, draw: random.Random, nodes: list[list[int]]) -> list[dict[str, Any]]:
    """Parents before children, siblings in the order of the files."""
    children = {"root": ["default"]}
    if feature.tree and scheduler != "fifo":
        children = {"root": ["a", "b", "c", "default"][-draw.randint(2, 4) :]}
        for parent in [f"root.{name}" for name in children["root"] if name != "default" and draw.random() < 0.5]:
            children[parent] = ["x", "y", "z"][: draw.randint(2, 3)]
    found = [_queue("root")]
    for parent, names in children.items():
        percentages = _percentages(draw, len(names))
        for name, percentage in zip(names, percentages):
            found.append(_queue(f"{parent}.{name}", **_settings(feature, scheduler, draw, nodes, percentage)))
    return found


def _queue(name: str, **settings: Any) -> dict[str, Any]:
    plain = {
        "weight": 1.0, "min_share": None, "max_share": None, "capacity": "100", "max_capacity": "100", "policy": None,
        "user_limit_factor": None, "min_user_limit_pct": None,
    }  # fmt: skip
    return {"name": name, **plain, **settings}


def _settings(feature: Feature, scheduler: str, draw: random.Random, nodes: list[list[int]], percentage: int) -> dict[str, Any]:
    settings: dict[str, Any] = {"capacity": str(percentage)}
    if feature.weights:
        settings["weight"] = draw.choice((0.5, 1.0, 1.0, 2.0, 3.0))
    if feature.shares and scheduler in SHARING:
        memory, vcores = sum(node[0] for node in nodes) // MB, sum(node[1] for node in nodes)
        if draw.random() < 0.5:
            settings["min_share"] = [MB * draw.randint(1, max(1, memory // 3)), draw.randint(1, max(1, vcores // 3))]
        if draw.random() < 0.4:
            settings["max_share"] = [MB * draw.randint(max(1, memory // 4), memory), draw.randint(max(1, vcores // 4), vcores)]
    if feature.shares and scheduler in CAPACITY:
        settings["max_capacity"] = str(draw.randint(percentage, 100))
    return settings


def _percentages(draw: random.Random, count: int) -> list[int]:
    cuts = sorted(draw.sample(range(5, 100, 5), count - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, 100])]


def scheduler_of(found: dict[str, Any]) -> str:
    """What Gantry calls the script's scheduler, with its settings."""
    name = NAMES[found["scheduler"]]
    if found["reservations"]:
        name = f"{name.rstrip(')')}{', ' if '(' in name else '('}reservations=yes)"
    return f"{name}+{found['master']}" if "master" in found else name


def scenario(found: dict[str, Any]) -> Scenario:
    """The script as Gantry reads it."""
    return Scenario.of({
        "version": 1,
        "cluster": {
            "nodes": [{"count": 1, "memory_mb": memory, "vcores": vcores} for memory, vcores in found["nodes"]],
            "heartbeat_ms": found["heartbeat_ms"], "containers_per_heartbeat": found["per_beat"] or None,
        },
        "queues": [_its_queue(queue) for queue in found["queues"]],
        "jobs": [_its_job(job) for job in found["jobs"]],
    })  # fmt: skip


def _its_queue(queue: dict[str, Any]) -> dict[str, Any]:
    shares = {key: {"memory_mb": queue[key][0], "vcores": queue[key][1]} for key in ("min_share", "max_share") if queue[key]}
    percentages = {} if queue["name"] == "root" else {"capacity_pct": float(queue["capacity"]), "max_capacity_pct": float(queue["max_capacity"])}
    return {"name": queue["name"], "weight": queue["weight"], "policy": queue["policy"], **shares, **percentages}


def _its_job(job: dict[str, Any]) -> dict[str, Any]:
    def tasks(kind: str) -> dict[str, Any]:
        memory, vcores = job[kind]
        times = job[f"{kind}s"]
        return {"count": len(times), "memory_mb": memory, "vcores": vcores, "duration_s": {"values": [time / 1000 for time in times]}}

    made = {"queue": job["queue"], "user": job["user"], "arrival_s": job["arrival"] / 1000, "maps": tasks("map"), "slowstart": job["slow"] / len(job["maps"])}
    if job["am"]:
        made["am"] = {"memory_mb": job["am"][0], "vcores": job["am"][1], "startup_s": job["startup"] / 1000}
    if job["reduces"]:
        made["reduces"] = tasks("reduce")
    return made


def line(found: dict[str, Any]) -> str:
    """The script as the driver reads it."""
    return json.dumps(found, separators=(",", ":"))


def digest(found: dict[str, Any]) -> str:
    """What a golden file knows its script by."""
    return hashlib.sha256(line(found).encode()).hexdigest()[:12]
