"""Which requests are refused: more than the largest container of the cluster, or of the job's queue. Read
from the plain JSON values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.allocation import Allocation
from engine.scenario.application_validation import amount_of_request, application_requests
from engine.scenario.json_values import dict_list, int_at
from engine.scenario.queue_validation import DEFAULT_QUEUE
from engine.scenario.scenario_limits import MAX_NAME_LENGTH

RESOURCES = ("memory_mb", "vcores")
KINDS = ("am", "maps", "reduces")  # whatever the framework is, for it may have a fault of its own
Sizes = dict[str, int | None]


def allocation_faults(data: dict) -> Iterator[Fault]:
    """Faults of cluster.allocation, of the queues' max_container, and of the requests that these refuse."""
    cluster = data.get("cluster")
    allocation = cluster.get("allocation") if isinstance(cluster, dict) else None
    minimum, maximum = (
        ({}, {})
        if not isinstance(allocation, dict)
        else (_sizes(allocation, "minimum"), _sizes(allocation, "maximum"))
    )
    for resource in RESOURCES:
        yield from _minimum(
            resource, minimum.get(resource), maximum.get(resource), dict_list(cluster, "nodes")
        )
    queues = {}
    for queue in dict_list(data, "queues"):
        if (
            isinstance(queue.get("max_container"), dict)
            and isinstance(name := queue.get("name"), str)
            and len(name) <= MAX_NAME_LENGTH
        ):
            queues[name] = _sizes(queue, "max_container")
    if maximum or queues:
        yield from _requests(data, maximum, queues)


def _sizes(owner: dict, key: str) -> Sizes:
    """What is no amount has a fault of its own."""
    if key not in owner:
        return dict(Allocation.model_fields[key].default)
    amounts = {resource: int_at(owner, key, resource) for resource in RESOURCES}
    return {resource: amount if amount and amount > 0 else None for resource, amount in amounts.items()}


def _minimum(resource: str, minimum: int | None, maximum: int | None, nodes: list[dict]) -> Iterator[Fault]:
    path = f"cluster.allocation.minimum.{resource}"
    if minimum and maximum and minimum > maximum:
        yield Fault(
            path,
            msg(
                "scenario.allocation_validation.must_be_at_most_cluster_allocation",
                minimum=minimum,
                maximum=maximum,
            ),
        )
    largest = max((int_at(node, resource) or 0 for node in nodes), default=0)
    if minimum and largest and minimum > largest:
        yield Fault(
            path, msg("scenario.allocation_validation.fits_no_node_largest", minimum=minimum, largest=largest)
        )


def container_requests(job: dict) -> Iterator[tuple[str, dict]]:
    """(path within the job, memory_mb and vcores) of all that it asks for."""
    for kind in KINDS:
        if isinstance(job.get(kind), dict) and not (kind == "reduces" and int_at(job, kind, "count") == 0):
            yield kind, job[kind]
    yield from application_requests(job)


def _requests(data: dict, maximum: Sizes, queues: dict[str, Sizes]) -> Iterator[Fault]:
    for index, job in enumerate(dict_list(data, "jobs")):
        queue = _limiting_queue(job.get("queue", DEFAULT_QUEUE), queues)
        for kind, sizes in () if job.get("rejected") else container_requests(job):
            for resource in RESOURCES:
                requested, path = int_at(sizes, resource), f"jobs[{index}].{kind}.{resource}"
                if requested and requested > (maximum.get(resource) or requested):
                    yield Fault(
                        path,
                        msg(
                            "scenario.allocation_validation.more_than_cluster_allocation_maximum_and",
                            requested=amount_of_request(job, kind, resource, requested),
                            maximum=maximum[resource],
                        ),
                    )
                elif requested and queue and requested > (queues[queue][resource] or requested):
                    yield Fault(
                        path,
                        msg(
                            "scenario.allocation_validation.more_than_max_container_and_refused",
                            requested=amount_of_request(job, kind, resource, requested),
                            queue=queue,
                            queues=queues[queue][resource],
                        ),
                    )


def _limiting_queue(queue: Any, queues: dict[str, Sizes]) -> str | None:
    """The nearest of a queue and those above it that has a max_container."""
    name = queue if isinstance(queue, str) and len(queue) <= MAX_NAME_LENGTH else ""
    while name and name not in queues:
        name = name.rpartition(".")[0]
    return name or None
