"""The queue tree as flat arrays, parents before children (Hadoop: FSQueue, AbstractCSQueue)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.scenario.model import Queue, Scenario, milliseconds
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.schedulers.view import AS_POLICY, BY_ARRIVAL, BY_MEMORY, BY_MEMORY_FOR_SIZE, BY_PRIORITY, BY_USE

UNLIMITED = 2**62
MOST_OF_ALL = 2**30  # MB and vcores of the largest container, where nothing says how large one may be
POLICIES = {None: 0, "fifo": 1, "fair": 2, "drf": 3}
OF_LEAF = {None: AS_POLICY, "fifo": BY_ARRIVAL, "fair": BY_MEMORY}


class QueueTree(NamedTuple):
    """One entry a queue, each parent before its children; root is 0. Memory in MB, capacities as shares of the cluster."""

    names: list[str]
    parent: np.ndarray  # int64, -1 for root
    bottom_up: np.ndarray  # all queues, deepest first, then by name: the order of ties under fair and drf
    in_file: np.ndarray  # rank of first appearance in the file, for ties under capacity
    policy: np.ndarray  # code of POLICIES
    ordering: np.ndarray  # under capacity: of leaves AS_POLICY, BY_ARRIVAL, BY_MEMORY or BY_MEMORY_FOR_SIZE, of parents BY_USE or BY_PRIORITY
    priority: np.ndarray
    weight: np.ndarray
    min_memory: np.ndarray
    min_vcores: np.ndarray
    max_memory: np.ndarray
    max_vcores: np.ndarray
    capacity: np.ndarray  # guaranteed
    max_capacity: np.ndarray
    user_limit_factor: np.ndarray
    min_user_limit: np.ndarray  # percent
    is_spared: np.ndarray  # int8, disable_preemption, its own or inherited
    least_timeout: np.ndarray  # ms below its minimum share until others are killed for it, its own or its parent's
    share_timeout: np.ndarray  # and below so much of its fair share:
    share_threshold: np.ndarray
    allows_preemption: np.ndarray  # int8, of its containers and of all above
    most_running: np.ndarray  # jobs that run at a time, in it and below it
    container_memory: np.ndarray  # of the largest container
    container_vcores: np.ndarray
    am_share: np.ndarray  # largest part for masters, NaN where the scheduler's own holds


def queue_tree(scenario: Scenario) -> QueueTree:
    """The tree of a scenario: what it lists, the parents their names imply, and root.default."""
    listed = {queue.name: queue for queue in scenario.queues}
    appearance = list(dict.fromkeys(above for name in [*listed, DEFAULT_QUEUE] for above in _path(name)))
    names = sorted(appearance, key=lambda name: (name.count("."), appearance.index(name)))
    queues = [listed.get(name) or Queue(name=name) for name in names]
    position = {name: number for number, name in enumerate(names)}
    parent = [position[name.rpartition(".")[0]] if name != ROOT else -1 for name in names]
    bottom_up = sorted(names, key=lambda name: (-name.count("."), name))
    capacity, most = _capacities(queues, parent, [position[name] for name in appearance])
    low = [queue.min_share for queue in queues]
    spared: list[bool] = []
    for number, queue in enumerate(queues):
        spared.append(number > 0 and spared[parent[number]] if queue.disable_preemption is None else queue.disable_preemption == "yes")
    largest = _largest_containers(scenario, queues, parent)
    high = [(q.max_share.memory_mb, q.max_share.vcores) if q.max_share else (UNLIMITED, UNLIMITED) for q in queues]
    return QueueTree(
        names=names,
        parent=np.array(parent, np.int64),
        bottom_up=np.array([position[name] for name in bottom_up], np.int64),
        in_file=np.array([appearance.index(name) for name in names], np.int64),
        policy=np.array([POLICIES[queue.policy] for queue in queues], np.int64),
        ordering=np.array(_orderings(queues, parent), np.int64),
        priority=np.array([queue.priority for queue in queues], np.int64),
        weight=np.array([queue.weight for queue in queues], np.float64),
        min_memory=np.array([share.memory_mb for share in low], np.int64),
        min_vcores=np.array([share.vcores for share in low], np.int64),
        max_memory=np.array([max(h[0], share.memory_mb) for h, share in zip(high, low)], np.int64),
        max_vcores=np.array([max(h[1], share.vcores) for h, share in zip(high, low)], np.int64),
        capacity=np.array(capacity, np.float64),
        max_capacity=np.array(most, np.float64),
        user_limit_factor=np.array([1.0 if queue.user_limit_factor is None else queue.user_limit_factor for queue in queues], np.float64),
        least_timeout=np.array(_inherited([_ms(queue.min_share_preemption_timeout_s) for queue in queues], parent, UNLIMITED), np.int64),
        share_timeout=np.array(_inherited([_ms(queue.fair_share_preemption_timeout_s) for queue in queues], parent, UNLIMITED), np.int64),
        share_threshold=np.array(_inherited([queue.fair_share_preemption_threshold for queue in queues], parent, 0.5), np.float64),
        allows_preemption=np.array(_inherited([None if queue.allow_preemption_from else False for queue in queues], parent, True), np.int8),
        min_user_limit=np.array([100 if queue.min_user_limit_pct is None else queue.min_user_limit_pct for queue in queues], np.int64),
        is_spared=np.array(spared, np.int8),
        most_running=np.array([UNLIMITED if queue.max_running_apps is None else queue.max_running_apps for queue in queues], np.int64),
        container_memory=np.array([memory for memory, _ in largest], np.int64),
        container_vcores=np.array([vcores for _, vcores in largest], np.int64),
        am_share=np.array([np.nan if queue.max_am_share is None else queue.max_am_share for queue in queues], np.float64),
    )


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else milliseconds(seconds)


def _inherited(own: list, parent: list[int], otherwise: float | bool) -> list:
    """Of each queue its own, else its parent's; root has what is said otherwise."""
    found: list = []
    for place, one in enumerate(own):
        found.append(one if one is not None else found[parent[place]] if parent[place] >= 0 else otherwise)
    return found


