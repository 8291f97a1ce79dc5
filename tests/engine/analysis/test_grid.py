"""Sums over a grid, against loops that say the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.grid import bin_coverage, bin_means

SPANS = st.lists(
    st.tuples(
        st.integers(-1, 3), st.integers(0, 2), st.integers(-20, 120), st.integers(0, 90), st.integers(1, 5)
    ),
    max_size=25,
)


@given(SPANS, st.integers(0, 50), st.integers(1, 80), st.integers(1, 13))
def test_covered_equals_its_slow_twin(found, first: int, length: int, bins: int) -> None:
    window, width = (first, first + length), length / bins
    naive = np.zeros((4, 3, bins))
    for line, kind, start, long, weight in found:
        for place in range(bins):
            low, high = first + place * width, first + (place + 1) * width
            if line >= 0:
                naive[line, kind, place] += (
                    weight * max(0.0, min(start + long, high) - max(start, low)) / width
                )
    line, kind, start, long, weight = (
        np.array([span[place] for span in found], np.int64) for place in range(5)
    )
    got = bin_coverage(
        np.arange(len(found)), kind, start, start + long, line, weight.astype(float), window, (4, 3, bins)
    )
    assert np.allclose(got, naive, atol=1e-6)


def test_owners_may_have_several_intervals() -> None:
    # Owner 1, weight 2, on line 0: [0, 4) of kind 0 and [4, 10) of kind 1; bins of 5 ms.
    got = bin_coverage(
        np.array([1, 1]),
        np.array([0, 1]),
        np.array([0, 4]),
        np.array([4, 10]),
        np.array([-1, 0]),
        np.array([1.0, 2.0]),
        (0, 10),
        (1, 2, 2),
    )
    assert np.allclose(got[0], [[1.6, 0.0], [0.4, 2.0]])


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=15),
    st.integers(-20, 100),
    st.integers(1, 150),
    st.integers(1, 12),
)
def test_means_equal_their_slow_twin(pieces, first: int, length: int, bins: int) -> None:
    times = np.cumsum([0] + [piece[0] for piece in pieces])
    levels = np.array([piece[1:] for piece in pieces], np.int32)
    naive, width = np.zeros((bins, 2)), length / bins
    for place in range(bins):
        low, high = first + place * width, first + (place + 1) * width
        for piece in range(len(pieces)):
            naive[place] += (
                max(0.0, min(times[piece + 1], high) - max(times[piece], low)) / width * levels[piece]
            )
    assert np.allclose(bin_means(times, levels, (first, first + length), bins), naive)
