"""The course: lessons of exercises, a file an exercise, run when asked and never stored with answers."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.exercises.model import Exercise
from engine.exercises.reader import read_exercise

FOLDER = Path(__file__).parent / "course"


class Lesson(NamedTuple):
    """A title, what it is about, and its exercises by name, in their order."""

    title: str
    about: str
    exercises: dict[str, Exercise]


@cache
def course() -> tuple[Lesson, ...]:
    """The lessons of course.toml, in order."""
    lessons = tomllib.loads((FOLDER / "course.toml").read_text("utf-8"))["lessons"]
    return tuple(
        Lesson(lesson["title"], lesson["about"], {name: _exercise(name) for name in lesson["exercises"]})
        for lesson in lessons
    )


def course_exercise(name: str) -> Exercise | None:
    """The exercise of this name, or None."""
    return next((lesson.exercises[name] for lesson in course() if name in lesson.exercises), None)


def _exercise(name: str) -> Exercise:
    return read_exercise((FOLDER / f"{name}.json").read_bytes())
