"""Batsim's workload: how wide and how long a job is as a rigid one."""

from __future__ import annotations

import io
import json

from engine.scenario.formats.readers import read
from engine.scenario.presets import sample
from tests.engine.output.workloads.helpers import TASK, job, scenario, text_of
from tests.phrases import phrase


def rigid(*jobs: dict, **cluster: object) -> list[tuple[int, float]]:
    """(res, delay) of each job."""
    result = json.loads(text_of(scenario(*jobs, **cluster), "batsim")[0])
    return [(one["res"], result["profiles"][one["profile"]]["delay"]) for one in result["jobs"]]


def test_a_rigid_job_of_a_log_is_the_same_job() -> None:
    result = json.loads(
        text_of(read("swf", io.BytesIO(sample("cluster-log.swf").read_bytes())).scenario, "batsim")[0]
    )
    assert result["nb_res"] == 32
    assert [(one["subtime"], one["res"], result["profiles"][one["profile"]]) for one in result["jobs"]] == [
        (0, 16, {"type": "delay", "delay": 600}),
        (90, 32, {"type": "delay", "delay": 120}),
        (200, 1, {"type": "delay", "delay": 0.5}),
    ]


def test_stages_follow_one_another_and_tasks_take_turns() -> None:
    """16 vcores: 40 maps take three turns, and the ten reduces of two vcores two."""
    maps = {"count": 40, **TASK, "duration_s": 10}
    reduces = {"count": 10, "memory_mb": 1024, "vcores": 2, "duration_s": 4}
    assert rigid(job(maps=maps)) == [(16, 30)]
    assert rigid(job(maps=maps, reduces=reduces), launch_s=1) == [(16, 3 * 11 + 2 * 5)]
    assert rigid(job(maps=maps, reduces=reduces, iterations=2)) == [(16, 2 * (30 + 8))]
    assert rigid(job(maps={"count": 4, **TASK, "duration_s": {"values": [9, 1, 1, 1]}})) == [(4, 9)]
    two = [{"name": "n", "count": 1, "memory_mb": 8192, "vcores": 2}]
    assert rigid(job(maps={"count": 4, **TASK, "duration_s": {"values": [9, 1, 1, 9]}}), nodes=two) == [
        (2, 11)
    ]


def test_what_is_lost_is_told() -> None:
    lost = text_of(scenario(job(maps={"count": 99, **TASK, "duration_s": 1}, weight=2)), "batsim")[1]
    assert phrase("workloads.job_has_more_tasks_than", 1) in lost
    assert (
        "weight, of 1 job" in lost
        and phrase("workloads.memory_map_job", 1) in lost
        and phrase("workloads.memory_node_node_group", 1) in lost
    )
