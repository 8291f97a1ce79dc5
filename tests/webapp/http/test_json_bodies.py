"""What a visitor may send: every route that reads JSON refuses what is too much in a sentence, and never with
a traceback.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from dash import Dash, html
from flask import Flask, request
from flask.testing import FlaskClient

from engine import FormatError
from engine.dashboard import TooLarge
from tests.phrases import phrase
from webapp.http import json_bodies
from webapp.panels.editor import check, files
from webapp.panels.run import run_routes
from webapp.panels.timeline import drawing
from webapp.panels.what_if import sliders

LEAST = 2**16
HUGE = "1" + "0" * 400


@pytest.fixture
def client(cache: object, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The plain routes, with the least limits an owner may set."""
    for name in ("GANTRY_MAX_BYTES", "GANTRY_MAX_FILE_BYTES"):
        monkeypatch.setenv(name, str(LEAST))
    server = Flask("bodies")
    app = Dash("bodies", server=server, suppress_callback_exceptions=True)
    app.layout = html.Div()
    json_bodies.start(server)
    for part in (check, files, run_routes, drawing, sliders):
        part.register(app)
    return server.test_client()


def post(client: FlaskClient, address: str, body: str | bytes) -> object:
    return client.post(f"/{address}", data=body, content_type="application/json")


DEEP = phrase("common.nested_more_than_deep_2", 100)
TOO_MUCH = [
    ("[" * 900 + "]" * 900, DEEP),
    ('{"scenario":' * 101 + "0" + "}" * 101, DEEP),
    ("[" * (LEAST // 32) + "]" * (LEAST // 32), DEEP),
    (
        "[" + "{}," * (LEAST // 32 + 1) + "0]",
        phrase("services.holds_more_than_lists_and", f"{LEAST // 32:,}"),
    ),
    ("[" + "0," * (LEAST // 5 + 1) + "0]", phrase("common.holds_more_than_values", f"{LEAST // 5:,}")),
    (
        '{"name":"' + "a" * LEAST + '"}',
        phrase("services.holds_more_than_bytes_limit", f"{LEAST:,}", "GANTRY_MAX_BYTES"),
    ),
    ('{"seed":' + "9" * 5000 + "}", phrase("services.holds_number_too_many_digits")),
]


@pytest.mark.parametrize(("body", "said"), TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_too_much_is_said_where_it_was_sent(client: FlaskClient, body: str, said: str) -> None:
    assert said in post(client, check.ADDRESS, body).get_json()["faults"][0]["sentence"]
    assert said in post(client, "jobs/run/start", body).get_json()["says"]
    assert said in post(client, sliders.ADDRESS, body).get_json()["because"]


def test_what_is_within_the_limits_is_read() -> None:
    app = Flask("read")
    for text in ("[" * 100 + "]" * 100, '{"a": [1, 2.5, "é", null]}', b'{"a": 1}'):
        assert json_bodies.loads(text) == json.loads(text)
    with app.test_request_context(json={"a": 1}):
        assert json_bodies.request_json() == {"a": 1}
    for body in ("{", "\ud800".encode("utf-8", "surrogatepass")):
        with app.test_request_context(data=body, content_type="application/json"):
            assert json_bodies.request_json() is None
    for text, error in (("[" * 200_000, TooLarge), ("9" * 5000, FormatError)):
        with pytest.raises(error):
            json_bodies.loads(text)


def test_a_server_bounds_what_dash_reads_too(client: FlaskClient) -> None:
    """Dash's own callbacks read request.get_json()."""
    app = Flask("dash")
    json_bodies.start(app)
    with (
        app.test_request_context(data="[" * 900 + "]" * 900, content_type="application/json"),
        pytest.raises(TooLarge),
    ):
        request.get_json()


HOSTILE = [
    '{"scenario": {"queues": [{"name": []}], "jobs": [0]}, "schedulers": ["fair"]}',
    f'{{"scenario": {{"queues": [{{"name": "root.a", "capacity_pct": {HUGE}}}]}}, "schedulers": ["fair"]}}',
    f'{{"scenario": {{"version": {HUGE}, "cluster": {{"nodes": [{{"count": {HUGE}}}], "outages": '
    f'[{{"lost_s": {HUGE}}}]}}, "jobs": [{{"count": {HUGE}}}]}},'
    ' "schedulers": []}',
    f'{{"rest": true, "key": "k", "changes": [{{"path": "jobs[0].maps.duration_s.scale", "value": '
    f'{HUGE}}}], "of": {{"scenario": {{}}, "schedulers": []}}}}',
    '{"rest": true, "key": "k", "changes": [{"path": "jobs[0].slowstart.scale", "value": 2.5}], "of": '
    '{"schedulers": [],'
    f' "scenario": {{"jobs": [{{"slowstart": {HUGE}}}]}}}}}}',
    f'{{"job": {{"id": "a", "asked": {HUGE}}}, "look": {{"width": {HUGE}}}}}',
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("address", [check.ADDRESS, "jobs/run/start", "jobs/run/follow", sliders.ADDRESS])
def test_nothing_hostile_is_a_traceback(client: FlaskClient, address: str, body: str) -> None:
    inner = json.dumps(json.loads(body).get("scenario")) if address == check.ADDRESS else body
    assert post(client, address, inner).status_code == 200


def test_a_file_beyond_the_limit_is_a_sentence(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "large.json").write_text('{"version":1,"name":"' + "a" * 2 * LEAST + '"}')
    with (tmp_path / "large.json").open("rb") as file:
        answer = client.post(f"/{files.ADDRESS}", data={"file": (file, "large.json")}).get_json()
    assert answer == {
        "fault": phrase("services.files_hold_more_than_bytes", "65,536", "GANTRY_MAX_FILE_BYTES")
    }
    (tmp_path / "small.json").write_text('{"version":1}')
    with (tmp_path / "small.json").open("rb") as file:
        assert (
            client.post(f"/{files.ADDRESS}", data={"file": (file, "small.json")}).get_json()["draft"][
                "scenario"
            ]["version"]
            == 1
        )


def test_no_log_has_a_traceback_of_what_is_refused(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for body, _ in TOO_MUCH:
            post(client, check.ADDRESS, body)
    assert not caplog.records


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999"])
def test_an_answer_is_json_that_browsers_read(client: FlaskClient, number: str) -> None:
    """The old one: what is no number in JSON came back as it was sent."""
    body = (
        f'{{"rest": true, "key": "k", "changes": [], "of": {{"scenario": {{"version": 1, "cluster": '
        f'{{"outages": {number}}}}}, "schedulers": ["fair"]}}}}'
    )
    text = post(client, sliders.ADDRESS, body).get_data(as_text=True)

    def refuse(name: str) -> None:
        raise AssertionError(name)

    json.loads(text, parse_constant=refuse)
    app = Flask("answers")
    json_bodies.start(app)
    by_name = {"a": [1.5, float(number), {"b": (float(number),)}]}
    assert json.loads(app.json.dumps(by_name)) == {"a": [1.5, None, {"b": [None]}]}
