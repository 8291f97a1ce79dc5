"""The exercises of the course by their kind, with answers that the engine's own check takes or refuses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from engine import simulate
from engine.dashboard import Exercise, check, course, question
from engine.exercises import compute
from engine.exercises.model import Compute, Predict, Reach
from engine.exercises.reach import best_setting

Answer = dict[str, Any]


def kind_of(exercise: Exercise) -> str:
    """As the page tells them apart."""
    task = exercise.task
    return task.ask if isinstance(task, Predict) else task.kind


def by_kind() -> dict[str, str]:
    """The name of the first exercise of each kind that the course has."""
    names: dict[str, str] = {}
    for lesson in course():
        for name, exercise in lesson.exercises.items():
            names.setdefault(kind_of(exercise), name)
    return names


def right_answer(exercise: Exercise) -> Answer:
    """One that its check takes."""
    return next(answer for answer in _answers(exercise) if check(exercise, answer).correct)


def wrong_answer(exercise: Exercise) -> Answer:
    """One that it does not."""
    return next(answer for answer in _answers(exercise) if not check(exercise, answer).correct)


def _answers(exercise: Exercise) -> Iterator[Answer]:
    """Every choice; of a number the right one and one far from it; of settings the present and the best."""
    task, fields = exercise.task, question(exercise).fields
    if isinstance(task, Reach):
        best = best_setting(exercise, simulate)
        assert best is not None
        yield {field.key: field.value for field in fields}
        yield dict(best)
    elif isinstance(task, Compute):
        value = compute._worked(exercise, simulate).value
        yield from ({field.key: number} for field in fields for number in (3 * value + 1, value))
    elif isinstance(task, Predict) and task.ask == "makespan":
        run = simulate(exercise.checked_scenario, exercise.schedulers[task.scheduler])
        seconds = (run.until_ms - run.first_ms) / 1000
        yield from ({field.key: number} for field in fields for number in (3 * seconds, seconds))
    else:
        for values in itertools.product(*([choice.value for choice in field.choices] for field in fields)):
            yield dict(zip((field.key for field in fields), values, strict=True))
