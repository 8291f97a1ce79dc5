"""An application's curve over its executors as a piece of work: made once, kept, with the band of a record,
and within what the server does.
"""

from __future__ import annotations

import pytest

from engine import Scenario, ScenarioError, simulate
from engine.dashboard import OWN_TIME, TooLarge
from tests.simulated_records import recorded
from tests.spark_jobs import MIXED
from tests.webapp.task_waiting import ended
from webapp.jobs import executor_curves
from webapp.jobs.executor_curves import ExecutorsRequest
from webapp.runs import saved_tasks
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


def saved(scenario: dict, *schedulers: str) -> Task:
    task = build_task(RunRequest(scenario, schedulers))
    saved_tasks.save_task(task).result()
    return task


@pytest.fixture
def task(cache) -> Task:
    return saved(MIXED, "fair")


def asked(task: Task) -> ExecutorsRequest:
    return ExecutorsRequest.of({"key": task.key, "application": 0, "scheduler": "fair"})


def test_a_curve_is_made_once_and_kept(task):
    request = asked(task)
    assert executor_curves.find_curve(request) is None
    progress = ended(*executor_curves.begin_curve(task, request, 60))
    assert progress.state == "finished", progress.because
    curve = executor_curves.find_curve(request)
    assert (curve.application, curve.present, curve.numbers) == ("etl", 6, list(range(1, 9)))
    assert curve.result.study.seeds == executor_curves.SEEDS and not curve.bands
    own = curve.interval(OWN_TIME)
    assert own.high[-1, 0] < own.low[0, 0]
    name, again = executor_curves.begin_curve(task, request, 0)
    assert (name, again.state) == ("", "finished")


def test_a_record_gives_its_band_around_one_run(cache):
    stages = [
        {"name": "scan", "tasks": 40, "duration_s": 3},
        {"after": ["scan"], "tasks": 9, "duration_s": 5},
    ]
    etl = MIXED["jobs"][0] | {"stages": stages}
    jobs = [etl | {"name": f"etl{number}", "arrival_s": 20 * number} for number in range(4)]
    plain = MIXED | {"jobs": jobs, "cluster": {"nodes": [{"count": 4, "memory_mb": 4096, "vcores": 4}]}}
    task = saved(recorded(simulate(Scenario.of(plain), "fair", plain=True)).plain(), "measured", "fair")
    progress = ended(*executor_curves.begin_curve(task, asked(task), 60))
    assert progress.state == "finished", progress.because
    curve = executor_curves.find_curve(asked(task))
    study, own = curve.result.study, curve.interval(OWN_TIME)
    assert "held-out" in curve.says and "measured" not in study.scenario
    assert (study.seeds, study.jitter) == (1, 0.0)
    low, high = curve.bands[OWN_TIME]
    assert own.low[2, 0] == low * own.mean[2, 0] and own.high[2, 0] == high * own.mean[2, 0]


def test_what_takes_longer_than_the_server_lets_work_take_is_refused(cache, monkeypatch):
    monkeypatch.setenv("GANTRY_MAX_SECONDS", "1")
    stages = [stage | {"tasks": 200_000} for stage in MIXED["jobs"][0]["stages"]]
    large = saved(MIXED | {"jobs": [MIXED["jobs"][0] | {"stages": stages}]}, "fair")
    with pytest.raises(TooLarge, match="GANTRY_MAX_SECONDS"):
        executor_curves.begin_curve(large, asked(large), 0)


@pytest.mark.parametrize("sent", [None, {}, {"key": "k", "application": -1, "scheduler": "fair"}, {"key": 1}])
def test_what_is_no_request_is_refused(sent):
    with pytest.raises(ScenarioError):
        ExecutorsRequest.of(sent)
