"""The search for the optimum as work: what a page may ask, what is kept of a search that is done or was
ended, and how it stands among the runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import presets, quantities
from engine.dashboard import OPTIMUM, Optimum, SearchProgress, names_of
from tests.phrases import phrase
from tests.webapp.task_waiting import ended
from webapp.jobs import optima
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.jobs.optima import OptimumRequest
from webapp.panels.timeline.viewport import facts
from webapp.report import optimality_gap, summary_text
from webapp.runs import run_cache, saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.identical_runs import equal_groups
from webapp.runs.outcome import OptimumRecord, Outcome
from webapp.runs.task import Task, build_task, with_pinned
from webapp.url.url_state import RunRequest

ID = "0123456789abcdef"
JOBS = [{"name": "a", "maps": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 30}}]
SMALL = {
    "version": 1,
    "cluster": {"nodes": [{"name": "n", "count": 2, "memory_mb": 2048, "vcores": 1}], "heartbeat_ms": 1000},
    "jobs": JOBS,
}


def task_of(scenario: dict, *schedulers: str) -> Task:
    result = build_task(RunRequest(scenario, schedulers))
    saved_tasks.save_task(result).result()
    return result


@pytest.fixture
def task(cache: SharedCache) -> Task:
    return task_of(presets()[0].scenario.plain(), "fifo", "fair")


def kept(task: Task, at_least_s: float) -> Task:
    """The task with the run of fair as its optimum, of which so much is proved."""
    fair = task.outcome("fair")
    result = Optimum(
        replace(fair.run, scheduler=OPTIMUM),
        "fair",
        fair.metrics["makespan_s"],
        at_least_s,
        "solver",
        9.0,
        True,
    )
    way = (SearchProgress(1.0, result.found_s, at_least_s),)
    run_cache.save_optimum(
        task.scenario,
        ID,
        Outcome(result.run, fair.metrics, OptimumRecord(result, names_of(task.simulated), way)),
    )
    return optima.task_with_optimum(task, ID)


def test_a_search_that_is_done_stands_among_the_runs_and_is_done_once(cache: SharedCache) -> None:
    """Two maps of 30 s on two nodes of one vcore, which beat every second, each half a second after the
    other: the run of fifo is the best there is.
    """
    task = task_of(SMALL, "fifo", "fair")
    ask = OptimumRequest(task.key, 10)
    begun, progress = optima.begin_search(ask, task, 0)
    progress = ended(begun.work, progress)
    assert progress.state == "finished", progress
    with_it = optima.task_with_optimum(task, optima.found_optimum_id(ask, begun))
    assert (
        with_it.names == ("fifo", "fair", "optimum")
        and names_of(with_it.simulated) == ("fifo", "fair")
        and with_it.key != task.key
    )
    optimum = with_it.outcomes()[-1]
    assert optimum.run.scheduler == OPTIMUM and optimum.planned.found.is_proved and optimum.planned.way
    assert optimality_gap.optimum_words(optimum.planned) == phrase(
        "services.optimum_takes_s_proved_optimal", quantities.duration(1000 * optimum.planned.found.found_s)
    )
    again, progress = optima.begin_search(ask, task, 0)
    assert (again.work, again.whole, progress.state) == ("", begun.whole, "finished")


def test_of_one_that_was_ended_the_best_so_far_is_kept(task: Task) -> None:
    class Ending(JobControl):
        said: list[str] = []

        def report(self, done: int, now: str) -> None:
            super().report(done, now)
            self.said.append(now)
            self.cancel_token.cancel()

    ask = OptimumRequest(task.key, 300)
    begun = optima.OptimumSearch("", "1" * 16, "2" * 16)
    with pytest.raises(Cancelled):
        optima._do_search(ask.plain() | {"whole": begun.whole, "part": begun.part}, Ending(300))
    assert (
        Ending.said[0].startswith("Best found ")
        and ", proved at least " in Ending.said[0]
        and ", gap " in Ending.said[0]
    )
    assert optima.found_optimum_id(ask, begun) == begun.part and optima.search_history(begun)
    result = optima.task_with_optimum(task, begun.part).outcomes()[-1]
    assert result.metrics["makespan_s"] <= min(
        task.outcome(name).metrics["makespan_s"] for name in names_of(task.simulated)
    )
    assert result.planned.found.seconds < 60


def test_an_optimum_is_found_by_other_processes_by_its_task_s_key(task: Task) -> None:
    with_it = kept(task, 200.0)
    saved_tasks.save_task(with_it).result()
    shared_cache.hold_at_most(MAX_HELD)
    again = saved_tasks.load_task(with_it.key)
    assert again.names == ("fifo", "fair", "optimum") and again.is_available
    assert [outcome.run.scheduler for outcome in again.outcomes()] == list(again.names)
    assert again.link == task.link  # a link has no optimum


def test_what_is_pinned_stands_beside_it(task: Task) -> None:
    pinned = task_of(SMALL, "fifo")
    both = with_pinned(kept(task, 200.0), pinned)
    assert [(shown_run.name, shown_run.task is both) for shown_run in both.shown] == [
        ("fifo", True),
        ("fifo", False),
        ("fair", True),
        ("optimum", True),
    ]
    saved_tasks.save_task(both).result()
    shared_cache.hold_at_most(MAX_HELD)
    assert [shown_run.name for shown_run in saved_tasks.load_task(both.key).shown] == [
        "fifo",
        "fifo",
        "fair",
        "optimum",
    ]


def test_an_optimum_of_something_else_does_not_stand_there(task: Task) -> None:
    kept(task, 200.0)
    fewer = task_of(task.scenario.plain(), "fair")
    # what is proved holds beside those that it was looked for with
    assert optima.task_with_optimum(fewer, ID) is fewer
    assert (
        optima.task_with_optimum(task, "not an id") is task and optima.task_with_optimum(task, None) is task
    )
    with pytest.raises(run_cache.ResultExpired, match=phrase("services.look_for_again")):
        optima.task_with_optimum(task_of(SMALL, "fifo"), ID)


def test_how_good_it_is_and_that_it_equals_nothing(task: Task) -> None:
    with_it = kept(task, 301.5)
    optimum = with_it.outcomes()[-1]
    makespan = optimum.metrics["makespan_s"]
    above = optimality_gap.gap_of(optimum, "makespan_s")
    assert above.bound.at_least == 301.5 and above.share == pytest.approx(makespan / 301.5 - 1)
    assert "search of CP-SAT" in above.about
    said = optimality_gap.optimum_words(optimum.planned)
    assert said.startswith(phrase("services.best_schedule_found_takes_m", "5 min 11 s", "3.2 %") + " ")
    assert said.endswith(phrase("services.no_schedule_takes_less_than", "5 min 2 s"))
    assert summary_text.verdict(with_it.outcomes())[-1] == said
    assert equal_groups(with_it)[-1] == 2  # it is fair's run
    assert [chip["best"] for chip in summary_text.verdict_chips(with_it)][-1] is False


def test_what_a_search_proved_holds_for_all_that_it_was_beside(task: Task) -> None:
    outcomes = kept(task, 301.5).outcomes()
    for one in outcomes:
        above = optimality_gap.gap_of(one, "makespan_s", outcomes)
        assert (above.bound.key, above.bound.at_least) == ("solver", 301.5)
        assert optimality_gap.gap_of(one, "mean_turnaround_s", outcomes) == optimality_gap.gap_of(
            one, "mean_turnaround_s"
        )
    alone = optimality_gap.gap_of(outcomes[0], "makespan_s")
    assert alone.bound.at_least < 301.5
    assert (
        f"{optimality_gap.gap_of(outcomes[0], 'makespan_s', outcomes).words}"
        in summary_text.verdict(outcomes)[0]
    )
    assert [facts(one, outcomes)[0].beside for one in outcomes] == [
        optimality_gap.gap_of(outcome, "makespan_s", outcomes).sign for outcome in outcomes
    ]
    (stranger,) = task_of(SMALL, "drf").outcomes()
    assert optimality_gap.gap_of(stranger, "makespan_s", outcomes) == optimality_gap.gap_of(
        stranger, "makespan_s"
    )


def test_what_a_search_proved_is_no_bound_where_a_plainer_one_is_tighter(task: Task) -> None:
    outcomes = kept(task, 20.0).outcomes()
    assert optimality_gap.known_bounds(outcomes[0], outcomes) == optimality_gap.known_bounds(outcomes[0])


MANY = {"count": 3_000, "memory_mb": 1024, "vcores": 1, "duration_s": 30}


def test_why_it_can_not_be_looked_for(cache: SharedCache) -> None:
    assert optima.why_no_optimum(task_of(SMALL, "fifo")) == ""
    large = SMALL | {"jobs": [{"name": "a", "maps": MANY}]}
    assert optima.why_no_optimum(task_of(large, "fifo")).startswith(
        phrase("services.optimum_looked_for_up_containers", "2,000")
    )
    fails = {"version": 1, "cluster": SMALL["cluster"] | {"failures": {"probability": 0.1}}, "jobs": JOBS}
    assert optima.why_no_optimum(task_of(fails, "fifo")).startswith(
        phrase("services.optimum_cant_be_told_where")
    )


def test_beside_runs_that_deadlock_there_is_none(cache: SharedCache) -> None:
    master = {"memory_mb": 1024, "vcores": 1, "startup_s": 10}
    stuck = {
        "version": 1,
        "cluster": {"nodes": [{"count": 1, "memory_mb": 2048, "vcores": 8}]},
        "jobs": [{"name": "a", "count": 2, "am": master, "maps": JOBS[0]["maps"]}],
    }
    assert optima.why_no_optimum(task_of(stuck, "fifo+admit-all")) == optima.NONE_FINISHES


NO_ASK = [
    None,
    [],
    "x",
    {},
    {"key": 1, "seconds": 10},
    *({"key": "x", "seconds": seconds} for seconds in (0, 11, True, "10", 10.5, 10**9)),
]


@pytest.mark.parametrize("data", NO_ASK)
def test_what_is_no_question(data: Any) -> None:
    assert OptimumRequest.find(data) is None


@pytest.mark.parametrize("data", [None, "abc", ["a", "b"], ["a", "b", 1], {}])
def test_what_no_page_has_kept(data: Any) -> None:
    assert optima.OptimumSearch.find(data) is None
