"""What may be changed in an exercise: its fields, an answer applied to the scenario and its schedulers, and
the grid of all settings. Whatever `change` does not name is locked.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import NamedTuple

from engine import quantities
from engine.errors import Fault, GantryError, SchedulerError
from engine.exercises.model import Change, Exercise
from engine.exercises.question import Answer, AnswerError, Choice, Field, choice_of, number_of
from engine.experiments.overrides import PARAMETER, apply_overrides, can_have, with_overrides
from engine.experiments.parameters import Tunable, tunables
from engine.experiments.ranges import Range, range_values
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.scenario.name_hints import NameHints
from engine.schedulers.labels import display_name
from engine.schedulers.scheduler import as_scheduler, parse

SCHEDULER = re.compile(r"schedulers\[(\d{1,2})\]")
MAX_VALUES = 1_000  # of a number
MAX_SETTINGS = 300  # in which an answer is looked for

Value = str | float
Setting = dict[str, Value]  # by path, of every path that may be changed


class Changeable(NamedTuple):
    """A path, its present value, and all that it may have, the ones nearest to the present first. distances:
    how many steps each is from the present one; tunable: None of the choice of a scheduler.
    """

    path: str
    present: Value
    values: tuple[Value, ...]
    distances: tuple[int, ...]
    field: Field

    def text(self, value: Value) -> str:
        """A value as people read it."""
        if self.field.is_number:
            return quantities.quantity(value, self.field.unit)
        return next(choice.label for choice in self.field.choices if choice.value == value)


@lru_cache(maxsize=256)
def changeables(exercise: Exercise) -> tuple[Changeable, ...]:
    """One an entry of `change`, which has been checked by `change_faults`."""
    known = _known(exercise)
    return tuple(
        _scheduler(exercise, change, int(match[1]))
        if (match := SCHEDULER.fullmatch(change.path))
        else _tunable(change, _in_words(exercise, known, change.path))
        for change in exercise.change
    )


def change_faults(exercise: Exercise) -> Iterator[Fault]:
    """What is wrong with `change`, by the paths of the file."""
    known, seen, hint = _known(exercise), set[str](), NameHints()
    for place, change in enumerate(exercise.change):
        path, where = change.path, f"change[{place}]"
        if path in seen:
            yield Fault(f"{where}.path", msg("shared.listed_twice", name=path))
        seen.add(path)
        if match := SCHEDULER.fullmatch(path):
            yield from _scheduler_faults(exercise, change, int(match[1]), where)
        elif path not in known:
            wrong = msg("exercises.changes.no_such_number", path=path, hint=hint(path, list(known)))
            yield Fault(f"{where}.path", wrong)
        else:
            yield from _tunable_faults(change, known[path], where)


def present_setting(exercise: Exercise) -> Setting:
    """What the scenario has before anything is changed."""
    return {each.path: each.present for each in changeables(exercise)}


def read_setting(exercise: Exercise, answer: Answer) -> Setting:
    """The setting of an answer, by the paths as keys. AnswerError for what is left out, locked, out of range,
    or no value of the grid.
    """
    by_path = {each.path: each for each in changeables(exercise)}
    for key in answer:
        if key not in by_path:
            raise AnswerError(msg("exercises.changes.locked", path=key))
    return {path: _value(each, answer) for path, each in by_path.items()}


def changed(exercise: Exercise, setting: Setting) -> tuple[Scenario, tuple[str, ...]]:
    """The scenario and the schedulers with a setting. AnswerError where its values make no sense together. A
    parameter that a chosen scheduler does not have has no effect.
    """
    present = present_setting(exercise)
    moved = {path: value for path, value in setting.items() if value != present[path]}
    try:
        schedulers = _chosen(exercise, moved)
        return with_overrides(
            exercise.scenario,
            schedulers,
            [(path, value) for path, value in moved.items() if _has_effect(path, schedulers)],
        )
    except GantryError as error:
        raise AnswerError(str(error).partition("\n")[0]) from None


def simulated_name(text: str) -> str:
    """A scheduler's canonical name. SchedulerError for one that does not exist, or is not simulated."""
    scheduler = parse(text)
    if scheduler.is_measured:
        raise SchedulerError(msg("exercises.changes.measured"))
    return scheduler.name


def grid_size(exercise: Exercise) -> int:
    """How many settings there are."""
    return prod(len(each.values) for each in changeables(exercise))


