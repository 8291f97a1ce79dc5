"""What was asked is known for a week after it was last asked for, in every process."""

from __future__ import annotations

import threading
import time

import pytest

from webapp.runs import task_store as module
from webapp.runs.task_store import TaskStore


def test_what_is_kept_is_found_by_other_processes(url: str) -> None:
    TaskStore(url).keep("a", '{"x": "ü"}')
    assert TaskStore(url).find("a") == '{"x": "ü"}'
    assert TaskStore(url).find("b") is None


def test_it_is_kept_once_by_many_at_once(url: str) -> None:
    failed = []

    def keep() -> None:
        try:
            TaskStore(url).keep("a", "what")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=keep) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failed, TaskStore(url).find("a")) == ([], "what")


@pytest.mark.parametrize(("days", "known"), [(0.5, True), (7.5, True), (8.5, False)])
def test_it_is_forgotten_a_week_after_it_was_last_asked_for(
    url: str, monkeypatch: pytest.MonkeyPatch, days: float, known: bool
) -> None:
    questions = TaskStore(url)
    questions.keep("a", "what")
    later = time.time() + days * 24 * 3600
    monkeypatch.setattr(module.time, "time", lambda: later)
    assert (questions.find("a") is not None) == known
    later += 7.5 * 24 * 3600
    assert (questions.find("a") is not None) == (known and days > 1), "asking for it counts, once a day"


def test_what_was_asked_is_bounded_in_all(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old one: the database grew by whatever strangers sent, for a week."""
    monkeypatch.setattr(module, "MAX_CHARS", 1000)
    monkeypatch.setattr(module, "LARGE_CHARS", 300)
    now = time.time()
    monkeypatch.setattr(module.time, "time", lambda: now)
    questions = TaskStore(url)
    for key in "abcd":
        now += 1
        questions.keep(key, key * 400)
    assert [questions.find(key) is not None for key in "abcd"] == [False, False, True, True]
