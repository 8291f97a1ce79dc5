"""How every process of a server logs: a JSON object a line, or plain text on a terminal (GANTRY_LOG).

A line says what happened and in which request or work, never what a visitor sent: of an exception it has the type and the places it went through, not its
words, which may quote a scenario. Passwords in URLs and the owner's secrets are struck out wherever they might stand.
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
OF_GUNICORN = "gunicorn.error"
QUOTES = re.compile(r"^(Invalid request from ip=\S+?|Error handling request(?: \(no URI read\))?(?: [A-Z]+(?= ))?)(?::? .*)?$", re.DOTALL)  # what was sent
STRUCK = "***"
IN_URL = re.compile(r"(?<=://)[^\s/@'\"]+(?=@)")
SECRETS = ("SECRET_KEY", "GANTRY_METRICS_TOKEN")
URLS = ("DATABASE_URL", "REDIS_URL")
LEAST_SECRET = 6  # letters; a shorter one stands in ordinary words
_facts: ContextVar[dict[str, Any] | None] = ContextVar("facts", default=None)


@contextlib.contextmanager
def about(**facts: Any) -> Iterator[None]:
    """What this thread logs meanwhile bears these facts, as fields of its lines."""
    before = _facts.set({**(_facts.get() or {}), **facts})
    try:
        yield
    finally:
        _facts.reset(before)


def start() -> None:
    """From now on this process logs so, unless its logs have been configured: by gunicorn, as `config` says, or by tests."""
    if not logging.root.handlers:
        logging.config.dictConfig(config())
        catch()


def catch() -> None:
    """What would be printed is logged: warnings, and errors that end a thread or the process."""
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, error, trace: log.critical("the process ends with an error", exc_info=(kind, error, trace))
    threading.excepthook = lambda of: log.error("a thread ended with an error", exc_info=(of.exc_type, of.exc_value, of.exc_traceback))


def config() -> dict[str, Any]:
    """For logging.config.dictConfig, and for gunicorn. Raises SettingError.

    gunicorn's own access log stays silent even if asked for, since it has addresses with their queries; gantry.access has the same without.
    """
    plain = settings.log_format() == "text"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"own": {"()": Text if plain else Json}},
        "handlers": {"own": {"class": "logging.StreamHandler", "formatter": "own", "stream": "ext://sys.stderr"}},
        "root": {"level": "INFO", "handlers": ["own"]},
        "loggers": {
            OF_GUNICORN: {"level": "INFO", "handlers": ["own"], "propagate": False},
            "gunicorn.access": {"level": "INFO", "handlers": [], "propagate": False},
            "gantry.access": {"level": "WARNING" if plain else "INFO"},
            "alembic": {"level": "WARNING"},
            "werkzeug": {"level": "ERROR"},
        },
    }


class _Clean(logging.Formatter):
    """Without what visitors sent and what only the owner knows."""

    def format(self, record: logging.LogRecord) -> str:
        found = copy.copy(record)
        words = found.name == OF_GUNICORN
        quotes = QUOTES.match(found.getMessage()) if words else None
        if quotes:
            found.msg, found.args, words = quotes[1], None, False
        if found.exc_info:
            found.exc_text, found.exc_info = _places(found.exc_info[1], words), None
        for key, value in _context().items():
            found.__dict__.setdefault(key, value)
        return without_secrets(super().format(found))


class Text(_Clean):
    """A line of text."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(message)s")


class Json(_Clean, JsonFormatter):
    """A JSON object: time (UTC), level, logger, event, process, and the facts of the line."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "message": "event", "exc_info": "error"}
        JsonFormatter.__init__(self, "%(levelname)s %(name)s %(message)s %(process)d", rename_fields=names, timestamp="time")


def without_secrets(text: str) -> str:
    """A text with the owner's secrets and the names and passwords in URLs struck out."""
    text = IN_URL.sub(STRUCK, text)
    for secret in _secrets(tuple(os.environ.get(name, "") for name in (*SECRETS, *URLS))):
        text = text.replace(secret, STRUCK)
    return text


@cache
def _secrets(given: tuple[str, ...]) -> list[str]:
    found = [text.strip() for text in given[: len(SECRETS)]]
    for url in given[len(SECRETS) :]:
        with contextlib.suppress(ValueError):
            password = urlsplit(url).password or ""
            found += [password, unquote(password)]
    return [secret for secret in found if len(secret) >= LEAST_SECRET]


def _context() -> dict[str, Any]:
    found = _facts.get() or {}
    name = g.get("request_id") if has_request_context() else None
    return {"request_id": name, **found} if name else found


def _places(error: BaseException | None, words: bool) -> str:
    """An exception and what it came of, as Python prints it; words: with what they say."""
    lines = []
    while error:
        lines += traceback.format_tb(error.__traceback__)
        lines.append(f"{type(error).__qualname__}: {error}\n" if words else f"{type(error).__qualname__}\n")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "".join(lines).rstrip()
