"""A task over many seeds, as work that any process can do."""

from __future__ import annotations

import pytest

from tests.webapp.task_waiting import ended
from webapp.jobs import seed_replications
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.runs import saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    small["jobs"][0]["maps"]["duration_s"] = {"dist": "exponential", "mean": 10}
    return build_task(RunRequest(small, ("fifo", "fair")))


def test_it_is_done_once_and_found_by_other_processes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seed_replications.find_replications(task) is None
    progress = ended(*seed_replications.begin_replications(task, 30))
    assert (progress.state, progress.total) == ("finished", 2 * seed_replications.SEEDS), progress
    result = seed_replications.find_replications(task)
    shared_cache.hold_at_most(MAX_HELD)
    assert (
        seed_replications.find_replications(task).seeds
        == result.seeds
        == list(range(seed_replications.SEEDS))
    )
    monkeypatch.setattr(seed_replications, "replicate", lambda *_: pytest.fail("it was done already"))
    assert ended(*seed_replications.begin_replications(task, 30)).state == "finished"


def test_one_that_is_ended_keeps_nothing(task: Task) -> None:
    saved_tasks.save_task(task).result()
    control = JobControl(60)
    control.cancel_token.cancel()
    with pytest.raises(Cancelled):
        seed_replications._do_repeat({"key": task.key}, control)
    assert seed_replications.find_replications(task) is None
