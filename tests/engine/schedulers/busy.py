"""A busy cluster for any scheduler, and the digest of a run."""

from __future__ import annotations

import hashlib

from engine.scenario.model import Scenario
from engine.simulation.run import Run


def digest(run: Run) -> str:
    result = hashlib.sha256(repr((run.status, run.at_ms, run.because)).encode())
    for column in (*run.containers, *run.jobs, *run.waiting):
        result.update(column.tobytes())
    return result.hexdigest()


def busy(seed: int = 7) -> Scenario:
    """Everything at once, with kills: random times, contention, two node sizes, iterations."""
    job = {
        "am": {"memory_mb": 1, "vcores": 1, "startup_s": 0.5},
        "count": 4,
        "interval_s": {"dist": "exponential", "mean": 2},
    }
    job |= {"iterations": 2, "slowstart": 0.2, "shuffle_mb_per_map": 33}
    maps = {"count": 9, "memory_mb": 2, "vcores": 1, "duration_s": {"dist": "lognormal", "mean": 3, "sd": 2}}
    reduces = {"count": 4, "memory_mb": 3, "vcores": 2, "duration_s": {"dist": "normal", "mean": 4, "sd": 1}}
    nodes = [
        {"count": 2, "memory_mb": 8, "vcores": 6},
        {"count": 1, "memory_mb": 5, "vcores": 9, "speed": 1.7},
    ]
    return Scenario.of(
        {
            "version": 1,
            "seed": seed,
            "cluster": {"nodes": nodes, "contention": 0.1},
            "jobs": [{**job, "maps": maps, "reduces": reduces}],
        }
    )
