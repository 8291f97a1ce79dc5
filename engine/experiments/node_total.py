"""A total number of nodes, apportioned to the groups of a cluster.

Groups get their nodes as parties get seats by Webster's method: at the total there is, each has what it has,
and one node more or less changes one group, so that a slider adds and drops nodes one by one. A group without
a node is left out. Of equal claims, such as those of a trace's hosts with one node each, every second one
goes first, then every second one of the rest: what is left is spread over the list, and so over racks and
kinds of hosts.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from engine.errors import Fault, ScenarioError
from engine.messages import msg

NODES_TOTAL = "cluster.nodes.total"
MAX_NODES = 10**7  # in all, the most a single group may have


def scale_groups(groups: Any, path: str, total: Any) -> list[dict]:
    """A copy of the cluster's node groups, as JSON values, with so many nodes in all; ScenarioError where
    that is no number of nodes.
    """
    if (
        not isinstance(groups, list)
        or not groups
        or not all(isinstance(group, dict) and _is_integer(group.get("count")) for group in groups)
    ):
        raise ScenarioError([Fault(path, msg("experiments.node_total.needs_node_groups_with_number_nodes"))])
    if not _is_integer(total):
        raise ScenarioError(
            [
                Fault(
                    path,
                    msg(
                        "experiments.node_total.must_be_whole_number_from_to",
                        total=total,
                        max_nodes=MAX_NODES,
                    ),
                )
            ]
        )
    counts = apportion([group["count"] for group in groups], int(total))
    return [{**group, "count": count} for group, count in zip(groups, counts, strict=True) if count]


def apportion(counts: Sequence[int], total: int) -> list[int]:
    """How many of `total` each group has, 0 for one that is left out; counts: of each now, at least 1."""
    current_total = sum(counts)
    # the nearest whole number: too many or too few by half a node a group
    counts_after = [(2 * count * total + current_total) // (2 * current_total) for count in counts]
    order = _alternating(len(counts))
    surplus = sum(counts_after) - total
    sign = 1 if surplus > 0 else -1
    # of the node it has last, or would have next
    priority = lambda index: counts[index] / (2 * counts_after[index] - sign)
    heap = [
        (sign * priority(index), -sign * order[index], index)
        for index in range(len(counts))
        if counts_after[index] or sign < 0
    ]
    heapq.heapify(heap)
    for _ in range(abs(surplus)):
        index = heap[0][2]
        counts_after[index] -= sign
        if counts_after[index] or sign < 0:
            heapq.heapreplace(heap, (sign * priority(index), -sign * order[index], index))
        else:
            heapq.heappop(heap)
    return counts_after


def _alternating(count: int) -> list[int]:
    """The rank of each position in bit-reversed order: 0, then the middle, then the quarters."""
    bits = max(1, (count - 1).bit_length())
    reverse = lambda number: int(f"{number:0{bits}b}"[::-1], 2)
    rank = {number: position for position, number in enumerate(sorted(range(count), key=reverse))}
    return [rank[number] for number in range(count)]


def _is_integer(number: Any) -> bool:
    return (
        isinstance(number, (int, float))
        and not isinstance(number, bool)
        and 1 <= number <= MAX_NODES
        and number == int(number)
    )
