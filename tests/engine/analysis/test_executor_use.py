"""Executors and stages: against numbers worked out by hand, and laws that every run keeps."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis.capacity.split import capacity_split
from engine.analysis.executor_use import executor_use
from engine.analysis.metrics import critical_path_ms
from engine.analysis.phases import PHASES, phases
from engine.analysis.stage_times import longest_path_ms, stage_times
from engine.codes import NONE
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario
from tests.spark_jobs import MIXED, SPARK

# Two slots in an executor of 1,000 + 384 MB and 2 vcores.
JOB = {
    **SPARK,
    "am": {"memory_mb": 1024, "vcores": 1, "startup_s": 1},
    "executors": {"memory_mb": 1000, "vcores": 2, "count": 2},
    "stages": [
        {"name": "a", "tasks": 3, "duration_s": 3},
        {"name": "b", "tasks": 1, "duration_s": 1},
        {"name": "c", "tasks": 1, "duration_s": 2, "after": ["a", "b"]},
    ],
}


def made() -> Run:
    """An executor that registers at 2 s and ends at 20 s; another that is killed before it has registered.

    Its slots run from 2 s: 0: a0 to 6 s, then b0 to 6.5 s; 1: a1 to 4 s, a2 to 7 s. From 10 to 12 s c0.
    """
    return run(
        scenario([(8192, 8)], [JOB], heartbeat_ms=0),
        [
            container(0, "am", 0, 0, 20_000),
            container(0, "executor", 0, 1000, 20_000, begin=2000),
            container(0, "executor", 0, 1000, 3000, begin=NONE, index=1, killed=True),
        ],
        tasks=[
            (1, 0, 1, 0, 2000, 6000),
            (1, 1, 1, 1, 2000, 4000),
            (1, 1, 1, 2, 4000, 7000),
            (1, 0, 2, 0, 6000, 6500),
            (1, 0, 3, 0, 10_000, 12_000),
        ],
    )


def test_what_executors_are_held_for() -> None:
    use = executor_use(made(), 0)
    assert [column.tolist() for column in use.registered] == [[2000, 20_000], [1, 0]]
    assert [column.tolist() for column in use.running] == [[2000, 7000, 10_000, 12_000], [1, 0, 1, 0]]
    assert (use.held_ms, use.registered_ms) == (19_000 + 2000, 18_000)
    assert use.idle_ms == 3000 + 8000  # between the stages, and after the last
    assert use.task_ms == 4000 + 2000 + 3000 + 500 + 2000
    # busy for 7 s with 2 slots, of which tasks take 11.5 s
    assert (use.idle_share, use.free_share) == (11 / 18, 2.5 / 36)


def test_the_critical_path_goes_back_by_what_ended_last() -> None:
    stages = stage_times(made(), 0)
    assert [(one.name, one.start, one.end, one.is_critical) for one in stages] == [
        ("a", 2000, 7000, True),
        ("b", 6000, 6500, False),
        ("c", 10_000, 12_000, True),
    ]
    # the longest a takes 4 s, c 2 s; the driver starts up for 1 s
    assert longest_path_ms(made()).tolist() == [6000]
    assert critical_path_ms(made()).tolist() == [7000]


def test_an_executor_idles_where_no_slot_runs_a_task() -> None:
    found = phases(made())
    slices = [
        (PHASES[phase], start, end)
        for owner, phase, start, end in zip(*(column.tolist() for column in found))
        if owner == 1
    ]
    assert slices == [
        ("launching", 1000, 2000),
        ("task", 2000, 7000),
        ("executor_idle", 7000, 10_000),
        ("task", 10_000, 12_000),
        ("executor_idle", 12_000, 20_000),
    ]


def test_capacity_goes_to_tasks_free_slots_and_idle_executors() -> None:
    split = capacity_split(made()).vcores
    named = {"master", "launching", "task", "slots_free", "executor_idle"}
    assert {key: total for key, total in split.totals.items() if key in named} == {
        "master": 20_000,
        "launching": 2 * 1000 + 2 * 2000,
        "task": 11_500,
        "slots_free": 2500,
        "executor_idle": 2 * 11_000,
    }
    assert split.wasted_total == 2 * 2000


@pytest.mark.parametrize("scheduler", ["fifo", "fair", "capacity"])
def test_parts_and_phases_of_a_run_add_up(scheduler: str) -> None:
    of = simulate(Scenario.of(MIXED), scheduler)
    c, split, found = of.containers, capacity_split(of), phases(of)
    for resource in (split.memory, split.vcores):
        assert (resource.parts.sum(axis=1) == resource.capacity).all()
        assert resource.parts.min() >= 0
    filled = np.zeros(len(c.job), np.int64)
    np.add.at(filled, found.container, found.end - found.start)
    assert (filled == c.end - c.start).all()
    use = executor_use(of, 0)
    of_phase = {
        key: int((found.end - found.start)[found.phase == number].sum()) for number, key in enumerate(PHASES)
    }
    assert of_phase["executor_idle"] == use.idle_ms
    assert of_phase["task"] == use.registered_ms - use.idle_ms
    vcores = MIXED["jobs"][0]["executors"]["vcores"]
    assert split.vcores.totals["executor_idle"] == vcores * use.idle_ms
    assert (critical_path_ms(of) <= of.jobs.finish - of.jobs.arrival).all()
    assert stage_times(of, 1) == []
    assert executor_use(of, 1).idle_share is None
