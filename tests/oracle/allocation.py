"""The oracle's rounding of requests, and what limits are rounded to: (memory, vcores) each."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.scenario.allocation import ContainerSize
from engine.scenario.model import Queue, Scenario

Pair = tuple[int, int]
Normalization = Callable[[str, Pair], Pair]  # of a queue's name and what is asked for
UNBOUNDED = (2**30, 2**30)  # of a container, in a cluster that does not say how large one may be


def pair(size: ContainerSize) -> Pair:
    return size.memory_mb, size.vcores


def normalization(scenario: Scenario, increments: bool, one_vcore: bool) -> Normalization:
    """What a scheduler counts for a request. increments: it rounds up to those, and minds what its queue
    takes, else to the minimum.
    """

    def normalized(queue: str, asked: Pair) -> Pair:
        allocation = scenario.cluster.allocation
        if allocation:
            nodes = scenario.cluster.nodes
            most = [
                pair(allocation.maximum),
                (max(node.memory_mb for node in nodes), max(node.vcores for node in nodes)),
            ]
            most += [largest(scenario, queue)] if increments else []
            step = pair(allocation.increment if increments else allocation.minimum)
            raised = tuple(map(max, asked, pair(allocation.minimum)))
            asked = tuple(map(min, *most, (up(amount, by) for amount, by in zip(raised, step))))
        return (asked[0], 1) if one_vcore else asked

    return normalized


def up(amount: int, step: int) -> int:
    return math.ceil(amount / step) * step


def down(amount: Pair, step: Pair) -> Pair:
    return amount[0] - amount[0] % step[0], amount[1] - amount[1] % step[1]


def min_allocation_of(scenario: Scenario) -> Pair:
    allocation = scenario.cluster.allocation
    return pair(allocation.minimum) if allocation else (1, 1)


def largest(scenario: Scenario, queue: str) -> Pair:
    """The largest container that a queue takes: its own, or else its parent's, and so on up."""
    allocation = scenario.cluster.allocation
    most = pair(allocation.maximum) if allocation else UNBOUNDED
    own: dict[str, Queue] = {one.name: one for one in scenario.queues if one.max_container}
    while queue and queue not in own:
        queue = queue.rpartition(".")[0]
    return tuple(map(min, most, pair(own[queue].max_container))) if queue else most
