"""/metrics, as Prometheus reads it: what all processes of the server have counted, and how things stand now."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, request
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from engine import VERSION
from webapp import settings
from webapp.monitoring import count_files
from webapp.monitoring.count_files import Process
from webapp.probes.patience import Question, answers
from webapp.services.cache import shared
from webapp.store.links import store
from webapp.store.works import QUEUED, RUNNING, queue

PATIENCE_S = 1.5
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HERE = ("127.0.0.1", "::1", "")  # the address of a socket of this machine's file system is empty
BY_A_PROXY = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
REFUSED = "Metrics are read on the server's own machine, at its own port, or with GANTRY_METRICS_TOKEN as a bearer token.\n"

_states = Question(lambda: queue().counts())
_oldest = Question(lambda: queue().oldest_wait_s())
_links = Question(lambda: store().count())
_keeps = Question(shared.keeps)


def register(server: Flask, prefix: str) -> None:
    """The route."""

    @server.get(f"{prefix}metrics")
    def metrics() -> Response:
        if not allowed():
            return Response(REFUSED, 403, mimetype="text/plain")
        return Response(text(), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def allowed() -> bool:
    """Is it asked by this machine itself, not through a proxy nor by a page that a name of its own leads here? Or does it bring the owner's token?"""
    token, sent = settings.metrics_token(), request.authorization
    if token and sent and sent.type == "bearer" and hmac.compare_digest((sent.token or "").encode(), token.encode()):
        return True
    name = (urlsplit(f"//{request.host}").hostname or "").lower()
    return request.remote_addr in HERE and name in ("::1", *LOOPBACK) and not any(header in request.headers for header in BY_A_PROXY)


def text() -> bytes:
    """All of it, in Prometheus' text format."""
    registry, place = CollectorRegistry(), count_files.folder()
    registry.register(Now())
    if place is None:
        return generate_latest(REGISTRY) + generate_latest(registry)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    count_files.sweep()
    MultiProcessCollector(registry, str(place))
    with count_files.alone(place):
        return generate_latest(registry)


class Now:
    """A collector of what is not counted but found when it is asked for; what can't be found in time is left out."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Its gauges."""
        states, oldest, links, keeps = answers([_states, _oldest, _links, _keeps], PATIENCE_S)
        yield _gauge("gantry_build_info", "The version that runs.", 1, version=VERSION)
        yield _gauge("gantry_database_up", "Whether the database answers.", int(not isinstance(states, Exception)))
        yield _gauge("gantry_cache_up", "Whether the cache keeps what it is given.", int(keeps is True))
        if isinstance(states, dict):
            family = GaugeMetricFamily("gantry_works", "Pieces of work that wait or are under way.", labels=["state"])
            for state in (QUEUED, RUNNING):
                family.add_metric([state], states.get(state, 0))
            yield family
        if not isinstance(oldest, Exception):
            yield _gauge("gantry_work_oldest_wait_seconds", "Seconds that the piece of work waits which has waited longest.", oldest)
        if not isinstance(links, Exception):
            yield _gauge("gantry_links", "Links kept.", links)
        if (held := shared.bytes()) is not None:
            yield _gauge("gantry_cache_bytes", "Bytes of runs in files.", held)
        processes = count_files.processes() or [Process("web", os.getpid())]
        memory = GaugeMetricFamily("gantry_process_resident_memory_bytes", "Memory of each process.", labels=["role", "pid"])
        for one in processes:
            if (resident := _resident(one.number)) is not None:
                memory.add_metric([one.role, str(one.number)], resident)
        yield memory


def _gauge(name: str, help: str, value: float, **labels: str) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help, labels=list(labels))
    family.add_metric(list(labels.values()), value)
    return family


def _resident(process: int) -> int | None:
    """Bytes; None where the system does not tell it so."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None
