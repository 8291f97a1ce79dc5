"""The command that sets a history beside its simulation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import load, predict
from engine.dashboard import replay_plain, replay_text
from tests.engine.prediction.histories import history, truth
from tests.hadoop.cluster.prediction_accuracy import RECORDED
from tests.phrases import phrase


@pytest.fixture(scope="module")
def of():
    return history(truth(4, launch_s=5.0), jvm_s=4.0)


@pytest.fixture
def file(of, tmp_path: Path) -> str:
    path = tmp_path / "history.json"
    path.write_text(of.json())
    return str(path)


def test_it_prints_a_report_for_people(run, file, of):
    code, out, err = run("replay", file, "--scheduler", "fair")
    assert (code, out, err) == (0, replay_text(predict(of, "fair")), [])
    for part in (
        phrase("commands.error_jobs_finish"),
        "largest errors, 4 of 4",
        "ApplicationMaster startup",
        phrase("commands.jobs_nothing_was_fitted", 2),
    ):
        assert part in out


def test_it_prints_json_with_every_job_and_tells_the_scheduler_it_assumed(run, file, of):
    code, out, err = run("replay", file, "--json")
    assert (code, json.loads(out)) == (0, json.loads(json.dumps(replay_plain(predict(of, "fair")))))
    assert err == [phrase("commands.assumed_clusters_scheduler_fair_as", "--scheduler")]
    assert len(json.loads(out)["replay"]["jobs"]) == 4


def test_what_a_history_does_not_say_is_told(run):
    path = str(RECORDED / "fair-spark-1.tar.gz")
    assumed = [f"assumed: {sentence}" for sentence in load(path).assumptions]
    assert run("replay", path)[::2] == (0, assumed)
    assert run("replay", path, "--fit-from", path)[::2] == (0, assumed + assumed)


def test_another_history_is_fitted(run, file, tmp_path):
    other = tmp_path / "other.json"
    other.write_text(history(truth(5, seed=2, launch_s=5.0), jvm_s=4.0).json())
    code, out, _ = run("replay", file, "--scheduler", "fair", "--fit-from", str(other), "--json")
    result = json.loads(out)
    assert (code, result["fit"]["jobs"], len(result["held_out"]["jobs"]), result["judged_from_s"]) == (
        0,
        5,
        4,
        None,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{}", "--scheduler", "measured"], phrase("commands.measured_what_replayed")),
        (["{}", "--scheduler", "best"], "best"),
        (["{}.not"], "can't be read"),
        (["engine/scenario/samples/wordcount.json"], phrase("common.this_scenario_has_none_open")),
    ],
)
def test_what_is_wrong_is_said(run, file, arguments, said):
    code, out, err = run("replay", *[one.format(file) for one in arguments])
    assert (code, out) == (2, "")
    assert said in err[-1]
