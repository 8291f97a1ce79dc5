"""What each queue is entitled to while all of them want more: its steady fair share and its capacity, as
parts of the cluster.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.resource_types import MEMORY
from engine.scenario.model import Scenario
from engine.simulation.queues import QueueTree, queue_tree

ROUNDS = 64  # of the bisection: a float64 has no more to give


class QueueShare(NamedTuple):
    """A queue of the tree. depth: 0 for root; the rest are parts of the cluster, from 0 to 1.

    steady_share: of its memory, by weights and minimum and maximum shares (FSQueue.getSteadyFairShare);
    max_share: its maximum share. capacity, max_capacity: guaranteed and largest (AbstractCSQueue, absolute
    capacities).
    """

    name: str
    depth: int
    steady_share: float
    max_share: float
    capacity: float
    max_capacity: float


def queue_shares(scenario: Scenario) -> list[QueueShare]:
    """Every queue of a scenario, implied ones too, each after its parent and siblings in the order of the
    file.
    """
    tree = queue_tree(scenario)
    total = float(sum(group.count * group.memory_mb for group in scenario.cluster.nodes))
    children = [
        [other for other in range(len(tree.names)) if tree.parent[other] == queue]
        for queue in range(len(tree.names))
    ]
    steady_share = [total] * len(tree.names)
    shares = []

    def visit(queue: int, depth: int) -> None:
        max_share_mb = min(float(tree.max_resource[MEMORY, queue]), total)
        shares.append(
            QueueShare(
                tree.names[queue],
                depth,
                steady_share[queue] / total,
                max_share_mb / total,
                float(tree.capacity[queue]),
                float(tree.max_capacity[queue]),
            )
        )
        for child, share in zip(
            children[queue], _shared(tree, children[queue], steady_share[queue]), strict=True
        ):
            steady_share[child] = share
            visit(child, depth + 1)

    visit(0, 0)
    return shares


def _shared(tree: QueueTree, queues: list[int], total: float) -> list[float]:
    """A parent's share among its children: weight x r each, no less than the minimum and no more than the
    maximum share, for one r; without weight the minimum (ComputeFairShares).
    """

    def at(r: float) -> list[float]:
        return [
            min(
                max(r * float(tree.weight[queue]), float(tree.min_resource[MEMORY, queue])),
                float(tree.max_resource[MEMORY, queue]),
            )
            for queue in queues
        ]

    weights = [float(tree.weight[queue]) for queue in queues if tree.weight[queue] > 0]
    if not weights:
        return at(0.0)
    low, high = 0.0, (total + 1.0) / min(weights)
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(at(middle)) < total else (low, middle)
    return at(high)
