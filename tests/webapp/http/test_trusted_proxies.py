"""Whose word on a visitor is taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, jsonify, request, session

from webapp.http import trusted_proxies
from webapp.jobs.job_manager import current_visitor

FORGED = {
    "X-Forwarded-For": "1.1.1.1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Prefix": "/evil",
    "X-Real-IP": "1.1.1.1",
}


def told(headers: dict[str, str]):
    """What a server says of a request that comes from 9.9.9.9 with these."""
    server = Flask("test")
    server.secret_key = "key"
    trusted_proxies.start(server)

    @server.get("/")
    def where():
        session["any"] = 1
        return jsonify(
            by=current_visitor(), scheme=request.scheme, host=request.host, root=request.script_root
        )

    return server.test_client().get(
        "/", headers={"Host": "gantry.example", **headers}, environ_overrides={"REMOTE_ADDR": "9.9.9.9"}
    )


def test_by_default_nobodys(data: Path) -> None:
    answer = told(FORGED)
    assert answer.json == {"by": "from 9.9.9.9", "scheme": "http", "host": "gantry.example", "root": ""}
    assert "Secure" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("count", "by"), [("1", "3.3.3.3"), ("2", "2.2.2.2")])
def test_that_of_so_many_proxies_as_the_owner_says(
    count: str, by: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each adds to the list on the right; what a visitor sent stands on the left."""
    monkeypatch.setenv("GANTRY_PROXIES", count)
    answer = told(
        FORGED | {"X-Forwarded-For": "1.1.1.1, 2.2.2.2, 3.3.3.3", "X-Forwarded-Proto": "http, https, https"}
    )
    assert answer.json == {"by": f"from {by}", "scheme": "https", "host": "gantry.example", "root": ""}
    assert "; Secure" in answer.headers["Set-Cookie"]
