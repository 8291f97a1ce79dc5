"""Every answer of every route says how a browser is to treat it, whatever it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask import Response
from flask.testing import FlaskClient
from werkzeug.http import parse_date

from tests.webapp.conftest import OF_THE_OWNER, forget

METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE")
MAX_DECISIONS = 65_536
WANTED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {
    "default-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    with pytest.MonkeyPatch.context() as patch:
        for name in OF_THE_OWNER:
            patch.delenv(name, raising=False)
        patch.setenv("GANTRY_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("GANTRY_TRUSTED_HOSTS", "gantry.example")
        patch.setenv("GANTRY_MAX_BYTES", str(MAX_DECISIONS))
        forget()
        from webapp.app import make

        with make().server.test_client() as client:
            yield client
        forget()


def guarded(answer: Response) -> None:
    assert {name: answer.headers.get(name) for name in WANTED} == WANTED
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert {name: policy.get(name) for name in POLICY} == POLICY
    assert "'unsafe" not in policy["script-src"] and "*" not in answer.headers["Content-Security-Policy"]
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-ID"])


def test_every_route_does(client: FlaskClient) -> None:
    rules, statuses = list(client.application.url_map.iter_rules()), set()
    assert len(rules) > 20
    for rule in rules:
        path = re.sub("<[^>]*>", "x", rule.rule)
        for method in METHODS:
            answer = client.open(path, method=method, json={} if method == "POST" else None)
            guarded(answer)
            assert answer.status_code < 500, (method, path)
            statuses.add(answer.status_code)
    assert {200, 400, 404, 405} <= statuses


@pytest.mark.parametrize(
    ("status", "method", "path", "more"),
    [
        (404, "GET", "/nothing/here", {}),
        (400, "POST", "/jobs/run/start", {"data": b"\xff{", "content_type": "application/json"}),
        (
            413,
            "POST",
            "/_dash-update-component",
            {"data": b" " * (MAX_DECISIONS + 1), "content_type": "application/json"},
        ),
        (400, "GET", "/", {"headers": {"Host": "evil.example"}}),
        (403, "GET", "/metrics", {"headers": {"X-Forwarded-For": "10.0.0.1"}}),
        (200, "GET", "/healthz", {"headers": {"Host": "127.0.0.1:8050"}}),
        (200, "GET", "/", {"headers": {"Host": "gantry.example"}}),
    ],
)
def test_every_kind_of_answer_does(
    client: FlaskClient, status: int, method: str, path: str, more: dict
) -> None:
    answer = client.open(path, method=method, **more)
    assert answer.status_code == status
    guarded(answer)


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_the_cookie_is_no_scripts_and_travels_by_https_alone_where_the_page_came_so(
    client: FlaskClient, scheme: str, secure: bool
) -> None:
    client.delete_cookie("gantry", domain="localhost")
    words = client.get("/", base_url=f"{scheme}://localhost").headers["Set-Cookie"].split("; ")
    assert (
        words[0].startswith("gantry=")
        and {"HttpOnly", "SameSite=Lax"} <= set(words)
        and ("Secure" in words) == secure
    )


def test_the_cookie_lasts_as_long_as_a_class_from_the_last_page_on(client: FlaskClient) -> None:
    client.delete_cookie("gantry", domain="localhost")
    names = []
    for _ in range(2):
        words = client.get("/").headers["Set-Cookie"].split("; ")
        left = parse_date(dict(word.partition("=")[::2] for word in words)["Expires"]) - datetime.now(UTC)
        assert timedelta(days=119) < left <= timedelta(days=120)
        with client.session_transaction() as session:
            names.append(session["visitor"])
    assert names[0] == names[1]
    assert "Set-Cookie" not in client.get("/healthz").headers
