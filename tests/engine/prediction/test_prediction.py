"""A prediction of a history whose truth is known."""

from __future__ import annotations

import pytest

from engine import SchedulerError, predict, simulate
from engine.dashboard import CancelToken, RunCancelled
from engine.prediction.replay_report import replay_plain
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase


def test_what_the_cluster_did_is_explained_and_predicted():
    of = history(truth(launch_s=5.0, shuffle_latency_s=1.0), jvm_s=4.0)
    result = predict(of, "fair")
    assert result.replay.median < 0.02
    assert result.held_out.median < 0.03
    assert [row.job for row in result.held_out.rows] and {row.job for row in result.held_out.rows} == set(
        range(6, 12)
    )
    medians = [variant.all_jobs.median for variant in result.variants]
    assert medians[0] > 2 * medians[-1]
    assert (result.scheduler, result.split_s, result.notes) == ("fair", 240.0, ())
    assert result.scenario.measured is of.measured
    assert simulate(result.scenario, "measured").jobs.finish.tolist() == list(of.measured.jobs.finish_ms)


def test_measured_itself_is_no_prediction():
    with pytest.raises(SchedulerError, match=phrase("prediction.name_scheduler_cluster")):
        predict(history(truth(2)), "measured")


def test_it_hears_of_halt():
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled):
        predict(history(truth(2)), "fair", cancel_token)


def test_one_job_alone_is_told():
    result = predict(history(truth(1)), "fair")
    assert result.notes == (phrase("prediction.one_job_alone_nothing_held"),)
    assert (result.band.of, result.split_s, result.held_out.rows) == (0, None, ())
    plain = replay_plain(result)
    assert plain["held_out"] is plain["bands"] is None
    assert len(plain["replay"]["jobs"]) == 1
