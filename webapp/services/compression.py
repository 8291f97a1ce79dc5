"""How answers travel: compressed, and kept by the browser as long as their address names their version."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

LEAST_BYTES = 1_000  # below that the headers are most of it
TYPES = {"text/html", "text/css", "text/plain", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}
FILES = ("/assets/", "/_dash-component-suites/")
FILE_LEVEL, ANSWER_LEVEL = 9, 4  # a file is packed once, an answer each time
YEAR_S, HOUR_S = 365 * 86_400, 3_600


def start(server: Flask) -> None:
    """From now on the server's answers are packed and say how long they keep."""

    @server.after_request
    def travel(response: Response) -> Response:
        if request.path.startswith("/assets/") and response.status_code in (200, 304):
            _keep(response)
        return _pack(response)


def _keep(response: Response) -> None:
    """Dash puts a file's time into its address as m: what has it never changes."""
    response.cache_control.no_cache = None
    response.cache_control.public = True
    response.cache_control.max_age = YEAR_S if "m" in request.args else HOUR_S
    if "m" in request.args:
        response.cache_control.immutable = True


def _pack(response: Response) -> Response:
    if response.mimetype not in TYPES or response.status_code not in (200, 404) or "Content-Encoding" in response.headers:
        return response
    file = request.method == "GET" and request.path.startswith(FILES)
    if response.is_streamed and not file:
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) < LEAST_BYTES:
        return response
    response.set_data(_packed(data) if file else gzip.compress(data, ANSWER_LEVEL))
    response.content_encoding = "gzip"
    tag, _weak = response.get_etag()
    if tag:
        response.set_etag(tag, weak=True)  # the same file, in other bytes
        response.make_conditional(request)
    return response


@lru_cache(maxsize=128)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, FILE_LEVEL, mtime=0)
