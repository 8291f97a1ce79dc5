"""The queue: whose turn it is, how far it is, and that nothing is lost or done twice."""

from __future__ import annotations

import threading

import pytest

from tests.phrases import phrase
from webapp.jobs import job_queue as module
from webapp.jobs.job_queue import (
    CANCELLED,
    FAILED,
    FINISHED,
    QUEUED,
    RUNNING,
    BackgroundTask,
    JobQueue,
    QueueFull,
    new_id,
)
from webapp.store.database import StoreError


@pytest.fixture
def works(url: str) -> JobQueue:
    return JobQueue(url)


def add(
    works: JobQueue,
    visitor: str = "ann",
    seconds: float = 10.0,
    max_waiting: int = 100,
    name: str = "",
    kind: str = "run",
    what: str = "{}",
) -> str:
    return works.add(BackgroundTask(name or new_id(), kind, what, visitor, seconds, 4), max_waiting)


def taken(works: JobQueue, worker: str = "w") -> str | None:
    result = works.take(worker)
    return result.id if result else None


def test_work_is_taken_reported_and_ended(works: JobQueue) -> None:
    name = add(works)
    assert works.find(name).state == QUEUED
    result = works.take("w")
    assert (result.id, result.kind, result.state, result.tries, result.worker) == (
        name,
        "run",
        RUNNING,
        1,
        "w",
    )
    assert works.report(name, "w", 2, "fair")
    assert (works.find(name).done, works.find(name).now) == (2, "fair")
    works.end(name, "w", FINISHED)
    assert (works.find(name).state, works.find(name).done) == (FINISHED, 4)
    assert works.take("w") is None
    assert works.find("nothing") is None


def test_first_come_first_served_but_short_work_goes_first(works: JobQueue) -> None:
    long, short = add(works, "ann"), add(works, "bob", seconds=1.0)
    assert works.find(short).ahead == 1
    assert [taken(works), taken(works), taken(works)] == [short, long, None]


def test_a_visitor_has_two_at_a_time(works: JobQueue) -> None:
    mine = [add(works, "ann") for _ in range(4)]
    other = add(works, "bob")
    assert [taken(works) for _ in range(4)] == [mine[0], other, mine[1], None], (
        "who has fewest under way goes first"
    )
    works.end(mine[0], "w", FINISHED)
    assert taken(works) == mine[2]


def test_the_queue_is_bounded_and_says_its_length(works: JobQueue) -> None:
    for visitor in "abc":
        add(works, visitor, max_waiting=3)
    with pytest.raises(QueueFull, match="^" + phrase("common.pieces_work_wait_already", "3 tasks")):
        add(works, "d", max_waiting=3)


def test_one_visitor_has_a_part_of_the_queue(works: JobQueue) -> None:
    """The old one: one visitor filled all of it, and everybody else's long runs were refused."""
    for _ in range(2):
        add(works, "ann", max_waiting=20)
    with pytest.raises(QueueFull, match="^" + phrase("store.pieces_your_work_wait_already", 2)):
        add(works, "ann", max_waiting=20)
    add(works, "ben", max_waiting=20)


def test_what_waits_is_cancelled_at_once_and_what_runs_when_it_reports(works: JobQueue) -> None:
    runs, waits = add(works), add(works)
    assert taken(works) == runs
    works.cancel(waits)
    works.cancel(runs)
    assert works.find(waits).state == CANCELLED and works.find(runs).state == RUNNING
    assert not works.report(runs, "w", 1, "fair")
    works.end(runs, "w", CANCELLED)
    assert works.find(runs).state == CANCELLED
    assert taken(works) is None


