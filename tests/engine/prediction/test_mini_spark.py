"""The replay of a real cluster's recorded Spark applications: seven in two queues under FairScheduler."""

from __future__ import annotations

import pytest

from engine import predict
from engine.commands.streams import read_inputs
from engine.dashboard import replay_sentences
from engine.prediction.answer import answer, validated_baseline
from engine.prediction.question import QuestionError
from engine.prediction.questions import QUESTIONS, apply_question
from engine.prediction.replay_report import replay_plain
from tests.phrases import phrase


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


@pytest.mark.parametrize("key", [key for key, question in QUESTIONS.items() if question.framework != "tez"])
def test_questions_are_answered_with_a_band(found, key):
    """Those that are about maps and reduces alone are not; of the others some come with Spark's lines."""
    baseline = validated_baseline(found)
    if key in ("slowstart", "containers"):
        with pytest.raises(QuestionError):
            apply_question(baseline.scenario, baseline.scheduler, key)
        return
    result = answer(baseline, apply_question(baseline.scenario, baseline.scheduler, key))
    assert not result.stuck and all(metric.band for metric in result.metrics)
    assert result.noun == "applications" and result.compared + result.left_out == 7
    has_lines = key in ("instances", "dynamic", "executors", "queue")
    assert ("spark-defaults.conf" in [file.name for file in result.files]) == has_lines


def test_lines_name_those_that_get_them_alone(found):
    def lines(key, **values):
        return apply_question(found.scenario, "fair", key, values).files[0].text.splitlines()

    assert lines("dynamic", maximum=5, idle_s=30) == [
        "spark.dynamicAllocation.maxExecutors 5",
        "spark.dynamicAllocation.executorIdleTimeout 30s",
    ]
    assert lines("instances", count=6) == [
        phrase("prediction.alone", "try, fixed4, fixed3"),
        "#   --conf spark.executor.instances=6",
    ]
    assert lines("executors", vcores=2, number="now") == [
        "spark.executor.cores 2",
        "spark.executor.memory 1024m",
    ]
