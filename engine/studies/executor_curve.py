"""One Spark application over the number of its executors, as Sparklens tells it
(github.com/qubole/sparklens), with intervals, and beside it what the rest of the cluster feels. Ours:
Sparklens replays one application alone; here it is run among the others, under a scheduler.

The interval is that of the mean over seeds; durations vary by JITTER where nothing is random. Of a scenario
that is fitted to a cluster's record it is the band of its replay, around one run.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from engine.errors import Fault, ScenarioError
from engine.experiments.executor_total import MAX_EXECUTORS, executors_path, room_for
from engine.messages import msg
from engine.scenario.applications import Executors
from engine.scenario.model import Job, Scenario
from engine.studies.measures import OTHERS_SLOWDOWN, OTHERS_TIME, OWN_PATH, OWN_TIME
from engine.studies.result import StudyResult
from engine.studies.statistics import estimates
from engine.studies.study import Study, Vary

JITTER = 0.1  # coefficient of variation where nothing else is random
NOTICEABLE = 0.05  # of a time: what less of it is a gain
MAX_VALUES = 20  # numbers of executors below the last, where none are named
MAX_NAMED = 5  # applications that are told where none is called so
SHOWN = (OWN_TIME, OTHERS_TIME, OTHERS_SLOWDOWN, "makespan_s")
MEASURED = (*SHOWN, OWN_PATH, "failed_jobs", "refused_jobs")
Shares = tuple[float, float]  # measured over simulated, the least and the largest


class Band(Protocol):
    """low, high: measured over simulated."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


class Interval(NamedTuple):
    """float64[points, schedulers] each, nan where there is none."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class ExecutorCurve:
    """A study of an application's executors. application: the name of its job; present: how many it may have
    now, None where nothing limits it; bands: by metric, how far a cluster was from its simulation, where that
    is known; says: what the bands cover, in a sentence.
    """

    result: StudyResult
    application: str
    present: int | None
    is_dynamic: bool
    bands: Mapping[str, Shares] = field(default_factory=dict)
    says: str = ""

    @property
    def numbers(self) -> list[int]:
        """Of executors, in their order."""
        return [int(values[0]) for values in self.result.study.points]

    @property
    def has_intervals(self) -> bool:
        """False of one seed alone where draws would tell others."""
        study = self.result.study
        return bool(self.bands) or study.seeds > 1 or not study.is_random

    def interval(self, metric: str) -> Interval:
        """Of a metric of SHOWN at each number of executors."""
        means = estimates(self.result, metric)
        if not self.bands:
            return Interval(means.mean, means.low, means.high)
        low, high = self.bands[metric]
        return Interval(means.mean, low * means.mean, high * means.mean)

    def critical_path_s(self, scheduler: int) -> float | None:
        """Below which no number of executors brings the application: the longest way through its stages, at
        the number where that is shortest.
        """
        paths = estimates(self.result, OWN_PATH).mean[:, scheduler]
        return None if np.isnan(paths).all() else float(np.nanmin(paths))

    def knee(self, scheduler: int) -> int | None:
        """The place of the fewest executors from which on more of them no longer help: with no larger number
        the mean is lower by NOTICEABLE or more and the interval wholly below. None where nothing tells.

        Intervals alone would find it at the far end of a long flat tail, where they are narrow.
        """
        own = self.interval(OWN_TIME)
        mean, low, high = (values[:, scheduler] for values in own)
        known = np.flatnonzero(~np.isnan(low))
        if not self.has_intervals or not len(known):
            return None
        order = known[np.argsort(np.array(self.numbers)[known], kind="stable")]

        def is_beaten(at: int) -> bool:
            place, larger = order[at], order[at + 1 :]
            is_less = mean[larger] <= (1 - NOTICEABLE) * mean[place]
            return bool((is_less & (high[larger] < low[place])).any())

        return next(int(order[at]) for at in range(len(order)) if not is_beaten(at))


def spark_application(scenario: Scenario, name: str) -> int:
    """The job of this name in the scenario's file, from 0; ScenarioError where it is no Spark application."""
    names = {name_of(job, index): index for index, job in enumerate(scenario.jobs) if job.executors}
    if name in names:
        return names[name]
    if not names:
        raise ScenarioError([Fault("executors", msg("studies.executor_curve.none_spark"))])
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    known = ", ".join(list(names)[:MAX_NAMED])
    hint = (
        msg("shared.did_you_mean", close=close[0])
        if close
        else msg(
            "studies.executor_curve.choose_one", names=known, more=" …" if len(names) > MAX_NAMED else ""
        )
    )
    fault = msg("studies.executor_curve.no_such_application", name=name[:80], hint=hint)
    raise ScenarioError([Fault("executors", fault)])


