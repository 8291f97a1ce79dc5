"""JSON that a visitor sends, read within bounds: so many bytes, so many values, so deep. What is beyond them
is refused in a sentence and costs nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from flask import Flask, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import RequestEntityTooLarge

from engine import FormatError
from engine.dashboard import TooLarge, depth_exceeds
from webapp import settings
from webapp.messages import msg

MAX_DEPTH = 100  # lists and objects one inside the other; beyond it what walks through them would fail
VALUE_BYTES = 5  # of max_bytes, to a value: shorter ones take far more memory than their text
TOO_DEEP = msg("http.json_bodies.nested_more_than_deep", max_depth=MAX_DEPTH)
CONTAINER_BYTES = 32  # and to a list or an object, the shortest of which take 60 to 200 bytes of memory
MAX_DISCARDED, DISCARD_BYTES = 4, 65_536  # of a body that is too large: how many times max_bytes, and at once
CALLBACK = "/_dash-update-component"  # where Dash's callbacks are asked


class BodyProvider(DefaultJSONProvider):
    """Reads the bodies of all requests, Dash's own too; and writes the answers of plain routes so that a
    browser reads them.
    """

    def loads(self, s: str | bytes, **options: Any) -> Any:
        return loads(s, **options)

    def dumps(self, obj: Any, **options: Any) -> str:
        """As JSON, where a number that it does not have is null: what is asked may hold 1e999 and come back
        in an answer.
        """
        try:
            return super().dumps(obj, allow_nan=False, **options)
        except ValueError:
            return super().dumps(_without_non_finite(obj), allow_nan=False, **options)


def start(server: Flask) -> None:
    """Bounds every request of this server."""
    server.json = BodyProvider(server)
    server.config["MAX_CONTENT_LENGTH"] = settings.max_bytes()
    server.before_request(_check_callback)


def _check_callback() -> None:
    """Dash looks at what triggered a callback only when the callback asks for it, too late to refuse it."""
    if not request.path.endswith(CALLBACK):
        return
    body = request.get_json(silent=True)
    changed = body.get("changedPropIds") if isinstance(body, dict) else None
    if changed is not None and not (
        isinstance(changed, list) and all(isinstance(one, str) for one in changed)
    ):
        raise FormatError(msg("http.json_bodies.changed_no_list"))


def loads(text: str | bytes, **options: Any) -> Any:
    """As json.loads, but TooLarge for what holds or nests too much, and FormatError for a number that Python
    does not read.
    """
    marks = ("{", "[", ",") if isinstance(text, str) else (b"{", b"[", b",")
    count: Callable[[Any], int] = text.count
    objects, lists, commas = map(count, marks)
    most = settings.max_bytes() // CONTAINER_BYTES
    if objects + lists > most:
        per = CONTAINER_BYTES
        raise TooLarge(msg("http.json_bodies.holds_more_than_lists_and_objects", most=most, per=per))
    most = settings.max_bytes() // VALUE_BYTES
    if commas > most:
        raise TooLarge(msg("http.json_bodies.holds_more_than_values_limit_here", most=most, per=VALUE_BYTES))
    try:
        value = json.loads(text, **options)
    except RecursionError:
        raise TooLarge(TOO_DEEP) from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        raise FormatError(msg("http.json_bodies.holds_number_too_many_digits")) from None
    if depth_exceeds(value, MAX_DEPTH):
        raise TooLarge(TOO_DEEP)
    return value


def request_json() -> Any:
    """What the present request holds, None where that is no JSON; TooLarge or FormatError for what is not
    read.
    """
    try:
        body = request.get_data()
    except RequestEntityTooLarge:
        _discard_rest()
        raise TooLarge(too_large_text()) from None
    if request.content_length is None and len(body) >= settings.max_bytes():  # of chunks no more is read
        _discard_rest()
        raise TooLarge(too_large_text())
    return request.get_json(silent=True)


def _discard_rest() -> None:
    """Reads on for a while: who still sends when the connection is closed never reads the answer."""
    left = MAX_DISCARDED * settings.max_bytes()
    if request.content_length is not None:
        left = min(left, request.content_length)
    while left > 0 and (part := request.environ["wsgi.input"].read(min(left, DISCARD_BYTES))):
        left -= len(part)


def _without_non_finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_non_finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_non_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def too_large_text() -> str:
    """Why a request is not read."""
    return msg("http.json_bodies.holds_more_than_bytes_limit_here", max_bytes=settings.max_bytes())
