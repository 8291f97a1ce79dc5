"""A scenario that was run with some numbers moved: run as they move, measured along a range, and searched for
a goal; nothing of it is kept but curves.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, structs

from engine import METRICS, GantryError, Scenario, ScenarioError, goal_seek, parameter_sweep, tunables
from engine.dashboard import (
    MEASURED,
    Fault,
    Goal,
    GoalAnswer,
    Metric,
    ParameterSweep,
    Scheduler,
    TooLarge,
    Tunable,
    apply_overrides,
    container_count,
    display_name,
    fingerprint,
    max_sweep_values,
    range_values,
    resolution,
    sweep_point,
)
from webapp import settings
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_type
from webapp.jobs.page_request import (
    MAX_NUMBER,
    Axis,
    ChangeList,
    Changes,
    Number,
    PageRequest,
    change_pairs,
)
from webapp.jobs.run_job import start_runs
from webapp.messages import msg
from webapp.runs import run_cache
from webapp.runs.cache import shared_cache
from webapp.runs.outcome import Outcome
from webapp.runs.saved_tasks import require_task
from webapp.runs.task import Task
from webapp.url.url_state import RunRequest

MEASURED_IS_FIXED = msg("jobs.whatif.measured_run_cant_be_changed")
ONLY_MEASURED = msg("jobs.whatif.measured_run_cant_be_changed_add")
MAX_LIVE_CONTAINERS = 20_000  # containers of a scenario that is drawn while a number moves
MAX_TASKS = 8  # whose tunables are held ready
KEEP_S = 3600
TYPED_NUMBER = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,15})?)\s*([a-zA-Z%]*)")
THOUSANDS_SEPARATOR = re.compile(r",(?=\d{3}(?!\d))")
SCHEDULER_PLACE = re.compile(r"schedulers\[(\d+)\]")  # begins the path of a scheduler's parameter
TIME_UNITS = {"": 1, "s": 1, "ms": 0.001, "min": 60, "h": 3600}
SHARE_UNITS = {"": 1, "%": 0.01}
COMPARED_METRIC = rf"^(?:{'|'.join(metric.key for metric in METRICS if metric.compared)})\Z"


def slider_data(task: Task) -> dict[str, Any]:
    """What the page needs to offer sliders for this task; moving: is it drawn while they move?"""
    small, hint = container_count(task.changeable) <= MAX_LIVE_CONTAINERS, ""
    if task.has_measured:
        hint = MEASURED_IS_FIXED if task.simulated else ONLY_MEASURED
    if not small:
        most = MAX_LIVE_CONTAINERS
        hint += msg("jobs.whatif.with_more_than_containers_charts_follow", max_live_containers=most)
    return {
        "key": task.key,
        "moving": small,
        "hint": hint.strip(),
        "tunables": [_tunable_to_json(tunable) for tunable in tunables_of(task)],
    }


@lru_cache(maxsize=MAX_TASKS)
def tunables_of(task: Task) -> list[Tunable]:
    """What can be turned of what a task simulates; a sentence about it at each rest asks for it again. What
    was measured stays what it was.
    """
    return titled_tunables(task.scenario, task.simulated) if task.simulated else []


def titled_tunables(scenario: Scenario, schedulers: Sequence[Scheduler]) -> list[Tunable]:
    """`tunables`, with the schedulers' display names in their titles."""
    offered = []
    for tunable in tunables(scenario, schedulers):
        place = SCHEDULER_PLACE.match(tunable.path)
        name = schedulers[int(place[1])].name if place else ""
        if place and tunable.title.startswith(f"{name}: "):
            shown = display_name(name)
            title = shown + tunable.title.removeprefix(name)
            tunable = replace(tunable, title=title, group=tunable.group.replace(name, shown))
        offered.append(tunable)
    return offered


def apply_changes(task: Task, changes: Changes) -> tuple[Scenario, tuple[Scheduler, ...]]:
    """What a task simulates, and the schedulers, with the changes; ScenarioError, SchedulerError or TooLarge
    where they make no sense.
    """
    changed, schedulers = apply_overrides(task.changeable, task.simulated, changes)
    scenario = task.scenario if changed is task.changeable else Scenario.of(changed)
    check_container_count(changed)
    return scenario, schedulers


