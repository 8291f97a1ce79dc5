"""First answers as bars: what is counted where, and what is right only once it is asked for."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from engine.dashboard import Exercise, question
from tests.engine.exercises import small_exercises
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp.classroom.classes import Class, Overview, State, Student
from webapp.panels.exercises import first_answers
from webapp.panels.exercises.first_answers import MAX_BARS, Bar, bars, bin_edges, most_text
from webapp.runs.cache import SharedCache

AT = datetime(2026, 11, 28, tzinfo=UTC)
NAME, FIRST = "first", small_exercises.exercise(small_exercises.FIRST)


def state(label: str, answer: dict, solved_at_try: int | None = None, tries: int = 1) -> State:
    return State(tries, 0, solved_at_try, label, answer, label, AT)


def makespan() -> Exercise:
    return small_exercises.exercise(small_exercises.MAKESPAN)


def seen(*states: State) -> Overview:
    students = tuple(Student(number, "") for number in range(1, len(states) + 2))
    of = Class("0" * 16, "", (NAME,), AT, AT)
    return Overview(of, students, {number: {NAME: one} for number, one in enumerate(states, 1)})


def test_all_choices_have_a_bar_in_the_question_s_order(cache: SharedCache) -> None:
    choices = question(FIRST).fields[0].choices
    wrong = [state(choices[1].label, {"job": choices[1].value})] * 3
    assert bars(FIRST, wrong) == [Bar(choices[0].label, 0, True), Bar(choices[1].label, 3, False)]
    assert most_text(bars(FIRST, wrong)) == phrase("classroom.thought", 3, 3, choices[1].label)
    assert most_text(bars(FIRST, [])) == ""


def test_few_numbers_have_a_bar_each(cache: SharedCache) -> None:
    exercise = makespan()
    (field,) = question(exercise).fields
    given = [state("", {field.key: number}, 1 if number == 80 else None) for number in (90, 80, 90, 80.0)]
    assert [(bar.students, bar.correct) for bar in bars(exercise, given)] == [(2, True), (2, False)]
    odd = [state("", answer) for answer in ({}, {field.key: "no"}, {field.key: float("nan")})]
    assert bars(exercise, odd) == []


def test_many_numbers_are_put_together(cache: SharedCache) -> None:
    exercise = makespan()
    (field,) = question(exercise).fields
    given = [state("", {field.key: number}, 1 if number == 81 else None) for number in range(60, 100)]
    found = bars(exercise, given)
    assert sum(bar.students for bar in found) == 40 and len(found) <= MAX_BARS + 1
    right = [bar.label for bar in found if bar.correct]
    assert 1 <= len(right) < len(found)
    assert found[0].label == "1:00–1:05"


def test_rare_ones_are_put_together(cache: SharedCache) -> None:
    given = [state(f"a{number:02d}", {}, 1 if number == 11 else None) for number in range(12)]
    several = small_exercises.exercise(
        small_exercises.reach(small_exercises.makespan(60)),
        change=[small_exercises.NODES, small_exercises.SLOWSTART],
    )
    assert bars(several, given)[8:] == [Bar("4 other answers", 4, False)]
    assert bars(several, given, True)[8:] == [Bar("a11", 1, True), Bar("3 other answers", 3, False)]


def test_right_and_wrong_ones_of_one_label_are_apart_once_it_is_revealed(cache: SharedCache) -> None:
    several = small_exercises.exercise(
        small_exercises.reach(small_exercises.makespan(60)),
        change=[small_exercises.NODES, small_exercises.SLOWSTART],
    )
    given = [state("A", {}, 1), state("A", {}), state("A", {}), state("B", {})]
    assert bars(several, given) == [Bar("A", 3, False), Bar("B", 1, False)]
    assert bars(several, given, True) == [
        Bar(phrase("classroom.partly", "A"), 2, False),
        Bar("A", 1, True),
        Bar("B", 1, False),
    ]


def test_of_a_tie_both_are_named_or_none() -> None:
    one, two, three = (Bar(label, 2, False) for label in "ABC")
    assert most_text([one, two]) == phrase("classroom.thought_and_as_many", 2, 4, "A", "B")
    assert most_text([one, two, three]) == phrase("classroom.no_most")


def test_an_absurd_number_leaves_the_others_their_bars(cache: SharedCache) -> None:
    exercise = makespan()
    (field,) = question(exercise).fields
    few = [state("", {field.key: number}) for number in (1e300, 80, 1e-320)]
    assert [bar.students for bar in bars(exercise, few)] == [1, 1, 1]
    many = [state("", {field.key: number}) for number in (*range(60, 100), 5e-324, -0.0, 1e300, -1e300)]
    found = bars(exercise, many)
    assert found[-1] == Bar("2 other answers", 2, False) and sum(bar.students for bar in found) == len(many)
    assert len(found) <= MAX_BARS + 2 and max(bar.students for bar in found) < 30


@given(st.lists(st.floats(-1e308, 1e308), max_size=60))
def test_any_numbers_are_counted_once(numbers: list[float]) -> None:
    given = [state("", {"n": number}) for number in numbers]
    found = first_answers._binned(FIRST, "n", "s", given)
    assert sum(bar.students for bar in found) == len(numbers)


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=60, unique=True))
def test_bars_hold_all_numbers(numbers: list[float]) -> None:
    low, step = bin_edges(numbers)
    places = [math.floor((number - low) / step) for number in numbers]
    assert min(places) >= 0 and max(places) <= MAX_BARS


def test_the_right_one_is_marked_once_it_is_asked_for(cache: SharedCache) -> None:
    choices = question(FIRST).fields[0].choices
    given = seen(*[state(choices[1].label, {"job": choices[1].value})] * 3)
    before, after = (first_answers.layout(given, NAME, FIRST, revealed) for revealed in (False, True))
    assert "✓" not in as_json(before) and "right" not in words(before)
    assert "✓" in as_json(after) and f"{choices[0].label} finishes first" in words(after)
    assert phrase("classroom.have_answered", 3, 4) in words(before)


def test_what_nobody_answered_says_so(cache: SharedCache) -> None:
    opened = state("", {}, tries=0)
    assert phrase("classroom.nobody") in words(first_answers.layout(seen(opened), NAME, FIRST, False))
