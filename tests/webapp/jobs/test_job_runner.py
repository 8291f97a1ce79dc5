"""A piece of work as a process does it: told of, ended by wish or by its limit, given back, and lost to
another.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from engine import Scenario
from engine.dashboard import RunCancelled
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.fake_clock import Clock
from webapp.jobs import job_runner
from webapp.jobs.job_queue import CANCELLED, FAILED, FINISHED, QUEUED, BackgroundTask, JobQueue, new_id, queue
from webapp.jobs.job_runner import LOST, REQUEUED, JobControl, JobRunner, process_queue
from webapp.runs.cache import SharedCache
from webapp.store.database import StoreError


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, cache: SharedCache) -> None:
    for name in ("HEARTBEAT_S", "POLL_S", "DATABASE_RETRY_S"):
        monkeypatch.setattr(job_runner, name, 0.02)


@pytest.fixture
def act(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[JobControl], None]], str]:
    """Queues work that does this; its id."""

    def add(do: Callable[[JobControl], None]) -> str:
        monkeypatch.setitem(job_runner.JOB_TYPES, "test", lambda what, control: do(control))
        return queue().add(BackgroundTask(new_id(), "test", "{}", "ann", 1.0, 4), 10)

    return add


def until_asked(control: JobControl) -> None:
    control.report(1, "here")
    until(lambda: control.cancel_token.is_cancelled)
    raise RunCancelled("the run was ended")


def taken(**more) -> JobRunner:
    return JobRunner(queue().take("w"), "w", queue, **{"limit_s": 60.0, **more})


def in_background(one: JobRunner) -> threading.Thread:
    thread = threading.Thread(target=one.run)
    thread.start()
    return thread


def test_it_tells_how_far_it_is_while_a_step_takes_long(act) -> None:
    go = threading.Event()
    name = act(lambda control: (control.report(2, "fair"), go.wait(MAX_WAIT_S)))
    thread = in_background(taken())
    until(lambda: (queue().find(name).done, queue().find(name).now) == (2, "fair"))
    first = queue().find(name).beat
    until(lambda: queue().find(name).beat > first)
    go.set()
    thread.join()
    assert (queue().find(name).state, queue().find(name).done) == (FINISHED, 4)


def test_a_run_under_way_hears_that_nobody_wants_it(act) -> None:
    name = act(until_asked)
    thread = in_background(taken())
    queue().cancel(name)
    thread.join(MAX_WAIT_S)
    assert queue().find(name).state == CANCELLED


def test_a_limit_ends_it_with_a_sentence(act) -> None:
    name = act(until_asked)
    taken(limit_s=0.05).run()
    result = queue().find(name)
    assert result.state == FAILED and result.because == phrase(
        "common.took_longer_than_s_most", "50 ms", "GANTRY_MAX_SECONDS"
    )


def test_a_real_run_is_ended_in_compiled_code(act, monkeypatch) -> None:
    """The old one: a million maps on one node with contention could not be ended and held up everybody's."""
    from engine import simulate
    from tests.webapp.live_server import CROWD

    simulate(
        Scenario.of(
            CROWD | {"jobs": [CROWD["jobs"][0] | {"maps": CROWD["jobs"][0]["maps"] | {"count": 10}}]}
        ),
        "fifo",
        plain=False,
    )
    name = act(lambda control: simulate(Scenario.of(CROWD), "fifo", cancel_token=control.cancel_token))
    taken(limit_s=0.3).run()
    assert queue().find(name).state == FAILED


def test_what_is_given_back_waits_as_if_it_had_not_begun(act) -> None:
    name = act(until_asked)
    one = taken()
    thread = in_background(one)
    one.request_end(REQUEUED)
    thread.join(MAX_WAIT_S)
    assert (one.state, queue().find(name).state, queue().find(name).tries) == (REQUEUED, QUEUED, 0)


def test_what_another_does_by_now_is_left_to_it(act) -> None:
    name = act(until_asked)
    one = taken()
    thread = in_background(one)
    queue().recover("w")
    assert queue().take("other").id == name
    thread.join(MAX_WAIT_S)
    assert (one.state, queue().find(name).worker) == (LOST, "other")


def test_a_database_that_is_away_for_a_moment_loses_no_end(act, monkeypatch) -> None:
    name = act(lambda control: None)
    one, end, tries = taken(), JobQueue.end, []

    def late(*what, **more):
        tries.append(1)
        if len(tries) < 3:
            raise StoreError("It is away.")
        return end(*what, **more)

    monkeypatch.setattr(JobQueue, "end", late)
    one.run()
    assert queue().find(name).state == FINISHED


def test_work_that_hears_of_no_wish_is_late(act) -> None:
    go = threading.Event()
    name = act(lambda control: go.wait(MAX_WAIT_S))
    clock = Clock()
    one = taken(limit_s=MAX_WAIT_S, clock=clock)
    thread = in_background(one)
    until(lambda: one.began)
    for seconds, overdue_s in ((MAX_WAIT_S, 0), (2, 2)):
        clock.now += seconds
        assert one.overdue_s == overdue_s, "by its limit"
    clock.now -= 2
    one.request_end(CANCELLED)
    clock.now += 5
    assert one.overdue_s == 5, "by a wish"
    one.abandon()
    assert queue().find(name).state == CANCELLED
    go.set()
    thread.join()


def test_work_is_taken_until_there_is_none(act) -> None:
    done = []
    act(lambda control: done.append(1))
    queue().add(BackgroundTask(new_id(), "test", "{}", "bob", 1.0, 1), 10)
    assert process_queue("w", queue, threading.Event(), idle_s=0.0) == 2 == len(done)
