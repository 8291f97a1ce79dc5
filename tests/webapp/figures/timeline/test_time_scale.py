"""Where a drawing stands in time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.figures.timeline.time_scale import TimeScale


def test_half_a_window_is_drawn_on_either_side_within_all_there_is() -> None:
    assert TimeScale.of((400, 600), (0, 1_000), 800).drawn == (300, 700)
    assert TimeScale.of((0, 100), (0, 1_000), 800).drawn == (0, 150)
    assert TimeScale.of((0, 1_000), (0, 1_000), 800).drawn == (0, 1_000)
    # what is looked at is drawn, even where nothing is
    assert TimeScale.of((-50, 2_000), (0, 1_000), 800).drawn == (
        -50,
        2_000,
    )


@given(
    st.integers(0, 10**9),
    st.integers(1, 10**9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.integers(100, 4000),
)
def test_the_window_is_as_wide_as_the_chart(
    first: int, length: int, before: int, after: int, width: int
) -> None:
    place = TimeScale.of((first, first + length), (max(first - before, 0), first + length + after), width)
    left, right = place.window_px
    assert (left, right) == pytest.approx(tuple(place.x(np.array(place.window))), abs=1)
    assert right - left == pytest.approx(width)
    assert 0 <= left < right <= place.px + 1
    assert place.px <= 2 * width + width / length + 1


def test_times_are_px_cut_to_the_drawing() -> None:
    place = TimeScale((0, 100), (0, 150), 200)
    assert place.px == 300
    assert place.x(np.array([-5, 0, 50, 150, 900])).tolist() == [0, 0, 100, 300, 300]
