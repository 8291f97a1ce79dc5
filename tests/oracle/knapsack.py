"""The oracle's knapsack of haste's initial assignment: a table over memory and vcores, filled from every
request at every place.
"""

from __future__ import annotations

import math


def knapsack(
    free: tuple[int, int], sizes: list[tuple[int, int]], waiting: list[int], values: list[float]
) -> int | None:
    """The request, one of so many waiting tasks of a size and a value each, that is the first of those in the
    best filling of what is free.
    """
    if not sizes:
        return None
    step = [unit(free[resource], [size[resource] for size in sizes]) for resource in (0, 1)]
    most = [free[resource] // step[resource] for resource in (0, 1)]
    units = [[-(-size[resource] // step[resource]) for resource in (0, 1)] for size in sizes]
    best: dict[tuple[int, int], float] = {}
    choice: dict[tuple[int, int], int | None] = {}
    for a in range(most[0] + 1):
        for b in range(most[1] + 1):
            best[a, b], choice[a, b] = 0.0, None
            for i, (memory, vcores) in enumerate(units):
                if (
                    memory <= a
                    and vcores <= b
                    and _taken(choice, units, i, (a - memory, b - vcores)) < waiting[i]
                ):
                    value = best[a - memory, b - vcores] + values[i]
                    if value > best[a, b]:
                        best[a, b], choice[a, b] = value, i
    filling = [item for item in range(len(sizes)) if _taken(choice, units, item, (most[0], most[1]))]
    return filling[0] if filling else None


def unit(free: int, amounts: list[int]) -> int:
    """One step of the grid: what all amounts are multiples of, but no more than 64 steps."""
    return max(math.gcd(*amounts), -(-free // 64))


def _taken(
    choice: dict[tuple[int, int], int | None], units: list[list[int]], item: int, place: tuple[int, int]
) -> int:
    """How often an item occurs in the filling that ends at a place."""
    taken = 0
    while choice[place] is not None:
        last = choice[place]
        taken += last == item
        place = place[0] - units[last][0], place[1] - units[last][1]
    return taken
