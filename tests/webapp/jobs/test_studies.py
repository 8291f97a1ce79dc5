"""Studies as work: what a page may ask, what is kept and found again, how it ends."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from engine import Scenario, ScenarioError, simulate, summary
from engine.dashboard import Range, RunCancelled, StudyResult, TooLarge
from tests.waiting import MAX_WAIT_S
from tests.webapp.task_waiting import ended
from webapp.jobs import studies
from webapp.jobs.job_manager import JobControl, job_manager
from webapp.jobs.studies import StudyRequest
from webapp.runs import saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

NODES = "cluster.nodes.total"
MAPS = "jobs[0].maps.count"
X = {"path": NODES, "first": 1, "last": 3, "step": 1, "present": 1}
Y = {"path": MAPS, "first": 2, "last": 8, "step": 2, "present": 2}


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    small["jobs"][0]["maps"] |= {"count": 8, "duration_s": {"dist": "exponential", "mean": 10}}
    result = build_task(RunRequest(small, ("fifo", "fair")))
    saved_tasks.save_task(result).result()
    return result


def ask(task: Task, **changes: Any) -> StudyRequest:
    return StudyRequest.of({"key": task.key, "x": X, "seeds": 4, "jitter": 0, "values": 20} | changes)


def test_a_study_s_numbers_are_those_of_its_runs(task: Task) -> None:
    """The makespan at 2 nodes with the third seed, 2 from the scenario's own 0 on, is that of the scenario
    with these.
    """
    progress = ended(*studies.begin_study(task, ask(task), 30))
    assert (progress.state, progress.total) == ("finished", 2 * 3 * 4)
    result = studies.find_result(studies.build_study(ask(task), task))
    plain = task.scenario.plain() | {"seed": 2}
    plain["cluster"]["nodes"][0]["count"] = 2
    assert result.of("makespan_s")[1, 1, 2] == summary(simulate(Scenario.of(plain), "fair"))["makespan_s"]


def test_it_is_done_once_and_found_by_other_processes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    studies._do_study(ask(task).plain(), JobControl(24, is_local=True))
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr(studies, "run_study", lambda *_: pytest.fail("it was done already"))
    assert studies.begin_study(task, ask(task), 60)[1].state == "finished"


def test_where_the_sliders_stood_makes_no_other_study(task: Task, small: dict) -> None:
    """After a slider was moved the page's address has the moved run: its curve over the same values is the
    same study.
    """
    small["cluster"]["nodes"][0]["count"] = 3
    moved = build_task(RunRequest(small, ("fifo", "fair")))
    ids = [studies.study_id(studies.build_study(ask(one), one)) for one in (task, moved)]
    assert ids[0] == ids[1] != studies.study_id(studies.build_study(ask(task, seeds=5), task))


def test_what_there_is_so_far_is_handed_over_while_it_runs(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a batch a unit, of 3 x 4 units the first is there when the second is begun, and all others are
    empty.
    """
    monkeypatch.setattr(studies, "PARTIAL_INTERVAL_S", 0.0)
    monkeypatch.setattr("engine.studies.batches.MAX_UNITS", 1)
    seen: list[StudyResult] = []
    study = studies.build_study(ask(task), task)

    class Looks(JobControl):
        def report(self, done: int, now: str) -> None:
            seen.append(studies.find_partial_result(study))

    studies._do_study(ask(task).plain(), Looks(24, is_local=True))
    assert seen[0] is None and seen[1].done == 2 and np.isnan(seen[1].of("makespan_s")).sum() == 22
    assert studies.find_partial_result(study).done == 24


def test_one_that_is_ended_keeps_no_result(task: Task) -> None:
    control = JobControl(24, is_local=True)
    control.cancel_token.cancel()
    with pytest.raises(RunCancelled):
        studies._do_study(ask(task).plain(), control)
    assert studies.find_result(studies.build_study(ask(task), task)) is None


