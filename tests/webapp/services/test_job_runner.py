"""A piece of work as a process does it: told of, ended by wish or by its limit, given back, and lost to another."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from engine import Halted, Scenario
from tests.phrases import phrase
from tests.waiting import PATIENT_S, until
from tests.webapp.moved import Clock
from webapp.services import doing
from webapp.services.cache import Shared
from webapp.services.doing import BACK, LOST, Doing, TaskControl, take_and_do
from webapp.store.database import StoreError
from webapp.store.works import CANCELLED, FAILED, FINISHED, QUEUED, Works, queue


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, cache: Shared) -> None:
    for name in ("BEAT_S", "POLL_S", "AWAY_S"):
        monkeypatch.setattr(doing, name, 0.02)


@pytest.fixture
def act(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[TaskControl], None]], str]:
    """Queues work that does this; its id."""

    def add(do: Callable[[TaskControl], None]) -> str:
        monkeypatch.setitem(doing.KINDS, "test", lambda what, control: do(control))
        return queue().add("test", "{}", "ann", 4, 1.0, 10)

    return add


def until_asked(control: TaskControl) -> None:
    control.report(1, "here")
    until(lambda: control.halt.asked)
    raise Halted("the run was ended")


def taken(**more) -> Doing:
    return Doing(queue().take("w"), "w", queue, **{"limit_s": 60.0, **more})


def in_background(one: Doing) -> threading.Thread:
    thread = threading.Thread(target=one.run)
    thread.start()
    return thread


def test_it_tells_how_far_it_is_while_a_step_takes_long(act) -> None:
    go = threading.Event()
    name = act(lambda control: (control.report(2, "fair"), go.wait(PATIENT_S)))
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
    thread.join(PATIENT_S)
    assert queue().find(name).state == CANCELLED


def test_a_limit_ends_it_with_a_sentence(act) -> None:
    name = act(until_asked)
    taken(limit_s=0.05).run()
    found = queue().find(name)
    assert found.state == FAILED and found.because == phrase("common.took_longer_than_s_most", 0.05, "GANTRY_MAX_SECONDS")


def test_a_real_run_is_ended_in_compiled_code(act, monkeypatch) -> None:
    """The old one: a million maps on one node with contention could not be ended and held up everybody's."""
    from engine import simulate
    from tests.webapp.served import CROWD

    simulate(Scenario.of(CROWD | {"jobs": [CROWD["jobs"][0] | {"maps": CROWD["jobs"][0]["maps"] | {"count": 10}}]}), "fifo", plain=False)
    name = act(lambda control: simulate(Scenario.of(CROWD), "fifo", halt=control.halt))
    taken(limit_s=0.3).run()
    assert queue().find(name).state == FAILED


def test_what_is_given_back_waits_as_if_it_had_not_begun(act) -> None:
    name = act(until_asked)
    one = taken()
    thread = in_background(one)
    one.end(BACK)
    thread.join(PATIENT_S)
    assert (one.state, queue().find(name).state, queue().find(name).tries) == (BACK, QUEUED, 0)


def test_what_another_does_by_now_is_left_to_it(act) -> None:
    name = act(until_asked)
    one = taken()
    thread = in_background(one)
    queue().recover("w")
    assert queue().take("other").id == name
    thread.join(PATIENT_S)
    assert (one.state, queue().find(name).worker) == (LOST, "other")


def test_a_database_that_is_away_for_a_moment_loses_no_end(act, monkeypatch) -> None:
    name = act(lambda control: None)
    one, end, tries = taken(), Works.end, []

    def late(*what, **more):
        tries.append(1)
        if len(tries) < 3:
            raise StoreError("It is away.")
        return end(*what, **more)

    monkeypatch.setattr(Works, "end", late)
    one.run()
    assert queue().find(name).state == FINISHED


def test_work_that_hears_of_no_wish_is_late(act) -> None:
    go = threading.Event()
    name = act(lambda control: go.wait(PATIENT_S))
    clock = Clock()
    one = taken(limit_s=PATIENT_S, clock=clock)
    thread = in_background(one)
    until(lambda: one.began)
    for seconds, late_s in ((PATIENT_S, 0), (2, 2)):
        clock.now += seconds
        assert one.late_s == late_s, "by its limit"
    clock.now -= 2
    one.end(CANCELLED)
    clock.now += 5
    assert one.late_s == 5, "by a wish"
    one.given_up()
    assert queue().find(name).state == CANCELLED
    go.set()
    thread.join()


def test_work_is_taken_until_there_is_none(act) -> None:
    done = []
    act(lambda control: done.append(1))
    queue().add("test", "{}", "bob", 1, 1.0, 10)
    assert take_and_do("w", queue, threading.Event(), idle_s=0.0) == 2 == len(done)
