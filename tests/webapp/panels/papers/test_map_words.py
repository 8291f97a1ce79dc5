"""A map in words: the bounds within which the claim holds are found from its points."""

from __future__ import annotations

import math

import pytest

from engine import Axis
from tests.webapp.panels.papers.made_up_map import X, Y, a_map, grid
from webapp.panels.papers.map_words import named, place, reads, titled, value_text

WIDE = Axis("Fetch rate", "MB/s", (1.0, 2.0, 4.0, 8.0, 16.0), log=True)


def said(holds) -> str:
    one = a_map(WIDE, Y._replace(calibrated=None))
    return reads(one, grid(one, lambda a, b: a - b, holds)).removeprefix("A before B: it holds ")


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (lambda x, y: True, "at every one of the 20 points."),
        (lambda x, y: False, "at none of the 20 points."),
        (lambda x, y: x <= 4, "where fetch rate ≤ 4 MB/s: at all 12 points there, and at none of the 8 others."),
        (lambda x, y: y >= 2, "where staggered masters ≥ 2 s: at all 15 points there, and at none of the 5 others."),
        (lambda x, y: x <= 4 and y >= 2, "where fetch rate ≤ 4 MB/s and staggered masters ≥ 2 s: at all 9 points there, and at none of the 11 others."),
        (lambda x, y: x >= 8 or y >= 10, "where fetch rate ≥ 8 MB/s or staggered masters ≥ 10 s: at all 11 points there, and at none of the 9 others."),
        (lambda x, y: x <= 4 and (x, y) != (1, 0), "where fetch rate ≤ 4 MB/s: at 11 of the 12 points there, and at none of the 8 others."),
        (lambda x, y: x <= 4 or (x, y) == (16, 0), "where fetch rate ≤ 4 MB/s: at all 12 points there, and at 1 of the 8 others."),
        (lambda x, y: (x + y) % 3 == 1, "at 5 of the 20 points, and no bound of the two tells which."),
    ],
)
def test_where_it_holds(holds, words: str) -> None:
    assert said(holds) == words


def test_what_there_is_where_the_experiment_stands() -> None:
    one = a_map(X._replace(calibrated=4.0), Y._replace(calibrated=2.0))
    text = reads(one, grid(one, lambda x, y: -12.345, lambda x, y: True))
    assert text.endswith("At the experiment's own fetch rate 4 MB/s and staggered masters 2 s it holds: A's makespan beside B's −12.3 %.")
    near = reads(a_map(X._replace(calibrated=5.0), Y), grid(one, lambda x, y: 3.0 if x > 1 else -1.0, lambda x, y: False))
    assert "(the nearest point: 4 MB/s, 4 s) it does not hold: A's makespan beside B's +3 %." in near
    beyond = reads(a_map(X._replace(calibrated=100.0), Y), grid(one, lambda x, y: 3.0, lambda x, y: True))
    assert beyond.endswith("The experiment's own fetch rate 100 MB/s is beyond the map.")


def test_a_value_between_two_lies_between_them_by_the_axis_scale() -> None:
    assert place(X, 4.0) == 1 and place(X, 8.0) == 1.5 and place(X, 2.0) == 0.5
    assert place(Y, 7.0) == 2.5
    assert place(Y, 99.0) == 3


def test_names_and_numbers() -> None:
    assert titled(X) == "Fetch rate (MB/s, log)" and titled(Axis("Contention", "", (0.0, 1.0))) == "Contention"
    assert named(Axis("FRESH's maps", "s", (0.0, 1.0))) == "FRESH's maps"
    assert (value_text(math.inf, "%"), value_text(-0.126, "s"), value_text(7.061, "%", True), value_text(7.061, "%")) == (
        "deadlock",
        "−0.126 s",
        "+7.06 %",
        "7.06 %",
    )
