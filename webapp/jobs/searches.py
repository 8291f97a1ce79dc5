"""Searches of a task: which setting of its sliders and schedulers is best by a metric or two, within
constraints, as a piece of work.

An answer is kept by what decides it, so that whoever asks for the same finds it; of one that is ended before,
what it had found is kept for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta

from engine import GantryError, Scenario, ScenarioError, Search, Study, run_search
from engine.dashboard import (
    MEASURES,
    Constraint,
    Dimension,
    Fault,
    Objective,
    Progress,
    SearchResult,
    TooLarge,
    apply_overrides,
    names_of,
)
from webapp.jobs import studies, whatif
from webapp.jobs.job_manager import Cancelled, JobControl, job_manager, job_type
from webapp.jobs.job_manager import Progress as WorkProgress
from webapp.jobs.page_request import ChangeList, Number, PageRequest, change_pairs
from webapp.messages import msg
from webapp.runs import time_estimates
from webapp.runs.cache import shared_cache
from webapp.runs.saved_tasks import require_task, save_task
from webapp.runs.task import Task
from webapp.runs.time_estimates import estimate_seconds

TRIALS = (20, 50, 100, 200)  # that are offered
SEEDS = (1, 5, 10, 30)
FRESH_SEEDS = 30  # seeds on which the answer is compared with the present setting
MAX_TRIALS = 500  # of a search on the page
MAX_CONSTRAINTS = 3
MAX_DIMENSIONS = 6
SETTING_OVERHEAD_S = 0.015  # that a setting is thought to take besides its runs: proposed, made and checked
SAMPLER_LOAD_S = 1.5  # to load what proposes them
TYPICAL_FRONT = 5  # settings that a trade-off curve is thought to have
PARALLEL_S = 0.3  # a setting that is thought to take longer is run by several processes
KEEP_PARTIAL_S = 3600
MAX_SEARCHES = 32  # checked ones held ready
MEASURE = rf"^(?:{'|'.join(MEASURES)})\Z"  # the key of one
# the path of a parameter of one of several schedulers
ONE_SCHEDULER_PATH = re.compile(r"schedulers\[(\d+)\](.*)")
NO_SLIDER = msg("jobs.searches.add_sliders_above_search_varies_them")
NOT_STORED = msg("jobs.searches.result_lost_because_servers_cache_unavailabl")


class Bound(PageRequest, frozen=True):
    """A constraint as it is typed; text: its number as whatif.parse_bound reads it."""

    metric: Annotated[str, Meta(pattern=MEASURE)]
    way: Literal["most", "least"]
    text: str


class Varied(PageRequest, frozen=True, omit_defaults=True):
    """A slider by its path, from low in steps to high; one of choices has only the path."""

    path: str
    low: Number | None = None
    high: Number | None = None
    step: Number | None = None


class SearchRequest(PageRequest, frozen=True, kw_only=True):
    """A search that is wanted, of the task `key`; vary: sliders with their ranges; objectives: one metric or
    two; held: the other sliders; scheduler: the one that all is tried under, or "" where it is a choice among
    those of the task.
    """

    key: str
    vary: Annotated[tuple[Varied, ...], Meta(max_length=MAX_DIMENSIONS)] = ()
    objectives: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    constraints: Annotated[tuple[Bound, ...], Meta(max_length=MAX_CONSTRAINTS)] = ()
    held: ChangeList = ()
    scheduler: str = ""
    trials: Annotated[int, Meta(le=MAX_TRIALS)]
    seeds: int
    jitter: Number = 0


@lru_cache(MAX_SEARCHES)
def build_search(request: SearchRequest, task: Task) -> Search:
    """What is run; ScenarioError with every fault, or SchedulerError, where it makes no sense. A constraint
    without a number is none.
    """
    if not task.simulated:
        raise ScenarioError([Fault("schedulers", whatif.ONLY_MEASURED)])
    changed, schedulers = apply_overrides(task.changeable, task.simulated, change_pairs(request.held))
    names, shown = names_of(schedulers), names_of(task.simulated)
    vary = [Dimension(varied.path, varied.low, varied.high, varied.step) for varied in request.vary]
    if scheduler := request.scheduler:
        if scheduler not in shown:
            among = ", ".join(shown)
            raise ScenarioError([Fault("scheduler", msg("jobs.searches.must_be_one", simulated=among))])
        place = shown.index(scheduler)
        names = (names[place],)
        vary = [replace(one, path=_path_under(one.path, place, scheduler)) for one in vary]
    if not vary and len(names) < 2:
        raise ScenarioError([Fault("vary", NO_SLIDER)])
    constraints = (_constraint(bound, number) for number, bound in enumerate(request.constraints, 1))
    return Search(
        changed,
        tuple(vary),
        tuple(map(Objective, request.objectives)),
        tuple(names),
        tuple(filter(None, constraints)),
        request.trials,
        request.seeds,
        FRESH_SEEDS,
        jitter=request.jitter,
        name=task.scenario.name,
    )


def _constraint(bound: Bound, number: int) -> Constraint | None:
    try:
        limit = whatif.parse_bound(bound.text, MEASURES[bound.metric])
    except ScenarioError as error:
        message, place = error.faults[0].message, msg("jobs.searches.constraint", number=number)
        raise ScenarioError([Fault(place, message[:1].lower() + message[1:])]) from None
    return None if limit is None else Constraint(bound.metric, **{f"at_{bound.way}": limit})


def _path_under(path: str, place: int, scheduler: str) -> str:
    """The path where one of the schedulers is alone."""
    match = ONE_SCHEDULER_PATH.fullmatch(path)
    if match and int(match[1]) != place:
        message = msg("jobs.searches.has_no_effect_under_leave_out", scheduler=scheduler)
        raise ScenarioError([Fault(path, message)])
    return f"schedulers[0]{match[2]}" if match else path


def checked_search(request: SearchRequest, task: Task) -> Search:
    """The same; TooLarge for one that this server does not run."""
    search = build_search(request, task)
    ends = [
        ((varied.path, varied.low), (varied.path, varied.high))
        for varied in request.vary
        if varied.low is not None and varied.high is not None
    ]
    studies.check_ends(task, change_pairs(request.held), ends)
    if excess := studies.excess_words(estimate_search_seconds(search)):
        runs = count_runs(search)
        raise TooLarge(msg("jobs.searches.about_runs_and_s_server_lets", count_runs=runs, **excess))
    return search


def count_settings(search: Search) -> int:
    """How many settings are tried, the present one among them."""
    space = search.space
    return space.size + (space.present_setting() is None) if space.size <= search.trials else search.trials


def is_random(search: Search) -> bool:
    """Does another seed give another run?"""
    return Study(search.scenario, search.schedulers, jitter=search.jitter).is_random


def count_seeds(search: Search) -> tuple[int, int]:
    """How many runs a trial takes, and a setting of the answer."""
    return (search.seeds, search.fresh_seeds) if is_random(search) else (1, 1)


def count_runs(search: Search) -> int:
    """How many runs it takes, as far as that is known before."""
    (seeds, fresh), front_size = count_seeds(search), TYPICAL_FRONT if len(search.objectives) > 1 else 1
    return count_settings(search) * seeds + (1 + front_size) * fresh


def estimate_search_seconds(search: Search) -> float:
    """That all of it is thought to take."""
    run_s, cores = _estimate_run_seconds(search), studies.core_count()
    is_parallel = cores > 1 and run_s * count_seeds(search)[0] > PARALLEL_S
    sampler_s = SAMPLER_LOAD_S if search.space.size > search.trials else 0.0
    settings_s = count_settings(search) * SETTING_OVERHEAD_S
    return sampler_s + settings_s + count_runs(search) * run_s / (cores if is_parallel else 1)


def _estimate_run_seconds(search: Search) -> float:
    """That a run takes at the worst of the scenario's own setting, all first and all last values."""
    estimates = [estimate_seconds(Scenario.of(search.scenario))]
    for place in (0, -1):
        with suppress(GantryError):
            varied = [one for one in search.space.dimensions if one.path != "scheduler"]
            ends = [(one.path, one.values[place]) for one in varied]
            scenario, _ = apply_overrides(search.scenario, search.schedulers, ends)
            estimates.append(estimate_seconds(Scenario.of(scenario)))
    return studies.RUN_S + max(estimates) - time_estimates.RUN_S


