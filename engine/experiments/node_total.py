"""A number of nodes in all, spread over the groups of a cluster in proportion.

Groups get their nodes as parties get seats by Webster's method: at the total there is, each has what it has, and one node more or less changes one group,
so that a slider adds and drops nodes one by one. A group without a node is left out. Of equal claims, such as those of a trace's hosts with one node
each, every second one goes first, then every second one of the rest: what is left is spread over the list, and so over racks and kinds of hosts.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from engine.errors import Fault, ScenarioError

NODES_TOTAL = "cluster.nodes.total"
MOST_NODES = 10**7  # in all, the most a single group may have


def spread(groups: Any, path: str, total: Any) -> list[dict]:
    """A copy of the cluster's node groups, as JSON values, with so many nodes in all; ScenarioError where that is no number of nodes."""
    if not isinstance(groups, list) or not groups or not all(isinstance(group, dict) and _whole(group.get("count")) for group in groups):
        raise ScenarioError([Fault(path, "needs node groups with a number of nodes each")])
    if not _whole(total):
        raise ScenarioError([Fault(path, f"{total} must be a whole number from 1 to {MOST_NODES:,}")])
    counts = shares([group["count"] for group in groups], int(total))
    return [{**group, "count": count} for group, count in zip(groups, counts, strict=True) if count]


def shares(counts: Sequence[int], total: int) -> list[int]:
    """How many of `total` each group has, 0 for one that is left out; counts: of each now, at least 1."""
    every = sum(counts)
    found = [(2 * count * total + every) // (2 * every) for count in counts]  # the nearest whole number: too many or too few by half a node a group
    order = _alternating(len(counts))
    more = sum(found) - total
    sign = 1 if more > 0 else -1
    claim = lambda place: counts[place] / (2 * found[place] - sign)  # of the node it has last, or would have next
    queue = [(sign * claim(place), -sign * order[place], place) for place in range(len(counts)) if found[place] or sign < 0]
    heapq.heapify(queue)
    for _ in range(abs(more)):
        place = queue[0][2]
        found[place] -= sign
        if found[place] or sign < 0:
            heapq.heapreplace(queue, (sign * claim(place), -sign * order[place], place))
        else:
            heapq.heappop(queue)
    return found


def _alternating(count: int) -> list[int]:
    """The rank of each of so many places by its reversed bits: 0, then the middle, then the quarters."""
    bits = max(1, (count - 1).bit_length())
    reverse = lambda place: int(f"{place:0{bits}b}"[::-1], 2)
    rank = {place: at for at, place in enumerate(sorted(range(count), key=reverse))}
    return [rank[place] for place in range(count)]


def _whole(number: Any) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and 1 <= number <= MOST_NODES and number == int(number)
