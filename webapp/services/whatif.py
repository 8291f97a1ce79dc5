"""A scenario that was run with some numbers moved: run as they move, measured along a range, and searched for a goal; nothing of it is kept but curves."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from engine import (
    MEASURED,
    METRICS,
    Fault,
    GantryError,
    Goal,
    GoalAnswer,
    Metric,
    ParameterSweep,
    Range,
    Scenario,
    ScenarioError,
    TooLarge,
    Tunable,
    affordable,
    container_count,
    fingerprint,
    goal_seek,
    overridden,
    parameter_sweep,
    range_values,
    resolution,
    sweep_point,
    tunables,
)
from webapp import settings
from webapp.services import runs
from webapp.services.cache import shared
from webapp.services.held import Latest
from webapp.services.outcome import Outcome
from webapp.services.run_seconds import seconds_of
from webapp.services.runs import Task, keep, needed
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works
from webapp.services.url_state import Asked

MEASURED_STAYS = "What was measured stays as it was."
ONLY_MEASURED = "What was measured stays as it was: add a scheduler, and its numbers can be moved."
MOST_MOVING = 20_000  # containers of a scenario that is drawn while a number moves
MOST_CHANGES = 20
LARGEST = 1e300  # of a number that is sent; a whole number of JSON may be larger than a float
MOST_TASKS = 8  # whose tunables are held ready
KEEP_S = 3600
MOST_CURVES = 16  # held ready
MOST_STEPS = 10_000  # of a range
TYPED = re.compile(r"([+-]?\d{1,15}(?:\.\d{1,15})?)\s*([a-zA-Z%]*)")
THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
TIMES = {"": 1, "s": 1, "ms": 0.001, "min": 60, "h": 3600}
SHARES = {"": 1, "%": 0.01}

Changes = tuple[tuple[str, float | str], ...]


def base(task: Task) -> dict[str, Any]:
    """What the page needs to offer sliders for this task; moving: is it drawn while they move?"""
    small = container_count(task.changeable) <= MOST_MOVING
    hint = MEASURED_STAYS if task.simulated else ONLY_MEASURED
    if not task.has_measured:
        hint = ""
    hint += "" if small else f" With more than {MOST_MOVING:,} containers the charts follow once the slider rests."
    return {"key": task.key, "moving": small, "hint": hint.strip(), "tunables": [_plain(tunable) for tunable in tunables_of(task)]}


@lru_cache(maxsize=MOST_TASKS)
def tunables_of(task: Task) -> list[Tunable]:
    """What can be turned of what a task simulates; a sentence about it at each rest asks for it again. What was measured stays what it was."""
    return tunables(task.scenario, task.simulated) if task.simulated else []


def changes_of(data: Any) -> Changes:
    """Pairs of a path and a value, from what the page sent, which may be anything; ScenarioError for what is none."""
    if not isinstance(data, list) or len(data) > MOST_CHANGES or not all(isinstance(one, dict) for one in data):
        raise ScenarioError([Fault("", f"changes must be a list of at most {MOST_CHANGES} paths with their values")])
    found = []
    for one in data:
        path, value = one.get("path"), one.get("value")
        if not isinstance(path, str) or not (finite(value) or (isinstance(value, str) and len(value) <= 40)):
            raise ScenarioError([Fault(str(path)[:60], "must be given a number or a choice")])
        found.append((path, value))
    return tuple(found)


def moved(task: Task, changes: Changes) -> tuple[Scenario, tuple[str, ...]]:
    """What a task simulates, and the schedulers, with the changes; ScenarioError, SchedulerError or TooLarge where they make no sense."""
    changed, names = overridden(task.changeable, task.simulated, changes)
    scenario = task.scenario if changed is task.changeable else Scenario.of(changed)
    count, most = container_count(changed), settings.most_containers()
    if count > most:
        raise TooLarge(f"That is {count:,} containers; this server runs at most {most:,}.")
    return scenario, names


class Movement(NamedTuple):
    """schedulers: by name, as they are now called; outcomes: of each, None where it is too large, or takes too long, to be shown while it moves."""

    schedulers: tuple[str, ...]
    outcomes: list[Outcome] | None


def move(task: Task, changes: Changes) -> Movement:
    """Every scheduler's outcome with the changes, held ready for when they rest; what costs more than the run waits until it is asked for."""
    scenario, names = moved(task, changes)
    small = container_count(scenario.plain()) <= MOST_MOVING
    return Movement(names, runs.passing(scenario, names, task.scenario) if small else None)


