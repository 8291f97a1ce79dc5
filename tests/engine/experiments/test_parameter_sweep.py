"""The response curve against single runs, and the search for a goal against trying every value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import summary
from engine.errors import RunCancelled
from engine.experiments.goal_seek import ALREADY, EXHAUSTIVE_LIMIT, FOUND, OUT_OF_REACH, Goal, goal_seek
from engine.experiments.parameter_sweep import SweepPoint, max_sweep_values, parameter_sweep, sweep_point
from engine.experiments.ranges import Range, range_values, values_between
from engine.scenario.model import Scenario
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from tests.phrases import phrase

TASK = {"memory_mb": 1024, "vcores": 1}
PLAIN = {
    "version": 1,
    "cluster": {
        "nodes": [{"name": "n", "count": 2, "memory_mb": 2048, "vcores": 2}],
        "heartbeat_ms": 0,
        "containers_per_heartbeat": None,
    },
    "jobs": [{"name": "a", "maps": {"count": 12, **TASK, "duration_s": 10}}],
}
COUNT = "cluster.nodes[0].count"


def test_every_point_is_the_run_of_its_value():
    result = parameter_sweep(
        PLAIN, ["fifo", "fair"], COUNT, [1, 2, 3], overrides=[("jobs[0].maps.duration_s", 5)]
    )
    for place, name in enumerate(["fifo", "fair"]):
        for number, count in enumerate([1, 2, 3]):
            plain = {
                **PLAIN,
                "cluster": {**PLAIN["cluster"], "nodes": [{**PLAIN["cluster"]["nodes"][0], "count": count}]},
            }
            plain["jobs"] = [{**PLAIN["jobs"][0], "maps": {**PLAIN["jobs"][0]["maps"], "duration_s": 5}}]
            assert result.points[place][number] == SweepPoint(summary(simulate(Scenario.of(plain), name)))
    # 12 maps of 5 s on 2, 4 and 6 places: 6, 3 and 2 waves.
    assert [point.get("makespan_s") for point in result.points[0]] == [30, 15, 10]


def test_a_schedulers_own_parameter_moves_that_one_alone():
    result = parameter_sweep(
        PLAIN, ["fifo", "fair+reserve(vcores=0)"], "schedulers[1].reserve.vcores", [0, 1, 2]
    )
    assert result.points[0][0] is result.points[0][1] is result.points[0][2]
    assert result.points[1][1] == sweep_point(PLAIN, ["fair+reserve(vcores=1)"], 0, [])


def test_what_is_refused_and_what_is_stuck_are_gaps_with_a_sentence():
    result = parameter_sweep(PLAIN, ["fifo"], "jobs[0].maps.memory_mb", [2048, 4096])
    assert result.points[0][1] == SweepPoint(
        None, "jobs[0].maps.memory_mb: 4096 fits no node (largest: 2048)"
    )
    stuck = {
        **PLAIN,
        "jobs": [{"name": "a", "count": 1, "am": TASK, "maps": {"count": 1, **TASK, "duration_s": 1}}],
    }
    stuck["cluster"] = {
        **PLAIN["cluster"],
        "nodes": [{"name": "n", "count": 1, "memory_mb": 1024, "vcores": 2}],
    }
    point = parameter_sweep(stuck, ["fifo"], "jobs[0].count", [1]).points[0][0]
    assert point.get("makespan_s") is None
    assert point.because.startswith(phrase("experiments.map_wait_for_ever", 1))


def test_progress_and_cancelling():
    seen = []
    result = parameter_sweep(
        PLAIN,
        ["fifo", "fair"],
        COUNT,
        [1, 2, 3],
        progress=lambda done, total: seen.append((done, total)),
        cancelled=lambda: len(seen) >= 4,
    )
    assert seen == [(1, 6), (2, 6), (3, 6), (4, 6)]
    assert [[point is not None for point in points] for points in result.points] == [
        [True, True, False],
        [True, True, False],
    ]


def test_large_scenarios_have_fewer_values():
    assert max_sweep_values(1_000, 4) == 61
    # 2,000,000 containers in all, 4 x 20,000 a value.
    assert max_sweep_values(20_000, 4) == 25
    assert max_sweep_values(200_000, 4) == 5
    assert max_sweep_values(0, 4) == 61


# Goals over curves that are written down: metric[value], None for a gap.
CURVES = st.lists(st.none() | st.integers(0, 20), min_size=2, max_size=12)


@given(curve=CURVES, present=st.integers(0, 11), bound=st.integers(-1, 21), larger=st.booleans())
def test_on_a_grid_of_all_values_the_answer_is_the_nearest_there_is(curve, present, bound, larger):
    present %= len(curve)
    goal = Goal("fairness" if larger else "makespan_s", bound)
    answer = goal_seek(
        goal,
        present,
        curve[present],
        range(len(curve)),
        curve,
        lambda value: pytest.fail("nothing lies between"),
        1,
    )
    good = [
        value
        for value, number in enumerate(curve)
        if number is not None and (number >= bound if larger else number <= bound)
    ]
    if not good:
        assert answer.state == OUT_OF_REACH
        known = [number for number in curve if number is not None]
        assert answer.best_metric == ((max if larger else min)(known) if known else None)
    elif present in good:
        assert (answer.state, answer.value, answer.metric_value) == (ALREADY, present, curve[present])
    else:
        nearest = min(good, key=lambda value: (abs(value - present), value))
        assert (answer.state, answer.value, answer.metric_value) == (FOUND, nearest, curve[nearest])
        assert answer.beyond == nearest + (1 if present > nearest else -1)


@given(
    data=st.data(),
    every=st.integers(2, EXHAUSTIVE_LIMIT + 1),
    present=st.integers(0, 40),
    bound=st.integers(0, 20),
)
def test_between_two_values_of_a_coarse_grid_all_are_tried(data, every, present, bound):
    curve = data.draw(st.lists(st.integers(0, 20), min_size=41, max_size=41))
    values = range_values(Range(0, 40 // every * every, every))
    present = min(present, values[-1])
    answer = goal_seek(
        Goal("makespan_s", bound),
        present,
        curve[present],
        values,
        [curve[value] for value in values],
        lambda value: curve[value],
        1,
    )
    if curve[present] <= bound:
        assert answer.state == ALREADY
        return
    # The slow way: on each side the nearest of the grid that is good, then all that lies from the one before
    # it.
    candidates = []
    for side in ([v for v in values if v >= present], [v for v in values if v < present][::-1]):
        for before, value in zip([present, *side], side):
            if curve[value] <= bound:
                candidates.append(
                    next(v for v in [*values_between(before, value, 1), value] if curve[v] <= bound)
                )
                break
    expected = min(candidates, key=lambda v: (abs(v - present), v), default=None)
    assert answer.value == expected
    assert (answer.state == FOUND) == (expected is not None)
    if expected is not None:
        assert curve[answer.beyond] > bound
        assert abs(answer.beyond - answer.value) == 1


def test_where_many_lie_between_bisection_says_so():
    # A curve that falls below the goal at 700: 0, 256, 512 and 768 are looked at, then log2(256) = 8 values
    # between the last two.
    curve = lambda value: 1000 - value
    looked = []
    answer = goal_seek(
        Goal("makespan_s", 300),
        0,
        curve(0),
        [0, 256, 512, 768],
        [curve(v) for v in (0, 256, 512, 768)],
        lambda v: looked.append(v) or curve(v),
        1,
    )
    assert (answer.state, answer.value, answer.metric_value, answer.beyond) == (FOUND, 700, 300, 699)
    assert (answer.bisected, answer.tried, len(looked)) == (True, 8, 8)


def test_a_number_that_is_not_given_begins_at_the_lower_end():
    answer = goal_seek(
        Goal("makespan_s", 5),
        None,
        9,
        [1, 2, 3],
        [8, 5, 4],
        lambda value: pytest.fail("nothing lies between"),
        1,
    )
    assert (answer.state, answer.value) == (FOUND, 2)


def test_a_run_that_was_ended_is_no_gap_of_the_curve():
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled):
        parameter_sweep(PLAIN, ["fifo"], COUNT, [1, 2], cancel_token=cancel_token)
