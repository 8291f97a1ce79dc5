"""Who is where, in signs and in words."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dash import no_update

from engine.dashboard import course
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.exercises.small_pages import callbacks, clicked
from webapp.classroom.classes import Class, Overview, State, Student, create_class
from webapp.panels.exercises import class_overview
from webapp.panels.exercises.class_entry import state_text

AT = datetime(2026, 11, 28, tzinfo=UTC)
NAME = next(iter(course()[0].exercises))
OPENED = State(0, 0, None, "", {}, "", AT)
TRIED = State(2, 1, None, "A", {}, "B", AT, shown=True)
SOLVED = State(3, 0, 3, "A", {}, "B", AT + timedelta(seconds=5))
OF = Class("0" * 16, "", (NAME,), AT, AT)


def test_how_far_somebody_is_in_words() -> None:
    assert [state_text(state) for state in (None, OPENED, TRIED, SOLVED)] == [
        "",
        "opened",
        phrase("classroom.answers_hint_and_shown", 2, 1),
        "solved at answer 3",
    ]


def test_a_row_has_name_and_number_and_says_where_one_is() -> None:
    students = Student(1, "Ann <b>"), Student(2, ""), Student(3, "")
    seen = Overview(OF, students, {1: {NAME: SOLVED}, 2: {NAME: TRIED}})
    first, second, third = class_overview._rows(seen, OF.exercises)
    assert words(first).startswith("1 Ann <b> ✓ 3") and "solved here" in as_json(first)
    assert words(second).startswith("Student 2") and "· 2 ? !" in words(second)
    assert words(third).strip() == "Student 3"


def test_what_is_new_changes_the_stamp() -> None:
    asked = ((OF,), {}), ((OF,), {}), ((OF,), {"place": 0}), ((OF, (1, "Ann")), {})
    stamps = [class_overview._stamp(changes, shown) for changes, shown in asked]
    assert stamps[0] == stamps[1] and len(set(stamps)) == 3


def test_only_an_exercise_of_the_class_is_shown() -> None:
    exercises = class_overview._exercises(OF)
    assert class_overview._shown_exercise(exercises, {"place": 0})[0] == NAME
    for odd in ({"place": 1}, {"place": -1}, {"place": "0"}, {"place": True}, {}, None, []):
        assert class_overview._shown_exercise(exercises, odd) is None


def test_first_answers_are_shown_and_then_the_right_one(
    data: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = create_class("", [NAME], 1, "teacher")
    show = callbacks(class_overview)["show"]
    clicked(monkeypatch, class_overview, {"type": "class-show", "index": 0})
    shown, is_open, title, first, notice = show([1], None, {}, secret)
    assert (shown, is_open, first, notice) == ({"place": 0, "revealed": False}, True, "", "") and title
    clicked(monkeypatch, class_overview, "class-reveal")
    assert show([1], 1, shown, secret)[0] == {"place": 0, "revealed": True}


@pytest.mark.parametrize("odd", [None, [], "x", 7, {"place": [0]}, {"revealed": "yes"}])
def test_what_no_page_sends_shows_nothing(data: object, odd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = create_class("", [NAME], 1, "teacher")
    found = callbacks(class_overview)
    assert found["hide_reveal"](odd) is False
    clicked(monkeypatch, class_overview, "class-reveal")
    assert class_overview._shown_exercise({NAME: None}, found["show"]([1], 1, odd, secret)[0]) is None
    for place in (1, -1, 99, "0", None):
        clicked(monkeypatch, class_overview, {"type": "class-show", "index": place})
        assert set(found["show"]([1], 1, odd, secret)) == {no_update}


def test_a_class_that_is_gone_is_a_sentence(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    clicked(monkeypatch, class_overview, {"type": "class-show", "index": 0})
    notice = callbacks(class_overview)["show"]([1], None, {}, "0" * 32)[-1]
    assert isinstance(notice, str) and notice


def test_the_table_is_there_where_first_answers_fail(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(class_overview.first_answers, "layout", fails)
    with caplog.at_level(logging.CRITICAL, "gantry"):
        says, is_drawn = class_overview._first(Overview(OF, (), {}), (NAME, None), {})
    assert words(says) and not is_drawn
