"""A batch under every static reservation, over a few seeds, and what is read from its makespans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple, TypeVar

from engine.experiments.replications import parallel_map
from engine.papers.autoadmin.workloads import VCORES
from engine.papers.measuring import makespan_s, run_trial
from engine.papers.trial import Trial
from engine.scenario.model import Scenario

RESERVATIONS = range(VCORES)  # 0 to 63: with all 64 reserved no master could ever start
PLATEAU = 1.01
NEAR_BEST = 1.05
SEEDS, ABLATION_SEEDS = 5, 2  # for judged claims; for ablations
AUTOADMIN = "fair(reservations=no, update_ms=0)+slowstart+autoadmin"
Key = TypeVar("Key")


class Sweep(NamedTuple):
    """Makespans, s, of a batch under every static reservation; inf: a deadlock. runs: one list a seed, by the
    reservation in vcores.
    """

    runs: Sequence[Sequence[float]]

    @property
    def mean(self) -> list[float]:
        """Over the seeds, by the reservation; inf if one of them is a deadlock."""
        return [fmean(makespans) for makespans in zip(*self.runs)]

    def at(self, vcores: int) -> list[float]:
        """With so much reserved, one a seed."""
        return [run[vcores] for run in self.runs]

    @property
    def min_feasible(self) -> int:
        """The smallest reservation without a deadlock under any seed; with one job at a time there is
        none.
        """
        return next(
            (vcores for vcores, makespan in enumerate(self.mean) if math.isfinite(makespan)), RESERVATIONS[-1]
        )


def reserved(vcores: int) -> str:
    """The Fair scheduler with a static reservation (section 2.3)."""
    return f"fair(reservations=no, update_ms=0)+slowstart+reserve(vcores={vcores})"


def with_seed(scenario: Scenario, seed: int) -> Scenario:
    """The scenario with its task times drawn from this seed."""
    return scenario.model_construct(**{**dict(scenario), "seed": seed})


def sweep(scenario: Scenario, trial: Trial) -> Sweep:
    """The scenario over the trial's seeds."""
    return sweep_each({"": scenario}, trial)[""]


def sweep_each(scenarios: Mapping[Key, Scenario], trial: Trial) -> dict[Key, Sweep]:
    """Several scenarios over the trial's seeds, by their keys."""
    seeds = len(trial.seeds)
    makespans = parallel_map(
        lambda scenario: _sweep_reservations(scenario, trial),
        [with_seed(scenario, seed) for scenario in scenarios.values() for seed in trial.seeds],
        trial.progress,
    )
    return {key: Sweep(makespans[index * seeds : (index + 1) * seeds]) for index, key in enumerate(scenarios)}


def _sweep_reservations(scenario: Scenario, trial: Trial) -> list[float]:
    """Masters hold a multiple of what divides all their sizes; reservations that leave them the same multiple
    give the same schedule, run once.
    """
    step = math.gcd(*(job.am.vcores for job in scenario.jobs if job.am))
    vcores_by_room = {(VCORES - vcores) // step: vcores for vcores in RESERVATIONS}
    makespan_by_room = {
        masters_room: makespan_s(run_trial(scenario, reserved(vcores), trial))
        for masters_room, vcores in vcores_by_room.items()
    }
    return [makespan_by_room[(VCORES - vcores) // step] for vcores in RESERVATIONS]


def under(scenario: Scenario, scheduler: str, trial: Trial) -> list[float]:
    """Makespan, s, under one scheduler, one a seed."""
    return [makespan_s(run_trial(with_seed(scenario, seed), scheduler, trial)) for seed in trial.seeds]


def optimum(makespans: Sequence[float]) -> float:
    """The median of the reservations whose makespan is within 1 % of the shortest.

    The curve has plateaus, at least as wide as a master, and a measured optimum lies anywhere on one: so
    neither its first nor its last reservation.
    """
    shortest = min(makespans)
    return median(vcores for vcores, makespan in enumerate(makespans) if makespan <= PLATEAU * shortest)


def near_best(makespans: Sequence[float]) -> tuple[int, int]:
    """The least and the largest reservation whose makespan is within 5 % of the shortest."""
    within = [vcores for vcores, makespan in enumerate(makespans) if makespan <= NEAR_BEST * min(makespans)]
    return within[0], within[-1]


def perf_score(makespan: float, makespans: Sequence[float]) -> float:
    """Eq. 4.1, percent: 100 for the shortest makespan of all static reservations, less for longer ones, more
    for a shorter one.
    """
    shortest = min(makespans)
    return 100 * (1 - (makespan - shortest) / shortest)