def grid(exercise: Exercise) -> Iterator[Setting]:
    """Every setting once, by the number of steps that it is from the present one; the present one first."""
    numbers = changeables(exercise)
    if not numbers:
        yield {}
        return
    start = (0,) * len(numbers)
    ahead, seen = [(0, start)], {start}
    while ahead:
        _, ranks = heapq.heappop(ahead)
        yield {each.path: each.values[rank] for each, rank in zip(numbers, ranks, strict=True)}
        for place, each in enumerate(numbers):
            beside = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
            if ranks[place] + 1 < len(each.values) and beside not in seen:
                seen.add(beside)
                steps = (one.distances[rank] for one, rank in zip(numbers, beside, strict=True))
                heapq.heappush(ahead, (sum(steps), beside))


def largest(exercise: Exercise) -> dict:
    """The JSON values of the scenario with every number at its largest, unchecked."""
    numbers = [each for each in changeables(exercise) if each.field.is_number and _is_of_scenario(each.path)]
    highest = [(each.path, max(each.values, key=_size)) for each in numbers]
    return apply_overrides(exercise.scenario, exercise.schedulers, highest)[0]


def _size(value: Value) -> float:
    assert not isinstance(value, str)
    return value


def _is_of_scenario(path: str) -> bool:
    return not PARAMETER.fullmatch(path)


def _known(exercise: Exercise) -> Mapping[str, Tunable]:
    return {each.path: each for each in tunables(exercise.checked_scenario, exercise.schedulers)}


def _scheduler(exercise: Exercise, change: Change, index: int) -> Changeable:
    present = parse(exercise.schedulers[index]).name
    names = tuple(dict.fromkeys((present, *(parse(name).name for name in change.choices))))
    shown = tuple(dict.fromkeys(parse(name).name for name in change.choices))
    title = (
        msg("exercises.changes.scheduler")
        if len(exercise.schedulers) == 1
        else msg("exercises.changes.scheduler_numbered", number=index + 1)
    )
    choices = tuple(Choice(name, display_name(name)) for name in shown)
    field = Field(change.path, title, choices, value=present)
    return Changeable(change.path, present, names, (0, *(1,) * (len(names) - 1)), field)


def _in_words(exercise: Exercise, known: Mapping[str, Tunable], path: str) -> Tunable:
    """A parameter that one scheduler alone has, titled without this one's full name."""
    found, match = known[path], PARAMETER.fullmatch(path)
    if not match or match[1] == "*" or f"schedulers[*].{match[2]}.{match[3]}" in known:
        return found
    phrase = found.title.rpartition(": ")[2]
    if match[2] not in exercise.schedulers[int(match[1])]:
        return replace(found, title=f"{phrase[:1].upper()}{phrase[1:]}")  # it says whose it is
    return replace(found, title=msg("exercises.changes.parameter", policy=match[2], parameter=phrase))


def _tunable(change: Change, known: Tunable) -> Changeable:
    present = known.value
    assert present is not None  # change_faults
    if change.choices:
        values: tuple[Value, ...] = tuple(dict.fromkeys((present, *change.choices)))
        choices = tuple(Choice(word, word) for word in change.choices)
        field = Field(change.path, known.title, choices, value=present, help=known.help)
        return Changeable(change.path, present, values, (0, *(1,) * (len(values) - 1)), field)
    assert not isinstance(present, str)
    span = _span(change, known)
    step_count = lambda value: round(abs(value - present) / span.step)
    values_found = [value if step_count(value) else present for value in range_values(span)]
    numbers = sorted(values_found, key=lambda value: (step_count(value), value))
    field = Field(
        change.path,
        known.title,
        unit=known.unit,
        low=span.first,
        high=span.last,
        step=span.step,
        value=present,
        help=known.help,
    )
    return Changeable(change.path, present, tuple(numbers), tuple(map(step_count, numbers)), field)


def _span(change: Change, known: Tunable) -> Range:
    given = (change.low, change.high, change.step)
    first, last, step = (
        own if value is None else value for value, own in zip(given, known.range, strict=True)
    )
    return Range(*(int(value) if value == round(value) else value for value in (first, last, step)))


def _scheduler_faults(exercise: Exercise, change: Change, index: int, where: str) -> Iterator[Fault]:
    if index >= len(exercise.schedulers):
        listed = len(exercise.schedulers)
        yield Fault(f"{where}.path", msg("exercises.changes.no_such_scheduler", listed=listed))
        return
    yield from _no_numbers(change, where)
    names: list[str] = []
    for place, name in enumerate(change.choices):
        try:
            names.append(simulated_name(name))
        except SchedulerError as error:
            yield Fault(f"{where}.choices[{place}]", str(error))
    if len(names) == len(change.choices):
        yield from _choice_faults(names, simulated_name(exercise.schedulers[index]), where)


