"""The page on which an exercise is written: what the script is given, and the exercise as it is tried."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dash import Dash

from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from tests.webapp.panels.exercises.small_pages import EXERCISES
from webapp.panels.exercises import author_form
from webapp.runs.cache import SharedCache


@pytest.fixture(autouse=True)
def app(cache: SharedCache) -> Dash:
    return Dash("test")


def stores(layout: Any) -> dict[str, Any]:
    parts = json.loads(as_json(layout))
    return {one["props"]["id"]: one["props"].get("data") for one in parts if "id" in one["props"]}


def test_the_script_is_given_what_it_begins_with() -> None:
    found = stores(author_form.layout({"preset": "wordcount", "s": ["fair", "haste"]}))["author-start"]
    assert found["exercise"]["schedulers"] == ["fair", "haste"]
    assert found["examples"] and found["exercises"]


def test_a_complaint_is_an_alert() -> None:
    layout = author_form.layout({"r": "f" * 16})
    assert phrase("authoring.no_such_link") in words(layout)
    assert stores(layout)["author-start"]["exercise"] is None


@pytest.mark.parametrize("kind", EXERCISES)
def test_it_is_tried_as_a_student_sees_it(kind: str) -> None:
    values = json.loads(EXERCISES[kind].json())
    shown = author_form.tried(values)
    assert words(shown[0]) == EXERCISES[kind].title
    assert stores(shown)["exercise-data"]["draft"] == values


@pytest.mark.parametrize("values", [7, {}, {"version": 1}])
def test_what_is_no_exercise_is_said(values: Any) -> None:
    assert words(author_form.tried(values))


def test_nothing_is_tried_at_first() -> None:
    assert author_form.tried(None) == []