class Varied(NamedTuple):
    """asked: without `measured`, where left_out says that its record is of other nodes or jobs by now."""

    asked: Asked
    left_out: bool


def varied(asked: Asked, changes: Changes) -> Varied:
    """What is asked for with the changes, all else as the user has it; ScenarioError or SchedulerError where they make no sense.

    Of the scenario's record `of` is enough, and comes back as it was sent.
    """
    own = tuple(name for name in asked.schedulers if name.strip() != MEASURED.name)
    record = asked.scenario.get("measured")
    if len(own) == len(asked.schedulers) or not isinstance(record, dict):
        scenario, names = overridden(asked.scenario, asked.schedulers, changes)
        return Varied(Asked(scenario, tuple(dict.fromkeys(names))), False)
    changed, names = overridden({key: value for key, value in asked.scenario.items() if key != "measured"}, own, changes)
    fits = fingerprint(Scenario.of(changed)) == record.get("of")
    return Varied(Asked({**changed, "measured": record}, (*([MEASURED.name] if fits else []), *dict.fromkeys(names))), not fits)


@dataclass(frozen=True)
class Ask:
    """A curve that is wanted, and what is searched on it: one path through its range while others are held where they are."""

    key: str
    path: str
    range: Range
    held: Changes = ()
    present: float | None = None
    whole: bool = False
    goal: Goal | None = None

    @classmethod
    def of(cls, data: Any) -> Ask:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        data = data if isinstance(data, dict) else {}
        numbers = [data.get(key) for key in ("first", "last", "step")]
        if not all(finite(number) for number in numbers) or not numbers[0] <= numbers[1] or not numbers[2] > 0:
            raise ScenarioError([Fault("range", "must have two ends, the first not the larger, and a step above 0")])
        if (numbers[1] - numbers[0]) / numbers[2] > MOST_STEPS:
            raise ScenarioError([Fault("range", f"must have at most {MOST_STEPS:,} steps")])
        present = data.get("present") if finite(data.get("present")) else None
        path = str(data.get("path"))
        return cls(str(data.get("key")), path, Range(*numbers), changes_of(data.get("held", [])), present, data.get("whole") is True, _goal(data.get("goal")))

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        held = [{"path": path, "value": value} for path, value in self.held]
        goal = self.goal._asdict() if self.goal else None
        return {"key": self.key, "path": self.path, **self.range._asdict(), "held": held, "present": self.present, "whole": self.whole, "goal": goal}

    @property
    def id(self) -> str:
        """Of the curve, whatever is searched on it."""
        text = json.dumps([self.key, self.path, self.range, self.held, self.present], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]

    def values(self, task: Task) -> list[float]:
        """The values of the curve: all of the range, or as many of them as a large scenario can afford."""
        count = affordable(container_count(task.changeable), len(task.simulated))
        return range_values(self.range, count, self.present)


@dataclass(frozen=True)
class Found:
    """A curve, with what was searched on it; now: the metrics of each scheduler as it is, None where it could not be run."""

    ask: Ask
    sweep: ParameterSweep
    now: list[dict[str, Any] | None]
    answers: list[GoalAnswer]


def curve(ask: Ask) -> Found | None:
    """The curve with its answers, if that has been done."""
    key = f"curve:{ask.id}:{_goal_id(ask.goal)}"
    found = _curves.get(key) or shared.get(key)
    return found if isinstance(found, Found) else None


def _keep(found: Found) -> None:
    key = f"curve:{found.ask.id}:{_goal_id(found.ask.goal)}"
    _curves.put(key, found)
    shared.put(key, found, KEEP_S)


def steps(task: Task, ask: Ask) -> int:
    """How many runs a curve takes."""
    return len(ask.values(task)) * len(task.simulated)


