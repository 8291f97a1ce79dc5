"""Draws: the hash never changes within version 1, the distributions are what they say, and jobs do not
disturb each other.
"""

from __future__ import annotations

from statistics import NormalDist, mean, stdev

import numpy as np
import pytest

from engine.jit import compiled
from engine.scenario.model import Scenario
from engine.schedulers.view import MAP
from engine.simulation import durations
from engine.simulation.simulate import simulate
from engine.simulation.workload import workload


def scenario(duration: object, count: int = 20_000, seed: int = 1, before: list | None = None) -> Scenario:
    maps = {"count": count, "memory_mb": 1, "vcores": 1, "duration_s": duration}
    cluster = {"nodes": [{"count": 1, "memory_mb": 9, "vcores": 9}]}
    return Scenario.of(
        {
            "version": 1,
            "seed": seed,
            "cluster": cluster,
            "jobs": [*(before or []), {"name": "j", "maps": maps}],
        }
    )


def drawn(duration: object, **more) -> list[float]:
    case = scenario(duration, **more)
    return (durations.durations(case, workload(case)) / 1000).tolist()


def test_the_hash_is_pinned():
    """These values belong to version 1: other ones would change every saved run."""
    with np.errstate(over="ignore"):
        keys = [
            (np.uint64(durations.key(seed, "wc", copy)), index)
            for seed, copy, index in ((0, 1, 0), (0, 1, 1), (7, 2, 30))
        ]
        numbers = [durations.uniform(key, 1, durations.MAP, index) for key, index in keys]
    assert numbers == PINNED


def test_the_keys_of_copies_are_each_copy_s():
    assert durations.keys(7, "wc", 12).tolist() == [durations.key(7, "wc", copy) for copy in range(1, 13)]


QUANTILE = compiled(durations.quantile)
PINNED = [0.861400274928114, 0.37889781765279257, 0.6162899463210381]


def test_the_normal_quantile_is_the_standard_library_s():
    for u in [1e-300, 1e-17, 1e-9, 0.01, 0.074, 0.3, 0.5, 0.7, 0.925, 0.99, 1 - 1e-9, 1 - 2**-53]:
        assert durations.quantile(u) == QUANTILE.fast(u) == NormalDist().inv_cdf(u)


@pytest.mark.parametrize(
    ("duration", "expected_mean", "expected_sd"),
    [
        ({"dist": "normal", "mean": 20, "sd": 3}, 20, 3),
        ({"dist": "lognormal", "mean": 20, "sd": 10}, 20, 10),
        ({"dist": "uniform", "low": 10, "high": 30}, 20, 20 / 12**0.5),
        ({"dist": "exponential", "mean": 20}, 20, 20),
    ],
)
def test_mean_and_deviation_are_the_duration_s_own(duration, expected_mean, expected_sd):
    draws = drawn(duration)
    # 20,000 draws: a relative error of 3 % is over 4 standard errors
    assert mean(draws) == pytest.approx(expected_mean, rel=0.03)
    assert stdev(draws) == pytest.approx(expected_sd, rel=0.06)


def test_values_are_one_a_task_reused_in_each_copy():
    assert drawn({"values": [1, 2, 3]}, count=3) == [1, 2, 3]


def test_inserting_a_job_changes_no_other_job_s_draws():
    duration = {"dist": "normal", "mean": 5, "sd": 1}
    other = {"name": "other", "maps": {"count": 7, "memory_mb": 1, "vcores": 1, "duration_s": duration}}
    assert drawn(duration, count=9, before=[other])[7:] == drawn(duration, count=9)


def test_every_scheduler_sees_the_same_times():
    case = scenario({"dist": "exponential", "mean": 2}, count=50)
    times = []
    for order in ("fifo", "fair", "drf", "capacity"):
        c = simulate(case, order).containers
        times.append(sorted((c.end - c.start)[c.kind == MAP].tolist()))
    assert all(row == times[0] for row in times)


def test_a_time_lasts_at_least_a_millisecond():
    c = simulate(scenario({"dist": "normal", "mean": 0.001, "sd": 5}, count=200), "fifo").containers
    assert (c.end - c.start).min() == 1
