"""The ResourceManager's answer `scheduler` as queues and settings of a scenario, and its scheduler's name.

Sources: webapp/dao of hadoop-yarn-server-resourcemanager: FairSchedulerQueueInfo, CapacitySchedulerInfo,
CapacitySchedulerQueueInfo, CapacitySchedulerLeafQueueInfo, FifoSchedulerInfo. What the answer does not say is
Hadoop's default, which `notes` tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.messages import msg
from engine.scenario.configuration.scheduler_settings import scheduler_name
from engine.scenario.field_types import MAX_COUNT, MAX_RESOURCE
from engine.scenario.queue_validation import ROOT
from engine.scenario.scenario_limits import MAX_NAME_LENGTH, MAX_QUEUES

POLICIES = {"fair": "fair", "drf": "drf", "fifo": "fifo"}
SIZES = (("memory", "memory_mb"), ("vCores", "vcores"))
DECIMALS = 4  # of percentages, which Hadoop keeps as floats
# Whole numbers of a queue of CapacityScheduler: key, field, minimum and maximum of those that count.
CAPACITY_NUMBERS = (
    ("maxParallelApps", "max_running_apps", 0, MAX_COUNT),
    ("queuePriority", "priority", 1, 1_000_000),
)


@dataclass
class SchedulerResponse:
    """queues, cluster: as a scenario's JSON has them; scheduler: its name here; notes: sentences of what was
    assumed.
    """

    scheduler: str
    queues: list[dict[str, Any]] = field(default_factory=list)
    cluster: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def parse_scheduler(answer: Any) -> SchedulerResponse | None:
    """What `answer`, of the key "scheduler", says; None where its scheduler is none of the three, or it is no
    such answer at all.
    """
    info = _as_dict(_as_dict(answer).get("schedulerInfo"))
    read = READERS.get(str(info.get("type")))
    response = read(info) if read else None
    if response and len(response.queues) > MAX_QUEUES // 2:
        response.notes.append(
            msg(
                "scenario.scheduler_response.schedulers_answer_names_more_than_queues",
                max_queues=MAX_QUEUES // 2,
            )
        )
        response.queues = []
    return response


def _parse_fair(info: dict[str, Any]) -> SchedulerResponse:
    """Weights are not in the answer: they are what steady fair shares are to each other, which minimum and
    maximum shares may bend.
    """
    root = _as_dict(info.get("rootQueue"))
    cluster_size = _size(root.get("clusterResources"))
    cluster_maximum = _size(root.get("maxContainerAllocation"))
    queues: dict[str, dict[str, Any]] = {}
    shares: dict[str, dict[str, int]] = {}
    for name, queue, has_children in _tree(root, "childQueues", None):
        policy = POLICIES.get(str(queue.get("schedulingPolicy")).lower())
        own_policy = {"policy": policy} if policy and not (policy == "fifo" and has_children) else {}
        queues[name] = {
            "name": name,
            **own_policy,
            **_fair_shares(queue, cluster_size),
            **_own_max_container(queue.get("maxContainerAllocation"), cluster_maximum),
            **_fair_limits(queue),
        }
        if name != ROOT:
            steady = _size(queue.get("steadyFairResources"))
            shares.setdefault(name.rpartition(".")[0], {})[name] = steady["memory_mb"] if steady else 0
    for group in shares.values():
        for name, weight in _weights(group).items():
            queues[name]["weight"] = weight
    for name, values in queues.items():
        if values.get("policy") == "drf" and queues.get(name.rpartition(".")[0], {}).get("policy") == "fair":
            values["policy"] = "fair"
    order = "drf" if queues.get(ROOT, {}).get("policy") == "drf" else "fair"
    notes = [msg("scenario.scheduler_response.weights_queues_what_their_steady_fair")]
    return SchedulerResponse(
        scheduler_name("fair", {"order": order}),
        _queue_list(queues),
        _allocation(root, cluster_maximum),
        notes,
    )


def _fair_shares(queue: dict[str, Any], cluster_size: dict[str, int] | None) -> dict[str, Any]:
    """A queue's minimum share where it has one, its maximum share where that is below the cluster."""
    fields: dict[str, Any] = {}
    minimum, maximum = _size(queue.get("minResources")), _size(queue.get("maxResources"))
    if minimum and any(minimum.values()):
        fields["min_share"] = minimum
    if maximum and cluster_size and any(maximum[key] < size for key, size in cluster_size.items()):
        fields["max_share"] = maximum
    return fields


