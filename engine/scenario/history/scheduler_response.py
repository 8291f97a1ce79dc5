"""The ResourceManager's answer `scheduler` as queues and settings of a scenario, and its scheduler's name.

Sources: webapp/dao of hadoop-yarn-server-resourcemanager: FairSchedulerQueueInfo, CapacitySchedulerInfo, CapacitySchedulerQueueInfo,
CapacitySchedulerLeafQueueInfo, FifoSchedulerInfo. What the answer does not say is Hadoop's default, which `notes` tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.scenario.bounds import MOST_NAME, MOST_QUEUES
from engine.scenario.configuration.scheduler_settings import scheduler_name
from engine.scenario.field_types import MOST_COUNT, MOST_RESOURCE
from engine.scenario.queue_validation import ROOT

POLICIES = {"fair": "fair", "drf": "drf", "fifo": "fifo"}
SIZES = (("memory", "memory_mb"), ("vCores", "vcores"))
DECIMALS = 4  # of percentages, which Hadoop keeps as floats


@dataclass
class SchedulerAnswer:
    """queues, cluster: as a scenario's JSON has them; scheduler: its name here; notes: sentences of what was assumed."""

    scheduler: str
    queues: list[dict[str, Any]] = field(default_factory=list)
    cluster: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def scheduler_answer(answer: Any) -> SchedulerAnswer | None:
    """What `answer`, of the key "scheduler", says; None where its scheduler is none of the three, or it is no such answer at all."""
    info = _object(answer).get("schedulerInfo")
    read = READERS.get(str(_object(info).get("type")))
    found = read(info) if read else None
    if found and len(found.queues) > MOST_QUEUES // 2:
        found.notes.append(f"the scheduler's answer names more than {MOST_QUEUES // 2:,} queues: their settings are left out")
        found.queues = []
    return found


def _fair(info: dict[str, Any]) -> SchedulerAnswer:
    """Weights are not in the answer: they are what steady fair shares are to each other, which minimum and maximum shares may bend."""
    root = _object(info.get("rootQueue"))
    whole = _size(root.get("clusterResources"))
    top = _size(root.get("maxContainerAllocation"))
    made: dict[str, dict[str, Any]] = {}
    shares: dict[str, dict[str, int]] = {}
    for name, queue, children in _tree(root, "childQueues", None):
        values = made[name] = {"name": name}
        policy = POLICIES.get(str(queue.get("schedulingPolicy")).lower())
        if policy and not (policy == "fifo" and children):
            values["policy"] = policy
        least, most, largest = (_size(queue.get(key)) for key in ("minResources", "maxResources", "maxContainerAllocation"))
        if least and any(least.values()):
            values["min_share"] = least
        if most and whole and (most["memory_mb"] < whole["memory_mb"] or most["vcores"] < whole["vcores"]):
            values["max_share"] = most
        if largest and top and largest != top and all(largest.values()):
            values["max_container"] = largest
        if (apps := _whole(queue.get("maxApps"), MOST_COUNT)) is not None:
            values["max_running_apps"] = apps
        if queue.get("preemptable") is False:
            values["allow_preemption_from"] = False
        if name != ROOT:
            steady = _size(queue.get("steadyFairResources"))
            shares.setdefault(name.rpartition(".")[0], {})[name] = steady["memory_mb"] if steady else 0
    for group in shares.values():
        for name, weight in _weights(group).items():
            made[name]["weight"] = weight
    for name, values in made.items():
        if values.get("policy") == "drf" and made.get(name.rpartition(".")[0], {}).get("policy") == "fair":
            values["policy"] = "fair"
    order = "drf" if made.get(ROOT, {}).get("policy") == "drf" else "fair"
    notes = ["weights of queues are what their steady fair shares are to each other, as FairScheduler's answer has no others: fair-scheduler.xml would say"]
    return SchedulerAnswer(scheduler_name("fair", {"order": order}), _told(made), _allocation(root, top), notes)


def _weights(group: dict[str, int]) -> dict[str, float]:
    """Weights of siblings by the memory of their steady fair shares, which are whole MB: the simplest ratio within their rounding."""
    least = min((share for share in group.values() if share > 0), default=0)
    found = {}
    for name, share in group.items():
        ratio = share / least if share > 0 and least else 1.0
        simple = Fraction(ratio).limit_denominator(10)
        near = abs(float(simple) - ratio) <= 1.5 * (1 + ratio) / max(least, 1)
        found[name] = min(float(simple) if near else round(ratio, 3), 1e6)
    return found


