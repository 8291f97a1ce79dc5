"""What a search found in sentences: numbers with their units and intervals, and what may be luck."""

from __future__ import annotations

from math import nan

import pytest

from engine import Search, run_search
from engine.dashboard import CancelToken, Constraint, Dimension, Objective, answer_words, search_text
from engine.studies.search_result import ConfirmedTrial, Interval, Trial
from engine.studies.search_text import constraint_words, mean_words, sure_words
from tests.engine.studies.toys import hangs, one_map
from tests.phrases import phrase

MAKESPAN = Objective("makespan_s")
MAP = Dimension("jobs[0].maps.duration_s", 1, 9, 1)


@pytest.mark.parametrize(
    ("known", "metric", "said"),
    [
        (Interval(412.4, 14.2, 30), "makespan_s", "6 min 52.4 s ± 14.2 s"),
        (Interval(-9.456, 1.23, 30), "makespan_s", "−9.5 s ± 1.2 s"),
        (Interval(0.4567, 0.0123, 30), "fairness", "45.7 % ± 1.2 %"),
        (Interval(12345.6, 0.0, 1), "makespan_s", "3 h 25 min 46 s"),
        (Interval(3.0, 0.0, 1), "failed_jobs", "3 jobs"),
        (Interval(3.25, nan, 1), "mean_slowdown", "3.25 x"),
        (Interval(nan, nan, 0), "makespan_s", "–"),
    ],
)
def test_a_mean_has_its_unit_and_interval(known: Interval, metric: str, said: str) -> None:
    assert mean_words(known, metric) == said


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (Interval(-90.0, 14.0, 30), phrase("studies.makespan_better_for_sure_interval", 95)),
        (Interval(-9.0, 14.0, 30), phrase("studies.makespan_may_be_luck_as", 95)),
        (Interval(90.0, 14.0, 30), phrase("studies.makespan_worse_than_at_present")),
        (Interval(-9.0, 0.0, 1), phrase("studies.makespan_better_and_exactly_so")),
        (Interval(9.0, 0.0, 1), phrase("studies.makespan_worse_than_at_present_2")),
        (Interval(0.0, 0.0, 1), "makespan: no difference."),
        (Interval(nan, nan, 0), phrase("studies.makespan_present_setting_has_none")),
        (Interval(-9.0, nan, 1), phrase("studies.makespan_one_pair_runs_says")),
    ],
)
def test_how_sure_it_is(apart: Interval, said: str) -> None:
    result = ConfirmedTrial(
        Trial(1, (0,), {}, "fair", (1.0,), ()), {"makespan_s": Interval(1.0, 0.0, 1)}, {"makespan_s": apart}
    )
    assert sure_words(result, MAKESPAN) == said


def test_a_constraint_is_judged_on_the_fresh_seeds() -> None:
    most = Constraint("worst_queue_p95_turnaround_s", at_most=60)
    assert constraint_words(most, Interval(58.0, 1.5, 30)) == phrase(
        "studies.percentile_turnaround_worst_queue_s", "95th", "58 s", "1.5 s", "1 min"
    )
    assert constraint_words(most, Interval(61.0, 1.5, 30)).endswith(
        phrase("studies.at_most_s_broken_by", "1 min", "1 s")
    )
    assert constraint_words(Constraint("fairness", at_least=0.9), Interval(0.8, 0.0, 1)).endswith(
        phrase("studies.at_least_broken_by", "90 %", "10 %")
    )


def test_an_answer_that_was_not_run_on_fresh_seeds_says_so() -> None:
    cancel_token = CancelToken()
    result = run_search(
        Search(one_map(), (MAP,), (MAKESPAN,)),
        progress=lambda one: cancel_token.cancel() if len(one.trials) == 3 else None,
        cancel_token=cancel_token,
    )
    assert search_text(result).splitlines() == [
        phrase("studies.tried_settings_as_search_was", 3, 9, 5, 3),
        phrase("studies.instead_makespan_s_instead_s", "jobs[0].maps.duration_s", 1, 5, 1, 5),
    ]


def test_what_has_no_answer_says_why() -> None:
    result = run_search(Search(hangs(), (Dimension("cluster.nodes.total", 1, 2),), (MAKESPAN,), ("fifo",)))
    first, answer, *_ = search_text(result).splitlines()
    assert phrase("studies.feasible_without_answer_such_as", 1, 1) + " " in first
    assert answer == phrase("studies.instead_makespan_s", "cluster.nodes.total", 2, 1, 1)
    stuck = run_search(
        Search(hangs(), (Dimension("jobs[0].maps.duration_s", 1, 2, 1),), (MAKESPAN,), ("fifo",))
    )
    assert search_text(stuck).splitlines()[1].startswith(phrase("studies.no_setting_was_tried_has") + " ")


def test_where_nothing_is_better_it_says_so() -> None:
    result = run_search(Search(one_map(1.0), (MAP,), (MAKESPAN,)))
    assert answer_words(result, result.best) == [
        phrase("studies.nothing_was_tried_better_than"),
        "makespan 1 s.",
    ]
