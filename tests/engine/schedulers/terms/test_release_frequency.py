"""Windows: the rate at which containers are released and the moving average (omo §IV-A, Eq. 1), worked by
hand and at every window's end of a run.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schedulers.policy import ORDER_WINDOW, REDUCE_START_WINDOW
from engine.schedulers.terms.release_frequency import RELEASE_FACTS, RELEASE_MEMORY, close_window
from engine.schedulers.view import NO_CHANGE
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions, watched
from tests.small_scenarios import job, master, node, scenario, tasks


def closed(seen, ema, window=10_000):
    """(frequency, available, observed) after each window, and which changed nothing; seen: (released so far,
    available) at each end.
    """
    view, result, unchanged = (
        SimpleNamespace(**{array.name: np.zeros(1) for array in (*RELEASE_FACTS, *RELEASE_MEMORY)}),
        [],
        [],
    )
    for released, available in seen:
        view.released_containers, view.available_containers = released, available
        unchanged.append(close_window(window, view, ema) == NO_CHANGE)
        result.append((view.release_frequency[0], view.available[0], view.released[0]))
    return result, unchanged


def test_the_average_by_hand():
    """Windows of 10 s, weight .25. Released 5, then none, then 20 more: f = .5, 0, 2 a second. F: .5; .75 x
    .5 = .375; .25 x 2 + .75 x .375 = .78125.
    A: 8; .25 x 4 + .75 x 8 = 7; .25 x 6 + .75 x 7 = 6.75. The first window is taken whole."""
    result, unchanged = closed([(5, 8), (5, 4), (25, 6)], 0.25)
    assert [1000 * frequency for frequency, _, _ in result] == pytest.approx([0.5, 0.375, 0.78125])
    assert [available for _, available, _ in result] == [8, 7, 6.75]
    assert [1000 * observed for _, _, observed in result] == pytest.approx([0.5, 0, 2])
    assert unchanged == [False, False, False]


def test_a_window_in_which_nothing_was_learnt_changed_nothing():
    assert closed([(0, 3), (0, 3), (1, 3), (2, 3), (2, 3)], 1.0)[1] == [False, True, False, True, False]


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 40)), min_size=1, max_size=12), st.floats(0.01, 1)
)
def test_the_average_is_the_weighted_sum_of_all_windows(windows, ema):
    """F_n = sum of ema (1 - ema)^(n - k) f_k, but the first with (1 - ema)^(n - 1)."""
    released = np.cumsum([count for count, _ in windows]).tolist()
    result = closed(list(zip(released, (free for _, free in windows))), ema)[0][-1]
    last = len(windows) - 1
    weights = [(1 - ema) ** (last - place) * (ema if place else 1) for place in range(last + 1)]
    assert result[0] * 10_000 == pytest.approx(
        sum(weight * count for weight, (count, _) in zip(weights, windows))
    )
    assert result[1] == pytest.approx(sum(weight * free for weight, (_, free) in zip(weights, windows)))


def test_a_run_s_windows_by_hand():
    """Node of 2 MB, maps of 4, 10, 9, 9 s: they run 0-4, 0-10, 4-13, 10-19. Windows end at 5, 10, 15, 20. 5:
    one released, 2 run. 10: the end at 10 is not seen before the heartbeat at 10, which follows: none; 1
    runs. 15: those of 10 and 13: two; 1 runs. ema .5: f .2, 0, .4 a second: F .2, .1, .25; A 2, 1.5, 1.25."""
    four = scenario([node(2)], [job("a", tasks(4, [4.0, 10.0, 9.0, 9.0]))])
    for order, place in (
        ("batch-finish(window_s=5)", ORDER_WINDOW),
        ("fifo+lazy-start(window_s=5)", REDUCE_START_WINDOW),
        ("omo(window_s=5)", ORDER_WINDOW),
    ):
        result = decisions(four, order, place)
        assert [one.at for one in result] == [5, 10, 15]
        for fact, expected in (
            ("release_frequency", [2e-4, 1e-4, 2.5e-4]),
            ("released", [2e-4, 0, 4e-4]),
            ("available", [2, 1.5, 1.25]),
        ):
            assert [one.facts[fact] for one in result] == pytest.approx(expected)


def test_order_and_reduce_start_have_windows_of_their_own():
    long = scenario([node(2)], [job("a", tasks(9, 7.0), tasks(1, 3.0))])
    text = "batch-finish(window_s=5)+lazy-start(window_s=3)"
    assert [one.at for one in decisions(long, text, ORDER_WINDOW)][:4] == [5, 10, 15, 20]
    assert [one.at for one in decisions(long, text, REDUCE_START_WINDOW)][:4] == [3, 6, 9, 12]


@pytest.mark.parametrize("seed", range(4))
def test_finished_maps_and_reduces_are_counted_when_their_end_is_seen(seed):
    """In a run with kills, masters, heartbeats and iterations: all that finished and was seen before a
    window's end, no masters, nothing killed.
    """
    run, result = watched(busy(seed), "batch-finish(window_s=2, ema=1)", ORDER_WINDOW)
    ends = [c.seen for c in result_of(run).containers if c.kind != "am" and c.outcome == "finished"]
    released = 0
    for one in result:
        released += round(2000 * one.facts["released"])
        assert released == sum(seen < 1000 * one.at for seen in ends)
    assert released > 10


@pytest.mark.parametrize("seed", range(4))
def test_available_are_running_maps_and_running_reduces_of_jobs_whose_maps_are_over(seed):
    """At each window's end, with ends of that instant over and nothing placed at it yet."""
    run, result = watched(busy(seed), "batch-finish(window_s=2, ema=1)", ORDER_WINDOW)
    containers = result_of(run).containers
    running = lambda c, at: c.start < at < c.end
    for one in result:
        at = 1000 * one.at
        maps = [c for c in containers if c.kind == "map" and running(c, at)]
        free = []
        for c in containers:
            if c.kind == "reduce" and running(c, at):
                before = [m.end for m in containers if (m.kind, m.job, m.stage) == ("map", c.job, c.stage)]
                free += [c] * (max(before) <= at)
        assert one.facts["available"] == len(maps) + len(free)


@pytest.mark.parametrize(
    "text",
    ["omo", "batch-finish", "fair+lazy-start+admit-all", "fair+ramp-up+admit-all", "omo(window_s=0.001)"],
)
def test_windows_end_no_deadlock_late(text):
    """Two masters fill the cluster: nothing will ever happen, whatever the windows; the run says so, at the
    last thing that happened.
    """
    stuck = scenario([node(2, 2)], [job(name, tasks(1, 5.0), am=master()) for name in "ab"])
    run = simulate(stuck, text)
    assert run.status == "deadlock" and run.at_ms == 0


def test_windows_rest_while_nothing_happens_and_end_at_their_multiples_again():
    """Between 5 s and 1 000 000 s nothing happens: the average halves to 0 (about 1075 times), not 100 000
    windows; b's first is a multiple of 10 s.
    """
    apart = scenario([node(2)], [job("a", tasks(4, 2.5)), job("b", tasks(4, 25.0), arrival_s=1_000_003)])
    result = decisions(apart, "batch-finish", ORDER_WINDOW)
    assert len(result) < 1200 and all(one.at % 10 == 0 for one in result)
    assert [one.at for one in result if one.at > 900_000][:3] == [1_000_010, 1_000_020, 1_000_030]
    assert result[0].facts["release_frequency"] == 4 / 10_000
