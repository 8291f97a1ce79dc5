"""The response curve: each scheduler's metrics as one number of a scenario goes through a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.analysis.metrics import summary
from engine.errors import GantryError, RunCancelled
from engine.experiments.overrides import Overrides, S, scheduler_of_path, with_overrides
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

BUDGET = 2_000_000  # containers that a curve may place in all
MAX_VALUES = 61
MIN_VALUES = 5


@dataclass(frozen=True)
class SweepPoint:
    """One scheduler with one value.

    metrics: by key of engine.metrics.METRICS, None where it could not be run; because: why it could not, or
    why it ended in a deadlock.
    """

    metrics: dict[str, Any] | None
    because: str | None = None

    def get(self, metric: str) -> float | None:
        """One metric, None where it has no value."""
        return self.metrics[metric] if self.metrics else None


@dataclass(frozen=True)
class ParameterSweep:
    """points[scheduler][value], by index; None for what a cancelled sweep did not reach. schedulers: as they
    were before.
    """

    path: str
    values: list[float]
    schedulers: list[str]
    points: list[list[SweepPoint | None]]


def sweep_point(
    scenario: dict,
    schedulers: Sequence[S],
    scheduler_index: int,
    changes: Overrides,
    cancel_token: CancelToken | None = None,
) -> SweepPoint:
    """One scheduler of a scenario's JSON values with some numbers changed; what is refused becomes a
    sentence. Raises RunCancelled when it was ended.
    """
    try:
        varied, changed = with_overrides(scenario, schedulers, changes)
        return point(simulate(varied, changed[scheduler_index], cancel_token=cancel_token))
    except RunCancelled:
        raise
    except GantryError as error:
        return SweepPoint(None, str(error).partition("\n")[0])


def point(run: Run) -> SweepPoint:
    """What is measured of a run."""
    return SweepPoint(summary(run), run.because)


def max_sweep_values(containers: int, schedulers: int) -> int:
    """How many values a curve has for a scenario of so many containers."""
    return min(max(BUDGET // max(containers * schedulers, 1), MIN_VALUES), MAX_VALUES)


def parameter_sweep(
    scenario: dict,
    schedulers: Sequence[str | Scheduler],
    path: str,
    values: Sequence[float],
    overrides: Overrides = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    cancel_token: CancelToken | None = None,
) -> ParameterSweep:
    """Every scheduler at every value of the path, with `overrides` applied too; value by value, so that a
    cancelled one has whole columns.

    A scheduler's own parameter moves that scheduler alone: the others are run once. progress(done, total)
    after each run, cancelled() before. Raises RunCancelled when a run was ended by `cancel_token`.
    """
    parsed = [as_scheduler(scheduler) for scheduler in schedulers]
    names = [scheduler.name for scheduler in parsed]
    overrides, own_scheduler = tuple(overrides), scheduler_of_path(path)
    points: list[list[SweepPoint | None]] = [[None] * len(values) for _ in parsed]
    total, done = len(values) * len(parsed), 0
    for value_index, value in enumerate(values):
        for scheduler_index in range(len(parsed)):
            if cancelled():
                return ParameterSweep(path, list(values), names, points)
            is_same_run = own_scheduler not in (None, scheduler_index) and value_index > 0
            points[scheduler_index][value_index] = (
                points[scheduler_index][0]
                if is_same_run
                else sweep_point(scenario, parsed, scheduler_index, (*overrides, (path, value)), cancel_token)
            )
            done += 1
            progress(done, total)
    return ParameterSweep(path, list(values), names, points)
