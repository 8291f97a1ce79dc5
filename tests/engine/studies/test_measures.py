"""What is measured of a run: the metrics, and the worst queue's by hand."""

from __future__ import annotations

import math

import pytest

from engine.analysis.metrics import METRICS, summary
from engine.studies.measures import APPLICATION_MEASURES, COMPARED, MEASURES, measure_run
from tests.handmade_runs import container, run, scenario, stage

JOB = {"maps": stage(1, 1, 1)}
OF = scenario(
    [(9, 9)],
    [
        {**JOB, "queue": "root.a"},
        {**JOB, "queue": "root.a", "arrival_s": 1},
        {**JOB, "queue": "root.b", "arrival_s": 2},
    ],
    ["root.a", "root.b"],
)
# Waits: 3 and 0 s in a, 1 s in b. Turnarounds: 5 and 2 s in a, 4 s in b.
ROWS = [
    container(0, "map", 0, 3000, 5000),
    container(1, "map", 0, 1000, 3000),
    container(2, "map", 0, 3000, 6000),
]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("worst_queue_mean_wait_s", 1.5),  # a: (3 + 0) / 2, b: 1
        ("worst_queue_max_wait_s", 3.0),
        ("worst_queue_mean_turnaround_s", 4.0),  # a: (5 + 2) / 2 = 3.5, b: 4
        ("worst_queue_p95_turnaround_s", 5.0),  # a: the larger of two, b: 4
        ("worst_queue_max_turnaround_s", 5.0),
    ],
)
def test_the_worst_queue_by_hand(key, value):
    assert measure_run(run(OF, ROWS), (key,)) == [value]


def test_a_metric_is_the_run_s():
    of = run(OF, ROWS)
    keys = tuple(metric.key for metric in METRICS)
    assert measure_run(of, keys) == [float(value) for value in summary(of).values()]
    assert measure_run(of, ("mean_wait_s", "makespan_s")) == [pytest.approx(4 / 3), 6.0]


def test_a_deadlock_has_no_number_where_a_job_has_none():
    # The job of queue b never starts: nobody knows how long it waits.
    of = run(OF, ROWS[:2], waiting=[(2, "map", 1, 2000)])
    assert all(
        map(
            math.isnan,
            measure_run(of, ("makespan_s", "worst_queue_mean_wait_s", "worst_queue_p95_turnaround_s")),
        )
    )


def test_a_failed_job_has_no_turnaround_and_the_others_of_its_queue_count():
    # The first job fails: of queue a the second is left, 2 s; of b 4 s. It waited all the same: 3 s.
    of = run(OF, ROWS, failed=[0])
    assert measure_run(of, ("worst_queue_max_turnaround_s", "worst_queue_max_wait_s")) == [4.0, 3.0]


def test_one_application_beside_the_others_by_hand():
    # Turnarounds 5, 2 and 4 s; each job is one map of 2, 2 and 3 s, which is its critical path.
    of = run(OF, ROWS)
    keys = tuple(APPLICATION_MEASURES)
    own, path, others, slowdown = measure_run(of, keys, application=0)
    assert (own, path, others) == (5.0, 2.0, 3.0)
    assert slowdown == pytest.approx((2 / 2 + 4 / 3) / 2)
    assert all(map(math.isnan, measure_run(of, keys)))


def test_an_application_that_fails_and_others_that_are_none_have_no_number():
    of = run(OF, ROWS, failed=[0])
    own, path, others, _ = measure_run(of, tuple(APPLICATION_MEASURES), application=0)
    assert math.isnan(own) and math.isnan(path) and others == 3.0
    alone = run(scenario([(9, 9)], [JOB]), [container(0, "map", 0, 0, 2000)])
    own, _, others, slowdown = measure_run(alone, tuple(APPLICATION_MEASURES), application=0)
    assert own == 2.0 and math.isnan(others) and math.isnan(slowdown)


def test_every_measure_says_what_it_is():
    assert all(
        key == metric.key and metric.title and metric.formula.endswith(".")
        for key, metric in (MEASURES | APPLICATION_MEASURES).items()
    )
    assert COMPARED[0] == "makespan_s" and set(COMPARED) <= set(MEASURES) and "containers" not in COMPARED