def test_the_work_of_a_process_that_has_gone_waits_again_and_fails_the_second_time(
    works: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = add(works)
    taken(works, "gone")
    assert works.recover() == 0
    monkeypatch.setattr(module, "HEARTBEAT_TIMEOUT_S", -1.0)
    assert works.recover() == 1
    assert works.find(name).state == QUEUED
    assert taken(works, "other") == name
    assert not works.report(name, "gone", 1, "fair"), "it is no longer theirs"
    works.end(name, "gone", FINISHED)
    assert works.find(name).state == RUNNING
    works.recover()
    assert (works.find(name).state, works.find(name).tries) == (FAILED, 2)


def test_what_one_worker_had_is_lost_with_it_at_once(works: JobQueue) -> None:
    mine, other = add(works, "ann"), add(works, "bob")
    assert [taken(works, "gone"), taken(works, "alive")] == [mine, other]
    assert works.recover("gone") == 1
    assert (works.find(mine).state, works.find(other).state) == (QUEUED, RUNNING)


def test_what_is_given_back_waits_again_and_was_not_tried(works: JobQueue) -> None:
    name, unwanted = add(works, "ann"), add(works, "bob")
    taken(works), taken(works)
    works.cancel(unwanted)
    assert works.give_back("w") == 2
    assert (works.find(name).state, works.find(name).tries, works.find(unwanted).state) == (
        QUEUED,
        0,
        CANCELLED,
    )
    assert taken(works, "other") == name
    assert works.give_back("w", name) == 0, "it is another's"


def test_work_that_was_begun_at_once_is_followed_and_ended_as_any(works: JobQueue) -> None:
    works.add_running(BackgroundTask("a" * 16, "run", "{}", "ann", 0.5, 4), "web")
    assert works.find("a" * 16).state == RUNNING
    assert works.report("a" * 16, "web", 1, "fair")
    works.cancel("a" * 16)
    assert not works.report("a" * 16, "web", 1, "fair")
    assert not works.has_waiting()


def test_the_same_work_is_found_while_it_is_under_way(works: JobQueue) -> None:
    ask = lambda kind, what, visitor: add(works, visitor, kind=kind, what=what)
    name = ask("search", "{}", "ann")
    assert ask("search", "{}", "ann") == name
    assert name not in (ask("search", "{1}", "ann"), ask("search", "{}", "bob"), ask("regret", "{}", "ann"))
    assert ask("run", "{}", "ann") != ask("run", "{}", "ann")
    assert ask("experiment", "{}", "ann") == ask("experiment", "{}", "bob")
    works.cancel(name)
    assert ask("search", "{}", "ann") != name


def test_what_is_lost_and_no_longer_wanted_is_cancelled(
    works: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = add(works)
    taken(works)
    works.cancel(name)
    monkeypatch.setattr(module, "HEARTBEAT_TIMEOUT_S", -1.0)
    works.recover()
    assert works.find(name).state == CANCELLED


def test_what_ended_long_ago_is_forgotten(works: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    name = add(works)
    works.cancel(name)
    monkeypatch.setattr(module, "KEEP_S", -1.0)
    works.recover()
    assert works.find(name) is None


def test_each_is_taken_once_by_many_at_once(url: str) -> None:
    names = {add(JobQueue(url), f"visitor {number % 20}") for number in range(20)}
    rows: list[str | None] = []

    def work(worker: str) -> None:
        own = JobQueue(url)
        while (name := taken(own, worker)) is not None:
            rows.append(name)
            own.end(name, worker, FINISHED)

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(rows) == sorted(names)


class Clocks:
    """What the module reads instead of time: the clock on the wall, which may be set, and the steady one."""

    def __init__(self) -> None:
        self.wall, self.steady = 1e9, 100.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clocks(works: JobQueue, monkeypatch: pytest.MonkeyPatch) -> Clocks:
    result = Clocks()
    monkeypatch.setattr(module, "time", result)
    return result


def test_work_is_found_whose_process_dies_after_the_clock_was_set_back(
    works: JobQueue, clocks: Clocks
) -> None:
    """The old one: its last sign of life lay an hour ahead, and for an hour nobody took it for dead."""
    name = add(works)
    taken(works, "gone")
    assert works.recover() == 0
    clocks.wall -= 3600
    for _ in range(2):
        assert works.recover() == 0
        clocks.pass_by(8)
    assert works.recover() == 1 and works.find(name).state == QUEUED


def test_nothing_is_lost_when_the_clock_is_set_forward(works: JobQueue, clocks: Clocks) -> None:
    """The old one: what was under way was begun again, as if its process had gone, when a laptop woke."""
    name = add(works)
    taken(works, "w")
    assert works.recover() == 0
    clocks.wall += 3600
    assert works.recover() == 0
    works.report(name, "w", 1, "fair")
    clocks.pass_by(5)
    assert works.recover() == 0 and works.find(name).state == RUNNING


def test_what_waited_before_the_clock_was_set_back_goes_before_what_came_later(
    works: JobQueue, clocks: Clocks
) -> None:
    first = add(works)
    works.recover()
    clocks.wall -= 3600
    works.recover()
    clocks.pass_by(1)
    add(works, "bob")
    assert taken(works) == first


def looked(
    works: JobQueue, clocks: Clocks, seconds: float, followed: str = "", done: tuple[str, ...] = ()
) -> list[bool]:
    """Supervisors look every five seconds, a page asks about one work, a worker reports of others; whether
    those were still wanted at last.
    """
    wanted = []
    for _ in range(int(seconds / 5)):
        clocks.pass_by(5)
        if followed:
            works.follow(followed)
        wanted = [works.report(name, "w", 1, "fair") for name in done]
        works.recover()
    return wanted


def test_work_that_no_page_follows_ends_and_what_is_followed_goes_on(works: JobQueue, clocks: Clocks) -> None:
    """The old one: it ran to its limit, and others waited for it."""
    paper, runs = add(works, "zoe", 1.0, kind="experiment"), add(works, "bob", seconds=1.0)
    assert {taken(works), taken(works)} == {paper, runs}
    waits, mine = add(works, "ann"), add(works, "eve")
    works.recover()
    assert looked(works, clocks, 175, mine, (paper, runs)) == [True, True]
    assert works.find(waits).state == QUEUED
    assert looked(works, clocks, 20, mine, (paper, runs)) == [True, False], "an experiment is for everybody"
    works.end(runs, "w", CANCELLED)
    assert [(works.find(name).state, works.find(name).because) for name in (waits, runs)] == [
        (CANCELLED, module.UNFOLLOWED)
    ] * 2
    assert works.find(mine).state == QUEUED


def test_pages_have_time_to_ask_again_after_the_server_or_its_database_was_away(
    works: JobQueue, clocks: Clocks
) -> None:
    name = add(works)
    looked(works, clocks, 60)
    clocks.pass_by(3600)
    works.recover()
    looked(works, clocks, 175)
    assert works.find(name).state == QUEUED
    works.follow(name)
    looked(works, clocks, 100)
    assert works.find(name).state == QUEUED


def test_counts_by_state(works: JobQueue) -> None:
    add(works)
    works.cancel(add(works))
    assert works.counts() == {QUEUED: 1, CANCELLED: 1}


def test_a_database_that_is_away_is_a_sentence() -> None:
    with pytest.raises(StoreError, match=phrase("common.database_does_not_answer")):
        add(JobQueue("postgresql+psycopg://nobody@127.0.0.1:9/nothing"))
