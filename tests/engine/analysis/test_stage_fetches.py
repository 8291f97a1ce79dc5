"""A MapReduce job and the same written as two stages fetch, wait and compute at the same times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.analysis.capacity.split import capacity_split
from engine.analysis.phases import PHASES, phases
from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

SIZE = {"memory_mb": 1000, "vcores": 1}
TIMES = {"values": [2, 9, 4, 4, 11, 3]}
AS_MAPREDUCE = {
    "maps": SIZE | {"count": 6, "duration_s": TIMES},
    "reduces": SIZE | {"count": 3, "duration_s": {"values": [5, 1, 2]}},
    "shuffle_mb_per_map": 30,
}
AS_STAGES: dict[str, Any] = {
    "framework": "stages",
    "stages": [
        SIZE | {"tasks": 6, "duration_s": TIMES, "output_mb": 30},
        SIZE | {"tasks": 3, "duration_s": {"values": [5, 1, 2]}, "after": ["stage1"]},
    ],
}
SAME = {"map": "task", "reduce": "task"}


def both(slow_start: float, latency_s: float, nodes: int) -> list[Run]:
    stages = [AS_STAGES["stages"][0], AS_STAGES["stages"][1] | {"slow_start": slow_start}]
    cluster = {
        "nodes": [{"count": nodes, "memory_mb": 4000, "vcores": 4}],
        "heartbeat_ms": 0,
        "shuffle_mb_s": 10,
        "shuffle_latency_s": latency_s,
    }
    jobs = AS_MAPREDUCE | {"slowstart": slow_start}, AS_STAGES | {"stages": stages}
    return [
        simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": [job]}), "fifo+slowstart", plain=True)
        for job in jobs
    ]


@pytest.mark.parametrize(
    ("slow_start", "latency_s", "nodes"), [(0.3, 0, 3), (0.3, 0.25, 4), (0.5, 0.25, 3), (1.0, 0, 2)]
)
def test_a_mapreduce_job_and_its_stages(slow_start: float, latency_s: float, nodes: int) -> None:
    mapreduce, stages = both(slow_start, latency_s, nodes)
    found = [phases(run) for run in (mapreduce, stages)]
    for column in ("container", "start", "end"):
        assert np.array_equal(*(getattr(one, column) for one in found))
    names = [[PHASES[phase] for phase in one.phase.tolist()] for one in found]
    assert [SAME.get(name, name) for name in names[0]] == names[1]
    parts = [capacity_split(run).memory.totals for run in (mapreduce, stages)]
    for key in ("fetching", "waiting", "unwanted", "not_given", "fits_no_node"):
        assert parts[0][key] == parts[1][key]
    assert parts[0]["map"] + parts[0]["computing"] == parts[1]["task"]


def test_tasks_wait_only_where_they_start_before_all_that_they_read_has_ended() -> None:
    assert "waiting" in {PHASES[phase] for phase in phases(both(0.3, 0, 4)[1]).phase.tolist()}
    assert capacity_split(both(1.0, 0, 4)[1]).memory.totals["waiting"] == 0
