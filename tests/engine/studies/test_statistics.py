"""Intervals against hand arithmetic, differences seed by seed, winners that are told only where they are
sure.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.codes import RunState
from engine.experiments.replications import t_quantile
from engine.studies.result import StudyResult
from engine.studies.statistics import (
    best_points,
    corrected,
    differences,
    empirical_distribution,
    estimates,
    means,
    winners,
)
from tests.engine.studies.made_results import made

NAN = float("nan")


def test_the_interval_by_hand():
    # Mean 3, s^2 = (4 + 1 + 0 + 1 + 4) / 4 = 2.5, t(4) = 2.776445: half the interval is 2.776445 sqrt(2.5 /
    # 5) = 1.963243.
    result = means(np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]))
    assert (result.mean[0], result.half[0], result.count[0]) == (3.0, pytest.approx(1.963243, abs=1e-6), 5)
    assert (result.low[0], result.high[0]) == (
        pytest.approx(1.036757, abs=1e-6),
        pytest.approx(4.963243, abs=1e-6),
    )


def test_what_is_not_known_is_left_out():
    # Of 1 and 3: mean 2, s^2 = 2, t(1) = 12.7062: half is 12.7062 sqrt(2 / 2).
    result = means(np.array([[1.0, NAN, 3.0], [NAN, 7.0, NAN], [NAN, NAN, NAN]]))
    assert result.count.tolist() == [2, 1, 0]
    assert result.mean.tolist()[:2] == [2.0, 7.0] and math.isnan(result.mean[2])
    assert result.half[0] == pytest.approx(12.7062, abs=1e-4) and np.isnan(result.half[1:]).all()


def test_without_draws_one_value_is_exact():
    result = means(np.array([[7.0], [NAN]]), is_random=False)
    assert result.half[0] == 0 and math.isnan(result.half[1])


def test_corrected_for_how_many_are_compared():
    # Bonferroni: 1 - 0.05 / m.
    assert [corrected(count) for count in (0, 1, 2, 10)] == [0.95, 0.95, 0.975, 0.995]


def test_a_corrected_interval_is_as_much_wider_as_its_quantile():
    # t(4) at 97.5 % is 3.495, at 95 % 2.776.
    result = made([[[1, 2, 3, 4, 5], [3, 3, 3, 3, 3]]])
    plain, wider = (differences(result, "makespan_s", 1, count).half[0, 0] for count in (1, 2))
    assert wider / plain == pytest.approx(t_quantile(4, 0.975) / t_quantile(4))
    assert t_quantile(4, 0.975) == pytest.approx(3.495, abs=1e-3)


def test_a_difference_is_of_the_same_seeds():
    # fifo - fair: 1, 2 and, where one of the two has none, nothing. s^2 = 0.5, t(1) = 12.7062, half = 12.7062
    # sqrt(0.5 / 2).
    result = differences(made([[[10, 20, NAN, 5], [11, 22, 7, NAN]]]), "makespan_s", 0)
    assert result.count.tolist() == [[3, 2]] and result.mean[0].tolist() == [0.0, 1.5]
    assert result.half[0, 1] == pytest.approx(12.7062 * 0.5, abs=1e-4)


def test_common_seeds_make_the_interval_of_a_difference_narrower():
    """Var(x - y) = Var x + Var y - 2 Cov(x, y): what both have of a seed falls out, as Law 11.2 promises."""
    rng = np.random.default_rng(1)
    common = rng.normal(0, 20, 30)
    fair, fifo = 300 + common + rng.normal(0, 2, 30), 290 + common + rng.normal(0, 2, 30)
    paired = differences(made([[fair, fifo]]), "makespan_s", 1).half[0, 0]
    apart = differences(made([[fair, np.roll(fifo, 7)]]), "makespan_s", 1).half[0, 0]
    # Paired the spread is sqrt(2^2 + 2^2) = 2.8, apart sqrt(2 (20^2 + 2^2)) = 28.4: ten times.
    assert 5 < apart / paired < 20


def test_the_winner_its_margin_and_how_sure():
    # fair 10, fifo 12, drf 20 on average; fifo - fair is 1, 2, 3: s = 1, two comparisons, t(2) at 97.5 % =
    # 6.2053: half 6.2053 / sqrt 3 = 3.58 > 2.
    result = made([[[9, 10, 11], [10, 12, 14], [19, 20, 21]]])
    (one,) = winners(result, "makespan_s")
    assert (one.scheduler_index, one.second, one.margin, one.is_clear) == (0, 1, 2.0, False)
    assert one.half == pytest.approx(6.2053 / math.sqrt(3), abs=1e-3)
    # With a difference that is 2 at each seed it is sure.
    (one,) = winners(made([[[9, 10, 11], [11, 12, 13], [19, 20, 21]]]), "makespan_s")
    assert (one.scheduler_index, one.margin, one.half, one.is_clear) == (0, 2.0, 0.0, True)


def test_every_point_makes_winners_less_sure():
    # fifo - fair: 1, 2, 3, 2. Alone t(3) = 3.182: half 3.182 * 0.8165 / 2 = 1.299 < 2. With 11 points t(3) at
    # 99.55 % is 7.7: half 3.1 > 2.
    point = [[10, 10, 10, 10], [11, 12, 13, 12]]
    assert winners(made([point]), "makespan_s")[0].is_clear
    assert not any(one.is_clear for one in winners(made([point] * 11), "makespan_s"))


def test_larger_is_better_where_it_is_and_nothing_where_nobody_says():
    values = [[[0.5, 0.5], [0.7, 0.7]]]
    assert winners(made(values, "fairness"), "fairness")[0][:2] == (1, 0)
    assert winners(made(values, "memory_utilization"), "memory_utilization")[0].scheduler_index == -1


def test_where_one_has_no_number_nobody_is_sure():
    (one,) = winners(made([[[10, 10], [NAN, NAN], [30, 30]]]), "makespan_s")
    assert (one.scheduler_index, one.second, one.is_clear) == (0, 2, False)
    (none,) = winners(made([[[NAN, NAN], [NAN, NAN]]]), "makespan_s")
    assert (none.scheduler_index, none.is_clear) == (-1, False)


def test_one_seed_is_never_sure_and_an_exact_value_always():
    assert not winners(made([[[10], [20]]]), "makespan_s")[0].is_clear
    assert winners(made([[[10], [20]]], jitter=0.0), "makespan_s")[0].is_clear
    assert not winners(made([[[10], [10]]], jitter=0.0), "makespan_s")[0].is_clear, "equal is not better"


def test_no_point_is_best_where_intervals_overlap():
    # Two points with means 10 and 11, each with s = 1 over 4 seeds: corrected t(3) at 97.5 % = 4.177, half
    # 2.1: they overlap.
    near, far = [9, 10, 11, 10], [29, 30, 31, 30]
    assert best_points(made([[near], [[one + 1 for one in near]]]), "makespan_s") == [-1]
    assert best_points(made([[near], [far]]), "makespan_s") == [0]
    assert best_points(made([[near], [far]], "fairness"), "fairness") == [1]
    assert best_points(made([[near]]), "makespan_s") == [-1], "one point is best of nothing"
    assert best_points(made([[near], [[NAN] * 4]]), "makespan_s") == [-1], (
        "of a point without numbers nothing is known"
    )


def test_a_run_that_hung_has_no_number():
    result = made([[[10, 10, 10], [20, 20, 20]]])
    result.state[0, 0, 1] = RunState.DEADLOCK
    assert estimates(result, "makespan_s").count.tolist() == [[2, 3]]


def test_the_distribution():
    values, share = empirical_distribution(made([[[30, 10, NAN, 20, 20]]]), "makespan_s", 0, 0)
    assert (values.tolist(), share.tolist()) == ([10, 20, 20, 30], [0.25, 0.5, 0.75, 1.0])
    values, share = empirical_distribution(made([[[NAN, NAN]]]), "makespan_s", 0, 0)
    assert len(values) == len(share) == 0


def with_refused(values: list[list[list[float]]], refused: list[list[list[float]]]) -> StudyResult:
    """Makespans beside how many jobs are refused."""
    of, other = made(values), made(refused, "refused_jobs")
    study = replace(of.study, metrics=("makespan_s", "refused_jobs"))
    return replace(of, study=study, values=np.concatenate([of.values, other.values], axis=-1))


def test_who_refuses_more_jobs_is_no_winner():
    slow, fast = [100.0, 110.0, 120.0], [50.0, 61.0, 72.0]
    one, none = [1.0] * 3, [0.0] * 3
    result = with_refused([[slow, fast, [value + 5 for value in slow]]], [[none, one, none]])
    (winner,) = winners(result, "makespan_s")
    assert (winner.scheduler_index, winner.second, winner.is_clear) == (0, 2, True)
    assert winners(result, "refused_jobs")[0].scheduler_index != 1
    noise = with_refused([[slow, fast]], [[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]])
    assert winners(noise, "makespan_s")[0].scheduler_index == 1, "no significant difference"
    (alone,) = winners(with_refused([[slow, fast]], [[none, one]]), "makespan_s")
    assert (alone.scheduler_index, alone.second, alone.is_clear) == (0, -1, False)


def test_no_point_is_the_best_at_which_more_jobs_are_refused():
    near, far = [10.0, 10.1, 9.9], [50.0, 50.1, 49.9]
    points = [[far], [near], [[value + 50 for value in far]]]
    assert best_points(made(points), "makespan_s") == [1]
    refused = with_refused(points, [[[0.0] * 3], [[2.0] * 3], [[0.0] * 3]])
    assert best_points(refused, "makespan_s") == [0]
