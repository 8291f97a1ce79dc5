"""A prediction of a history whose truth is known."""

from __future__ import annotations

import pytest

from engine import Halt, Halted, SchedulerError, predict, simulate
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase


def test_what_the_cluster_did_is_explained_and_predicted():
    of = history(truth(launch_s=5.0, shuffle_latency_s=1.0), jvm_s=4.0)
    found = predict(of, "fair")
    assert found.replay.median < 0.02
    assert found.held_out.median < 0.03
    assert [row.job for row in found.held_out.rows] and {row.job for row in found.held_out.rows} == set(range(6, 12))
    medians = [variant.all_jobs.median for variant in found.variants]
    assert medians[0] > 2 * medians[-1]
    assert (found.scheduler, found.split_s, found.notes) == ("fair", 240.0, ())
    assert found.scenario.measured is of.measured
    assert simulate(found.scenario, "measured").jobs.finish.tolist() == list(of.measured.jobs.finish_ms)


def test_measured_itself_is_no_prediction():
    with pytest.raises(SchedulerError, match=phrase("prediction.name_scheduler_cluster")):
        predict(history(truth(2)), "measured")


def test_it_hears_of_halt():
    halt = Halt()
    halt.ask()
    with pytest.raises(Halted):
        predict(history(truth(2)), "fair", halt)


def test_one_job_alone_is_told():
    found = predict(history(truth(1)), "fair")
    assert found.notes == (phrase("prediction.one_job_alone_nothing_held"),)
    assert (found.band.of, found.split_s) == (1, None)
