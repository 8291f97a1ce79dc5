"""The pages as a server answers them: always an answer, never a traceback."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine import paper_experiments, presets
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json
from webapp.pages import limits, main
from webapp.panels import long_work
from webapp.runs import saved_tasks, warm_up
from webapp.runs.task import build_task
from webapp.runs.task_link import make_link, with_title
from webapp.url import links, url_state
from webapp.url.url_state import RunRequest

ASSETS = Path(__file__).resolve().parents[2] / "assets"


def test_the_page_is_served_with_its_headers(client: FlaskClient) -> None:
    answer = client.get("/")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert '<html lang="en">' in text
    assert 'name="description" content="See every container' in text
    assert "favicon.svg" in text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in re.search(r"script-src ([^;]*)", policy)[1]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_asks_another_host_for_anything(client: FlaskClient) -> None:
    assert re.findall(r'(?:src|href)="(?!/|#)[^"]*"', client.get("/").get_data(as_text=True)) == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/_dash-update-component", b""),
        ("POST", "/_dash-update-component", b"{"),
        ("POST", "/_dash-update-component", b"[]"),
        ("POST", "/_dash-update-component", b"null"),
        ("POST", "/_dash-update-component", b'{"output": "nothing.here", "inputs": []}'),
        ("POST", "/_dash-update-component", b'{"output": "result.data", "outputs": {}, "inputs": 5}'),
        ("GET", "/_dash-component-suites/dash/../../etc/passwd", b""),
        ("GET", "/_dash-component-suites/nothing/x.js", b""),
        ("GET", "/assets/nothing.js", b""),
        ("GET", "/export/x/y", b""),
        ("GET", "/export/%00/result.json", b""),
        ("POST", "/export/0123456789abcdef/result.json", b""),
        ("POST", "/editor/check", b"{"),
        ("POST", "/editor/open", b"nothing"),
        ("DELETE", "/", b""),
    ],
)
def test_a_senseless_request_is_refused_and_nothing_more(
    client: FlaskClient, method: str, path: str, body: bytes
) -> None:
    answer = client.open(path, method=method, data=body, content_type="application/json")
    assert answer.status_code < 500
    assert b"Traceback" not in answer.data


def test_a_bug_in_a_plain_route_leaves_its_traceback_in_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError("made so")

    monkeypatch.setattr(long_work.job_manager, "cancel", fails)
    answer = client.post("/jobs/run/cancel", json={"job": {"id": "a"}})
    assert (answer.status_code, answer.data) == (400, b"Bad request.")
    assert (
        phrase("webapp.refused_request_traceback", "/jobs/run/") in caplog.text and "made so" in caplog.text
    )


@pytest.mark.parametrize("changed", [[7], "a.b", {"a": 1}])
def test_what_triggered_a_callback_is_a_list_of_names(client: FlaskClient, changed: object) -> None:
    output = {"id": "class-names", "property": "value"}
    body = {"output": "class-names.value", "outputs": output, "inputs": [[]], "changedPropIds": changed}
    answer = client.post("/_dash-update-component", json=body | {"state": [output | {"value": 2}]})
    assert answer.status_code == 400 and answer.text == phrase("http.changed_no_list")


def test_no_class_is_defined_by_two_style_sheets() -> None:
    """A part of the page looks as its own sheet says, not as a part of another page that happens to share a
    word.
    """
    sheets: dict[str, set[str]] = {}
    for path in ASSETS.glob("**/*.css"):
        rules = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for name in re.findall(r"(?:^|[},{])\s*(\.[\w-]+)\s*(?=[,{])", rules):
            sheets.setdefault(name, set()).add(path.name)
    assert len(sheets) > 100
    assert {name: result for name, result in sheets.items() if len(result) > 1} == {}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/model",
        "/checked-against-hadoop",
        "/schedulers",
        "/schedulers/fifo",
        "/papers",
        "/papers/haste",
        next(f"/papers/{name}" for name in paper_experiments()),
    ],
)
def test_a_known_page_answers_200(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/model/nothing",
        "/schedulers/nothing",
        "/schedulers/fifo/nothing",
        "/papers/nothing",
        "/papers/haste/nothing",
        "/papers/haste/a/b",
    ],
)
def test_an_unknown_page_answers_404_with_the_same_document(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "_dash-config" in answer.get_data(as_text=True)
    assert answer.content_type == client.get("/").content_type


NONSENSE = (
    None,
    0,
    -1,
    10**30,
    "",
    "\x00",
    "x" * 5000,
    [],
    {},
    {"key": 5},
    {"key": "x"},
    {"x0": "a"},
    [None],
    True,
)


def test_a_callback_that_is_sent_nonsense_answers(client: FlaskClient) -> None:
    """Whatever a stranger puts in place of what the page sends: no callback ends in a 500."""
    asked = 0
    for callback in client.get("/_dash-dependencies").json:
        if callback["clientside_function"]:
            continue
        for value in NONSENSE:
            body = {
                "output": callback["output"],
                "changedPropIds": [f"{part['id']}.{part['property']}" for part in callback["inputs"]],
            }
            body["outputs"] = _places(callback["output"])
            for kind in ("inputs", "state"):
                body[kind] = [_filled(part, value) for part in callback[kind]]
            answer = client.post("/_dash-update-component", json=body)
            assert answer.status_code < 500, (callback["output"], value)
            assert b"Traceback" not in answer.data
            asked += 1
    assert asked > 100


def _places(output: str) -> list | dict:
    """The outputs of a callback as a page names them, patterns as matching nothing."""
    names = output.strip(".").split("...") if output.startswith("..") else [output]
    places = [
        [] if "ALL" in name else {"id": name.rpartition(".")[0], "property": name.rpartition(".")[2]}
        for name in names
    ]
    return places if output.startswith("..") else places[0]


def _filled(part: dict, value: object) -> object:
    if "ALL" in part["id"]:
        return [{"id": {"type": "x", "index": 0}, "property": part["property"], "value": value}]
    return {"id": part["id"], "property": part["property"], "value": value}


def test_a_request_that_is_too_large_is_refused(client: FlaskClient) -> None:
    assert (
        client.post(
            "/_dash-update-component", data=b" " * (64 * 2**20 + 1), content_type="application/json"
        ).status_code
        == 413
    )


def test_without_an_address_the_first_preset_is_the_start(client: FlaskClient) -> None:
    start, note, complaints = main.initial_state({})
    assert (note, complaints) == ("", [])
    assert start["asked"] is None
    assert start["example"]["scenario"] == presets()[0].scenario.plain()


def test_a_stored_link_is_the_start(client: FlaskClient, small: dict) -> None:
    link = make_link(build_task(RunRequest(small, ("fair", "fifo"))))
    start, note, complaints = main.initial_state({"r": link.id, "x0": "5", "x1": "9", "job": "one"})
    assert (note, complaints) == ("", [])
    assert (start["link"], start["seen"]["window"], start["seen"]["highlight"]) == (
        link.id,
        {"x0": 5, "x1": 9},
        "job:one",
    )
    assert build_task(RunRequest.of(start["asked"])).key == link.id


def test_a_link_keeps_scenario_metrics_and_version(client: FlaskClient, small: dict) -> None:
    task = build_task(RunRequest(small, ("fair", "fifo")))
    kept = links.link_store().find(make_link(task).id)
    assert (kept.title, kept.scenario, kept.schedulers) == ("small", task.scenario.plain(), ("fair", "fifo"))
    assert [metric["makespan_s"] for metric in kept.metrics] == [
        outcome.metrics["makespan_s"] for outcome in task.outcomes()
    ]


def test_a_title_is_the_scenarios_name_without_control_characters(small: dict) -> None:
    task = with_title(build_task(RunRequest(small, ("fair",))), " My\x00 \u202etitle\n" + "x" * 30)
    assert task.scenario.name == "My title " + "x" * 30


def test_a_scenario_in_the_address_is_the_start(client: FlaskClient, small: dict) -> None:
    text = url_state.pack(RunRequest(small, ("fair",)))
    start, note, _ = main.initial_state({"s": text})
    assert (start["asked"], note) == ({"scenario": small, "schedulers": ["fair"]}, "")


MEANT = "fair(reservations=no, update_ms=0)+slowstart+admit-all"


def test_a_link_of_0_1_is_shown_as_it_was_meant(client: FlaskClient, small: dict) -> None:
    link = make_link(build_task(RunRequest(small, ("fair", "haste"))))
    links.link_store().save(replace(link, id="0" * 16, version="0.1.0"))
    start, note, complaints = main.initial_state({"r": "0" * 16, "pin": "0" * 16})
    assert (
        start["asked"]["schedulers"] == start["pinned"]["schedulers"] == [MEANT, "haste+slowstart+admit-all"]
    )
    assert note == phrase("webapp.this_link_was_made_with", 0.1, MEANT, "haste+slowstart+admit-all")
    assert complaints == []
    assert main.initial_state({"r": link.id})[0]["asked"]["schedulers"] == ["fair", "haste"]


@pytest.mark.parametrize("query", [{"r": "f" * 16}, {"r": "x"}, {"s": "v1.x"}, {"x0": "1"}])
def test_a_broken_address_is_a_complaint_beside_the_usual_start(client: FlaskClient, query: dict) -> None:
    start, _, complaints = main.initial_state(query)
    assert len(complaints) == 1
    assert start["asked"] is None


def test_a_database_that_is_away_is_a_complaint(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        main, "link_store", lambda: links.LinkStore("postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    )
    _, _, complaints = main.initial_state({"r": "f" * 16})
    assert "does not answer" in complaints[0]


def test_files_of_a_result_are_served(client: FlaskClient, small: dict) -> None:
    task = build_task(RunRequest(small, ("fair", "fifo")))
    saved_tasks.save_task(task)
    answer = client.get(f"/export/{task.key}/result.json")
    assert [run["scheduler"] for run in answer.json["runs"]] == ["fair", "fifo"]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="small-result.json"'
    assert (
        client.get(f"/export/{task.key}/jobs.csv").text.splitlines()[0].startswith("scheduler,name,arrival_s")
    )
    events = client.get(f"/export/{task.key}/trace.json").json["traceEvents"]
    processes = [event["args"]["name"] for event in events if event["name"] == "process_name"]
    assert processes == ["fair / in use", "fair / node1", "fifo / in use", "fifo / node1"]
    assert "%EventDef PajePushState" in client.get(f"/export/{task.key}/paje.trace").text
    batsim = zipfile.ZipFile(io.BytesIO(client.get(f"/export/{task.key}/batsim.zip").data)).namelist()
    assert batsim[:2] == ["notes.txt", "fair_jobs.csv"] and len(batsim) == 1 + 2 * 3
    assert client.get(f"/export/{task.key}/nothing.csv").status_code == 404


def test_the_page_on_the_model_names_what_is_left_out() -> None:
    text = as_json(limits.layout()).lower()
    for topic in (
        phrase("webapp.off_until_you_ask"),
        "why attempts fail",
        "reservations",
        "shared network",
        "inside the shuffle",
        "preemption",
    ):
        assert topic in text
    assert len({gap.key for gap in limits.LIMITATIONS}) == len(limits.LIMITATIONS)


def test_the_start_of_a_process_says_when_the_simulator_is_ready(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    warm_up.start().join()
    assert warm_up.ready.is_set()
    assert phrase("webapp.simulator_ready") in caplog.text


def test_the_scripts_name_only_what_the_page_has() -> None:
    """A callback's function that no script defines fails in the browser only; here it fails sooner."""
    scripts = "".join(path.read_text() for path in ASSETS.glob("*.js"))
    for path in (ASSETS.parent / "webapp").rglob("*.py"):
        for name in re.findall(r'(?:ClientsideFunction\("gantry", |gantry\()"(\w+)"\)', path.read_text()):
            assert re.search(rf"\b{name}\b", scripts), (
                f"{path.name} calls gantry.{name}, which no script defines"
            )
