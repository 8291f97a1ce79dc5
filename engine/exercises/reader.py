"""Reads an exercise's file, and checks it against its own scenario."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from engine.errors import GantryError
from engine.exercises.model import Exercise
from engine.messages import msg
from engine.schedulers.scheduler import parse


class ExerciseError(GantryError):
    """An exercise that can't be read or asked: what is wrong, and where."""


def read_exercise(text: str | bytes) -> Exercise:
    """An exercise from its JSON text. Raises ExerciseError, and ScenarioError or SchedulerError for what it
    holds.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExerciseError(msg("exercises.reader.no_json", error=error)) from None
    return exercise_of_values(values)


def exercise_of_values(values: Any) -> Exercise:
    """The same from JSON values."""
    try:
        exercise = Exercise.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "$"
        raise ExerciseError(msg("exercises.reader.field", where=where, error=first["msg"])) from None
    _ = exercise.checked_scenario
    for name in exercise.schedulers:
        parse(name)
    return exercise