def _choice_faults(choices: list[str], present: str, where: str) -> Iterator[Fault]:
    if len(set(choices)) < 2:
        yield Fault(f"{where}.choices", msg("exercises.changes.two_choices"))
    elif present not in choices:
        yield Fault(f"{where}.choices", msg("exercises.changes.present_missing", present=present))


def _tunable_faults(change: Change, known: Tunable, where: str) -> Iterator[Fault]:
    present = known.value
    if present is None:
        wrong = msg("exercises.changes.no_present", title=known.title, without=known.without)
        yield Fault(f"{where}.path", wrong)
    elif isinstance(present, str):
        yield from _no_numbers(change, where)
        for place, word in enumerate(change.choices):
            if word not in known.choices:
                words = " or ".join(known.choices)
                yield Fault(f"{where}.choices[{place}]", msg("exercises.changes.no_word", words=words))
        yield from _choice_faults(change.choices, present, where)
    elif change.choices:
        yield Fault(f"{where}.choices", msg("exercises.changes.is_number", title=known.title))
    else:
        yield from _range_faults(_span(change, known), known, where)


def _no_numbers(change: Change, where: str) -> Iterator[Fault]:
    for key in ("low", "high", "step"):
        if getattr(change, key) is not None:
            yield Fault(f"{where}.{key}", msg("exercises.changes.is_choice"))


def _range_faults(span: Range, known: Tunable, where: str) -> Iterator[Fault]:
    present, given = known.value, {"low": span.first, "high": span.last, "step": span.step}
    assert present is not None and not isinstance(present, str)
    fraction = next((key for key, value in given.items() if known.whole and value != round(value)), None)
    if fraction:
        wrong = msg("scenario.validation.must_be_whole_number", value_text=given[fraction])
        yield Fault(f"{where}.{fraction}", wrong)
    elif span.step <= 0:
        yield Fault(f"{where}.step", msg("scenario.validation.must_be_more_than", value_text=span.step, gt=0))
    elif span.first < known.low or span.last > known.high:
        key = "low" if span.first < known.low else "high"
        low, high = _limit(known.low), _limit(known.high)
        yield Fault(f"{where}.{key}", msg("exercises.changes.not_legal", low=low, high=high))
    elif span.last <= span.first:
        ends = {"low": _limit(span.first), "present": _limit(present)}
        yield Fault(f"{where}.high", msg("exercises.changes.high_above_low", **ends))
    elif (span.last - span.first) / span.step >= MAX_VALUES:
        yield Fault(f"{where}.step", msg("exercises.changes.too_fine", most=MAX_VALUES))
    elif not span.first <= present <= span.last or not _is_step(present, span):
        words = {"present": present, "low": span.first, "high": span.last, "step": span.step}
        exact = {key: quantities.number(value, exact=True) for key, value in words.items()}
        yield Fault(where, msg("exercises.changes.present_off_grid", **exact))


def _limit(value: float) -> str:
    return quantities.number(value, exact=True)


def _is_step(value: float, span: Range) -> bool:
    steps = (value - span.first) / span.step
    return abs(steps - round(steps)) < 1e-6


def _value(each: Changeable, answer: Answer) -> Value:
    """A value of the grid, from an answer's number or word."""
    if not each.field.is_number:
        return choice_of(answer, each.field)
    value, step = number_of(answer, each.field), each.field.step
    nearest = min(each.values, key=lambda known: abs(_size(known) - value))
    assert step is not None
    if abs(_size(nearest) - value) > 1e-6 * step:
        numbers = {"low": each.field.low, "high": each.field.high, "step": step}
        texts = {key: each.text(number) for key, number in numbers.items() if number is not None}
        raise AnswerError(msg("exercises.changes.off_grid", title=each.field.title, **texts))
    return nearest


def _chosen(exercise: Exercise, moved: Setting) -> list[str]:
    return [str(moved.get(f"schedulers[{index}]", name)) for index, name in enumerate(exercise.schedulers)]


def _has_effect(path: str, schedulers: list[str]) -> bool:
    if SCHEDULER.fullmatch(path):
        return False  # chosen before the others
    if not (match := PARAMETER.fullmatch(path)):
        return True
    target, policy, parameter = match.groups()
    asked = schedulers if target == "*" else [schedulers[int(target)]]
    return any(can_have(as_scheduler(name), policy, parameter) for name in asked)