def _orderings(queues: list[Queue], parent: list[int]) -> list[int]:
    """A parent without one orders as its own parent does (CapacitySchedulerConfiguration.getQueueOrderingPolicy)."""
    found: list[int] = []
    parents = set(parent)
    for number, queue in enumerate(queues):
        if number not in parents:
            found.append(BY_MEMORY_FOR_SIZE if queue.ordering == "fair" and queue.size_based_weight else OF_LEAF[queue.ordering])
        elif queue.ordering is None:
            found.append(found[parent[number]] if number else BY_USE)
        else:
            found.append(BY_PRIORITY if queue.ordering == "priority-utilization" else BY_USE)
    return found


def _path(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _largest_containers(scenario: Scenario, queues: list[Queue], parent: list[int]) -> list[tuple[int, int]]:
    """(memory, vcores): a queue's own, or as its parent's, and no more than the cluster's (FSQueue.getMaximumContainerAllocation, QueueAllocationSettings)."""
    allocation = scenario.cluster.allocation
    most = (allocation.maximum.memory_mb, allocation.maximum.vcores) if allocation else (MOST_OF_ALL, MOST_OF_ALL)
    found: list[tuple[int, int]] = []
    for queue, above in zip(queues, parent):
        own = queue.max_container
        inherited = found[above] if above >= 0 else most
        found.append((min(own.memory_mb, most[0]), min(own.vcores, most[1])) if own else inherited)
    return found


def _capacities(queues: list[Queue], parent: list[int], in_file: list[int]) -> tuple[list[float], list[float]]:
    """Guaranteed and largest capacity of each queue as a share of the cluster; what siblings leave is shared equally."""
    capacity, most = [1.0] * len(queues), [1.0] * len(queues)
    for number, queue in enumerate(queues):
        above = parent[number]
        if above < 0:
            continue
        siblings = [queues[other].capacity_pct for other in in_file if parent[other] == above]
        given = [share for share in siblings if share is not None]
        taken = 0.0
        for share in given:  # not sum(): its rounding differs between Python versions
            taken += share
        left = (100.0 - taken) / (len(siblings) - len(given)) if len(given) < len(siblings) else 0.0
        share = max(left, 0.0) if queue.capacity_pct is None else queue.capacity_pct
        largest = 100.0 if queue.max_capacity_pct is None else queue.max_capacity_pct
        capacity[number] = _product(capacity[above], share)
        most[number] = _product(most[above], largest)
    return capacity, most


def _product(above: float, percentage: float) -> float:
    """An absolute capacity as Hadoop has it, a float (AbstractCSQueue, QueueCapacities)."""
    return float(np.float32(above) * (np.float32(percentage) / np.float32(100.0)))
