"""Shared exercises and classes from one real database to another, without the command that asks for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql

from engine.dashboard import course
from webapp.classroom import classes as module
from webapp.classroom.classes import (
    all_classes,
    create_class,
    delete_class,
    expire_classes,
    join,
    overview,
    record,
    visit,
)
from webapp.classroom.shared_exercises import save_exercise
from webapp.store.database import Database, StoreError, database
from webapp.store.kept_records import DELETED, AddResult, Record, RecordStore, record_stores, tables

NAMES = ("first-to-finish", "0123456789abcdef")


@pytest.fixture
def made(url: str) -> tuple[str, str]:
    """A class with two students, one of whom has answered, and its secret."""
    id, secret = create_class("Ünï class", NAMES, 30, "teacher")
    join(id, "ann", "Ann")
    visit(id, "bob", NAMES[1], shown=True)
    record(id, "ann", NAMES[0], {"job": "a"}, "a", False)
    record(id, "ann", NAMES[0], {"job": "b"}, "b", True)
    return id, secret


@pytest.fixture
def other(tmp_path: Path) -> Database:
    """An empty SQLite file."""
    return Database(f"sqlite:///{tmp_path}/other.sqlite")


def copy(source: Database, target: Database) -> list[AddResult]:
    """What became of each table's records."""
    there = record_stores(target)
    return [there[name].add(list(of.iterate())) for name, of in record_stores(source).items()]


def test_a_class_comes_with_its_students_and_answers(made: tuple[str, str], other: Database) -> None:
    save_exercise(next(iter(course()[0].exercises.values())))
    assert copy(database(), other) == [AddResult(0, 0), AddResult(1, 0), AddResult(1, 0)]
    assert copy(database(), other) == [AddResult(0, 0), AddResult(0, 1), AddResult(0, 1)]
    here, there = (list(RecordStore(of, "classes").iterate()) for of in (database(), other))
    assert here == there and [table for table, _ in here[0].parts] == ["students"] * 2 + ["answers"] * 2
    assert here[0].row["expires"].tzinfo is UTC


def test_it_is_added_whole_or_not_at_all(made: tuple[str, str], other: Database) -> None:
    store = RecordStore(other, "classes")
    (of,) = RecordStore(database(), "classes").iterate()
    twice = of._replace(parts=[*of.parts, of.parts[-1]])
    with pytest.raises(StoreError):
        store.add([twice])
    assert store.count() == 0
    assert store.add([of], write=False) == AddResult(1, 0) and store.count() == 0


def test_one_that_changed_is_left_as_it_is(made: tuple[str, str], other: Database) -> None:
    copy(database(), other)
    join(made[0], "cem")
    assert copy(database(), other)[-1] == AddResult(0, 0, (made[0],))
    (there,) = RecordStore(other, "classes").iterate()
    assert sum(table == "students" for table, _ in there.parts) == 2


def test_what_is_over_is_neither_read_nor_added(made: tuple[str, str], other: Database) -> None:
    store = RecordStore(database(), "classes")
    (of,) = store.iterate()
    past = datetime.now(UTC) - timedelta(seconds=1)
    over = Record(of.table, of.row | {"expires": past}, of.parts)
    assert RecordStore(other, "classes").add([over]) == AddResult(0, 0, gone=1)
    with database().begin("away") as connection:
        connection.execute(sql.update(module.classes).values(expires=past))
    assert (store.ids(), list(store.iterate())) == ([], [])


def test_a_class_that_was_deleted_does_not_come_back(made: tuple[str, str], other: Database) -> None:
    copy(database(), other)
    assert delete_class(made[1])
    assert copy(other, database())[-1] == AddResult(0, 0, gone=1) and all_classes() == []
    assert copy(database(), other)[0] == AddResult(1, 0, deleted=1)
    assert RecordStore(other, "classes").count() == 0, "and it is deleted where it was copied to"
    with other.begin("away") as connection:
        for name in ("students", "answers"):
            assert connection.execute(sql.select(tables()[name])).all() == []


def test_a_deletion_is_kept_until_the_class_would_be_over(made: tuple[str, str]) -> None:
    delete_class(made[1])
    store = RecordStore(database(), DELETED)
    assert store.ids() == [made[0]]
    with database().begin("away") as connection:
        connection.execute(sql.update(module.deleted).values(expires=datetime.now(UTC)))
    assert expire_classes() == 0
    with database().begin("away") as connection:
        assert connection.execute(sql.select(module.deleted)).all() == []


def test_one_that_is_deleted_while_it_is_read_is_left_out(made: tuple[str, str]) -> None:
    other_id, secret = create_class("Other", NAMES, 30, "teacher")
    reading = RecordStore(database(), "classes").iterate()
    first = next(reading)
    for of in (made[1], secret):
        delete_class(of)
    assert first.row["id"] in (made[0], other_id) and list(reading) == []


def test_an_overview_shows_the_same_there(
    made: tuple[str, str], other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy(database(), other)
    ((before, _),) = all_classes()
    seen = overview(before)
    monkeypatch.setattr(module, "database", lambda: other)
    ((after, students),) = all_classes()
    assert (after, students, overview(after)) == (before, 2, seen)
    assert join(made[0], "ann").number == 1, "who comes back is known"
