"""Every request has an id, is counted by its route's rule, and leaves one line in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time

from flask import Flask, Response, g, request

from webapp.monitoring import counters

log = logging.getLogger("gantry.access")
HEADER = "X-Request-ID"
ID_PATTERN = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}
NO_RULE = "none"  # an address that no route has, whatever it says
QUIET_ROUTES = {"/healthz", "/readyz", "/metrics"}  # asked every few seconds: no line where all is well


def start(server: Flask) -> None:
    """For this server: to be called before anything else asks for its requests, so that it comes first and is
    told last.
    """

    @server.before_request
    def begin() -> None:
        client_id = request.headers.get(HEADER, "")
        g.request_id = client_id if ID_PATTERN.fullmatch(client_id) else secrets.token_hex(8)
        g.begun = time.perf_counter()

    @server.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.begun
        route = request.url_rule.rule if request.url_rule else NO_RULE
        method = request.method if request.method in METHODS else "other"
        counters.requests.labels(method, route, response.status_code).inc()
        counters.request_seconds.labels(route).observe(seconds)
        response.headers[HEADER] = g.request_id
        if route not in QUIET_ROUTES or response.status_code >= 400:
            level = logging.WARNING if response.status_code >= 500 else logging.INFO
            facts = {"method": method, "route": route, "status": response.status_code}
            log.log(level, "request", extra={**facts, "ms": round(1000 * seconds, 1)})
        return response
