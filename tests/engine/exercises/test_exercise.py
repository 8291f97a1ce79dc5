"""Of every kind: whatever is read is asked and judged, or refused with a sentence."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine.errors import GantryError
from engine.exercises.exercise import check, check_exercise, histogram_label, question, solution
from engine.exercises.question import AnswerError, Field, Question
from engine.exercises.reader import ExerciseError, read_exercise
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    MAKESPAN,
    NODES,
    SLOWSTART,
    STUCK,
    exercise,
    makespan,
    reach,
    values,
)
from tests.examples import examples
from tests.fuzz import hostile

FAIR = {"schedulers": ["fair"]}
CONTAINER = {"container": "small/1/map/1"}
EXERCISES = (
    values(FIRST),
    values(MAKESPAN),
    values({"kind": "predict", "ask": "next"} | CONTAINER),
    values({"kind": "predict", "ask": "place"} | CONTAINER),
    values(reach(makespan(45), nodes=1), change=[NODES]),
    values(reach({"metric": "deadlock", "at_most": 0}), jobs=[*STUCK, LARGE], change=[NODES, SLOWSTART]),
    values({"kind": "explain"} | CONTAINER, **FAIR),
    values({"kind": "compute", "quantity": "fair share", "job": "large", "at_s": 5}, **FAIR),
    values({"kind": "compute", "quantity": "dominant share", "job": "large", "at_s": 5}, schedulers=["drf"]),
)


@examples(60, 1000)
@given(hostile.rng())
def test_whatever_is_read_is_written_asked_and_judged_or_refused(rng: Random) -> None:
    try:
        read = read_exercise(hostile.body(EXERCISES, rng, 2))
        assert read_exercise(read.json()) == read
        check_exercise(read)
    except GantryError as error:
        assert str(error)
        return
    answer = given_answer(question(read), rng)
    try:
        assert check(read, answer).sentence and histogram_label(read, answer)
    except AnswerError as error:
        assert str(error)


def given_answer(asked: Question, rng: Random) -> dict[str, Any]:
    """To every field something that it may have, or now and then anything."""
    return {
        field.key: hostile.value(rng) if rng.random() < 0.1 else value(field, rng) for field in asked.fields
    }


def value(field: Field, rng: Random) -> Any:
    if field.choices:
        return rng.choice(field.choices).value
    return rng.choice(
        [number for number in (field.low, field.high, field.value, 3, "4.5") if number is not None]
    )


def test_what_an_author_checks_is_the_solution() -> None:
    asked = exercise(FIRST)
    assert check_exercise(asked) == solution(asked)


def test_runs_are_those_that_are_handed_in() -> None:
    """The page's come from its cache."""
    asked, seen = exercise(reach(makespan(45)), change=[NODES]), []

    def simulate(scenario: Any, scheduler: str) -> Any:
        seen.append((scenario.cluster.nodes[0].count, scheduler))
        raise ExerciseError("not run")

    for ask in (question, solution):
        with pytest.raises(ExerciseError):
            ask(asked, simulate)
    assert seen == [(2, "fifo"), (2, "fifo")]