def check_container_count(scenario: dict[str, Any]) -> None:
    """TooLarge for a scenario (JSON values) of more containers than this server runs."""
    count, limit = container_count(scenario), settings.max_containers()
    if count > limit:
        raise TooLarge(msg("shared.containers_server_runs_at_most", count=count, limit=limit))


class PreviewedChange(NamedTuple):
    """schedulers: as they are now; outcomes: of each, None where it is too large, or takes too long, to be
    shown while it moves.
    """

    schedulers: tuple[Scheduler, ...]
    outcomes: list[Outcome] | None


def preview_changes(task: Task, changes: Changes) -> PreviewedChange:
    """Every scheduler's outcome with the changes, held ready for when they rest; what costs more than the run
    waits until it is asked for.
    """
    scenario, schedulers = apply_changes(task, changes)
    small = container_count(scenario.plain()) <= MAX_LIVE_CONTAINERS
    return PreviewedChange(schedulers, run_cache.preview(scenario, schedulers) if small else None)


class ChangedRequest(NamedTuple):
    """request: without `measured`, where left_out says that its record is of other nodes or jobs by now."""

    request: RunRequest
    left_out: bool


def change_request(request: RunRequest, changes: Changes) -> ChangedRequest:
    """What is asked for with the changes, all else as the user has it; ScenarioError or SchedulerError where
    they make no sense.

    Of the scenario's record `of` is enough, and comes back as it was sent.
    """
    schedulers = tuple(name for name in request.schedulers if name.strip() != MEASURED.name)
    record = request.scenario.get("measured")
    if len(schedulers) == len(request.schedulers) or not isinstance(record, dict):
        scenario, names = apply_overrides(request.scenario, request.schedulers, changes)
        return ChangedRequest(RunRequest(scenario, tuple(dict.fromkeys(names))), False)
    simulated = {key: value for key, value in request.scenario.items() if key != "measured"}
    changed, names = apply_overrides(simulated, schedulers, changes)
    fits = fingerprint(Scenario.of(changed)) == record.get("of")
    shown = (*([MEASURED.name] if fits else []), *dict.fromkeys(names))
    return ChangedRequest(RunRequest(changed | {"measured": record}, shown), not fits)


class CurveGoal(PageRequest, frozen=True):
    """What a metric is to reach or not to exceed."""

    metric: Annotated[str, Meta(pattern=COMPARED_METRIC)]
    bound: Number


class CurveRequest(Axis, frozen=True, kw_only=True):
    """A curve that is wanted, and what is searched on it: one path through its range while others are held
    where they are.
    """

    key: str
    held: ChangeList = ()
    whole: bool = False
    goal: CurveGoal | None = None

    @property
    def id(self) -> str:
        """Of the curve, whatever is searched on it."""
        text = json.dumps([self.key, self.path, self.range, change_pairs(self.held), self.present])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]

    def values(self, task: Task) -> list[float]:
        """The values of the curve: all of the range, or as many of them as a large scenario can afford."""
        count = max_sweep_values(container_count(task.changeable), len(task.simulated))
        return range_values(self.range, count, self.present)


@dataclass(frozen=True)
class CurveResult:
    """A curve, with what was searched on it; now: the metrics of each scheduler as it is, None where it could
    not be run.
    """

    request: CurveRequest
    sweep: ParameterSweep
    now: list[dict[str, Any] | None]
    answers: list[GoalAnswer]


def find_curve(request: CurveRequest) -> CurveResult | None:
    """The curve with its answers, if that has been done."""
    return shared_cache.get(_cache_key(request))


def _store_curve(result: CurveResult) -> None:
    shared_cache.put(_cache_key(result.request), result, KEEP_S)


def count_curve_runs(task: Task, request: CurveRequest) -> int:
    """How many runs a curve takes."""
    return len(request.values(task)) * len(task.simulated)


