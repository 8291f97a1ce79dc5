"""Bounds by hand, and the theorem: no scheduler beats one, whatever physics are on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.analysis.metrics import summary
from engine.bounds.lower_bounds import NoBound, lower_bounds, tightest
from engine.bounds.optimum.planned_batch import planned_batch
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase
from tests.physics import physical
from tests.spark_jobs import MIXED, SPARK
from tests.strategies import BUSY, named_schedulers, scenarios


def by_key(of: Scenario, metric: str = "makespan_s") -> dict[str, float]:
    return {one.key: one.at_least for one in lower_bounds(of) if one.metric == metric}


def test_areas_by_hand() -> None:
    """Two nodes of 4 MB and 8 vcores; 6 maps of 2 MB, 1 vcore and 10 s: memory 120 / 8 = 15 s, vcores 60 / 16
    = 3.75 s, a chain of 10 s.
    """
    result = by_key(scenario([(4, 8), (4, 8)], [{"maps": stage(6, 2, 1, 10.0)}]))
    assert result["area_memory"] == pytest.approx(15.0, abs=0.002)
    assert result["area_vcores"] == pytest.approx(3.75, abs=0.002)
    assert result["critical_path"] == 10.0


def test_large_containers_by_hand() -> None:
    """Maps of 3 of 4 MB: one a node at a time, so 6 on two nodes take three rounds of 10 s, where their area
    is 22.5 s.
    """
    result = by_key(scenario([(4, 8), (4, 8)], [{"maps": stage(6, 3, 1, 10.0)}]))
    assert result["packing_memory"] == pytest.approx(30.0, abs=0.002)
    assert result["area_memory"] == pytest.approx(22.5, abs=0.002)


@pytest.mark.parametrize(("vcores", "amount"), [(1, "1 vcore"), (2, "2 vcores")])
def test_how_large_they_are_is_told(vcores: int, amount: str) -> None:
    result = lower_bounds(scenario([(4, 8)], [{"maps": stage(6, 3, vcores)}]))
    (about,) = (one.about for one in result if one.key == "packing_vcores")
    assert about.startswith(phrase("bounds.containers_of_at_least", amount))


def test_what_arrives_late_is_added_to_its_arrival() -> None:
    """20 s of one job at 0, and one map of 10 s at 100 s: 110 s."""
    of = scenario(
        [(4, 4)], [{"maps": stage(2, 4, 4, 10.0)}, {"arrival_s": 100.0, "maps": stage(1, 4, 4, 10.0)}]
    )
    assert by_key(of)["area_memory"] == pytest.approx(110.0, abs=0.002)
    assert by_key(of)["critical_path"] == 110.0


def test_turnarounds_by_hand() -> None:
    """Jobs of 10 s and 30 s of the whole cluster, both at 0: the short one first gives (10 + 40) / 2 = 25 s;
    their chains 10 and 10 s.
    """
    of = scenario([(4, 4)], [{"maps": stage(3, 4, 4, 10.0)}, {"maps": stage(1, 4, 4, 10.0)}])
    fluid = pytest.approx(25.0, abs=0.002)
    assert by_key(of, "mean_turnaround_s") == {
        "fluid_memory": fluid,
        "fluid_vcores": fluid,
        "critical_path": 10.0,
    }


def test_what_has_least_left_goes_before_what_runs() -> None:
    """30 s from 0, 5 s from 10: (35 + 5) / 2 = 20 s."""
    of = scenario(
        [(4, 4)], [{"maps": stage(3, 4, 4, 10.0)}, {"arrival_s": 10.0, "maps": stage(1, 4, 4, 5.0)}]
    )
    assert by_key(of, "mean_turnaround_s")["fluid_memory"] == pytest.approx(20.0, abs=0.002)


def test_the_chain_has_start_up_fetch_and_iterations() -> None:
    """Start-up 3 s, twice a map of 10 s, one fetch of 100 MB / 2 reduces at 50 MB/s = 1 s, a reduce of 5 s: 3
    + 2 x 16 = 35 s.
    """
    job = {
        "am": {"memory_mb": 1, "vcores": 1, "startup_s": 3.0},
        "maps": stage(4, 1, 1, 10.0),
        "reduces": stage(2, 1, 1, 5.0),
    }
    assert (
        by_key(
            scenario([(40, 40)], [{**job, "iterations": 2, "shuffle_mb_per_map": 100.0}], shuffle_mb_s=50.0)
        )["critical_path"]
        == 35.0
    )


def test_a_reduce_with_a_smaller_part_computes_for_less() -> None:
    """Reduces of 20 and 10 s with parts of 1 and 3 of 4, so times 0.5 and 1.5: both 10 and 15 s, not 20;
    after a map of 10 s: 25 s.
    """
    reduces = {**stage(2, 1, 1), "duration_s": {"values": [20.0, 10.0]}}
    of = scenario(
        [(40, 40)], [{"maps": stage(1, 1, 1, 10.0), "reduces": reduces, "partitions": {"sizes": [1.0, 3.0]}}]
    )
    assert by_key(of)["critical_path"] == 25.0
    assert summary(simulate(of, "fifo+slowstart", plain=True))["makespan_s"] < 30.0


def test_on_fast_nodes_it_takes_less() -> None:
    """Nodes of speed 1 and 3: 40 s of work of whole nodes at 4 a second."""
    nodes = [
        {"count": 1, "memory_mb": 4, "vcores": 4},
        {"count": 1, "memory_mb": 4, "vcores": 4, "speed": 3.0},
    ]
    of = Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": [{"maps": stage(4, 4, 4, 10.0)}]})
    assert by_key(of)["area_memory"] == pytest.approx(10.0, abs=0.01)


def growing(*joins_s: float, jobs: list[dict[str, Any]]) -> Scenario:
    """A node of 4 MB and 8 vcores for each time at which one joins."""
    nodes = [{"count": 1, "memory_mb": 4, "vcores": 8, "joins_s": at} for at in joins_s]
    return Scenario.of({"version": 1, "cluster": {"nodes": nodes}, "jobs": jobs})


def test_nodes_that_join_work_from_then_on() -> None:
    """6 maps of 2 MB and 10 s need 120 MB-s: 40 within 10 s on one node, then 8 a second. Maps of 3 MB go one
    at a time to a node: 60 s, of which 10 on one.
    """
    result = by_key(growing(0, 10, jobs=[{"maps": stage(6, 2, 1, 10.0)}]))
    assert result["area_memory"] == pytest.approx(20.0, abs=0.002) and result["critical_path"] == 10.0
    result = by_key(growing(0, 10, jobs=[{"maps": stage(6, 3, 1, 10.0)}]))
    assert result["packing_memory"] == pytest.approx(35.0, abs=0.002)


def test_while_no_node_is_there_nothing_is_done() -> None:
    """20 s of a whole node and 5 s of another job that came at 10: the node joins at 30, the short one goes
    first and ends at 35, the other one at 55; means of (25 + 55) / 2 and of chains (25 + 40) / 2.
    """
    jobs = [{"maps": stage(2, 4, 8, 10.0)}, {"arrival_s": 10.0, "maps": stage(1, 4, 8, 5.0)}]
    of = growing(30, jobs=jobs)
    assert by_key(of)["critical_path"] == 40.0
    assert by_key(of)["area_vcores"] == pytest.approx(55.0, abs=0.002)
    turnaround = by_key(of, "mean_turnaround_s")
    assert turnaround["fluid_memory"] == pytest.approx(40.0, abs=0.002)
    assert turnaround["critical_path"] == 32.5
    later = by_key(growing(30, 40, jobs=jobs), "mean_turnaround_s")
    assert later["fluid_memory"] == pytest.approx((25 + 47.5) / 2, abs=0.002), "10 s of 20 are done by two"


def test_where_attempts_fail_there_is_none() -> None:
    with pytest.raises(NoBound, match="attempts may fail"):
        lower_bounds(scenario([(4, 4)], [{"maps": stage(1, 1, 1)}], failures={"probability": 0.1}))


def test_the_tightest_comes_first() -> None:
    result = lower_bounds(scenario([(4, 8), (4, 8)], [{"maps": stage(6, 3, 1, 10.0)}]))
    assert tightest(result, "makespan_s").key == "packing_memory"
    assert tightest([], "makespan_s") is None


@examples(18, 150)
@given(scenario=scenarios() | scenarios(BUSY) | physical(), name=named_schedulers())
def test_no_scheduler_beats_a_bound(scenario: Scenario, name: str) -> None:
    failures = scenario.cluster.failures
    if failures and failures.probability:
        return
    run = simulate(scenario, name)
    measured = summary(run)
    for bound in lower_bounds(scenario, parse(name).memory_only):
        value = measured[bound.metric]
        assert value is None or value >= bound.at_least - 1e-9, bound


def test_an_application_needs_its_stages_and_its_slots_need_executors() -> None:
    """The driver starts up for 5 s; then the longer of 3 s and 2 s, and 4 s. Tasks take 4 x 3 + 2 + 2 x 4 =
    22 s of slots, 11 s of executors of 1,024 MB with two; 1,024 MB of driver for 12 s: (11 + 12) x 1,024 /
    4,096.
    """
    job = {
        **SPARK,
        "executors": {"memory_mb": 640, "vcores": 2, "count": 1},
        "stages": [
            {"name": "a", "tasks": 4, "duration_s": 3},
            {"name": "b", "tasks": 1, "duration_s": 2},
            {"name": "c", "tasks": 2, "duration_s": 4, "after": ["a", "b"]},
        ],
    }
    result = by_key(scenario([(4096, 4)], [job]))
    assert result["critical_path"] == 12.0
    assert result["area_memory"] == pytest.approx(23 / 4, abs=0.002)


def test_stages_with_containers_of_their_own_by_hand() -> None:
    """2 tasks of 3 s; then 4 of 1 s, each of which fetches a fourth of 2 x 40 MB at 10 MB/s in 2 s, the last
    output in 1 s. Each of the 4 holds 3 s at least: 2 x 2 MB x 3 s + 4 x 3 MB x 3 s on 8 MB are 6 s.
    """
    stages = [
        {"tasks": 2, "duration_s": 3, "memory_mb": 2, "vcores": 1, "output_mb": 40},
        {"tasks": 4, "duration_s": 1, "memory_mb": 3, "vcores": 1, "after": ["stage1"], "slow_start": 0},
    ]
    of = scenario([(8, 8)], [{"framework": "stages", "stages": stages}], shuffle_mb_s=10)
    assert by_key(of)["critical_path"] == 3 + 1 + 1
    assert by_key(of)["area_memory"] == pytest.approx(6, abs=0.002)


@pytest.mark.parametrize("scheduler", ["fifo", "fair", "drf", "capacity"])
def test_no_scheduler_beats_a_bound_with_applications(scheduler: str) -> None:
    of = Scenario.of(MIXED)
    found = summary(simulate(of, scheduler))
    for bound in lower_bounds(of):
        assert found[bound.metric] >= bound.at_least, bound.key


def test_no_optimum_is_looked_for_with_applications() -> None:
    with pytest.raises(NoBound) as refused:
        planned_batch(scenario([(4096, 4)], [SPARK]))
    assert str(refused.value) == phrase("bounds.no_optimum_of_stages")
