"""With what an exercise begins: a link's scenario, one in the address, an exercise; or a sentence."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from dash import Dash

from engine import VERSION, presets
from engine.dashboard import exercise_of_values, read_exercise
from tests.phrases import phrase
from tests.webapp.panels.exercises.small_pages import EXERCISES
from webapp.classroom.shared_exercises import save_exercise
from webapp.panels.exercises.author_start import address, choices, start
from webapp.url import url_state
from webapp.url.links import Link, link_store
from webapp.url.url_state import RunRequest

ID = "0123456789abcdef"
EXERCISE = EXERCISES["first"]
REQUEST = RunRequest(presets()[0].scenario.plain(), ("fair", "haste"))


@pytest.fixture(autouse=True)
def app(data: object) -> Dash:
    return Dash("test")


def test_a_links_scenario(data: object) -> None:
    kept = Link(ID, "A", REQUEST.scenario, REQUEST.schedulers, [{}, {}], VERSION, datetime.now(UTC))
    link_store().save(kept)
    assert start({"r": ID}) == (REQUEST.plain(), [])


def test_a_scenario_in_the_address() -> None:
    query = dict([(url_state.address(request=REQUEST) or "")[1:].split("=", 1)])
    assert start(query) == (REQUEST.plain(), [])
    assert start({"preset": presets()[0].key, "s": ["fair", "haste"]}) == (REQUEST.plain(), [])


def test_an_exercise_of_the_course_and_a_shared_one() -> None:
    name = save_exercise(EXERCISE)
    begun = start({"of": name})
    assert exercise_of_values(json.loads(json.dumps(begun.exercise))) == EXERCISE
    assert begun.complaints == [] and address(name) == f"/exercises/new?of={name}"


@pytest.mark.parametrize(
    "query, said",
    [
        ({"of": "no-such"}, phrase("authoring.no_such_exercise")),
        ({"of": "f" * 16}, phrase("authoring.no_such_exercise")),
        ({"r": "f" * 16}, phrase("authoring.no_such_link")),
    ],
)
def test_what_is_not_there_is_a_sentence(query: dict[str, str], said: str) -> None:
    assert start(query) == (None, [said])


@pytest.mark.parametrize("query", [{"r": "?"}, {"s": "v2.x"}, {"preset": "no-such", "s": "fair"}])
def test_a_broken_address_is_a_sentence(query: dict[str, str]) -> None:
    begun = start(query)
    assert begun.exercise is None and len(begun.complaints) == 1


def test_nothing_begins_with_nothing_and_offers_examples() -> None:
    assert start({}) == (None, [])
    offered = choices()
    assert len(offered["examples"]) == len(presets()) and offered["exercises"]
    for entry in offered["examples"]:
        query = [pair.split("=") for pair in entry["href"].partition("?")[2].split("&")]
        names = [value for key, value in query if key == "s"]
        assert start({"preset": query[0][1], "s": names}).exercise
    for entry in offered["exercises"]:
        begun = start({"of": entry["href"].partition("=")[2]})
        assert read_exercise(json.dumps(begun.exercise))
