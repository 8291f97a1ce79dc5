"""Stages of applications whose tasks have containers of their own: numbers worked out by hand."""

from __future__ import annotations

from typing import Any

from engine.analysis.job_profile import job_profile
from engine.analysis.metrics import critical_path_ms, startup_ms
from engine.analysis.stage_times import longest_path_ms, stage_times
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.tez_jobs import tez_run

SIZE = {"memory_mb": 1024, "vcores": 1}
# `wide` reads 2 x 100 MB of `scan` and 1 x 10 MB of `one`, a task of it half of each, at 10 MB/s.
DAG: dict[str, Any] = {
    "name": "dag",
    "framework": "stages",
    "am": SIZE | {"startup_s": 1},
    "stages": [
        SIZE | {"name": "scan", "tasks": 2, "duration_s": {"values": [3, 4]}, "output_mb": 100},
        SIZE | {"name": "one", "tasks": 1, "duration_s": 6, "output_mb": 10},
        SIZE | {"name": "wide", "tasks": 2, "duration_s": 2, "after": ["scan", "one"], "slow_start": 0},
    ],
}
HELD: dict[str, Any] = {
    "name": "held",
    "framework": "demand",
    "stages": [SIZE | {"tasks": 2, "duration_s": 5}, SIZE | {"tasks": 1, "duration_s": 1, "start_s": 9}],
}


def of(*jobs: dict, **cluster: Any) -> Run:
    """On a node that has room for all, at once."""
    nodes = [{"count": 1, "memory_mb": 65_536, "vcores": 64}]
    cluster = {"nodes": nodes, "heartbeat_ms": 0, "shuffle_mb_s": 10} | cluster
    return simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": list(jobs)}), "fifo", plain=True)


def test_the_critical_path_goes_through_the_stages() -> None:
    run = of(DAG)
    # scan ends at 1 + 4 s and one at 1 + 6 s; 5 + 5 s are fetched from 4 s on and 0.5 s of one from 7 s on:
    # all is there at 4 + 5 + 5 + 0.5 s
    assert [tuple(stage) for stage in stage_times(run, 0)] == [
        ("scan", 1000, 5000, False),
        ("one", 1000, 7000, True),
        ("wide", 1000, 16_500, True),
    ]
    # scan 4 s, its last output 5 s, 2 s are longer than one 6 s, its output 0.5 s, 2 s
    assert longest_path_ms(run).tolist() == [4000 + 5000 + 2000]
    assert critical_path_ms(run).tolist() == [1000 + 11_000]


def test_what_is_held_later_counts_from_the_masters_start() -> None:
    run = of(
        HELD, HELD | {"name": "later", "am": SIZE | {"startup_s": {"dist": "uniform", "low": 1, "high": 2}}}
    )
    assert [tuple(stage) for stage in stage_times(run, 0)] == [
        ("stage1", 0, 5000, False),
        ("stage2", 9000, 10_000, True),
    ]
    assert longest_path_ms(run).tolist() == [10_000, 10_000]
    assert critical_path_ms(run).tolist() == (10_000 + startup_ms(run)).tolist()
    assert (run.jobs.finish - run.jobs.arrival).tolist() == critical_path_ms(run).tolist()


def test_how_its_tasks_and_their_waits_are_spread() -> None:
    spreads = job_profile(of(DAG), 0).spreads
    # scan 3 and 4 s, one 6 s, wide twice 2 s, which fetch from 1 s to 14.5 s
    assert spreads["task"] == (5, 2000, 2000, 3000, 4000, 6000)
    assert spreads["shuffle"] == (2, *[13_500] * 5)
    assert spreads["task_wait"] == (5, *[0] * 5)
    assert set(spreads) == {"task", "shuffle", "am_wait", "task_wait"}


def test_tasks_of_tez_that_wait_for_input_do_not_compute() -> None:
    run = tez_run()
    assert [tuple(stage) for stage in stage_times(run, 0)] == [
        ("scan", 0, 3000, True),
        ("join", 1000, 5000, True),
    ]
    # scan 3 s, its last output 1 s, join 1 s
    assert longest_path_ms(run).tolist() == critical_path_ms(run).tolist() == [5000]
    spreads = job_profile(run, 0).spreads
    assert spreads["task"] == (3, 1000, 1000, 1000, 3000, 3000)
    assert spreads["shuffle"] == (1, *[3000] * 5)
