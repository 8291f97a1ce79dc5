"""What each policy does, for people: in sentences and formulas, with a small scenario on which it wins and
one on which it loses.

A policy's text is the file of its name; its cases are of our own making and are measured when asked for,
never stored.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.analysis.metrics import METRICS, Metric
from engine.experiments.guide.formula import names
from engine.experiments.replications import replicate
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.legacy_names import parse_in_full

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A scenario on which one scheduler clearly differs from another, both written in full.

    story: why; seeds: how many draws the numbers are means of.
    """

    story: str
    scenario: Scenario
    scheduler: str
    against: str
    metric: Metric
    seeds: int

    @property
    def schedulers(self) -> tuple[str, str]:
        """The one that is looked at, and the one it is compared to."""
        return self.scheduler, self.against


class Symbol(NamedTuple):
    """What a name in a formula means; source: an equation of the paper, a parameter, or Hadoop's method. Unit
    and source may be empty.
    """

    name: str
    meaning: str
    unit: str
    source: str


@dataclass(frozen=True)
class Guide:
    """The page of a policy. name: as a scheduler writes it; role: as in CATALOGUE; says: three sentences;
    formula, assumptions: a line each, with mathematics as formula.py reads it; symbols: all in these lines.

    source: the paper or the class of Hadoop; assumptions: what neither says and we chose; variants: ways to
    use it that have cases of their own.
    """

    name: str
    title: str
    role: str
    says: tuple[str, ...]
    formula: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    source: str
    assumptions: tuple[str, ...]
    wins: Case
    loses: Case
    variants: tuple[Guide, ...] = ()

    @property
    def cases(self) -> tuple[Case, Case]:
        return self.wins, self.loses


class CaseMeasurement(NamedTuple):
    """A case's metric under both schedulers, means over its seeds; share: difference over the other's mean;
    half: of its 95 % interval, None for one seed.
    """

    mean: float
    against: float
    share: float
    half: float | None


def guides() -> dict[str, Guide]:
    """The guide of every policy that has one, by name, in the order of the catalogue."""
    return {
        name: guide(name) for policies in CATALOGUE.values() for name in policies if _file(name).is_file()
    }


@cache
def guide(name: str) -> Guide:
    """The guide of one policy. KeyError where there is none, such as for a policy of another package."""
    for role, policies in CATALOGUE.items():
        if name in policies and _file(name).is_file():
            text = json.loads(_file(name).read_text("utf-8"))
            variants = tuple(
                _guide(variant.pop("name"), variant.pop("title"), role, variant)
                for variant in text.pop("variants", ())
            )
            return _guide(name, policies[name].title, role, text, variants)
    raise KeyError(name)


def measure(case: Case) -> CaseMeasurement:
    """Run a case under both of its schedulers, with the same seeds."""
    seeds = range(case.scenario.seed, case.scenario.seed + case.seeds)
    replications = replicate(case.scenario, case.schedulers, seeds)
    mean, against = (replications.estimates(index)[case.metric.key].mean for index in range(2))
    difference = replications.difference(0, 1, case.metric.key)
    assert mean is not None and against is not None and difference.mean is not None  # no case has a deadlock
    half = None if difference.high is None else difference.high - difference.mean
    return CaseMeasurement(mean, against, difference.mean / against, half)


def _explained(tables: Iterable[str], text: str) -> tuple[Symbol, ...]:
    """The symbols of a text and of what these mean, by the tables of symbols.toml. KeyError for one that none
    explains.
    """
    meanings = {name: meaning for table in tables for name, meaning in _symbols()[table].items()}
    found = names(text)
    for name in found:  # it grows
        found += [one for one in names(meanings[name][0]) if one not in found]
    return tuple(Symbol(name, *meanings[name]) for name in found)


@cache
def _symbols() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((FOLDER / "symbols.toml").read_text("utf-8"))


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def _guide(
    name: str, title: str, role: str, text: Mapping[str, Any], variants: tuple[Guide, ...] = ()
) -> Guide:
    says, formula, assumptions = (tuple(text[key]) for key in ("says", "formula", "ours"))
    symbols = _explained(text.get("symbols", ()), "".join((*formula, *assumptions)))
    return Guide(
        name,
        title,
        role,
        says,
        formula,
        symbols,
        text["source"],
        assumptions,
        _case(text["wins"]),
        _case(text["loses"]),
        variants,
    )


def _case(text: Mapping[str, Any]) -> Case:
    metric = next(metric for metric in METRICS if metric.key == text["metric"])
    for name in (text["scheduler"], text["against"]):
        parse_in_full(name)
    return Case(
        text["story"],
        Scenario.of(text["scenario"]),
        text["scheduler"],
        text["against"],
        metric,
        text["seeds"],
    )
