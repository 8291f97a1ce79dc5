"""What made the difference, with its arithmetic on paper; and that it adds up on random runs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from engine.analysis.capacity.comparison import (
    PART_WORDS,
    CapacityUse,
    capacity_comparison,
    capacity_reason,
    capacity_use,
    terms,
)
from engine.analysis.capacity.split import PARTS, capacity_split
from engine.simulation.simulate import simulate
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from tests.strategies import scenarios, scheduler_text, schedulers


def use(name: str, finished: bool = True, **seconds: float) -> CapacityUse:
    """Parts in seconds of the whole cluster; the run is as long as they are together."""
    parts = {part.key: 1000.0 * seconds.get(part.key, 0) for part in PARTS}
    return CapacityUse(name, finished, round(sum(parts.values())), parts)


FAST = use("haste", map=100, not_given=14, waiting=6)  # 120 s
SLOW = use("fair", map=100, not_given=76, waiting=26, computing=-2)  # 200 s


def test_every_part_has_its_words() -> None:
    assert list(PART_WORDS) == [part.key for part in PARTS]


def test_the_part_that_differs_the_most_is_found_by_time_not_by_share() -> None:
    # Maps take the same 100 s, though 83.3 % of the one run and 50 % of the other: no difference. Not given:
    # 76 - 14 = 62 s, the most.
    result = capacity_comparison([FAST, SLOW], "vcores")
    assert result.key == "not_given"
    assert result.difference == (
        phrase(
            "capacity.haste_leaves_vcores_free_but", "11.7 %", "14 s", "38 %", "1 min 16 s"
        )  # 14/120, 76/200
    )


def test_the_difference_of_the_makespans_is_the_sum_of_the_parts() -> None:
    # 200 - 120 = 80 = 62 + 20 - 2; the last is less than 5 % of 84 and goes into the rest.
    assert terms(SLOW, FAST) == (80.0, [("not_given", 62.0), ("waiting", 20.0)], -2.0)
    assert capacity_comparison([FAST, SLOW], "vcores").account == (
        phrase("capacity.fair_takes_s_longer_than", "1 min 20 s", "+1 min 2 s", "+20 s", "−2 s")
    )


def test_the_account_does_not_depend_on_the_order() -> None:
    assert capacity_comparison([SLOW, FAST], "vcores") == capacity_comparison([FAST, SLOW], "vcores")


def test_of_many_the_extremes_are_named() -> None:
    result = capacity_comparison([SLOW, use("drf", map=100, not_given=30), FAST], "memory")
    assert result.difference.startswith(
        phrase("capacity.runs_haste_leaves_least_memory", 3, "11.7 %", "14 s")
    )
    assert result.difference.endswith(phrase("capacity.fair_most_s", "38 %", "1 min 16 s"))


def test_runs_as_long_as_each_other_may_differ_in_their_parts() -> None:
    one, other = use("fifo", map=10, unwanted=5), use("drf", map=10, waiting=5)
    assert capacity_comparison([one, other], "vcores").account == (
        phrase("capacity.drf_takes_as_long_as", "+5 s", "−5 s")
    )


def test_equal_runs_spend_alike() -> None:
    result = capacity_comparison([use("fifo", map=10), use("fair", map=10)], "vcores")
    assert result == (
        None,
        phrase("capacity.fifo_and_fair_spend_vcores"),
        phrase("capacity.fifo_and_fair_both_take", "10 s"),
    )


def test_what_is_less_than_a_thousandth_of_a_run_is_no_difference() -> None:
    # 0.01 s of 20 s is a two-thousandth.
    result = capacity_comparison(
        [use("fifo", map=10, unwanted=10), use("fair", map=10, unwanted=9.99, waiting=0.01)], "memory"
    )
    assert result == (
        None,
        phrase("capacity.fifo_and_fair_spend_memory", 0.1),
        phrase("capacity.fifo_and_fair_both_take", "20 s"),
    )


def test_a_deadlock_is_compared_by_shares_and_not_by_its_length() -> None:
    # 50 % of 8 s against 5 % of 100 s: in time the difference of maps, 91 s, would be larger, but the run
    # never got to them.
    result = capacity_comparison(
        [use("fifo", map=95, master=5), use("fair", finished=False, master=4, unwanted=4)], "vcores"
    )
    assert result.key == "map"  # 95 % - 0 %, more than 50 % - 5 % of masters
    assert result.difference == phrase(
        "capacity.fair_spends_vcores_on_maps", "0 %", "0 s", "95 %", "1 min 35 s"
    )
    assert result.account == phrase("capacity.fair_deadlocked_after_s_so", "8 s")


def test_the_stuck_are_left_out_where_two_finished() -> None:
    result = capacity_comparison(
        [FAST, SLOW, use("a", finished=False, map=1), use("b", finished=False, map=2)], "vcores"
    )
    assert result.difference == capacity_comparison([FAST, SLOW], "vcores").difference
    assert result.account.endswith(phrase("capacity.deadlocked_after_s_b_after", "1 s", "2 s"))


def test_one_run_is_told_by_its_largest_part() -> None:
    result = capacity_comparison([FAST], "vcores")
    assert result == (None, phrase("capacity.haste_spends_most_vcores_on", "83.3 %", "1 min 40 s"), "")


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.0123, 0.012), (1.2345, 1.23), (12.345, 12.3), (1234.5, 1234.0)]
)
def test_about_three_digits_are_shown(seconds: float, shown: float) -> None:
    assert terms(use("slow", map=1 + seconds), use("fast", map=1))[0] == shown


def test_of_a_split() -> None:
    # 2 nodes of 4 vcores: a map of 2 for 6 s is 2 * 6 / 8 = 1.5 s of the whole cluster; the other 4.5 s of 6
    # nobody asks for.
    of = scenario([(4096, 4), (4096, 4)], [{"maps": stage(1, 1024, 2)}], heartbeat_ms=0)
    result = capacity_use("fifo", True, capacity_split(run(of, [container(0, "map", 0, 0, 6000)])), "vcores")
    assert (result.length_ms, result.cluster_ms["map"], result.cluster_ms["unwanted"]) == (
        6000,
        1500.0,
        4500.0,
    )
    assert result.share("map") == 0.25


@given(scenarios(), schedulers(), schedulers())
def test_what_is_said_adds_up_on_random_runs(of, first, second) -> None:
    runs = [simulate(of, scheduler_text(chosen)) for chosen in (first, second)]
    for resource in ("vcores", "memory"):
        uses = [
            capacity_use(str(number), one.status == "finished", capacity_split(one), resource)
            for number, one in enumerate(runs)
        ]
        for one in uses:
            assert math.fsum(one.cluster_ms.values()) == pytest.approx(one.length_ms, rel=1e-9, abs=1e-9)
        complete, shown, remaining = terms(*uses)
        assert math.fsum([remaining, *(seconds for _, seconds in shown)]) == pytest.approx(complete, abs=1e-9)
        result = capacity_comparison(uses, resource)
        assert result.difference.endswith(".")
        if all(one.finished for one in uses):
            widest = max(abs(uses[0].cluster_ms[part.key] - uses[1].cluster_ms[part.key]) for part in PARTS)
            assert (result.key is None) == (widest <= 0.001 * max(one.length_ms for one in uses))


def test_the_reason_is_what_the_longer_run_spends_more_time_on() -> None:
    # 62 of the 80 s that fair takes longer: 14 of 120 s and 76 of 200 s
    verb, tail, _ = PART_WORDS["not_given"]
    assert capacity_reason(FAST, SLOW, "vcores") == phrase("report.reason_instead_of", verb, tail)
    # no part accounts for half of the difference
    spread = use("a", map=100), use("b", map=110, waiting=10, computing=10)
    assert capacity_reason(*spread, "memory") == ""
    # 85.0 and 85.4 %
    alike = use("a", map=15, unwanted=85), use("b", map=15.4, unwanted=90.1)
    assert capacity_reason(*alike, "memory") == ""
