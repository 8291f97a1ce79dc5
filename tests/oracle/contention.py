"""The oracle's contention: tasks on one node slow each other (CONTENTION-1)."""

from __future__ import annotations

import math

from tests.oracle.attempt_draws import duration_ms
from tests.oracle.cluster_state import ClusterState
from tests.oracle.fetching import fetch, weighs_fetching
from tests.oracle.result import Running


def contend(state: ClusterState) -> bool:
    """When the instant is over: k of every node, the ends it moves, and the tasks that begin to fetch or to
    compute now (15).

    Whether a window may see that: how fast reduces fetch.
    """
    seen = [(node.fetching, node.slowdown) for node in state.nodes]
    g, h = state.scenario.cluster.contention, state.scenario.cluster.fetch_weight
    running = state.running(None)
    for node in state.nodes:
        there = [container for container in running if container.node is node]
        before = _slowness(g, node.computing)
        if weighs_fetching(state):
            _begin_fetching(state, there, before)
        fetching = [container for container in there if container.to_fetch is not None]
        k_old, k = node.computing, sum(_counts(state, container) for container in there) + h * len(fetching)
        node.computing, node.slowdown = k, _slowness(g, k)
        node.fetching = len(fetching)
        for container in fetching:
            if container.fetched_at is None or k != k_old:
                _move_fetch(container, before, k, state)
        for container in there:
            if container.left is not None and k != k_old:
                container.left -= (state.now - container.since) / before
                _set_end(container, k, state)
            elif container.left is None and _is_computing(container, state.now):
                container.left = float(duration_ms(state.scenario, container, node.speed))
                _set_end(container, k, state)
    return weighs_fetching(state) and seen != [(node.fetching, node.slowdown) for node in state.nodes]


def _begin_fetching(state: ClusterState, there: list[Running], slowness: float) -> None:
    """Reduces of one node that have been launched and have maps' output to fetch."""
    for container in there:
        is_launched = container.begin <= state.now
        if container.kind == "reduce" and container.shuffle_end is None and is_launched:
            fetch(state, container, slowness)


def _move_fetch(container: Running, before: float, k: float, state: ClusterState) -> None:
    """When what is left to fetch has come, with k tasks on the node; before: the slowness until now."""
    if container.fetched_at is not None:
        container.to_fetch -= (state.now - container.since) / before
    container.since = state.now
    container.fetched_at = state.now + _remaining_ms(container.to_fetch, state.scenario.cluster.contention, k)


def _set_end(container: Running, k: float, state: ClusterState) -> None:
    container.since = state.now
    container.end = state.now + _remaining_ms(container.left, state.scenario.cluster.contention, k)


def _remaining_ms(left: float, g: float, k: float) -> int:
    return max(1, math.ceil(left * _slowness(g, k) - 1e-6))


def _slowness(g: float, k: float) -> float:
    return 1 + g * max(k - 1, 0)


def _counts(state: ClusterState, container: Running) -> bool:
    """Maps that have been launched, and reduces from their launch or last map end, whichever is later; with a
    fetch weight those that compute.
    """
    if container.kind == "reduce" and weighs_fetching(state):
        return _is_computing(container, state.now)
    waits = container.kind == "reduce" and container.shuffle_end is None
    return container.kind != "am" and not container.runs_tasks and container.begin <= state.now and not waits


def _is_computing(container: Running, now: int) -> bool:
    job = container.job
    if container.runs_tasks:
        return False
    is_first = container.kind in job.stage_kinds and not job.application.sources_of(container)
    return ((container.kind == "map" or is_first) and container.begin <= now) or (
        container.shuffle_end is not None and container.shuffle_end <= now
    )
