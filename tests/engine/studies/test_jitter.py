"""Durations that are given a spread: which, by how much, and that the mean stays."""

from __future__ import annotations

import statistics

import numpy as np
import pytest

from engine.simulation.durations import durations
from engine.simulation.workload import workload
from engine.studies.jitter import depends_on_seed, has_lists, jittered
from engine.studies.study import Study
from tests.handmade_runs import scenario, stage
from tests.spark_jobs import SPARK

FIXED = scenario([(8, 8)], [{"maps": stage(4, 1, 1, 20.0), "reduces": stage(2, 2, 2, 10.0)}]).plain()


def with_maps(duration, count=4) -> dict:
    return {**FIXED, "jobs": [{**FIXED["jobs"][0], "maps": {**stage(count, 1, 1), "duration_s": duration}}]}


def test_a_fixed_time_becomes_lognormal_with_that_mean_and_spread():
    result = jittered(FIXED, 0.25, 3)["jobs"][0]
    assert result["maps"]["duration_s"] == {"dist": "lognormal", "mean": 20.0, "sd": 5.0}
    assert result["reduces"]["duration_s"] == {"dist": "lognormal", "mean": 10.0, "sd": 2.5}
    assert FIXED["jobs"][0]["maps"]["duration_s"] == 20.0, "what is given stays as it is"


@pytest.mark.parametrize("jitter", [0.1, 0.5, 1.0])
def test_the_mean_and_the_coefficient_of_variation_are_kept(jitter):
    # 40,000 maps of 20 s: the mean's own standard error is 20 jitter / 200, of which four are allowed; that
    # of the spread is larger, its tail being long.
    point = Study(with_maps(20.0, 40_000), jitter=jitter).at(0)
    of = point.seeded(1)
    work = workload(of)
    drawn = durations(of, work)
    maps = drawn[:40_000] / 1000
    assert maps.mean() == pytest.approx(20, abs=4 * 20 * jitter / 200)
    assert maps.std() / maps.mean() == pytest.approx(jitter, rel=0.08)


def test_each_of_a_list_is_multiplied_by_a_draw_with_mean_1():
    times = [10.0] * 20_000
    result = jittered(with_maps({"values": times}, len(times)), 0.5, 7)["jobs"][0]["maps"]["duration_s"][
        "values"
    ]
    assert statistics.fmean(result) == pytest.approx(10, abs=4 * 5 / np.sqrt(len(times)))
    assert statistics.stdev(result) / statistics.fmean(result) == pytest.approx(0.5, rel=0.05)


def test_a_list_is_drawn_from_its_seed_its_job_and_its_kind():
    given = with_maps({"values": [10.0, 20.0, 30.0, 40.0]})
    given["jobs"] = given["jobs"] * 2
    times = lambda seed: [job["maps"]["duration_s"]["values"] for job in jittered(given, 0.2, seed)["jobs"]]
    assert times(1) == times(1)
    assert times(1) != times(2)
    assert times(1)[0] != times(1)[1]


@pytest.mark.parametrize(
    "duration", [{"dist": "exponential", "mean": 5.0}, {"dist": "uniform", "low": 1.0, "high": 2.0}, 0.0]
)
def test_what_has_a_distribution_keeps_it_and_nothing_stays_nothing(duration):
    assert jittered(with_maps(duration), 0.3, 1)["jobs"][0]["maps"]["duration_s"] == duration


def test_without_jitter_it_is_the_same_object():
    assert jittered(FIXED, 0.0, 1) is FIXED


def test_what_draws_and_what_has_lists():
    assert not depends_on_seed(FIXED) and not has_lists(FIXED)
    assert depends_on_seed(with_maps({"dist": "exponential", "mean": 5.0}))
    assert depends_on_seed({**FIXED, "cluster": {**FIXED["cluster"], "stragglers": {"fraction": 0.1}}})
    assert has_lists(with_maps({"values": [1.0] * 4})) and not depends_on_seed(
        with_maps({"values": [1.0] * 4})
    )


def test_a_seed_of_a_study_with_lists_is_drawn_anew():
    point = Study(with_maps({"values": [10.0, 20.0, 30.0, 40.0]}), seeds=3, jitter=0.2).at(0)
    first, second, again = (point.seeded(number).jobs[0].maps.duration_s.values for number in (0, 1, 0))
    assert first == again != second


def test_stages_vary_as_maps_do() -> None:
    values = {"values": [3.0] * 12}
    job = SPARK | {"stages": [SPARK["stages"][0], SPARK["stages"][1] | {"duration_s": values}]}
    result = jittered({**FIXED, "jobs": [job]}, 0.2, 3)["jobs"][0]["stages"]
    assert result[0]["duration_s"] == {"dist": "lognormal", "mean": 3, "sd": pytest.approx(0.6)}
    assert len(set(result[1]["duration_s"]["values"])) == 12
    assert has_lists({**FIXED, "jobs": [job]})
    assert not depends_on_seed({**FIXED, "jobs": [job]})
    assert depends_on_seed({**FIXED, "jobs": [SPARK]})
