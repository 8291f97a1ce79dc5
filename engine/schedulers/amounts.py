"""Amounts of resources, compared and added: a container's size, what a node has free, what a queue holds.

A field of amounts has a row for each resource (engine/resource_types.py) and a column for each node, request,
queue, …; that of the whole run has the column THE_RUN.
In Hadoop  Resources
"""

from __future__ import annotations

from typing import Any

from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.run_records import Amounts

THE_RUN = 0


def fits(sizes: Amounts, size: int, rooms: Amounts, room: int) -> bool:
    """Is there at least as much of every resource (Resources.fitsIn)?"""
    lacking = 0
    for resource in range(RESOURCE_COUNT):
        lacking += sizes[resource, size] > rooms[resource, room]
    return lacking == 0


def is_nothing(amounts: Amounts, amount: int) -> bool:
    """Of none more than 0 (Resources.isNone)?"""
    count = 0
    for resource in range(RESOURCE_COUNT):
        count += amounts[resource, amount] > 0
    return count == 0


def differ(amounts: Amounts, amount: int, others: Amounts, other: int) -> bool:
    """Is there more or less of any resource?"""
    count = 0
    for resource in range(RESOURCE_COUNT):
        count += amounts[resource, amount] != others[resource, other]
    return count > 0


def subtract(amounts: Amounts, amount: int, sizes: Amounts, size: int, count: int) -> None:
    """`count` times the size is taken away, but no more than there is (Resources.subtractFromNonNegative)."""
    for resource in range(RESOURCE_COUNT):
        left = amounts[resource, amount] - count * sizes[resource, size]
        amounts[resource, amount] = max(left, 0)


def assign(amounts: Amounts, amount: int, others: Amounts, other: int) -> None:
    """It becomes the other."""
    for resource in range(RESOURCE_COUNT):
        amounts[resource, amount] = others[resource, other]


def clear(amounts: Amounts, amount: int) -> None:
    """It becomes nothing."""
    for resource in range(RESOURCE_COUNT):
        amounts[resource, amount] = 0


def add(totals: Amounts, total: int, sizes: Amounts, size: int, count: int) -> None:
    """`count` times the size is added, or taken away (Resources.addTo, subtractFrom)."""
    for resource in range(RESOURCE_COUNT):
        totals[resource, total] += count * sizes[resource, size]


def counted_resources(view: Any) -> int:
    """How many of them a scheduler counts, from the first: memory alone (DefaultResourceCalculator), or all
    (DominantResourceCalculator).
    """
    return RESOURCE_COUNT if view.counts_vcores == 1 else MEMORY + 1
