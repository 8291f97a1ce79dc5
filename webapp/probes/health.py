"""/healthz: this process answers. /readyz: visitors can be served, fully or in part."""

from __future__ import annotations

import os
from typing import Any

from flask import Flask, Response, jsonify

from engine import VERSION
from webapp import settings
from webapp.monitoring import count_files
from webapp.probes.patience import Question, answers
from webapp.services.cache import shared
from webapp.store.database import StoreError, database

PATIENCE_S = 1.5  # for database and cache together
READY, DEGRADED, AWAY = "ready", "degraded", "away"
NO_DATABASE = "The server's database does not answer: links can't be made or opened, and long work can't begin."
NO_CACHE = "The cache keeps nothing: runs are made again when they are needed."
NO_PROCESS = "No process for long work is alive: long work waits."

_database = Question(lambda: database().answers(NO_DATABASE))
_cache = Question(shared.keeps)


def register(server: Flask, prefix: str) -> None:
    """The two routes, for GET and HEAD."""

    @server.get(f"{prefix}healthz")
    def healthz() -> Response:
        return _fresh(jsonify({"status": "alive", "version": VERSION}))

    @server.get(f"{prefix}readyz")
    def readyz() -> tuple[Response, int]:
        found = readiness()
        return _fresh(jsonify(found)), 503 if found["status"] == AWAY else 200


def readiness() -> dict[str, Any]:
    """status: ready; degraded, where all works, though slower or later; away, where links and long work don't. says: what is away, in sentences."""
    asked, kept = answers([_database, _cache], PATIENCE_S)
    stored = not isinstance(asked, (StoreError, TimeoutError))
    if stored and isinstance(asked, Exception):
        raise asked
    wanted, known = settings.workers(), count_files.processes()
    alive = sum(one.role == "work" for one in known)
    told = any(one.number == os.getpid() for one in known)  # not once the data folder was deleted
    apart = bool(os.environ.get(settings.BESIDE)) and wanted > 0 and count_files.folder() is not None
    beside, lost = apart and told, apart and not told
    says = [] if stored else [NO_DATABASE]
    says += [] if kept is True else [NO_CACHE]
    says += [NO_PROCESS] if beside and not alive else []
    return {
        "status": AWAY if not stored else DEGRADED if says else READY,
        "says": " ".join(says),
        "version": VERSION,
        "database": "answers" if stored else AWAY,
        "cache": "keeps" if kept is True else "keeps nothing",
        "work": _where(wanted, alive, beside, lost),
    }


def _where(wanted: int, alive: int, beside: bool, lost: bool) -> str:
    if lost:
        return "not known since the data folder was deleted"
    if beside:
        return f"{alive} of {wanted} processes"
    return "in the server's own processes" if wanted else "elsewhere"


def _fresh(response: Response) -> Response:
    """Nobody keeps it."""
    response.cache_control.no_store = True
    return response
