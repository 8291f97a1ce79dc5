"""The response curve: what every scheduler makes of a scenario as one of its numbers goes through a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.analysis.metrics import summary
from engine.errors import GantryError, Halted
from engine.experiments.overrides import Overrides, place_of, with_overrides
from engine.simulation.halt import Halt
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

BUDGET = 2_000_000  # containers that a curve may place in all
MOST_VALUES = 61
LEAST_VALUES = 5


@dataclass(frozen=True)
class SweepPoint:
    """One scheduler with one value.

    metrics: by key of engine.metrics.METRICS, None where it could not be run; because: why it could not, or why it ended in a deadlock.
    """

    metrics: dict[str, Any] | None
    because: str | None = None

    def get(self, metric: str) -> float | None:
        """One metric, None where it has no value."""
        return self.metrics[metric] if self.metrics else None


@dataclass(frozen=True)
class ParameterSweep:
    """points[scheduler's place][value's place]; None for what a cancelled one did not come to. schedulers: as they were before."""

    path: str
    values: list[float]
    schedulers: list[str]
    points: list[list[SweepPoint | None]]


def sweep_point(scenario: dict, schedulers: Sequence[str], place: int, changes: Overrides, halt: Halt | None = None) -> SweepPoint:
    """One scheduler of a scenario's JSON values with some numbers changed; what is refused becomes a sentence. Raises Halted when it was ended."""
    try:
        varied, names = with_overrides(scenario, schedulers, changes)
        return point(simulate(varied, names[place], halt=halt))
    except Halted:
        raise
    except GantryError as error:
        return SweepPoint(None, str(error).partition("\n")[0])


def point(run: Run) -> SweepPoint:
    """What is measured of a run."""
    return SweepPoint(summary(run), run.because)


def affordable(containers: int, schedulers: int) -> int:
    """How many values a curve has for a scenario of so many containers."""
    return min(max(BUDGET // max(containers * schedulers, 1), LEAST_VALUES), MOST_VALUES)


def parameter_sweep(
    scenario: dict,
    schedulers: Sequence[str],
    path: str,
    values: Sequence[float],
    held: Overrides = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    halt: Halt | None = None,
) -> ParameterSweep:
    """Every scheduler at every value of the path, while `held` are changed too; value by value, so that a cancelled one has whole columns.

    A scheduler's own parameter moves that scheduler alone: the others are run once. progress(done, total) after each run, cancelled() before.
    Raises Halted when a run was ended by `halt`.
    """
    held, alone = tuple(held), place_of(path)
    points: list[list[SweepPoint | None]] = [[None] * len(values) for _ in schedulers]
    total, done = len(values) * len(schedulers), 0
    for number, value in enumerate(values):
        for place in range(len(schedulers)):
            if cancelled():
                return ParameterSweep(path, list(values), list(schedulers), points)
            same = alone not in (None, place) and number > 0
            points[place][number] = points[place][0] if same else sweep_point(scenario, schedulers, place, (*held, (path, value)), halt)
            done += 1
            progress(done, total)
    return ParameterSweep(path, list(values), list(schedulers), points)
