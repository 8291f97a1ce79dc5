"""What is asked is checked, run once and kept by value."""

from __future__ import annotations

import copy

import pytest

from engine import VERSION, Scenario, ScenarioError, TooLarge
from webapp.services import runs
from webapp.services.cache import Shared
from webapp.services.url_state import Asked


@pytest.fixture(autouse=True)
def empty(cache: Shared) -> None:
    """Nothing is known or held."""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The schedulers simulated so far."""
    names = []
    simulate = runs.simulate

    def count(scenario: Scenario, name: str, **more):
        names.append(name)
        return simulate(scenario, name, **more)

    monkeypatch.setattr(runs, "simulate", count)
    return names


def test_a_task_is_known_by_its_key(small: dict) -> None:
    task = runs.task(Asked(small, ("fair", "fifo")))
    runs.keep(task)
    found = runs.known(task.key)
    assert (found.key, found.schedulers, found.scenario.canonical) == (task.key, ("fair", "fifo"), task.scenario.canonical)
    assert runs.known("0" * 16) is None


def test_names_are_made_canonical_and_none_is_run_twice(small: dict) -> None:
    assert runs.task(Asked(small, (" fair ", "fair+ramp-up", "fifo(resources=both)+admit-all", "fair(reservations=yes)+am-share(limit=0.5)"))).schedulers == (
        "fair",
        "fifo",
    )


def test_the_smallest_batch_by_hand(small: dict) -> None:
    """One container a beat, reduces first: the reduce starts at 0, the maps at 1 and 2 s; they end at 11 and 12 s, and the reduce computes until 17 s."""
    small["jobs"][0]["slowstart"] = 0.0
    (outcome,) = runs.task(Asked(small, ("fifo",))).outcomes()
    assert outcome.run.jobs.finish.tolist() == [17_000]
    assert outcome.metrics["makespan_s"] == 17.0


def test_the_same_value_is_run_once_in_all_processes(small: dict, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first = runs.task(Asked(small, ("fair", "fifo"))).outcomes()
    monkeypatch.setattr(runs, "_held", runs.Held(runs.MOST_HELD))  # as another process would find it
    again = runs.task(Asked(copy.deepcopy(small), ("fifo", "fair"))).outcomes()
    assert counted == ["fair", "fifo"]
    assert [one.metrics for one in again] == [one.metrics for one in reversed(first)]


def test_another_seed_is_another_value(small: dict, counted: list[str]) -> None:
    for seed in (1, 2):
        runs.task(Asked(small | {"seed": seed}, ("fair",))).outcomes()
    assert counted == ["fair", "fair"]


def test_every_fault_is_told_at_once(small: dict) -> None:
    small["jobs"][0]["maps"]["memory_mb"] = 99_999
    small["jobs"][0]["colour"] = "blue"
    with pytest.raises(ScenarioError) as raised:
        runs.task(Asked(small, ("fare", "fair")))
    paths = [fault.path for fault in raised.value.faults]
    assert paths.count("schedulers") == 1
    assert {"jobs[0].maps.memory_mb", "jobs[0].colour"} <= set(paths)


def test_no_scheduler_is_a_fault(small: dict) -> None:
    with pytest.raises(ScenarioError, match="at least one scheduler"):
        runs.task(Asked(small, ()))


def test_the_owner_limits_containers(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "3")
    runs.task(Asked(small, ("fair",)))
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "2")
    with pytest.raises(TooLarge, match="3 containers.*at most 2"):
        runs.task(Asked(small, ("fair",)))


@pytest.mark.parametrize("scenario", [{}, {"version": 1}, {"version": 2, "cluster": {}, "jobs": []}, {"cluster": [], "jobs": {}}, {"x_a": "\ud800"}])
def test_no_scenario_raises_anything_else(scenario: dict) -> None:
    with pytest.raises(ScenarioError):
        runs.task(Asked(scenario, ("fair",)))


def test_text_that_is_no_text_is_refused(small: dict) -> None:
    with pytest.raises(ScenarioError):
        runs.task(Asked(small | {"x_note": "\ud800"}, ("fair",)))


def test_a_key_names_the_engine_version(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    key = runs.task(Asked(small, ("fair",))).key
    monkeypatch.setattr(runs, "VERSION", VERSION + "x")
    assert runs.task(Asked(small, ("fair",))).key != key


def test_a_process_holds_only_the_latest_runs(small: dict) -> None:
    held = runs.Held(2500)
    outcomes = [runs.task(Asked(small | {"seed": seed}, ("fair",))).outcomes()[0] for seed in range(4)]
    for number, outcome in enumerate(outcomes):
        held.put(str(number), outcome)
    assert [held.get(str(number)) is not None for number in range(4)] == [False, False, True, True]


def test_a_decision_is_retraced_once_for_all_steps_past_it(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    task = runs.task(Asked(small, ("fifo",)))
    runs.why.cache_clear()
    asked = []
    explain = runs.explain
    monkeypatch.setattr(runs, "explain", lambda *what: asked.append(what[2]) or explain(*what))
    found = [runs.why(task, "fifo", number) for number in (0, 1, 0, 1)]
    assert asked == [0, 1]
    assert found[0]["container"] == found[2]["container"] != found[1]["container"] == found[3]["container"]


def test_a_decision_too_far_into_a_run_is_a_sentence(small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_RETRACED", 0)
    with pytest.raises(TooLarge, match="1 containers were placed before it"):
        runs.why(runs.task(Asked(small, ("fair",))), "fair", 1)
