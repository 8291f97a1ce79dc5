"""/healthz: this process answers. /readyz: visitors can be served, fully or in part."""

from __future__ import annotations

import os
from typing import Any

from flask import Flask, Response, jsonify

from engine import VERSION
from webapp import settings
from webapp.messages import msg
from webapp.monitoring import metric_files
from webapp.probes.timed_probes import Probe, run_probes
from webapp.runs.cache import shared_cache
from webapp.store.database import StoreError, database

PROBE_TIMEOUT_S = 1.5  # for database and cache together
READY, DEGRADED, AWAY = "ready", "degraded", "away"
NO_DATABASE = msg("probes.health.servers_database_does_not_answer_links")
NO_CACHE = msg("probes.health.cache_unavailable")
NO_PROCESS = msg("probes.health.no_process_for_long_work_alive")

_database_probe = Probe(lambda: database().check_connection(NO_DATABASE))
_cache_probe = Probe(shared_cache.is_available)


def register(server: Flask, prefix: str) -> None:
    """The two routes, for GET and HEAD."""

    @server.get(f"{prefix}healthz")
    def healthz() -> Response:
        return _uncached(jsonify({"status": "alive", "version": VERSION}))

    @server.get(f"{prefix}readyz")
    def readyz() -> tuple[Response, int]:
        state = readiness()
        return _uncached(jsonify(state)), 503 if state["status"] == AWAY else 200


def readiness() -> dict[str, Any]:
    """status: ready; degraded, where all works, though slower or later; away, where links and long work
    don't. says: what is away, in sentences.
    """
    database_answer, cache_answer = run_probes([_database_probe, _cache_probe], PROBE_TIMEOUT_S)
    has_database = not isinstance(database_answer, (StoreError, TimeoutError))
    if has_database and isinstance(database_answer, Exception):
        raise database_answer
    worker_count, processes = settings.workers(), metric_files.live_processes()
    alive = sum(process.role == "work" for process in processes)
    work = msg("probes.health.in_servers_own_processes") if worker_count else "elsewhere"
    says = [] if has_database else [NO_DATABASE]
    says += [] if cache_answer is True else [NO_CACHE]
    if worker_count and os.environ.get(settings.HAS_WORKERS_VARIABLE) and metric_files.folder():
        if any(process.number == os.getpid() for process in processes):
            work = msg("probes.health.processes", alive=alive, worker_count=worker_count)
            says += [] if alive else [NO_PROCESS]
        else:
            work = msg("probes.health.not_known_since_data_folder_was")
    return {
        "status": AWAY if not has_database else DEGRADED if says else READY,
        "says": " ".join(says),
        "version": VERSION,
        "database": "answers" if has_database else AWAY,
        "cache": "keeps" if cache_answer is True else "keeps nothing",
        "work": work,
    }


def _uncached(response: Response) -> Response:
    """Nobody keeps it."""
    response.cache_control.no_store = True
    return response