def test_the_same_study_is_followed_not_begun_again_wherever_the_sliders_stand(
    task: Task, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is loaded again asks for the study in its address before or after its sliders have
    moved.
    """
    begins, makes = threading.Event(), studies.run_study
    monkeypatch.setattr(studies, "run_study", lambda *args: begins.wait(MAX_WAIT_S) and makes(*args))
    small["cluster"]["nodes"][0]["count"] = 3
    moved = build_task(RunRequest(small, ("fifo", "fair")))
    first, _ = studies.begin_study(task, ask(task), 0)
    again, _ = studies.begin_study(moved, ask(moved, x=X | {"present": 3}), 0)
    other, _ = studies.begin_study(task, ask(task, seeds=5), 0)
    begins.set()
    assert first == again != other
    assert [ended(name, job_manager.progress(name)).state for name in (first, other)] == ["finished"] * 2


def test_two_parameters_and_held_sliders(task: Task) -> None:
    wanted = ask(task, y=Y, held=[{"path": "seed", "value": 7}])
    study = studies.checked_study(wanted, task)
    assert StudyRequest.of(wanted.plain()) == wanted
    assert (len(study.points), study.seed(0), study.points[1]) == (3 * 4, 7, (1, 4))


@pytest.mark.parametrize("most", [2, 3, 5, 20, 100])
def test_of_many_values_there_are_no_more_than_asked_for_with_ends_and_the_present_one(most: int) -> None:
    """Of 1 to 1,000 in steps of 1, now at 123; four at least."""
    result = studies.range_subset(Range(1, 1_000, 1), most, 123)
    assert len(result) <= max(most, 4) and {1, 123, 1_000} <= set(result) and result == sorted(result)
    assert studies.range_subset(Range(1, 5, 1), 5, 2) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "changes",
    [
        {"x": None},
        {"x": {**X, "step": 0}},
        {"x": {**X, "step": 1e-9}},
        {"x": {**X, "path": 7}},
        {"x": {**X, "path": "cluster"}},
        {"x": {**X, "path": "seed"}},
        {"y": X},
        {"y": "map"},
        {"seeds": 0},
        {"seeds": True},
        {"seeds": 10**9},
        {"seeds": [1]},
        {"jitter": -1},
        {"jitter": "much"},
        {"jitter": [0]},
        {"values": 1},
        {"values": 10**9},
        {"values": None},
        {"held": [{"path": "seed", "value": []}]},
        {"held": 5},
    ],
)
def test_what_is_no_study_is_refused(task: Task, changes: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError):
        studies.checked_study(ask(task, **changes), task)


def test_limits_of_the_server(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """1 to 3 nodes under two schedulers over 4 seeds: 24 runs, of at most 4 x 8 + 1 containers."""
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "8")
    with pytest.raises(TooLarge, match="at most 8"):
        studies.checked_study(ask(task), task)
    monkeypatch.delenv("GANTRY_MAX_CONTAINERS")
    monkeypatch.setenv("GANTRY_MAX_SECONDS", "1")
    assert studies.checked_study(ask(task), task).runs == 24
    with pytest.raises(TooLarge, match="GANTRY_MAX_SECONDS"):
        studies.checked_study(ask(task, seeds=10_000), task)
    monkeypatch.delenv("GANTRY_MAX_SECONDS")
    with pytest.raises(TooLarge, match="at most 1,000,000"):
        studies.checked_study(ask(task, y=Y, seeds=10_000, x={**X, "last": 20}), task)


def test_what_somebody_waits_for_starts_no_processes(task: Task) -> None:
    with studies.runner_for(JobControl(1, is_local=True)) as runner:
        assert runner is None
    with studies.runner_for(JobControl(1)) as runner:
        assert runner is not None


def test_a_scenario_that_draws_nothing(small: dict, task: Task) -> None:
    assert studies.is_random(task)
    small["jobs"][0]["maps"]["duration_s"] = 10
    assert not studies.is_random(build_task(RunRequest(small, ("fifo", "fair"))))
