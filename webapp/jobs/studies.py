"""Studies of a task: one or two of its numbers moved, over many seeds, as a piece of work whose result fills
in while it runs.

A study is kept by what decides its numbers, so that whoever asks for the same finds it: a reload, a link,
another visitor.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from typing import Annotated

from cachetools import LRUCache, cached
from msgspec import Meta

from engine import GantryError, Scenario, ScenarioError, SchedulerError, Study, Vary, quantities, run_study
from engine.dashboard import (
    Fault,
    Range,
    Runner,
    StudyResult,
    TooLarge,
    apply_overrides,
    make_runner,
    names_of,
    range_values,
)
from webapp import settings
from webapp.jobs import whatif
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, current_visitor, job_manager, job_type
from webapp.jobs.page_request import Axis, ChangeList, Changes, Number, PageRequest, change_pairs
from webapp.messages import msg
from webapp.runs import time_estimates
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds

SEEDS = (1, 10, 30, 100)  # that are offered
JITTERS = (0.0, 0.1, 0.2, 0.5)  # coefficients of variation
VALUES = (5, 10, 20, 50, 100)  # of a parameter, at most
MAX_VALUES = 10_000
MAX_RUNS = 1_000_000  # of a study on the page: their numbers stand in memory
RUN_S = 1.2e-3  # that one of many runs in a row is thought to take, besides its containers
ONE_PROCESS_S = 5.0  # a study that one process is thought to do in less is not worth starting others for
PARTIAL_INTERVAL_S = 1.0  # between two looks at what there is so far
PARTIAL_COST_FACTOR = 10  # and at least so many times what handing it over took
KEEP_PARTIAL_S = 3600
MAX_STUDIES = 32  # checked ones held ready
SEED_PATH = "seed"  # the path that seeds themselves go by
NOT_STORED = msg("jobs.studies.result_lost_because_servers_cache_unavailabl")


class StudyRequest(PageRequest, frozen=True, kw_only=True):
    """A study that is wanted, of the task `key`: x, and y where it is a map, moved through at most `values`
    of their steps while others are held.
    """

    key: str
    x: Axis
    y: Axis | None = None
    held: ChangeList = ()
    seeds: int
    jitter: Number
    values: Annotated[int, Meta(ge=2, le=MAX_VALUES)]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """x, and y where there is one."""
        return (self.x, self.y) if self.y else (self.x,)


def range_subset(range_: Range, max_values: int, present: float | None) -> list[float]:
    """All values of a range, or at most so many of them, four at least: both ends, the present one, and every
    so many between.
    """
    values = range_values(range_)
    return values if len(values) <= max_values else range_values(range_, max(max_values - 2, 1), present)


@lru_cache(MAX_STUDIES)
def build_study(request: StudyRequest, task: Task) -> Study:
    """What is run; ScenarioError with every fault, or SchedulerError, where it makes no sense."""
    if any(axis.path == SEED_PATH for axis in request.axes):
        raise ScenarioError([Fault(SEED_PATH, msg("jobs.studies.study_has_its_own_seeds_choose"))])
    plain, schedulers = apply_overrides(task.changeable, task.simulated, change_pairs(request.held))
    vary = tuple(
        Vary(axis.path, tuple(range_subset(axis.range, request.values, axis.present)))
        for axis in request.axes
    )
    names = names_of(schedulers)
    return Study(plain, names, vary, request.seeds, jitter=request.jitter, name=task.scenario.name)


def checked_study(request: StudyRequest, task: Task) -> Study:
    """The same; TooLarge for one that this server does not run."""
    held = change_pairs(request.held)
    check_ends(task, held, [[(axis.path, axis.first), (axis.path, axis.last)] for axis in request.axes])
    study = build_study(request, task)
    if study.runs > MAX_RUNS:
        raise TooLarge(msg("jobs.studies.runs_study_page_has_at_most", runs=study.runs, max_runs=MAX_RUNS))
    if excess := excess_words(estimate_study_seconds(study)):
        raise TooLarge(msg("jobs.studies.runs_about_s_server_lets_work", runs=study.runs, **excess))
    return study


def check_ends(task: Task, held: Changes, ends: Sequence[Sequence[tuple[str, float]]]) -> None:
    """TooLarge where a corner of what is varied, by both ends of each path, is more than this server runs; a
    corner that makes no sense is a gap. Raises also what `apply_changes` does of what is held.
    """
    whatif.apply_changes(task, held)
    for corner in product(*ends):
        with suppress(ScenarioError, SchedulerError):
            whatif.apply_changes(task, (*held, *corner))


def excess_words(seconds: float) -> dict[str, str]:
    """For a message about what is thought to take longer than this server lets work take: the words for its
    time, the limit, and whose that is; none within it.
    """
    limit = settings.max_seconds()
    if seconds <= limit:
        return {}
    return {
        "time": quantities.rough_duration(1000 * round(seconds)),
        "limit": quantities.duration(1000 * limit),
        "owner_hint": msg("shared.limit_of_seconds"),
    }


def estimate_study_seconds(study: Study) -> float:
    """That all its runs are thought to take, in as many processes as they will have."""
    seconds = _sequential_seconds(study)
    return seconds if seconds <= ONE_PROCESS_S else seconds / core_count()


def _sequential_seconds(study: Study) -> float:
    return study.runs * (RUN_S + max(map(estimate_seconds, _corner_scenarios(study))) - time_estimates.RUN_S)


def _corner_scenarios(study: Study) -> list[Scenario]:
    """Its scenario as it is, and at the first and last point, where that can be run."""
    scenarios = [Scenario.of(study.scenario)]
    for point in (0, len(study.points) - 1):
        with suppress(ScenarioError, SchedulerError):
            scenarios.append(study.at(point).seeded(0))
    return scenarios


def core_count() -> int:
    """Processes that a study is spread over."""
    return os.cpu_count() or 1


def is_random(task: Task) -> bool:
    """Does another seed give another run, of any of its schedulers?"""
    return Study(task.changeable, names_of(task.simulated)).is_random


def find_result(study: Study) -> StudyResult | None:
    """All of it, if it has been done."""
    return shared_cache.get(_cache_key(study))


def find_partial_result(study: Study) -> StudyResult | None:
    """All of it, or as much as there is while it runs."""
    return find_result(study) or shared_cache.get(f"{_cache_key(study)}:partial", changes=True)


def find_by_id(name: str) -> StudyResult | None:
    """A result by `study_id` its study."""
    return shared_cache.get(f"study:{name}")


@cached(LRUCache(MAX_STUDIES), key=lambda study: study.digest, lock=threading.Lock())
def study_id(study: Study) -> str:
    """Of what decides its numbers: where the parameters stand before they are moved does not."""
    with suppress(GantryError):
        point = study.at(0)
        study = replace(study, scenario=point.plain, schedulers=point.schedulers)
    return study.digest[:32]


def begin_study(task: Task, request: StudyRequest, timeout_s: float) -> tuple[str, Progress]:
    """Run it, as a piece of work of one step a run, unless that is done or under way for the same visitor,
    wherever the sliders stand; its id and how far it is."""
    study = checked_study(request, task)
    if find_result(study):
        return "", Progress(study.runs, study.runs, "", "finished")
    task_key = f"{_cache_key(study)}:work:{current_visitor()}"
    if (
        (name := shared_cache.get(task_key, changes=True))
        and (progress := job_manager.progress(name, timeout_s)).is_active
        and not progress.is_ending
    ):
        return name, progress
    name, progress = job_manager.start(
        "study", request.plain(), study.runs, estimate_study_seconds(study), timeout_s, after=save_task(task)
    )
    shared_cache.put(task_key, name, KEEP_PARTIAL_S, changes=True)
    return name, progress


@job_type("study")
def _do_study(arguments: dict, control: JobControl) -> None:
    """Unless it is done; RunCancelled keeps nothing."""
    request = StudyRequest.of(arguments)
    study = checked_study(request, require_task(request.key))
    if find_result(study):
        return
    key, next_at = _cache_key(study), time.monotonic() + PARTIAL_INTERVAL_S

    def progress(partial: StudyResult, done: int) -> None:
        nonlocal next_at
        if control.cancelled():
            raise Cancelled
        control.report(done, "runs")
        started_at = time.monotonic()
        if started_at >= next_at:
            shared_cache.put(f"{key}:partial", partial.filled(), KEEP_PARTIAL_S, changes=True)
            ended_at = time.monotonic()
            next_at = ended_at + max(PARTIAL_INTERVAL_S, PARTIAL_COST_FACTOR * (ended_at - started_at))

    with runner_for(control) as runner:
        result = run_study(study, runner, progress, control.cancel_token)
    shared_cache.put(key, result)


@contextmanager
def runner_for(control: JobControl) -> Iterator[Runner | None]:
    """What does the runs of a study or search: the owner's Dask cluster where one is named; else this
    process, with one for each core where starting them pays, and alone for what somebody waits for.
    """
    if address := settings.cluster():
        yield _cluster(address)
    elif control.is_local:
        yield None
    else:
        with closing(make_runner(cluster="")) as runner:
            yield runner


@cache
def _cluster(address: str) -> Runner:
    return make_runner(cluster=address)


def _cache_key(study: Study) -> str:
    return f"study:{study_id(study)}"
