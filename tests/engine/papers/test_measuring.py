"""Running experiments: seeds in order, names, changes, progress and its end."""

from __future__ import annotations

import math

import pytest

from engine.errors import SchedulerError
from engine.experiments.replications import parallel_map
from engine.papers.columns import FULL_NAMES
from engine.papers.measuring import change_pct, makespan_s, metrics, over_seeds, run_each, run_trial, series
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.phrases import phrase

TASK = {"count": 2, "memory_mb": 1, "vcores": 1, "duration_s": {"dist": "exponential", "mean": 10}}


def scenario(seed: int, **cluster) -> Scenario:
    return Scenario.of(
        {
            "version": 1,
            "seed": seed,
            "cluster": {"nodes": [{"count": 1, "memory_mb": 1, "vcores": 1}], **cluster},
            "jobs": [{"maps": TASK}],
        }
    )


def test_each_scheduler_has_one_value_a_seed() -> None:
    observed = []
    result = over_seeds(
        scenario,
        {"first": FULL_NAMES["fifo"], "second": FULL_NAMES["fair"]},
        metrics("makespan_s", "vcore_utilization"),
        Trial(lambda *at: observed.append(at), seeds=[3, 1, 2]),
    )
    assert list(result) == [
        "first/makespan_s",
        "first/vcore_utilization",
        "second/makespan_s",
        "second/vcore_utilization",
    ]
    assert result["first/makespan_s"] == [
        makespan_s(simulate(scenario(seed), FULL_NAMES["fifo"])) for seed in (3, 1, 2)
    ]
    assert observed == [(1, 3), (2, 3), (3, 3)]


def test_one_scenario_gives_one_value() -> None:
    assert run_each(scenario(5), ("fifo",), metrics("makespan_s")) == {
        "fifo/makespan_s": [makespan_s(simulate(scenario(5), FULL_NAMES["fifo"]))]
    }


@pytest.mark.parametrize(
    "name",
    [
        "fair",
        "fair(reservations=no, update_ms=0)+slowstart",
        "fair+slowstart+admit-all",
        "haste+admit-all",
        "omo",
    ],
)
def test_an_experiment_runs_no_scheduler_that_leaves_something_to_a_default(name: str) -> None:
    with pytest.raises(SchedulerError, match=phrase("papers.not_written_in_full_write_as")):
        run_trial(scenario(1), name)
    with pytest.raises(SchedulerError, match=phrase("papers.not_written_in_full")):
        over_seeds(scenario, {"one": name}, metrics("makespan_s"), seeds=[1])


def test_a_deadlock_is_infinite() -> None:
    master = {"memory_mb": 1, "vcores": 1}
    stuck = Scenario.of({**scenario(1).plain(), "jobs": [{"am": master, "maps": TASK}]})
    assert run_each(stuck, ("fair",), metrics("makespan_s", "mean_wait_s")) == {
        "fair/makespan_s": [math.inf],
        "fair/mean_wait_s": [0.0],
    }
    assert makespan_s(simulate(stuck, FULL_NAMES["fair"])) == math.inf


def test_what_is_told_may_end_the_work() -> None:
    def progress(done: int, of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        parallel_map(lambda task: task, range(1000), progress)


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert parallel_map(lambda task: task * task, range(20)) == [task * task for task in range(20)]


def test_changes_are_taken_seed_by_seed() -> None:
    assert change_pct([2395, 100], [1404, 150]) == pytest.approx([-41.378, 50], abs=1e-3)


def test_a_series_has_intervals_where_there_are_seeds() -> None:
    one = series("ours", (8, 16), {"a": [1.0], "b": [math.inf]}, ("a", "b"))
    assert (one.y, one.low) == ((1.0, None), ())
    many = series("ours", (8,), {"a": [1.0, 3.0]}, ("a",))
    assert many.low[0] < 2.0 == many.y[0] < many.high[0]
