"""The response curve: what every scheduler makes of a scenario as one of its numbers goes through a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import GantryError
from engine.metrics import summary
from engine.run import Run
from engine.simulate import simulate
from engine.vary import Changes, place_of, vary

BUDGET = 2_000_000  # containers that a curve may place in all
MOST_VALUES = 61
LEAST_VALUES = 5


@dataclass(frozen=True)
class Point:
    """One scheduler with one value.

    metrics: by key of engine.metrics.METRICS, None where it could not be run; because: why it could not, or why it ended in a deadlock.
    """

    metrics: dict[str, Any] | None
    because: str | None = None

    def get(self, metric: str) -> float | None:
        """One metric, None where it has no value."""
        return self.metrics[metric] if self.metrics else None


@dataclass(frozen=True)
class Response:
    """points[scheduler's place][value's place]; None for what a cancelled one did not come to. schedulers: as they were before."""

    path: str
    values: list[float]
    schedulers: list[str]
    points: list[list[Point | None]]


def point_at(scenario: dict, schedulers: Sequence[str], place: int, changes: Changes) -> Point:
    """One scheduler of a scenario's JSON values with some numbers changed; what is refused becomes a sentence."""
    try:
        varied, names = vary(scenario, schedulers, changes)
        return point(simulate(varied, names[place]))
    except GantryError as error:
        return Point(None, str(error).partition("\n")[0])


def point(run: Run) -> Point:
    """What is measured of a run."""
    return Point(summary(run), run.because)


def affordable(containers: int, schedulers: int) -> int:
    """How many values a curve has for a scenario of so many containers."""
    return min(max(BUDGET // max(containers * schedulers, 1), LEAST_VALUES), MOST_VALUES)


def response(
    scenario: dict,
    schedulers: Sequence[str],
    path: str,
    values: Sequence[float],
    held: Changes = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Response:
    """Every scheduler at every value of the path, while `held` are changed too; value by value, so that a cancelled one has whole columns.

    A scheduler's own parameter moves that scheduler alone: the others are run once. progress(done, total) after each run, cancelled() before.
    """
    held, alone = tuple(held), place_of(path)
    points: list[list[Point | None]] = [[None] * len(values) for _ in schedulers]
    total, done = len(values) * len(schedulers), 0
    for number, value in enumerate(values):
        for place in range(len(schedulers)):
            if cancelled():
                return Response(path, list(values), list(schedulers), points)
            same = alone not in (None, place) and number > 0
            points[place][number] = points[place][0] if same else point_at(scenario, schedulers, place, (*held, (path, value)))
            done += 1
            progress(done, total)
    return Response(path, list(values), list(schedulers), points)
