"""The makespans of Fig. 10, 11 and 12: three simple and two mixed workloads under all schedulers, and how
they change from one to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.experiments.replications import parallel_map
from engine.papers.measuring import change_pct, makespan_s, run_trial, series
from engine.papers.omo.cloudlab import FAIRS, cases
from engine.papers.omo.fits import noise_of_change
from engine.papers.omo.simulations import MAKESPAN, Case, Samples, averaged, best, with_seed
from engine.papers.omo.workloads import Benchmark, Values, mixed, simple
from engine.papers.schema import Claim, Picture, Printed, Series
from engine.papers.trial import Conditions, Trial

SIMPLE, MIXED = ("Terasort", "SeqCount", "WordCount"), ("Set A", "Set B")
WORKLOADS: dict[str, list[Benchmark]] = {
    **{name: simple(name) for name in SIMPLE},
    "Set A": mixed("A"),
    "Set B": mixed("B"),
}
BEST = "Fair:best"
SETTING = (
    "Eight jobs of one benchmark (Terasort, SeqCount, WordCount; 20 GB each) and the mixed Sets A and B, "
    "2 s apart, on 20 nodes of four containers. "
)


def key(workload: str, name: str) -> str:
    return f"{workload}, {name}/{MAKESPAN}"


def change(workload: str, name: str, before: str) -> str:
    """The key of a change in percent."""
    return f"{workload}, {name} after {before}/makespan_pct"


def makespans(
    names: Iterable[str], calibration: Values, trial: Trial, titles: Sequence[str] = tuple(WORKLOADS)
) -> Samples:
    """Every workload under these schedulers, over the seeds."""
    pairs, bed_items = [(title, name) for title in titles for name in names], tuple(calibration.items())

    def of_seed(seed: int) -> list[float]:
        values = []
        for title, name in pairs:
            trial.raise_if_cancelled()
            values.append(_makespan(title, name, bed_items, seed, trial.conditions))
        return values

    by_seed = parallel_map(of_seed, trial.seeds, trial.progress)
    return {key(title, name): list(result) for (title, name), result in zip(pairs, zip(*by_seed))}


@lru_cache(maxsize=20_000)
def _makespan(
    title: str, name: str, calibration: tuple[tuple[str, float], ...], seed: int, conditions: Conditions
) -> float:
    """Kept, for the three figures share most of their runs."""
    case = _case(title, name, calibration)
    return makespan_s(run_trial(with_seed(case.scenario, seed), case.scheduler, Trial(conditions=conditions)))


@lru_cache(maxsize=500)
def _case(title: str, name: str, calibration: tuple[tuple[str, float], ...]) -> Case:
    return cases(title, WORKLOADS[title], [name], dict(calibration))[name]


def with_best(samples: Samples) -> Samples:
    """And of each workload the slow start that serves native Fair best, by its mean."""
    return samples | {
        key(title, BEST): samples[best(samples, [key(title, name) for name in FAIRS])] for title in WORKLOADS
    }


def with_changes(
    samples: Samples, pairs: Sequence[tuple[str, str]], titles: Sequence[str] = tuple(WORKLOADS)
) -> Samples:
    """And the change of each workload's makespan from one scheduler to another, and their means over simple,
    mixed and all workloads.
    """
    extended = dict(samples)
    for before, name in pairs:
        for title in titles:
            extended[change(title, name, before)] = change_pct(
                samples[key(title, before)], samples[key(title, name)]
            )
        for group, members in (("simple", SIMPLE), ("mixed", MIXED), ("all", tuple(WORKLOADS))):
            if set(members) <= set(titles):
                extended[change(group, name, before)] = averaged(
                    extended, [change(title, name, before) for title in members]
                )
    return extended


def picture(title: str, samples: Samples, names: Sequence[str]) -> Picture:
    return Picture(
        title,
        "bars",
        "",
        "Makespan (s)",
        tuple(
            series(name, tuple(WORKLOADS), samples, [key(workload, name) for workload in WORKLOADS])
            for name in names
        ),
    )


def changes_picture(claims: Sequence[Claim], samples: Samples) -> Picture:
    """The changes in percent that the text prints, ours beside them."""
    printed = [claim for claim in claims if isinstance(claim, Printed) and claim.side and claim.unit == "%"]
    names = tuple(claim.what for claim in printed)
    return Picture(
        "Changes that the text prints",
        "bars",
        "",
        "Change (%)",
        (
            series("ours", names, samples, [claim.key for claim in printed]),
            Series("paper", names, tuple(claim.number for claim in printed), paper=True),
        ),
    )


def changed(
    text: str,
    at: str,
    number: float,
    where: str,
    untestable: str = "",
    before: int = 1,
    pairs: int = 1,
    reason: str = "",
    theme: str = "",
) -> Printed:
    """A change that the paper prints, with its noise. before, pairs: as of `noise_of_change`."""
    return Printed(
        text,
        at,
        number,
        "%",
        where,
        side=True,
        noise=noise_of_change(number, before, pairs),
        untestable=untestable,
        reason=reason,
        theme=theme,
    )
