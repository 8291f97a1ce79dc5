"""What a slider changes of the future alone goes on from what this process holds; its run is the whole one,
byte for byte.
"""

from __future__ import annotations

import copy

import pytest

from engine import Scenario, simulate
from engine.dashboard import IncrementalRun, simulate_incrementally, why_not_measured
from tests.engine.simulation.same import assert_same
from webapp.services import runs, runs_ahead, whatif
from webapp.services.background_tasks import JobControl
from webapp.services.cache import SharedCache
from webapp.services.runs_ahead import run_ahead
from webapp.services.url_state import RunRequest

NAMES = ("fifo", "fair", "drf", "capacity")


def batch(overdue_s: float = 5.0, job: int = 8, **cluster: object) -> dict:
    """Ten jobs, one every 10 s from 10 s on, of which the one at this place has maps of `overdue_s`
    seconds.
    """
    stage = {"count": 6, "memory_mb": 1024, "vcores": 1}
    maps = lambda place: stage | {"duration_s": overdue_s if place == job else 5.0}
    jobs = [
        {
            "name": f"j{n}",
            "arrival_s": 10.0 * (n + 1),
            "maps": maps(n),
            "reduces": stage | {"duration_s": 3.0},
        }
        for n in range(10)
    ]
    return {
        "version": 1,
        "cluster": {"nodes": [{"count": 2, "memory_mb": 8192, "vcores": 8}], **cluster},
        "jobs": jobs,
    }


def lost(at_s: float) -> list[dict]:
    return [{"node": "node1-2", "lost_s": at_s}]


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch, cache: SharedCache) -> list[IncrementalRun]:
    """Every run that was made here, from where it went on and with what it kept; none is too small."""
    rows = []
    monkeypatch.setattr(runs_ahead, "MIN_CONTAINERS", 0)
    monkeypatch.setattr(
        runs_ahead,
        "simulate_incrementally",
        lambda *given, **more: rows.append(simulate_incrementally(*given, **more)) or rows[-1],
    )
    return rows


def moved(base: Scenario, *after: dict, name: str = "fifo") -> None:
    """One after the other, each as the whole run."""
    for plain in after:
        scenario = Scenario.of(plain)
        assert_same(run_ahead(base, scenario, name), simulate(scenario, name))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_movement_takes_snapshots_and_the_next_goes_on_from_them(
    made: list[IncrementalRun], name: str
) -> None:
    base = Scenario.of(batch())
    moved(base, batch(6.0), batch(7.0), batch(8.0), name=name)
    assert [one.from_ms for one in made] == [None, 90_000, 90_000]
    assert [[snapshot.at_ms for snapshot in one.snapshots_taken] for one in made] == [
        [45_000, 90_000],
        [],
        [],
    ]


def test_another_slider_goes_on_from_what_both_have_in_common(made: list[IncrementalRun]) -> None:
    """Job 6 comes at 70 s: from the snapshot at half the way to 90 s, with others on its own way. Job 9 comes
    at 100 s, an eighth away from 90 s at most.
    """
    base = Scenario.of(batch())
    moved(base, batch(6.0), batch(6.0, 6), batch(7.0, 6), batch(6.0, 9))
    assert [one.from_ms for one in made] == [None, 45_000, 70_000, 90_000]
    assert [[snapshot.at_ms for snapshot in one.snapshots_taken] for one in made[1:]] == [
        [57_500, 70_000],
        [],
        [],
    ]


def test_several_sliders_differ_where_the_first_of_them_does(made: list[IncrementalRun]) -> None:
    both = batch(6.0)
    both["jobs"][6]["maps"]["duration_s"] = 4.0
    moved(Scenario.of(batch()), batch(6.0), both)
    assert [one.from_ms for one in made] == [None, 45_000]


def test_a_lost_node_goes_on_from_another_that_was_lost_later(made: list[IncrementalRun]) -> None:
    """With outages a run has arrays that others lack: the first of them is made from its beginning."""
    base = Scenario.of(batch())
    moved(base, batch(6.0), batch(outages=lost(90.0)), batch(outages=lost(92.0)), batch(outages=lost(50.0)))
    assert [one.from_ms for one in made] == [None, None, 90_000, 45_000]


