"""How far runs are above the best possible, as numbers, signs and words."""

from __future__ import annotations

import math

import pytest

from engine import lower_bounds, presets, simulate, summary
from tests.phrases import phrase
from webapp.report import optimality_gap
from webapp.runs.outcome import Outcome
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


def task(plain: dict, *names: str) -> Task:
    return build_task(RunRequest(plain, names))


def least(metric: str, memory_only: bool = False) -> float:
    return max(
        lower_bound.at_least
        for lower_bound in lower_bounds(presets()[0].scenario, memory_only)
        if lower_bound.metric == metric
    )


@pytest.mark.parametrize("metric", optimality_gap.BOUNDED_METRICS)
def test_a_time_is_held_against_its_tightest_bound(cache, metric: str) -> None:
    scenario = presets()[0].scenario
    (outcome,) = task(scenario.plain(), "haste").outcomes()
    share = summary(simulate(scenario, "haste"))[metric] / least(metric) - 1
    result = optimality_gap.gap_of(outcome, metric)
    assert result.share == pytest.approx(share)
    assert result.sign == f"≤ {math.ceil(100 * share)} %"
    assert result.words == phrase("common.at_most_above_best_possible", f"{math.ceil(100 * share)} %")
    assert result.about.startswith(phrase("report.at_most_above_best_possible", math.ceil(100 * share)) + " ")


def test_what_none_can_beat_is_optimal(small: dict) -> None:
    """One map alone, on a cluster without heartbeats, takes as long as its chain."""
    small["cluster"]["heartbeat_ms"] = 0
    small["jobs"] = [{"maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 7}}]
    (outcome,) = task(small, "fifo").outcomes()
    result = optimality_gap.gap_of(outcome, "makespan_s")
    assert (result.share, result.sign, result.words) == (0, "optimal", "the best possible")
    assert result.about == phrase("report.best_possible_under_any_scheduler", 7)


def test_where_none_can_be_told_it_says_why_once(cache, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = presets()[0].scenario.plain()
    monkeypatch.setattr(optimality_gap, "MAX_CONTAINERS", 100)
    many = task(plain, "fifo", "fair")
    assert optimality_gap.why_no_bounds(many) == phrase("report.what_no_scheduler_can_beat", 100)
    assert optimality_gap.known_bounds(many.outcomes()[0]) == ()
    monkeypatch.undo()
    plain["cluster"]["failures"] = {"probability": 0.1}
    failing = task(plain, "fifo", "fair")
    assert optimality_gap.why_no_bounds(failing) == phrase("common.no_bound_can_be_told")
    assert optimality_gap.gap_of(failing.outcomes()[0], "makespan_s") is None
    assert optimality_gap.gap_words(failing.outcomes()[0], "makespan_s") == ""


def test_a_deadlock_has_no_time_to_hold_against_a_bound(cache, small: dict) -> None:
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    stuck = task(small, "fair+admit-all").outcomes()[0]
    assert stuck.metrics["makespan_s"] is None
    assert optimality_gap.gap_of(stuck, "makespan_s") is None


def test_containers_that_take_vcores_without_limit_are_held_against_memory_alone(cache) -> None:
    scenario = presets()[0].scenario
    (outcome,) = task(scenario.plain(), "fifo(resources=memory)").outcomes()
    result = optimality_gap.gap_of(outcome, "makespan_s")
    assert result.bound.at_least == least("makespan_s", memory_only=True) < least("makespan_s")
    assert "vcores" not in result.about


def test_a_bound_is_found_once_for_all_runs_of_a_scenario(small: dict) -> None:
    outcomes: list[Outcome] = task(small, "fifo", "fair").outcomes()
    assert all(one is other for one, other in zip(*map(optimality_gap.known_bounds, outcomes), strict=True))
