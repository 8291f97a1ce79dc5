"""Exercises that were shared, by the digest of their text: the same exercise has one address."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from engine import GantryError
from engine.dashboard import Exercise, course_exercise, read_exercise
from webapp.classroom.classes import classes
from webapp.messages import msg
from webapp.store.database import database

EXERCISE_ID = re.compile(r"[0-9a-f]{16}")
MAX_EXERCISE_BYTES = 2**20
# as exactly is it known when one was last opened, so that most openings write nothing
ONE_DAY = timedelta(days=1)
READ = 64  # exercises that are not read again: a class's overview needs all of its own at each look
NOT_KEPT = msg("classroom.shared_exercises.not_kept")
NOT_OPENED = msg("classroom.shared_exercises.not_opened")

exercises_table = sql.table(
    "exercises",
    sql.column("id"),
    sql.column("exercise"),
    sql.column("created", sql.DateTime(timezone=True)),
    sql.column("opened", sql.DateTime(timezone=True)),
)
row = exercises_table.c


class TooLongExercise(GantryError):
    """An exercise that is longer than one that is kept."""


def exercise_id(exercise: Exercise) -> str:
    """First 16 hexadecimal digits of sha256 over the exercise's file."""
    return hashlib.sha256(exercise.json().encode()).hexdigest()[:16]


def save_exercise(exercise: Exercise) -> str:
    """Keep an exercise; its id, which is its name in an address. A second time changes nothing.

    Raises TooLongExercise, and StoreError where the database is away.
    """
    text, now = exercise.json(), datetime.now(UTC)
    if len(text.encode()) > MAX_EXERCISE_BYTES:
        raise TooLongExercise(msg("classroom.shared_exercises.too_long", most=MAX_EXERCISE_BYTES // 1024))
    id = exercise_id(exercise)
    try:
        with database().begin(NOT_KEPT) as connection:
            values = {"id": id, "exercise": text, "created": now, "opened": now}
            connection.execute(sql.insert(exercises_table).values(**values))
    except IntegrityError:  # it is there
        find_exercise(id)
    return id


def find_exercise(id: str) -> Exercise | None:
    """The shared exercise with this id, or None. Raises StoreError where the database is away."""
    if not EXERCISE_ID.fullmatch(id):
        return None
    now = datetime.now(UTC)
    with database().begin(NOT_OPENED) as connection:
        found = connection.execute(sql.select(row.exercise, row.opened).where(row.id == id)).one_or_none()
        if found is None:
            return None
        if found.opened.replace(tzinfo=UTC) < now - ONE_DAY:
            connection.execute(sql.update(exercises_table).where(row.id == id).values(opened=now))
    return _read(found.exercise)


@lru_cache(maxsize=READ)
def _read(text: str) -> Exercise:
    return read_exercise(text)


def exercise_of_name(name: str) -> Exercise | None:
    """The exercise that an address names: one of the course, or a shared one by its id; None without one.
    Raises StoreError where the database is away.
    """
    return course_exercise(name) or find_exercise(name)


def expire_exercises(days: int) -> int:
    """Delete the exercises that nobody has opened for so many days, but for those of a class that is not
    over; how many.
    """
    now = datetime.now(UTC)
    is_named = classes.c.exercises.like('%"' + row.id + '"%')
    of_class = sql.select(classes.c.id).where(classes.c.expires > now, is_named).exists()
    is_old = row.opened < now - timedelta(days=days)
    with database().begin(NOT_KEPT) as connection:
        return connection.execute(sql.delete(exercises_table).where(is_old, ~of_class)).rowcount
