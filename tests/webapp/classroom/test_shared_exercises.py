"""Exercises that were shared, in real databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sql

from engine.dashboard import course, exercise_of_values
from tests.phrases import phrase
from webapp.classroom import shared_exercises as module
from webapp.classroom.classes import create_class, delete_class
from webapp.classroom.shared_exercises import (
    TooLongExercise,
    exercise_id,
    exercise_of_name,
    expire_exercises,
    find_exercise,
    save_exercise,
)
from webapp.store.database import StoreError, database

NAME, EXERCISE = next(iter(course()[0].exercises.items()))
OTHER = exercise_of_values(EXERCISE.model_dump() | {"title": "Ünï <b>code</b>"})


def opened(id: str) -> datetime:
    with database().begin("away") as connection:
        found = sql.select(module.row.opened).where(module.row.id == id)
        return connection.execute(found).scalar_one().replace(tzinfo=UTC)


def grow_old(id: str, days: int) -> None:
    """Nobody has opened it for so many days."""
    old = datetime.now(UTC) - timedelta(days=days)
    with database().begin("away") as connection:
        connection.execute(sql.update(module.exercises_table).where(module.row.id == id).values(opened=old))


def test_an_exercise_comes_back_as_it_was(url: str) -> None:
    id = save_exercise(OTHER)
    assert find_exercise(id) == exercise_of_name(id) == OTHER
    assert id == exercise_id(OTHER) == save_exercise(OTHER) != save_exercise(EXERCISE)


def test_a_name_of_the_course_needs_no_database(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
    database.cache_clear()
    assert exercise_of_name(NAME) == EXERCISE
    for asked in (lambda: exercise_of_name("0" * 16), lambda: save_exercise(EXERCISE)):
        with pytest.raises(StoreError, match=phrase("classroom.database_away")):
            asked()


@pytest.mark.parametrize("wrong", ["", "no-such", "0" * 16, "0" * 15, "../" * 5, "A" * 16])
def test_no_other_name_is_one(data: object, wrong: str) -> None:
    assert exercise_of_name(wrong) is None


def test_it_stays_as_long_as_it_is_opened(url: str) -> None:
    used, unused = save_exercise(OTHER), save_exercise(EXERCISE)
    for id in (used, unused):
        grow_old(id, 50)
    assert find_exercise(used) and opened(used) > datetime.now(UTC) - timedelta(minutes=5)
    assert [expire_exercises(30), expire_exercises(30)] == [1, 0]
    assert find_exercise(unused) is None and find_exercise(used)


def test_it_stays_as_long_as_a_class_has_it(url: str) -> None:
    used, unused = save_exercise(OTHER), save_exercise(EXERCISE)
    for id in (used, unused):
        grow_old(id, 50)
    _, secret = create_class("", [NAME, used], 30, "teacher")
    assert expire_exercises(30) == 1 and find_exercise(unused) is None
    delete_class(secret)
    assert expire_exercises(30) == 1


def test_one_is_read_once_and_gone_once_it_is_deleted(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    id = save_exercise(OTHER)
    first = find_exercise(id)
    monkeypatch.setattr(module, "read_exercise", None)
    assert first == OTHER and find_exercise(id) is first
    grow_old(id, 50)
    assert expire_exercises(30) == 1 and find_exercise(id) is None


def test_one_that_is_shared_again_is_as_new(url: str) -> None:
    id = save_exercise(OTHER)
    grow_old(id, 50)
    assert save_exercise(OTHER) == id and expire_exercises(30) == 0


def test_a_long_one_is_refused(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EXERCISE_BYTES", 100)
    with pytest.raises(TooLongExercise):
        save_exercise(EXERCISE)
