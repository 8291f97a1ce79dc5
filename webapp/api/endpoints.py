"""The API's addresses: each takes JSON, answers JSON, and says what is wrong as RFC 9457 has it.

A body must say that it is JSON, and no other site is allowed to read an answer (no CORS): so a page of others
makes a visitor's browser neither send nor read anything.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, jsonify, request
from msgspec import UNSET
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotAcceptable, NotFound

from engine import FormatError, GantryError, ScenarioError
from engine.dashboard import TooLarge
from webapp.api import operations
from webapp.api.api_records import Problem
from webapp.api.openapi import OPERATIONS, Operation, document
from webapp.http import json_bodies
from webapp.jobs.job_queue import QueueFull
from webapp.jobs.page_request import parse
from webapp.messages import msg
from webapp.runs.run_cache import ResultExpired
from webapp.store.database import StoreError

log = logging.getLogger("gantry")
VERSION = "api/v1"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
RETRY_S = 10  # after which a full queue or a database that was away is asked again
# the first class that an error is of says its status; 422: understood, and it can't be done
STATUSES: dict[type[GantryError], int] = {
    operations.NotFound: 404,
    operations.NotFinished: 409,
    ResultExpired: 410,
    TooLarge: 413,
    FormatError: 400,
    QueueFull: 429,
    StoreError: 503,
    GantryError: 422,
}


def register(server: Flask, prefix: str) -> None:
    """The addresses of this server, whose application is at the prefix, with slashes at both ends."""
    api = Blueprint("api", __name__, url_prefix=prefix + VERSION)
    by_rule: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_rule.setdefault(operation.rule, {})[operation.method] = operation
    add = partial(api.add_url_rule, methods=METHODS, provide_automatic_options=False)
    for rule, by_method in by_rule.items():
        view = partial(_answer, by_method, prefix)
        add(rule.replace("{", "<").replace("}", ">"), rule[1:], view)
    described = {"GET": Operation("GET", "", lambda: operations.Reply(document(prefix + VERSION)))}
    add("/openapi.json", "document", partial(_answer, described, prefix))
    add("/", "start", _nothing_here, strict_slashes=False)  # else a redirect, to the Host that was sent
    add("/<path:rest>", "rest", _nothing_here)
    api.register_error_handler(Exception, problem)
    server.register_blueprint(api)
    server.before_request(partial(_not_routed, server, prefix + VERSION))


def _not_routed(server: Flask, base: str) -> Response | None:
    """The answer below the API's address to what no rule of it takes, such as a method of no standard or two
    slashes: Dash would answer with the page.
    """
    if request.blueprint == "api" or not f"{request.path}/".startswith(f"{base}/"):
        return None
    adapter, error = server.create_url_adapter(request), request.routing_exception
    try:
        if adapter and isinstance(error, MethodNotAllowed):
            endpoint, values = adapter.match(method="OPTIONS")
            server.view_functions[endpoint](**values)
        return problem(error) if error else _nothing_here()
    except (HTTPException, GantryError) as refusal:
        return problem(refusal)


def _nothing_here(rest: str = "") -> Response:
    raise NotFound(msg("api.endpoints.not_here"))


def _answer(by_method: Mapping[str, Operation], prefix: str, id: str | None = None) -> Response:
    allowed = sorted({*by_method, "OPTIONS", *(["HEAD"] if "GET" in by_method else [])})
    if request.method == "OPTIONS":
        return Response(status=204, headers={"Allow": ", ".join(allowed)})
    operation = by_method.get("GET" if request.method == "HEAD" else request.method)
    if operation is None:
        raise MethodNotAllowed(allowed, msg("api.endpoints.wrong_method", methods=", ".join(allowed)))
    given: list[Any] = []
    if operation.id is not None:
        given.append(_checked_id(id, operation.id))
    if operation.query:
        given.append(parse(request.args.to_dict(), operation.query))
    if operation.body:
        given.append(parse(_sent(), operation.body))
    return _response(operation.answer(*given), prefix)


def _checked_id(id: str | None, form: Any) -> str:
    try:
        return parse(id, form)
    except ScenarioError:
        raise NotFound(msg("api.endpoints.not_here")) from None


def _sent() -> Any:
    if not request.is_json:
        raise HTTPException(response=_problem(415, msg("api.endpoints.asked_by_json")))
    try:
        sent = json_bodies.request_json()
    except (TooLarge, FormatError) as error:
        raise type(error)(msg("shared.not_read", error=error)) from None
    if not isinstance(sent, dict):
        raise FormatError(msg("shared.expected_json_object"))
    return sent


def _response(reply: operations.Reply, prefix: str) -> Response:
    types = [*([] if reply.value is None else [operations.JSON]), *reply.texts]
    wanted = request.accept_mimetypes.best_match(types, types[0]) if types else ""
    if types and request.accept_mimetypes and not any(map(request.accept_mimetypes.quality, types)):
        raise NotAcceptable(msg("api.endpoints.not_acceptable", types=", ".join(types)))
    if wanted in reply.texts:
        response = Response(iter(reply.texts[wanted]()), mimetype=wanted)
    elif reply.value is None:
        response = Response(status=reply.status)
        del response.headers["Content-Type"]
    else:
        response = jsonify(msgspec.to_builtins(reply.value))
    response.status_code = reply.status
    response.headers["Cache-Control"] = "no-store"
    if len(types) > 1:
        response.vary.add("Accept")
    if place := reply.location:
        response.headers["Location"] = prefix + (place[1:] if place[0] == "/" else f"{VERSION}/{place}")
    return response


def problem(error: Exception) -> Response:
    """What is wrong, for a program; a bug's traceback goes to the log."""
    if isinstance(error, ScenarioError):
        faults = operations.fault_records(error.faults)
        return _problem(422, str(error).partition("\n")[0], faults=faults)
    if isinstance(error, GantryError):
        status = next(status for kind, status in STATUSES.items() if isinstance(error, kind))
        return _problem(status, str(error))
    if isinstance(error, HTTPException):
        if error.response is not None:
            return error.response  # type: ignore[return-value]  # made by _problem
        response = _problem(error.code or 500, error.description or "")
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            response.headers["Allow"] = ", ".join(error.valid_methods)
        return response
    log.exception("an operation of the API failed", exc_info=error)
    return _problem(500, msg("api.endpoints.server_error"))


def _problem(status: int, detail: str, faults: Any = UNSET) -> Response:
    values = Problem(HTTPStatus(status).phrase, status, detail, faults=faults)
    response = jsonify(msgspec.to_builtins(values))
    response.status_code, response.mimetype = status, "application/problem+json"
    response.headers["Cache-Control"] = "no-store"  # what is not here yet may come
    if status in (429, 503):
        response.headers["Retry-After"] = str(RETRY_S)
    return response
