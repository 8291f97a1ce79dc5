"""What a record says of its simulation: found once by value, carried by the fitted scenario, and read as
untrusted.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Scenario
from engine.dashboard import RunCancelled
from tests.webapp.replay_record import record
from tests.webapp.task_waiting import ended
from webapp.jobs import prediction, worker
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.jobs.prediction import REPLAY_FIELD, ErrorBands, error_bands_of
from webapp.runs import saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

GOOD = {"scheduler": "fair", "finish": [0.9, 1.2, 7], "turnaround": [0.8, 1.5, 7]}


@pytest.fixture
def task(cache: SharedCache) -> Task:
    return build_task(RunRequest(record(), ("measured", "fair")))


def test_it_is_done_once_and_found_by_other_processes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prediction.find_prediction(task.scenario, "fair") is None
    progress = ended(*prediction.begin_prediction(task, "fair", 30))
    assert progress.state == "finished", progress
    result = prediction.find_prediction(task.scenario, "fair")
    shared_cache.hold_at_most(MAX_HELD)
    again = prediction.find_prediction(task.scenario, "fair")
    assert again.held_out == result.held_out and len(result.held_out.rows) == 3
    monkeypatch.setattr(prediction, "predict", lambda *_, **__: pytest.fail("it was done already"))
    assert ended(*prediction.begin_prediction(task, "fair", 30)).state == "finished"


def test_one_that_is_ended_keeps_nothing(task: Task) -> None:
    saved_tasks.save_task(task).result()
    control = JobControl(prediction.STEPS)
    control.cancel_token.cancel()
    with pytest.raises((Cancelled, RunCancelled)):
        prediction._do_predict({"key": task.key, "scheduler": "fair"}, control)
    assert prediction.find_prediction(task.scenario, "fair") is None


def test_a_fitted_scenario_carries_how_far_off_it_is_through_a_page_and_back(task: Task) -> None:
    assert ended(*prediction.begin_prediction(task, "fair", 30)).state == "finished"
    result = prediction.find_prediction(task.scenario, "fair")
    fitted = Scenario.of(json.loads(json.dumps(prediction.fitted_scenario(result).plain())))
    assert fitted.measured == task.scenario.measured and fitted.digest != task.scenario.digest
    assert error_bands_of(fitted) == ErrorBands(
        "fair",
        (result.band.low, result.band.high, 3),
        (result.turnaround_band.low, result.turnaround_band.high, 3),
    )
    assert prediction.find_prediction(fitted, "fair").held_out == result.held_out
    low, high = error_bands_of(fitted).around("makespan_s", 100.0)
    assert (low, high) == (100 * result.band.low, 100 * result.band.high)
    assert error_bands_of(fitted).around("fairness", 100.0) is None
    assert error_bands_of(task.scenario) is None


def test_what_a_scenario_says_of_its_replay_is_read() -> None:
    assert error_bands_of(_carrying(GOOD)) == ErrorBands("fair", (0.9, 1.2, 7), (0.8, 1.5, 7))


@pytest.mark.parametrize(
    "said",
    [
        None,
        "much",
        [1, 2],
        {},
        GOOD | {"scheduler": 3},
        GOOD | {"finish": [0.9, 1.2]},
        GOOD | {"finish": [1.2, 0.9, 7]},
        GOOD | {"finish": [0, 1, 7]},
        GOOD | {"turnaround": [0.9, 1e300, 7]},
        GOOD | {"turnaround": [True, "2", None]},
    ],
)
def test_nonsense_in_its_place_is_nothing(said: Any) -> None:
    assert error_bands_of(_carrying(said)) is None


def _carrying(said: Any) -> Scenario:
    return Scenario.of({**record(), REPLAY_FIELD: said})


def test_processes_that_work_know_it() -> None:
    assert prediction in worker.JOB_MODULES
