"""What is foretold is right where the run says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import makespan_ms
from engine.exercises.exercise import check, check_exercise, histogram_label, question, solution
from engine.exercises.question import AnswerError
from engine.exercises.reader import ExerciseError, exercise_of_values
from engine.simulation.simulate import simulate
from tests.engine.exercises.small_exercises import (
    FIRST,
    LARGE,
    MAKESPAN,
    SHORT,
    STUCK,
    exercise,
    values,
)
from tests.phrases import phrase
from tests.strategies import scenarios

SAME = {**SHORT, "name": "same"}


def test_the_job_that_finishes_first_is_right() -> None:
    """Eight maps of 20 s in two waves, then the small job's two: 0:40, 0:50."""
    asked = exercise(FIRST)
    (field,) = question(asked).fields
    assert [choice.value for choice in field.choices] == ["large", "small"]
    assert question(asked).charts_until_ms == 0
    right, wrong = check(asked, {"job": "large"}), check(asked, {"job": "small"})
    assert right.correct and right.sentence == phrase("exercises.finishes_first", "large", "0:40")
    assert not wrong.correct and wrong.sentence == phrase("exercises.another_is_sooner", "small", "0:50")
    assert solution(asked).answer == right.sentence
    assert solution(asked).explanation == ("Why.", "And how.")
    assert histogram_label(asked, {"job": "small"}) == "small"


@pytest.mark.parametrize("answer", [{}, {"job": "none"}, {"job": 1}, {"job": ""}])
def test_another_answer_is_refused(answer: dict) -> None:
    with pytest.raises(AnswerError):
        check(exercise(FIRST), answer)


def test_of_jobs_that_finish_together_each_is_right() -> None:
    asked = exercise(FIRST, jobs=[SHORT, SAME, LARGE])
    verdicts = [check(asked, {"job": job}) for job in ("small", "same", "large")]
    assert [verdict.correct for verdict in verdicts] == [True, True, False]
    assert verdicts[0].sentence == phrase("exercises.finish_together", "small, same", "0:10")


def test_a_job_that_is_stuck_never_finishes() -> None:
    asked = exercise(FIRST, jobs=[*STUCK, SHORT])
    assert [check(asked, {"job": job}).correct for job in ("small", "stuck")] == [True, False]
    assert check(asked, {"job": "stuck"}).sentence == phrase("exercises.others_finish", "stuck")
    assert phrase("exercises.never_finishes", "stuck") in solution(asked).steps


@pytest.mark.parametrize("task", [FIRST, MAKESPAN])
def test_a_run_in_which_nothing_finishes_can_not_be_asked_about(task: dict) -> None:
    stuck = exercise(task, jobs=STUCK)
    with pytest.raises(ExerciseError):
        check_exercise(stuck)


@pytest.mark.parametrize(
    "seconds, is_right, part",
    [
        (50, True, "0 s off"),
        (55, True, "5 s off"),
        ("45", True, "5 s off"),
        (44.9, False, "5.1 s (10.2 %) too"),
        (70, False, "20 s (40 %) too"),
    ],
)
def test_an_estimate_is_right_within_its_tolerance(seconds: float | str, is_right: bool, part: str) -> None:
    verdict = check(exercise(MAKESPAN), {"makespan_s": seconds})
    assert verdict.correct == is_right and part in verdict.sentence and "0:50" in verdict.sentence
    if not is_right:
        assert verdict.sentence.endswith("long." if float(seconds) > 50 else "short.")


def test_a_question_says_how_far_an_estimate_may_be_off() -> None:
    (field,) = question(exercise({**MAKESPAN, "tolerance": 0.2})).fields
    assert field.help == phrase("exercises.within_is_right", "20 %")


@pytest.mark.parametrize("seconds", [501, 1e9])
def test_an_estimate_beyond_all_bounds_is_told_in_a_few_words(seconds: float) -> None:
    verdict = check(exercise(MAKESPAN), {"makespan_s": seconds})
    assert not verdict.correct and verdict.sentence == phrase("exercises.ten_times_as_long", "0:50")


@pytest.mark.parametrize("seconds", ["", "x", "nan", float("inf"), True, None])
def test_an_estimate_is_a_number(seconds: object) -> None:
    with pytest.raises(AnswerError):
        check(exercise(MAKESPAN), {"makespan_s": seconds})  # type: ignore[dict-item]


def test_an_estimate_is_counted_as_a_clock() -> None:
    assert histogram_label(exercise(MAKESPAN), {"makespan_s": 272}) == "4:32"
    assert solution(exercise(MAKESPAN)).answer == phrase("exercises.makespan_is", "0:50")


@given(scenarios(), st.sampled_from(["fifo", "fair", "capacity", "haste"]), st.floats(0.5, 1.5))
def test_an_answer_is_right_as_the_run_says(scenario, scheduler: str, part: float) -> None:
    run = simulate(scenario, scheduler)
    data = {"scenario": scenario.plain(), "schedulers": [scheduler]}
    names, finish = run.workload.job_names, np.where(run.jobs.failed, -1, run.jobs.finish)
    done = finish[finish >= 0]
    if len(names) > 1 and len(done):
        asked = exercise_of_values(values(FIRST) | data)
        for name, ended in zip(names, finish.tolist()):
            assert check(asked, {"job": name}).correct == (ended == done.min())
    asked = exercise_of_values(values(MAKESPAN) | data)
    if run.status == "finished":
        estimate = part * makespan_ms(run) / 1000
        off = abs(1000 * estimate - makespan_ms(run))
        assert check(asked, {"makespan_s": estimate}).correct == (off <= 0.1 * makespan_ms(run))
    else:
        with pytest.raises(ExerciseError):
            check_exercise(asked)
