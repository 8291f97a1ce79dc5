"""The address of what the page plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dash import Dash, html
from flask import Flask
from flask.testing import FlaskClient

from webapp.panels.timeline import play
from webapp.services import playback, runs
from webapp.services.cache import shared
from webapp.services.url_state import Asked


@pytest.fixture
def client(data: Path) -> Iterator[FlaskClient]:
    server = Flask("test")
    shared.start(server, "test")
    app = Dash("test", server=server, suppress_callback_exceptions=True)
    app.layout = html.Div()
    play.register(app)
    with server.test_client() as client:
        yield client


@pytest.fixture
def key(client: FlaskClient, small: dict) -> str:
    task = runs.task(Asked(small, ("fair", "fifo")))
    runs.keep(task)
    return task.key


def test_a_run_is_served_for_the_browser_to_keep(client: FlaskClient, key: str) -> None:
    answer = client.get(f"/play/{key}/1")
    assert (answer.status_code, answer.mimetype) == (200, "application/octet-stream")
    assert b'"scheduler":"fifo"' in answer.data
    assert "max-age" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("place", ["nothing/0", "{key}/2", "{key}/99999999999999999999"])
def test_what_is_not_there_is_a_sentence(client: FlaskClient, key: str, place: str) -> None:
    assert client.get(f"/play/{place.format(key=key)}").status_code == 404


def test_too_many_containers_are_told_with_what_to_do(client: FlaskClient, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback, "MOST", 2)
    assert "zoom the charts in" in client.get(f"/play/{key}/0").json["says"]
    assert client.get(f"/play/{key}/0?x0=0&x1=1").mimetype == "application/octet-stream"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, None),
        ({"x0": "5"}, None),
        ({"x0": "a", "x1": "9"}, None),
        ({"x0": "9", "x1": "9"}, None),
        ({"x0": "-1", "x1": "9"}, None),
        ({"x0": "0", "x1": "9" * 30}, None),
        ({"x0": "1", "x1": "2"}, (1, 2)),
    ],
)
def test_a_window_that_makes_no_sense_is_none(asked: dict, found: object) -> None:
    assert play.window(asked) == found
