"""Durations that are given a spread, so that a scenario without any says how much of a difference is luck.

A fixed time becomes lognormal with that mean and a coefficient of variation, the shape that task times on clusters have (Ganapathi 2009, Kavulya 2010);
each of a list of times is multiplied by such a draw with mean 1. What has a distribution keeps it. Ours
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np

from engine.scenario.plain_values import dicts

MOST_JITTER = 3.0
KINDS = ("maps", "reduces")
DECIMALS = 6  # of a second, which the draws are rounded to


def draws(scenario: dict) -> bool:
    """Does anything in a scenario's JSON values depend on its seed?"""
    cluster = scenario.get("cluster")
    if isinstance(cluster, dict) and any(cluster.get(key) for key in ("stragglers", "failures", "locality")):
        return True
    return _any_law(scenario.get("jobs")) or _any_law(cluster)


def has_lists(scenario: dict) -> bool:
    """Has any job a list of times?"""
    return any(isinstance(times, dict) and "values" in times for job in dicts(scenario, "jobs") for times in _times(job))


def jittered(scenario: dict, jitter: float, seed: int) -> dict:
    """A scenario's JSON values with durations that vary by so much; lists are drawn from the seed. Without jitter the same object."""
    if not jitter:
        return scenario
    return {**scenario, "jobs": [_job(job, place, jitter, seed) for place, job in enumerate(dicts(scenario, "jobs"))]}


def _job(job: dict, place: int, jitter: float, seed: int) -> dict:
    found = dict(job)
    for kind in KINDS:
        if isinstance(job.get(kind), dict):
            found[kind] = {**job[kind], "duration_s": _spread(job[kind].get("duration_s"), jitter, (seed, place, kind))}
    return found


def _spread(times: Any, jitter: float, of: tuple) -> Any:
    if isinstance(times, (int, float)) and times > 0:
        return {"dist": "lognormal", "mean": times, "sd": times * jitter}
    if isinstance(times, dict) and isinstance(times.get("values"), list):
        sigma = math.sqrt(math.log1p(jitter * jitter))
        key = int.from_bytes(hashlib.blake2b(repr(of).encode(), digest_size=16).digest(), "little")
        factors = np.exp(np.random.Generator(np.random.PCG64(key)).normal(-sigma * sigma / 2, sigma, len(times["values"])))
        return {"values": [round(float(time * factor), DECIMALS) for time, factor in zip(times["values"], factors)]}
    return times


def _times(job: dict) -> list[Any]:
    return [job[kind].get("duration_s") for kind in KINDS if isinstance(job.get(kind), dict)]


def _any_law(owner: Any) -> bool:
    """Is there a distribution anywhere below?"""
    if isinstance(owner, list):
        return any(map(_any_law, owner))
    return isinstance(owner, dict) and ("dist" in owner or owner.get("zipf") is not None or any(map(_any_law, owner.values())))
