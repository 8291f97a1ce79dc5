"""Jitter: random variation for fixed durations, so that a deterministic scenario shows how much of a
difference is chance.

A fixed time becomes lognormal with that mean and a coefficient of variation, the shape that task times on
clusters have (Ganapathi 2009, Kavulya 2010); each of a list of times is multiplied by such a draw with mean
1. What has a distribution keeps it. Ours
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np

from engine.scenario.json_values import dict_list

MAX_JITTER = 3.0
KINDS = ("maps", "reduces")
DECIMALS = 6  # of a second, which the draws are rounded to


def depends_on_seed(scenario: dict) -> bool:
    """Does anything in a scenario's JSON values depend on its seed?"""
    cluster = scenario.get("cluster")
    if isinstance(cluster, dict) and any(cluster.get(key) for key in ("stragglers", "failures", "locality")):
        return True
    return _has_distribution(scenario.get("jobs")) or _has_distribution(cluster)


def has_lists(scenario: dict) -> bool:
    """Has any job a list of times?"""
    return any(
        isinstance(times, dict) and "values" in times
        for job in dict_list(scenario, "jobs")
        for times in _times(job)
    )


def jittered(scenario: dict, jitter: float, seed: int) -> dict:
    """A scenario's JSON values with durations that vary by so much; lists are drawn from the seed. Without
    jitter the same object.
    """
    if not jitter:
        return scenario
    return {
        **scenario,
        "jobs": [
            _job(job, job_index, jitter, seed) for job_index, job in enumerate(dict_list(scenario, "jobs"))
        ],
    }


def _job(job: dict, job_index: int, jitter: float, seed: int) -> dict:
    jittered_job = dict(job)
    for kind in KINDS:
        if isinstance(job.get(kind), dict):
            jittered_job[kind] = {
                **job[kind],
                "duration_s": _spread(job[kind].get("duration_s"), jitter, (seed, job_index, kind)),
            }
    if isinstance(job.get("stages"), list):
        jittered_job["stages"] = [
            stage | {"duration_s": _spread(stage.get("duration_s"), jitter, (seed, job_index, number))}
            for number, stage in enumerate(dict_list(job, "stages"))
        ]
    return jittered_job


def _spread(times: Any, jitter: float, seed_parts: tuple) -> Any:
    if isinstance(times, (int, float)) and times > 0:
        return {"dist": "lognormal", "mean": times, "sd": times * jitter}
    if isinstance(times, dict) and isinstance(times.get("values"), list):
        sigma = math.sqrt(math.log1p(jitter * jitter))
        key = int.from_bytes(hashlib.blake2b(repr(seed_parts).encode(), digest_size=16).digest(), "little")
        factors = np.exp(
            np.random.Generator(np.random.PCG64(key)).normal(-sigma * sigma / 2, sigma, len(times["values"]))
        )
        return {
            "values": [
                round(float(time * factor), DECIMALS) for time, factor in zip(times["values"], factors)
            ]
        }
    return times


def _times(job: dict) -> list[Any]:
    parts = [job[kind] for kind in KINDS if isinstance(job.get(kind), dict)]
    return [part.get("duration_s") for part in (*parts, *dict_list(job, "stages"))]


def _has_distribution(owner: Any) -> bool:
    """Is there a distribution anywhere below?"""
    if isinstance(owner, list):
        return any(map(_has_distribution, owner))
    return isinstance(owner, dict) and (
        "dist" in owner or owner.get("zipf") is not None or any(map(_has_distribution, owner.values()))
    )
