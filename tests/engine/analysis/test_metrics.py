"""Metrics against numbers worked out by hand, and against what must hold of any run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from engine.analysis.metrics import (
    METRICS,
    contenders,
    critical_path_ms,
    exact_dot,
    jain,
    per_queue,
    per_user,
    percentile,
    slowdown,
    summary,
    turnaround_ms,
    undone_jobs,
)
from engine.codes import FINISHED
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario, stage
from tests.strategies import scenarios, scheduler_text, schedulers


def two_jobs(**second):
    """One node of 4 GB and 4 vcores; ann's job at 0 s with a master and a reduce killed once, bob's at 2 s
    with two maps.
    """
    ann = {
        "name": "a",
        "user": "ann",
        "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 0.5},
        "maps": stage(1, 1024, 1),
        "reduces": stage(1, 2048, 1),
    }
    bob = {"name": "b", "user": "bob", "queue": "root.b", "arrival_s": 2, "maps": stage(2, 1024, 2)}
    return scenario([(4096, 4)], [{**ann, "shuffle_mb_per_map": 10}, {**bob, **second}], queues=["root.b"])


ROWS = [
    container(0, "am", 0, 1000, 9000, requested=0),
    container(0, "map", 0, 2000, 4000, requested=1500),
    container(0, "reduce", 0, 2000, 3000, requested=1500, killed=True),
    container(0, "reduce", 0, 4000, 9000, fetched=6000, attempt=2),
    container(1, "map", 0, 5000, 6000, requested=2000),
    container(1, "map", 0, 6000, 8000, requested=2000, index=1),
]


def test_every_metric_of_two_jobs():
    result = summary(run(two_jobs(), ROWS))
    # a: waits 1 s, turnaround 9 s; b: arrives at 2 s, waits 3 s, turnaround 6 s. Makespan 9 s - 0 s.
    assert result["makespan_s"] == 9.0
    assert (result["mean_wait_s"], result["max_wait_s"]) == ((1 + 3) / 2, 3.0)
    assert (result["mean_turnaround_s"], result["p95_turnaround_s"], result["max_turnaround_s"]) == (
        (9 + 6) / 2,
        9.0,
        9.0,
    )
    # GB-seconds: master 8, map 2, killed reduce 2 x 1, reduce 2 x 5, b's maps 1 + 2 = 25 of 4 x 9.
    assert result["memory_utilization"] == 25 / 36
    # vcore-seconds: 8 + 2 + 1 + 5 + 2 x 1 + 2 x 2 = 22 of 4 x 9.
    assert result["vcore_utilization"] == 22 / 36
    assert (result["containers"], result["killed_containers"], result["killed_container_s"]) == (6, 1, 1.0)
    # Critical path of a: startup 0.5 + map 2 + one fetch of 10 MB at 100 MB/s 0.1 + reduce computing 9 - 6 =
    # 3; of b: its longest map 2.
    assert critical_path_ms(run(two_jobs(), ROWS)).tolist() == [500 + 2000 + 100 + 3000, 2000]
    x, y = 9 / 5.6, 6 / 2
    assert result["mean_slowdown"] == pytest.approx((x + y) / 2)
    assert result["max_slowdown"] == y
    assert result["fairness"] == pytest.approx((1 / x + 1 / y) ** 2 / (2 * (1 / x**2 + 1 / y**2)))


def test_iterations_add_up_on_the_critical_path():
    of = scenario([(8, 8)], [{"maps": stage(2, 1, 1), "reduces": stage(1, 1, 1), "iterations": 2}])
    rows = [
        container(0, "map", 0, 0, 5),
        container(0, "map", 0, 0, 7, index=1),
        container(0, "reduce", 0, 7, 10, fetched=8),
        container(0, "map", 0, 10, 14, stage=2),
        container(0, "map", 0, 14, 15, index=1, stage=2),
        container(0, "reduce", 0, 15, 20, fetched=15, stage=2),
    ]
    assert critical_path_ms(run(of, rows)).tolist() == [7 + (10 - 8) + 4 + (20 - 15)]


def test_a_deadlock_leaves_out_what_needs_every_finish():
    rows = [*ROWS[:2], container(1, "map", 0, 3000, None, requested=2000)]
    stuck = run(two_jobs(), rows, waiting=[(0, "reduce", 1, 4000)])
    result = summary(stuck)
    empty = {
        "makespan_s",
        "mean_turnaround_s",
        "p95_turnaround_s",
        "max_turnaround_s",
        "mean_slowdown",
        "max_slowdown",
        "fairness",
    }
    assert {key for key, value in result.items() if value is None} == empty
    # To the last start or end, 9 s: master 8 GBs, map 2, b's map from 3 s on 6.
    assert result["memory_utilization"] == (8 + 2 + 6) / 36
    assert result["mean_wait_s"] == (1 + 1) / 2


def test_waits_are_of_jobs_that_have_started():
    none = run(two_jobs(), [], waiting=[(1, "map", 2, 2000)])
    assert summary(none)["mean_wait_s"] is None
    assert (summary(none)["memory_utilization"], summary(none)["containers"]) == (0.0, 0)
    one = run(two_jobs(), ROWS[:1], waiting=[(1, "map", 2, 2000)])
    assert summary(one)["mean_wait_s"] == 1.0


def test_users_and_queues():
    by_user = per_user(run(two_jobs(), ROWS))
    assert [(row["user"], row["jobs"], row["finished"], row["containers"]) for row in by_user] == [
        ("ann", 1, 1, 4),
        ("bob", 1, 1, 2),
    ]
    assert [(row["memory_mb_s"], row["vcore_s"]) for row in by_user] == [
        (22 * 1024.0, 16.0),
        (3 * 1024.0, 6.0),
    ]
    assert [(row["mean_wait_s"], row["mean_turnaround_s"], row["killed_container_s"]) for row in by_user] == [
        (1.0, 9.0, 1.0),
        (3.0, 6.0, 0.0),
    ]
    assert [row["mean_slowdown"] for row in by_user] == [pytest.approx(9 / 5.6), 3.0]
    by_queue = per_queue(run(two_jobs(), ROWS))
    assert [(row["queue"], row["jobs"]) for row in by_queue] == [("root.b", 1), ("root.default", 1)]
    both = per_user(run(two_jobs(user="ann"), ROWS))
    assert [(row["user"], row["jobs"], row["mean_turnaround_s"]) for row in both] == [("ann", 2, 7.5)]


def test_an_unfinished_job_leaves_its_user_without_turnaround():
    stuck = run(two_jobs(), [*ROWS[:4], container(1, "map", 0, 3000, None, requested=2000)])
    rows = per_user(stuck)
    assert [(row["finished"], row["mean_turnaround_s"]) for row in rows] == [(1, 9.0), (0, None)]
    assert np.isnan(slowdown(stuck)).tolist() == [False, True]


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95), (101, 96)])
def test_percentile_is_the_nearest_rank(count, expected):
    # Hyndman and Fan's definition 1: the smallest k with k / n >= 0.95.
    assert percentile(np.arange(count, 0, -1), 95) == expected


def test_jain_index():
    # Jain, Chiu, Hawe 1984: k of n users with equal shares and the others with nothing: k / n.
    assert jain([5.0] * 7) == 1.0
    assert jain([3.0, 3.0, 0.0, 0.0, 0.0]) == 2 / 5
    assert jain([1.0, 2.0, 3.0]) == pytest.approx(36 / (3 * 14))


def test_exact_beyond_64_bits():
    large = np.array([2**40, 2**40 + 1])
    assert exact_dot(large, large) == 2**80 + (2**40 + 1) ** 2
    assert exact_dot(np.array([3, 4]), np.array([5, 6])) == 39
    assert exact_dot(large[:0], large[:0]) == 0


def test_catalogue_names_what_summary_gives():
    result = summary(run(two_jobs(), ROWS))
    assert list(result) == [metric.key for metric in METRICS]
    assert list(result)[:6] == [
        "makespan_s",
        "mean_wait_s",
        "mean_turnaround_s",
        "memory_utilization",
        "vcore_utilization",
        "containers",
    ]
    assert {metric.better for metric in METRICS} == {"smaller", "larger", None}


@given(scenarios(), schedulers())
def test_what_holds_of_any_run(of, chosen):
    result = simulate(of, scheduler_text(chosen))
    measured = summary(result)
    assert 0 <= measured["memory_utilization"] <= 1
    assert chosen["resources"] == "memory" or measured["vcore_utilization"] <= 1
    complete = (sum(row["memory_mb_s"] for row in rows) for rows in (per_user(result), per_queue(result)))
    held = (
        measured["memory_utilization"]
        * int(result.workload.node_memory.sum())
        * (result.until_ms - result.first_ms)
        / 1000
    )
    assert [total == pytest.approx(held) for total in complete] == [True, True]
    if result.status == "finished":
        # No schedule is shorter than a job's longest chain (Graham 1969), and Jain's index lies in [1 / n,
        # 1].
        assert slowdown(result).min() >= 1
        assert (
            1 / len(result.jobs.arrival) <= measured["fairness"] * (1 + 1e-12)
            and measured["fairness"] <= 1 + 1e-12
        )
        assert measured["max_turnaround_s"] <= measured["makespan_s"]
        assert (result.containers.outcome == FINISHED).sum() + measured["killed_containers"] == measured[
            "containers"
        ]


@given(scenarios())
def test_littles_law(of):
    # L = lambda W (Little 1961), exact over a run that begins and ends empty: the integral of jobs in the
    # system is the sum of turnarounds.
    result = simulate(of, "fair")
    if result.status == "finished":
        moments = np.unique(np.concatenate([result.jobs.arrival, result.jobs.finish]))
        inside = [
            int(((result.jobs.arrival <= t) & (t < result.jobs.finish)).sum()) for t in moments[:-1].tolist()
        ]
        assert int(inside @ np.diff(moments)) == int(turnaround_ms(result).sum())


def test_failed_jobs_are_counted_and_left_out_of_turnarounds():
    of = two_jobs()
    wasted = [
        container(1, "map", 0, 5000, 6000, outcome="failed"),
        container(1, "map", 0, 6000, 6500, outcome="lost", index=1),
    ]
    made = run(of, [*ROWS[:4], *wasted], failed=[1])
    result = summary(made)
    assert (result["failed_jobs"], result["failed_containers"], result["lost_containers"]) == (1, 1, 1)
    assert result["wasted_container_s"] == 1.0 + 1.0 + 0.5  # the killed reduce too
    assert result["mean_turnaround_s"] == result["max_turnaround_s"] == result["p95_turnaround_s"] == 9.0
    assert (
        result["mean_slowdown"] == result["max_slowdown"] == pytest.approx(9 / 5.6)
        and result["fairness"] == 1
    )
    assert result["makespan_s"] == 9.0
    assert turnaround_ms(made).tolist() == [9000, -1]
    ann, bob = per_user(made)
    assert (ann["finished"], ann["failed"], ann["mean_turnaround_s"]) == (1, 0, 9.0)
    assert (bob["finished"], bob["failed"], bob["mean_turnaround_s"]) == (0, 1, None)


def test_where_every_job_fails_there_is_a_makespan_and_no_turnaround():
    made = run(
        scenario([(4, 4)], [{"maps": stage(1, 1, 1)}]),
        [container(0, "map", 0, 0, 700, outcome="failed")],
        failed=[0],
    )
    result = summary(made)
    assert (result["makespan_s"], result["failed_jobs"]) == (0.7, 1)
    assert [
        result[key]
        for key in ("mean_turnaround_s", "p95_turnaround_s", "max_turnaround_s", "mean_slowdown", "fairness")
    ] == [None] * 5


def test_no_run_is_the_best_that_gave_up_more_jobs_than_another():
    kinds = (10.0, 0, 0), (1.0, 0, 1), (2.0, 1, 0), (None, 0, 0), (9.0, 0, 0)
    runs = [dict(zip(("makespan_s", "failed_jobs", "refused_jobs"), kind)) for kind in kinds]
    assert contenders(runs) == {0, 4} and contenders(runs, [1, 2, 3]) == {1, 2}
    assert contenders(runs, metric="refused_jobs") == {0, 1, 2, 4}
    assert contenders(runs[3:4]) == contenders([]) == set()
    assert undone_jobs({"failed_jobs": 2, "refused_jobs": 1}) == 3
    assert undone_jobs({"failed_jobs": 2}) == 2, "what a link of an older version stored"


def test_a_node_counts_in_utilization_from_when_it_joins():
    """Of 4 GB until 5 s and 8 after it, up to 10 s, 4 are held for 10 s; a lost node's capacity still counts,
    and one that is lost at 0 was never there before.
    """
    rows = [container(0, "map", 0, 0, 10_000)]
    made = scenario([(4, 4), (4, 4)], [{"maps": stage(1, 4, 2, 10.0)}]).plain()
    first, second = ({**made["cluster"]["nodes"][0], "count": 1, "name": name} for name in "ab")
    cluster = made["cluster"] | {"nodes": [first, second]}
    joins = cluster | {"nodes": [first, second | {"joins_s": 5.0}]}
    never = cluster | {"nodes": [first, second | {"joins_s": 11.0}]}
    absent = cluster | {"outages": [{"node": "b", "lost_s": 0.0, "back_s": 5.0}]}
    lost = cluster | {"outages": [{"node": "b", "lost_s": 1.0, "back_s": 6.0}]}
    for case, memory, vcores in (
        (cluster, 1 / 2, 1 / 4),
        (joins, 2 / 3, 1 / 3),
        (never, 1.0, 1 / 2),
        (absent, 2 / 3, 1 / 3),
        (lost, 1 / 2, 1 / 4),
    ):
        measured = summary(run(Scenario.of(made | {"cluster": case}), rows))
        assert (measured["memory_utilization"], measured["vcore_utilization"]) == (memory, vcores)
