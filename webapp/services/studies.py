"""Studies of a task: one or two of its numbers moved, over many seeds, as a piece of work whose result fills in while it runs.

A study is kept by what decides its numbers, so that whoever asks for the same finds it: a reload, a link, another visitor.
"""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from itertools import product
from typing import Any

from engine import (
    Fault,
    GantryError,
    Range,
    Runner,
    Scenario,
    ScenarioError,
    SchedulerError,
    Study,
    StudyResult,
    TooLarge,
    Vary,
    overridden,
    range_values,
    run_study,
    runner_for,
)
from webapp import settings
from webapp.services import run_seconds, whatif
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, visitor, works
from webapp.services.warm_processes import WarmProcesses
from webapp.services.whatif import Changes, changes_of

SEEDS = (1, 10, 30, 100)  # that are offered
JITTERS = (0.0, 0.1, 0.2, 0.5)  # coefficients of variation
VALUES = (5, 10, 20, 50, 100)  # of a parameter, at most
MOST_VALUES = 10_000
MOST_RUNS = 1_000_000  # of a study on the page: their numbers stand in memory
RUN_S = 1.2e-3  # that one of many runs in a row is thought to take, besides its containers
ALONE_S = 5.0  # a study that one process is thought to do in less is not worth starting others for
PARTIAL_S = 1.0  # between two looks at what there is so far
PARTIAL_TIMES = 10  # and at least so many times what handing it over took
KEEP_PARTIAL_S = 3600
MOST_STUDIES = 32  # checked ones held ready
MOST_HELD = 4  # results held ready
SEED = "seed"  # the path that seeds themselves go by
NOT_KEPT = "It was done, but the server's cache is away: run the study again."


@dataclass(frozen=True)
class Axis:
    """A number that is moved through its range; present: its value now."""

    path: str
    range: Range
    present: float | None = None

    @classmethod
    def of(cls, data: Any) -> Axis:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        numbers = [data.get(key) for key in Range._fields]
        if not isinstance(data.get("path"), str) or not all(map(whatif.finite, numbers)) or not numbers[0] <= numbers[1] or not numbers[2] > 0:
            raise ScenarioError([Fault("range", "must have a path, two ends, the first not the larger, and a step above 0")])
        if (numbers[1] - numbers[0]) / numbers[2] > whatif.MOST_STEPS:
            raise ScenarioError([Fault("range", f"must have at most {whatif.MOST_STEPS:,} steps")])
        return cls(data["path"], Range(*numbers), data["present"] if whatif.finite(data.get("present")) else None)

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return {"path": self.path, **self.range._asdict(), "present": self.present}


@dataclass(frozen=True)
class StudyAsk:
    """A study that is wanted, of the task `key`: x, and y where it is a map, moved through at most `values` of their steps while others are held."""

    key: str
    x: Axis
    y: Axis | None = None
    held: Changes = ()
    seeds: int = 1
    jitter: float = 0.0
    values: int = VALUES[-1]

    @classmethod
    def of(cls, data: Any) -> StudyAsk:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        seeds, jitter, values = data.get("seeds"), data.get("jitter"), data.get("values")
        if type(values) is not int or not 2 <= values <= MOST_VALUES:
            raise ScenarioError([Fault("values", f"must be a whole number from 2 to {MOST_VALUES:,}")])
        y = None if data.get("y") is None else Axis.of(data["y"])
        if type(seeds) is not int or not whatif.finite(jitter):
            raise ScenarioError([Fault("seeds", "must be a whole number, and jitter a number")])
        return cls(str(data.get("key")), Axis.of(data.get("x")), y, changes_of(data.get("held", [])), seeds, jitter, values)

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        held = [{"path": path, "value": value} for path, value in self.held]
        return asdict(self) | {"x": self.x.plain(), "y": self.y and self.y.plain(), "held": held}

    @property
    def axes(self) -> tuple[Axis, ...]:
        """x, and y where there is one."""
        return (self.x, self.y) if self.y else (self.x,)


def values_of(of: Range, most: int, present: float | None) -> list[float]:
    """All values of a range, or at most so many of them, four at least: both ends, the present one, and every so many between."""
    every = range_values(of)
    return every if len(every) <= most else range_values(of, max(most - 2, 1), present)


@lru_cache(MOST_STUDIES)
def study_of(ask: StudyAsk, task: Task) -> Study:
    """What is run; ScenarioError with every fault, or SchedulerError, where it makes no sense."""
    if any(axis.path == SEED for axis in ask.axes):
        raise ScenarioError([Fault(SEED, "a study has its own seeds: choose another number")])
    plain, names = overridden(task.changeable, task.simulated, ask.held)
    vary = tuple(Vary(axis.path, tuple(values_of(axis.range, ask.values, axis.present))) for axis in ask.axes)
    return Study(plain, names, vary, ask.seeds, jitter=ask.jitter, name=task.scenario.name)


