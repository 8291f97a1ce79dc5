"""The oracle's shuffle: when a reduce has fetched the output of all maps (SHUFFLE-1, SHUFFLE-4)."""

from __future__ import annotations

import math

from engine.scenario.model import milliseconds
from tests.oracle.attempt_draws import output_share
from tests.oracle.cluster_state import ClusterState
from tests.oracle.result import Running


def weighs_fetching(state: ClusterState) -> bool:
    """Does a reduce that fetches slow its node, and its node the fetching? Then the shuffle's end is not
    known beforehand.
    """
    return state.scenario.cluster.fetch_weight > 0 and state.scenario.cluster.contention > 0


def set_shuffle_end(state: ClusterState, reduce: Running) -> None:
    """Its maps have all ended: by its own rate limit, and no map's output fetched before that map's end."""
    job = reduce.job
    n, each = job.maps, _fetch_ms(state, reduce)
    bounds = [reduce.begin + n * each] + [
        end + (n - k + 1) * each for k, end in enumerate(sorted(job.map_ends), start=1)
    ]
    reduce.shuffle_end = math.ceil(max(bounds) - 1e-6) + milliseconds(
        state.scenario.cluster.shuffle_latency_s
    )


def fetch(state: ClusterState, reduce: Running, slowdown: float) -> None:
    """With a fetch weight, when the instant is over: what it has to fetch from now on, and whether it has
    everything. slowness: up to now.
    """
    job = reduce.job
    if reduce.fetched_at == state.now:
        reduce.to_fetch = reduce.fetched_at = None
    more = len(job.maps_done) - reduce.known_outputs
    if more:
        left = 0.0 if reduce.to_fetch is None else reduce.to_fetch - (state.now - reduce.since) / slowdown
        left += more * _fetch_ms(state, reduce)
        reduce.to_fetch = left if left > 0 else None
        reduce.known_outputs, reduce.since, reduce.fetched_at = len(job.maps_done), state.now, None
    if reduce.to_fetch is None and reduce.known_outputs == job.maps:
        reduce.shuffle_end = state.now + milliseconds(state.scenario.cluster.shuffle_latency_s)


def _fetch_ms(state: ClusterState, reduce: Running) -> float:
    """What it takes to fetch the output of one map."""
    return state.fetch_ms(reduce.job) * output_share(state.scenario, reduce)
