"""The oracle's contention: tasks on one node slow each other (model 15)."""

from __future__ import annotations

import math

from tests.oracle.fetching import fetch, weighs_fetching
from tests.oracle.luck import duration_ms
from tests.oracle.result import Running
from tests.oracle.world import KINDS, World


def contend(world: World) -> bool:
    """When the instant is over: k of every node, the ends it moves, and the tasks that begin to fetch or to compute now (15).

    Whether a window may see that: how fast reduces fetch.
    """
    seen = [(node.fetching, node.slowness) for node in world.nodes]
    g, h = world.scenario.cluster.contention, world.scenario.cluster.fetch_weight
    running = world.running(None, *KINDS)
    for node in world.nodes:
        there = [container for container in running if container.node is node]
        before = _slowness(g, node.computing)
        if weighs_fetching(world):
            for container in there:
                if container.kind == "reduce" and container.shuffle_end is None and container.begin <= world.now:
                    fetch(world, container, before)
        fetching = [container for container in there if container.to_fetch is not None]
        k_old, k = node.computing, sum(_counts(world, container) for container in there) + h * len(fetching)
        node.computing, node.slowness = k, _slowness(g, k)
        node.fetching = len(fetching)
        for container in fetching:
            if container.fetched_at is None or k != k_old:
                if container.fetched_at is not None:
                    container.to_fetch -= (world.now - container.since) / before
                container.since = world.now
                container.fetched_at = world.now + _lasts(container.to_fetch, g, k)
        for container in there:
            if container.left is not None and k != k_old:
                container.left -= (world.now - container.since) / before
                _set_end(container, k, world)
            elif container.left is None and _computes(container, world.now):
                container.left = float(duration_ms(world.scenario, container, node.speed))
                _set_end(container, k, world)
    return weighs_fetching(world) and seen != [(node.fetching, node.slowness) for node in world.nodes]


def _set_end(container: Running, k: float, world: World) -> None:
    container.since = world.now
    container.end = world.now + _lasts(container.left, world.scenario.cluster.contention, k)


def _lasts(left: float, g: float, k: float) -> int:
    return max(1, math.ceil(left * _slowness(g, k) - 1e-6))


def _slowness(g: float, k: float) -> float:
    return 1 + g * max(k - 1, 0)


def _counts(world: World, container: Running) -> bool:
    """Maps that have been launched, and reduces from their launch or last map end, whichever is later; with a fetch weight those that compute."""
    if container.kind == "reduce" and weighs_fetching(world):
        return _computes(container, world.now)
    waits = container.kind == "reduce" and container.shuffle_end is None
    return container.kind != "am" and container.begin <= world.now and not waits


def _computes(container: Running, now: int) -> bool:
    return (container.kind == "map" and container.begin <= now) or (container.shuffle_end is not None and container.shuffle_end <= now)
