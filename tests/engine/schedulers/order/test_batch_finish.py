"""Batch finish: omo Eq. 4, 5, a choice worked by hand, the picture of Fig. 4, and the printed rule, which
never refuses, beside ours.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import summary
from engine.schedulers.policy import ORDER_AT
from engine.schedulers.terms.batch_gain import time_batch, time_fair
from engine.schedulers.view import MAP, job_of, kind_of
from engine.simulation.policy_binding import Answer
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, node, scenario, tasks


# K = 3, F_o = .5, T_m = 20, A_o = 10, r = 2 (OMO-7). m' = 6: 3 x 6 / .5 + 20 = 56; s = 2 x 6 + .5 x 2 x 20 /
# 3 = 18.667; 18.667 x 10 / (.5 x 12) = 31.111. m' = 1: 3 / .5 + 20 = 26; s = 2 + 6.667 = 8.667; 14.444.
@pytest.mark.parametrize(
    ("pending", "fair", "batch", "gain"), [(6, 56, 31.111, 24.889), (1, 26, 14.444, 11.556)]
)
def test_check_values_of_both_times(pending, fair, batch, gain):
    result = time_fair(pending, 20, 0.5, 3), time_batch(pending, 20, 0.5, 10, 2, 3)
    assert result == (pytest.approx(fair), pytest.approx(batch, abs=5e-4)) and result[0] - result[
        1
    ] == pytest.approx(gain, abs=5e-4)


@pytest.mark.parametrize(("maps", "units"), [(12, 5), (13, 6)])
@pytest.mark.parametrize("order", ["fair", "fair(shares=kind)", "fifo", "batch-finish", "omo"])
def test_the_picture_of_one_map_more(order, maps, units):
    """omo Fig. 4: 3 map slots and 1 reduce slot, maps and the reduce of one time unit. 12 maps are 4 rounds,
    + 1 for the reduce; 13 are 5 + 1, 20 % more.
    """
    one = job("a", tasks(maps, 1.0), tasks(1, 1.0), slowstart=0.6)
    run = simulate(scenario([node(9, map_slots=3, reduce_slots=1)], [one]), order)
    assert summary(run)["makespan_s"] == units


positive = st.floats(0.01, 1000)


@given(
    st.integers(0, 100),
    positive,
    st.floats(0.001, 10),
    st.integers(1, 100),
    st.integers(1, 100),
    st.integers(1, 50),
)
def test_the_printed_condition_never_refuses(pending, map_time, frequency, available, reduces, running):
    """omo Algorithm 2, line 10: t_batch < t_fair. By Eq. 5 t_batch = t_fair (K - 1)/K A_o/(A_o + r), both
    factors below 1: it holds always.
    """
    fair = time_fair(pending, map_time, frequency, running)
    batch = time_batch(pending, map_time, frequency, available, reduces, running)
    assert batch == pytest.approx(fair * (running - 1) / running * available / (available + reduces))
    assert batch < fair


# What is known at a decision: pending maps, mean map time in s, reduces. long has no pending map any more,
# short has two.
LONG, SHORT = (0, 100, 2), (2, 5, 2)


def gains(jobs):
    """t_fair - t_batch of each; K = 2, F_o = .5, A_o = 10."""
    return [time_fair(m, t, 0.5, 2) - time_batch(m, t, 0.5, 10, r, 2) for m, t, r in jobs]


def test_the_printed_rule_prefers_a_job_that_has_nothing_to_place_and_ours_does_not():
    """long: t_fair = 100, t_batch = .5 x 10/12 of it: gain 58.3. short: t_fair = 2 x 2 / .5 + 5 = 13, t_batch
    = .5 x 13 x 10/12 = 5.4: gain 7.6. Of jobs that have begun their reduces Algorithm 2 takes the largest
    gain: long, for whose maps the container is kept for nothing. Ours asks for m' >= 1, that is for a map
    that waits (the last test holds every decision of a run to that)."""
    result = gains([LONG, SHORT])
    assert result == [pytest.approx(58.33, abs=0.01), pytest.approx(7.58, abs=0.01)]
    literal = max((LONG, SHORT), key=lambda one: gains([one])[0])
    ours = max((one for one in (LONG, SHORT) if one[0] >= 1), key=lambda one: gains([one])[0])
    assert (literal, ours) == (LONG, SHORT)


def two_jobs():
    """4 containers; a 4 maps and a reduce at half of them, b 20 maps, all of 10 s. At 0 a, b, a, b; at 10 a's
    reduce, b, a, b (fair); at 20 a has one map left and its reduce runs."""
    return scenario(
        [node(4)], [job("a", tasks(4, 10.0), tasks(1, 1.0), slowstart=0.5), job("b", tasks(20, 10.0))]
    )


def test_a_choice_by_hand():
    """Windows of 11 s: at 11 four have been released (seen at 10), F_o = 4/11 a second, A_o = 3 maps. At 20
    a: m' = 1, r = 1, T_m = 10, K = 2: t_fair = 2 / F_o + 10 = 15.5; s = 1 + F_o x 10 / 2 = 2.818; t_batch =
    2.818 x 3 / (4 F_o) = 5.8125; gain 9.6875 s. fair would give b its turn."""
    result = next(one for one in decisions(two_jobs(), "batch-finish(window_s=11, ema=1)") if one.at == 20)
    assert (
        result.chosen == "a map"
        and result.facts["available"] == 3
        and result.facts["release_frequency"] == pytest.approx(4 / 11_000)
    )
    times = [result.terms["a map"][name] for name in ("t_fair", "t_batch", "gain")]
    assert times == pytest.approx([15_500, 5812.5, 9687.5])
    assert next(one for one in decisions(two_jobs(), "fair") if one.at == 20).chosen == "b map"


def test_among_all_jobs_the_most_pending_maps_gain_most():
    """candidates=all: b has 16 maps pending: t_fair = 2 x 16 / F_o + 10 = 98, s = 16 + 1.818, t_batch =
    17.818 / F_o = 49 (r = 0): gain 49 > 9.6875.
    """
    result = next(
        one
        for one in decisions(two_jobs(), "batch-finish(window_s=11, ema=1, candidates=all)")
        if one.at == 20
    )
    assert result.chosen == "b map" and result.each("gain") == {
        "a map": pytest.approx(9687.5),
        "b map": pytest.approx(49_000),
    }


def test_before_a_window_has_ended_it_is_fair():
    later = simulate(two_jobs(), "batch-finish(window_s=100000)")
    assert result_of(later).containers == result_of(simulate(two_jobs(), "fair")).containers


def test_without_releases_it_is_fair():
    """ema = 1 and windows of 4 s: the one that ends at 20 saw none, F_o = 0: b's turn."""
    result = next(one for one in decisions(two_jobs(), "batch-finish(window_s=4, ema=1)") if one.at == 20)
    assert result.facts["release_frequency"] == 0 and result.chosen == "b map"


