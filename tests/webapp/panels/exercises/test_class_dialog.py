"""Make a class link: what may be chosen, and what is shown of what was made."""

from __future__ import annotations

import pytest
from dash import no_update
from flask import Flask, session

from engine import GantryError
from engine.dashboard import course, exercise_of_values
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from tests.webapp.panels.exercises.small_pages import callbacks, clicked
from webapp.classroom.classes import ClassError, find_class, find_overview
from webapp.classroom.shared_exercises import save_exercise
from webapp.panels.exercises import class_dialog
from webapp.panels.exercises.class_dialog import chosen_names, empty, made, toggled, with_former

NAME, EXERCISE = next(iter(course()[0].exercises.items()))
HREF = "https://gantry.example/exercises?x=1"


@pytest.fixture
def shared(data: object) -> str:
    """The id of an exercise of one's own."""
    return save_exercise(exercise_of_values(EXERCISE.model_dump() | {"title": "Own"}))


def test_shared_ones_are_named_by_id_or_address(shared: str) -> None:
    address = f"https://gantry.example/exercises/{shared}?class=0123456789abcdef"
    for own in (shared, f" {shared}\n", address, f"{shared}, {shared}"):
        assert set(chosen_names([NAME, "no-such", 7], own)) == {NAME, shared}
    assert chosen_names(None, None) == []


def test_what_names_none_is_a_sentence(shared: str) -> None:
    with pytest.raises(ClassError) as caught:
        chosen_names([NAME], "my exercise")
    assert str(caught.value) == phrase("classroom.names_no_exercise", 16)
    with pytest.raises(ClassError, match="f" * 16):
        chosen_names([NAME], "f" * 16)


def test_a_lesson_is_chosen_and_left_out() -> None:
    assert toggled(["a"], ["b", "c"]) == ["a", "b", "c"]
    assert toggled(["a", "b"], ["b", "c"]) == ["a", "b", "c"]
    assert toggled(["a", "b", "c"], ["b", "c"]) == ["a"]


@pytest.fixture
def named(data: object, monkeypatch: pytest.MonkeyPatch) -> object:
    """A visitor with a cookie asks."""
    server = Flask("test")
    server.secret_key = "key"
    monkeypatch.setattr(class_dialog, "get_relative_path", lambda path: path)
    with server.test_request_context("/", base_url="http://gantry.example"):
        session["visitor"] = "teacher"
        yield


def test_both_links_lead_to_the_class(named: object, shared: str) -> None:
    values = made("Winter", [NAME], shared, 30, HREF)
    students, overview = values["students"], values["secret"]
    assert students.startswith("https://gantry.example/class/") and overview == values["open"]
    of = find_class(students.rpartition("/")[2])
    assert of.exercises == (NAME, shared) and find_overview(overview.rpartition("/")[2]) == of
    assert students in values["code"].alt and values["made"] is False


@pytest.mark.parametrize("href", ["https://evil.example/exercises", "javascript:1", "//", None, "http://["])
def test_a_link_leads_to_this_server_whatever_the_page_says(named: object, href: object) -> None:
    values = made("", [NAME], "", 30, href)
    for link in (values["students"], values["secret"]):
        assert link.startswith("http://gantry.example/")


@pytest.mark.parametrize("days", [None, "30", 1.5, True, -1, 10**9])
def test_odd_days_are_a_sentence(named: object, days: object) -> None:
    with pytest.raises(ClassError) as caught:
        made("", [NAME], "", days, HREF)
    assert str(caught.value) == phrase("classroom.days", 120)


def test_without_cookies_none_is_made(data: object) -> None:
    with pytest.raises(GantryError, match=phrase("classroom.no_cookies")):
        made("", [NAME], "", 30, HREF)


def test_a_lesson_that_there_is_not_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = callbacks(class_dialog)["choose"]
    for place in (99, -1, "0", None):
        clicked(monkeypatch, class_dialog, {"index": place})
        assert choose([1], []) is no_update


def test_an_opened_dialog_shows_nothing_of_the_last_class() -> None:
    values = empty()
    assert values.keys() == class_dialog.OUTPUTS.keys() and values["made"] is True
    assert not any(values[name] for name in ("students", "secret", "code", "open", "former", "title"))


def test_the_links_of_former_classes_stay() -> None:
    assert with_former(None, "", "", "") == []
    one = with_former("", "Winter", "/class/1", "/overview/1")
    both = with_former(one, "Summer", "/class/2", "/overview/2")
    assert both[1:] == one
    assert all(link in as_json(both) for link in ("Winter", "/overview/1", "Summer", "/overview/2"))
