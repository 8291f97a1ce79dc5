"""How every process of a server logs: a JSON object a line, or plain text on a terminal (GANTRY_LOG).

A line says what happened and in which request or work, never what a visitor sent: of an exception it has the
type and the places it went through, not its words, which may quote a scenario. Passwords in URLs and the
owner's secrets are struck out wherever they might stand.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import logging.config
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from flask import g, has_request_context
from pythonjsonlogger.json import JsonFormatter

from webapp import settings

log = logging.getLogger("gantry")
GUNICORN_LOGGER = "gunicorn.error"
# what was sent
QUOTED_INPUT = re.compile(
    r"(Invalid request from ip=\S+?|Error handling request(?: \(no URI read\))?(?: [A-Z]+(?= ))?)(?::? .*)?$",
    re.DOTALL,
)
REDACTED = "***"
URL_CREDENTIALS = re.compile(r"(?<=://)[^\s/@'\"]+(?=@)")
SECRET_VARIABLES = ("SECRET_KEY", "GANTRY_METRICS_TOKEN")
URL_VARIABLES = ("DATABASE_URL", "REDIS_URL")
MIN_SECRET_CHARS = 6  # letters; a shorter one stands in ordinary words
_context_fields: ContextVar[dict[str, Any] | None] = ContextVar("facts", default=None)


@contextlib.contextmanager
def log_context(**facts: Any) -> Iterator[None]:
    """What this thread logs meanwhile bears these facts, as fields of its lines."""
    before = _context_fields.set({**(_context_fields.get() or {}), **facts})
    try:
        yield
    finally:
        _context_fields.reset(before)


def start() -> None:
    """From now on this process logs so, unless its logs have been configured: by gunicorn, as `config` says,
    or by tests.
    """
    if not logging.root.handlers:
        logging.config.dictConfig(config())
        capture_uncaught()


def capture_uncaught() -> None:
    """What would be printed is logged: warnings, and errors that end a thread or the process."""
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, error, trace: log.critical(
        "the process ends with an error", exc_info=(kind, error, trace)
    )
    threading.excepthook = lambda args: log.error("a thread ended with an error", exc_info=args.exc_value)


def config() -> dict[str, Any]:
    """For logging.config.dictConfig, and for gunicorn. Raises SettingError.

    gunicorn's own access log stays silent even if asked for, since it has addresses with their queries;
    gantry.access has the same without.
    """
    plain = settings.log_format() == "text"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"own": {"()": TextFormatter if plain else JsonLineFormatter}},
        "handlers": {
            "own": {"class": "logging.StreamHandler", "formatter": "own", "stream": "ext://sys.stderr"}
        },
        "root": {"level": "INFO", "handlers": ["own"]},
        "loggers": {
            GUNICORN_LOGGER: {"level": "INFO", "handlers": ["own"], "propagate": False},
            "gunicorn.access": {"level": "INFO", "handlers": [], "propagate": False},
            "gantry.access": {"level": "WARNING" if plain else "INFO"},
            "alembic": {"level": "WARNING"},
            "werkzeug": {"level": "ERROR"},
        },
    }


class _RedactingFormatter(logging.Formatter):
    """Without what visitors sent and what only the owner knows."""

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        with_messages = record.name == GUNICORN_LOGGER
        if with_messages and (quoted := QUOTED_INPUT.match(record.getMessage())):
            record.msg, record.args, with_messages = quoted[1], None, False
        if record.exc_info:
            record.exc_text = _format_traceback(record.exc_info[1], with_messages)
            record.exc_info = None
        for key, value in _current_fields().items():
            record.__dict__.setdefault(key, value)
        return redact(super().format(record))


class TextFormatter(_RedactingFormatter):
    """A line of text."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(message)s")


class JsonLineFormatter(_RedactingFormatter, JsonFormatter):
    """A JSON object: time (UTC), level, logger, event, process, and the facts of the line."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "message": "event", "exc_info": "error"}
        JsonFormatter.__init__(
            self, "%(levelname)s %(name)s %(message)s %(process)d", rename_fields=names, timestamp="time"
        )


def redact(text: str) -> str:
    """A text with the owner's secrets and the names and passwords in URLs struck out."""
    text = URL_CREDENTIALS.sub(REDACTED, text)
    given = (os.environ.get(name, "") for name in SECRET_VARIABLES)
    for secret in _secret_values(*given, urls=tuple(os.environ.get(name, "") for name in URL_VARIABLES)):
        text = text.replace(secret, REDACTED)
    return text


@cache
def _secret_values(*given: str, urls: tuple[str, ...]) -> list[str]:
    values = [text.strip() for text in given]
    for url in urls:
        with contextlib.suppress(ValueError):
            password = urlsplit(url).password or ""
            values += [password, unquote(password)]
    return [secret for secret in values if len(secret) >= MIN_SECRET_CHARS]


def _current_fields() -> dict[str, Any]:
    fields = _context_fields.get() or {}
    request_id = g.get("request_id") if has_request_context() else None
    return {"request_id": request_id, **fields} if request_id else fields


def _format_traceback(error: BaseException | None, with_messages: bool) -> str:
    """An exception and what it came of, as Python prints it; words: with what they say."""
    lines = []
    while error:
        lines += traceback.format_tb(error.__traceback__)
        lines.append(type(error).__qualname__ + (f": {error}\n" if with_messages else "\n"))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines).rstrip()
