"""What an exercise's page asks for: charts, checks and answers; and whatever a stranger may send instead."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from engine import quantities
from engine.dashboard import check, question, solution
from tests.engine.exercises.small_exercises import SHORT, exercise, reach
from tests.phrases import phrase
from tests.webapp.panels.exercises import small_pages
from tests.webapp.panels.exercises.small_pages import EXERCISES, RIGHT, WRONG, routes
from tests.webapp.svg_reading import boxes, words
from webapp import theme
from webapp.panels.exercises import answer_routes, bounded_runs
from webapp.runs.cache import SharedCache

LOOK = {"width": 600, "dark": False}
HIDDEN = ("first", "makespan")  # no chart before the answer
IN_PART = ("next", "place", "compute")


@pytest.fixture
def client(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """The routes of the small exercises."""
    monkeypatch.setattr(answer_routes, "exercise_of_name", EXERCISES.get)
    with routes(answer_routes) as opened:
        yield opened


def ask(client: FlaskClient, what: str, name: Any, **sent: Any) -> dict[str, Any]:
    return small_pages.ask(client, f"/exercise/{what}", {"name": name, "look": LOOK, **sent})


def drawing(picture: dict[str, str]) -> ElementTree.Element:
    text = base64.b64decode(picture["src"].partition(",")[2]).decode()
    return ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))


@pytest.mark.parametrize("kind", EXERCISES)
def test_a_wrong_answer_is_told_what_was_wrong_and_a_right_one_is_explained(
    client: FlaskClient, kind: str
) -> None:
    asked = EXERCISES[kind]
    wrong = ask(client, "check", kind, answer=WRONG[kind])
    assert wrong["correct"] is False
    assert wrong["sentence"] == check(asked, WRONG[kind]).sentence
    assert "solution" not in wrong

    right = ask(client, "check", kind, answer=RIGHT[kind])
    assert right["correct"] is True
    found = solution(asked)
    assert right["solution"] == {
        "answer": found.answer,
        "steps": list(found.steps),
        "explanation": ["Why.", "And how."],
    }
    assert len(right["charts"]) == len(asked.schedulers)
    assert right["address"].startswith("/?s=")
    assert ask(client, "solution", kind)["solution"] == right["solution"]


@pytest.mark.parametrize("kind", HIDDEN)
def test_nothing_is_drawn_before_a_prediction_and_all_after_it(client: FlaskClient, kind: str) -> None:
    before = ask(client, "charts", kind)
    assert before == {"charts": [], "address": ""}
    after = ask(client, "check", kind, answer=WRONG[kind])
    assert after["charts"] == ask(client, "charts", kind, answer=WRONG[kind])["charts"] != []


@pytest.mark.parametrize("kind", IN_PART)
def test_a_chart_up_to_an_instant_has_nothing_later_in_it(client: FlaskClient, kind: str) -> None:
    until_ms = question(EXERCISES[kind]).charts_until_ms
    before = ask(client, "charts", kind)
    [picture] = before["charts"]
    assert before["address"] == ""  # the dashboard shows it whole
    assert quantities.moment(until_ms) in picture["alt"]
    read = drawing(picture)
    drawn = [box for phase in theme.PHASES for box in boxes(read, f"p-{phase.key}")]
    px = (600 - 92 - 12) / (round(until_ms * 1.02))
    assert 0 < max(box.x + box.wide for box in drawn) <= until_ms * px + 0.6
    if kind != "compute":
        assert "small" not in words(read)  # it has nothing yet, and gets the next node
    # a wrong answer leaves it so, a right one and the answer show all
    assert ask(client, "check", kind, answer=WRONG[kind])["charts"] == [picture]
    whole = ask(client, "check", kind, answer=RIGHT[kind])["charts"]
    assert "small" in words(drawing(whole[0]))
    assert ask(client, "charts", kind, whole=True)["charts"] == whole


def test_what_was_predicted_is_a_line_in_the_chart(client: FlaskClient) -> None:
    def marks(seconds: float) -> list[str]:
        answer = ask(client, "check", "makespan", answer={"makespan_s": seconds})
        read = drawing(answer["charts"][0])
        lines = [path for path in read.iter("path") if path.get("class") == "mark"]
        assert len(lines) == len(words(read, "word"))
        return words(read, "word")

    assert marks(80) == [phrase("pages.you_said_moment", "1:20")]
    assert marks(1e9) == []  # told, but far beyond the chart


def test_the_charts_of_a_setting_are_of_what_was_changed(client: FlaskClient) -> None:
    alt = lambda **sent: ask(client, "charts", "reach", **sent)["charts"][0]["alt"]
    assert "2 nodes" in alt()
    assert "3 nodes" in alt(answer=WRONG["reach"])
    assert "4 nodes" in alt(whole=True)  # the solution's, once it was shown


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"answer": None},
        {"answer": []},
        {"answer": {}},
        {"answer": {"job": None}},
        {"answer": {"job": "nobody"}},
        {"answer": {"job": ["large"]}},
        {"answer": {"job": True}},
        {"answer": {"job": "x" * 301}},
        {"answer": {str(place): 1 for place in range(41)}},
    ],
)
def test_what_is_no_answer_is_refused_in_a_sentence(client: FlaskClient, sent: dict) -> None:
    said = ask(client, "check", "first", **sent)
    assert set(said) == {"error"}
    assert re.fullmatch(r"[A-Z].*\.", said["error"])


@pytest.mark.parametrize(
    "text", ['{"makespan_s": 1e999}', '{"makespan_s": 1' + "0" * 400 + "}", '{"makespan_s": NaN}']
)
def test_numbers_beyond_all_bounds_are_refused(client: FlaskClient, text: str) -> None:
    body = f'{{"name": "makespan", "answer": {text}}}'
    said = client.post("/exercise/check", data=body, content_type="application/json")
    assert (said.status_code, set(said.get_json())) == (200, {"error"})


@pytest.mark.parametrize("name", [None, 1, [], {}, "nothing", "../first", "x" * 5000])
def test_an_unknown_exercise_is_refused_in_a_sentence(client: FlaskClient, name: Any) -> None:
    for what in ("charts", "check", "solution"):
        assert ask(client, what, name)["error"] == phrase("pages.no_exercise_of_this_name")


@pytest.mark.parametrize("body", ["", "[]", "1", "null", "{", '"first"'])
def test_no_json_object_is_refused_in_a_sentence(client: FlaskClient, body: str) -> None:
    said = client.post("/exercise/check", data=body, content_type="application/json")
    assert said.get_json() == {"error": phrase("authoring.no_object")}


@pytest.mark.parametrize("look", [None, {}, [], {"width": "wide"}, {"width": None}, "x"])
def test_without_a_look_nothing_is_drawn_but_the_answer_is_checked(client: FlaskClient, look: Any) -> None:
    assert ask(client, "charts", "reach", look=look) == {"charts": []}
    said = ask(client, "check", "first", look=look, answer=RIGHT["first"])
    assert said["correct"] is True
    assert "charts" not in said


def test_that_the_answer_was_shown_is_recorded_in_a_class(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = []
    monkeypatch.setattr(answer_routes, "note_shown", lambda *given: noted.append(given))
    for given in ({"class": "abc"}, {"class": ""}, {"class": 7}, {}):
        assert "solution" in ask(client, "solution", "first", **given)
    assert noted == [("abc", "first")]


def test_an_answer_of_a_class_is_recorded_with_its_label_and_hints(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded: list[tuple] = []
    monkeypatch.setattr(answer_routes, "record_answer", lambda *given: recorded.append(given))
    ask(client, "check", "first", answer=WRONG["first"], hints=9, **{"class": "abc"})
    ask(client, "check", "first", answer=RIGHT["first"], hints="x", **{"class": ""})
    assert recorded == [("abc", "first", {"job": "small"}, "small", False, 2)]


def test_an_answer_to_a_draft_is_recorded_nowhere(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_routes, "record_answer", lambda *_: pytest.fail("recorded"))
    draft = EXERCISES["first"].model_dump()
    for named in ({"name": "first"}, {}):
        sent = {"draft": draft, "answer": RIGHT["first"], "class": "abc", **named}
        assert client.post("/exercise/check", json=sent).get_json()["correct"] is True


def test_an_answer_that_takes_too_long_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_runs, "MAX_ANSWER_S", -1)
    said = ask(client, "check", "first", answer=RIGHT["first"])
    assert said == {"error": phrase("pages.exercise_takes_longer")}


def test_a_deadlock_from_the_beginning_is_drawn_and_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    master = {"memory_mb": 1024, "vcores": 1}
    stuck = exercise(
        reach({"metric": "deadlock", "at_most": 0}),
        jobs=[{**SHORT, "count": 4, "am": master}],
        schedulers=["fair+admit-all"],
        change=[{"path": "schedulers[0]", "choices": ["fair", "fair+admit-all"]}],
    )
    monkeypatch.setattr(answer_routes, "exercise_of_name", {"stuck": stuck}.get)
    [picture] = ask(client, "charts", "stuck")["charts"]
    assert len(boxes(drawing(picture), "p-master")) == 4
    assert picture["note"].startswith("fair+admit-all: ")
    assert ask(client, "check", "stuck", answer={"schedulers[0]": "fair"})["charts"][0]["note"] == ""
