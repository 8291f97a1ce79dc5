"""The API as a program uses it: bodies, types, addresses, and what is wrong as a problem."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import VERSION, simulate
from engine.output.result_format import result
from engine.scenario.model import Scenario
from tests.waiting import until
from webapp.jobs import job_manager
from webapp.jobs.job_queue import QueueFull

API = "/api/v1"
NOTHING = "0123456789abcdef"
UNKNOWN = f"{NOTHING}-{NOTHING}"


def problem(answer: TestResponse, status: int) -> dict[str, Any]:
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.json["status"] == status and answer.json["detail"]
    return answer.json


def ended(client: FlaskClient, answer: TestResponse) -> dict[str, Any]:
    """The status at its end."""
    assert answer.status_code in (200, 202), answer.text
    place = answer.headers["Location"]
    return until(
        lambda: status if (status := client.get(place).json)["state"] not in ("queued", "running") else None
    )


def run(client: FlaskClient, scenario: dict, *schedulers: str) -> dict[str, Any]:
    asked = {"scenario": scenario, "schedulers": schedulers}
    return ended(client, client.post(f"{API}/runs", json=asked))


def test_check_says_every_fault(client: FlaskClient, small: dict) -> None:
    right = client.post(f"{API}/check", json={"scenario": small}).json
    assert right == {"valid": True, "containers": 3, "faults": []}  # two maps, a reduce
    small["cluster"]["nodes"][0]["count"] = 0
    asked = {"scenario": small, "schedulers": ["nothing"]}
    wrong = client.post(f"{API}/check", json=asked).json
    assert not wrong["valid"]
    assert {fault["path"] for fault in wrong["faults"]} == {"cluster.nodes[0].count", "schedulers"}


@pytest.mark.parametrize("scenario", [None, 1, "x", [], {}, {"jobs": {}}])
def test_check_takes_any_value(client: FlaskClient, scenario: Any) -> None:
    answer = client.post(f"{API}/check", json={"scenario": scenario})
    assert answer.status_code == 200 and answer.json["faults"]


def test_a_run_s_result_is_the_engine_s(client: FlaskClient, small: dict) -> None:
    status = run(client, small, "fair", "fifo")
    assert (status["state"], status["done"], status["total"]) == ("finished", 2, 2)
    found = client.get(f"{API}/{status['result']}")
    scenario = Scenario.of(small)
    assert found.json == result(scenario, [simulate(scenario, name) for name in ("fair", "fifo")])


def test_a_result_is_csv_by_accept(client: FlaskClient, small: dict) -> None:
    place = f"{API}/{run(client, small, 'fair')['result']}"
    for table, lines in (("runs", 2), ("jobs", 2), ("containers", 4)):
        answer = client.get(f"{place}?table={table}", headers={"Accept": "text/csv"})
        assert (answer.mimetype, len(answer.text.splitlines())) == ("text/csv", lines)
        assert "Accept" in answer.headers["Vary"]
    problem(client.get(place, headers={"Accept": "image/png"}), 406)
    problem(client.get(f"{place}?table=nodes"), 422)


def test_why_a_container_was_placed(client: FlaskClient, small: dict) -> None:
    place = f"{API}/runs/{run(client, small, 'fair')['id']}/explain"
    told = client.get(f"{place}?container=one/1/map/0").json
    assert told["container"] == "one/1/map/0/1" and told["placed"] and told["because"]
    problem(client.get(f"{place}?container=one/1/map/9"), 422)
    problem(client.get(f"{place}?container=one/1/map/0&scheduler=fifo"), 422)
    problem(client.get(place), 422)


def test_why_a_container_was_never_placed(client: FlaskClient, small: dict) -> None:
    small["jobs"][0]["am"] = {"memory_mb": 1024, "vcores": 1}
    small["jobs"][0]["reduces"]["memory_mb"] = 3900  # beside the master none fits
    place = f"{API}/runs/{run(client, small, 'fair')['id']}/explain"
    told = client.get(f"{place}?container=one/1/reduce/0").json
    assert not told["placed"] and told["waits"]


def test_a_sweep(client: FlaskClient, small: dict) -> None:
    vary = [{"path": "cluster.nodes[0].count", "first": 1, "last": 3, "step": 1}]
    asked = {"scenario": small, "schedulers": ["fair", "fifo"], "vary": vary}
    status = ended(client, client.post(f"{API}/sweeps", json=asked))
    assert (status["state"], status["total"]) == ("finished", 6)
    place = f"{API}/{status['result']}"
    assert [point["values"]["cluster.nodes[0].count"] for point in client.get(place).json["points"]] == [
        1,
        2,
        3,
    ]
    assert len(client.get(place, headers={"Accept": "text/csv"}).text.splitlines()) == 1 + 6
    again = client.post(f"{API}/sweeps", json=asked)  # it is there
    assert again.status_code == 200 and again.json["result"]


def test_a_link_opens_the_page(client: FlaskClient, small: dict) -> None:
    asked = {"run": run(client, small, "fair")["id"], "sentence": "Look.\x00", "read_only": True}
    answer = client.post(f"{API}/links", json=asked)
    assert answer.status_code == 201
    page = client.get(answer.headers["Location"])
    assert page.status_code == 200 and answer.json["id"] in answer.headers["Location"]


def test_schedulers(client: FlaskClient) -> None:
    names = {policy["name"]: policy["role"] for policy in client.get(f"{API}/schedulers").json}
    assert (names["fair"], names["slowstart"], names["admit-all"]) == ("order", "reduce start", "admission")


@pytest.mark.parametrize(
    ("method", "place", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/nothing", 404),
        ("GET", "/runs/x", 404),
        ("GET", f"/runs/{UNKNOWN}", 404),
        ("GET", f"/runs/{UNKNOWN}/result", 404),
        ("GET", f"/sweeps/{NOTHING}{UNKNOWN}", 404),
        ("DELETE", f"/runs/{UNKNOWN}", 404),
        ("GET", "/check", 405),
        ("PUT", "/runs", 405),
        ("POST", "/schedulers", 405),
        ("TRACE", "/runs", 405),
    ],
)
def test_what_is_not_here(client: FlaskClient, method: str, place: str, status: int) -> None:
    answer = client.open(API + place, method=method)
    problem(answer, status)
    assert ("Allow" in answer.headers) == (status == 405)


def test_a_host_that_is_not_ours_is_a_problem(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(client.application.config, "TRUSTED_HOSTS", ["gantry.example"])
    problem(client.get(f"{API}/schedulers", headers={"Host": "elsewhere.example"}), 400)


def test_a_body_must_say_that_it_is_json(client: FlaskClient, small: dict) -> None:
    """A form of another site can't, so no page of others makes a visitor's browser ask."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        problem(client.post(f"{API}/check", data="{}", content_type=kind), 415)
    origin = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    asked = client.options(f"{API}/runs", headers=origin)
    assert (asked.status_code, asked.headers["Allow"]) == (204, "OPTIONS, POST")
    assert not [name for name, _ in asked.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize(
    ("body", "status"), [("", 400), ("{", 400), ("[]", 400), ("{}", 422), ('{"scenario": 1, "more": 2}', 422)]
)
def test_a_body_that_is_none(client: FlaskClient, body: str, status: int) -> None:
    problem(client.post(f"{API}/check", data=body, content_type="application/json"), status)


def test_limits_are_the_page_s(client: FlaskClient, small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    problem(client.post(f"{API}/runs", json={"scenario": small, "schedulers": ["fair"] * 17}), 422)
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "2")
    asked = {"scenario": small, "schedulers": ["fair"]}
    problem(client.post(f"{API}/runs", json=asked), 413)
    assert not client.post(f"{API}/check", json=asked).json["valid"]
    monkeypatch.setitem(client.application.config, "MAX_CONTENT_LENGTH", 10)
    problem(client.post(f"{API}/runs", json=asked), 413)


def test_a_full_queue_says_when_to_come_again(
    client: FlaskClient, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: Any, **options: Any) -> None:
        raise QueueFull("full")

    monkeypatch.setattr(job_manager.job_manager, "start", full)
    answer = client.post(f"{API}/runs", json={"scenario": small, "schedulers": ["fair"]})
    problem(answer, 429)
    assert answer.headers["Retry-After"]


def test_a_fault_stands_in_the_problem(client: FlaskClient, small: dict) -> None:
    del small["jobs"]
    told = problem(client.post(f"{API}/runs", json={"scenario": small, "schedulers": ["fair"]}), 422)
    assert told["faults"][0]["path"] == "jobs"


def test_the_document_names_every_operation(client: FlaskClient) -> None:
    described = client.get(f"{API}/openapi.json").json
    assert described["openapi"] == "3.1.0" and described["info"]["version"] == VERSION
    assert described["servers"] == [{"url": API}]
    assert all(one["summary"] for path in described["paths"].values() for one in path.values())


def test_no_answer_names_a_visitor(client: FlaskClient, small: dict) -> None:
    answer = client.post(f"{API}/check", json={"scenario": small})
    assert "Set-Cookie" not in answer.headers
