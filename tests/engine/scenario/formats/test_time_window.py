"""The part of a long file that makes a scenario."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.scenario.formats.time_window import fullest_window


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30), st.integers(0, 60))
def test_no_span_has_more_and_none_as_full_is_earlier(times: list[int], span: int) -> None:
    arrivals = sorted(times)
    start, end = fullest_window(arrivals, span)
    counts = [sum(0 <= later - first <= span for later in arrivals[at:]) for at, first in enumerate(arrivals)]
    assert end - start == max(counts) and start == counts.index(max(counts))
    assert arrivals[end - 1] - arrivals[start] <= span
