"""Plain addresses of exercises that take and give JSON; what can't be answered is a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dash import Dash

from engine import GantryError
from webapp.http import json_bodies
from webapp.messages import msg
from webapp.panels.exercises.bounded_runs import answer_bound

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def add_routes(app: Dash, address: str, answers: Mapping[str, Answer]) -> None:
    """An address for each answer, under `address` by its name; the runs of one answer share a bound."""
    for name, answer in answers.items():
        rule = f"{app.config.routes_pathname_prefix}{address}/{name}"
        app.server.add_url_rule(rule, f"{address}-{name}", _route(answer), methods=["POST"])


def _route(answer: Answer) -> Callable[[], dict[str, Any]]:
    def route() -> dict[str, Any]:
        sent = json_bodies.request_json()
        try:
            if not isinstance(sent, dict):
                raise GantryError(msg("shared.expected_json_object"))
            with answer_bound():
                return answer(sent)
        except GantryError as error:
            return {"error": str(error)}

    return route
