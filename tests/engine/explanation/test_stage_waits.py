"""Why tasks of stages wait, before their containers are asked for and after."""

from __future__ import annotations

from typing import Any

import pytest

from engine.explanation.container_names import ContainerName, NoSuchContainer
from engine.explanation.explain import explain
from engine.explanation.wait_spans import wait_spans
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

SIZE = {"memory_mb": 1024, "vcores": 1}
DAG: dict[str, Any] = {
    "name": "dag",
    "framework": "stages",
    "am": SIZE | {"startup_s": 2},
    "stages": [
        SIZE | {"name": "scan", "tasks": 4, "duration_s": 5},
        SIZE | {"name": "sum", "tasks": 2, "duration_s": 1, "after": ["scan"], "slow_start": 0.5},
    ],
}
HELD = {"name": "held", "framework": "demand", "stages": [SIZE | {"tasks": 1, "duration_s": 1, "start_s": 3}]}


def of(memory_mb: int = 3072) -> Run:
    """On a node that holds so much, the DAG before what is held from 3 s on."""
    nodes = [{"count": 1, "memory_mb": memory_mb, "vcores": 8}]
    cluster = {"nodes": nodes, "heartbeat_ms": 0}
    return simulate(Scenario.of({"version": 1, "cluster": cluster, "jobs": [DAG, HELD]}), "fifo", plain=True)


def waits(run: Run, name: str) -> list[tuple[int, int, str, str]]:
    return [
        (span.start, span.end, span.rule.rule, span.rule.subject)
        for span in wait_spans(run, parse("fifo"), name).spans
    ]


def test_a_stage_waits_for_those_that_it_comes_after_and_then_for_room() -> None:
    run = of()
    # from 2 s on two of four run, from 7 s on the others: two have finished then; from 12 s on there is room
    assert waits(run, "dag/1/task/3") == [(2000, 7000, "room", "")]
    assert waits(run, "dag/2/task/1") == [
        (2000, 7000, "earlier-stages", "scan"),
        (7000, 12_000, "room", ""),
    ]
    told = explain(run, "fifo", "dag/2/task/1")
    assert (told["container"], told["placed"]) == ("dag/2/task/1/1", True)
    assert [span["rule"] for span in told["waits"]] == ["earlier-stages", "room"]


def test_demand_is_asked_for_later() -> None:
    assert waits(of(), "held/1/task/0")[0] == (0, 3000, "stage-start", "stage1")


def test_a_stage_that_is_never_asked_for_names_those_that_it_comes_after() -> None:
    run = of(memory_mb=1024)
    assert run.status == "deadlock"
    assert waits(run, "dag/2/task/0") == [(2000, -1, "earlier-stages", "scan")]
    assert waits(run, "dag/1/task/0")[0][2] == "room"


@pytest.mark.parametrize("name", ["dag/2/task/2", "dag/3/task/0", "dag/0/task/0", "dag/1/map/0"])
def test_no_other_task_has_a_name(name: str) -> None:
    with pytest.raises(NoSuchContainer):
        ContainerName.of(of(), name)
