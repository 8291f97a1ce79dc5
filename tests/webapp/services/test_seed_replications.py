"""A task over many seeds, as work that any process can do."""

from __future__ import annotations

import pytest

from tests.webapp.working import ended
from webapp.services import repeats, runs
from webapp.services.cache import Shared
from webapp.services.tasks import Cancelled, TaskControl
from webapp.services.url_state import Asked


@pytest.fixture
def task(cache: Shared, small: dict) -> runs.Task:
    small["jobs"][0]["maps"]["duration_s"] = {"dist": "exponential", "mean": 10}
    return runs.task(Asked(small, ("fifo", "fair")))


def test_it_is_done_once_and_found_by_other_processes(task: runs.Task, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repeats.repeated(task) is None
    progress = ended(*repeats.begin(task, 30))
    assert (progress.state, progress.of) == ("finished", 2 * repeats.SEEDS), progress
    found = repeats.repeated(task)
    repeats._held.clear()
    assert repeats.repeated(task).seeds == found.seeds == list(range(repeats.SEEDS))
    monkeypatch.setattr(repeats, "replicate", lambda *_: pytest.fail("it was done already"))
    assert ended(*repeats.begin(task, 30)).state == "finished"


def test_one_that_is_ended_keeps_nothing(task: runs.Task) -> None:
    runs.keep(task).result()
    control = TaskControl(60)
    control.halt.ask()
    with pytest.raises(Cancelled):
        repeats._do_repeat({"key": task.key}, control)
    assert repeats.repeated(task) is None
