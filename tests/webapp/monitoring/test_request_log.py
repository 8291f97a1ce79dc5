"""Ids and counts of requests: nothing a visitor sends becomes a label."""

from __future__ import annotations

import logging
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY

from webapp.monitoring import request_log


@pytest.fixture
def client() -> FlaskClient:
    server = Flask("test")
    request_log.start(server)
    server.add_url_rule("/things/<name>", "thing", lambda name: name)
    return server.test_client()


def count(method: str, route: str, status: int) -> float:
    return (
        REGISTRY.get_sample_value(
            "gantry_http_requests_total", {"method": method, "route": route, "status": str(status)}
        )
        or 0.0
    )


@pytest.mark.parametrize("given", ["abc-1.2_3", "x" * 64])
def test_a_plain_id_is_kept(client: FlaskClient, given: str) -> None:
    assert client.get("/things/a", headers={"X-Request-ID": given}).headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a;b", '{"a"', "é"])
def test_any_other_is_made_anew(client: FlaskClient, given: str) -> None:
    assert re.fullmatch(
        "[0-9a-f]{16}", client.get("/things/a", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    )


def test_requests_are_counted_and_told_by_their_rule(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = count("GET", "/things/<name>", 200), count("GET", "none", 404), count("other", "none", 404)
    client.get("/things/secret-name?and=query")
    client.get("/nothing/secret-name")
    client.open("/nothing", method="BREW")
    assert (
        count("GET", "/things/<name>", 200),
        count("GET", "none", 404),
        count("other", "none", 404),
    ) == tuple(number + 1 for number in before)
    lines = [record for record in caplog.records if record.name == "gantry.access"]
    assert [(line.method, line.route, line.status) for line in lines] == [
        ("GET", "/things/<name>", 200),
        ("GET", "none", 404),
        ("other", "none", 404),
    ]
    assert "secret-name" not in str([record.__dict__ for record in lines])
