"""Shares are rounded up, so that "at most" holds; what differs in its resources is held against its own
bounds.
"""

from __future__ import annotations

import pytest

from engine.analysis.metrics import summary
from engine.bounds.bound_text import above_text, bound_sentences, percent_above, run_notes
from engine.bounds.lower_bounds import MAKESPAN, TURNAROUND, Bound
from engine.simulation.simulate import simulate
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (4.9e-5, "0 %"),
        (5e-5, "0.1 %"),
        (0.0411, "4.2 %"),
        (0.04, "4 %"),
        (0.2301, "24 %"),
        (0.23, "23 %"),
        (12.345, "1,235 %"),
    ],
)
def test_at_most_is_rounded_up(share: float, text: str) -> None:
    assert percent_above(share) == text


def test_what_reaches_a_bound_is_the_best_possible() -> None:
    assert above_text(4e-5) == "the best possible"
    assert above_text(0.225) == phrase("common.at_most_above_best_possible", "23 %")


def bound(metric: str, at_least: float) -> Bound:
    return Bound(metric, "area_memory", "Area of memory", at_least, "", "memory")


def test_each_metric_has_its_bound_and_the_nearest_comes_first() -> None:
    of = scenario([(4, 4)], [{"maps": stage(1, 1, 1)}])
    runs = [simulate(of, "fifo"), simulate(of, "fair"), simulate(of, "drf(resources=memory)")]
    metrics = [
        {MAKESPAN: 15.0, TURNAROUND: None},
        {MAKESPAN: 10.0, TURNAROUND: 6.0},
        {MAKESPAN: 9.0, TURNAROUND: 6.0},
    ]
    bounds = [[bound(MAKESPAN, 10.0), bound(TURNAROUND, 5.0)]] * 2 + [[bound(MAKESPAN, 6.0)]]
    # 15 / 10 - 1 = 50 %; 6 / 5 - 1 = 20 %; 9 / 6 - 1 = 50 %
    assert bound_sentences(runs, metrics, bounds, lambda seconds: f"{seconds:g} s") == [
        phrase("bounds.where_vcores_count_too_no", "10 s", "50 %"),
        phrase("bounds.where_memory_alone_counts_no", "6 s", "drf(resources=memory)", "50 %"),
        phrase("bounds.where_vcores_count_too_no_scheduler", "5 s", "20 %"),
    ]


def test_notes_of_runs_and_why_there_are_none() -> None:
    # Six containers of 3 GB on two nodes of 4 GB, one a node at a time: three rounds of 10 s.
    of = scenario([(4, 8), (4, 8)], [{"maps": stage(6, 3, 1, 10.0)}])
    run = simulate(of, "fifo")
    makespan, turnaround = run_notes(of, [run], [summary(run)])
    assert makespan.startswith(phrase("bounds.no_scheduler_can_beat_makespan", "29.999 s") + " ")
    assert turnaround.startswith(phrase("bounds.no_scheduler_can_beat_mean") + " ")
    fails = scenario([(4, 4)], [{"maps": stage(1, 1, 1)}], failures={"probability": 0.1})
    run = simulate(fails, "fifo")
    assert run_notes(fails, [run], [summary(run)]) == [phrase("common.no_bound_can_be_told")]
