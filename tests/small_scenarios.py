"""Short ways to write the small scenarios of hand-worked tests, and to read what the oracle made of them."""

from __future__ import annotations

from typing import Any

from engine.scenario.model import Scenario
from tests.oracle.result import Container, Result


def node(memory: int = 1, vcores: int = 100, **more: Any) -> dict:
    return {"count": 1, "memory_mb": memory, "vcores": vcores, **more}


def tasks(count: int, seconds: Any = 1.0, memory: int = 1, vcores: int = 1) -> dict:
    return {
        "count": count,
        "duration_s": seconds if isinstance(seconds, (float, dict)) else {"values": seconds},
        "memory_mb": memory,
        "vcores": vcores,
    }


def master(startup: float = 0.0, memory: int = 1, vcores: int = 1) -> dict:
    return {"memory_mb": memory, "vcores": vcores, "startup_s": startup}


def job(name: str, maps: dict, reduces: dict | None = None, **more: Any) -> dict:
    return {"name": name, "maps": maps, "reduces": reduces, **more}


def scenario(
    nodes: list[dict],
    jobs: list[dict],
    queues: list[dict] | None = None,
    heartbeat_ms: int = 0,
    each: int | None = None,
    **cluster: Any,
) -> Scenario:
    """Beats at once and without a limit of containers unless said otherwise."""
    whole = {"nodes": nodes, "heartbeat_ms": heartbeat_ms, "containers_per_heartbeat": each, **cluster}
    return Scenario.of({"version": 1, "cluster": whole, "queues": queues or [], "jobs": jobs})


def of(result: Result, kind: str, job: str | None = None) -> list[Container]:
    """Its containers of one kind, and of one job if named, in order of placement."""
    return [
        container
        for container in result.containers
        if container.kind == kind and job in (None, container.job)
    ]


def placed(result: Result) -> str:
    """The jobs of its containers in order of placement; jobs have names of one letter."""
    return "".join(container.job for container in result.containers)
