"""Work in threads: followed and cancelled by id, also from another process."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from engine import TooLarge
from webapp.services import tasks
from webapp.services.cache import Shared
from webapp.services.tasks import Progress, TaskControl, Works


def steps(*named):
    """A piece of work from (label, function) pairs, and how many there are."""

    def do(control: TaskControl) -> None:
        for number, (label, step) in enumerate(named):
            control.step(number, label)
            step()

    return do, len(named)


def until(holds, seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_short_work_is_over_at_once(cache: Shared) -> None:
    done = []
    _, progress = Works(cache).start(*steps(("one", lambda: done.append(1)), ("two", lambda: done.append(2))), 5)
    assert (progress.state, progress.done, progress.of, done) == ("finished", 2, 2, [1, 2])


def test_long_work_is_followed_from_another_process(cache: Shared) -> None:
    go = threading.Event()
    name, progress = Works(cache).start(*steps(("one", lambda: None), ("two", go.wait)), 0.2)
    assert (progress.state, progress.done, progress.now) == ("running", 1, "two")
    elsewhere = Works(cache)
    assert replace(elsewhere.progress(name), beat=0) == Progress(1, 2, "two")
    go.set()
    until(lambda: elsewhere.progress(name).state == "finished")


def test_another_process_cancels_it_before_the_next_step(cache: Shared) -> None:
    go, done = threading.Event(), []
    name, _ = Works(cache).start(*steps(("one", go.wait), ("two", lambda: done.append(2))), 0.1)
    elsewhere = Works(cache)
    elsewhere.cancel(name)
    go.set()
    until(lambda: elsewhere.progress(name).state == "cancelled")
    assert done == []


def refuse() -> None:
    raise TooLarge("It is too large.")


def test_what_the_user_can_mend_is_told(cache: Shared) -> None:
    _, progress = Works(cache).start(*steps(("one", refuse)), 5)
    assert (progress.state, progress.because) == ("failed", "It is too large.")


def test_a_fault_of_ours_is_logged_and_told_without_its_words(cache: Shared, caplog: pytest.LogCaptureFixture) -> None:
    _, progress = Works(cache).start(*steps(("one", lambda: 1 / 0)), 5)
    assert progress.state == "failed"
    assert "division" not in progress.because
    assert "division" in caplog.text


def test_work_of_a_process_that_has_ended_has_failed(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("work:abc", Progress(1, 4, "drf", beat=time.time() - tasks.LOST_S - 1))
    progress = Works(cache).progress("abc")
    assert progress.state == "failed"
    assert "was restarted" in progress.because


def test_a_long_step_gives_signs_of_life(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "BEAT_S", 0.05)
    go = threading.Event()
    name, first = Works(cache).start(*steps(("one", go.wait)), 0.01)
    until(lambda: cache.get(f"work:{name}").beat > first.beat)
    go.set()


@pytest.mark.parametrize("name", ["", "nothing", "../../x", "x" * 500])
def test_work_nobody_knows_has_failed(cache: Shared, name: str) -> None:
    assert Works(cache).progress(name).state == "failed"
