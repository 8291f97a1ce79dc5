"""What is said of a scenario without an allocation, as Hadoop has one by default."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scenario.model import Scenario
from engine.simulation.unrounded import unrounded_note
from tests.phrases import phrase

NODES = [{"count": 2, "memory_mb": 16384, "vcores": 16}]
QUEUES = [
    {"name": "root.a", "capacity_pct": 99.0},
    {"name": "root.b", "capacity_pct": 1.0},
    {"name": "root.b.c", "capacity_pct": 100.0},
]


def note(
    maps: dict[str, Any], cluster: dict[str, Any] | None = None, queue: str = "root.default", **more: Any
) -> str:
    job = {"queue": queue, "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1, **maps}}
    scenario = {"version": 1, "cluster": {"nodes": NODES, **(cluster or {})}, "jobs": [job], **more}
    return unrounded_note(Scenario.of(scenario))


@pytest.mark.parametrize(
    ("maps", "effect"),
    [
        ({"memory_mb": 1500}, phrase("simulation.would_be_rounded_up", "1,500 MB", "2,048 MB")),
        ({"memory_mb": 512, "vcores": 4}, phrase("simulation.would_be_rounded_up", "512 MB", "1,024 MB")),
        ({"vcores": 5}, phrase("simulation.would_be_rejected", "1,024 MB and 5 vcores")),
        ({"memory_mb": 9216}, phrase("simulation.would_be_rejected", "9,216 MB and 1 vcores")),
    ],
)
def test_what_hadoop_would_round_or_reject(maps: dict[str, int], effect: str) -> None:
    assert note(maps).endswith(f", {effect}.")
    assert note(maps, {"allocation": {"maximum": {"memory_mb": 16384, "vcores": 16}}}) == ""


def test_nothing_is_said_where_nothing_would_change() -> None:
    assert note({"memory_mb": 2048, "vcores": 4}) == ""
    assert note({}, queue="root.a", queues=QUEUES) == ""


def test_guarantees_that_hadoop_would_raise() -> None:
    least = phrase("simulation.would_be_guaranteed_at_least", 1, "1,024 MB", "root.b.c")
    assert note({}, queue="root.b.c", queues=QUEUES).endswith(f", {least}.")


def test_what_other_applications_ask_for_is_looked_at_too() -> None:
    stage = {"tasks": 1, "duration_s": 1}
    master = {"memory_mb": 1024, "vcores": 1}
    executors = {"memory_mb": 1024, "vcores": 1}  # and 384 MB of overhead
    for job in (
        {"framework": "stages", "stages": [stage | master, stage | master | {"memory_mb": 1408}]},
        {"framework": "spark", "am": master, "executors": executors, "stages": [stage]},
    ):
        data = {"version": 1, "cluster": {"nodes": NODES}, "jobs": [job]}
        effect = phrase("simulation.would_be_rounded_up", "1,408 MB", "2,048 MB")
        assert unrounded_note(Scenario.of(data)).endswith(f", {effect}.")