def find_result(search: Search) -> SearchResult | None:
    """The answer, if it has been found."""
    return shared_cache.get(_cache_key(search))


def find_last_result(search: Search) -> SearchResult | None:
    """The answer, or what had been found when it was ended."""
    return find_result(search) or shared_cache.get(f"{_cache_key(search)}:partial", changes=True)


def begin_search(task: Task, request: SearchRequest, timeout_s: float) -> tuple[str, WorkProgress]:
    """Search, as a piece of work of one step a run, unless that is done; its id and how far it is."""
    search = checked_search(request, task)
    steps = count_runs(search)
    if find_result(search):
        return "", WorkProgress(steps, steps, "", "finished")
    return job_manager.start(
        "search", request.plain(), steps, estimate_search_seconds(search), timeout_s, after=save_task(task)
    )


@job_type("search")
def _do_search(arguments: dict, control: JobControl) -> None:
    """Unless it is done. Ended before, it keeps what it has found."""
    request = SearchRequest.of(arguments)
    search = checked_search(request, require_task(request.key))
    if find_result(search):
        return
    with studies.runner_for(control) as runner:
        result = run_search(search, runner, _progress_reporter(search, control), control.cancel_token)
    if result.is_ended:
        shared_cache.put(f"{_cache_key(search)}:partial", result, KEEP_PARTIAL_S, changes=True)
        raise Cancelled
    shared_cache.put(_cache_key(search), result)


def _progress_reporter(search: Search, control: JobControl) -> Callable[[Progress], None]:
    """Steps are runs, so that the time left is told by them; words are settings."""
    seeds, fresh = count_seeds(search)

    def progress(now: Progress) -> None:
        text = msg("jobs.searches.settings_tried", trials=len(now.trials), most=now.most)
        if now.to_confirm:
            confirmed, to_confirm = now.confirmed + 1, now.to_confirm + 1
            text += msg("jobs.searches.compared_on_fresh_seeds", confirmed=confirmed, to_confirm=to_confirm)
        control.report(min(len(now.trials) * seeds + now.confirmed * fresh, control.total), text)

    return progress


def _cache_key(search: Search) -> str:
    return f"search:{search.digest[:32]}"