def checked(ask: StudyAsk, task: Task) -> Study:
    """The same; TooLarge for one that this server does not run."""
    whatif.moved(task, ask.held)
    for corner in product(*((axis.range.first, axis.range.last) for axis in ask.axes)):
        with suppress(ScenarioError, SchedulerError):  # which are gaps of the curve
            whatif.moved(task, (*ask.held, *((axis.path, value) for axis, value in zip(ask.axes, corner))))
    found = study_of(ask, task)
    seconds, most = seconds_of_study(found), settings.max_seconds()
    if found.runs > MOST_RUNS:
        raise TooLarge(f"That is {found.runs:,} runs; a study of this page has at most {MOST_RUNS:,}: take fewer seeds or values.")
    if seconds > most:
        owner = "its owner sets GANTRY_MAX_SECONDS"
        raise TooLarge(f"That is {found.runs:,} runs, about {seconds:,.0f} s; this server lets work take {most:,} s ({owner}): take fewer seeds or values.")
    return found


def seconds_of_study(study: Study) -> float:
    """That all its runs are thought to take, in as many processes as they will have."""
    seconds = _seconds_alone(study)
    return seconds if seconds <= ALONE_S else seconds / cores()


def _seconds_alone(study: Study) -> float:
    return study.runs * (RUN_S + max(map(seconds_of, _ends(study))) - run_seconds.RUN_S)


def _ends(study: Study) -> list[Scenario]:
    """Its scenario as it is, and at the first and last point, where that can be run."""
    found = [Scenario.of(study.scenario)]
    for point in (0, len(study.points) - 1):
        with suppress(ScenarioError, SchedulerError):
            found.append(study.at(point).seeded(0))
    return found


def processes() -> WarmProcesses:
    """Those that studies and searches share."""
    return _warm


def cores() -> int:
    """Processes that a study is spread over."""
    return os.cpu_count() or 1


def is_random(task: Task) -> bool:
    """Does another seed give another run, of any of its schedulers?"""
    return Study(task.changeable, task.simulated).is_random


def result_of(study: Study) -> StudyResult | None:
    """All of it, if it has been done."""
    return _found(_key(study))


def so_far(study: Study) -> StudyResult | None:
    """All of it, or as much as there is while it runs."""
    return result_of(study) or _found(f"{_key(study)}:partial", held=False)


def by_id(name: str) -> StudyResult | None:
    """A result by `id_of` its study."""
    return _found(f"study:{name}")


def id_of(study: Study) -> str:
    """Of what decides its numbers: where the parameters stand before they are moved does not."""
    found = _ids.get(study.digest)
    if found is None:
        first = study
        with suppress(GantryError):
            point = study.at(0)
            first = replace(study, scenario=point.plain, schedulers=point.schedulers)
        found = first.digest[:32]
        _ids.put(study.digest, found)
    return found


def begin_study(task: Task, ask: StudyAsk, patience_s: float) -> tuple[str, Progress]:
    """Run it, as a piece of work of one step a run, unless that is under way for the same visitor; its id and how far it is."""
    study = checked(ask, task)
    if result_of(study):
        return "", Progress(study.runs, study.runs, "", "finished")
    begun = f"{_key(study)}:work:{visitor()}"
    if (name := shared.get(begun)) and (progress := works.progress(name, patience_s)).under_way and not progress.is_ending:
        return name, progress
    name, progress = works.start("study", ask.plain(), study.runs, seconds_of_study(study), patience_s, after=keep(task))
    shared.put(begun, name, KEEP_PARTIAL_S)
    return name, progress


@kind("study")
def _do_study(what: dict, control: TaskControl) -> None:
    """Unless it is done; Halted keeps nothing."""
    ask = StudyAsk.of(what)
    study = checked(ask, needed(ask.key))
    if result_of(study):
        return
    key, next_at = _key(study), time.monotonic() + PARTIAL_S

    def progress(found: StudyResult, done: int) -> None:
        nonlocal next_at
        if control.cancelled():
            raise Cancelled
        control.report(done, "runs")
        began = time.monotonic()
        if began >= next_at:
            shared.put(f"{key}:partial", found.whole(), KEEP_PARTIAL_S)
            next_at = time.monotonic() + max(PARTIAL_S, PARTIAL_TIMES * (time.monotonic() - began))

    with _runner(study, control) as runner:
        found = run_study(study, runner, progress, control.halt)
    _held.put(key, found)
    shared.put(key, found)


def _runner(study: Study, control: TaskControl) -> AbstractContextManager[Runner | None]:
    """What does its batches: the owner's Dask cluster, this process alone where others would not be started in time, else one a core."""
    if address := settings.cluster():
        return nullcontext(_cluster(address))
    if control.here or cores() == 1 or (_seconds_alone(study) <= ALONE_S and not _warm.begun):
        return nullcontext()
    return _warm


@cache
def _cluster(address: str) -> Runner:
    return runner_for(cluster=address)


def _key(study: Study) -> str:
    return f"study:{id_of(study)}"


def _found(key: str, held: bool = True) -> StudyResult | None:
    found = (_held.get(key) if held else None) or shared.get(key)
    if not isinstance(found, StudyResult):
        return None
    if held:
        _held.put(key, found)
    return found


_held: Latest[StudyResult] = Latest(MOST_HELD)
_ids: Latest[str] = Latest(MOST_STUDIES)
_warm = WarmProcesses(cores)
