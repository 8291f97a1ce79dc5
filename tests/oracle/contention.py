"""The oracle's contention: tasks that compute on one node slow each other (model 15)."""

from __future__ import annotations

import math

from tests.oracle.luck import duration_ms
from tests.oracle.result import Running
from tests.oracle.world import KINDS, World


def contend(world: World) -> None:
    """When the instant is over: k of every node, the ends it moves, and the tasks that begin to compute now (15)."""
    g = world.scenario.cluster.contention
    for node in world.nodes:
        there = [container for container in world.running(None, *KINDS) if container.node is node]
        k_old, k = node.computing, sum(_counts(container, world.now) for container in there)
        node.computing = k
        for container in there:
            if container.left is not None and k != k_old:
                container.left -= (world.now - container.since) / (1 + g * (k_old - 1))
                _set_end(container, k, world)
            elif container.left is None and _computes(container, world.now):
                container.left = float(duration_ms(world.scenario, container, node.speed))
                _set_end(container, k, world)


def _set_end(container: Running, k: int, world: World) -> None:
    stretched = math.ceil(container.left * (1 + world.scenario.cluster.contention * (k - 1)) - 1e-6)
    container.since = world.now
    container.end = world.now + max(1, stretched)


def _counts(container: Running, now: int) -> bool:
    """Maps that have been launched, and reduces from their launch or their iteration's last map end, whichever is later."""
    waits = container.kind == "reduce" and container.shuffle_end is None
    return container.kind != "am" and container.begin <= now and not waits


def _computes(container: Running, now: int) -> bool:
    return (container.kind == "map" and container.begin <= now) or (container.shuffle_end is not None and container.shuffle_end <= now)
