"""A class's first answers to an exercise as bars: how many gave each, and on demand which is right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Any, NamedTuple

from dash import html

from engine import quantities
from engine.dashboard import Exercise, check, histogram_label, question, solution
from webapp.classroom.classes import Overview, State
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.exercises.bounded_runs import answer_bound, bounded_run
from webapp.panels.papers.pieces import sign

MAX_BARS = 8  # of numbers, which are put together
DECIMALS = 3  # of a number that is counted: milliseconds
MOST = 1e9  # numbers beyond are put together, as are those this many times the middle half's width from it:
FENCES = 3
SAMPLES = 8  # of a bar of estimates, which are checked
MAX_LABELS = 8  # of answers that are no numbers; the rarer ones are put together
STEPS = (1, 2, 5, 10)  # of ten's powers: how wide such a bar may be


class Bar(NamedTuple):
    """So many gave this answer first. correct: it is right, or some of what it counts is."""

    label: str
    students: int
    correct: bool


def firsts(states: Overview, name: str) -> list[State]:
    """Of each student who has answered this exercise how far they are."""
    by_student = (states.states.get(student.number, {}).get(name) for student in states.students)
    return [state for state in by_student if state is not None and state.tries]


def bars(exercise: Exercise, answered: Sequence[State], is_revealed: bool = False) -> list[Bar]:
    """The answers of students who gave one: numbers in bars of one width, choices in the question's order,
    others by how many gave them; of these, once it is revealed, right ones apart from wrong ones.
    """
    fields = question(exercise, bounded_run).fields
    if len(fields) != 1:
        return _by_label(answered, is_revealed)
    key = fields[0].key
    if fields[0].is_number:
        return _binned(exercise, key, fields[0].unit, answered)
    return _choices(exercise, key, [choice.value for choice in fields[0].choices], answered)


def _choices(exercise: Exercise, key: str, values: Sequence[str], answered: Sequence[State]) -> list[Bar]:
    """All that could be chosen, also what nobody chose; checked by the runs."""
    counted, result = Counter(state.first_label for state in answered), []
    for value in values:
        label = histogram_label(exercise, {key: value})
        is_correct = check(exercise, {key: value}, bounded_run).correct
        result.append(Bar(label, counted.pop(label, 0), is_correct))
    return result + [Bar(label, count, False) for label, count in sorted(counted.items())]


def _by_label(answered: Sequence[State], is_revealed: bool) -> list[Bar]:
    """A label says not all of an answer: right and wrong ones may have the same."""
    counted = Counter((state.first_label, is_revealed and state.solved_at_try == 1) for state in answered)
    ordered = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    result = []
    for (label, is_right), count in ordered:
        is_partly = not is_right and (label, True) in counted
        shown = msg("panels.first_answers.partly", label=label) if is_partly else label
        result.append(Bar(shown, count, is_right))
    rest = result[MAX_LABELS:]
    parts = ([bar for bar in rest if bar.correct == is_right] for is_right in (True, False))
    return result[:MAX_LABELS] + [_others(part) for part in parts if part]


def _others(rest: Sequence[Bar]) -> Bar:
    """Rare answers in one bar."""
    label = msg("panels.first_answers.others", count=len(rest)) if len(rest) > 1 else rest[0].label
    return Bar(label, sum(bar.students for bar in rest), rest[0].correct)


def _binned(exercise: Exercise, key: str, unit: str, answered: Sequence[State]) -> list[Bar]:
    given = [(_number(state.first_answer, key), state.solved_at_try == 1) for state in answered]
    numbers = [(number, is_right) for number, is_right in given if number is not None]
    low, high = fences([number for number, _ in numbers])
    far = [(number, is_right) for number, is_right in numbers if not low <= number <= high]
    near = [one for one in numbers if low <= one[0] <= high]
    result = _binned_near(exercise, key, unit, near)
    if far:
        others = msg("panels.first_answers.others", count=len({number for number, _ in far}))
        result.append(Bar(others, len(far), any(is_right for _, is_right in far)))
    return result


def fences(numbers: Sequence[float]) -> tuple[float, float]:
    """The least and the largest number that have bars of their own: by the quarters' bounds, so that one who
    answers 1e300 leaves the others theirs (Tukey's outer fences).
    """
    if len(set(numbers)) <= MAX_BARS:
        return -MOST, MOST
    first, _, third = quantiles(numbers, n=4)
    reach = FENCES * (third - first) or MOST
    return max(-MOST, first - reach), min(MOST, third + reach)


def _binned_near(exercise: Exercise, key: str, unit: str, numbers: Sequence[tuple[float, bool]]) -> list[Bar]:
    counted = Counter(number for number, _ in numbers)
    if len(counted) <= MAX_BARS:
        right = {number for number, is_right in numbers if is_right}
        return [
            Bar(_amount(unit, number), count, number in right) for number, count in sorted(counted.items())
        ]
    low, step = bin_edges(list(counted))
    places = [(math.floor((number - low) / step), is_right) for number, is_right in numbers]
    result = []
    for place in range(max(place for place, _ in places) + 1):
        first, last = (_amount(unit, low + edge * step) for edge in (place, place + 1))
        within = [is_right for one, is_right in places if one == place]
        is_right = any(within) or _holds_right(exercise, key, low + place * step, step)
        result.append(Bar(f"{first.removesuffix(f' {unit}')}–{last}", len(within), is_right))
    return result


def _holds_right(exercise: Exercise, key: str, low: float, step: float) -> bool:
    """Is an estimate between these right, whether somebody gave it or not?"""
    if exercise.task.kind != "predict":
        return False
    samples = (low + step * part / SAMPLES for part in range(SAMPLES))
    return any(check(exercise, {key: number}, bounded_run).correct for number in samples)


def _amount(unit: str, number: float) -> str:
    """A number in its unit."""
    if unit == "s":
        return quantities.moment(round(1000 * number))
    return f"{quantities.number(number)} {unit}".rstrip()


def bin_edges(numbers: Sequence[float]) -> tuple[float, float]:
    """Where the first bar of numbers, not all equal, begins, and how wide all are: 1, 2 or 5 times a power of
    ten, at most MAX_BARS of them up to the largest number.
    """
    low, high = min(numbers), max(numbers)
    power = 10.0 ** math.floor(math.log10(max((high - low) / MAX_BARS, 10**-DECIMALS)))
    widths = (factor * power for power in (power, 10 * power) for factor in STEPS)
    step = next(width for width in widths if math.floor(high / width) - math.floor(low / width) < MAX_BARS)
    return math.floor(low / step) * step, step


def _number(answer: Mapping[str, Any], key: str) -> float | None:
    try:
        number = float(answer.get(key, ""))
    except (TypeError, ValueError, OverflowError):
        return None
    return round(number, DECIMALS) + 0.0 if math.isfinite(number) else None  # no -0


def layout(states: Overview, name: str, exercise: Exercise, is_revealed: bool) -> list:
    """For the projector: the question, what most thought, the bars; the right answer where it is revealed.
    Raises GantryError where the runs take too long.
    """
    answered = firsts(states, name)
    with answer_bound():
        prompt, found = question(exercise, bounded_run).prompt, bars(exercise, answered, is_revealed)
        most = most_text(bars(exercise, answered))
        answer = solution(exercise, bounded_run).answer if is_revealed else ""
    count = msg("panels.first_answers.answered", count=len(answered), students=len(states.students))
    return [
        html.P(prompt, className="first-answers-prompt"),
        html.P(most or msg("panels.first_answers.nobody"), className="first-answers-most"),
        html.Ul([_bar(one, found, is_revealed) for one in found], className="first-answers-bars"),
        html.P(answer, className="first-answers-right"),
        html.P(count, className="quiet"),
    ]


def most_text(found: Sequence[Bar]) -> str:
    """ "28 of 40 thought Fair"; both of two that as many gave, none of more; "" where nobody answered."""
    total, count = sum(bar.students for bar in found), max((bar.students for bar in found), default=0)
    if not count:
        return ""
    most = [bar.label for bar in found if bar.students == count]
    if len(most) > 2:
        return msg("panels.first_answers.no_most")
    said = msg("panels.first_answers.most", count=count, total=total, label=most[0])
    return msg("panels.first_answers.as_many", said=said, label=most[1]) if most[1:] else said


def _bar(bar: Bar, found: Sequence[Bar], is_revealed: bool) -> html.Li:
    is_right = is_revealed and bar.correct
    width = 100 * bar.students / max(1, *(one.students for one in found))
    filled = html.Span(className="first-answers-fill", style={"width": f"{width:.3g}%"})
    mark = html.Span([sign("✓ ", ""), msg("panels.first_answers.right")] if is_right else "")
    return html.Li(
        [
            html.Span(bar.label, className="first-answers-label"),
            html.Span(filled, className="first-answers-bar", **attributes({"aria-hidden": "true"})),
            html.Span(f"{bar.students:,}", className="first-answers-count"),
            html.Span(mark, className="first-answers-mark"),
        ],
        className="right" if is_right else "",
    )
