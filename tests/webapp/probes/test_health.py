"""Readiness is told by a server whose database or cache hangs too, after no more than its patience."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine import VERSION
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S
from tests.webapp.conftest import forget
from webapp import probes, settings
from webapp.monitoring import metric_files
from webapp.probes import health
from webapp.probes.timed_probes import Probe, run_probes
from webapp.runs import cache as cache_module
from webapp.runs.cache import shared_cache
from webapp.store import database as database_module

MOST_S = 2.0  # after which a host takes it for away


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def client(data: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    assert health.PROBE_TIMEOUT_S < MOST_S
    monkeypatch.setattr(health, "PROBE_TIMEOUT_S", MAX_WAIT_S)
    for name in ("_database_probe", "_cache_probe"):  # no answer that another test waits for
        monkeypatch.setattr(health, name, Probe(getattr(health, name)._ask))
    return started()


def started() -> FlaskClient:
    forget()
    server = Flask("test")
    shared_cache.start(server, "test")
    probes.register(server, "/")
    return server.test_client()


def ready(client: FlaskClient) -> tuple[int, dict]:
    answer = client.get("/readyz")
    return answer.status_code, answer.json


def test_after_the_data_folder_was_deleted_nobody_claims_that_no_process_is_alive(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")
    monkeypatch.setenv("GANTRY_WORKERS", "1")
    monkeypatch.setattr(metric_files, "folder", lambda: tmp_path / "gone")
    status, result = ready(client)
    assert (status, result["status"], result["work"]) == (
        200,
        "ready",
        phrase("probes.not_known_since_data_folder"),
    )


def test_a_server_that_has_all_is_ready(client: FlaskClient) -> None:
    status, result = ready(client)
    work = phrase("probes.in_servers_own_processes") if settings.workers() else "elsewhere"
    assert status == 200
    assert result == {
        "status": "ready",
        "says": "",
        "version": VERSION,
        "database": "answers",
        "cache": "keeps",
        "work": work,
    }


def test_one_whose_database_hangs_says_so(
    client: FlaskClient, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://gantry:secret-word@127.0.0.1:{silent}/gantry")
    monkeypatch.setattr(database_module, "CONNECT_S", MAX_WAIT_S)
    monkeypatch.setattr(health, "PROBE_TIMEOUT_S", 0.0)
    client = started()
    for _ in range(3):
        status, result = ready(client)
        assert (status, result["status"], result["database"]) == (503, "away", "away") and result[
            "says"
        ].startswith(health.NO_DATABASE)
    assert client.get("/healthz").json == {"status": "alive", "version": VERSION}
    assert sum(one.name == "probe" for one in threading.enumerate()) <= 2, (
        "one question at a time, however often it is asked"
    )
    assert not health._database_probe.begin().done(), "it was not waited for"


def test_one_whose_database_is_away_too(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://gantry@127.0.0.1:1/gantry")
    assert ready(started())[0] == 503


def test_without_its_cache_it_is_ready(
    client: FlaskClient, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{silent}/0")
    monkeypatch.setattr(cache_module, "REDIS_TIMEOUT_S", 0.1)
    status, result = ready(started())
    assert (status, result["status"], result["cache"], result["says"]) == (
        200,
        "degraded",
        "keeps nothing",
        health.NO_CACHE,
    )
    for one in threading.enumerate():
        if one.name == "probe":
            one.join()  # what it finds would be believed of the next test's cache


def test_without_its_work_processes_too(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")
    monkeypatch.setenv(metric_files.FOLDER_VARIABLE, "")
    monkeypatch.setenv("GANTRY_WORKERS", "2")
    held, metric_files._locks = metric_files._locks, []
    metric_files.start()
    metric_files.join("web")
    status, result = ready(client)
    assert (status, result["status"], result["work"], result["says"]) == (
        200,
        "degraded",
        "0 of 2 processes",
        health.NO_PROCESS,
    )
    metric_files.join("work")
    assert ready(client)[1]["status"] == "ready"
    for handle in metric_files._locks:
        os.close(handle)
    metric_files._locks = held


def test_a_question_that_hangs_is_asked_once() -> None:
    asked, goes_on = [], threading.Event()
    hangs = Probe(lambda: (asked.append(1), goes_on.wait(MAX_WAIT_S))[1])
    assert [
        type(run_probe) for run_probe in run_probes([hangs, Probe(lambda: 1 / 0), Probe(lambda: 5)], 0.5)
    ] == [TimeoutError, ZeroDivisionError, int]
    assert isinstance(run_probes([hangs], 0.0)[0], TimeoutError) and len(asked) == 1
    goes_on.set()
    assert run_probes([hangs], MAX_WAIT_S) == [True]
