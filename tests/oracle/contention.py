"""The oracle's contention: tasks on one node slow each other (CONTENTION-1), whether they have a container
each or run in one that runs several (an `Attempt` of Spark, a `Task` of Tez).
"""

from __future__ import annotations

import math
from typing import Any

from tests.oracle.attempt_draws import duration_ms
from tests.oracle.cluster_state import ClusterState
from tests.oracle.fetching import fetch, weighs_fetching
from tests.oracle.result import Running
from tests.oracle.spark import Application, Attempt


def contend(state: ClusterState) -> bool:
    """When the instant is over: k of every node, the ends it moves, and the tasks that begin to fetch or to
    compute now (15).

    Whether a window may see that: how fast reduces fetch.
    """
    _contend_launches(state)
    seen = [(node.fetching, node.slowdown) for node in state.nodes]
    g, h = state.scenario.cluster.contention, state.scenario.cluster.fetch_weight
    running = _tasks(state)
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
            _compute(container, before, k_old, k, state)
    return weighs_fetching(state) and seen != [(node.fetching, node.slowdown) for node in state.nodes]


def _contend_launches(state: ClusterState) -> None:
    """How fast the executors launch that do on the same node (CONTENTION-4)."""
    applications = [job.application for job in state.jobs if isinstance(job.application, Application)]
    executors = [executor for application in applications for executor in application.launching()]
    h = state.scenario.cluster.launch_contention
    for node in state.nodes:
        there = [one for one in executors if one.container.node is node]
        k_old, k = node.launching, len(there)
        node.launching = k
        for executor in there:
            is_new = executor.launch_since == state.now
            if k == k_old and not is_new:
                continue
            if not is_new:
                executor.launch_left -= (state.now - executor.launch_since) / _slowness(h, k_old)
            executor.launch_since = state.now
            executor.registers = state.now + _remaining_ms(executor.launch_left, h, k)


def _tasks(state: ClusterState) -> list[Any]:
    """All that run, in containers of their own or within others."""
    inner = [task for job in state.jobs if job.application for task in job.application.tasks_within()]
    return [container for container in state.running(None) if not container.runs_tasks] + inner


def _work(state: ClusterState, task: Any) -> int:
    return task.work if isinstance(task, Attempt) else duration_ms(state.scenario, task, task.node.speed)


def _is_demand(task: Any) -> bool:
    """Held as long as it says, whatever runs beside it, which does not feel it."""
    return task.job.group.framework == "demand"


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


def _compute(container: Any, before: float, k_old: float, k: float, state: ClusterState) -> None:
    """What begins to compute, or does so at another speed than until now; demand has its own."""
    if container.left is not None and k != k_old and not _is_demand(container):
        container.left -= (state.now - container.since) / before
        _set_end(container, k, state)
    elif container.left is None and _is_computing(container, state.now):
        container.left = float(_work(state, container))
        _set_end(container, 1 if _is_demand(container) else k, state)


def _set_end(container: Any, k: float, state: ClusterState) -> None:
    container.since = state.now
    container.end = state.now + _remaining_ms(container.left, state.scenario.cluster.contention, k)


def _remaining_ms(left: float, g: float, k: float) -> int:
    return max(1, math.ceil(left * _slowness(g, k) - 1e-6))


def _slowness(g: float, k: float) -> float:
    return 1 + g * max(k - 1, 0)


def _counts(state: ClusterState, container: Any) -> bool:
    """Tasks that have been launched and read nothing; those that read something from their launch or the last
    end of that, whichever is later; with a fetch weight those that compute.
    """
    if container.kind == "reduce" and weighs_fetching(state):
        return _is_computing(container, state.now)
    waits = _reads(container) and container.shuffle_end is None
    is_task = container.kind != "am" and not _is_demand(container)
    return is_task and container.begin <= state.now and not waits


def _reads(container: Any) -> bool:
    """Does it fetch what other tasks have written?"""
    if isinstance(container, Attempt) or container.kind in ("am", "map"):
        return False
    return container.kind == "reduce" or bool(container.job.application.sources_of(container))


def _is_computing(container: Any, now: int) -> bool:
    if container.kind == "am":
        return False
    begins = container.shuffle_end if _reads(container) else container.begin
    return begins is not None and begins <= now
