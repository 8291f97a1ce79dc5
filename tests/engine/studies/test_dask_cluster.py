from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given

from engine.errors import RunCancelled
from engine.simulation.cancellation import CancelToken
from engine.studies import dask_cluster
from engine.studies.dask_cluster import DaskCluster, take_task
from engine.studies.process_runner import StudyFailed
from engine.studies.result import StudyResult
from engine.studies.run_study import run_study
from engine.studies.study import Study
from tests.engine.studies.separate_cluster import SeparateCluster
from tests.engine.studies.small_studies import same, studies, study
from tests.examples import examples
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    """A scheduler and two workers of a thread each, all in this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as local:
        result = DaskCluster(local.scheduler_address)
        yield result
        result.close()


@pytest.fixture
def separate(tmp_path: Path) -> Iterator[SeparateCluster]:
    result = SeparateCluster(tmp_path)
    yield result
    result.end()


@examples(2, 10)
@given(of=studies())
def test_the_same_bytes_as_serial(cluster: DaskCluster, of: Study) -> None:
    assert same(run_study(of, cluster), run_study(of))


def test_a_notebook_s_event_loop_is_not_in_its_way(cluster: DaskCluster) -> None:
    async def cell() -> StudyResult:
        return run_study(study(seeds=1), DaskCluster(cluster.address))

    with ThreadPoolExecutor(1) as apart:  # this thread may have a browser's event loop
        assert same(apart.submit(asyncio.run, cell()).result(), run_study(study(seeds=1)))


def test_a_worker_that_is_killed_loses_nothing_and_a_scheduler_that_goes_is_told(
    separate: SeparateCluster,
) -> None:
    """Two workers and a scheduler as processes of their own; 1,200 runs, and after the first batch a worker
    that has others is killed outright.
    """
    own, of, killed = DaskCluster(separate.address), study(seeds=600), []
    run_study(study(seeds=1), own)
    own._client.wait_for_workers(2, timeout=MAX_WAIT_S)
    pids = own._client.run(os.getpid)

    def kill(found: StudyResult, done: int) -> None:
        if not killed:
            busy = [address for address, tasks in own._client.processing().items() if tasks]
            killed.append(pids[busy[0]])
            os.kill(killed[0], signal.SIGKILL)

    found = run_study(of, own, kill)
    [gone] = [worker for worker in separate.workers if worker.pid == killed[0]]
    assert gone.wait() == -signal.SIGKILL and sum(worker.poll() is None for worker in separate.workers) == 1
    assert found.done == 1200 and same(found, run_study(of))
    with pytest.raises(StudyFailed, match="disconnected"):
        run_study(study(seeds=10_000), own, lambda found, done: separate.scheduler.kill())
    own.close()


def test_it_ends_soon_after_it_is_asked_to_and_the_next_one_is_whole(cluster: DaskCluster) -> None:
    cancel_token, observed = CancelToken(), []

    def ask(found: StudyResult, done: int) -> None:
        observed.append(done)
        cancel_token.cancel()

    with pytest.raises(RunCancelled):
        run_study(study(seeds=10_000), cluster, ask, cancel_token)
    assert len(observed) == 1 and observed[0] < 10_000
    of = study(seeds=20)
    assert same(run_study(of, cluster), run_study(of))


def test_the_text_of_a_study_travels_once_to_a_worker(cluster: DaskCluster) -> None:
    """Both workers are in this process and share what was read: one reading, of many tasks."""
    dask_cluster._read.cache_clear()
    run_study(study(seeds=500, name="once"), cluster)
    assert dask_cluster._read.cache_info().misses <= 2 and dask_cluster._read.cache_info().hits >= 4
    until(lambda: not dask_cluster._halts)  # nothing is kept of a study that is over


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "host", "", "tcp://127.0.0.1:port"])
def test_an_address_where_nobody_answers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "CONNECT_S", 0.3)
    with pytest.raises(StudyFailed) as observed:
        run_study(study(), DaskCluster(address))
    assert str(observed.value) == phrase(
        "studies.no_dask_scheduler_answers_at", f"{address!r}", "tcp://host:8786"
    )


def test_workers_with_another_gantry_are_refused(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers in this process have its version: so it is what they are sent that differs."""
    monkeypatch.setattr(dask_cluster, "_version", lambda: "0.0.1")
    with pytest.raises(
        StudyFailed,
        match="^" + phrase("studies.worker_has_gantry_here_gantry", r"\S+", r"0\.0\.1", r"\S+") + "$",
    ):
        run_study(study(), cluster)
    with pytest.raises(
        StudyFailed, match="^" + phrase("studies.worker_has_gantry_where_study", r"\S+", 9) + "$"
    ):
        dask_cluster._run_units(study().json(), range(1), "late", "9")


def test_a_worker_without_gantry_is_told_of() -> None:
    error = ModuleNotFoundError("No module named 'engine'")
    assert dask_cluster._failure_message(error, "tcp://a:1").startswith(
        phrase("studies.worker_dask_cluster_at_has", "tcp://a:1")
    )


def test_a_cluster_without_workers_is_waited_for_and_then_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(dask_cluster, "WORKERLESS_S", 0.5)
    monkeypatch.setattr(dask_cluster, "WORKER_POLL_S", 0.1)
    with LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as local:
        own = DaskCluster(local.scheduler_address)
        with pytest.raises(StudyFailed, match=phrase("studies.has_no_workers_dask_worker", r"\S+") + "$"):
            run_study(study(), own)
        own.close()


def test_without_distributed_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        StudyFailed,
        match="^" + phrase("studies.dask_cluster_needs_distributed_pip", r"'gantry-yarn\[cluster\]'") + "$",
    ):
        run_study(study(), DaskCluster("tcp://host:8786"))


def test_dask_tells_no_story_of_its_own(cluster: DaskCluster) -> None:
    run_study(study(seeds=1), cluster)
    assert not logging.getLogger("distributed.core").isEnabledFor(logging.ERROR)


def test_tasks_are_as_long_as_the_cluster_is_large() -> None:
    """Batches of 0.1 s: few threads get 0.25 s, 3 of them; 1,000 threads, of which each task costs the
    scheduler 1 ms of which it gives a quarter, 4 s, 40.
    """
    left = lambda: deque(range(first, first + 10) for first in range(0, 10_000_000, 10))
    assert take_task(left(), 2) == range(0, 30)
    assert take_task(left(), 1000) == range(0, 400)
    assert take_task(deque([range(0, 10), range(10, 20)]), 1000) == range(0, 10), (
        "every thread gets some of the last ones"
    )
    assert take_task(deque([range(0, 10), range(20, 30), *left()]), 1) == range(0, 10), (
        "what is done already is not done again"
    )
