"""Ranges around a number: the number lies on their grid, they stay legal, and steps add up in decimals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.ranges import Range, range_values, resolution, suggested_range, values_between

NUMBERS = st.one_of(
    st.integers(0, 10**6),
    st.integers(0, 10**6).map(lambda n: n / 100),
    st.floats(0.001, 1e6).map(lambda x: float(f"{x:.4g}")),
)


@given(value=NUMBERS, whole=st.booleans(), unit=st.sampled_from(["", "s", "MB", "nodes"]))
def test_the_number_is_on_the_grid_and_the_ends_are_legal(value, whole, unit):
    value = round(value) if whole else value
    result = suggested_range(value, 0, 1e9, is_integer=whole, unit=unit)
    values = range_values(result)
    assert value in values
    assert 0 <= result.first == values[0] <= value <= values[-1] == result.last <= 1e9
    assert not whole or all(isinstance(one, int) for one in values)
    assert 2 <= len(values) <= 120


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (0.05, 0, 1, (0, 1, 0.05)),
        (0.33, 0, 1, (0, 1, 0.01)),
        (0.5, 0.001, 10, (0.1, 10, 0.1)),
        (0.0, -10, 10, (-10, 10, 0.5)),
        (0.9, 0.001, 1, (0.05, 1, 0.05)),
    ],
)
def test_a_small_legal_range_is_offered_whole(value, low, high, expected):
    assert suggested_range(value, low, high, is_integer=False) == expected


def test_whole_numbers_one_by_one_memory_by_powers_of_two_and_no_further_than_fits():
    assert suggested_range(8, 1, 10**7, is_integer=True, unit="nodes") == (2, 24, 1)
    # 1024 / 4 = 256 to 3 x 1024 = 3072 in about 50 steps: 56.3, so 64.
    assert suggested_range(1024, 1, 10**9, is_integer=True, unit="MB") == (256, 3072, 64)
    assert suggested_range(3, 1, 10**9, is_integer=True, unit="vcores", max_value=4) == (1, 4, 1)


def test_a_grid_in_decimals():
    assert range_values(Range(0, 0.3, 0.1)) == [0, 0.1, 0.2, 0.3]
    assert range_values(Range(1, 9, 1), max_count=5) == [1, 3, 5, 7, 9]
    # Every second, such that 6 stays; both ends too.
    assert range_values(Range(1, 9, 1), max_count=5, anchor=6) == [1, 2, 4, 6, 8, 9]


@given(
    first=st.integers(-50, 50), steps=st.integers(1, 300), most=st.integers(2, 80), keep=st.integers(0, 300)
)
def test_a_thinned_grid_keeps_its_ends_and_what_it_must(first, steps, most, keep):
    of = Range(first / 10, (first + steps) / 10, 0.1)
    every, result = (
        range_values(of),
        range_values(of, most, anchor=every[keep % len(every)] if (every := range_values(of)) else None),
    )
    assert set(result) <= set(every)
    assert {every[0], every[-1], every[keep % len(every)]} <= set(result)
    assert len(result) <= most + 2
    assert result == sorted(result)


def test_between_two_values():
    assert values_between(2, 5, 1) == [3, 4]
    assert values_between(5, 2, 1) == [4, 3]
    assert values_between(0.1, 0.2, 0.025) == [0.125, 0.15, 0.175]
    assert values_between(3, 4, 1) == values_between(4, 4, 1) == []


@given(one=st.integers(-40, 40), other=st.integers(-40, 40), parts=st.sampled_from([1, 2, 4]))
def test_between_is_what_lies_strictly_inside(one, other, parts):
    # Quarters are exact in binary, so the slow way may count in floats.
    low, high = sorted((one, other))
    inside = [low + k / parts for k in range(1, (high - low) * parts)]
    assert values_between(one, other, 1 / parts) == (inside if one <= other else inside[::-1])


def test_resolution():
    assert resolution(256, True) == 1
    assert resolution(0.05, False) == 0.005
    assert math.isclose(resolution(2, False), 0.2)
