"""How far HaSTE's schedulers are from the offline optimum, which its paper leaves as future work: recorded,
for a search takes a minute a workload.

One seed a workload, with OMO's rate (haste/calibrations.py), all seven schedulers; the best found is the best
within SECONDS on the machine that recorded it, the bound is proved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from engine.bounds.optimum.optimum import find_optimum
from engine.messages import msg
from engine.papers.haste.calibrations import FIRST, HADOOP_2
from engine.papers.haste.workloads import iterative, mixed, simple, small_nodes, successive
from engine.papers.measuring import run_trial
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full

FILE = Path(__file__).with_name("recorded") / "optima.json"
SECONDS, SEED = 60.0, 1


class OptimumComparison(NamedTuple):
    """One workload. found_s, at_least_s: the best schedule found, and the lower bound; makespans_s: by the
    schedulers' labels.
    """

    title: str
    found_s: float
    at_least_s: float
    makespans_s: dict[str, float]

    def above_found(self, label: str) -> float:
        """By what share a scheduler's makespan is more than the best found."""
        return self.makespans_s[label] / self.found_s - 1

    def above_bound(self, label: str) -> float:
        """And at most more than the best possible."""
        return self.makespans_s[label] / self.at_least_s - 1


WORKLOADS: Mapping[str, tuple[str, Callable[[int, float], Scenario]]] = {
    "simple": (msg("papers.optimum_comparison.four_wordcount_jobs"), simple),
    "mixed": (msg("papers.optimum_comparison.cpu_bound_and_memory_bound_jobs"), mixed),
    "iterative": (msg("papers.optimum_comparison.iterative_jobs_among_others"), iterative),
    "small-nodes": (msg("papers.optimum_comparison.cluster_small_nodes"), small_nodes),
    "short": (
        msg("papers.optimum_comparison.submitted_in_succession_short_intervals"),
        partial(successive, interval="short"),
    ),
    "long": (
        msg("papers.optimum_comparison.submitted_in_succession_long_intervals"),
        partial(successive, interval="long"),
    ),
}


def search_optimum(key: str, seconds: float = SECONDS) -> OptimumComparison:
    """Searches a workload's optimum now."""
    title, make = WORKLOADS[key]
    scenario = make(SEED, FIRST.mb_s)
    compared = [
        (scheduler, run_trial(scenario, scheduler))
        for scheduler in map(parse_in_full, FIRST.full_names(*HADOOP_2))
    ]
    optimum = find_optimum(scenario, compared, seconds)
    makespans = {label: (run.until_ms - run.first_ms) / 1000 for label, (_, run) in zip(HADOOP_2, compared)}
    return OptimumComparison(title, optimum.found_s, optimum.at_least_s, makespans)


@cache
def recorded_optima() -> tuple[OptimumComparison, ...]:
    """All workloads as recorded."""
    stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return tuple(
        OptimumComparison(title, **stored[key]) for key, (title, _) in WORKLOADS.items() if key in stored
    )


def optima_json(optima: Mapping[str, OptimumComparison]) -> str:
    """The file's text."""
    return (
        json.dumps(
            {
                key: {name: value for name, value in optimum._asdict().items() if name != "title"}
                for key, optimum in optima.items()
            },
            indent=1,
        )
        + "\n"
    )


def schedulers_compared(optima: Sequence[OptimumComparison]) -> list[str]:
    """Their labels, in the order of the columns."""
    return list(dict.fromkeys(label for optimum in optima for label in optimum.makespans_s))
