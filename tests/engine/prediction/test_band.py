"""The band around them."""

from __future__ import annotations

import pytest

from engine.prediction.band import Band, band


def test_a_band_is_around_what_is_simulated() -> None:
    assert Band(0.9, 1.1, 7, "").words(8_640.0) == "2 h 10 min to 2 h 38 min"
    assert Band(1.0, 1.0, 7, "").words(94.0) == "1 min 34 s"


def test_of_fewer_than_ten_jobs_it_is_the_least_to_the_most() -> None:
    few, many = band([1.2, 0.8, 1.0], "jobs"), band([1 + place / 100 for place in range(11)], "jobs")
    assert (few.low, few.high, few.of) == (0.8, 1.2, 3)
    assert (many.low, many.high) == pytest.approx((1.01, 1.09))
    assert band([], "jobs").of == 0
