"""What is asked for while an exercise is written; and whatever a stranger may send instead."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import tunables
from engine.dashboard import check_exercise, question
from tests.phrases import phrase
from tests.webapp.panels.exercises import small_pages
from tests.webapp.panels.exercises.small_pages import EXERCISES, routes
from webapp.classroom.shared_exercises import exercise_id, find_exercise
from webapp.panels.exercises import author_routes
from webapp.runs.cache import SharedCache

PAGE = "https://gantry.example/"


@pytest.fixture
def client(cache: SharedCache) -> Iterator[FlaskClient]:
    with routes(author_routes) as opened:
        yield opened


def ask(client: FlaskClient, what: str, sent: Any) -> dict[str, Any]:
    return small_pages.ask(client, f"/author/{what}", sent)


def plain(kind: str) -> dict[str, Any]:
    return json.loads(EXERCISES[kind].json())


@pytest.mark.parametrize("kind", EXERCISES)
def test_what_is_ready_is_checked_with_its_answer(client: FlaskClient, kind: str) -> None:
    exercise = EXERCISES[kind]
    said = ask(client, "check", {"exercise": plain(kind)})
    assert said["faults"] == []
    assert said["prompt"] == question(exercise).prompt
    assert said["answer"] == check_exercise(exercise).answer


@pytest.mark.parametrize(
    "changed, path, said",
    [
        ({"title": ""}, "title", phrase("authoring.empty")),
        ({"hints": ["One.", ""]}, "hints[1]", phrase("authoring.empty")),
        ({"task": {"kind": "explain"}}, "task.container", "is required"),
        ({"schedulers": ["fare"]}, "schedulers[0]", "fare"),
        ({"scenario": {"version": 1, "jobs": []}}, "scenario.jobs", ""),
        (
            {"task": {"kind": "explain", "container": "large/1/map/0"}},
            "task",
            "large/1/map/0",
        ),  # which did not wait
        (
            {
                "change": [{"path": "cluster.nodes.total", "low": 3, "high": 2}],
                "task": plain("reach")["task"],
            },
            "change[0].high",
            "",
        ),
    ],
)
def test_a_fault_is_a_sentence_at_its_place(
    client: FlaskClient, changed: dict[str, Any], path: str, said: str
) -> None:
    faults = ask(client, "check", {"exercise": plain("first") | changed})["faults"]
    fault = next(one for one in faults if one["path"].startswith(path))
    assert fault["message"] and said in fault["message"]


def test_offers_have_what_the_run_has(client: FlaskClient) -> None:
    exercise = plain("next")
    sent = {"scenario": exercise["scenario"], "schedulers": ["fair", "haste"], "scheduler": 1}
    found = ask(client, "offers", sent)
    assert found["jobs"] == ["large", "small"] and found["schedulers"] == ["fair", "haste"]
    assert {one["value"].split("/")[0] for one in found["decisions"]} <= {"large", "small"}
    assert found["waits"] and found["metrics"][0]["text"]
    assert not found["has_fair_shares"] and ask(client, "offers", sent | {"scheduler": 0})["has_fair_shares"]
    numbers = {one.path for one in tunables(EXERCISES["next"].checked_scenario, sent["schedulers"])}
    paths = [one["path"] for one in found["changes"]]
    assert paths[:2] == ["schedulers[0]", "schedulers[1]"] and set(paths[2:]) <= numbers
    assert found["address"].startswith("/?")


def test_every_change_that_is_offered_can_be_allowed(client: FlaskClient) -> None:
    """As it is offered: a number with its range, a word or scheduler with all its choices."""
    exercise = plain("reach")
    found = ask(client, "offers", {"scenario": exercise["scenario"], "schedulers": ["fair", "haste"]})
    for one in found["changes"]:
        change = {"path": one["path"]} | (
            {"choices": [choice["value"] for choice in one["choices"]]}
            if one["choices"]
            else {key: one[key] for key in ("low", "high", "step")}
        )
        task = {"kind": "reach", "conditions": [{"metric": "makespan_s", "at_most": 1}]}
        sent = exercise | {"change": [change], "task": task, "schedulers": ["fair", "haste"]}
        faults = ask(client, "check", {"exercise": sent})["faults"]
        assert not [fault for fault in faults if fault["path"].startswith("change[")], one


def test_what_is_shared_is_kept_under_its_address(client: FlaskClient) -> None:
    said = ask(client, "share", {"exercise": plain("first"), "page": PAGE})
    name = exercise_id(EXERCISES["first"])
    assert said["name"] == name and said["path"] == f"/exercises/{name}"
    assert said["address"] == f"{PAGE}exercises/{name}" and said["code"].startswith("data:image/svg+xml")
    assert find_exercise(name) == EXERCISES["first"]
    assert ask(client, "share", {"exercise": plain("first"), "page": PAGE}) == said
    unsaid = ask(client, "share", {"exercise": plain("first"), "page": "javascript:alert(1)"})
    assert unsaid["address"] == "" and unsaid["code"] is None


def test_what_has_faults_is_not_kept(client: FlaskClient) -> None:
    said = ask(client, "share", {"exercise": plain("first") | {"title": ""}, "page": PAGE})
    assert said["faults"] and "name" not in said


@pytest.mark.parametrize("sent", [{}, {"scenario": 7}, {"scenario": {}, "schedulers": [7]}, {"exercise": []}])
def test_whatever_is_sent_is_answered(client: FlaskClient, sent: dict[str, Any]) -> None:
    assert ask(client, "offers", sent)["error"]
    assert ask(client, "check", sent)["faults"]
    assert ask(client, "share", sent)["faults"]
