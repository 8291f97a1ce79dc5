"""How answers travel: packed each time, and assets kept by the browser for a while. What never changes is in
bundle.py.
"""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

MIN_BYTES = 1_000  # below that the headers are most of it
TYPES = {
    "text/html",
    "text/css",
    "text/plain",
    "text/javascript",
    "application/javascript",
    "application/json",
    "image/svg+xml",
}
LEVEL = 1  # an answer is packed each time, and most of a large one is a picture, which is packed already
HOUR_S = 3_600


def start(server: Flask) -> None:
    """From now on the server's answers are packed, and its assets say how long they keep."""

    @server.after_request
    def travel(response: Response) -> Response:
        if request.path.startswith("/assets/") and response.status_code in (200, 304):
            response.cache_control.no_cache = None
            response.cache_control.public, response.cache_control.max_age = True, HOUR_S
        return _compress(response)


def _compress(response: Response) -> Response:
    if (
        response.mimetype not in TYPES
        or response.status_code not in (200, 404)
        or response.is_streamed
        or "Content-Encoding" in response.headers
    ):
        return response
    response.vary.add("Accept-Encoding")
    data = response.get_data()
    if request.accept_encodings["gzip"] and len(data) >= MIN_BYTES:
        response.set_data(gzip.compress(data, LEVEL))
        response.content_encoding = "gzip"
    return response
