"""How far HaSTE's schedulers are from the offline optimum, which its paper leaves as future work: recorded, for a search takes a minute a workload.

One seed a workload, with OMO's rate (haste/bed.py), all seven schedulers; the best found is the best within SECONDS on the machine that recorded it,
the bound is proved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from engine.bounds.optimum.optimum import find_optimum
from engine.papers.haste.bed import FIRST, HADOOP_2
from engine.papers.haste.workloads import iterative, mixed, simple, small_nodes, successive
from engine.papers.measuring import simulated
from engine.scenario.model import Scenario
from engine.schedulers.names_of_0_1 import parse_in_full

FILE = Path(__file__).with_name("recorded") / "optima.json"
SECONDS, SEED = 60.0, 1


class FromOptimum(NamedTuple):
    """One workload. found_s, at_least_s: the best schedule found, and what none can be below; makespans_s: by the schedulers' labels."""

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
    "simple": ("Four WordCount jobs", simple),
    "mixed": ("CPU-bound and memory-bound jobs", mixed),
    "iterative": ("Iterative jobs among others", iterative),
    "small-nodes": ("A cluster of small nodes", small_nodes),
    "short": ("Submitted in succession, short intervals", partial(successive, interval="short")),
    "long": ("Submitted in succession, long intervals", partial(successive, interval="long")),
}


def searched(key: str, seconds: float = SECONDS) -> FromOptimum:
    """A workload's, looked for now."""
    title, make = WORKLOADS[key]
    scenario = make(SEED, FIRST.mb_s)
    compared = [(scheduler, simulated(scenario, scheduler)) for scheduler in map(parse_in_full, FIRST.in_full(*HADOOP_2))]
    found = find_optimum(scenario, compared, seconds)
    makespans = {label: (run.until_ms - run.first_ms) / 1000 for label, (_, run) in zip(HADOOP_2, compared)}
    return FromOptimum(title, found.found_s, found.at_least_s, makespans)


@cache
def recorded_optima() -> tuple[FromOptimum, ...]:
    """All workloads as recorded."""
    stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return tuple(FromOptimum(title, **stored[key]) for key, (title, _) in WORKLOADS.items() if key in stored)


def optima_written(found: Mapping[str, FromOptimum]) -> str:
    """The file's text."""
    return json.dumps({key: {name: value for name, value in one._asdict().items() if name != "title"} for key, one in found.items()}, indent=1) + "\n"


def schedulers_compared(found: Sequence[FromOptimum]) -> list[str]:
    """Their labels, in the order of the columns."""
    return list(dict.fromkeys(label for one in found for label in one.makespans_s))
