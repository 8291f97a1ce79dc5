"""The curve of an application over its executors: what is run, its intervals, and from where on more no
longer help, by hand.
"""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from engine import Scenario, ScenarioError, run_study
from engine.studies.executor_curve import (
    JITTER,
    SHOWN,
    bands_of,
    executor_curve,
    executor_study,
    spark_application,
    suitable_numbers,
)
from engine.studies.measures import OTHERS_SLOWDOWN, OTHERS_TIME, OWN_TIME
from tests.engine.studies.made_curves import DYNAMIC, FIXED, PLAIN, curve
from tests.phrases import phrase
from tests.spark_jobs import MIXED


def test_jitter_is_given_where_nothing_else_is_random():
    drawn = executor_study(DYNAMIC, ["fair"], 0, usual_seeds=7)  # its last stage is drawn
    assert (drawn.jitter, drawn.seeds) == (0.0, 7)
    fixed = executor_study(FIXED, ["fair"], 0, usual_seeds=7)
    assert (fixed.jitter, fixed.seeds) == (JITTER, 7)
    exact = executor_study(FIXED, ["fair"], 0, jitter=0.0, usual_seeds=7)
    assert (exact.jitter, exact.seeds) == (0.0, 1)
    fitted = executor_study(FIXED, ["fair"], 0, usual_seeds=7, is_fitted=True)
    assert (fitted.jitter, fitted.seeds) == (0.0, 1)


def test_numbers_go_from_one_to_what_the_nodes_hold_and_the_tasks_fill():
    job = DYNAMIC.jobs[0]
    assert suitable_numbers(DYNAMIC, job, job.executors) == list(range(1, 9))
    few = job.model_copy(update={"stages": [job.stages[0].model_copy(update={"tasks": 4})]})
    # two executors of three slots fill with four tasks, but it has up to six now
    assert suitable_numbers(DYNAMIC, few, job.executors) == list(range(1, 7))
    many = [group.model_copy(update={"count": 400}) for group in DYNAMIC.cluster.nodes]
    large = DYNAMIC.model_copy(update={"cluster": DYNAMIC.cluster.model_copy(update={"nodes": many})})
    chosen = suitable_numbers(large, job, job.executors)
    assert chosen == [*range(2, 23, 2), 23]  # the present 6 among them
    wide = job.model_copy(update={"stages": [job.stages[0].model_copy(update={"tasks": 3 * 400})]})
    assert suitable_numbers(large, wide, job.executors) == [6, *range(26, 400, 20), 400]


@pytest.mark.parametrize("number", [0, 1.5, -2, 10**7, "few"])
def test_numbers_that_are_none_are_refused(number):
    with pytest.raises(ScenarioError, match="^executors: "):
        executor_study(DYNAMIC, ["fair"], 0, (1, number), usual_seeds=1)


def test_an_application_is_found_by_its_name():
    assert spark_application(DYNAMIC, "etl") == 0
    with pytest.raises(
        ScenarioError, match=phrase("studies.no_spark_application_called", "'etk'", "etl").replace("?", r"\?")
    ):
        spark_application(DYNAMIC, "etk")
    with pytest.raises(ScenarioError):
        spark_application(DYNAMIC, "mr")  # a MapReduce job
    with pytest.raises(ScenarioError, match=phrase("studies.no_job_spark_application")):
        spark_application(Scenario.of({**MIXED, "jobs": [MIXED["jobs"][1]]}), "etl")


def test_the_knee_by_hand():
    # Means 100, 60, 31, 30 with intervals of about +-12.7 (t of two seeds, 12.7 x 1): from the third on all
    # intervals meet.
    found = curve([[99, 101], [59, 61], [30, 32], [29, 31]])
    interval = found.interval(OWN_TIME)
    assert interval.high[0, 0] - interval.mean[0, 0] == pytest.approx(12.706, abs=1e-3)
    assert found.knee(0) == 2
    # in whatever order the numbers are given
    assert curve([[29, 31], [99, 101], [30, 32], [59, 61]], (4, 1, 3, 2)).knee(0) == 2


def test_a_long_flat_tail_has_its_knee_where_it_begins():
    # 102 to 98 each: a gain of each step that the narrow intervals show, and never 5 % of what it takes
    tail = [[level, level + 1e-6] for level in np.linspace(102, 98, 40)]
    assert curve([[400, 401], [200, 201], *tail]).knee(0) == 2
    # of 5 % and more it is told, wherever it comes
    assert curve([[400, 401], [200, 201], *tail, [96.9, 96.9]]).knee(0) == 2 + 1
    assert curve([[100, 100], [95, 95]]).knee(0) == 1 and curve([[100, 100], [95.1, 95.1]]).knee(0) == 0


def test_a_number_without_a_value_is_passed_over():
    found = curve([[math.nan] * 2, [49, 51], [49, 51], [math.nan] * 2])
    assert found.knee(0) == 1
    assert curve([[math.nan] * 2] * 3).knee(0) is None


def test_one_seed_alone_tells_nothing():
    assert curve([[100], [50], [50]]).knee(0) is None


def test_a_band_takes_the_place_of_the_interval():
    bands = bands_of(SimpleNamespace(low=0.5, high=1.5), SimpleNamespace(low=0.9, high=1.1))
    found = curve([[100], [60], [30], [29]], bands=bands)
    interval = found.interval(OWN_TIME)
    assert (interval.low[0, 0], interval.mean[0, 0], interval.high[0, 0]) == (50, 100, 150)
    # 100 to 150 at least is above none of 60's 30 to 90; 30's 15 to 45 lies below 50
    assert found.knee(0) == 1
    assert bands[OTHERS_SLOWDOWN] == bands[OTHERS_TIME] == (0.5, 1.5)
    assert all(found.interval(metric) for metric in SHOWN)
    assert bands_of(None, None) == {}


def test_a_study_is_run_and_more_executors_hurt_the_others():
    study = executor_study(FIXED_BESIDE, ["fair"], 0, (1, 4, 8), usual_seeds=3)
    found = executor_curve(run_study(study), FIXED_BESIDE)
    own, others = found.interval(OWN_TIME).mean[:, 0], found.interval(OTHERS_TIME).mean[:, 0]
    assert all(after < before for before, after in pairwise(own.tolist()))
    assert others[-1] > others[0]
    assert 0 < found.critical_path_s(0) <= own.min()
    assert (found.application, found.present, found.is_dynamic) == ("etl", 4, False)


FIXED_BESIDE = Scenario.of(
    {
        "version": 1,
        "cluster": {"nodes": [{"count": 4, "memory_mb": 4096, "vcores": 4}]},
        "jobs": [
            PLAIN,
            {"name": "mr", "maps": {"count": 60, "memory_mb": 1024, "vcores": 1, "duration_s": 5}},
        ],
    }
)
