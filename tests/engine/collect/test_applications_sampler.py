"""gantry-collect --applications: what is kept of each answer, and that the file is read as demand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.collect import sampler
from engine.collect.gantry_collect import main
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.records import HeldSample, History
from engine.scenario.history.rest_history import add_rest_responses, merge_responses
from tests.engine.collect.fake_server import T0_S, Clock, reply, serve

PATH = "/ws/v1/cluster/apps"


def test_samples_are_kept_as_they_come_and_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At 10, 20 and 30 s it holds 1, 2 and 3 containers; at first there is none, which Hadoop writes as
    null.
    """
    clock, out = Clock(), tmp_path / "samples.jsonl"
    monkeypatch.setattr(sampler, "time", clock)

    def answer(handler: Any) -> bool:
        ran_s = round(clock.now - T0_S)
        app = {
            "id": "application_1_0001",
            "applicationType": "SPARK",
            "startedTime": 1000 * T0_S,
            "elapsedTime": 1000 * ran_s,
            "finishedTime": 0,
            "memorySeconds": 1024 * ran_s,
            "runningContainers": ran_s // 10,
            "allocatedMB": 1024 * (ran_s // 10),
            "allocatedVCores": ran_s // 10,
            "trackingUrl": "SECRET",
        }
        return reply(handler, 200, json.dumps({"apps": {"app": [app]} if ran_s else None}).encode())

    with serve({}) as server:
        server.instead[PATH] = answer
        words = ["--rm", server.url, "--applications", "10", "--to", str(T0_S + 30), "--out", str(out)]
        assert main([*words, "--rate", "1000", "--retries", "0"]) == 0
        assert server.asked[0][0] == f"{PATH}?states=RUNNING%2CACCEPTED&deSelects=resourceRequests"
    lines = out.read_text().splitlines()
    assert [line.startswith('{"apps":') for line in lines] == [True] * 4 and "SECRET" not in out.read_text()
    history = History()
    add_rest_responses(history, Source(out.open("rb"), is_json=False), "samples.jsonl")
    merge_responses(history)
    (one,) = history.others
    assert one.end_ms == 1000 * (T0_S + 30)
    assert one.samples == tuple(
        HeldSample(1000 * (T0_S + 10 * number), number, 1024 * number, number) for number in (1, 2, 3)
    )
