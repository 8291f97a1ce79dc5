"""The exercises' pages: the list, one for each exercise, and a sentence for a name that none has."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dash import Dash
from flask import Flask, session

from engine.dashboard import course, question, solution
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.exercises.small_pages import EXERCISES
from webapp import pages
from webapp.classroom.classes import create_class
from webapp.pages import exercises
from webapp.runs.cache import SharedCache

NAMES = [name for lesson in course() for name in lesson.exercises]


@pytest.fixture(autouse=True)
def app(cache: SharedCache) -> Dash:
    return Dash("test")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small exercises instead of the course's."""
    monkeypatch.setattr(exercises, "exercise_of_name", EXERCISES.get)


def data_of(layout: Any) -> dict[str, Any]:
    """What the script is given."""
    return next(
        one for one in json.loads(as_json(layout.children)) if one["props"].get("id") == "exercise-data"
    )["props"]["data"]


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_of_the_course_has_its_page(name: str) -> None:
    assert pages.has_page(f"exercises/{name}")
    layout = exercises.layout(name)
    assert data_of(layout)["name"] == name
    assert exercises.title(name) == f"{words(layout.children[1])} - Gantry"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", EXERCISES)
def test_a_page_has_its_question_and_scenario_and_nothing_of_its_answer(kind: str) -> None:
    exercise, layout = EXERCISES[kind], exercises.layout(kind, **{"class": "abc"})
    asked, text = question(exercise), as_json(layout)
    assert asked.prompt in text
    assert exercise.text in text
    for table in asked.tables:
        assert table.title in text
    data = data_of(layout)
    assert [field["key"] for field in data["fields"]] == [field.key for field in asked.fields]
    assert (data["class"], data["hints"]) == ("abc", exercise.hints)
    found = solution(exercise)
    for said in (found.answer, *found.steps, *found.explanation):
        assert json.dumps(said, ensure_ascii=False)[1:-1] not in text
    assert "data:image" not in text


@pytest.mark.parametrize("name", ["nothing", "", "../first", "x" * 5000, "\x00"])
def test_a_name_that_no_exercise_has_is_the_page_that_says_so(name: str) -> None:
    assert phrase("pages.this_address_has_no_page") in as_json(exercises.layout(name))
    assert exercises.title(name) == "Not found - Gantry"
    assert not pages.has_page(f"exercises/{name}") or not name


@pytest.mark.parametrize("given", [["a", "b"], "x" * 65, None])
def test_what_is_no_class_is_left_out(given: Any) -> None:
    assert data_of(exercises.layout(NAMES[0], **{"class": given}))["class"] == ""


def test_a_question_that_cant_be_asked_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.panels.exercises.bounded_runs.MAX_ANSWER_S", -1)
    monkeypatch.setattr(exercises, "exercise_of_name", EXERCISES.get)
    assert phrase("pages.exercise_takes_longer") in as_json(exercises.layout("place"))


def test_in_a_class_it_leads_back_there_and_says_who_one_is(data: object) -> None:
    id, _ = create_class("Winter", NAMES[:2], 30, "teacher")
    server = Flask("test")
    server.secret_key = "key"
    with server.test_request_context("/"):
        session["visitor"] = "ann"
        layout = exercises.layout(NAMES[0], **{"class": id})
    text = as_json(layout)
    assert words(layout.children[0]).startswith("Winter ") and f"/class/{id}" in as_json(layout.children[0])
    assert phrase("browser.you_are_in_class", "Student 1") in text
    assert '"/exercises"' not in text
