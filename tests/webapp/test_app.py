"""A server process is ready before its first request."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from gunicorn.config import Config

from tests.conftest import ROOT
from tests.phrases import phrase
from webapp import app

ALL_AT_ONCE = """
import re, threading
from concurrent.futures import ThreadPoolExecutor
from webapp.app import make, server

found = re.findall(r'"(/(?:bundle/|_dash-)[^"]*)"', server.test_client().get("/").text)
other, start = make().server, threading.Barrier(len(found))

def ask(path):
    start.wait()
    answer = other.test_client().get(path)
    return answer.status_code, answer.headers["Content-Security-Policy"] == policy

policy = server.test_client().get("/").headers["Content-Security-Policy"]
with ThreadPoolExecutor(len(found)) as visitors:
    assert len(found) > 5
    assert set(visitors.map(ask, found)) == {(200, True)}
"""


def test_the_first_requests_may_come_all_at_once(tmp_path: Path) -> None:
    """A browser asks for every file together, and any of several processes may be one that has served nothing
    yet.
    """
    subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE],
        cwd=ROOT,
        env={**os.environ, "GANTRY_DATA": str(tmp_path)},
        check=True,
    )


def test_it_answers_to_its_hosts_and_says_what_it_does_not_read(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_TRUSTED_HOSTS", ".below.example, gantry.example")
    monkeypatch.setenv("GANTRY_MAX_BYTES", "65536")
    client = app.make().server.test_client()
    assert client.get("/", headers={"Host": "gantry.example:8050"}).status_code == 200
    assert client.get("/", headers={"Host": "a.below.example"}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    post = lambda path, body: client.post(
        path, data=body, content_type="application/json", headers={"Host": "gantry.example"}
    )
    large = post("/_dash-update-component", b" " * 70_000)
    assert (large.status_code, large.text) == (
        413,
        phrase("webapp.not_read_holds_more_than", "65,536", "GANTRY_MAX_BYTES"),
    )
    for path in ("/_dash-update-component", "/charts/draw"):
        deep = post(path, b"[" * 900 + b"]" * 900)
        assert (deep.status_code, deep.text) == (400, phrase("webapp.not_read_nested_more_than", 100))


@pytest.mark.parametrize(
    ("variable", "statuses"),
    [
        ("DASH_URL_BASE_PATHNAME", {"/": 404, "/healthz": 404, "/g/": 200, "/g/healthz": 200, "/g/no": 404}),
        ("DASH_REQUESTS_PATHNAME_PREFIX", {"/": 200, "/healthz": 200, "/exercises": 200, "/no": 404}),
    ],
)
def test_it_stands_below_a_path(
    data: Path, monkeypatch: pytest.MonkeyPatch, variable: str, statuses: dict[str, int]
) -> None:
    monkeypatch.setenv(variable, "/g/")
    client = app.make().server.test_client()
    assert {path: client.get(path).status_code for path in statuses} == statuses


def test_gunicorn_opens_no_socket_by_which_it_is_governed() -> None:
    """By default it does, in HOME or XDG_RUNTIME_DIR, which may be shared or not there."""
    kind, _, command = (ROOT / "Procfile").read_text().partition(": gunicorn ")
    assert kind == "web"
    command = re.sub(r"\$\{\w+:-(\w+)\}", r"\1", command)
    assert Config().parser().parse_args(shlex.split(command)).control_socket_disable is True
