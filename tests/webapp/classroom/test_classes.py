"""Classes in a real SQLite file, and in a real PostgreSQL where one can be started."""

from __future__ import annotations

import logging
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql
from hypothesis import given
from hypothesis import strategies as st

from tests.phrases import phrase
from webapp.classroom import classes as module
from webapp.classroom.classes import (
    MAX_NAME_CHARS,
    ClassError,
    Student,
    all_classes,
    changes,
    create_class,
    delete_class,
    delete_classes,
    expire_classes,
    find_class,
    find_overview,
    find_student,
    join,
    overview,
    plain_line,
    progress,
    record,
    visit,
)
from webapp.serving import threads
from webapp.store.database import StoreError, database

NAMES = ("first-to-finish", "0123456789abcdef")
TABLES = (module.classes, module.students, module.answers)


@pytest.fixture
def made(url: str) -> tuple[str, str]:
    """A class's id and secret."""
    return create_class("Ünï\x00 class", NAMES, 30, "teacher")


def rows() -> list[int]:
    """How many each table has."""
    with database().begin("away") as connection:
        return [
            connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one()
            for table in TABLES
        ]


def refusal(ask: Callable[[], object]) -> str:
    """The sentence with which something is not done."""
    with pytest.raises(ClassError) as caught:
        ask()
    return str(caught.value)


def end(class_id: str) -> None:
    """Its time is over."""
    changed = sql.update(module.classes).where(module.classes.c.id == class_id)
    with database().begin("away") as connection:
        connection.execute(changed.values(expires=datetime.now(UTC) - timedelta(seconds=1)))


def test_a_class_is_found_by_its_link_and_by_its_secret(made: tuple[str, str]) -> None:
    id, secret = made
    of = find_class(id)
    assert (of.id, of.title, of.exercises) == (id, "Ünï class", NAMES)
    assert of.expires - of.created == timedelta(days=30)
    assert find_overview(secret) == of
    assert (len(id), len(secret)) == (16, 32)


@pytest.mark.parametrize("wrong", ["", "0" * 32, "0" * 16, "%", "' OR 1=1 --", "A" * 32, "0" * 31 + "\n"])
def test_nothing_else_opens_it(made: tuple[str, str], wrong: str) -> None:
    assert find_overview(wrong) is None and find_class(wrong) is None
    assert find_overview(made[0]) is None and find_class(made[1]) is None


def test_whatever_an_overview_shows_changes_what_is_asked_first(made: tuple[str, str]) -> None:
    id, seen = made[0], []
    of = find_class(id)
    for change in (
        lambda: None,
        lambda: join(id, "ann"),
        lambda: join(id, "ann", "Ann"),
        lambda: visit(id, "ann", NAMES[0]),
        lambda: visit(id, "ann", NAMES[0], shown=True),
        lambda: record(id, "ann", NAMES[0], {"job": "a"}, "a", False),
        lambda: record(id, "ann", NAMES[0], {"job": "b"}, "b", True),
    ):
        change()
        assert changes(of) == changes(of)
        seen.append(changes(of))
    assert len(set(seen)) == len(seen)


def test_first_answers_come_with_the_exercise_that_is_asked_for(made: tuple[str, str]) -> None:
    id = made[0]
    for name in NAMES[:2]:
        record(id, "ann", name, {"job": "a"}, "a", False)
    plain, of_one = (overview(find_class(id), name).states[1] for name in ("", NAMES[0]))
    assert [plain[name].first_answer for name in NAMES[:2]] == [{}, {}]
    assert [of_one[name].first_answer for name in NAMES[:2]] == [{"job": "a"}, {}]
    assert plain[NAMES[0]]._replace(first_answer={"job": "a"}) == of_one[NAMES[0]]


def test_neither_secret_nor_cookie_stands_in_the_database(made: tuple[str, str]) -> None:
    id, secret = made
    record(id, "cookie-of-ann", NAMES[0], {"job": "a"}, "a", True)
    with database().begin("away") as connection:
        text = repr([connection.execute(sql.select(table)).all() for table in TABLES])
    assert secret not in text and "cookie-of-ann" not in text and "teacher" not in text


def test_a_visitor_has_another_pseudonym_in_each_class(made: tuple[str, str]) -> None:
    other, _ = create_class("Other", NAMES, 30, "teacher")
    for id in (made[0], other):
        join(id, "ann")
    with database().begin("away") as connection:
        names = connection.execute(sql.select(module.students.c.pseudonym)).scalars().all()
    assert len(set(names)) == 2


@pytest.mark.parametrize(
    ("names", "days", "says"),
    [
        ((), 30, phrase("classroom.choose_exercises", 40)),
        (tuple(map(str, range(41))), 30, phrase("classroom.choose_exercises", 40)),
        (NAMES, 0, phrase("classroom.days", 120)),
        (NAMES, 121, phrase("classroom.days", 120)),
    ],
)
def test_a_class_has_bounds(data: object, names: tuple[str, ...], days: int, says: str) -> None:
    assert refusal(lambda: create_class("A class", names, days, "teacher")) == says


