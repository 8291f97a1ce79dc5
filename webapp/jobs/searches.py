"""Searches of a task: which setting of its sliders and schedulers is best by a metric or two, within
constraints, as a piece of work.

An answer is kept by what decides it, so that whoever asks for the same finds it; of one that is ended before,
what it had found is kept for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from engine import GantryError, Scenario, ScenarioError, SchedulerError, Search, Study, quantities, run_search
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
)
from webapp import settings
from webapp.jobs import studies, whatif
from webapp.jobs.job_manager import Cancelled, JobControl, job_manager, job_type
from webapp.jobs.job_manager import Progress as WorkProgress
from webapp.jobs.whatif import Changes, parse_changes
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
SETTING_OVERHEAD_S = (
    0.015  # that a setting is thought to take, besides its runs: it is proposed, made and checked
)
SAMPLER_LOAD_S = 1.5  # to load what proposes them
TYPICAL_FRONT = 5  # settings that a trade-off curve is thought to have
PARALLEL_S = 0.3  # a setting that is thought to take longer is run by several processes
KEEP_PARTIAL_S = 3600
MAX_SEARCHES = 32  # checked ones held ready
BOUND_FIELDS = {"most": "at_most", "least": "at_least"}
# the path of a parameter of one of several schedulers
ONE_SCHEDULER_PATH = re.compile(r"schedulers\[(\d+)\](.*)")
NO_SLIDER = msg("jobs.searches.add_sliders_above_search_varies_them")
NOT_STORED = msg("jobs.searches.result_lost_because_servers_cache_unavailabl")


@dataclass(frozen=True)
class Bound:
    """A constraint as it is typed; way: most or least; text: its number with or without a unit, as
    whatif.bound reads it.
    """

    metric: str
    way: str
    text: str


@dataclass(frozen=True)
class SearchRequest:
    """A search that is wanted, of the task `key`; vary: sliders with their ranges, none of what has choices;
    objectives: one metric or two;
    held: the other sliders; scheduler: the one that all is tried under, or "" where it is a choice among
    those of the task."""

    key: str
    vary: tuple[Dimension, ...]
    objectives: tuple[str, ...]
    constraints: tuple[Bound, ...] = ()
    held: Changes = ()
    scheduler: str = ""
    trials: int = TRIALS[1]
    seeds: int = SEEDS[1]
    jitter: float = 0.0

    @classmethod
    def of(cls, data: Any) -> SearchRequest:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        listed = {name: data.get(name, []) for name in ("vary", "objectives", "constraints")}
        for name, max_length in (
            ("vary", MAX_DIMENSIONS),
            ("objectives", 2),
            ("constraints", MAX_CONSTRAINTS),
        ):
            if not isinstance(listed[name], list) or len(listed[name]) > max_length:
                raise ScenarioError(
                    [Fault(name, msg("jobs.searches.must_be_list_at_most", max_length=max_length))]
                )
        if not all(isinstance(objective, str) for objective in listed["objectives"]) or not isinstance(
            data.get("scheduler", ""), str
        ):
            raise ScenarioError([Fault("objectives", msg("jobs.searches.must_be_metric_keys_and_scheduler"))])
        trials, seeds, jitter = data.get("trials"), data.get("seeds"), data.get("jitter", 0)
        if type(trials) is not int or trials > MAX_TRIALS:
            raise ScenarioError(
                [Fault("trials", msg("jobs.searches.must_be_whole_number_at_most", max_trials=MAX_TRIALS))]
            )
        if type(seeds) is not int or not whatif.is_finite_number(jitter):
            raise ScenarioError([Fault("seeds", msg("shared.must_be_whole_number_and_jitter"))])
        vary, bounds = tuple(map(_dimension, listed["vary"])), tuple(map(_bound, listed["constraints"]))
        held = parse_changes(data.get("held", []))
        return cls(
            str(data.get("key")),
            vary,
            tuple(listed["objectives"]),
            bounds,
            held,
            data.get("scheduler", ""),
            trials,
            seeds,
            jitter,
        )

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        bounds = [
            {"metric": constraint.metric, "way": constraint.way, "text": constraint.text}
            for constraint in self.constraints
        ]
        held = [{"path": path, "value": value} for path, value in self.held]
        data = {
            "key": self.key,
            "vary": [dimension.plain() for dimension in self.vary],
            "objectives": list(self.objectives),
            "constraints": bounds,
            "held": held,
        }
        return data | {
            "scheduler": self.scheduler,
            "trials": self.trials,
            "seeds": self.seeds,
            "jitter": self.jitter,
        }


def _dimension(data: Any) -> Dimension:
    data = data if isinstance(data, dict) else {}
    numbers = {key: data[key] for key in ("low", "high", "step") if data.get(key) is not None}
    if not isinstance(data.get("path"), str) or not all(map(whatif.is_finite_number, numbers.values())):
        raise ScenarioError(
            [
                Fault(
                    "vary",
                    msg("jobs.searches.must_be_sliders_each_path_with"),
                )
            ]
        )
    return Dimension(data["path"], **numbers)


def _bound(data: Any) -> Bound:
    data = data if isinstance(data, dict) else {}
    bound = Bound(*(data.get(key) for key in ("metric", "way", "text")))
    if (
        bound.metric not in list(MEASURES)
        or bound.way not in list(BOUND_FIELDS)
        or not isinstance(bound.text, str)
    ):
        raise ScenarioError([Fault("constraints", msg("jobs.searches.must_have_metric_most_or_least"))])
    return bound


@lru_cache(MAX_SEARCHES)
def build_search(request: SearchRequest, task: Task) -> Search:
    """What is run; ScenarioError with every fault, or SchedulerError, where it makes no sense. A constraint
    without a number is none.
    """
    if not task.simulated:
        raise ScenarioError([Fault("schedulers", whatif.ONLY_MEASURED)])
    changed, names = apply_overrides(task.changeable, task.simulated, request.held)
    vary = request.vary
    if request.scheduler:
        if request.scheduler not in task.simulated:
            raise ScenarioError(
                [Fault("scheduler", msg("jobs.searches.must_be_one", simulated=", ".join(task.simulated)))]
            )
        place = task.simulated.index(request.scheduler)
        names, vary = (
            (names[place],),
            tuple(
                replace(dimension, path=_path_under(dimension.path, place, request.scheduler))
                for dimension in vary
            ),
        )
    if not vary and len(names) < 2:
        raise ScenarioError([Fault("vary", NO_SLIDER)])
    objectives = tuple(map(Objective, request.objectives))
    constraints = tuple(
        result
        for number, constraint in enumerate(request.constraints, 1)
        if (result := _constraint(constraint, number))
    )
    return Search(
        changed,
        vary,
        objectives,
        tuple(names),
        constraints,
        request.trials,
        request.seeds,
        FRESH_SEEDS,
        jitter=request.jitter,
        name=task.scenario.name,
    )


def _constraint(bound: Bound, number: int) -> Constraint | None:
    try:
        number_ = whatif.parse_bound(bound.text, MEASURES[bound.metric])
    except ScenarioError as error:
        raise ScenarioError(
            [
                Fault(
                    msg("jobs.searches.constraint", number=number),
                    error.faults[0].message[:1].lower() + error.faults[0].message[1:],
                )
            ]
        ) from None
    return None if number_ is None else Constraint(bound.metric, **{BOUND_FIELDS[bound.way]: number_})


def _path_under(path: str, place: int, scheduler: str) -> str:
    """The path where one of the schedulers is alone."""
    match = ONE_SCHEDULER_PATH.fullmatch(path)
    if match and int(match[1]) != place:
        raise ScenarioError(
            [Fault(path, msg("jobs.searches.has_no_effect_under_leave_out", scheduler=scheduler))]
        )
    return f"schedulers[0]{match[2]}" if match else path


def checked_search(request: SearchRequest, task: Task) -> Search:
    """The same; TooLarge for one that this server does not run."""
    whatif.apply_changes(task, request.held)
    search = build_search(request, task)
    ends = [
        ((dimension.path, dimension.low), (dimension.path, dimension.high))
        for dimension in request.vary
        if dimension.low is not None and dimension.high is not None
    ]
    for corner in product(*ends):
        with suppress(ScenarioError, SchedulerError):  # which are trials without an answer
            whatif.apply_changes(task, (*request.held, *corner))
    seconds, limit = estimate_search_seconds(search), settings.max_seconds()
    if seconds > limit:
        owner_hint = msg("shared.limit_of_seconds")
        raise TooLarge(
            msg(
                "jobs.searches.about_runs_and_s_server_lets",
                count_runs=count_runs(search),
                time=quantities.rough_duration(1000 * round(seconds)),
                limit=quantities.duration(1000 * limit),
                owner_hint=owner_hint,
            )
        )
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
    sampler = SAMPLER_LOAD_S if search.space.size > search.trials else 0.0
    return (
        sampler
        + count_settings(search) * SETTING_OVERHEAD_S
        + count_runs(search)
        * _estimate_run_seconds(search)
        / (studies.core_count() if _is_parallel(search) else 1)
    )


def _estimate_run_seconds(search: Search) -> float:
    """That a run takes at the worst of the scenario's own setting, all first and all last values."""
    estimates = [estimate_seconds(Scenario.of(search.scenario))]
    for place in (0, -1):
        with suppress(GantryError):
            ends = [
                (dimension.path, dimension.values[place])
                for dimension in search.space.dimensions
                if dimension.path != "scheduler"
            ]
            estimates.append(
                estimate_seconds(Scenario.of(apply_overrides(search.scenario, search.schedulers, ends)[0]))
            )
    return studies.RUN_S + max(estimates) - time_estimates.RUN_S


def _is_parallel(search: Search) -> bool:
    return studies.core_count() > 1 and _estimate_run_seconds(search) * count_seeds(search)[0] > PARALLEL_S


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
        shared_cache.put(f"{_cache_key(search)}:partial", result, KEEP_PARTIAL_S)
        raise Cancelled
    shared_cache.put(_cache_key(search), result)


def _progress_reporter(search: Search, control: JobControl) -> Callable[[Progress], None]:
    """Steps are runs, so that the time left is told by them; words are settings."""
    seeds, fresh = count_seeds(search)

    def progress(now: Progress) -> None:
        text = msg("jobs.searches.settings_tried", trials=len(now.trials), most=now.most)
        if now.to_confirm:
            text += msg(
                "jobs.searches.compared_on_fresh_seeds",
                confirmed=now.confirmed + 1,
                to_confirm=now.to_confirm + 1,
            )
        control.report(min(len(now.trials) * seeds + now.confirmed * fresh, control.total), text)

    return progress


def _cache_key(search: Search) -> str:
    return f"search:{search.digest[:32]}"
