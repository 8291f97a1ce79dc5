"""What a search found in sentences: numbers with their units and intervals, and what may be luck."""

from __future__ import annotations

from math import nan

import pytest

from engine import Constraint, Dimension, Halt, Objective, Search, answer_words, run_search, search_text
from engine.studies.search_result import Found, Interval, Trial
from engine.studies.search_text import amount, constraint_words, mean_words, sure_words
from tests.engine.studies.toys import hangs, one_map

MAKESPAN = Objective("makespan_s")
MAP = Dimension("jobs[0].maps.duration_s", 1, 9, 1)


@pytest.mark.parametrize(
    ("known", "metric", "said"),
    [
        (Interval(412.4, 14.2, 30), "makespan_s", "412 ± 14 s"),
        (Interval(-9.456, 1.23, 30), "makespan_s", "-9.5 ± 1.2 s"),
        (Interval(0.4567, 0.0123, 30), "fairness", "45.7 ± 1.2 %"),
        (Interval(12345.6, 0.0, 1), "makespan_s", "12,346 s"),
        (Interval(3.0, 0.0, 1), "failed_jobs", "3 jobs"),
        (Interval(3.25, nan, 1), "mean_slowdown", "3.25 x"),
        (Interval(nan, nan, 0), "makespan_s", "–"),
    ],
)
def test_a_mean_has_as_many_digits_as_it_is_sure_of(known: Interval, metric: str, said: str) -> None:
    assert mean_words(known, metric) == said


@pytest.mark.parametrize(("value", "said"), [(7.0, "7 s"), (78.55, "78.5 s"), (0.5, "0.50 s"), (1234567.0, "1,234,567 s")])
def test_an_amount_has_three_digits(value: float, said: str) -> None:
    assert amount(value, "s") == said


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (Interval(-90.0, 14.0, 30), "makespan: better for sure: the 95 % interval leaves out zero."),
        (Interval(-9.0, 14.0, 30), "makespan: it may be luck, as zero lies within the 95 % interval."),
        (Interval(90.0, 14.0, 30), "makespan: worse than at present for sure."),
        (Interval(-9.0, 0.0, 1), "makespan: better, and exactly so, as nothing is drawn."),
        (Interval(9.0, 0.0, 1), "makespan: worse than at present."),
        (Interval(0.0, 0.0, 1), "makespan: no difference."),
        (Interval(nan, nan, 0), "makespan: the present setting has none to compare with."),
        (Interval(-9.0, nan, 1), "makespan: one pair of runs says nothing of how sure that is."),
    ],
)
def test_how_sure_it_is(apart: Interval, said: str) -> None:
    found = Found(Trial(1, (0,), {}, "fair", (1.0,), ()), {"makespan_s": Interval(1.0, 0.0, 1)}, {"makespan_s": apart})
    assert sure_words(found, MAKESPAN) == said


def test_a_constraint_is_judged_on_the_fresh_seeds() -> None:
    most = Constraint("worst_queue_p95_turnaround_s", at_most=60)
    assert constraint_words(most, Interval(58.0, 1.5, 30)) == "95th percentile of turnaround, worst queue 58.0 ± 1.5 s: at most 60 s holds."
    assert constraint_words(most, Interval(61.0, 1.5, 30)).endswith(": at most 60 s is broken by 1 s.")
    assert constraint_words(Constraint("fairness", at_least=0.9), Interval(0.8, 0.0, 1)).endswith(": at least 90.0 % is broken by 10.0 %.")


def test_an_answer_that_was_not_run_on_fresh_seeds_says_so() -> None:
    halt = Halt()
    found = run_search(Search(one_map(), (MAP,), (MAKESPAN,)), progress=lambda one: halt.ask() if len(one.trials) == 3 else None, halt=halt)
    assert search_text(found).splitlines() == [
        "Tried 3 of 9 settings, as the search was ended, each over 5 seeds where anything is drawn: 3 feasible.",
        "jobs[0].maps.duration_s 1 instead of 5: makespan 1 s instead of 5 s on the seeds that chose it; it was not run on others.",
    ]


def test_what_has_no_answer_says_why() -> None:
    found = run_search(Search(hangs(), (Dimension("cluster.nodes.total", 1, 2),), (MAKESPAN,), ("fifo",)))
    first, answer, *_ = search_text(found).splitlines()
    assert ": 1 feasible, 1 without an answer, such as the present setting: " in first
    assert answer == "cluster.nodes.total 2 instead of 1: makespan 1 s."
    stuck = run_search(Search(hangs(), (Dimension("jobs[0].maps.duration_s", 1, 2, 1),), (MAKESPAN,), ("fifo",)))
    assert search_text(stuck).splitlines()[1].startswith("No setting that was tried has an answer: ")


def test_where_nothing_is_better_it_says_so() -> None:
    found = run_search(Search(one_map(1.0), (MAP,), (MAKESPAN,)))
    assert answer_words(found, found.best) == ["Nothing that was tried is better than the present setting.", "makespan 1 s."]
