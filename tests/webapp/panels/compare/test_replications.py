"""Who may be called the best of many runs, and who not."""

from __future__ import annotations

import pytest

from engine import METRICS
from engine.dashboard import Estimate, Replications
from webapp.panels.compare import replications

MAKESPAN = METRICS[0]


def repeats(*makespans: list[float | None]) -> Replications:
    """A Repeats of schedulers a, b, … with these makespans."""
    empty = {metric.key: 0 for metric in METRICS}
    return Replications(
        [chr(ord("a") + place) for place in range(len(makespans))],
        list(range(len(makespans[0]))),
        [[empty | {"makespan_s": value} for value in values] for values in makespans],
    )


@pytest.mark.parametrize(
    ("difference", "apart"),
    [
        (Estimate(2.0, 1.0, 3.0, 30), True),
        (Estimate(-2.0, -3.0, -1.0, 30), True),
        (Estimate(0.5, -1.0, 2.0, 30), False),
        (Estimate(0.0, 0.0, 0.0, 30), False),
        (Estimate(5.0, None, None, 1), False),
        (Estimate(None, None, None, 0), False),
    ],
)
def test_an_interval_that_holds_nothing_tells_nothing_apart(difference: Estimate, apart: bool) -> None:
    assert replications.is_significant(difference) is apart


def test_a_difference_seen_with_every_seed_is_a_winner() -> None:
    """b is 1 s faster than a with each of the seeds, though both spread over 30 s."""
    a = [100.0, 110.0, 120.0, 130.0]
    assert replications.best_schedulers(repeats(a, [value - 1 for value in a]), MAKESPAN) == {1}


def test_noise_is_no_winner() -> None:
    assert (
        replications.best_schedulers(
            repeats([100.0, 110.0, 90.0, 105.0], [104.0, 91.0, 109.0, 99.0]), MAKESPAN
        )
        == set()
    )


def test_two_of_three_may_be_the_best() -> None:
    a = [100.0, 110.0, 90.0, 105.0]
    b = [104.0, 91.0, 109.0, 99.0]
    assert replications.best_schedulers(repeats(a, b, [value + 200 for value in a]), MAKESPAN) == {0, 1}


def test_a_scheduler_that_refuses_more_jobs_is_not_the_best() -> None:
    faster = repeats([100.0, 110.0, 90.0], [50.0, 60.0, 40.0], [120.0, 130.0, 110.0])
    for metrics in faster.summaries[1]:
        assert metrics is not None
        metrics["refused_jobs"] = 1
    assert replications.best_schedulers(faster, MAKESPAN) == {0}
    refused = next(metric for metric in METRICS if metric.key == "refused_jobs")
    assert replications.best_schedulers(faster, refused) == {0, 2}


def test_deadlocks_are_counted_and_left_out() -> None:
    rows = {row["title"]: row for row in replications.rows(repeats([10.0, 12.0, 14.0], [10.0, None, 12.0]))}
    assert rows["Makespan"]["s1"]["text"].endswith("2 of 3 runs")
    assert rows["Makespan"]["s1"]["value"] == 11.0


def test_the_difference_is_paired_and_marked_as_noise_or_not() -> None:
    """b - a is 2 s with each seed: (2 / 11) in percent of a's mean of 11 s."""
    rows = {row["title"]: row for row in replications.rows(repeats([10.0, 12.0], [12.0, 14.0]))}
    assert rows["Makespan"]["s1"]["percent"] == pytest.approx(100 * 2 / 11)
    assert rows["Makespan"]["s1"]["noise"] is False
    assert "noise" not in rows["Makespan"]["s0"]
