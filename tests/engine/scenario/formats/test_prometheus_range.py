"""Prometheus' answers to range queries: which series count, and the answer of a real one."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine import FormatError, read
from engine.dashboard import detect
from tests.hadoop.cluster.prediction_accuracy import RECORDED
from tests.phrases import phrase

RANGE = RECORDED / "fair-mixed-range.json.gz"
STEP_S = 10


def answer(*series: tuple[dict[str, str], list[Any]]) -> bytes:
    """As Prometheus writes it; values of samples a step apart."""
    result = [
        {"metric": labels, "values": [[STEP_S * index, str(value)] for index, value in enumerate(values)]}
        for labels, values in series
    ]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}).encode()


def queue_series(name: str, values: list[Any], **labels: str) -> tuple[dict[str, str], list[Any]]:
    return {"__name__": f"queue_metrics_{name}", "queue": "root.a", **labels}, values


USED = (
    queue_series("apps_submitted", [0, 1, 1, 1]),
    queue_series("aggregate_containers_allocated", [0, 2, 2, 2]),
    queue_series("allocated_containers", [0, 2, 2, 0]),
    queue_series("allocated_mb", [0, 4096, 4096, 0]),
    queue_series("allocated_v_cores", [0, 2, 2, 0]),
    queue_series("available_mb", [8192, 4096, 4096, 8192], queue="root"),
    queue_series("available_v_cores", [8, 8, 8, 8], queue="root"),
)


def rows(data: bytes) -> list[tuple]:
    return [
        (job.queue, job.arrival_s, job.maps.count, job.maps.memory_mb, job.maps.duration_s)
        for job in read("queue-prometheus", io.BytesIO(data)).scenario.jobs
    ]


# two containers, allocated on the mean at 5 s, released at 25 s
EXPECTED = [("root.a", 5.0, 2, 2048, 20.0)]


def test_the_jmx_exporter_s_names_are_known_too() -> None:
    exported = []
    for labels, values in USED:
        name = labels["__name__"].removeprefix("queue_metrics_").title().replace("_", "")
        levels = dict(zip(("q0", "q1"), labels["queue"].split("."), strict=False))
        own = {"__name__": f"Hadoop_ResourceManager_{name}", "name": "QueueMetrics"}
        exported.append(({**own, **levels}, values))
    assert rows(answer(*exported)) == rows(answer(*USED)) == EXPECTED


@pytest.mark.parametrize(
    "other",
    [
        queue_series("aggregate_containers_allocated", [0, 9, 9, 9], user="ann"),
        queue_series("aggregate_containers_allocated", [0, 9, 9, 9], partition="gpu"),
        queue_series("unmanaged_apps_submitted", [0, 9, 9, 9]),
        ({"__name__": "partition_queue_metrics_allocated_mb", "queue": "root.a"}, [9] * 4),
        ({"__name__": "up"}, [1] * 4),
        queue_series("aggregate_containers_allocated", [5], instance="standby:8088"),
    ],
)
def test_other_series_do_not_count(other: tuple) -> None:
    assert rows(answer(other, *USED)) == EXPECTED


def test_what_is_no_number_counts_nothing() -> None:
    assert rows(answer(*USED, queue_series("pending_containers", ["NaN", "+Inf", "NaN", "0"]))) == EXPECTED
    with pytest.raises(FormatError) as fault:
        rows(answer(queue_series("apps_submitted", ["many"])))
    assert str(fault.value) == phrase("queue_metrics.no_number")


def test_an_answer_without_queue_metrics_is_refused() -> None:
    data = answer(({"__name__": "up"}, [1, 1]))
    assert detect(data) == "queue-prometheus"
    with pytest.raises(FormatError) as fault:
        rows(data)
    assert str(fault.value) == phrase("queue_metrics.no_queue_metrics")


@pytest.mark.parametrize("data", [b"[" * 300, b'{"a":' * 300, b'{"data": [1', b'{"data": {"result": 3}} x'])
def test_broken_answers_are_told(data: bytes) -> None:
    with pytest.raises(FormatError):
        rows(data)


def test_a_real_prometheus_and_jmx_say_the_same() -> None:
    """One run of Hadoop 3.4.1, read by both."""
    by_prometheus = read("queue-prometheus", RANGE.open("rb")).scenario
    by_jmx = read("queue-jmx", (RECORDED / "fair-mixed-metrics.jsonl.gz").open("rb")).scenario
    assert by_prometheus.cluster.nodes == by_jmx.cluster.nodes
    totals = [
        (
            sum(job.count * job.maps.count for job in scenario.jobs),
            sum(
                job.count * job.maps.count * job.maps.memory_mb * job.maps.duration_s for job in scenario.jobs
            ),
        )
        for scenario in (by_prometheus, by_jmx)
    ]
    assert totals[0] == (totals[1][0], pytest.approx(totals[1][1], rel=0.05))
