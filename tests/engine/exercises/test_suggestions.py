"""Whatever is suggested can be asked: no decision without a choice, no wait of nothing, no number that the
order did not compute.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.exercises.compute import question as compute_question
from engine.exercises.exercise import check_exercise
from engine.exercises.reader import ExerciseError
from engine.exercises.suggestions import MAX_LISTED, Suggestions, suggestions
from engine.scenario.presets import presets
from engine.simulation.simulate import simulate
from tests.engine.exercises.small_exercises import LARGE, MAKESPAN, SHORT, STUCK, exercise
from tests.spark_jobs import SPARK

TWO = [LARGE, {**SHORT, "arrival_s": 5}]
SPARK_TOO = [
    {**SPARK, "executors": {"memory_mb": 640, "vcores": 1, "count": 4}},
    {**SHORT, "arrival_s": 5},
]


def found_in(scheduler: str, jobs: Any = TWO) -> tuple[Suggestions, Any]:
    """The suggestions of a small scenario, and what makes an exercise of it."""
    of = exercise(MAKESPAN, jobs=jobs, schedulers=[scheduler])
    run = simulate(of.checked_scenario, scheduler)
    make = lambda task: exercise(task, jobs=jobs, schedulers=[scheduler])
    return suggestions(run, scheduler), make


@pytest.mark.parametrize(
    "scheduler, jobs",
    [*((scheduler, TWO) for scheduler in ("fair", "haste", "capacity", "drf")), ("fair", SPARK_TOO)],
)
def test_every_decision_and_wait_can_be_asked(scheduler: str, jobs: Any) -> None:
    found, make = found_in(scheduler, jobs)
    assert found.decisions and found.waits
    for decision in found.decisions:
        assert len(decision.requests) > 1
        check_exercise(make({"kind": "predict", "ask": "place", "container": decision.container}))
        if len(decision.jobs) > 1:
            check_exercise(make({"kind": "predict", "ask": "next", "container": decision.container}))
    for wait in found.waits:
        assert wait.start_ms is not None and wait.start_ms > wait.requested_ms
        check_exercise(make({"kind": "explain", "container": wait.container}))


@pytest.mark.parametrize("scheduler, jobs", [("fair", TWO), ("haste", TWO), ("fair", SPARK_TOO)])
def test_a_term_that_is_suggested_can_be_computed(scheduler: str, jobs: Any) -> None:
    found, make = found_in(scheduler, jobs)
    asked = 0
    for decision in found.decisions:
        for request in decision.requests:
            for term in request.terms[:1]:
                task = {"kind": "compute", "quantity": "term", "container": decision.container}
                of = make(task | {"job": request.job, "request": request.kind, "term": term})
                assert found.terms[term].lower() in compute_question(of, simulate).prompt.lower()
                asked += 1
    assert asked


@pytest.mark.parametrize("scheduler, quantity", [("fair", "fair share"), ("haste", "dominant share")])
def test_the_suggested_moment_and_job_have_a_share(scheduler: str, quantity: str) -> None:
    found, make = found_in(scheduler)
    assert found.has_fair_shares == (quantity == "fair share")
    task = {"kind": "compute", "quantity": quantity, "job": found.shares_job, "at_s": found.shares_s}
    check_exercise(make(task))


def test_the_moment_is_in_the_middle_of_the_longest_time_with_most_jobs() -> None:
    """large is there from 0:00 on, small from 0:05 until it finishes at 0:30: half-way is 17.5 s."""
    found, _ = found_in("fair")
    assert found.jobs == ("large", "small")
    assert found.shares_s == 18.0
    assert found.shares_job == "large"


@pytest.mark.parametrize("scheduler", ("fair", "drf"))
def test_a_decision_in_which_all_is_equal_is_left_out(scheduler: str) -> None:
    """Two jobs that come together hold nothing at first: the first in the list gets the first container."""
    found, _ = found_in(scheduler, [LARGE, SHORT])
    assert found.decisions and "large/1/map/0" not in [one.container for one in found.decisions]


def test_who_waits_for_ever_comes_first_and_is_named_as_it_would_start() -> None:
    found, make = found_in("fifo", STUCK)
    assert found.waits[0].start_ms is None
    check_exercise(make({"kind": "explain", "container": found.waits[0].container}))
    deadlock = found.metrics[-1]
    assert (deadlock.key, deadlock.present) == ("deadlock", 1.0)


def test_a_run_without_a_choice_suggests_none() -> None:
    found, make = found_in("fifo", [{**SHORT, "maps": {**SHORT["maps"], "count": 1}}])
    assert found.decisions == () and found.waits == ()
    with pytest.raises(ExerciseError):
        check_exercise(make({"kind": "explain", "container": "small/1/map/0"}))


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_long_runs_are_cut_to_a_list_that_can_be_read(preset: Any) -> None:
    run = simulate(preset.scenario, "fair")
    found = suggestions(run, "fair")
    assert len(found.decisions) <= MAX_LISTED and len(found.waits) <= MAX_LISTED
    at = [decision.at_ms for decision in found.decisions]
    assert at == sorted(at)


def test_the_metrics_have_what_the_run_has() -> None:
    found, _ = found_in("fair")
    present = {metric.key: metric.present for metric in found.metrics}
    run = simulate(exercise(MAKESPAN, jobs=TWO, schedulers=["fair"]).checked_scenario, "fair")
    longest = max(int(start - asked) for start, asked in zip(run.containers.start, run.containers.requested))
    assert present["longest_wait_s"] == longest / 1000
    assert present["makespan_s"] == (run.jobs.finish.max() - run.jobs.arrival.min()) / 1000
    assert present["deadlock"] == 0.0