@pytest.mark.parametrize("whose", ["started", "all"])
def test_every_choice_of_a_run_with_everything_is_the_largest_gain(whose):
    """Recomputed from what the policy may know: m' waiting, r, mean map time of all iterations, D running
    jobs; without a gain the decision is fair's.
    """
    batches = 0

    def watch(told: Answer):
        nonlocal batches
        view = told.view
        if told.place != ORDER_AT or view.windows_closed[0] == 0 or view.release_frequency[0] <= 0:
            return
        f, a, d = view.release_frequency[0], view.available[0], int(view.running_jobs[0])
        gains = {}
        for place, request in enumerate(view.candidates[: told.second].tolist()):
            one, m = job_of(view, request), int(view.request_waiting[request])
            r = int(view.job_reduces[one])
            begun = whose == "all" or view.job_placed_reduces[one] > 0
            if (
                kind_of(view, request) == MAP
                and begun
                and view.job_maps_done[one] > 0
                and a + r > 0
                and d > 0
            ):
                t = view.job_maps_time[one] / view.job_maps_done[one]
                s = (d - 1) * m + f * (d - 1) * t / d
                gains[place] = d * m / f + t - s * a / (f * (a + r))
        if gains and max(gains.values()) > 0:
            batches += 1
            assert gains[told.answer] == pytest.approx(max(gains.values()))

    for seed in range(3):
        simulate(busy(seed), f"batch-finish(window_s=2, candidates={whose})", plain=True, watch=watch)
    assert batches > 10
