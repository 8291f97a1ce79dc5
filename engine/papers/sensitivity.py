"""Under which conditions a paper's claims hold: an experiment run again with its physics moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from engine.papers.gallery import found, paper_experiments
from engine.papers.judge import Finding
from engine.papers.trial import Conditions, Progress, Trial, unheard
from engine.scenario.field_types import Uniform, Value
from engine.schedulers.names import Scheduler
from engine.schedulers.names_of_0_1 import parse_in_full
from engine.simulation.halt import Halt

FEW = 3  # seeds: enough for a lamp to follow a slider, too few for a verdict
BY_SLOW_START = ("slowstart", "ramp-up")


class Knob(NamedTuple):
    """A field of `Conditions` that can be moved, to these values; True and False are with and without."""

    key: str
    title: str
    unit: str
    meaning: str
    values: tuple[float | bool, ...]


KNOBS = (
    Knob("fetch_mb_s", "Fetch rate", "MB/s", "How fast one reduce fetches map output.", (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100, 150, 200)),
    Knob("contention", "Contention", "", "Each of k tasks on a node runs at 1 / (1 + contention x (k - 1)).", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)),
    Knob("launch_s", "Launch", "s", "From a container's allocation to the start of its task.", (0, 0.5, 1, 2, 3, 5, 8, 12)),
    Knob("stagger_s", "Staggered masters", "s", "ApplicationMasters start up over so many seconds more, uniform.", (0, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30)),
    Knob("reservations", "Reservations", "", "Fair, DRF and Capacity reserve nodes for what does not fit.", (False, True)),
    Knob(
        "slowstart",
        "Slow start",
        "",
        "Reduces are asked for once this share of a job's maps has finished.",
        (0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
    ),
)


@cache
def own(name: str) -> Mapping[str, float | bool | None]:
    """What the first scenario of "paper/experiment" has of each knob that can act there; None where its jobs or schedulers differ.

    A rate needs something to fetch, a slow start reduces, staggered masters an ApplicationMaster, and reservations a scheduler that can have them.
    """
    shows = paper_experiments()[name].shows()
    scenario, names = shows[0].scenario, {scheduler for show in shows for scheduler in show.schedulers}
    fetches = any(job.reduces and job.reduces.count and job.shuffle_mb_per_map for job in scenario.jobs)
    rules = [parse_in_full(scheduler) for scheduler in names]
    found: dict[str, float | bool | None] = {"fetch_mb_s": scenario.cluster.shuffle_mb_s} if fetches else {}
    found |= {"contention": scenario.cluster.contention, "launch_s": _number(scenario.cluster.launch_s)}
    starts = [job.am.startup_s for job in scenario.jobs if job.am]
    if starts:
        found["stagger_s"] = _same(_span_s(one) for one in starts)
    reserve = [one.order.given["reservations"] == "yes" for one in rules if "reservations" in one.order.given]
    if reserve:
        found["reservations"] = _same(reserve)
    if any(job.reduces and job.reduces.count for job in scenario.jobs) and any(_asks_by_job(one) for one in rules):
        found["slowstart"] = _same(job.slowstart for job in scenario.jobs)
    return found


def knobs_of(name: str) -> tuple[Knob, ...]:
    """Those that can act in "paper/experiment"."""
    return tuple(knob for knob in KNOBS if knob.key in own(name))


def judged_under(
    name: str, conditions: Conditions, seeds: int = FEW, progress: Progress = unheard, halt: Halt | None = None
) -> tuple[tuple[Finding, ...], ...]:
    """What becomes of every claim under each reading of "paper/experiment", over the first seeds alone; raises as the runs, `progress` and `halt` do."""
    experiment = paper_experiments()[name]
    trial, of = Trial(progress, conditions=conditions, halt=halt).at_most(seeds), len(experiment.readings)
    measured = (reading.measure(trial.part(place, of)).samples for place, reading in enumerate(experiment.readings))
    return tuple(found(experiment, reading, samples) for reading, samples in zip(experiment.readings, measured))


def _span_s(startup: float | Value) -> float | None:
    """Over how many seconds masters start up that begin together."""
    if isinstance(startup, Uniform):
        return startup.high - startup.low
    return None if isinstance(startup, Value) else 0.0


def _number(drawn: float | Value) -> float | None:
    return None if isinstance(drawn, Value) else drawn


def _same(values: Iterable[float | bool | None]) -> float | bool | None:
    """What all of them are, if they are alike."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _asks_by_job(scheduler: Scheduler) -> bool:
    """Its reduces begin by each job's own slow start."""
    rule = scheduler.reduce_start
    return rule.policy.name in BY_SLOW_START and rule.given.get("at") is None
