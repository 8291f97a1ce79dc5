"""Runs of OMO's experiments under several schedulers, and the time spans its figures measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.experiments.replications import parallel_map
from engine.papers.judge import average
from engine.papers.measuring import DEFAULT_TRIAL, makespan_s, run_trial
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run

LAZY, OMO = "omo(batch=no, bandwidth=observed)+admit-all", "omo(bandwidth=observed)+admit-all"
BATCH, BATCH_ALL = (
    "batch-finish+slowstart(at=1)+admit-all",
    "batch-finish(candidates=all)+slowstart(at=1)+admit-all",
)
SLOWSTARTS = (0.05, 0.2, 0.4, 0.6, 0.8, 1)  # section V-D: Fair-0.05 to Fair-1
SEEDS = (
    50  # of the trial's: a change's mean is then known within half a point, or a point where reduces are long
)
MAKESPAN, MAPS, TAIL = "makespan_s", "map phase_s", "shuffle only_s"
MAP_ONLY, OVERLAP = "map only_s", "overlap_s"

Samples = dict[str, list[float]]


class Case(NamedTuple):
    """A scenario and its scheduler, one of several that are compared."""

    scenario: Scenario
    scheduler: str


def native(slowstart: float) -> str:
    """Hadoop's own Fair on slots of two kinds, with the shares of maps and of reduces apart (section V-A)."""
    return f"fair(reservations=no, update_ms=0, shares=kind)+slowstart(at={slowstart:g})+admit-all"


def dynamic(slowstart: float) -> str:
    """Fair where a container takes either kind and all that a job holds counts (section V-A)."""
    return f"fair(reservations=no, update_ms=0)+slowstart(at={slowstart:g})+admit-all"


def fair(slowstart: float) -> str:
    """The paper's name."""
    return f"Fair-{slowstart:g}"


# Section V-D: FRESH has dynamic containers and slow start 1, and "all the containers are assigned to the map
# tasks before the map phase is finished" (V-D1); its equations can't be had
FRESH = dynamic(1)


def spans(run: Run) -> dict[str, float]:
    """The spans of Fig. 9, 12 and 13 in seconds, over all jobs together.

    The map phase runs from the first arrival to the last map's end. Before the first reduce starts it is map
    only, from there on overlap; shuffle only is from the last map's end to the end of the last shuffle.
    """
    c = run.containers
    maps_end, shuffle_end = int(run.jobs.maps_end.max()), int(run.jobs.shuffle_end.max())
    begun = min(int(c.start[c.kind == REDUCE].min()), maps_end)
    first = run.first_ms
    ms = {
        MAPS: maps_end - first,
        MAP_ONLY: begun - first,
        OVERLAP: maps_end - begun,
        TAIL: shuffle_end - maps_end,
    }
    return {MAKESPAN: makespan_s(run), **{name: value / 1000 for name, value in ms.items()}}


def makespans(run: Run) -> dict[str, float]:
    return {MAKESPAN: makespan_s(run)}


def run_cases(
    cases: Mapping[str, Case],
    measure: Callable[[Run], Mapping[str, float]] = makespans,
    trial: Trial = DEFAULT_TRIAL,
    seeds: Sequence[int] | None = None,
) -> Samples:
    """Run every case with every seed: "case/metric" -> one value a seed."""

    def run(seed: int) -> dict[str, float]:
        samples = {}
        for name, case in cases.items():
            case_run = run_trial(with_seed(case.scenario, seed), case.scheduler, trial)
            samples.update({f"{name}/{metric}": value for metric, value in measure(case_run).items()})
        return samples

    rows = parallel_map(run, trial.seeds if seeds is None else seeds, trial.progress)
    return {key: [row[key] for row in rows] for key in rows[0]}


def with_seed(scenario: Scenario, seed: int) -> Scenario:
    """The same scenario with other draws."""
    return scenario.model_construct(**{**dict(scenario), "seed": seed})


def best(samples: Samples, keys: Sequence[str]) -> str:
    """The key with the least mean, as the paper takes the best of Fair's slow starts."""
    return min(keys, key=lambda key: average(samples[key]))


def averaged(samples: Samples, keys: Sequence[str]) -> list[float]:
    """The mean over keys, seed by seed."""
    return [sum(values) / len(values) for values in zip(*(samples[key] for key in keys))]


def ends_of_maps(run: Run, job: int) -> list[int]:
    """When each map of a job ended, in ms."""
    c = run.containers
    return c.end[(c.kind == MAP) & (c.job == job)].tolist()
