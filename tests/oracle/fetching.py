"""The oracle's shuffle: when a reduce has fetched the output of all maps (model 14, 15)."""

from __future__ import annotations

import math

from engine.scenario.model import milliseconds
from tests.oracle.luck import part_of
from tests.oracle.result import Running
from tests.oracle.world import World


def weighs_fetching(world: World) -> bool:
    """Does a reduce that fetches slow its node, and its node the fetching? Then the shuffle's end is not known beforehand."""
    return world.scenario.cluster.fetch_weight > 0 and world.scenario.cluster.contention > 0


def set_shuffle_end(world: World, reduce: Running) -> None:
    """Its maps have all ended: by its own rate limit, and no map's output fetched before that map's end."""
    job = reduce.job
    n, each = job.maps, _fetch_ms(world, reduce)
    bounds = [reduce.begin + n * each] + [end + (n - k + 1) * each for k, end in enumerate(sorted(job.map_ends), start=1)]
    reduce.shuffle_end = math.ceil(max(bounds) - 1e-6) + milliseconds(world.scenario.cluster.shuffle_latency_s)


def fetch(world: World, reduce: Running, slowness: float) -> None:
    """With a fetch weight, when the instant is over: what it has to fetch from now on, and whether it has everything. slowness: up to now."""
    job = reduce.job
    if reduce.fetched_at == world.now:
        reduce.to_fetch = reduce.fetched_at = None
    more = len(job.maps_done) - reduce.heard
    if more:
        left = 0.0 if reduce.to_fetch is None else reduce.to_fetch - (world.now - reduce.since) / slowness
        left += more * _fetch_ms(world, reduce)
        reduce.to_fetch = left if left > 0 else None
        reduce.heard, reduce.since, reduce.fetched_at = len(job.maps_done), world.now, None
    if reduce.to_fetch is None and reduce.heard == job.maps:
        reduce.shuffle_end = world.now + milliseconds(world.scenario.cluster.shuffle_latency_s)


def _fetch_ms(world: World, reduce: Running) -> float:
    """What it takes to fetch the output of one map."""
    return world.fetch_ms(reduce.job) * part_of(world.scenario, reduce)
