from __future__ import annotations

import pytest

from engine.simulation.halt import Halt
from engine.studies.batches import batches
from engine.studies.dask_cluster import DaskCluster
from engine.studies.run_study import Serial, run_study
from engine.studies.runners import CLUSTER, ThisMachine, runner_for
from tests.engine.studies.small_studies import same, study


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CLUSTER, raising=False)


def test_a_cluster_is_the_one_named_and_else_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(runner_for(None, None), ThisMachine)
    monkeypatch.setenv(CLUSTER, "tcp://here:8786")
    found = runner_for()
    assert isinstance(found, DaskCluster) and found.address == "tcp://here:8786"
    assert runner_for(None, "tcp://there:8786").address == "tcp://there:8786"
    assert isinstance(runner_for(2, ""), ThisMachine)
    monkeypatch.setenv(CLUSTER, " ")
    assert isinstance(runner_for(), ThisMachine)


def test_processes_are_begun_for_a_study_that_is_worth_them() -> None:
    """60 units of 2.436 ms take 0.15 s, of which a second process would save half; of 10,000, 24 s, it saves 12."""
    runner = runner_for(2)
    small, large = study(seeds=60), study(seeds=10_000)
    try:
        assert same(run_study(small, runner), run_study(small, Serial()))
        assert not runner.processes.is_begun
        assert next(runner.run(large, batches(large), Halt())).state.all()
        assert runner.processes.is_begun
    finally:
        runner.close()
    assert not runner.processes.is_begun


def test_one_process_is_this_one() -> None:
    runner, large = runner_for(1), study(seeds=10_000)
    next(runner.run(large, batches(large), Halt()))
    assert not runner.processes.is_begun
    runner.close()