def test_what_differs_early_is_made_whole(made: list[IncrementalRun]) -> None:
    base, early = Scenario.of(batch()), Scenario.of(batch(6.0, 0))
    moved(base, batch(6.0))
    assert runs_ahead.MIN_RUN_SHARE * made[0].run.until_ms > 10_000
    assert run_ahead(base, early, "fifo") is None
    assert run_ahead(base, Scenario.of(batch() | {"seed": 2}), "fifo") is None
    assert run_ahead(base, Scenario.of(batch() | {"name": "other"}), "fifo") is None
    assert len(made) == 1


def test_a_small_one_and_one_too_large_to_be_held_are_made_whole(
    made: list[IncrementalRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    base, after = Scenario.of(batch()), Scenario.of(batch(6.0))
    monkeypatch.setattr(runs_ahead, "MIN_CONTAINERS", 121)
    assert run_ahead(base, after, "fifo") is None
    monkeypatch.setattr(runs_ahead, "MIN_CONTAINERS", 120)
    monkeypatch.setattr(runs_ahead, "MAX_BYTES", 50_000)  # 120 containers and 10 jobs take 25,000
    assert run_ahead(base, after, "fifo") is not None and [len(one.snapshots_taken) for one in made] == [1]
    monkeypatch.setattr(runs_ahead, "MAX_BYTES", 49_999)
    assert run_ahead(base, after, "fifo") is None


def test_what_is_held_is_bounded(made: list[IncrementalRun]) -> None:
    for seed in range(4):
        base = Scenario.of(batch() | {"seed": seed})
        for job in (9, 3, 6, 4, 8, 7, 5, 3):
            moved(base, batch(6.0, job) | {"seed": seed})
    held = runs_ahead._snapshots._found.values()
    assert len(held) == 4 and all(0 < len(one.snapshots) <= runs_ahead.MAX_SNAPSHOTS for one in held)
    assert runs_ahead._snapshots._size == sum(one.nbytes for one in held)
    every = next(iter(held)).snapshots
    assert next(iter(held)).nbytes > sum(one.nbytes for one in every)


def test_what_was_measured_is_no_run_that_goes_on(made: list[IncrementalRun]) -> None:
    assert (
        why_not_measured(Scenario.of(batch()))
        and run_ahead(Scenario.of(batch()), Scenario.of(batch(6.0)), "measured") is None
    )


def test_a_slider_and_the_run_at_its_rest(
    made: list[IncrementalRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The movement, and then the run at rest in another process, which holds no outcomes."""
    task = runs.build_task(RunRequest(batch(), ("fifo", "fair")))
    path = "jobs[8].maps.duration_s"
    for value in (6.0, 7.0):
        result = whatif.preview_changes(task, ((path, value),))
        whole = simulate(Scenario.of(batch(value)), "fifo")
        assert_same(result.outcomes[0].run, whole)
    assert [one.from_ms for one in made] == [None, None, 90_000, 90_000]
    monkeypatch.setattr(runs, "_outcomes", runs.WeightedLRUCache(runs.MAX_HELD))
    rested = runs.build_task(RunRequest(batch(8.0), ("fifo", "fair")))
    for one in (task, rested):
        runs.save_task(one)
    runs._do_run({"key": rested.key, "base": task.key}, JobControl(2))
    assert [one.from_ms for one in made[4:]] == [90_000, 90_000]
    assert_same(rested.outcome("fair").run, simulate(rested.scenario, "fair"))


def test_without_a_base_or_with_one_that_is_forgotten_a_run_is_whole(made: list[IncrementalRun]) -> None:
    task = runs.build_task(RunRequest(copy.deepcopy(batch()), ("fifo",)))
    runs.save_task(task)
    for base in ({}, {"base": "f" * 16}, {"base": 7}):
        runs._outcomes.clear()
        runs._do_run({"key": task.key} | base, JobControl(1))
    assert made == []
