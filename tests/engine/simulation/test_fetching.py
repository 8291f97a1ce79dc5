"""What the kernel keeps so that a reduce's shuffle costs little, against looking at every map."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from engine.simulation.kernel.fetching import find_hull, latest_of_hull


@given(st.lists(st.integers(0, 300), min_size=1, max_size=40), st.lists(st.integers(0, 200).map(lambda quarters: quarters / 4), max_size=20))
def test_the_maps_on_the_hull_tell_when_a_shuffle_ends(ends, fetching):
    ends, count, filler = sorted(ends), len(ends), [-7, -7]
    view = SimpleNamespace(job_maps=[2, count])
    state = SimpleNamespace(map_base=[0, 2], map_ends=filler + ends, hull=filler + [0] * count, hull_count=[0, 0])
    find_hull(view, state, 1)
    for each in fetching:
        assert latest_of_hull(view, state, 1, each) == max(end + (count - place) * each for place, end in enumerate(ends))
