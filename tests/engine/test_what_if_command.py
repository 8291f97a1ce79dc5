"""python -m engine what-if: an answer, its exit code, and every way a call can be wrong."""

from __future__ import annotations

import json

import pytest

from engine.scenario.presets import sample
from tests.engine.prediction.histories import history, truth

WORDCOUNT = str(sample("wordcount.json"))


@pytest.fixture
def run(run):
    return lambda *arguments: run("what-if", *arguments)


def test_a_scenario_without_a_record_is_answered_without_a_band(run) -> None:
    code, out, err = run(WORDCOUNT, "--question", "slowstart", "--price", "0.40 EUR")
    assert (code, err) == (0, []) and out.startswith("Slow start 0.8 instead of 0.05 under fair\n")
    assert "80 s shorter, 26 %" in out and "No record of a cluster goes with this scenario" in out
    assert "0.21 EUR instead of 0.28 EUR" in out
    assert "<name>mapreduce.job.reduce.slowstart.completedmaps</name>" in out


def test_a_history_is_answered_with_a_band(run, tmp_path) -> None:
    path = tmp_path / "history.json"
    path.write_text(history(truth(6)).json())
    code, out, err = run(str(path), "--question", "nodes", "--set", "nodes=8", "--json")
    found = json.loads(out)
    assert (code, err) == (0, []) and found["change"] == "8 nodes instead of 4, 4 more"
    for metric in found["metrics"]:
        low, high = metric["before_band_s"]
        assert low <= high and metric["larger_than_band"] in (True, False)
    assert len(found["gains"]["job"]) == 6 and "held-out jobs" in found["band_covers"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--question", "nodez"), "there is no question 'nodez'; did you mean nodes?"),
        (("--question", "nodes", "--set", "nodes"), "--set 'nodes' must be KEY=VALUE, such as nodes=12"),
        (("--question", "nodes", "--set", "nodes=0"), "Nodes in all must be a whole number from 1 to 10,000,000 nodes, not '0'"),
        (("--question", "nodes", "--price", "much"), "Price must be an amount a node-hour, such as 0.40 or 0.40 EUR, not 'much'"),
        (("--question", "limit", "--scheduler", "fifo"), "fifo looks at no queues: ask this under fair, drf or capacity"),
    ],
)
def test_a_wrong_call_is_one_line(run, arguments: tuple[str, ...], says: str) -> None:
    assert run(WORDCOUNT, *arguments) == (2, "", [says])
