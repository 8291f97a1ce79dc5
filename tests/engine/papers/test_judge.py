"""The verdict follows from numbers alone: each rule by hand."""

from __future__ import annotations

import math

import pytest

from engine.papers.judge import AGREES, DEPENDS, DIFFERS, SAME, TOO_LITTLE, judge_claim, overall, verdict
from engine.papers.schema import FORMULA, Ordered, Printed, Similar


def printed(number: float, **more) -> Printed:
    return Printed("what", "x", number, "s", "Table 1", **more)


@pytest.mark.parametrize(
    ("claim", "ours", "error", "agrees"),
    [
        (printed(100), 115.5, 0.155, True),  # 15, and half of the last digit
        (printed(100), 115.6, 0.156, False),
        (printed(100, noise=6), 121.5, 0.215, True),
        (printed(100, noise=6), 121.6, 0.216, False),
        (printed(100, basis=FORMULA), 100.5, 0.005, True),  # a formula must give what is printed
        (printed(100, basis=FORMULA), 100.6, 0.006, False),
        (printed(1.5), 1.775, 0.275 / 1.5, True),
        (printed(1.5), 1.776, 0.276 / 1.5, False),
        (printed(-50, side=True), -43, 0.14, True),
        (printed(97, relative_to=100), 97.4, 0.4 / 3, True),  # 2.6 below 100 against 3
        (
            printed(97, relative_to=100),
            98.1,
            1.1 / 3,
            False,
        ),  # within 15 % of 97, but a third of its distance
        (printed(99.7, relative_to=100), 99.64, 0.06 / 0.3, True),
        (printed(99.7, relative_to=100), 99.6, 0.1 / 0.3, False),
        (printed(100.0, relative_to=100), 99.96, None, True),
        (printed(100.0, relative_to=100), 99.9, None, False),
        (printed(9, rounding=2), 12.3, 3.3 / 9, True),  # "about 9"
        (printed(90, is_minimum=True), 170, 0.0, True),
        (printed(90, is_minimum=True), 80, 1 / 9, True),
        (printed(90, is_minimum=True), 70, 2 / 9, False),
        (printed(26), math.inf, math.inf, False),
    ],
)
def test_a_printed_number_agrees_within_15_percent(
    claim: Printed, ours: float, error: float | None, agrees: bool
) -> None:
    result = judge_claim(claim, {"x": [ours]})
    assert result.agrees is agrees
    assert result.error is None if error is None else result.error == pytest.approx(error)


def test_the_direction_of_a_change_is_its_sign() -> None:
    assert judge_claim(printed(154, side=True), {"x": [3.0]}).direction
    assert not judge_claim(printed(154, side=True), {"x": [-3.0]}).direction


def test_a_change_that_may_be_nothing_has_no_side() -> None:
    result = judge_claim(printed(154, side=True), {"x": [3.0, -2.0, 1.0]})
    assert result.numbers["x"].low < 0 < result.numbers["x"].high
    assert result.direction is False


def test_the_direction_against_a_baseline() -> None:
    claim = printed(18.33, against=("base", 26))
    assert judge_claim(claim, {"x": [20.0], "base": [21.0]}).direction
    assert not judge_claim(claim, {"x": [22.0], "base": [21.0]}).direction
    assert judge_claim(claim, {"x": [22.0], "base": [math.inf]}).direction, (
        "a deadlock is longer than any run"
    )


def test_an_order_needs_every_pair() -> None:
    claim = Ordered("haste is the shortest", ("a", ("b", "c"), "d"), "text")
    assert judge_claim(claim, {"a": [1], "b": [3], "c": [2], "d": [4]}).agrees
    assert not judge_claim(claim, {"a": [1], "b": [3], "c": [2], "d": [3]}).agrees
    assert judge_claim(Ordered("", ("a", "b"), "", ties=True), {"a": [1], "b": [1]}).agrees
    assert judge_claim(Ordered("", ("a", "b"), ""), {"a": [1], "b": [math.inf]}).agrees
    assert not judge_claim(Ordered("", ("a", "b"), ""), {"a": [math.inf], "b": [math.inf]}).agrees


def test_a_random_order_needs_an_interval_of_paired_differences() -> None:
    claim = Ordered("", ("a", "b"), "")
    assert judge_claim(claim, {"a": [1, 10, 100], "b": [2, 11, 101.1]}).agrees, (
        "the seeds differ widely, the differences hardly"
    )
    assert not judge_claim(claim, {"a": [1, 10, 100], "b": [2, 9, 101]}).agrees


def test_alike_is_within_15_percent_of_the_mean() -> None:
    assert judge_claim(Similar("", ("a", "b"), ""), {"a": [85], "b": [115]}).agrees
    assert not judge_claim(Similar("", ("a", "b"), ""), {"a": [84], "b": [116]}).agrees
    assert judge_claim(Similar("", ("a", "b"), ""), {"a": [1], "b": [9]}).direction is None


@pytest.mark.parametrize(
    ("claims", "ours", "says", "count"),
    [
        ([printed(10)], 10, TOO_LITTLE, 1),
        ([printed(10), printed(10, basis=FORMULA)], 10, TOO_LITTLE, 1),
        ([printed(10), printed(10, untestable="not defined")], 10, TOO_LITTLE, 1),
        ([printed(10), printed(11)], 10, AGREES, 2),
        ([printed(10), printed(11), printed(90, basis=FORMULA)], 10, AGREES, 2),
        ([printed(20, side=True), printed(30, side=True)], 10, SAME, 2),
        ([printed(-20, side=True), printed(30, side=True)], 10, DIFFERS, 2),
        (
            [printed(20, side=True), printed(30)],
            10,
            DIFFERS,
            2,
        ),  # a number far off that has no side to fall back on
        ([printed(20), printed(30)], 10, DIFFERS, 2),
        (
            [printed(20, side=True), Similar("", ("x", "far"), "")],
            10,
            DIFFERS,
            2,
        ),  # what is called alike has no side to fall back on
        (
            [
                printed(20, side=True),
                Similar("", ("x", "far"), "", untestable="never acts"),
                printed(30, side=True),
            ],
            10,
            SAME,
            2,
        ),
        ([Similar("", ("x", "far"), ""), Similar("", ("x", "far"), "")], 10, DIFFERS, 2),
        ([Ordered("", ("x", "far"), ""), Ordered("", ("x", "far"), "")], 10, AGREES, 2),
        ([Ordered("", ("x", "far"), ""), Ordered("", ("far", "x"), "")], 10, DIFFERS, 2),
    ],
)
def test_the_verdict(claims: list, ours: float, says: str, count: int) -> None:
    samples = {"x": [ours], "far": [100.0]}
    assert verdict([judge_claim(claim, samples) for claim in claims]) == (says, count)


def test_a_number_that_served_in_the_fit_has_no_verdict() -> None:
    result = judge_claim(printed(10), {"x": [10.0]}, {"x"})
    assert (result.judged, result.counts) == (False, False)
    assert verdict([result, result]) == (TOO_LITTLE, 0)


def test_a_formula_is_judged_but_has_no_say() -> None:
    result = judge_claim(printed(10, basis=FORMULA), {"x": [10.0]})
    assert (result.judged, result.counts, result.agrees) == (True, False, True)


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        ((AGREES,), AGREES),
        ((SAME, SAME), SAME),
        ((AGREES, DIFFERS), DEPENDS),
        ((AGREES, TOO_LITTLE), DEPENDS),
    ],
)
def test_readings_together(verdicts: tuple[str, ...], says: str) -> None:
    assert overall(verdicts) == says
