"""Which requests are refused: more than the largest container of the cluster, or of the job's queue. Read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.scenario.allocation import Allocation
from engine.scenario.bounds import MOST_NAME
from engine.scenario.plain_values import dicts, whole
from engine.scenario.queue_validation import DEFAULT_QUEUE

RESOURCES = ("memory_mb", "vcores")
KINDS = ("am", "maps", "reduces")
Sizes = dict[str, int | None]


def allocation_faults(data: dict) -> Iterator[Fault]:
    """Faults of cluster.allocation, of the queues' max_container, and of the requests that these refuse."""
    cluster = data.get("cluster")
    given = cluster.get("allocation") if isinstance(cluster, dict) else None
    least, most = ({}, {}) if not isinstance(given, dict) else (_sizes(given, "minimum"), _sizes(given, "maximum"))
    for resource in RESOURCES:
        yield from _minimum(resource, least.get(resource), most.get(resource), dicts(cluster, "nodes"))
    queues = {}
    for place, queue in enumerate(dicts(data, "queues")):
        if isinstance(queue.get("max_container"), dict) and isinstance(name := queue.get("name"), str) and len(name) <= MOST_NAME:
            queues[name] = {resource: whole(queue, "max_container", resource) for resource in RESOURCES}
            for resource, allowed in queues[name].items():
                if allowed and allowed < (least.get(resource) or 0):
                    yield Fault(f"queues[{place}].max_container.{resource}", f"{allowed} must be at least cluster.allocation.minimum ({least[resource]})")
    if most or queues:
        yield from _requests(data, most, queues)


def _sizes(given: dict, key: str) -> Sizes:
    if key not in given:
        return dict(Allocation.model_fields[key].default)
    return {resource: whole(given, key, resource) for resource in RESOURCES}


def _minimum(resource: str, least: int | None, most: int | None, nodes: list[dict]) -> Iterator[Fault]:
    where = f"cluster.allocation.minimum.{resource}"
    if least and most and least > most:
        yield Fault(where, f"{least} must be at most cluster.allocation.maximum ({most})")
    largest = max((whole(node, resource) or 0 for node in nodes), default=0)
    if least and largest and least > largest:
        yield Fault(where, f"{least} fits no node (largest: {largest})")


def _requests(data: dict, most: Sizes, queues: dict[str, Sizes]) -> Iterator[Fault]:
    for place, job in enumerate(dicts(data, "jobs")):
        queue = _limiting(job.get("queue", DEFAULT_QUEUE), queues)
        for kind in KINDS:
            if kind == "reduces" and whole(job, kind, "count") == 0:
                continue
            for resource in RESOURCES:
                asked, where = whole(job, kind, resource), f"jobs[{place}].{kind}.{resource}"
                if asked and asked > (most.get(resource) or asked):
                    yield Fault(where, f"{asked} is more than cluster.allocation.maximum ({most[resource]}), and is refused")
                elif asked and queue and asked > (queues[queue][resource] or asked):
                    yield Fault(where, f"{asked} is more than max_container of {queue} ({queues[queue][resource]}), and is refused")


def _limiting(queue: Any, queues: dict[str, Sizes]) -> str | None:
    """The nearest of a queue and those above it that has a max_container."""
    name = queue if isinstance(queue, str) and len(queue) <= MOST_NAME else ""
    while name and name not in queues:
        name = name.rpartition(".")[0]
    return name or None
