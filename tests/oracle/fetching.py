"""The oracle's shuffle: when a reduce has fetched the output of all maps (model 14)."""

from __future__ import annotations

import math

from engine.scenario.model import milliseconds
from tests.oracle.luck import part_of
from tests.oracle.result import Running
from tests.oracle.world import World


def set_shuffle_end(world: World, reduce: Running) -> None:
    """Its maps have all ended: by its own rate limit, and no map's output fetched before that map's end."""
    job = reduce.job
    n, each = job.maps, world.fetch_ms(job) * part_of(world.scenario, reduce)
    bounds = [reduce.begin + n * each] + [end + (n - k + 1) * each for k, end in enumerate(sorted(job.map_ends), start=1)]
    reduce.shuffle_end = math.ceil(max(bounds) - 1e-6) + milliseconds(world.scenario.cluster.shuffle_latency_s)
