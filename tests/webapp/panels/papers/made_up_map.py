"""A map of a claim that the tests make up: a change in percent over a rate and a time."""

from __future__ import annotations

from collections.abc import Callable

from engine.papers import Axis, ClaimGrid, ClaimMap, Ordered

CLAIM = Ordered("A before B", ("a", "b"), "text")
X = Axis("Fetch rate", "MB/s", (1.0, 4.0, 16.0), 8.0, True)
Y = Axis("Staggered masters", "s", (0.0, 2.0, 4.0, 10.0), 3.0)


def a_map(x: Axis = X, y: Axis = Y, **given) -> ClaimMap:
    def measure(at_x: float, at_y: float, trial) -> dict[str, list[float]]:
        change = at_x - at_y
        return {
            "a": [100.0 + change] * len(trial.seeds),
            "b": [100.0] * len(trial.seeds),
            "change": [change] * len(trial.seeds),
        }

    fields = {
        "experiment": "haste/mixed",
        "claim": CLAIM,
        "measure": measure,
        "key": "change",
        "name": "A's makespan beside B's",
    } | given
    return ClaimMap("Where A is before B", "Look at the line.", x=x, y=y, **fields)


def grid(
    one: ClaimMap, value: Callable[[float, float], float], holds: Callable[[float, float], bool]
) -> ClaimGrid:
    """A recorded map with these values."""
    x, y = one.x.values, one.y.values
    return ClaimGrid(
        x, y, tuple(tuple(value(a, b) for a in x) for b in y), tuple(tuple(holds(a, b) for a in x) for b in y)
    )