def _fair_limits(queue: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if (apps := _whole(queue.get("maxApps"), MAX_COUNT)) is not None:
        fields["max_running_apps"] = apps
    if queue.get("preemptable") is False:
        fields["allow_preemption_from"] = False
    return fields


def _own_max_container(value: Any, cluster_maximum: dict[str, int] | None) -> dict[str, Any]:
    """The largest container of a queue, where it is another than the cluster's."""
    largest = _size(value)
    if largest and cluster_maximum and largest != cluster_maximum and all(largest.values()):
        return {"max_container": largest}
    return {}


def _weights(group: dict[str, int]) -> dict[str, float]:
    """Weights of siblings by the memory of their steady fair shares, which are whole MB: the simplest ratio
    within their rounding.
    """
    smallest = min((share for share in group.values() if share > 0), default=0)
    weights = {}
    for name, share in group.items():
        ratio = share / smallest if share > 0 and smallest else 1.0
        simple = Fraction(ratio).limit_denominator(10)
        is_close = abs(float(simple) - ratio) <= 1.5 * (1 + ratio) / max(smallest, 1)
        weights[name] = min(float(simple) if is_close else round(ratio, 3), 1e6)
    return weights


def _parse_capacity(info: dict[str, Any]) -> SchedulerResponse:
    cluster_maximum = _size(info.get("maximumAllocation"))
    queues: dict[str, dict[str, Any]] = {}
    am_limits: dict[str, float] = {}
    groups: dict[str, list[str]] = {}
    disabled: dict[str, bool] = {}
    for name, queue, has_children in _tree(info, "queues", ROOT):
        queues[name] = {
            "name": name,
            **(_percentages(queue) if name != ROOT else {}),
            **_own_max_container(queue.get("maximumAllocation"), cluster_maximum),
            **_capacity_numbers(queue),
            **(_parent_fields(queue) if has_children else _leaf_fields(queue)),
        }
        if name != ROOT:
            groups.setdefault(name.rpartition(".")[0], []).append(name)
        if has_children:
            continue
        am_limit = _number(queue.get("configuredMaxAMResourceLimit"))
        if am_limit is not None and am_limit >= 0:
            am_limits[name] = round(am_limit, DECIMALS)
        disabled[name] = queue.get("preemptionDisabled") is not False
    for parent, names in groups.items():
        _normalize_percentages(parent, [queues[name] for name in names])
    common = max(set(am_limits.values()), key=[*am_limits.values()].count, default=0.1)
    for name, limit in am_limits.items():
        if limit != common and limit <= 1:
            queues[name]["max_am_share"] = limit
    preemption = not all(disabled.values())  # of all queues where the cluster has none: CSQueuePreemption
    for name in [name for name, is_disabled in disabled.items() if is_disabled and preemption]:
        queues[name]["disable_preemption"] = "yes"
    settings = {"am_limit": min(common, 100.0), **({"preemption": "yes"} if preemption else {})}
    notes = [msg("scenario.scheduler_response.containers_counted_by_memory_alone_hadoops")]
    return SchedulerResponse(
        scheduler_name("capacity", settings), _queue_list(queues), _allocation(info, cluster_maximum), notes
    )


def _percentages(queue: dict[str, Any]) -> dict[str, Any]:
    """Capacity, by its weight where it has none, and maximum capacity where there is one."""
    weight = _share(queue.get("normalizedWeight"), 1.0)
    fields = {"capacity_pct": _share(queue.get("capacity"), 100.0) or (weight or 0.0) * 100}
    maximum = _share(queue.get("maxCapacity"), 100.0)
    if maximum is not None and 0 < maximum < 100:
        fields["max_capacity_pct"] = maximum
    return fields


def _capacity_numbers(queue: dict[str, Any]) -> dict[str, int]:
    numbers = {}
    for key, field_name, minimum, maximum in CAPACITY_NUMBERS:
        number = _whole(queue.get(key), maximum)
        if number is not None and number >= minimum:
            numbers[field_name] = number
    return numbers


def _parent_fields(queue: dict[str, Any]) -> dict[str, Any]:
    ordering = str(queue.get("orderingPolicyInfo")).lower()
    return {"ordering": ordering} if ordering == "priority-utilization" else {}


def _leaf_fields(queue: dict[str, Any]) -> dict[str, Any]:
    """A leaf queue's ordering policy and limits of users, where they are not Hadoop's defaults."""
    fields: dict[str, Any] = {}
    orderings = (queue.get("orderingPolicyInfo"), queue.get("orderingPolicyDisplayName"))
    if any("fair" in str(ordering).lower() for ordering in orderings):
        fields["ordering"] = "fair"
    factor, user_limit = _number(queue.get("userLimitFactor")), _number(queue.get("userLimit"))
    if factor is not None and (factor >= 0 or factor == -1) and factor != 1:
        fields["user_limit_factor"] = (
            MAX_USER_LIMIT_FACTOR if factor == -1 else min(round(factor, DECIMALS), MAX_USER_LIMIT_FACTOR)
        )
    if user_limit is not None and 1 <= user_limit < 100:
        fields["min_user_limit_pct"] = int(user_limit)
    return fields


def _normalize_percentages(parent: str, siblings: list[dict[str, Any]]) -> None:
    """Percentages of siblings that sum to 100, which floats miss; none where they say nothing."""
    total = sum(queue["capacity_pct"] for queue in siblings)
    for queue in siblings:
        share = round(100 * queue["capacity_pct"] / total, DECIMALS) if total else None
        queue["capacity_pct"] = share
        if share is None:
            del queue["capacity_pct"]
        elif "max_capacity_pct" in queue:
            queue["max_capacity_pct"] = max(share, queue["max_capacity_pct"])
    if total:
        last = max(siblings, key=lambda queue: queue["capacity_pct"])
        last["capacity_pct"] = round(
            100 - sum(queue["capacity_pct"] for queue in siblings if queue is not last), DECIMALS
        )


def _parse_fifo(info: dict[str, Any]) -> SchedulerResponse:
    return SchedulerResponse(
        scheduler_name("fifo", {}),
        notes=[msg("scenario.scheduler_response.fifoscheduler_has_one_queue_containers_count")],
    )


READERS = {"fairScheduler": _parse_fair, "capacityScheduler": _parse_capacity, "fifoScheduler": _parse_fifo}


def _tree(top: dict[str, Any], below: str, start: str | None) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """(whole name, queue, whether others are in it) of every queue with a name that a scenario takes, parents
    first, each once.
    """
    pending: list[tuple[dict[str, Any], str]] = [(top, "")]
    seen: set[str] = set()
    while pending:
        queue, parent = pending.pop()
        raw_name = str(
            queue.get("queuePath") or queue.get("queueName") or (start if not parent else "")
        ).strip()
        name = (
            raw_name
            if not parent or raw_name.startswith(f"{ROOT}.")
            else f"{parent}.{raw_name.replace('.', '_')}"
        )
        parts = name.split(".")
        if (
            name in seen
            or parts[0] != ROOT
            or len(name) > MAX_NAME_LENGTH
            or "/" in name
            or not all(part.strip() for part in parts)
        ):
            continue
        seen.add(name)
        child_list = _as_dict(queue.get(below)).get("queue")
        children = [
            child
            for child in (child_list if isinstance(child_list, list) else [child_list])
            if isinstance(child, dict)
        ]
        yield name, queue, bool(children)
        pending += [(child, name) for child in reversed(children)]


def _queue_list(queues: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The queues; root only where it says something."""
    return [values for name, values in queues.items() if name != ROOT or len(values) > 1]


def _allocation(info: dict[str, Any], largest: dict[str, int] | None) -> dict[str, Any]:
    """yarn.scheduler.maximum-allocation-… and, where some amount of the answer carries it,
    minimum-allocation-…: ResourceInformation.
    """
    allocation: dict[str, Any] = {"maximum": largest} if largest and all(largest.values()) else {}
    minimum_sizes = {}
    for amount in info.values():
        informations = _as_dict(_as_dict(amount).get("resourceInformations")).get("resourceInformation")
        for information in informations if isinstance(informations, list) else ():
            target = {"memory-mb": "memory_mb", "vcores": "vcores"}.get(
                str(_as_dict(information).get("name"))
            )
            minimum = _whole(_as_dict(information).get("minimumAllocation"), MAX_RESOURCE)
            if target and minimum:
                minimum_sizes[target] = minimum
    if minimum_sizes:
        allocation["minimum"] = minimum_sizes
    return {"allocation": allocation} if allocation else {}


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _size(value: Any) -> dict[str, int] | None:
    """ResourceInfo as memory_mb and vcores, both from 0; None where it gives not both, as <memory:1024,
    vCores:1> of old versions.
    """
    info = _as_dict(value)
    size: dict[str, int] = {}
    for key, target in SIZES:
        amount = _number(info.get(key))
        if amount is None or amount < 0:
            return None
        size[target] = min(int(amount), MAX_RESOURCE)
    return size


def _share(value: Any, limit: float) -> float | None:
    share = _number(value)
    return None if share is None or not share >= 0 else min(share, limit)


def _whole(value: Any, limit: int) -> int | None:
    """A whole number from 0; None beyond `limit`, which stands for no limit."""
    parsed = _number(value)
    return int(parsed) if parsed is not None and 0 <= parsed <= limit and parsed == int(parsed) else None


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, dict, list)) or value is None:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
