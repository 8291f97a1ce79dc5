"""gantry-collect --metrics: which beans are kept, when they are asked for, and that the file opens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import read
from engine.collect import sampler
from engine.collect.gantry_collect import main
from engine.collect.kept_fields import BEAN_FIELDS, QUEUE
from engine.scenario.formats.jmx_samples import SAMPLE
from tests.engine.collect.fake_server import T0_S, Clock, FakeServer, reply, serve
from tests.phrases import phrase

NAME = "Hadoop:service=ResourceManager,name="


def bean(name: str, **values: Any) -> dict[str, Any]:
    return {"name": NAME + name, "modelerType": "SECRET", "tag.Hostname": "SECRET", **values}


def beans(step: int) -> list[dict[str, Any]]:
    """Of a cluster that holds two containers more at each step."""
    counted = {
        "AggregateContainersAllocated": 2 * step,
        "AllocatedContainers": 2 * step,
        "AppsSubmitted": step,
    }
    queue = {
        **counted,
        "AllocatedMB": 2048 * step,
        "AvailableMB": 8192 - 2048 * step,
        "MaxShareMB": 2**63 - 1,
    }
    return [
        bean("QueueMetrics,q0=root", **{"tag.Queue": "root", **queue}),
        bean("QueueMetrics,q0=root,q1=ann", **{"tag.Queue": "root.ann", **queue}),
        bean("QueueMetrics,q0=root,q1=ann,user=SECRET", **{"tag.Queue": "root.ann", **queue}),
        bean("PartitionQueueMetrics,partition=,q0=root", **{"tag.Queue": "root", **queue}),
        bean("ClusterMetrics", NumActiveNMs=1),
        bean("JvmMetrics", MemHeapUsedM=5),
    ]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    result = Clock()
    monkeypatch.setattr(sampler, "time", result)
    return result


@pytest.fixture
def server(clock: Clock) -> Iterator[FakeServer]:
    with serve({}) as result:

        def answer(handler: Any) -> bool:
            step = int(clock.now - T0_S) // 10
            return reply(handler, 200, json.dumps({"beans": beans(step)}).encode())

        result.instead["/jmx"] = answer
        yield result


def sampling(server: FakeServer, out: Path, *more: str) -> int:
    own = ["--rm", server.url, "--metrics", "10", "--to", str(T0_S + 30), "--rate", "1000", "--retries", "0"]
    return main([*own, "--out", str(out), *more])


def test_samples_are_kept_as_they_come_and_open(server: FakeServer, tmp_path: Path, clock: Clock) -> None:
    out = tmp_path / "samples.jsonl"
    assert sampling(server, out) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["sampled_ms"] for line in lines] == [1000 * (T0_S + second) for second in (0, 10, 20, 30)]
    assert [kept.get("tag.Queue") for kept in lines[0]["beans"]] == ["root", "root.ann", None]
    assert "SECRET" not in out.read_text() and "q1=" not in out.read_text()
    scenario = read("queue-jmx", out.open("rb")).scenario
    assert [(job.arrival_s, job.maps.count, job.maps.memory_mb) for job in scenario.jobs] == [
        (5, 2, 1024),
        (15, 2, 1024),
        (25, 2, 1024),
    ]


def test_a_second_call_goes_on_and_another_file_is_left_alone(
    server: FakeServer, tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "samples.jsonl"
    assert sampling(server, out) == sampling(server, out) == 0
    assert len(out.read_text().splitlines()) == 5
    other = tmp_path / "other"
    other.write_text("something else\n")
    assert sampling(server, other) == 2
    assert capsys.readouterr().err.endswith(phrase("collect.no_file_of_samples", other) + "\n")
    assert other.read_text() == "something else\n"


def test_the_active_resource_manager_is_asked_and_what_is_missing_told(
    server: FakeServer, tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    normal, out = server.instead["/jmx"], tmp_path / "samples.jsonl"

    def sometimes(handler: Any) -> bool:
        return reply(handler, 500, b"") if clock.now == T0_S + 10 else normal(handler)

    with serve({"/jmx": {"beans": [bean("ClusterMetrics", NumActiveNMs=0)]}}) as standby:
        server.instead["/jmx"] = sometimes
        assert sampling(server, out, "--rm", standby.url) == 1
        assert sampling(standby, out) == 2
    assert len(out.read_text().splitlines()) == 3
    told = capsys.readouterr().err
    assert phrase("collect.samples_more", out, 3, 1) in told
    assert phrase("collect.no_metrics_of_queues") in told


def test_queues_are_hashed_where_that_is_asked(server: FakeServer, tmp_path: Path, clock: Clock) -> None:
    key, out = tmp_path / "key", tmp_path / "samples.jsonl"
    key.write_text("twelve letters")
    assert sampling(server, out, "--anonymise", str(key), "--anonymise-queues") == 0
    assert "ann" not in out.read_text() and "root.queue-" in out.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--metrics", "10"], phrase("collect.goes_with_rm", "metrics")),
        (["--metrics", "10", "--rm", "rm", "--from", "1h"], phrase("collect.goes_with_rm", "metrics")),
        (["--metrics", "0", "--rm", "rm"], phrase("collect.must_be_seconds", "metrics")),
        (["--metrics", "9", "--applications", "9"], phrase("collect.are_two_calls")),
        (["--rm", "rm"], phrase("collect.since_when")),
    ],
)
def test_calls_that_make_no_sense(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err == told + "\n"


def test_what_is_kept_is_what_the_reader_takes() -> None:
    assert set(BEAN_FIELDS) == set(SAMPLE["beans"].shape)
    assert BEAN_FIELDS["tag.Queue"] == QUEUE
