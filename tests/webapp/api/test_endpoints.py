"""The API as a program uses it: bodies, types, addresses, and what is wrong as a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import VERSION, simulate
from engine.output.result_format import result
from engine.scenario.model import Scenario
from tests.waiting import until
from webapp import settings
from webapp.http import trusted_proxies
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
        ("PROPFIND", "/runs", 405),
        ("GET", "//runs", 404),
        ("DELETE", f"/sweeps/{NOTHING}{UNKNOWN}", 404),
    ],
)
def test_what_is_not_here(client: FlaskClient, method: str, place: str, status: int) -> None:
    answer = client.open(API + place, method=method)
    problem(answer, status)
    assert ("Allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("method", ["GET", "PUT", "TRACE", "PROPFIND"])
def test_allow_names_what_the_address_takes(client: FlaskClient, method: str) -> None:
    answer = client.open(f"{API}/runs", method=method)
    assert problem(answer, 405)["detail"].endswith("OPTIONS, POST.")
    assert answer.headers["Allow"] == "OPTIONS, POST"


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


def test_an_id_ends_where_it_ends(client: FlaskClient, small: dict) -> None:
    found = run(client, small, "fair")
    problem(client.get(f"{API}/runs/{found['id']}%0A"), 404)
    problem(client.post(f"{API}/links", json={"run": found["id"] + "\n"}), 422)


def test_no_cache_keeps_what_is_wrong(client: FlaskClient) -> None:
    """What is not here yet may be in a moment, of which a proxy that kept the problem would not tell."""
    for answer in (client.get(f"{API}/runs/{UNKNOWN}"), client.put(f"{API}/runs"), client.get(API)):
        assert answer.mimetype == "application/problem+json"
        assert answer.headers["Cache-Control"] == "no-store"


def test_an_accept_that_names_nothing_takes_all(client: FlaskClient) -> None:
    assert client.get(f"{API}/schedulers", headers={"Accept": ""}).status_code == 200


def test_what_is_wrong_with_a_body_is_a_sentence(client: FlaskClient) -> None:
    deep = client.post(f"{API}/check", data="[" * 1000, content_type="application/json")
    long = client.post(f"{API}/check", data="9" * 5000, content_type="application/json")
    for answer, status in ((deep, 413), (long, 400)):
        said = problem(answer, status)["detail"]
        assert said[0].isupper() and said.endswith(".")


class Program:
    """Asks from an address, without a cookie unless a page gave it one. held: what it has in the queue."""

    def __init__(self, client: FlaskClient, address: str, **headers: str) -> None:
        self.client = client.application.test_client()
        self.options: dict[str, Any] = {"environ_overrides": {"REMOTE_ADDR": address}}
        self.headers = {name.replace("_", "-"): text for name, text in headers.items()}
        self.held: list[str] = []

    def begin(self, scenario: dict[str, Any]) -> int:
        asked = {"scenario": scenario, "schedulers": ["fair"]}
        answer = self.client.post(f"{API}/runs", json=asked, headers=self.headers, **self.options)
        if answer.status_code == 202:
            self.held.append(answer.headers["Location"])
        return answer.status_code

    def cancel(self) -> None:
        while self.held:
            assert self.client.delete(self.held.pop()).status_code == 204


@pytest.fixture
def program(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Program]]:
    """Makes programs on a server where all is queued and nobody works, at most two tasks of a visitor."""
    monkeypatch.setenv("GANTRY_MAX_QUEUE", "20")
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")
    monkeypatch.setattr(job_manager, "IMMEDIATE_S", -1.0)
    made: list[Program] = []

    def make(address: str, **headers: str) -> Program:
        made.append(Program(client, address, **headers))
        return made[-1]

    yield make
    for one in made:
        one.cancel()


def test_who_asks_much_leaves_room_for_others(program: Callable[..., Program], small: dict) -> None:
    greedy, other, beside = program("9.9.9.1"), program("9.9.9.2"), program("9.9.9.1")
    assert [greedy.begin(small) for _ in range(3)] == [202, 202, 429]
    assert other.begin(small) == 202
    assert beside.begin(small) == 429  # of one address are one
    beside.client.get("/", **beside.options)  # a page's visitor is known by the cookie
    assert beside.begin(small) == 202
    greedy.cancel()
    assert greedy.begin(small) == 202


def test_nobody_says_where_a_program_asks_from(program: Callable[..., Program], small: dict) -> None:
    assert [
        program("9.9.9.3", X_Forwarded_For=f"1.1.1.{i}", X_Real_IP="1.1.1.1").begin(small) for i in range(3)
    ] == [202, 202, 429]


def test_but_the_owner_s_proxies(
    client: FlaskClient, program: Callable[..., Program], small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_PROXIES", "1")
    monkeypatch.setattr(client.application, "wsgi_app", client.application.wsgi_app)  # as it is afterwards
    trusted_proxies.start(client.application)
    forged = [program("10.0.0.1", X_Forwarded_For=f"1.1.1.{i}, 2.2.2.2") for i in range(3)]
    assert [one.begin(small) for one in forged] == [202, 202, 429]
    assert program("10.0.0.1", X_Forwarded_For="1.1.1.1, 3.3.3.3").begin(small) == 202


def test_nobody_ends_a_run_by_a_guessed_id(program: Callable[..., Program], small: dict) -> None:
    """The first half of an id follows from the scenario, the second is of the one who began it."""
    owner, other = program("9.9.9.4"), program("9.9.9.5")
    owner.begin(small)
    (place,) = owner.held
    guessed = place.rpartition("-")[0] + "-" + NOTHING
    assert other.client.delete(guessed).status_code == 204
    assert owner.client.get(place).json["state"] == "queued"
