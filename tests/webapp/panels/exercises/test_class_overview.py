"""Who is where, in signs and in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engine.dashboard import course
from tests.webapp.layout_reading import as_json, words
from webapp.classroom.classes import Class, Overview, State, Student
from webapp.panels.exercises import class_overview
from webapp.panels.exercises.class_entry import state_text

AT = datetime(2026, 11, 28, tzinfo=UTC)
NAME = next(iter(course()[0].exercises))
OPENED = State(0, 0, None, "", {}, "", AT)
TRIED = State(2, 1, None, "A", {}, "B", AT)
SOLVED = State(3, 0, 3, "A", {}, "B", AT + timedelta(seconds=5))
OF = Class("0" * 16, "", (NAME,), AT, AT)


def test_how_far_somebody_is_in_words() -> None:
    assert [state_text(state) for state in (None, OPENED, TRIED, SOLVED)] == [
        "",
        "opened",
        "2 answers, 1 hint",
        "solved at answer 3",
    ]


def test_a_row_has_name_and_number_and_says_where_one_is() -> None:
    students = Student(1, "Ann <b>"), Student(2, ""), Student(3, "")
    seen = Overview(OF, students, {1: {NAME: SOLVED}, 2: {NAME: TRIED}})
    first, second, third = class_overview._rows(seen, OF.exercises)
    assert words(first).startswith("1 Ann <b> ✓ 3") and "solved here" in as_json(first)
    assert words(second).startswith("Student 2") and "· 2 ?" in words(second)
    assert words(third).strip() == "Student 3"


def test_what_is_new_changes_the_stamp() -> None:
    seen = Overview(OF, (Student(1, ""),), {1: {}})
    same = Overview(OF, (Student(1, ""),), {1: {}})
    stamps = [
        class_overview._stamp(one, shown)
        for one, shown in (
            (seen, {}),
            (same, {}),
            (seen, {"place": 0}),
            (seen._replace(students=()), {}),
            (seen._replace(states={1: {NAME: OPENED}}), {}),
        )
    ]
    assert stamps[0] == stamps[1] and len(set(stamps)) == 4


def test_only_an_exercise_of_the_class_is_shown() -> None:
    exercises = class_overview._exercises(OF)
    assert class_overview._shown_exercise(exercises, {"place": 0})[0] == NAME
    for odd in ({"place": 1}, {"place": -1}, {"place": "0"}, {"place": True}, {}, None, []):
        assert class_overview._shown_exercise(exercises, odd) is None
