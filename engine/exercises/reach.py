"""What is changed until conditions hold, at the least cost where a cost is given.

The answer is looked for in the grid of `change`: in every setting where there is a cost, else in those
nearest to the present one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from engine.analysis.metrics import METRICS, UNDONE, summary, undone_jobs
from engine.exercises.changes import (
    MAX_SETTINGS,
    Changeable,
    Setting,
    Value,
    changeables,
    changed,
    grid,
    present_setting,
    read_setting,
)
from engine.exercises.model import DEADLOCK, LONGEST_WAIT, Condition, Exercise, Reach
from engine.exercises.question import Answer, AnswerError, Question, Simulate, Table, Verdict
from engine.exercises.reader import ExerciseError
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.labels import display_name
from engine.simulation.run import Run

MAKESPAN = "makespan_s"
TITLES = {metric.key: metric.title for metric in METRICS} | {
    LONGEST_WAIT: msg("exercises.reach.longest_wait")
}
UNITS = {metric.key: metric.unit for metric in METRICS} | {LONGEST_WAIT: "s"}


class Outcome(NamedTuple):
    """Of one condition under a setting. subject: such as "Makespan under fair"; value, limit: as texts;
    sentence: all of it.
    """

    holds: bool
    subject: str
    value: str
    limit: str
    sentence: str


def question(exercise: Exercise, simulate: Simulate) -> Question:
    """A field for each that may be changed; the conditions and what they are at present, and the costs."""
    task = _task(exercise)
    outcomes = _outcomes(exercise, present_setting(exercise), simulate)
    wanted = ", ".join(_wanted(*pair) for pair in zip(task.conditions, outcomes, strict=True))
    columns = (msg("exercises.reach.condition"), msg("exercises.reach.limit"), msg("exercises.reach.present"))
    rows = tuple((outcome.subject, outcome.limit, outcome.value) for outcome in outcomes)
    tables = [Table(msg("exercises.reach.conditions"), columns, rows)]
    if task.cost:
        tables.append(_costs(exercise))
    prompt = (
        msg("exercises.reach.prompt_cost", wanted=wanted)
        if task.cost
        else msg("exercises.reach.prompt", wanted=wanted)
    )
    return Question(prompt, tuple(each.field for each in changeables(exercise)), tuple(tables))


def check(exercise: Exercise, answer: Answer, simulate: Simulate) -> Verdict:
    """By the runs of the changed scenario. Where all conditions hold and a cheaper setting does too, it is
    not right yet.
    """
    setting = read_setting(exercise, answer)
    shown = changed(exercise, setting)
    outcomes = _outcomes(exercise, setting, simulate)
    missed = dict.fromkeys(outcome.sentence for outcome in outcomes if not outcome.holds)
    held = tuple(outcome.sentence for outcome in outcomes if outcome.holds)
    if missed:
        return Verdict(False, " ".join(missed), *shown, held)
    if not _task(exercise).cost:
        return Verdict(True, msg("exercises.reach.holds"), *shown, held)
    cost, best = cost_of(exercise, setting), best_setting(exercise, simulate)
    text = quantities.number(cost, exact=True)
    if best is not None and cost_of(exercise, best) < cost:
        return Verdict(False, msg("exercises.reach.cheaper_exists", cost=text), *shown, held)
    return Verdict(True, msg("exercises.reach.holds_at_least_cost", cost=text), *shown, held)


def solve(exercise: Exercise, simulate: Simulate) -> tuple[str, tuple[str, ...]]:
    """The setting that answers it, and its numbers. ExerciseError where none does, or nothing need be
    changed.
    """
    present = present_setting(exercise)
    if all(outcome.holds for outcome in _outcomes(exercise, present, simulate)):
        raise ExerciseError(msg("exercises.reach.holds_already"))
    best = best_setting(exercise, simulate)
    if best is None:
        raise ExerciseError(msg("exercises.reach.holds_never", settings=MAX_SETTINGS))
    moved = "; ".join(
        _moved(each, best[each.path]) for each in changeables(exercise) if best[each.path] != each.present
    )
    steps = tuple(outcome.sentence for outcome in _outcomes(exercise, best, simulate))
    if _task(exercise).cost:
        cost = quantities.number(cost_of(exercise, best), exact=True)
        return msg("exercises.reach.answer_at_cost", moved=moved, cost=cost), steps
    return msg("exercises.reach.answer", moved=moved), steps


def solved(exercise: Exercise, simulate: Simulate) -> tuple[Scenario, tuple[str, ...]]:
    """The scenario and the schedulers with the setting that answers it, of one that `solve` takes."""
    best = best_setting(exercise, simulate)
    assert best is not None
    return changed(exercise, best)


def label(exercise: Exercise, answer: Answer) -> str:
    """The values of what may be changed, in its order."""
    setting = read_setting(exercise, answer)
    return ", ".join(each.text(setting[each.path]) for each in changeables(exercise))


def cost_of(exercise: Exercise, setting: Setting) -> float:
    """What a setting costs: for each number of `cost` so much a unit that it is above its present value."""
    present, total = present_setting(exercise), 0.0
    for cost in _task(exercise).cost:
        value, before = setting[cost.path], present[cost.path]
        assert not isinstance(value, str) and not isinstance(before, str)  # the reader's check
        total += cost.each * max(0.0, value - before)
    return round(total, 9)


@lru_cache(maxsize=64)  # a whole class asks for the same
def best_setting(exercise: Exercise, simulate: Simulate) -> Setting | None:
    """The cheapest setting under which all conditions hold, of equal ones the nearest to the present one;
    None where none is found.
    """
    for setting in _by_cost(exercise):
        try:
            outcomes = _outcomes(exercise, setting, simulate)
        except AnswerError:
            continue  # values that make no sense together
        if all(outcome.holds for outcome in outcomes):
            return setting
    return None


def longest_wait_s(run: Run) -> float:
    """The longest that any container waited, from its request to its start."""
    return int(np.max(run.containers.start - run.containers.requested, initial=0)) / 1000


def _moved(each: Changeable, value: Value) -> str:
    title, unit = each.field.title, each.field.unit
    if not each.field.is_number:
        return msg("exercises.reach.chosen", title=title, value=each.text(value))
    text = quantities.quantity(value, "" if unit and title.endswith(unit) else unit)
    return msg("exercises.reach.moved", title=title, value=text)


def _task(exercise: Exercise) -> Reach:
    assert isinstance(exercise.task, Reach)
    return exercise.task


def _by_cost(exercise: Exercise) -> Iterator[Setting]:
    settings = islice(grid(exercise), MAX_SETTINGS)
    if not _task(exercise).cost:
        return settings
    return iter(sorted(settings, key=lambda setting: cost_of(exercise, setting)))


def _outcomes(exercise: Exercise, setting: Setting, simulate: Simulate) -> list[Outcome]:
    """One a condition. AnswerError where the values make no sense together."""
    scenario, schedulers = changed(exercise, setting)
    conditions = _task(exercise).conditions
    places = dict.fromkeys(condition.scheduler for condition in conditions)
    runs = {place: simulate(scenario, schedulers[place]) for place in places}
    metrics = {place: summary(run) for place, run in runs.items()}
    undone = {place: _more_undone(exercise, place, metrics[place], simulate) for place in places}
    return [
        _outcome(condition, runs[place], metrics[place], undone[place], len(schedulers) > 1)
        for condition in conditions
        for place in (condition.scheduler,)
    ]


def _more_undone(exercise: Exercise, place: int, metrics: dict[str, Any], simulate: Simulate) -> int:
    """How many more jobs a run gave up than that of the unchanged scenario, for nothing is reached by it."""
    undone = undone_jobs(metrics)
    if not undone:
        return 0
    before = summary(simulate(exercise.checked_scenario, exercise.schedulers[place]))
    return max(0, undone - undone_jobs(before))


def _outcome(condition: Condition, run: Run, metrics: dict[str, Any], undone: int, is_named: bool) -> Outcome:
    """In a deadlock no condition but DEADLOCK holds."""
    under = msg("shared.under", scheduler=display_name(run.scheduler)) if is_named else ""
    if condition.metric == DEADLOCK:
        return _deadlock(condition, run, under)
    subject, limit = TITLES[condition.metric] + under, _limit_text(condition)
    if run.status == "deadlock":
        return Outcome(False, subject, quantities.NO_VALUE, limit, _deadlock_sentence(run, under))
    value = longest_wait_s(run) if condition.metric == LONGEST_WAIT else metrics[condition.metric]
    if value is None:
        sentence = msg("exercises.reach.no_value", subject=subject)
        return Outcome(False, subject, quantities.NO_VALUE, limit, sentence)
    text = _amount(condition.metric, value)
    if undone and condition.metric not in UNDONE:
        jobs = quantities.count(undone, run.noun)
        return Outcome(False, subject, text, limit, msg("exercises.reach.undone", subject=subject, jobs=jobs))
    words: dict[str, Any] = {"subject": subject, "limit": limit}
    if _is_within(condition, value):
        return Outcome(True, subject, text, limit, msg("exercises.reach.is_within", value=text, **words))
    if text in limit:  # rounded, it would seem to hold
        text = quantities.number(value, exact=True)
    return Outcome(False, subject, text, limit, msg("exercises.reach.is_beyond", value=text, **words))


def _wanted(condition: Condition, outcome: Outcome) -> str:
    """Within a sentence: "makespan under fair at most 4:00"."""
    text = f"{outcome.subject[:1].lower()}{outcome.subject[1:]}"
    if condition.metric != DEADLOCK:
        return f"{text} {outcome.limit}"
    if condition.at_least is None:
        return msg("exercises.reach.no_deadlock", deadlock=text)
    return msg("exercises.reach.a_deadlock", deadlock=text)


def _deadlock(condition: Condition, run: Run, under: str) -> Outcome:
    is_deadlock = run.status == "deadlock"
    words = {False: msg("exercises.reach.no"), True: msg("exercises.reach.yes")}
    return Outcome(
        _is_within(condition, float(is_deadlock)),
        msg("exercises.reach.deadlock") + under,
        words[is_deadlock],
        words[condition.at_least is not None],
        _deadlock_sentence(run, under),
    )


def _deadlock_sentence(run: Run, under: str) -> str:
    if run.status == "deadlock":
        return msg("exercises.reach.ends_in_deadlock", under=under, because=run.because)
    return msg("exercises.reach.ends_without_deadlock", under=under)


def _is_within(condition: Condition, value: float) -> bool:
    return (condition.at_most is None or value <= condition.at_most) and (
        condition.at_least is None or value >= condition.at_least
    )


def _limit_text(condition: Condition) -> str:
    parts = []
    if condition.at_least is not None:
        parts.append(msg("exercises.reach.at_least", value=_amount(condition.metric, condition.at_least)))
    if condition.at_most is not None:
        parts.append(msg("exercises.reach.at_most", value=_amount(condition.metric, condition.at_most)))
    return msg("exercises.reach.and").join(parts)


def _amount(metric: str, value: float) -> str:
    """A makespan is read off the charts' axis, and so told as a clock."""
    if metric == MAKESPAN:
        return quantities.moment(1000 * value)
    unit = UNITS[metric]
    return quantities.duration(1000 * value, exact=True) if unit == "s" else quantities.amount(value, unit)


def _costs(exercise: Exercise) -> Table:
    by_path = {each.path: each.field for each in changeables(exercise)}
    rows = tuple(
        (
            by_path[cost.path].title,
            quantities.quantity(1, by_path[cost.path].unit),
            quantities.number(cost.each, exact=True),
        )
        for cost in _task(exercise).cost
    )
    columns = (msg("exercises.reach.raised"), msg("exercises.reach.by"), msg("exercises.reach.cost"))
    return Table(msg("exercises.reach.costs"), columns, rows)
