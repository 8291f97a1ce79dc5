"""What is asked is checked, run once and kept by value."""

from __future__ import annotations

import copy
import shutil
import threading

import pytest

from engine import VERSION, Scenario, ScenarioError, parse
from engine.dashboard import RunCancelled, Scheduler, TooLarge
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S
from tests.webapp.live_server import CROWD
from webapp import settings
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.jobs.run_job import do_task
from webapp.runs import run_cache, saved_tasks, task_store
from webapp.runs.cache import BASE_WEIGHT, MAX_HELD, SharedCache, shared_cache
from webapp.runs.run_cache import ResultExpired
from webapp.runs.task import build_task, with_pinned
from webapp.url.url_state import RunRequest


@pytest.fixture(autouse=True)
def empty(cache: SharedCache) -> None:
    """Nothing is known or held."""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The schedulers simulated so far."""
    names = []
    simulate = run_cache.simulate

    def count(scenario: Scenario, scheduler: Scheduler, **more):
        names.append(scheduler.name)
        return simulate(scenario, scheduler, **more)

    monkeypatch.setattr(run_cache, "simulate", count)
    return names


def test_a_task_is_known_by_its_key(small: dict) -> None:
    task = build_task(RunRequest(small, ("fair", "fifo")))
    saved_tasks.save_task(task)
    result = saved_tasks.load_task(task.key)
    assert (result.key, result.names, result.scenario.canonical) == (
        task.key,
        ("fair", "fifo"),
        task.scenario.canonical,
    )
    assert saved_tasks.load_task("0" * 16) is None


def test_names_are_made_canonical_and_none_is_run_twice(small: dict) -> None:
    assert build_task(
        RunRequest(
            small,
            (
                " fair ",
                "fair+ramp-up",
                "fifo(resources=both)+admit-all",
                "fair(reservations=yes)+am-share(limit=0.5)",
            ),
        )
    ).names == ("fair", "fifo")


def test_the_smallest_batch_by_hand(small: dict) -> None:
    """One container a beat, reduces first: the reduce starts at 0, the maps at 1 and 2 s; they end at 11 and
    12 s, and the reduce computes until 17 s.
    """
    small["jobs"][0]["slowstart"] = 0.0
    (outcome,) = build_task(RunRequest(small, ("fifo",))).outcomes()
    assert outcome.run.jobs.finish.tolist() == [17_000]
    assert outcome.metrics["makespan_s"] == 17.0


def test_the_same_value_is_run_once_in_all_processes(
    small: dict, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build_task(RunRequest(small, ("fair", "fifo"))).outcomes()
    # as another process would find it
    shared_cache.hold_at_most(MAX_HELD)
    again = build_task(RunRequest(copy.deepcopy(small), ("fifo", "fair"))).outcomes()
    assert counted == ["fair", "fifo"]
    assert [one.metrics for one in again] == [one.metrics for one in reversed(first)]


def test_another_seed_is_another_value(small: dict, counted: list[str]) -> None:
    for seed in (1, 2):
        build_task(RunRequest(small | {"seed": seed}, ("fair",))).outcomes()
    assert counted == ["fair", "fair"]


def test_every_fault_is_told_at_once(small: dict) -> None:
    small["jobs"][0]["maps"]["memory_mb"] = 99_999
    small["jobs"][0]["colour"] = "blue"
    with pytest.raises(ScenarioError) as raised:
        build_task(RunRequest(small, ("fare", "fair")))
    paths = [fault.path for fault in raised.value.faults]
    assert paths.count("schedulers") == 1
    assert {"jobs[0].maps.memory_mb", "jobs[0].colour"} <= set(paths)


def test_no_scheduler_is_a_fault(small: dict) -> None:
    with pytest.raises(ScenarioError, match=phrase("services.at_least_one_scheduler")):
        build_task(RunRequest(small, ()))


def test_the_owner_limits_containers(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "3")
    build_task(RunRequest(small, ("fair",)))
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "2")
    with pytest.raises(TooLarge, match="3 containers.*at most 2"):
        build_task(RunRequest(small, ("fair",)))


@pytest.mark.parametrize(
    "scenario",
    [
        {},
        {"version": 1},
        {"version": 2, "cluster": {}, "jobs": []},
        {"cluster": [], "jobs": {}},
        {"x_a": "\ud800"},
    ],
)
def test_no_scenario_raises_anything_else(scenario: dict) -> None:
    with pytest.raises(ScenarioError):
        build_task(RunRequest(scenario, ("fair",)))


def test_text_that_is_no_text_is_refused(small: dict) -> None:
    with pytest.raises(ScenarioError):
        build_task(RunRequest(small | {"x_note": "\ud800"}, ("fair",)))


def test_a_key_names_the_engine_version(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    key = build_task(RunRequest(small, ("fair",))).key
    monkeypatch.setattr("webapp.runs.task.VERSION", VERSION + "x")
    assert build_task(RunRequest(small, ("fair",))).key != key


def test_a_process_holds_only_the_latest_runs(small: dict) -> None:
    held = SharedCache()
    held.hold_at_most(5 * BASE_WEIGHT // 2)
    outcomes = [build_task(RunRequest(small | {"seed": seed}, ("fair",))).outcomes()[0] for seed in range(4)]
    for number, outcome in enumerate(outcomes):
        held.hold(str(number), outcome)
    assert [held.held(str(number)) is not None for number in range(4)] == [False, False, True, True]


def test_a_run_larger_than_all_that_may_be_held_is_held_alone(small: dict) -> None:
    held = SharedCache()
    held.hold_at_most(1)
    (outcome,) = build_task(RunRequest(small, ("fair",))).outcomes()
    held.hold("small", "text")
    held.hold("large", outcome)
    assert held.held("small") is None and held.held("large") is outcome


def test_what_was_asked_outlives_every_cache(small: dict) -> None:
    """The old one: after some 75 runs of four schedulers the cache had no task any more, and Share failed
    without a word.
    """
    task = build_task(RunRequest(small, ("fair", "fifo")))
    both = with_pinned(task, build_task(RunRequest(small | {"name": "before"}, ("fair",))))
    for one in (task, both):
        saved_tasks.save_task(one).result()
    shared_cache.hold_at_most(MAX_HELD)
    shutil.rmtree(settings.data_dir() / "cache")
    assert saved_tasks.load_task(task.key).names == ("fair", "fifo")
    result = saved_tasks.load_task(both.key)
    assert (result.key, result.pinned.link, result.pinned.scenario.name) == (
        both.key,
        both.pinned.link,
        "before",
    )


@pytest.mark.parametrize("key", ["", "0" * 15, "x" * 16, "\ud800" * 16, "\0" * 16, "0" * 10_000])
def test_what_is_no_key_is_no_task(key: str) -> None:
    assert saved_tasks.load_task(key) is None


def test_a_task_of_another_version_is_not_run_as_if_it_were_the_same(
    small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = build_task(RunRequest(small, ("fair",)))
    saved_tasks.save_task(task).result()
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr("webapp.runs.task.VERSION", VERSION + "x")
    assert saved_tasks.load_task(task.key) is None


def test_without_the_database_a_task_is_known_by_the_cache(
    small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:9/nothing")
    task_store.task_store.cache_clear()
    task = build_task(RunRequest(small, ("fair",)))
    saved_tasks.save_task(task).result()
    shared_cache.hold_at_most(MAX_HELD)
    assert saved_tasks.load_task(task.key).names == ("fair",)


def test_an_answer_runs_what_is_short_and_nothing_that_is_long(small: dict, counted: list[str]) -> None:
    """The old one: the drawing of a task nobody had run simulated it in the request's thread, for as long as
    that took.
    """
    assert build_task(RunRequest(small, ("fair",))).is_available and counted == ["fair"]
    long = build_task(RunRequest(CROWD, ("fifo",)))
    assert not long.is_available and counted == ["fair"]
    with pytest.raises(ResultExpired, match="Run again"):
        long.outcomes()


def test_what_is_held_ready_takes_no_time(small: dict) -> None:
    """The old one: a click on a million containers that were there waited a second for the queue."""
    many = copy.deepcopy(small)
    many["jobs"][0]["maps"]["count"] = 1_000
    task = build_task(RunRequest(many, ("fifo", "fair")))
    both = task.seconds
    assert both > 0
    task.outcome("fifo")
    assert task.seconds == pytest.approx(both / 2)
    task.outcome("fair")
    assert task.seconds == 0


def test_an_answer_ends_a_run_that_turns_out_long(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_cache, "MAX_ANSWER_ESTIMATE_S", 1e9)
    monkeypatch.setattr(run_cache, "ANSWER_LIMIT_S", 0.2)
    assert not build_task(RunRequest(CROWD, ("fifo",))).is_available
    assert run_cache.preview(build_task(RunRequest(CROWD, ("fifo",))).scenario, (parse("fifo"),)) is None


def test_few_answers_run_something_at_once(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_cache, "_answer_slots", threading.BoundedSemaphore(1))
    monkeypatch.setattr(run_cache, "SLOT_WAIT_S", 0.05)
    with run_cache.answer_slot(), pytest.raises(ResultExpired, match="busy"):
        build_task(RunRequest(small, ("fair",))).outcomes()
    assert build_task(RunRequest(small, ("fair",))).is_available


def test_work_runs_what_is_long_and_can_be_ended(small: dict) -> None:
    control = JobControl(1)
    control.cancel_token.cancel()
    with pytest.raises(Cancelled):
        do_task(build_task(RunRequest(small, ("fair",))), control)
    with pytest.raises(RunCancelled):
        run_cache.outcome(
            build_task(RunRequest(small, ("fair",))).scenario, parse("fair"), control.cancel_token
        )


@pytest.mark.parametrize(
    "sent", [None, 7, "key", [], {}, {"key": 7}, {"key": []}, {"key": "f" * 16}, {"key": "\0"}]
)
def test_what_is_no_result_of_a_page_shows_nothing(cache: SharedCache, sent: object) -> None:
    assert saved_tasks.task_of_result(sent) is None


class Loads(threading.Event):
    """Set once the simulator is loaded; it is known whether anybody waits for that."""

    def __init__(self) -> None:
        super().__init__()
        self.waited_for = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited_for.set()
        return super().wait(timeout)


def test_a_large_result_is_not_drawn_by_a_process_that_still_loads(
    cache: SharedCache, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one: a page that followed a run over a server's new process waited minutes for its rows, made
    by plain Python.
    """
    many = small | {
        "jobs": [{"name": "one", "maps": {"count": 2_001, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}]
    }
    large, little = (
        build_task(RunRequest(many, ("fifo",))),
        build_task(RunRequest(small, ("fifo",))),
    )
    loads, begun = Loads(), threading.Event()
    begun.set()
    monkeypatch.setattr(run_cache.warm_up, "LOAD_TIMEOUT_S", MAX_WAIT_S)
    monkeypatch.setattr(run_cache.warm_up, "ready", loads)
    monkeypatch.setattr(run_cache.warm_up, "_started", begun)
    rows = []
    thread = threading.Thread(target=lambda: rows.append(large.is_available))
    thread.start()
    assert little.is_available
    assert loads.waited_for.wait(MAX_WAIT_S) and not rows
    loads.set()
    thread.join(MAX_WAIT_S)
    assert rows == [True]


def test_what_others_follow_is_kept_and_not_held(cache: SharedCache) -> None:
    assert cache.put("partial", 1, changes=True)
    assert cache.held("partial") is None and cache.get("partial", changes=True) == 1


def test_a_task_weighs_as_much_as_its_jobs(small: dict) -> None:
    held = SharedCache()
    held.hold_at_most(2 * BASE_WEIGHT + 100)
    jobs = [small["jobs"][0] | {"name": f"job {number}"} for number in range(10)]
    task = build_task(RunRequest(small | {"jobs": jobs}, ("fair",)))
    held.hold("small", "text")
    held.hold("task", task)
    assert held.held("small") is None and held.held("task") is task
