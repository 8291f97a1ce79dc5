"""The replay of a real cluster's recorded Spark applications: seven in two queues under FairScheduler."""

from __future__ import annotations

import pytest

from engine import predict
from engine.commands.streams import read_inputs
from engine.dashboard import replay_sentences
from engine.prediction.replay_report import replay_plain


@pytest.fixture(scope="module")
def found(shared):
    imported = read_inputs([str(shared("data/mini-spark/fair"))])
    return predict(imported.scenario, imported.scheduler)


def test_each_alone_ends_as_it_did_within_three_percent(found):
    """Of the time since its driver began, without the wait for it."""
    starts = {
        job: start
        for job, kind, start in zip(
            found.scenario.measured.containers.job,
            found.scenario.measured.containers.kind,
            found.scenario.measured.containers.start_ms,
        )
        if kind == 0
    }
    assert len(found.alone.rows) == 7
    for row in found.alone.rows:
        lasted_s = row.measured_s - starts[row.job] / 1000
        assert abs(row.simulated_s - row.measured_s) < 0.03 * lasted_s
    assert found.alone.turnaround_median < 0.01


def test_the_rules_explain_and_predict_it(found):
    medians = [variant.all_jobs.median for variant in found.variants]
    assert medians[0] > 0.1
    assert found.replay.median < 0.03
    assert len(found.held_out.rows) == 3
    assert found.held_out.median < 0.1
    assert 2 < found.fit.value("driver_s") < 4
    assert 4 < found.fit.value("executor_launch_s") < 10


def test_the_report_has_all_of_it(found):
    plain = replay_plain(found)
    assert len(plain["executors_as_they_came"]["jobs"]) == len(plain["replay"]["jobs"]) == 7
    assert len(plain["held_out"]["jobs"]) == 3
    assert all(sentence.endswith(".") for sentence in replay_sentences(found))
    assert any(row["reason"] for row in plain["replay"]["jobs"])
