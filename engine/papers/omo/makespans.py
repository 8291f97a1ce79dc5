"""The makespans of Fig. 10, 11 and 12: three simple and two mixed workloads under all schedulers, and how they change from one to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.experiments.replications import in_parallel
from engine.papers.measuring import change_pct, makespan_s, series, simulated
from engine.papers.omo.beds import FAIRS, cases
from engine.papers.omo.fits import noise_of_change
from engine.papers.omo.simulations import MAKESPAN, Case, Samples, averaged, best, seeded
from engine.papers.omo.workloads import Benchmark, Values, mixed, simple
from engine.papers.schema import Picture, Printed
from engine.papers.trial import Conditions, Trial

SIMPLE, MIXED = ("Terasort", "SeqCount", "WordCount"), ("Set A", "Set B")
WORKLOADS: dict[str, list[Benchmark]] = {**{name: simple(name) for name in SIMPLE}, "Set A": mixed("A"), "Set B": mixed("B")}
BEST = "Fair:best"
SETTING = "Eight jobs of one benchmark (Terasort, SeqCount, WordCount; 20 GB each) and the mixed Sets A and B, 2 s apart, on 20 nodes of four containers. "


def key(workload: str, name: str) -> str:
    return f"{workload}, {name}/{MAKESPAN}"


def change(workload: str, name: str, before: str) -> str:
    """The key of a change in percent."""
    return f"{workload}, {name} after {before}/makespan_pct"


def makespans(names: Iterable[str], bed: Values, trial: Trial, titles: Sequence[str] = tuple(WORKLOADS)) -> Samples:
    """Every workload under these schedulers, over the seeds."""
    wanted, values = [(title, name) for title in titles for name in names], tuple(bed.items())

    def of_seed(seed: int) -> list[float]:
        found = []
        for title, name in wanted:
            trial.go_on()
            found.append(_makespan(title, name, values, seed, trial.conditions))
        return found

    each = in_parallel(of_seed, trial.seeds, trial.progress)
    return {key(title, name): list(found) for (title, name), found in zip(wanted, zip(*each))}


@lru_cache(maxsize=20_000)
def _makespan(title: str, name: str, bed: tuple[tuple[str, float], ...], seed: int, conditions: Conditions) -> float:
    """Kept, for the three figures share most of their runs."""
    case = _case(title, name, bed)
    return makespan_s(simulated(seeded(case.scenario, seed), case.scheduler, Trial(conditions=conditions)))


@lru_cache(maxsize=500)
def _case(title: str, name: str, bed: tuple[tuple[str, float], ...]) -> Case:
    return cases(title, WORKLOADS[title], [name], dict(bed))[name]


def with_best(found: Samples) -> Samples:
    """And of each workload the slow start that serves native Fair best, by its mean."""
    return found | {key(title, BEST): found[best(found, [key(title, name) for name in FAIRS])] for title in WORKLOADS}


def with_changes(found: Samples, pairs: Sequence[tuple[str, str]], titles: Sequence[str] = tuple(WORKLOADS)) -> Samples:
    """And the change of each workload's makespan from one scheduler to another, and their means over simple, mixed and all workloads."""
    made = dict(found)
    for before, name in pairs:
        for title in titles:
            made[change(title, name, before)] = change_pct(found[key(title, before)], found[key(title, name)])
        for group, members in (("simple", SIMPLE), ("mixed", MIXED), ("all", tuple(WORKLOADS))):
            if set(members) <= set(titles):
                made[change(group, name, before)] = averaged(made, [change(title, name, before) for title in members])
    return made


def picture(title: str, found: Samples, names: Sequence[str]) -> Picture:
    return Picture(title, "bars", "", "Makespan (s)", tuple(series(name, tuple(WORKLOADS), found, [key(one, name) for one in WORKLOADS]) for name in names))


def changed(text: str, at: str, number: float, where: str, unjudged: str = "", before: int = 1, pairs: int = 1) -> Printed:
    """A change that the paper prints, with its noise. before, pairs: as of `noise_of_change`."""
    return Printed(text, at, number, "%", where, side=True, noise=noise_of_change(number, before, pairs), unjudged=unjudged)
