"""Requests that Hadoop refuses are faults; the others have the size to which it rounds them."""

from __future__ import annotations

import pytest

from engine.errors import ScenarioError
from engine.scenario.model import Scenario
from engine.simulation.simulate import simulate
from tests.phrases import phrase


def size(memory: int, vcores: int) -> dict:
    return {"memory_mb": memory, "vcores": vcores}


def cluster(**allocation: dict) -> dict:
    return {"nodes": [{"count": 2, **size(8192, 8)}], "allocation": allocation}


def applied(given: dict, **application) -> dict:
    return {"version": 1, "cluster": given, "jobs": [{"am": size(600, 1), **application}]}


STAGES = [{"tasks": 1, "duration_s": 1, **size(1, 1)}, {"tasks": 1, "duration_s": 1, **size(2049, 1)}]


def plain(given: dict, maps: dict, **more) -> dict:
    job = {"queue": "root.a.b", "am": size(600, 1), "maps": {"count": 2, "duration_s": 1, **maps}}
    return {"version": 1, "cluster": given, "queues": [{"name": "root.a.b"}], "jobs": [job], **more}


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (
            plain(cluster(), size(8192, 5)),
            "jobs[0].maps.vcores: "
            + phrase("scenario.more_than_and_refused", 5, "cluster.allocation.maximum", 4),
        ),
        (
            plain(cluster(maximum=size(2048, 4)), size(2049, 1)),
            "jobs[0].maps.memory_mb: "
            + phrase("scenario.more_than_and_refused", 2049, "cluster.allocation.maximum", 2048),
        ),
        (
            plain(
                cluster(),
                size(2049, 1),
                queues=[{"name": "root.a.b"}, {"name": "root.a", "max_container": size(2048, 2)}],
            ),
            "jobs[0].maps.memory_mb: "
            + phrase("scenario.more_than_and_refused_2", 2049, "max_container", "root.a", 2048),
        ),
        (
            applied(cluster(maximum=size(2048, 4)), framework="stages", stages=STAGES),
            "jobs[0].stages[1].memory_mb: "
            + phrase("scenario.more_than_and_refused", 2049, "cluster.allocation.maximum", 2048),
        ),
        (
            applied(
                cluster(maximum=size(2048, 4)),
                framework="spark",
                executors=size(1665, 1),  # and 384 MB of overhead
                stages=[{"tasks": 1, "duration_s": 1}],
            ),
            "jobs[0].executors.memory_mb: "
            + phrase("scenario.memory_with_overhead", 1665, 384)
            + phrase("scenario.more_than_and_refused", 2049, "cluster.allocation.maximum", 2048),
        ),
        (
            plain(cluster(minimum=size(1024, 5)), size(1, 1)),
            "cluster.allocation.minimum.vcores: "
            + phrase("scenario.must_be_at_most", 5, "cluster.allocation.maximum", 4),
        ),
        (
            plain(
                {"nodes": [{"count": 1, **size(8192, 8)}]},
                size(1, 1),
                queues=[{"name": "root.a.b", "max_container": size(-1, 1)}],
            ),
            "queues[0].max_container.memory_mb: " + phrase("common.must_be_at_least", -1, 1),
        ),
    ],
)
def test_what_is_refused_is_told(data: dict, line: str) -> None:
    with pytest.raises(ScenarioError) as result:
        Scenario.of(data)
    assert str(result.value).splitlines() == [line]


@pytest.mark.parametrize(
    ("scheduler", "maps"),
    [
        ("fifo", (3000, 2)),  # of 1,500 MB and 2 vcores
        ("fifo(resources=memory)", (3000, 1)),
        ("capacity", (3000, 2)),
        ("haste", (3000, 2)),
        ("fair", (2048, 3)),  # of 1,024 MB and 3 vcores, no more than the queue takes
        ("drf", (2048, 3)),
        ("batch-finish", (2048, 3)),
    ],
)
def test_to_what_each_order_rounds(scheduler: str, maps: tuple[int, int]) -> None:
    given = cluster(minimum=size(1500, 2), increment=size(1024, 3), maximum=size(8192, 8))
    queues = [{"name": "root.a", "max_container": size(2500, 3)}, {"name": "root.a.b"}]
    work = simulate(Scenario.of(plain(given, size(1600, 1), queues=queues)), scheduler).workload
    assert (work.request_memory[2], work.request_vcores[2]) == maps
    assert work.asked_resource[:, 2].tolist() == [1600, 1]
    assert work.request_memory[1] == 0  # it has no reduces


def test_a_container_holds_what_it_was_rounded_to() -> None:
    given = cluster(minimum=size(2048, 1))
    rounded, asked = (
        simulate(Scenario.of(plain(one, size(1025, 1))), "fair") for one in (given, {"nodes": given["nodes"]})
    )
    assert rounded.workload.request_memory.tolist() == [
        2048,
        0,
        2048,
    ] and asked.workload.request_memory.tolist() == [600, 0, 1025]