def name_of(job: Job, index: int) -> str:
    """What a job is called; index: its place in the scenario's file."""
    return job.name or f"job{index + 1}"


def require_numbers(numbers: Iterable[float | str]) -> None:
    """ScenarioError for the first that is no number of executors."""
    for number in numbers:
        if not isinstance(number, (int, float)) or not 1 <= number <= MAX_EXECUTORS or number % 1:
            fault = msg("studies.executor_curve.must_be_whole_numbers", number=number, most=MAX_EXECUTORS)
            raise ScenarioError([Fault("executors", fault)])


def executor_study(
    scenario: Scenario,
    schedulers: Sequence[str],
    application: int,
    numbers: Sequence[float | str] = (),
    seeds: int | None = None,
    jitter: float | None = None,
    *,
    usual_seeds: int,
    is_fitted: bool = False,
) -> Study:
    """What is run. application: a job with executors, by its place in the file; numbers, seeds, jitter: those
    that suit where none are given; is_fitted: it has the band of a replay. Raises ScenarioError.
    """
    job = scenario.jobs[application]
    assert job.executors
    require_numbers(numbers)
    path = executors_path(job.executors, application)
    vary = Vary(path, tuple(numbers or suitable_numbers(scenario, job, job.executors)))
    fields: dict[str, Any] = {"metrics": MEASURED, "name": scenario.name}
    # what was recorded is not what a changed scenario would do
    plain = {key: value for key, value in scenario.plain().items() if key != "measured"}
    names = tuple(schedulers)
    is_random = Study(plain, names).is_random
    if jitter is None:
        jitter = 0.0 if is_random or is_fitted else JITTER
    if seeds is None:
        seeds = usual_seeds if is_random or jitter else 1
    return Study(plain, names, (vary,), seeds, jitter=jitter, **fields)


def present_number(executors: Executors) -> int | None:
    """How many an application may have now; None where nothing limits it."""
    return executors.dynamic.maximum if executors.dynamic else executors.initial_count


def suitable_numbers(scenario: Scenario, job: Job, executors: Executors) -> list[int]:
    """To as many as the nodes hold or the application's tasks fill, and to the present number at least: from
    one on, or of many every so many; one alone would take so long that all others looked the same.
    """
    tasks = sum(stage.tasks for stage in job.stages)
    useful = min(room_for(scenario, executors), math.ceil(tasks / executors.tasks_at_once))
    present = present_number(executors)
    last = max(useful, present or 1, 2)
    step = math.ceil(last / MAX_VALUES)
    return sorted({*range((present or 0) % step or step, last, step), last})


def executor_curve(
    result: StudyResult, scenario: Scenario, bands: Mapping[str, Shares] | None = None, says: str = ""
) -> ExecutorCurve:
    """Of a study that `executor_study` has made of the scenario."""
    application = result.study.application
    assert application is not None
    job = scenario.jobs[application]
    assert job.executors
    is_dynamic, name = job.executors.dynamic is not None, name_of(job, application)
    return ExecutorCurve(result, name, present_number(job.executors), is_dynamic, bands or {}, says)


def bands_of(turnaround: Band | None, finish: Band | None) -> dict[str, Shares]:
    """By metric, of how far measured turnarounds and finishes were from simulated ones; none where that is
    not known. A slowdown is off as its turnaround is: the critical path that it is divided by is the same.
    """
    if turnaround is None or finish is None:
        return {}
    of_turnaround = turnaround.low, turnaround.high
    of_jobs = dict.fromkeys((OWN_TIME, OTHERS_TIME, OTHERS_SLOWDOWN), of_turnaround)
    return of_jobs | {"makespan_s": (finish.low, finish.high)}
