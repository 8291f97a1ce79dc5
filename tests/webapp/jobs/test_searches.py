"""Searches as work: what a page may ask, what is kept and found again, what is there of one that was
ended.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import Scenario, ScenarioError, simulate, summary
from engine.dashboard import TooLarge
from tests.phrases import phrase
from tests.waiting import until
from tests.webapp.task_waiting import ended
from webapp.jobs import searches
from webapp.jobs.job_manager import Cancelled, JobControl, job_manager
from webapp.jobs.job_runner import JOB_TYPES
from webapp.jobs.searches import SearchRequest
from webapp.runs import saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

NODES = {"path": "cluster.nodes.total", "low": 1, "high": 3, "step": 1}
MAPS = {"path": "jobs[0].maps.count", "low": 2, "high": 8, "step": 2}
WAITS = {"metric": "makespan_s", "way": "most", "text": "15 s"}


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    small["jobs"][0]["maps"] |= {"count": 8}
    result = build_task(RunRequest(small, ("fifo", "fair")))
    saved_tasks.save_task(result).result()
    return result


def ask(task: Task, **changes: Any) -> SearchRequest:
    plain = {
        "key": task.key,
        "vary": [NODES],
        "objectives": ["makespan_s"],
        "constraints": [],
        "held": [],
        "scheduler": "fifo",
    }
    return SearchRequest.of(plain | {"trials": 20, "seeds": 2, "jitter": 0} | changes)


def done(task: Task, wanted: SearchRequest):
    searches._do_search(wanted.plain(), JobControl(100, is_local=True))
    return searches.find_result(searches.build_search(wanted, task))


def test_the_answer_is_the_best_of_its_runs(task: Task) -> None:
    """1, 2 and 3 nodes draw nothing, so that three runs are all there is: the answer's makespan is the least
    of theirs.
    """
    assert ended(*searches.begin_search(task, ask(task), 30)).state == "finished"
    result = searches.find_result(searches.build_search(ask(task), task))
    makespans = []
    for count in (1, 2, 3):
        plain = task.scenario.plain()
        plain["cluster"]["nodes"][0]["count"] = count
        makespans.append(summary(simulate(Scenario.of(plain), "fifo"))["makespan_s"])
    assert result.best.trial.values[0] == min(makespans) < makespans[0]
    assert result.is_everything and len(result.trials) == 3


def test_it_is_done_once_and_found_by_other_processes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    done(task, ask(task))
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr(searches, "run_search", lambda *_: pytest.fail("it was done already"))
    assert searches.begin_search(task, ask(task), 60)[1].state == "finished"


def test_of_one_that_is_ended_what_it_had_found_is_there(task: Task) -> None:
    """It is ended once three of its twelve settings are tried: no result, but these."""
    wanted = ask(task, vary=[NODES, MAPS])

    class Ends(JobControl):
        def report(self, done: int, now: str) -> None:
            if now.startswith("3 of 12"):
                self.cancel_token.cancel()

    with pytest.raises(Cancelled):
        searches._do_search(wanted.plain(), Ends(100, is_local=True))
    search = searches.build_search(wanted, task)
    assert searches.find_result(search) is None
    result = searches.find_last_result(search)
    assert result.is_ended and len(result.trials) == 3 and result.best is not None


def test_the_same_visitor_s_same_search_is_followed_not_begun_again(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searches, "estimate_search_seconds", lambda search: 60.0)
    monkeypatch.setitem(JOB_TYPES, "search", lambda what, control: until(control.cancelled))
    first, _ = searches.begin_search(task, ask(task), 0)
    assert searches.begin_search(task, ask(task), 0)[0] == first
    job_manager.cancel(first)
    second, _ = searches.begin_search(task, ask(task), 0)
    assert second != first
    job_manager.cancel(second)


def test_the_scheduler_is_a_choice_or_one(task: Task) -> None:
    any_of, one = (searches.build_search(ask(task, scheduler=name), task) for name in ("", "fair"))
    assert (any_of.schedulers, one.schedulers) == (("fifo", "fair"), ("fair",))
    assert any_of.space.size == 2 * one.space.size == 6
    assert searches.build_search(ask(task, scheduler="", vary=[]), task).space.size == 2


def test_a_parameter_of_a_scheduler_goes_with_it(cache: SharedCache, small: dict) -> None:
    """The second scheduler's parameter is the first one's where that scheduler is alone, and nothing under
    the other.
    """
    task = build_task(RunRequest(small, ("fifo", "fair+slowstart(at=0.8)")))
    at = {"path": "schedulers[1].slowstart.at", "low": 0, "high": 1, "step": 0.5}
    result = searches.build_search(ask(task, vary=[at], scheduler="fair+slowstart(at=0.8)"), task)
    assert result.space.dimensions[0].path == "schedulers[0].slowstart.at" and result.space.present == (0.8,)
    with pytest.raises(ScenarioError, match=phrase("services.has_no_effect_under_fifo")):
        searches.build_search(ask(task, vary=[at], scheduler="fifo"), task)


def test_constraints_are_read_as_they_are_typed(task: Task) -> None:
    share = {"metric": "memory_utilization", "way": "least", "text": "80"}
    result = searches.build_search(ask(task, constraints=[WAITS, share, WAITS | {"text": " "}]), task)
    assert [
        (constraint.metric, constraint.at_most, constraint.at_least) for constraint in result.constraints
    ] == [("makespan_s", 15.0, None), ("memory_utilization", None, 0.8)]
    with pytest.raises(ScenarioError, match=phrase("services.must_be_number_seconds")):
        searches.build_search(ask(task, constraints=[WAITS | {"text": "soon"}]), task)


def test_other_sliders_are_held_and_all_of_it_is_read_again(task: Task) -> None:
    wanted = ask(
        task,
        held=[{"path": "jobs[0].maps.count", "value": 4}],
        constraints=[WAITS],
        objectives=["makespan_s", "mean_wait_s"],
    )
    assert SearchRequest.of(wanted.plain()) == wanted
    assert searches.build_search(wanted, task).scenario["jobs"][0]["maps"]["count"] == 4


def test_how_many_runs_it_takes(task: Task) -> None:
    """Three settings and the answer beside the present one: 3 + 2 runs where nothing is drawn, else 3 x 2
    seeds + 2 x 30 fresh ones.
    """
    still, drawn = (searches.build_search(ask(task, jitter=jitter), task) for jitter in (0, 0.2))
    assert (searches.count_runs(still), searches.count_runs(drawn)) == (3 + 2, 3 * 2 + 2 * 30)


@pytest.mark.parametrize(
    "changes",
    [
        {"vary": None},
        {"vary": 5},
        {"vary": [None]},
        {"vary": [NODES] * 7},
        {"vary": [NODES, NODES]},
        {"vary": [{**NODES, "step": 0}]},
        {"vary": [{**NODES, "step": 1e-9}]},
        {"vary": [{**NODES, "low": "1"}]},
        {"vary": [{**NODES, "high": 1e400}]},
        {"vary": [{**NODES, "low": 0}]},
        {"vary": [{**NODES, "path": "cluster"}]},
        {"vary": [{**NODES, "path": 7}]},
        {"vary": [{**NODES, "path": "seed"}]},
        {"vary": [], "scheduler": "fifo"},
        {"objectives": []},
        {"objectives": ["makespan_s", "makespan_s"]},
        {"objectives": ["makespan"]},
        {"objectives": [[]]},
        {"objectives": ["containers"]},
        {"constraints": "none"},
        {"constraints": [7]},
        {"constraints": [{**WAITS, "metric": []}]},
        {"constraints": [{**WAITS, "way": "about"}]},
        {"constraints": [{**WAITS, "text": 15}]},
        {"constraints": [WAITS] * 4},
        {"scheduler": "saf"},
        {"scheduler": 1},
        {"trials": 10**6},
        {"trials": True},
        {"trials": 1},
        {"seeds": 0},
        {"seeds": 10**9},
        {"seeds": [1]},
        {"jitter": -1},
        {"jitter": "much"},
        {"held": [{"path": "seed", "value": []}]},
    ],
)
def test_what_is_no_search_is_refused(task: Task, changes: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError):
        searches.checked_search(ask(task, **changes), task)


def test_limits_of_the_server(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 8 maps, a reduce and a master."""
    monkeypatch.setenv("GANTRY_MAX_CONTAINERS", "8")
    with pytest.raises(TooLarge, match="at most 8"):
        searches.checked_search(ask(task, vary=[MAPS]), task)
    monkeypatch.delenv("GANTRY_MAX_CONTAINERS")
    monkeypatch.setenv("GANTRY_MAX_SECONDS", "1")
    with pytest.raises(TooLarge, match="GANTRY_MAX_SECONDS"):
        searches.checked_search(ask(task, seeds=10_000, jitter=0.1), task)
