"""python -m engine what-if: an answer, its exit code, and every way a call can be wrong."""

from __future__ import annotations

import json

import pytest

from engine.scenario.presets import sample
from tests.conftest import ROOT
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase

WORDCOUNT = str(sample("wordcount.json"))
RECORDED = str(ROOT / "tests/hadoop/cluster/recorded/capacity-equal-1.tar.gz")  # queues of 60 and 40 %


@pytest.fixture
def run(run):
    return lambda *arguments: run("what-if", *arguments)


def test_a_scenario_without_a_record_is_answered_without_a_band(run) -> None:
    code, out, err = run(WORDCOUNT, "--question", "slowstart", "--price", "0.40 EUR")
    assert (code, err) == (0, []) and out.startswith(
        phrase("engine.slow_start_instead_under_fair", 0.8, 0.05) + "\n"
    )
    assert "1 min 20 s shorter, 25.7 %" in out and phrase("engine.no_record_cluster_goes_with") in out
    assert "0.21 EUR instead of 0.28 EUR" in out
    assert "<name>mapreduce.job.reduce.slowstart.completedmaps</name>" in out


def test_a_history_is_answered_with_a_band(run, tmp_path) -> None:
    path = tmp_path / "history.json"
    path.write_text(history(truth(6)).json())
    code, out, err = run(str(path), "--question", "nodes", "--set", "nodes=8", "--json")
    data = json.loads(out)
    assert (code, err) == (0, []) and data["change"] == phrase("common.nodes_instead_more", 8, 4, 4)
    for metric in data["metrics"]:
        low, high = metric["before_band_s"]
        assert low <= high and metric["larger_than_band"] in (True, False)
    assert len(data["gains"]["job"]) == 6 and "held-out jobs" in data["band_covers"]


def test_a_changed_configuration_is_asked_about_on_the_record(run, tmp_path) -> None:
    own = {"root.queues": "a,b", "root.a.capacity": "20", "root.b.capacity": "80"}
    entries = [{"name": f"yarn.scheduler.capacity.{name}", "value": value} for name, value in own.items()]
    conf = tmp_path / "conf.json"
    conf.write_text(json.dumps({"property": entries}))
    code, out, err = run(RECORDED, "--configuration", str(conf), "--json")
    data = json.loads(out)
    assert code == 0 and all(line.startswith("assumed: ") for line in err)
    assert data["change"] == phrase("engine.configuration_instead", "conf.json")
    queues = {gain["name"]: gain for gain in data["gains"]["queue"]}
    assert queues["root.a"]["gain_s"] < queues["root.b"]["gain_s"] < 0  # 20 % of each now, one user each
    assert "held-out jobs" in data["band_covers"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--question", "nodez"), phrase("engine.there_no_question_did_you", "'nodez'")),
        (
            ("--question", "nodes", "--set", "nodes"),
            phrase("common.must_be_such_as", "--set", "'nodes'", "KEY=VALUE", "nodes=12"),
        ),
        (
            ("--question", "nodes", "--set", "nodes=6", "--set", "nodes=7"),
            phrase("commands.value_is_given_twice", "--set", "nodes"),
        ),
        (
            ("--question", "nodes", "--set", "nodes=0"),
            phrase("engine.nodes_in_all_must_be", 1, "10,000,000", "'0'"),
        ),
        (
            ("--question", "nodes", "--price", "much"),
            phrase("engine.price_must_be_amount_node", "0.40", "0.40", "'much'"),
        ),
        (("--question", "limit", "--scheduler", "fifo"), phrase("engine.fifo_looks_at_no_queues")),
    ],
)
def test_a_wrong_call_is_one_line(run, arguments: tuple[str, ...], says: str) -> None:
    assert run(WORDCOUNT, *arguments) == (2, "", [says])
