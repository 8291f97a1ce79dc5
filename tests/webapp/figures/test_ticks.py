"""Ticks are round and few."""

from __future__ import annotations

import pytest

from webapp.figures.ticks import share_ticks, time_ticks


@pytest.mark.parametrize(
    ("x0", "x1", "most", "found"),
    [
        (0, 281, 8, ["0:00", "1:00", "2:00", "3:00", "4:00"]),
        (3.2, 5.1, 4, ["0:03.5", "0:04.0", "0:04.5", "0:05.0"]),
        (3000, 7300, 2, ["1:00:00", "2:00:00"]),
        (-5, 30, 4, ["0:00", "0:10", "0:20", "0:30"]),
        (0, 0.9, 2, ["0:00.0", "0:00.5"]),
        (0, 1e7, 3, ["0:00", "1,200:00:00", "2,400:00:00"]),
        (0.0101, 0.0139, 9, ["0:00.011", "0:00.012", "0:00.013"]),
        (5, 5, 9, []),
        (0, 9, 0, []),
    ],
)
def test_ticks_are_round_and_few(x0: float, x1: float, most: int, found: list[str]) -> None:
    ticks = time_ticks(x0, x1, most)
    assert [text for _, text in ticks] == found
    assert all(x0 <= at <= x1 for at, _ in ticks)


@pytest.mark.parametrize(
    ("low", "high", "max_count", "texts"),
    [
        (0, 1, 6, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
        (-0.31, 0.22, 7, ["−30 %", "−20 %", "−10 %", "0 %", "10 %", "20 %"]),
        (0, 0.004, 6, ["0 %", "0.1 %", "0.2 %", "0.3 %", "0.4 %"]),
    ],
)
def test_ticks_of_shares_are_round_percentages(
    low: float, high: float, max_count: int, texts: list[str]
) -> None:
    axis = share_ticks(low, high, max_count)
    assert axis["ticktext"] == texts and len(axis["tickvals"]) == len(texts)