def begin_curve(task: Task, request: CurveRequest, timeout_s: float) -> tuple[str, Progress]:
    """Measure the curve and search for the goal, as a piece of work of one step a run; its id and how far it
    is.
    """
    return start_runs("curve", task, request.plain(), count_curve_runs(task, request), timeout_s)


@job_type("curve")
def _do_curve(arguments: dict, control: JobControl) -> None:
    """Unless it is done; Cancelled keeps nothing."""
    request = CurveRequest.of(arguments)
    task, held = require_task(request.key), change_pairs(request.held)
    plain, cancel_token = task.changeable, control.cancel_token
    for end in (request.last, request.first):
        _check_size(task, (*held, (request.path, end)))
    curve = find_curve(structs.replace(request, goal=None))
    if curve is None:
        measured = parameter_sweep(
            plain,
            task.simulated,
            request.path,
            request.values(task),
            held,
            lambda count, _: control.report(count, "runs"),
            control.cancelled,
            cancel_token,
        )
        if control.cancelled():
            raise Cancelled
        now = [
            sweep_point(plain, task.simulated, place, held, cancel_token).metrics
            for place in range(len(task.simulated))
        ]
        curve = CurveResult(structs.replace(request, goal=None), measured, now, [])
        _store_curve(curve)
    if request.goal:
        answers = [_seek_goal(task, request, curve, place, control) for place in range(len(task.simulated))]
        _store_curve(replace(curve, request=request, answers=answers))


def _seek_goal(
    task: Task, request: CurveRequest, curve: CurveResult, place: int, control: JobControl
) -> GoalAnswer:
    assert request.goal
    metric, held, now = request.goal.metric, change_pairs(request.held), curve.now[place]

    def measure(value: float) -> float | None:
        if control.cancelled():
            raise Cancelled
        changes = (*held, (request.path, value))
        return sweep_point(task.changeable, task.simulated, place, changes, control.cancel_token).get(metric)

    return goal_seek(
        Goal(metric, request.goal.bound),
        request.present,
        now[metric] if now else None,
        curve.sweep.values,
        [point.get(metric) if point else None for point in curve.sweep.points[place]],
        measure,
        resolution(request.step, request.whole),
    )


def _check_size(task: Task, changes: Changes) -> None:
    """TooLarge where an end of the range is more than this server runs; other faults become gaps."""
    try:
        apply_changes(task, changes)
    except TooLarge:
        raise
    except GantryError:
        return


def parse_bound(text: Any, metric: Metric) -> float | None:
    """A goal as it is typed, in the metric's unit: "300", "5 min", "80 %"; None for an empty one,
    ScenarioError for what is no number.
    """
    text = text.strip() if isinstance(text, str) else ""
    if not text:
        return None
    units = TIME_UNITS if metric.unit == "s" else SHARE_UNITS if metric.unit == "share" else {"": 1}
    match = TYPED_NUMBER.fullmatch(THOUSANDS_SEPARATOR.sub("", text).replace(",", "."))
    if not match or match[2].lower() not in units:
        hints = {"s": msg("jobs.whatif.seconds_such_as"), "share": msg("jobs.whatif.percent_such_as")}
        unit_hint = hints.get(metric.unit, "")
        raise ScenarioError([Fault("", msg("jobs.whatif.must_be_number", unit_hint=unit_hint))])
    number = float(match[1]) * units[match[2].lower()]
    # 80 is meant as 80 %
    return number / 100 if metric.unit == "share" and number > 1 and not match[2] else number


def _cache_key(request: CurveRequest) -> str:
    goal = request.goal
    return f"curve:{request.id}:{f'{goal.metric}:{goal.bound!r}' if goal else ''}"


def is_finite_number(number: Any) -> bool:
    """Is it a number that a page may send?"""
    return isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) <= MAX_NUMBER


def _tunable_to_json(tunable: Tunable) -> dict[str, Any]:
    """A tunable as JSON; a limit that is infinite is left out."""
    fields = asdict(tunable) | tunable.range._asdict()
    del fields["range"]
    return {
        key: value for key, value in fields.items() if not (isinstance(value, float) and math.isinf(value))
    }
