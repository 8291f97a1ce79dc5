"""/metrics, as Prometheus reads it: what all processes of the server have counted, and how things stand
now.
"""

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
from webapp.jobs.job_queue import QUEUED, RUNNING, queue
from webapp.messages import msg
from webapp.monitoring import metric_files
from webapp.monitoring.metric_files import Process
from webapp.probes.timed_probes import Probe, run_probes
from webapp.runs.cache import shared_cache
from webapp.url.links import link_store

PROBE_TIMEOUT_S = 1.5
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
LOCAL_ADDRESSES = ("127.0.0.1", "::1", "")  # the address of a socket of this machine's file system is empty
PROXY_HEADERS = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
REFUSED = msg("probes.scrape.metrics_read_on_servers_own_machine")

_probes = (
    Probe(lambda: queue().counts()),
    Probe(lambda: queue().oldest_wait_s()),
    Probe(lambda: link_store().count()),
    Probe(shared_cache.is_available),
)


def register(server: Flask, prefix: str) -> None:
    """The route."""

    @server.get(f"{prefix}metrics")
    def metrics() -> Response:
        if not is_allowed():
            return Response(REFUSED, 403, mimetype="text/plain")
        headers = {"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE_LATEST}
        return Response(render_metrics(), headers=headers)


def is_allowed() -> bool:
    """Is it asked by this machine itself, not through a proxy nor by a page that a name of its own leads
    here? Or does it bring the owner's token?
    """
    token, given = settings.metrics_token(), request.authorization
    bearer = given.token or "" if given and given.type == "bearer" else ""
    if token and hmac.compare_digest(bearer.encode(), token.encode()):
        return True
    name = (urlsplit(f"//{request.host}").hostname or "").lower()
    return (
        request.remote_addr in LOCAL_ADDRESSES
        and name in ("::1", *LOOPBACK)
        and not any(header in request.headers for header in PROXY_HEADERS)
    )


def render_metrics() -> bytes:
    """All of it, in Prometheus' text format."""
    registry, place = CollectorRegistry(), metric_files.folder()
    registry.register(CurrentStateCollector())
    if place is None:
        return generate_latest(REGISTRY) + generate_latest(registry)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    metric_files.merge_exited_processes()
    MultiProcessCollector(registry, str(place))
    with metric_files.exclusive(place):
        return generate_latest(registry)


class CurrentStateCollector:
    """A collector of what is not counted but found when it is asked for; what can't be found in time is left
    out.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Its gauges."""
        states, oldest, links, cache_answer = run_probes(_probes, PROBE_TIMEOUT_S)
        answers, keeps = not isinstance(states, Exception), cache_answer is True
        yield _gauge("gantry_build_info", msg("probes.scrape.running_version"), {VERSION: 1}, "version")
        yield _gauge("gantry_database_up", msg("probes.scrape.whether_database_answers"), int(answers))
        yield _gauge("gantry_cache_up", msg("probes.scrape.whether_cache_works"), int(keeps))
        if isinstance(states, dict):
            waiting = {state: states.get(state, 0) for state in (QUEUED, RUNNING)}
            yield _gauge("gantry_works", msg("probes.scrape.number_tasks_wait_or_run"), waiting, "state")
        if not isinstance(oldest, Exception):
            about = msg("probes.scrape.seconds_oldest_waiting_task_has_waited")
            yield _gauge("gantry_work_oldest_wait_seconds", about, oldest)
        if not isinstance(links, Exception):
            yield _gauge("gantry_links", msg("probes.scrape.number_stored_links"), links)
        if (cache_bytes := shared_cache.bytes()) is not None:
            yield _gauge("gantry_cache_bytes", msg("probes.scrape.bytes_runs_in_files"), cache_bytes)
        about, labels = msg("probes.scrape.memory_each_process"), ["role", "pid"]
        memory = GaugeMetricFamily("gantry_process_resident_memory_bytes", about, labels=labels)
        for process in metric_files.live_processes() or [Process("web", os.getpid())]:
            if (resident := _resident_bytes(process.number)) is not None:
                memory.add_metric([process.role, str(process.number)], resident)
        yield memory


def _gauge(name: str, about: str, values: float | dict[str, float], label: str = "") -> GaugeMetricFamily:
    """A gauge; values: one number, or one for each value of the label."""
    if not isinstance(values, dict):
        return GaugeMetricFamily(name, about, value=values)
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _resident_bytes(process: int) -> int | None:
    """Bytes; None where the system does not tell it so."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None
