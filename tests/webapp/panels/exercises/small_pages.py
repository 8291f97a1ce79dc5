"""A small exercise of each kind, right and wrong answers to them, and what a stranger asks for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from dash import Dash, html
from flask.testing import FlaskClient

from engine.dashboard import Exercise
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    MAKESPAN,
    NODES,
    SHORT,
    exercise,
    makespan,
    reach,
)
from webapp.http import json_bodies

CONTAINER = "small/1/map/1"  # placed at 0:20, when maps of large wait too
FAIR: dict[str, Any] = {"schedulers": ["fair"], "jobs": (LARGE, {**SHORT, "arrival_s": 5})}
EXERCISES: Mapping[str, Exercise] = {
    "first": exercise(FIRST, schedulers=["fifo", "fair"], hints=["One.", "Two."]),
    "makespan": exercise(MAKESPAN),
    "reach": exercise(reach(makespan(30), nodes=2), change=[NODES]),
    "next": exercise({"kind": "predict", "ask": "next", "container": CONTAINER}, **FAIR),
    "place": exercise({"kind": "predict", "ask": "place", "container": CONTAINER}, **FAIR),
    "explain": exercise({"kind": "explain", "container": CONTAINER}, **FAIR),
    "compute": exercise({"kind": "compute", "quantity": "fair share", "job": "small", "at_s": 21}, **FAIR),
}

RIGHT: Mapping[str, dict[str, str | float]] = {
    "first": {"job": "large"},
    "makespan": {"makespan_s": 51},
    "reach": {"cluster.nodes.total": 4},
    "next": {"job": "small"},
    "place": {"node": "n-1", "request": "small/map"},
    "explain": {"rule": "room"},
    "compute": {"value": 2},
}
WRONG: Mapping[str, dict[str, str | float]] = {
    "first": {"job": "small"},
    "makespan": {"makespan_s": 80},
    "reach": {"cluster.nodes.total": 3},
    "next": {"job": "large"},
    "place": {"node": "n-2", "request": "large/map"},
    "explain": {"rule": "order"},
    "compute": {"value": 3},
}


@contextmanager
def routes(panel: Any) -> Iterator[FlaskClient]:
    """A server with what a panel registers."""
    app = Dash("test")
    app.layout = html.Div()
    json_bodies.start(app.server)
    panel.register(app)
    with app.server.test_client() as opened:
        yield opened


def ask(client: FlaskClient, address: str, sent: Any) -> dict[str, Any]:
    """What a route answers, which is never an error of the server. sent: keeps its order, as a browser has
    it.
    """
    answer = client.post(address, data=json.dumps(sent), content_type="application/json")
    assert answer.status_code == 200
    return answer.get_json()


def callbacks(panel: Any) -> dict[str, Callable[..., Any]]:
    """A panel's callbacks by their names."""
    found: dict[str, Callable[..., Any]] = {}

    def taken(*_what: Any, **_how: Any) -> Callable[..., Any]:
        return lambda function: found.setdefault(function.__name__, function)

    panel.register(SimpleNamespace(callback=taken, clientside_callback=lambda *_what, **_how: None))
    return found


def clicked(monkeypatch: pytest.MonkeyPatch, panel: Any, what: Any) -> None:
    """What triggered the panel's next callback."""
    monkeypatch.setattr(panel, "ctx", SimpleNamespace(triggered_id=what))
