from __future__ import annotations

import pytest

from engine.simulation.cancellation import CancelToken
from engine.studies.batches import batches
from engine.studies.dask_cluster import DaskCluster
from engine.studies.run_study import SerialRunner, run_study
from engine.studies.runners import CLUSTER, LocalRunner, make_runner
from tests.engine.studies.small_studies import same, study


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CLUSTER, raising=False)


def test_a_cluster_is_the_one_named_and_else_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make_runner(None, None), LocalRunner)
    monkeypatch.setenv(CLUSTER, "tcp://here:8786")
    result = make_runner()
    assert isinstance(result, DaskCluster) and result.address == "tcp://here:8786"
    assert make_runner(None, "tcp://there:8786").address == "tcp://there:8786"
    assert isinstance(make_runner(2, ""), LocalRunner)
    monkeypatch.setenv(CLUSTER, " ")
    assert isinstance(make_runner(), LocalRunner)


def test_processes_are_begun_for_a_study_that_is_worth_them() -> None:
    """60 units of 2.436 ms take 0.15 s, of which a second process would save half; of 10,000, 24 s, it saves
    12.
    """
    runner = make_runner(2)
    small, large = study(seeds=60), study(seeds=10_000)
    try:
        assert same(run_study(small, runner), run_study(small, SerialRunner()))
        assert not runner.processes.is_started
        assert next(runner.run(large, batches(large), CancelToken())).state.all()
        assert runner.processes.is_started
    finally:
        runner.close()
    assert not runner.processes.is_started


def test_one_process_is_this_one() -> None:
    runner, large = make_runner(1), study(seeds=10_000)
    next(runner.run(large, batches(large), CancelToken()))
    assert not runner.processes.is_started
    runner.close()