def _capacity(info: dict[str, Any]) -> SchedulerAnswer:
    top = _size(info.get("maximumAllocation"))
    made: dict[str, dict[str, Any]] = {}
    limits: dict[str, float] = {}
    groups: dict[str, list[str]] = {}
    kept_from: list[dict[str, Any]] = []
    disabled: dict[str, bool] = {}
    for name, queue, children in _tree(info, "queues", ROOT):
        values = made[name] = {"name": name}
        if name != ROOT:
            groups.setdefault(name.rpartition(".")[0], []).append(name)
            weight = _share(queue.get("normalizedWeight"), 1.0)
            values["capacity_pct"] = _share(queue.get("capacity"), 100.0) or (weight or 0.0) * 100
            most = _share(queue.get("maxCapacity"), 100.0)
            if most is not None and 0 < most < 100:
                values["max_capacity_pct"] = most
        largest = _size(queue.get("maximumAllocation"))
        if largest and top and largest != top and all(largest.values()):
            values["max_container"] = largest
        for key, target in (("maxParallelApps", "max_running_apps"), ("queuePriority", "priority")):
            if (number := _whole(queue.get(key), MOST_COUNT if key != "queuePriority" else 1_000_000)) is not None and (number or key != "queuePriority"):
                values[target] = number
        ordering = str(queue.get("orderingPolicyInfo")).lower()
        if children:
            if ordering == "priority-utilization":
                values["ordering"] = ordering
            continue
        if "fair" in ordering or "fair" in str(queue.get("orderingPolicyDisplayName")).lower():
            values["ordering"] = "fair"
        factor, least = _number(queue.get("userLimitFactor")), _number(queue.get("userLimit"))
        if factor is not None and (factor >= 0 or factor == -1) and factor != 1:
            values["user_limit_factor"] = 1e6 if factor == -1 else min(round(factor, DECIMALS), 1e6)
        if least is not None and 1 <= least < 100:
            values["min_user_limit_pct"] = int(least)
        limit = _number(queue.get("configuredMaxAMResourceLimit"))
        if limit is not None and limit >= 0:
            limits[name] = round(limit, DECIMALS)
        disabled[name] = queue.get("preemptionDisabled") is not False
        kept_from.append(queue)
    for parent, names in groups.items():
        _to_whole(parent, [made[name] for name in names])
    common = max(set(limits.values()), key=[*limits.values()].count, default=0.1)
    for name, limit in limits.items():
        if limit != common and limit <= 1:
            made[name]["max_am_share"] = limit
    preemption = not all(disabled.values())  # of all queues where the cluster has none: CSQueuePreemption
    for name in [name for name, off in disabled.items() if off and preemption]:
        made[name]["disable_preemption"] = "yes"
    said = {"am_limit": min(common, 100.0), **({"preemption": "yes"} if preemption else {})}
    notes = ["containers are counted by memory alone, Hadoop's default, as CapacityScheduler's answer does not say: capacity-scheduler.xml would"]
    return SchedulerAnswer(scheduler_name("capacity", said), _told(made), _allocation(info, top), notes)


def _to_whole(parent: str, siblings: list[dict[str, Any]]) -> None:
    """Percentages of siblings that sum to 100, which floats miss; none where they say nothing."""
    total = sum(one["capacity_pct"] for one in siblings)
    for one in siblings:
        share = round(100 * one["capacity_pct"] / total, DECIMALS) if total else None
        one["capacity_pct"] = share
        if share is None:
            del one["capacity_pct"]
        elif "max_capacity_pct" in one:
            one["max_capacity_pct"] = max(share, one["max_capacity_pct"])
    if total:
        last = max(siblings, key=lambda one: one["capacity_pct"])
        last["capacity_pct"] = round(100 - sum(one["capacity_pct"] for one in siblings if one is not last), DECIMALS)


def _fifo(info: dict[str, Any]) -> SchedulerAnswer:
    return SchedulerAnswer(scheduler_name("fifo", {}), notes=["FifoScheduler has one queue: containers are counted by memory alone, as in Hadoop"])


READERS = {"fairScheduler": _fair, "capacityScheduler": _capacity, "fifoScheduler": _fifo}


def _tree(top: dict[str, Any], below: str, start: str | None) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """(whole name, queue, whether others are in it) of every queue with a name that a scenario takes, parents first, each once."""
    waiting: list[tuple[dict[str, Any], str]] = [(top, "")]
    seen: set[str] = set()
    while waiting:
        queue, parent = waiting.pop()
        own = str(queue.get("queuePath") or queue.get("queueName") or (start if not parent else "")).strip()
        name = own if not parent or own.startswith(f"{ROOT}.") else f"{parent}.{own.replace('.', '_')}"
        parts = name.split(".")
        if name in seen or parts[0] != ROOT or len(name) > MOST_NAME or "/" in name or not all(part.strip() for part in parts):
            continue
        seen.add(name)
        under = _object(queue.get(below)).get("queue")
        children = [one for one in (under if isinstance(under, list) else [under]) if isinstance(one, dict)]
        yield name, queue, bool(children)
        waiting += [(one, name) for one in reversed(children)]


def _told(made: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The queues; root only where it says something."""
    return [values for name, values in made.items() if name != ROOT or len(values) > 1]


def _allocation(info: dict[str, Any], largest: dict[str, int] | None) -> dict[str, Any]:
    """yarn.scheduler.maximum-allocation-… and, where some amount of the answer carries it, minimum-allocation-…: ResourceInformation."""
    found: dict[str, Any] = {"maximum": largest} if largest and all(largest.values()) else {}
    least = {}
    for amount in info.values():
        informations = _object(_object(amount).get("resourceInformations")).get("resourceInformation")
        for one in informations if isinstance(informations, list) else ():
            target = {"memory-mb": "memory_mb", "vcores": "vcores"}.get(str(_object(one).get("name")))
            minimum = _whole(_object(one).get("minimumAllocation"), MOST_RESOURCE)
            if target and minimum:
                least[target] = minimum
    if least:
        found["minimum"] = least
    return {"allocation": found} if found else {}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _size(value: Any) -> dict[str, int] | None:
    """ResourceInfo as memory_mb and vcores, both from 0; None where it gives not both, as <memory:1024, vCores:1> of old versions."""
    given = _object(value)
    found = {target: _number(given.get(key)) for key, target in SIZES}
    return None if None in found.values() or min(found.values()) < 0 else {key: min(int(amount), MOST_RESOURCE) for key, amount in found.items()}


def _share(value: Any, most: float) -> float | None:
    found = _number(value)
    return None if found is None or not found >= 0 else min(found, most)


def _whole(value: Any, most: int) -> int | None:
    """A whole number from 0; None beyond `most`, which stands for no limit."""
    found = _number(value)
    return int(found) if found is not None and 0 <= found <= most and found == int(found) else None


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, dict, list)) or value is None:
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
