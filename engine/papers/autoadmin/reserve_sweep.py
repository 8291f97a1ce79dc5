"""A batch under every static reservation, and what is read from its makespans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TypeVar

from engine.experiments.replications import in_parallel
from engine.papers.autoadmin.workloads import VCORES
from engine.papers.measuring import AS_IT_IS, makespan_s, simulated
from engine.papers.trial import Trial
from engine.scenario.model import Scenario

RESERVATIONS = range(VCORES)  # 0 to 63: with all 64 reserved no master could ever start
PLATEAU = 1.01
AUTOADMIN = "fair(reservations=no, update_ms=0)+slowstart+autoadmin"
Key = TypeVar("Key")


def reserved(vcores: int) -> str:
    """The Fair scheduler with a static reservation (section 2.3)."""
    return f"fair(reservations=no, update_ms=0)+slowstart+reserve(vcores={vcores})"


def sweep(scenario: Scenario, trial: Trial = AS_IT_IS) -> list[float]:
    """Makespan, s, by the reservation in vcores; inf: a deadlock.

    Masters hold a multiple of what divides all their sizes; reservations that leave them the same multiple give the same schedule, run once.
    """
    step = math.gcd(*(job.am.vcores for job in scenario.jobs))
    first = {(VCORES - vcores) // step: vcores for vcores in RESERVATIONS}
    found = {room: makespan_s(simulated(scenario, reserved(vcores), trial)) for room, vcores in first.items()}
    return [found[(VCORES - vcores) // step] for vcores in RESERVATIONS]


def sweep_each(scenarios: Mapping[Key, Scenario], trial: Trial) -> dict[Key, list[float]]:
    """The makespans of several scenarios, by their keys."""
    return dict(zip(scenarios, in_parallel(lambda one: sweep(one, trial), list(scenarios.values()), trial.progress)))


def optimum(makespans: Sequence[float]) -> float:
    """The median of the reservations whose makespan is within 1 % of the shortest.

    The curve has plateaus, at least as wide as a master, and a measured optimum lies anywhere on one: so neither its first nor its last reservation.
    """
    shortest = min(makespans)
    return median(vcores for vcores, makespan in enumerate(makespans) if makespan <= PLATEAU * shortest)


def perf_score(makespan: float, makespans: Sequence[float]) -> float:
    """Eq. 4.1, percent: 100 for the shortest makespan of all static reservations, less for longer ones, more for a shorter one."""
    shortest = min(makespans)
    return 100 * (1 - (makespan - shortest) / shortest)


def worst(makespans: Sequence[float]) -> float:
    """The longest makespan of those that end."""
    return max(makespan for makespan in makespans if math.isfinite(makespan))
