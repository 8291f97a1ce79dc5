"""The queue tree as flat arrays, parents before children (Hadoop: FSQueue, AbstractCSQueue)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.codes import (
    AS_POLICY,
    BY_ARRIVAL,
    BY_MEMORY,
    BY_MEMORY_SIZE_WEIGHTED,
    BY_PRIORITY,
    BY_UTILIZATION,
    INFINITE,
)
from engine.resource_types import amounts_of
from engine.run_records import Amounts
from engine.scenario.model import Queue, Scenario, milliseconds
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

EVERYBODY = "*"  # in an access list
MAX_CONTAINER = 2**30  # MB and vcores of the largest container, where nothing says how large one may be
POLICIES = {None: 0, "fifo": 1, "fair": 2, "drf": 3}
LEAF_ORDERINGS = {None: AS_POLICY, "fifo": BY_ARRIVAL, "fair": BY_MEMORY}


class QueueTree(NamedTuple):
    """One entry a queue, each parent before its children; root is 0. Memory in MB, capacities as shares of
    the cluster.
    """

    names: list[str]
    parent: np.ndarray  # int64, -1 for root
    bottom_up: np.ndarray  # all queues, deepest first, then by name: the order of ties under fair and drf
    in_file: np.ndarray  # rank of first appearance in the file, for ties under capacity
    policy: np.ndarray  # code of POLICIES
    # under capacity: of leaves AS_POLICY, BY_ARRIVAL, BY_MEMORY or BY_MEMORY_SIZE_WEIGHTED, of parents
    # BY_UTILIZATION or BY_PRIORITY
    ordering: np.ndarray
    priority: np.ndarray
    weight: np.ndarray
    min_resource: Amounts
    max_resource: Amounts
    capacity: np.ndarray  # guaranteed
    max_capacity: np.ndarray
    user_limit_factor: np.ndarray
    min_user_limit: np.ndarray  # percent
    disables_preemption: np.ndarray  # int8, disable_preemption, its own or inherited
    # ms below its minimum share until others are killed for it, its own or its parent's
    min_share_timeout: np.ndarray
    fair_share_timeout: np.ndarray  # and below so much of its fair share:
    fair_share_threshold: np.ndarray
    allows_preemption: np.ndarray  # int8, of its containers and of all above
    max_running_jobs: np.ndarray  # jobs that run at a time, in it and below it
    max_applications: np.ndarray  # jobs of a leaf that have not left, INFINITE where it says nothing
    stopped: np.ndarray  # int8, its own state or its parent's
    acls: list[list[str]]  # who may submit to it, and who may administer it: its own, else root's everybody
    opens_to_all: np.ndarray  # int8, by its own or those above
    container_resource: Amounts  # of the largest container
    am_share: np.ndarray  # largest part for masters, NaN where the scheduler's own holds


def queue_tree(scenario: Scenario) -> QueueTree:
    """The tree of a scenario: what it lists, the parents their names imply, and root.default."""
    listed = {queue.name: queue for queue in scenario.queues}
    appearance = list(dict.fromkeys(prefix for name in [*listed, DEFAULT_QUEUE] for prefix in _path(name)))
    names = sorted(appearance, key=lambda name: (name.count("."), appearance.index(name)))
    queues = [listed.get(name) or Queue(name=name) for name in names]
    position = {name: index for index, name in enumerate(names)}
    parent = [position[name.rpartition(".")[0]] if name != ROOT else -1 for name in names]
    bottom_up = sorted(names, key=lambda name: (-name.count("."), name))
    capacity, max_capacity = _capacities(queues, parent, [position[name] for name in appearance])
    min_resource = amounts_of([queue.min_share for queue in queues])
    largest = _largest_containers(scenario, queues, parent)
    acls = [_acls(queue) for queue in queues]

    def each(value: Callable[[Queue], float], kind: type = np.int64) -> np.ndarray:
        return np.array([value(queue) for queue in queues], kind)

    def inherited(value: Callable[[Queue], float | None], default: float, kind: type) -> np.ndarray:
        return np.array(_inherited([value(queue) for queue in queues], parent, default), kind)

    return QueueTree(
        names=names,
        parent=np.array(parent, np.int64),
        bottom_up=np.array([position[name] for name in bottom_up], np.int64),
        in_file=np.array([appearance.index(name) for name in names], np.int64),
        policy=each(lambda queue: POLICIES[queue.policy]),
        ordering=np.array(_orderings(queues, parent), np.int64),
        priority=each(lambda queue: queue.priority),
        weight=each(lambda queue: queue.weight, np.float64),
        min_resource=min_resource,
        # a maximum share below the minimum share is as much as that
        max_resource=np.maximum(amounts_of([queue.max_share for queue in queues], INFINITE), min_resource),
        capacity=np.array(capacity, np.float64),
        max_capacity=np.array(max_capacity, np.float64),
        user_limit_factor=each(lambda queue: _or(queue.user_limit_factor, 1.0), np.float64),
        min_share_timeout=inherited(
            lambda queue: _ms(queue.min_share_preemption_timeout_s), INFINITE, np.int64
        ),
        fair_share_timeout=inherited(
            lambda queue: _ms(queue.fair_share_preemption_timeout_s), INFINITE, np.int64
        ),
        fair_share_threshold=inherited(lambda queue: queue.fair_share_preemption_threshold, 0.5, np.float64),
        allows_preemption=inherited(
            lambda queue: None if queue.allow_preemption_from else False, True, np.int8
        ),
        min_user_limit=each(lambda queue: float(np.float32(_or(queue.min_user_limit_pct, 100))), np.float64),
        disables_preemption=inherited(_disables_preemption, False, np.int8),
        max_running_jobs=each(lambda queue: _or(queue.max_running_apps, INFINITE)),
        max_applications=each(lambda queue: _or(queue.max_applications, INFINITE)),
        stopped=inherited(
            lambda queue: None if queue.state is None else queue.state == "stopped", False, np.int8
        ),
        acls=acls,
        opens_to_all=np.array(_opens_to_all(acls, parent), np.int8),
        container_resource=largest,
        am_share=each(lambda queue: _or(queue.max_am_share, np.nan), np.float64),
    )


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _disables_preemption(queue: Queue) -> bool | None:
    return None if queue.disable_preemption is None else queue.disable_preemption == "yes"


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else milliseconds(seconds)


def _inherited(configured: list, parent: list[int], default: float | bool) -> list:
    """Of each queue its own, else its parent's; root has what is said otherwise."""
    values: list = []
    for index, value in enumerate(configured):
        values.append(
            value if value is not None else values[parent[index]] if parent[index] >= 0 else default
        )
    return values