def begin_curve(task: Task, ask: Ask, patience_s: float) -> tuple[str, Progress]:
    """Measure the curve and search for the goal, as a piece of work of one step a run; its id and how far it is."""
    count = steps(task, ask)
    return works.start("curve", ask.plain(), count, seconds_of(task.scenario, count), patience_s, after=keep(task))


@kind("curve")
def _do_curve(asked: dict, control: TaskControl) -> None:
    """Unless it is done; Cancelled keeps nothing."""
    ask = Ask.of(asked)
    task = needed(ask.key)
    plain, values = task.changeable, ask.values(task)
    for path, last in ((ask.path, ask.range.last), (ask.path, ask.range.first)):
        _bounded(task, (*ask.held, (path, last)))
    done = curve(replace(ask, goal=None))
    if done:
        measured, now = done.sweep, done.now
    else:
        report = lambda count, _: control.report(count, "runs")
        measured = parameter_sweep(plain, task.simulated, ask.path, values, ask.held, report, control.cancelled, control.halt)
        if control.cancelled():
            raise Cancelled
        now = [sweep_point(plain, task.simulated, place, ask.held, control.halt).metrics for place in range(len(task.simulated))]
        _keep(Found(replace(ask, goal=None), measured, now, []))
    if ask.goal:
        answers = [_answer(task, ask, measured, now, place, control) for place in range(len(task.simulated))]
        _keep(Found(ask, measured, now, answers))


def _answer(task: Task, ask: Ask, measured: ParameterSweep, now: Sequence[dict | None], place: int, control: TaskControl) -> GoalAnswer:
    metric, plain = ask.goal.metric, task.changeable

    def look(value: float) -> float | None:
        if control.cancelled():
            raise Cancelled
        return sweep_point(plain, task.simulated, place, (*ask.held, (ask.path, value)), control.halt).get(metric)

    found = [point.get(metric) for point in measured.points[place]]
    here = now[place][metric] if now[place] else None
    return goal_seek(ask.goal, ask.present, here, measured.values, found, look, resolution(ask.range.step, ask.whole))


def _bounded(task: Task, changes: Changes) -> None:
    """TooLarge where an end of the range is more than this server runs; other faults become gaps."""
    try:
        moved(task, changes)
    except TooLarge:
        raise
    except GantryError:
        return


def bound(text: Any, metric: Metric) -> float | None:
    """A goal as it is typed, in the metric's unit: "300", "5 min", "80 %"; None for an empty one, ScenarioError for what is no number."""
    text = text.strip() if isinstance(text, str) else ""
    if not text:
        return None
    units = TIMES if metric.unit == "s" else SHARES if metric.unit == "share" else {"": 1}
    found = TYPED.fullmatch(THOUSANDS.sub("", text).replace(",", "."))
    if not found or found[2].lower() not in units:
        such = {"s": " of seconds, such as 300", "share": " of percent, such as 80"}.get(metric.unit, "")
        raise ScenarioError([Fault("", f"Must be a number{such}.")])
    number = float(found[1]) * units[found[2].lower()]
    return number / 100 if metric.unit == "share" and number > 1 and not found[2] else number  # 80 is meant as 80 %


def _goal(data: Any) -> Goal | None:
    if not isinstance(data, dict) or not finite(data.get("bound")):
        return None
    keys = {metric.key for metric in METRICS if metric.compared}
    return Goal(data["metric"], data["bound"]) if data.get("metric") in keys else None


def _goal_id(goal: Goal | None) -> str:
    return f"{goal.metric}:{goal.bound!r}" if goal else ""


def finite(number: Any) -> bool:
    """Is it a number that a page may send?"""
    return isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) <= LARGEST


def _plain(tunable: Tunable) -> dict[str, Any]:
    """A tunable as JSON; a limit that is infinite is left out."""
    found = asdict(tunable) | tunable.range._asdict()
    del found["range"]
    return {key: value for key, value in found.items() if not (isinstance(value, float) and math.isinf(value))}


_curves: Latest[Found] = Latest(MOST_CURVES)
