"""Repetition over seeds: the interval against tables, and runs against single ones."""

from __future__ import annotations

import threading

import pytest

from engine.analysis.metrics import METRICS, summary
from engine.errors import RunCancelled, ScenarioError, SchedulerError
from engine.experiments.replications import Replications, estimate, replicate, t_quantile
from engine.scenario.model import Scenario
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from tests.handmade_runs import scenario, stage
from tests.phrases import phrase

RANDOM = scenario(
    [(8, 8), (8, 8)],
    [
        {
            "maps": {**stage(9, 1, 1), "duration_s": {"dist": "exponential", "mean": 20}},
            "reduces": stage(2, 2, 2),
        }
    ],
)


@pytest.mark.parametrize(
    ("freedom", "expected"),
    # Abramowitz and Stegun, table 26.10, Q(t) = 0.025.
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (9, 2.262),
        (10, 2.228),
        (29, 2.045),
        (30, 2.042),
        (60, 2.000),
        (120, 1.980),
    ],
)
def test_students_t(freedom, expected):
    assert t_quantile(freedom) == pytest.approx(expected, abs=5e-4)


def test_students_t_becomes_the_normal():
    assert t_quantile(100_000) == pytest.approx(1.95996, abs=5e-5)


def test_estimate():
    # Mean 3, s^2 = (4 + 1 + 0 + 1 + 4) / 4 = 2.5, t(4) = 2.776445: half the interval is 2.776445 sqrt(2.5 /
    # 5).
    result = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert result[:1] == (3.0,)
    assert (result.low, result.high) == (pytest.approx(3 - 1.963243), pytest.approx(3 + 1.963243))
    assert estimate([7.0]) == (7.0, None, None, 1)
    assert estimate([]) == (None, None, None, 0)


def test_every_run_is_the_one_of_its_seed():
    result = replicate(RANDOM, ["fair", "fifo(resources=memory)"], range(5, 9))
    assert (result.schedulers, result.seeds) == (["fair", "fifo(resources=memory)"], [5, 6, 7, 8])
    for place, name in enumerate(result.schedulers):
        for number, seed in enumerate(result.seeds):
            assert result.summaries[place][number] == summary(
                simulate(Scenario.of({**RANDOM.plain(), "seed": seed}), name)
            )
    assert len(set(result.values(0, "makespan_s"))) == 4
    assert list(result.estimates(0)) == [metric.key for metric in METRICS]
    assert result.estimates(1)["makespan_s"] == estimate(result.values(1, "makespan_s"))


def test_difference_is_of_the_same_seeds():
    one = lambda makespan: {"makespan_s": makespan}
    result = Replications(
        ["a", "b"],
        [1, 2, 3, 4],
        [[one(10.0), one(20.0), one(None), one(5.0)], [one(11.0), one(22.0), one(1.0), None]],
    )
    # 11 - 10 and 22 - 20; the third has no makespan under a, the fourth was not run under b.
    assert result.difference(1, 0, "makespan_s") == estimate([1.0, 2.0])


def test_deadlocks_are_left_out_of_what_they_lack():
    job = {"am": {"memory_mb": 1, "vcores": 1}, "maps": stage(1, 1, 1)}
    result = replicate(scenario([(1, 1)], [job]), ["fifo"], [1, 2, 3])
    assert result.values(0, "makespan_s") == []
    assert result.estimates(0)["makespan_s"].count == 0
    assert result.estimates(0)["containers"] == (1.0, 1.0, 1.0, 3)


def test_progress_counts_to_the_end_in_the_callers_thread():
    seen = []
    replicate(
        RANDOM,
        ["fair", "drf"],
        range(6),
        progress=lambda done, total: seen.append((done, total, threading.current_thread())),
    )
    assert seen == [(done, 12, threading.main_thread()) for done in range(1, 13)]


def test_what_is_cancelled_is_missing():
    done = []
    result = replicate(
        RANDOM,
        ["fair"],
        range(50),
        progress=lambda count, total: done.append(count),
        cancelled=lambda: len(done) >= 10,
    )
    finished = [one is not None for one in result.summaries[0]]
    assert 10 <= sum(finished) == len(done) < 50
    assert len(result.values(0, "makespan_s")) == sum(finished)
    assert replicate(RANDOM, ["fair"], range(3), cancelled=lambda: True).summaries == [[None] * 3]


def test_faults_are_told_before_anything_runs():
    with pytest.raises(SchedulerError, match="fair"):
        replicate(RANDOM, ["fairy"], [1])
    with pytest.raises(ScenarioError, match=phrase("experiments.seed_must_be_from", -1, 0)):
        replicate(RANDOM, ["fair"], [1, -1])


def test_runs_that_are_under_way_can_be_ended():
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled):
        replicate(RANDOM, ["fifo"], range(2), cancel_token=cancel_token)