def _orderings(queues: list[Queue], parent: list[int]) -> list[int]:
    """A parent without one orders as its own parent does
    (CapacitySchedulerConfiguration.getQueueOrderingPolicy).
    """
    orderings: list[int] = []
    parents = set(parent)
    for number, queue in enumerate(queues):
        if number not in parents:
            orderings.append(
                BY_MEMORY_SIZE_WEIGHTED
                if queue.ordering == "fair" and queue.size_based_weight
                else LEAF_ORDERINGS[queue.ordering]
            )
        elif queue.ordering is None:
            orderings.append(orderings[parent[number]] if number else BY_UTILIZATION)
        else:
            orderings.append(BY_PRIORITY if queue.ordering == "priority-utilization" else BY_UTILIZATION)
    return orderings


def _acls(queue: Queue) -> list[str]:
    """Root admits everybody to what it says nothing of, another queue nobody but those that are admitted
    above (CapacitySchedulerConfiguration.getAcl, AllocationConfiguration.getQueueAcl).
    """
    stated = [queue.submit_acl, queue.administer_acl]
    return [EVERYBODY if acl is None else acl for acl in stated if acl is not None or queue.name == ROOT]


def _opens_to_all(acls: list[list[str]], parent: list[int]) -> list[bool]:
    opens: list[bool] = []
    for index, of_queue in enumerate(acls):
        is_open = any(acl.strip() == EVERYBODY for acl in of_queue)
        opens.append(is_open or parent[index] >= 0 and opens[parent[index]])
    return opens


def _path(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _largest_containers(scenario: Scenario, queues: list[Queue], parent: list[int]) -> Amounts:
    """A queue's own, or as its parent's, and no more than the cluster's
    (FSQueue.getMaximumContainerAllocation, QueueAllocationSettings).
    """
    allocation = scenario.cluster.allocation
    cluster_max = amounts_of([allocation.maximum if allocation else None], MAX_CONTAINER)
    largest = np.minimum(amounts_of([queue.max_container for queue in queues], MAX_CONTAINER), cluster_max)
    for number, queue in enumerate(queues):
        if not queue.max_container:
            largest[:, number] = largest[:, parent[number]] if parent[number] >= 0 else cluster_max[:, 0]
    return largest


def _capacities(
    queues: list[Queue], parent: list[int], in_file: list[int]
) -> tuple[list[float], list[float]]:
    """Guaranteed and largest capacity of each queue as a share of the cluster; what siblings leave is shared
    equally. Root's own maximum bears on those below it alone.
    """
    capacity, max_capacity = [1.0] * len(queues), [1.0] * len(queues)
    for number, queue in enumerate(queues):
        parent_index = parent[number]
        if parent_index < 0:
            max_capacity[number] = _product(1.0, _or(queue.max_capacity_pct, 100.0))
            continue
        siblings = [queues[other].capacity_pct for other in in_file if parent[other] == parent_index]
        given = [share for share in siblings if share is not None]
        taken = 0.0
        for share in given:  # not sum(): its rounding differs between Python versions
            taken += share
        default_share = (100.0 - taken) / (len(siblings) - len(given)) if len(given) < len(siblings) else 0.0
        share = max(default_share, 0.0) if queue.capacity_pct is None else queue.capacity_pct
        largest = _or(queue.max_capacity_pct, 100.0)
        capacity[number] = _product(capacity[parent_index], share)
        max_capacity[number] = _product(max_capacity[parent_index], largest)
    max_capacity[0] = 1.0
    return capacity, max_capacity


def _product(parent_capacity: float, percentage: float) -> float:
    """An absolute capacity as Hadoop has it, a float (AbstractCSQueue, QueueCapacities)."""
    return float(np.float32(parent_capacity) * (np.float32(percentage) / np.float32(100.0)))
