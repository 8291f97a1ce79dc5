"""Containers that applications ask for and have, against numbers worked out by hand."""

from __future__ import annotations

from engine.analysis.containers_over_time import containers_over_time
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.stage_jobs import DEMAND, STAGES, on_one_node
from tests.tez_jobs import tez_run


def over_time(made, job: int = 0) -> list[list[tuple[int, int]]]:
    """(ms, containers) each of those asked for, held, busy and working."""
    return [list(zip(*(column.tolist() for column in one))) for one in containers_over_time(made, job)]


def test_containers_of_stages() -> None:
    asked, held, busy, working = over_time(simulate(Scenario.of(on_one_node(2, STAGES)), "fifo"))
    assert asked == [(0, 3), (4000, 2), (8000, 1), (11_000, 0)]
    assert held == busy == [(0, 2), (8000, 1), (11_000, 0)]
    assert working == [(0, 2), (4000, 1), (8000, 0), (9000, 1), (11_000, 0)]


def test_containers_of_demand() -> None:
    asked, held, busy, working = over_time(simulate(Scenario.of(on_one_node(1, DEMAND)), "fifo"))
    assert asked == [(3000, 2), (13_000, 1), (23_000, 0)]
    assert held == busy == working == [(3000, 1), (23_000, 0)]


def test_executors_are_asked_for_as_the_driver_wants_them() -> None:
    """Three tasks would fill two executors of two slots, of which one has room from 1 s on. Two tasks end at
    4 s, the third is its last, at 7 s.
    """
    job = {
        "name": "spark",
        "framework": "spark",
        "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 1},
        "executors": {"memory_mb": 2000, "vcores": 2, "dynamic": {"initial": 1}},
        "stages": [{"tasks": 3, "duration_s": 3}],
    }
    made = simulate(Scenario.of(on_one_node(3, job)), "fifo")
    asked, held, busy, working = over_time(made)
    assert asked == [(1000, 1), (1100, 2), (4000, 1), (7000, 0)]
    assert held == busy == working == [(1000, 1), (7000, 0)]


def test_containers_of_tez_are_held_busy_while_they_fetch_and_work_while_they_compute() -> None:
    asked, held, busy, working = over_time(tez_run())
    assert asked == held == [(0, 2), (5000, 0)]
    assert busy == [(0, 2), (3000, 1), (5000, 0)]
    assert working == [(0, 2), (1000, 1), (3000, 0), (4000, 1), (5000, 0)]


def test_a_mapreduce_job_has_none() -> None:
    job = {"maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1}}
    assert over_time(simulate(Scenario.of(on_one_node(1, job)), "fifo")) == [[], [], [], []]
