"""What a search found: its trials, which of them is best, and how sure that is on fresh seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import Any, NamedTuple

from engine.scenario.model import Scenario
from engine.studies.search_space import Setting
from engine.studies.setting_search import Constraint, Objective, Search
from engine.version import VERSION


class Interval(NamedTuple):
    """Of a mean over `count` seeds; half: half the width of its 95 % interval, 0 where nothing is drawn, nan
    where a seed alone has a value.
    """

    mean: float
    half: float
    count: int  # type: ignore[assignment]  # hides tuple.count

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {"mean": _plain(self.mean), "half": _plain(self.half), "count": self.count}


@dataclass(frozen=True)
class Trial:
    """number: 0 is the present setting; changed: what differs from it, by path; values: means over the
    search's seeds, of its metrics in their order;
    violations: by how much each constraint is broken; because: why it has no numbers, in a sentence."""

    number: int
    setting: Setting | None
    changed: dict[str, float | str]
    scheduler: str
    values: tuple[float, ...]
    violations: tuple[float, ...]
    because: str = ""

    @property
    def is_feasible(self) -> bool:
        """Does every seed have a value, and does each constraint hold?"""
        return not self.because and not any(self.violations)

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        values = {
            "trial": self.number,
            "changed": self.changed,
            "scheduler": self.scheduler,
            "feasible": self.is_feasible,
        }
        return values | {
            "values": list(map(_plain, self.values)),
            "violations": list(map(_plain, self.violations)),
            "because": self.because,
        }


@dataclass(frozen=True)
class ConfirmedTrial:
    """A trial that is part of the answer. By metric, over the fresh seeds: estimates, and differences, how
    much more than the present setting has, paired by seed; both empty where the search was ended before.
    missing: how many fresh seeds have no value for it."""

    trial: Trial
    estimates: dict[str, Interval] = field(default_factory=dict)
    differences: dict[str, Interval] = field(default_factory=dict)
    missing: int = 0

    def is_surely_better(self, objective: Objective) -> bool:
        """Does the interval of the difference leave out zero, on the good side?"""
        apart = self.differences.get(objective.metric)
        return apart is not None and objective.sign * apart.mean + apart.half < 0

    def holds(self, constraint: Constraint) -> bool | None:
        """Does a constraint hold on the fresh seeds too? None where they were not run."""
        estimate = self.estimates.get(constraint.metric)
        return None if estimate is None else constraint.violation(estimate.mean) == 0

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        intervals = {
            key: {metric: interval.plain() for metric, interval in getattr(self, key).items()}
            for key in ("estimates", "differences")
        }
        return self.trial.plain() | intervals | {"missing": self.missing}


@dataclass(frozen=True)
class SearchResult:
    """front: the answer, of two objectives each setting of their trade-off curve, from the best of the first
    objective on; empty where nothing is feasible.
    present: the present setting over the fresh seeds; is_ended: it was ended before all trials were done."""

    search: Search
    trials: tuple[Trial, ...]
    front: tuple[ConfirmedTrial, ...]
    present: ConfirmedTrial
    is_ended: bool = False

    @property
    def best(self) -> ConfirmedTrial | None:
        """By the first objective."""
        return self.front[0] if self.front else None

    @property
    def feasible(self) -> int:
        """How many trials are."""
        return sum(trial.is_feasible for trial in self.trials)

    @property
    def is_everything(self) -> bool:
        """Was every setting tried? The best is then the best there is on these seeds."""
        return not self.is_ended and self.search.space.size <= self.search.trials

    @cached_property
    def nearest(self) -> Trial | None:
        """Where nothing is feasible: what breaks the constraints least, each counted in shares of its bound;
        None where no trial has numbers.
        """
        measure_run = [trial for trial in self.trials if not trial.because]
        return (
            None
            if self.front or not measure_run
            else min(
                measure_run,
                key=lambda trial: (sum(shares(self.search.constraints, trial.violations)), trial.number),
            )
        )

    def scenario(self, trial: Trial) -> dict[str, Any]:
        """A trial's scenario as JSON values, to be opened with its scheduler. ScenarioError where it was
        refused.
        """
        plain = self.search.scenario if trial.setting is None else self.search.space.at(trial.setting)[0]
        return Scenario.of(plain).plain()

    def plain(self) -> dict[str, Any]:
        """As JSON values; the same search gives the same."""
        best = self.best.trial if self.best else None
        values = {
            "version": 1,
            "engine": VERSION,
            "search": self.search.plain(),
            "settings": self.search.space.size,
            "is_everything": self.is_everything,
        }
        values |= {
            "is_ended": self.is_ended,
            "metrics": list(self.search.metrics),
            "feasible": self.feasible,
            "present": self.present.plain(),
        }
        values |= {
            "front": [entry.plain() for entry in self.front],
            "nearest": self.nearest.plain() if self.nearest else None,
        }
        values |= {
            "scheduler": best.scheduler if best else None,
            "scenario": self.scenario(best) if best else None,
        }
        return values | {"trials": [entry.plain() for entry in self.trials]}


def shares(constraints: Sequence[Constraint], violations: Sequence[float]) -> list[float]:
    """Violations in shares of their bounds, so that seconds and jobs can be added; of a bound of 0 as they
    are.
    """
    return [
        violation / (abs(constraint.bound) or 1.0) for constraint, violation in zip(constraints, violations)
    ]


def front_of(search: Search, trials: Sequence[Trial], values: Sequence[Sequence[float]]) -> list[int]:
    """The indices of the Pareto front, the trials that no other dominates: with values (of the search's
    objectives, a row a trial) no worse in any and better in one. From the best of the first objective on; of
    those with the same values the one that changes least, then the earliest."""
    losses = [
        tuple(objective.sign * value for objective, value in zip(search.objectives, row)) for row in values
    ]
    comparable = [index for index, row in enumerate(losses) if not any(map(isnan, row))]
    front: list[int] = []
    min_loss = float("inf")
    for index in sorted(
        comparable, key=lambda index: (losses[index], len(trials[index].changed), trials[index].number)
    ):
        if not front or (len(search.objectives) > 1 and losses[index][-1] < min_loss):
            front.append(index)
            min_loss = losses[index][-1]
    return front


def _plain(value: float) -> float | None:
    return None if isnan(value) else value
