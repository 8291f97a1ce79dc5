"""The capacity split over a window: parts that add up, exact where there is room and true on average where
there is not.
"""

from __future__ import annotations

import numpy as np

from tests.webapp.figures.timeline.splits import CAPACITY, split
from webapp.figures.timeline.capacity_areas import capacity_levels


def test_few_pieces_are_exact() -> None:
    result = split(50)
    of = capacity_levels(result, "vcores", (0, 10_000), 600)
    assert not of.even
    at = np.searchsorted(of.time, result.times[:-1], "right") - 1
    assert of.time[at].tolist() == result.times[:-1].tolist()
    assert of.parts[at].tolist() == result.vcores.parts.tolist()


def test_many_pieces_are_averaged_and_still_add_up() -> None:
    result = split(5_000)
    of = capacity_levels(result, "vcores", (0, 10_000), 222)
    shown = of.parts[:-1]
    assert of.even
    assert len(shown) == 148
    assert np.allclose(shown.sum(axis=1), CAPACITY, atol=1e-5)
    assert np.allclose(shown.mean(axis=0) * 10_000, list(result.vcores.totals.values()), rtol=1e-5)
    assert np.allclose(of.held.level, of.level[:, :10].sum(axis=1))


def test_the_window_cuts_out() -> None:
    result = split(50)
    window = int(result.times[10]), int(result.times[20])
    of = capacity_levels(result, "vcores", window, 600)
    assert (of.time[0], of.time[-1]) == window
    assert of.parts[0].tolist() == result.vcores.parts[10].tolist()


def test_after_the_end_there_is_nothing() -> None:
    for pieces in (50, 5_000):
        of = capacity_levels(split(pieces), "vcores", (0, 20_000), 300)
        assert not of.level[of.time > 10_067].any()  # 67 ms: a bin of 1.5 pixels


def test_memory_is_another_resource() -> None:
    result = split(50)
    assert capacity_levels(result, "MB", (0, 10_000), 600).parts[:-2].sum(axis=1).tolist() == [
        CAPACITY * 1024
    ] * (len(result.times) - 1)


def test_what_is_wasted_later_is_told_beside_the_parts() -> None:
    result = split(50, killed=True)
    of = capacity_levels(result, "vcores", (0, 10_000), 600)
    at = np.searchsorted(of.time, result.times[:-1], "right") - 1
    lower, upper = of.wasted
    assert (upper - lower)[at].tolist() == result.vcores.wasted.tolist()
    assert np.array_equal(*capacity_levels(split(50), "vcores", (0, 10_000), 600).wasted)
