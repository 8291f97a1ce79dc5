"""Work begun here, followed and ended from any process; what turns out long goes to the queue."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.dashboard import RunCancelled, TooLarge
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.fake_clock import Clock
from webapp import settings
from webapp.jobs import job_manager, job_runner
from webapp.jobs.job_manager import JobControl, JobManager, Progress
from webapp.jobs.job_queue import QueueFull, queue
from webapp.runs.cache import SharedCache
from webapp.store.database import StoreError

SHORT, LONG = 0.1, 60.0


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, dict, int]]:
    """A kind of work from (label, function of its control) pairs, as `start` wants it."""
    named: list[tuple[str, Callable[[JobControl], object]]] = []

    def do(what: dict, control: JobControl) -> None:
        for number, (label, step) in enumerate(named):
            control.step(number, label)
            step(control)

    monkeypatch.setitem(job_runner.JOB_TYPES, "test", do)

    def of(*pairs: tuple[str, Callable[[JobControl], object]]) -> tuple[str, dict, int]:
        named[:] = pairs
        return "test", {"of": len(pairs)}, len(pairs)

    return of


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits as long as on a server."""
    monkeypatch.setattr(job_runner, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(job_runner, "POLL_S", 0.02)
    monkeypatch.setattr(job_runner, "DATABASE_RETRY_S", 0.02)


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work processes are said to be there, and are not."""
    monkeypatch.setenv(settings.HAS_WORKERS_VARIABLE, "1")


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, cache: SharedCache) -> Iterator[None]:
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    queue.cache_clear()
    yield
    queue.cache_clear()


def here(cache: SharedCache, limit_s: float = MAX_WAIT_S, **more: Any) -> JobManager:
    """As a server's process has it; what it does itself is never late unless the test says so."""
    return JobManager(cache, limit_s=limit_s, **more)


def halting(control: JobControl) -> None:
    """A run that hears of its stop flag."""
    until(lambda: control.cancel_token.is_cancelled)
    raise RunCancelled("the run was ended")


def test_short_work_is_over_at_once_and_nobody_else_hears_of_it(cache: SharedCache, steps) -> None:
    done = []
    name, progress = here(cache).start(
        *steps(("one", lambda _: done.append(1)), ("two", lambda _: done.append(2))), SHORT, MAX_WAIT_S
    )
    assert (progress.state, progress.done, progress.total, done) == ("finished", 2, 2, [1, 2])
    assert queue().find(name) is None


def test_what_takes_longer_than_one_is_patient_is_followed_and_ended_from_another_process(
    cache: SharedCache, steps, quick
) -> None:
    begun, go = threading.Event(), threading.Event()
    own, elsewhere = here(cache), JobManager(cache)
    name, progress = own.start(
        *steps(("one", lambda _: None), ("two", lambda _: (begun.set(), go.wait(MAX_WAIT_S)))), SHORT
    )
    assert progress.state == "running" and begun.wait(MAX_WAIT_S)
    progress = own.progress(name)
    assert (progress.state, progress.done, progress.now, progress.is_local) == ("running", 1, "two", True)
    until(lambda: elsewhere.progress(name).done == 1)
    go.set()
    until(lambda: elsewhere.progress(name).state == "finished")
    name, _ = own.start(*steps(("one", halting)), SHORT)
    elsewhere.cancel(name)
    until(lambda: elsewhere.progress(name).state == "cancelled")
    until(lambda: own.progress(name).state == "cancelled")


def test_what_turns_out_long_goes_to_the_queue(cache: SharedCache, steps, quick, beside) -> None:
    own = here(cache, limit_s=0.0)
    name, progress = own.start(*steps(("one", halting)), SHORT)
    assert progress.state in ("running", "queued")
    until(lambda: own.progress(name).state == "queued")
    assert queue().take("worker").id == name
    assert own.progress(name).state == "running" and not own.progress(name).is_local
    until(lambda: queue().report(name, "worker", 0, "one"))
    own.cancel(name)
    assert not queue().report(name, "worker", 0, "one")


def test_long_work_waits_for_processes_and_says_how_much_is_before_it(
    cache: SharedCache, steps, beside
) -> None:
    own = JobManager(cache)
    of = steps(("one", lambda _: None))
    names = [own.start(*of, LONG)[0] for _ in range(3)]
    assert [own.progress(name).ahead for name in names] == [0, 1, 2]
    result = queue().take("worker")
    assert (result.kind, json.loads(result.what), result.seconds) == ("test", {"of": 1}, LONG)


def test_where_there_are_no_work_processes_a_thread_does_what_waits(cache: SharedCache, steps, quick) -> None:
    own, done = JobManager(cache, idle_s=0.0), []
    names = [own.start(*steps(("one", lambda _: done.append(1))), LONG)[0] for _ in range(3)]
    until(lambda: [own.progress(name).state for name in names] == ["finished"] * 3)
    assert done == [1, 1, 1]


def test_a_visitor_has_two_pieces_of_short_work_here_and_the_rest_in_the_queue(
    cache: SharedCache, steps, beside, monkeypatch
) -> None:
    monkeypatch.setattr(job_manager, "current_visitor", lambda: "ann")
    own, go = here(cache), threading.Event()
    of = steps(("one", lambda _: go.wait(MAX_WAIT_S)))
    rows = [own.start(*of, SHORT)[1].state for _ in range(3)]
    assert rows == ["running", "running", "queued"]
    monkeypatch.setattr(job_manager, "current_visitor", lambda: "bob")
    assert own.start(*of, SHORT)[1].state == "running"
    go.set()


def test_the_queue_is_bounded(cache: SharedCache, steps, beside, monkeypatch) -> None:
    monkeypatch.setenv("GANTRY_MAX_QUEUE", "1")
    own, of = JobManager(cache), steps(("one", lambda _: None))
    own.start(*of, LONG)
    with pytest.raises(QueueFull, match="^" + phrase("common.pieces_work_wait_already", "1 task")):
        own.start(*of, LONG)


def test_without_a_cache_that_keeps_all_is_done_here(cache: SharedCache, steps, beside, monkeypatch) -> None:
    """Another process could not hand over what it makes."""
    monkeypatch.setattr(cache, "is_available", lambda: False)
    done = []
    _, progress = JobManager(cache).start(*steps(("one", lambda _: done.append(1))), LONG, MAX_WAIT_S)
    assert progress.state == "finished" and done == [1] and queue().counts() == {}


def refuse(_: JobControl) -> None:
    raise TooLarge("It is too large.")


def test_what_the_user_can_mend_is_told(cache: SharedCache, steps) -> None:
    _, progress = here(cache).start(*steps(("one", refuse)), SHORT, MAX_WAIT_S)
    assert (progress.state, progress.because) == ("failed", "It is too large.")


def test_a_fault_of_ours_is_logged_and_told_without_its_words(
    cache: SharedCache, steps, caplog: pytest.LogCaptureFixture
) -> None:
    _, progress = here(cache).start(*steps(("one", lambda _: 1 / 0)), SHORT, MAX_WAIT_S)
    assert progress.state == "failed"
    assert "division" not in progress.because
    assert "division" in caplog.text


def test_the_same_work_is_joined_here_and_elsewhere(
    cache: SharedCache, steps, beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.jobs.job_manager.JOINED_JOB_TYPES", ("test",))
    monkeypatch.setattr("webapp.jobs.job_queue.JOINED_JOB_TYPES", ("test",))
    own, go = here(cache), threading.Event()
    of = steps(("one", lambda _: go.wait(MAX_WAIT_S)))
    mine, _ = own.start(*of, SHORT)
    assert own.start(*of, SHORT)[0] == mine
    go.set()
    until(lambda: own.progress(mine).state == "finished")
    waits, _ = own.start(*of, LONG)
    assert waits != mine and JobManager(cache).start(*of, LONG)[0] == waits


def test_a_process_that_ends_leaves_its_work_to_the_queue(cache: SharedCache, steps, quick, beside) -> None:
    begun, own = threading.Event(), here(cache)
    name, _ = own.start(*steps(("one", lambda control: (begun.set(), halting(control)))), SHORT)
    assert begun.wait(MAX_WAIT_S)
    own.stop(MAX_WAIT_S)
    result = queue().find(name)
    assert (result.state, result.tries) == ("queued", 0)


def test_a_database_that_is_away_stops_no_short_work(away, cache: SharedCache, steps) -> None:
    go, own = threading.Event(), here(cache)
    name, progress = own.start(*steps(("one", lambda _: go.wait(MAX_WAIT_S))), SHORT)
    assert progress.state == "running"
    go.set()
    until(lambda: own.progress(name).state == "finished")
    with pytest.raises(StoreError, match=phrase("common.database_does_not_answer")):
        own.start(*steps(("one", lambda _: None)), LONG)
    result = JobManager(cache).progress(name)
    assert result.is_active and phrase("common.database_does_not_answer") in result.now, (
        "it is followed on until the database is back"
    )


@pytest.mark.parametrize("name", ["", "nothing", "../../x", "x" * 500, "a" * 16, "\ud800", "\0"])
def test_work_nobody_knows_has_failed(cache: SharedCache, name: str) -> None:
    assert JobManager(cache).progress(name).state == "failed"
    JobManager(cache).cancel(name)


def test_the_time_left_is_told_by_what_was_done_or_by_what_it_was_thought_to_take() -> None:
    assert job_manager._remaining_s(10, 40, 0.1, 5) == pytest.approx(15)
    assert job_manager._remaining_s(0, 40, 8.0, 5) == pytest.approx(3)
    assert job_manager._remaining_s(0, 40, 4.0, 5) is None
    assert job_manager._remaining_s(0, 40, 8.0, -3595) is None, (
        "the clock was set back: an hour is not what it takes"
    )
    assert Progress(0, 1, "", "queued").is_active and not Progress(0, 1, "", "failed").is_active


def test_what_no_other_process_could_hand_over_is_done_here_however_long(
    cache: SharedCache, steps, quick, beside
) -> None:
    """The old one: where a run did not fit into a cache that else worked it was done by another process three
    times, and never shown.
    """
    done = []
    name, progress = JobManager(cache).start(
        *steps(("one", lambda _: done.append(1))), LONG, MAX_WAIT_S, is_local=True
    )
    assert (progress.state, done, queue().counts()) == ("finished", [1], {})


def test_that_somebody_follows_is_noted_now_and_then(cache: SharedCache, steps, beside) -> None:
    clock = Clock()
    own = JobManager(cache, clock=clock)
    name, _ = own.start(*steps(("one", lambda _: None)), LONG)
    first = queue().find(name).followed
    clock.now += job_manager.FOLLOW_INTERVAL_S - 1
    own.progress(name)
    assert queue().find(name).followed == first
    clock.now += 1
    own.progress(name)
    assert queue().find(name).followed > first


def test_what_ended_here_long_ago_is_forgotten(cache: SharedCache, steps, beside) -> None:
    clock = Clock()
    own, of = here(cache, clock=clock), steps(("one", lambda _: None))
    name, _ = own.start(*of, SHORT, MAX_WAIT_S)
    for seconds, state in ((job_manager.KEEP_LOCAL_S, "finished"), (1, "failed")):
        clock.now += seconds
        own.start(*of, SHORT, MAX_WAIT_S)
        assert own.progress(name).state == state
