"""The API's operations, and the OpenAPI 3.1 document that is made of them and of their records."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from engine import VERSION, Scenario
from webapp.api import operations
from webapp.api.api_records import (
    CheckBody,
    Checked,
    ExplainQuery,
    LinkBody,
    MadeLink,
    PolicyRecord,
    Problem,
    ResultQuery,
    RunBody,
    RunId,
    Status,
    SweepBody,
    SweepId,
)

REF = "#/components/schemas/{}"
# how pydantic writes what the scenario's fields declare, and JSON Schema's words for it
BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
OF_THE_FORM = {"heading", "name", "unit", "within", "title"}  # which JSON Schema does not have


class Operation(NamedTuple):
    """answer: is given the id, the query and the body, of these types; answers: status -> type, None without
    a body, dict of another document's JSON; follow: the operation that follows what this one begins.
    """

    method: str
    rule: str
    answer: Callable[..., operations.Reply]
    answers: dict[int, Any] = {}
    id: Any = None
    query: Any = None
    body: Any = None
    has_csv: bool = False
    follow: str = ""


OPERATIONS = (
    Operation("POST", "/check", operations.check, {200: Checked}, body=CheckBody),
    Operation(
        "POST",
        "/runs",
        operations.begin_run,
        {200: Status, 202: Status},
        body=RunBody,
        follow="run_status",
    ),
    Operation("GET", "/runs/{id}", operations.run_status, {200: Status}, RunId),
    Operation("DELETE", "/runs/{id}", operations.cancel_run, {204: None}, RunId),
    Operation(
        "GET", "/runs/{id}/result", operations.run_result, {200: dict}, RunId, ResultQuery, has_csv=True
    ),
    Operation("GET", "/runs/{id}/explain", operations.explain, {200: dict}, RunId, ExplainQuery),
    Operation(
        "POST",
        "/sweeps",
        operations.begin_sweep,
        {200: Status, 202: Status},
        body=SweepBody,
        follow="sweep_status",
    ),
    Operation("GET", "/sweeps/{id}", operations.sweep_status, {200: Status}, SweepId),
    Operation("DELETE", "/sweeps/{id}", operations.cancel_sweep, {204: None}, SweepId),
    Operation("GET", "/sweeps/{id}/result", operations.sweep_result, {200: dict}, SweepId, has_csv=True),
    Operation("POST", "/links", operations.share, {201: MadeLink}, body=LinkBody),
    Operation("GET", "/schedulers", operations.schedulers, {200: list[PolicyRecord]}),
)


@cache
def document(address: str) -> dict[str, Any]:
    """The document of a server whose API is at this address."""
    shown = [Problem, *(kind for one in OPERATIONS for kind in (one.body, *one.answers.values()) if kind)]
    _, schemas = msgspec.json.schema_components(shown, ref_template=REF.format("{name}"))
    scenario = Scenario.model_json_schema(ref_template=REF.format("{model}"))
    scenarios = scenario.pop("$defs") | {"Scenario": scenario}
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.rule, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gantry", "version": VERSION, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": address}],
        "paths": paths,
        "components": {"schemas": schemas | {name: _schema(one) for name, one in scenarios.items()}},
    }


def summary(operation: Operation) -> str:
    """What it does, as its function says it."""
    return " ".join((inspect.getdoc(operation.answer) or "").split())


def _described(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.answer.__name__,
        "summary": summary(operation),
        "responses": {str(status): _reply(operation, status) for status in operation.answers}
        | {"default": _content("Problem", {"application/problem+json": Problem})},
    }
    if parameters := [*_id(operation), *_query(operation)]:
        described["parameters"] = parameters
    if operation.body:
        body = {"required": True, "content": {"application/json": {"schema": _reference(operation.body)}}}
        described["requestBody"] = body
    return described


def _id(operation: Operation) -> list[dict[str, Any]]:
    if operation.id is None:
        return []
    return [{"name": "id", "in": "path", "required": True, "schema": msgspec.json.schema(operation.id)}]


def _query(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    _, schemas = msgspec.json.schema_components([operation.query])
    (schema,) = schemas.values()
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": one}
        for name, one in schema["properties"].items()
    ]


def _reply(operation: Operation, status: int) -> dict[str, Any]:
    kind = operation.answers[status]
    types = {} if kind is None else {operations.JSON: kind}
    reply = _content(HTTPStatus(status).phrase, types | ({operations.CSV: str} if operation.has_csv else {}))
    if operation.follow:
        link = {"operationId": operation.follow, "parameters": {"id": "$response.body#/id"}}
        reply["links"] = {operation.follow: link}
    return reply


def _content(description: str, types: dict[str, Any]) -> dict[str, Any]:
    content = {media: {"schema": _reference(kind)} for media, kind in types.items()}
    return {"description": description} | ({"content": content} if content else {})


def _reference(kind: Any) -> dict[str, Any]:
    return msgspec.json.schema_components([kind], ref_template=REF.format("{name}"))[0][0]


def _schema(value: Any) -> Any:
    """A part of pydantic's schema in JSON Schema's own words."""
    if isinstance(value, list):
        return [_schema(one) for one in value]
    if not isinstance(value, dict):
        return value
    plain = {BOUNDS.get(key, key): one for key, one in value.items() if not _is_of_the_form(key, one)}
    return {key: _schema(one) for key, one in plain.items()}


def _is_of_the_form(key: str, value: Any) -> bool:
    return key in OF_THE_FORM and isinstance(value, str)