def test_its_owner_says_for_how_many_days(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_CLASS_DAYS", "7")
    with pytest.raises(ClassError):
        create_class("", NAMES, 8, "teacher")
    assert create_class("", NAMES, 7, "teacher")


def test_a_visitor_has_so_many_classes_at_a_time(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CLASSES", 2)
    made = [create_class("", NAMES, 30, "teacher") for _ in range(2)]
    assert refusal(lambda: create_class("", NAMES, 30, "teacher")) == phrase("classroom.too_many_classes", 2)
    assert create_class("", NAMES, 30, "another")
    delete_class(made[0][1])
    assert create_class("", NAMES, 30, "teacher")


def test_students_are_numbers_or_names(made: tuple[str, str]) -> None:
    id, _ = made
    assert find_student(id, "ann") is None
    assert (join(id, "ann"), join(id, "bob", " B\u202eob \t\x1b ")) == (Student(1, ""), Student(2, "Bob"))
    assert [join(id, "ann").title, join(id, "bob", "Rob").title] == ["Student 1", "Rob"]
    assert find_student(id, "ann") == Student(1, "") and find_student(id, "bob") == Student(2, "Rob")


@pytest.mark.parametrize("wrong", ["", "\x00", "a" * 100, "\ud800", "0" * 15 + "\n", "A" * 16])
def test_what_is_no_class_s_id_is_a_class_that_is_over(made: tuple[str, str], wrong: str) -> None:
    for asked in (
        lambda: join(wrong, "ann"),
        lambda: visit(wrong, "ann", NAMES[0]),
        lambda: record(wrong, "ann", NAMES[0], {}, "A", True),
        lambda: progress(wrong, "ann"),
        lambda: find_student(wrong, "ann"),
    ):
        assert refusal(asked) == phrase("classroom.over")


def test_a_long_name_is_refused_and_not_cut(made: tuple[str, str]) -> None:
    assert join(made[0], "ann", "a" * MAX_NAME_CHARS).name == "a" * MAX_NAME_CHARS
    assert refusal(lambda: join(made[0], "ann", "b" * (MAX_NAME_CHARS + 1))) == phrase(
        "classroom.long_name", MAX_NAME_CHARS
    )
    assert find_student(made[0], "ann").name == "a" * MAX_NAME_CHARS


def test_a_class_may_be_full(made: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STUDENTS", 2)
    for name in ("ann", "bob"):
        join(made[0], name)
    for refused in (lambda: join(made[0], "cy"), lambda: record(made[0], "cy", NAMES[0], {}, "", True)):
        assert refusal(refused) == phrase("classroom.full", 2)
    assert join(made[0], "ann", "Ann").number == 1


def test_what_a_student_does_is_kept_in_one_row(made: tuple[str, str]) -> None:
    id, _ = made
    visit(id, "ann", NAMES[0])
    assert [(state.tries, state.hints, state.first_label) for state in progress(id, "ann").values()] == [
        (0, 0, "")
    ]
    record(id, "ann", NAMES[0], {"job": "a"}, "A", False, 2)
    record(id, "ann", NAMES[0], {"job": "b"}, "B\x07", True, 1)
    record(id, "ann", NAMES[0], {"job": "c"}, "C", False, 9)
    state = progress(id, "ann")[NAMES[0]]
    assert state[:6] == (2, 2, 2, "A", {"job": "a"}, "B"), "what comes after the right answer is not counted"
    assert progress(id, "bob") == {} and rows() == [1, 1, 1]


def test_an_answer_that_was_shown_is_kept_until_it_is_solved(made: tuple[str, str]) -> None:
    id, _ = made
    visit(id, "ann", NAMES[0], shown=True)
    visit(id, "ann", NAMES[0])
    record(id, "ann", NAMES[0], {}, "A", True)
    record(id, "bob", NAMES[0], {}, "A", True)
    visit(id, "bob", NAMES[0], shown=True)
    assert [progress(id, who)[NAMES[0]].shown for who in ("ann", "bob")] == [True, False]


def test_who_only_answers_has_joined(made: tuple[str, str]) -> None:
    record(made[0], "ann", NAMES[1], {"x": 1.5}, "1.5", True, 1)
    seen = overview(find_class(made[0]), NAMES[1])
    assert seen.students == (Student(1, ""),)
    assert seen.states[1][NAMES[1]][:6] == (1, 1, 1, "1.5", {"x": 1.5}, "1.5")


def test_what_is_kept_of_an_answer_is_bounded(made: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_COUNT", 3)
    for _ in range(5):
        record(made[0], "ann", NAMES[0], {"x": "y" * 5_000}, "z" * 5_000, False, 10**9)
    state = progress(made[0], "ann")[NAMES[0]]
    assert (state.tries, state.hints, state.first_answer, state.first_label) == (3, 3, {}, "z" * 120)


def test_only_its_own_exercises_are_answered(made: tuple[str, str]) -> None:
    for wrong in (
        lambda: record(made[0], "ann", "other", {}, "", True),
        lambda: visit(made[0], "ann", "other"),
    ):
        assert refusal(wrong) == phrase("classroom.not_of_class")
    assert rows() == [1, 0, 0]


def test_a_class_that_is_over_is_gone(made: tuple[str, str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    id, secret = made
    other, _ = create_class("Other", NAMES, 30, "teacher")
    for class_id in (id, other):
        record(class_id, "ann", NAMES[0], {}, "A", True)
    end(id)
    assert find_class(id) is None and find_overview(secret) is None
    assert refusal(lambda: record(id, "ann", NAMES[0], {}, "A", True)) == phrase("classroom.over")
    assert [expire_classes(), expire_classes()] == [1, 0] and rows() == [1, 1, 1]
    assert [record.getMessage() for record in caplog.records if record.name == "gantry.audit"][
        -1
    ] == "class expired"
    assert secret not in caplog.text


def test_it_is_deleted_with_all_that_is_kept_of_it(made: tuple[str, str]) -> None:
    id, secret = made
    record(id, "ann", NAMES[0], {}, "A", True)
    assert not delete_class("0" * 32) and rows() == [1, 1, 1]
    assert delete_class(secret) and rows() == [0, 0, 0]
    assert not delete_class(secret) and find_class(id) is None
    with pytest.raises(ClassError):
        join(id, "ann")
    assert rows() == [0, 0, 0]


@pytest.mark.parametrize("is_over", [False, True])
def test_no_file_holds_what_was_deleted(data: Path, is_over: bool) -> None:
    id, secret = create_class("Winter term", NAMES, 30, "teacher")
    join(id, "ann", "Ann Unforgotten")

    def holding() -> list[str]:
        return [
            path.name for path in data.rglob("*") if path.is_file() and b"Unforgotten" in path.read_bytes()
        ]

    assert holding()
    if is_over:
        end(id)
        expire_classes()
    else:
        delete_class(secret)
    assert rows() == [0, 0, 0] and holding() == []


def test_its_owner_lists_and_deletes(made: tuple[str, str]) -> None:
    other, _ = create_class("Other", NAMES, 30, "teacher")
    join(other, "ann")
    assert [(of.id, students) for of, students in all_classes()] == [(made[0], 0), (other, 1)]
    assert delete_classes([made[0], "f" * 16]) == {"f" * 16} and len(all_classes()) == 2
    assert delete_classes([made[0], other]) == set() and rows() == [0, 0, 0]


def test_who_asks_twice_at_once_has_no_more_classes(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CLASSES", 2)
    refused = []

    def teacher() -> None:
        try:
            create_class("", NAMES, 30, "teacher")
        except ClassError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=teacher) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == [phrase("classroom.too_many_classes", 2)] * 10 and rows() == [2, 0, 0]


def test_a_server_has_so_many_classes(made: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CLASSES_IN_ALL", 1)
    assert refusal(lambda: create_class("", NAMES, 30, "other")) == phrase("classroom.too_many_in_all", 1)


def test_eighty_students_at_once(made: tuple[str, str]) -> None:
    """As in a lesson: all join and answer, some twice, while the teacher looks."""
    id, failed = made[0], []

    def student(number: int) -> None:
        try:
            join(id, f"visitor-{number}", f"Name {number}")
            for correct in (False, True):
                record(id, f"visitor-{number}", NAMES[0], {"job": "a"}, "A", correct, 1)
            overview(find_class(id))
        except Exception as error:
            failed.append(error)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(student, (number % 80 for number in range(90))))
    seen = overview(find_class(id))
    assert failed == [] and [student.number for student in seen.students] == list(range(1, 81))
    assert all(state[NAMES[0]].solved_at_try in (2, 3) for state in seen.states.values())


def test_a_database_that_is_away_is_a_sentence(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
    database.cache_clear()
    for asked in (
        lambda: create_class("", NAMES, 30, "teacher"),
        lambda: find_class("0" * 16),
        lambda: find_overview("0" * 32),
        lambda: join("0" * 16, "ann"),
        expire_classes,
    ):
        with pytest.raises(StoreError, match=phrase("classroom.database_away")):
            asked()


@given(st.text(st.characters(), max_size=200))
def test_a_name_is_a_plain_line(text: str) -> None:
    name = plain_line(text, MAX_NAME_CHARS)
    assert name.isprintable() and len(name) <= MAX_NAME_CHARS and name == name.strip()
    assert "  " not in name and plain_line(name, MAX_NAME_CHARS) == name
    assert unicodedata.is_normalized("NFC", name)
    name.encode()
