"""Who may read the metrics, and that Prometheus can."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sql
from flask import Flask
from flask.testing import FlaskClient

from engine import VERSION
from tests.webapp.metric_samples import samples
from webapp import probes
from webapp.jobs.job_queue import BackgroundTask, new_id, queue, works_table
from webapp.runs.cache import SharedCache


@pytest.fixture
def client(cache: SharedCache) -> FlaskClient:
    server = Flask("test")
    probes.register(server, "/")
    return server.test_client()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8050", "[::1]:8050"])
def test_this_machine_reads_them(client: FlaskClient, host: str) -> None:
    assert client.get("/metrics", headers={"Host": host}).status_code == 200
    assert client.get("/metrics", headers={"Host": host}, environ_base={"REMOTE_ADDR": ""}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ({"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1"),
        ({"X-Real-IP": "127.0.0.1"}, "127.0.0.1"),
        ({"Forwarded": "for=127.0.0.1"}, "127.0.0.1"),
        ({"Host": "rebound.example"}, "127.0.0.1"),
        ({}, "10.1.2.3"),
        ({"Authorization": "Bearer "}, "10.1.2.3"),
        ({"Authorization": "Bearer wrong"}, "10.1.2.3"),
        ({"Authorization": "Basic dG9rZW46dG9rZW4="}, "10.1.2.3"),
    ],
)
@pytest.mark.parametrize("token", ["", "the-owner's"])
def test_nobody_else_does(
    client: FlaskClient, headers: dict, address: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GANTRY_METRICS_TOKEN", token)
    answer = client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == 403 and answer.text == probes.scrape.REFUSED


def test_but_who_has_the_owners_token(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_METRICS_TOKEN", "the-owner's")
    headers = {"Authorization": "Bearer the-owner's", "X-Forwarded-For": "10.1.2.3"}
    assert (
        client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": "10.0.0.1"}).status_code == 200
    )


def test_how_things_stand(client: FlaskClient, cache: SharedCache, data: Path) -> None:
    for seconds in (1.0, 2.0):
        queue().add(BackgroundTask(new_id(), "run", "{}", "anna", seconds, 1), 9)
    assert queue().take("me")
    cache.put("run:1", b"x" * 5000)
    with queue().database.begin("away") as connection:
        connection.execute(sql.update(works_table).values(queued=works_table.c.queued - 100))
    result = samples(client.get("/metrics").text)
    assert result["gantry_works", ("state", "queued")] == result["gantry_works", ("state", "running")] == 1
    assert result[("gantry_work_oldest_wait_seconds",)] >= 100
    assert result[("gantry_links",)] == 0 and result[("gantry_cache_bytes",)] >= 5000
    assert (
        result[("gantry_database_up",)]
        == result[("gantry_cache_up",)]
        == result["gantry_build_info", ("version", VERSION)]
        == 1
    )


def test_without_the_database_the_rest_is_told(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.webapp.conftest import forget

    monkeypatch.setenv("DATABASE_URL", "postgres://gantry@127.0.0.1:1/gantry")
    forget()
    client.get("/metrics")  # its own failure is counted by the time of the next one
    result = samples(client.get("/metrics").text)
    assert result[("gantry_database_up",)] == 0
    assert (
        "gantry_works" not in {name for name, *_ in result}
        and sum(value for (name, *_), value in result.items() if name == "gantry_database_failures_total") > 0
    )
