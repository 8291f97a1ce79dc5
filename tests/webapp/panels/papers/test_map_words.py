"""A map in words: the bounds within which the claim holds are found from its points."""

from __future__ import annotations

import math

import pytest

from engine.dashboard import Axis
from tests.phrases import phrase
from tests.webapp.panels.papers.made_up_map import X, Y, a_map, grid
from webapp.panels.papers.map_words import (
    axis_in_sentence,
    axis_position,
    axis_title,
    map_sentence,
    value_text,
)

WIDE = Axis("Fetch rate", "MB/s", (1.0, 2.0, 4.0, 8.0, 16.0), log=True)


def said(holds) -> str:
    claim_map = a_map(WIDE, Y._replace(calibrated=None))
    return map_sentence(claim_map, grid(claim_map, lambda a, b: a - b, holds)).removeprefix(
        phrase("papers.before_b_holds") + " "
    )


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (lambda x, y: True, phrase("papers.at_every_one_points", 20)),
        (lambda x, y: False, phrase("papers.at_none_points", 20)),
        (lambda x, y: x <= 4, phrase("papers.where_fetch_rate_mb_s", 4, 12, 8)),
        (lambda x, y: y >= 2, phrase("papers.where_staggered_masters_s_at", 2, 15, 5)),
        (lambda x, y: x <= 4 and y >= 2, phrase("papers.where_fetch_rate_mb_s_and", 4, 2, 9, 11)),
        (lambda x, y: x >= 8 or y >= 10, phrase("papers.where_fetch_rate_mb_s_or", 8, 10, 11, 9)),
        (lambda x, y: x <= 4 and (x, y) != (1, 0), phrase("papers.where_fetch_rate_mb_s_at", 4, 11, 12, 8)),
        (
            lambda x, y: x <= 4 or (x, y) == (16, 0),
            phrase("papers.where_fetch_rate_mb_s_at_all", 4, 12, 1, 8),
        ),
        (lambda x, y: (x + y) % 3 == 1, phrase("papers.at_points_and_no_bound", 5, 20)),
    ],
)
def test_where_it_holds(holds, words: str) -> None:
    assert said(holds) == words


def test_what_there_is_where_the_experiment_stands() -> None:
    claim_map = a_map(X._replace(calibrated=4.0), Y._replace(calibrated=2.0))
    text = map_sentence(claim_map, grid(claim_map, lambda x, y: -12.345, lambda x, y: True))
    assert text.endswith(phrase("papers.at_experiments_own_fetch_rate", 4, 2, "−12.3"))
    near = map_sentence(
        a_map(X._replace(calibrated=5.0), Y),
        grid(claim_map, lambda x, y: 3.0 if x > 1 else -1.0, lambda x, y: False),
    )
    assert phrase("papers.nearest_point_mb_s_s", 4, 4, "+3") in near
    beyond = map_sentence(
        a_map(X._replace(calibrated=100.0), Y), grid(claim_map, lambda x, y: 3.0, lambda x, y: True)
    )
    assert beyond.endswith(phrase("papers.experiments_own_fetch_rate_mb", 100))


def test_a_value_between_two_lies_between_them_by_the_axis_scale() -> None:
    assert axis_position(X, 4.0) == 1 and axis_position(X, 8.0) == 1.5 and axis_position(X, 2.0) == 0.5
    assert axis_position(Y, 7.0) == 2.5
    assert axis_position(Y, 99.0) == 3


def test_names_and_numbers() -> None:
    assert (
        axis_title(X) == phrase("papers.fetch_rate_mb_s_log")
        and axis_title(Axis("Contention", "", (0.0, 1.0))) == "Contention"
    )
    assert axis_in_sentence(Axis("FRESH's maps", "s", (0.0, 1.0))) == "FRESH's maps"
    assert (
        value_text(math.inf, "%"),
        value_text(-0.126, "s"),
        value_text(7.061, "%", True),
        value_text(7.061, "%"),
    ) == (
        "deadlock",
        "−0.126 s",
        "+7.06 %",
        "7.06 %",
    )
