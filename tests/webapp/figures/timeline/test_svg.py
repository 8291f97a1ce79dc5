"""Pieces of SVG: levels traced as they are, names that are no markup."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.figures.timeline.areas import area
from tests.webapp.svg_reading import boxes, level_at, points, read
from webapp.figures.timeline import svg

levels = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


@given(levels)
def test_steps_and_what_lies_under_them_trace_the_levels(found: list[tuple[int, int, int]]) -> None:
    x = np.cumsum([width for width, _, _ in found]).astype(float)
    y = np.array([level for _, level, _ in found], float)
    corners = points(svg.step_path(x, y))
    assert [level_at(corners, at + 0.5) for at in x[:-1]] == y[:-1].tolist()
    assert area(svg.area_under(x, y, 7)) == pytest.approx(float(((7 - y[:-1]) * np.diff(x)).sum()))


@given(levels)
def test_between_two_levels_lies_their_difference(found: list[tuple[int, int, int]]) -> None:
    x = np.cumsum([width for width, _, _ in found]).astype(float)
    upper = np.array([level for _, level, _ in found], float)
    lower = upper + [more for _, _, more in found]
    assert area(svg.area_between(x, upper, lower)) == pytest.approx(
        float(((lower - upper)[:-1] * np.diff(x)).sum())
    )


def test_points_that_change_nothing_are_left_out() -> None:
    x, y = np.arange(100.0), np.where(np.arange(100) < 50, 1.0, 2.0)
    assert svg.step_path(x, y) == "M0.0 1.0H50.0V2.0H99.0V2.0"


def test_boxes_are_one_path() -> None:
    left, top, wide = (np.array(values, float) for values in ([0, 10.26], [1, 2], [3, 4]))
    drawn = svg.box_path(left, top, wide, 5, "p-map")
    assert drawn.count("<path") == 1
    assert boxes(read(drawn), "p-map") == [(0, 1, 3, 5), (10.3, 2, 4, 5)]
    assert svg.box_path(left[:0], top[:0], wide[:0], 5, "p-map") == ""


def test_words_are_no_markup() -> None:
    (result,) = read(svg.text_element(1, 2, "</text><script>&\"'", "name"))
    assert (result.tag, result.text, result.get("class")) == ("text", "</text><script>&\"'", "name")
    assert "class" not in read(svg.text_element(1, 2, "a"))[0].attrib


def test_words_are_cut_to_the_room_there_is() -> None:
    assert svg.fit_text("wordcount-12", 100) == "wordcount-12"
    assert svg.fit_text("wordcount-12", 6.1 * svg.LETTER_PX) == "wo…-12"
    assert svg.fit_text("ab", 2 * svg.LETTER_PX) == "ab"
    assert svg.fit_text("abcd", 2.9 * svg.LETTER_PX) == ""
    assert svg.fit_text("abcd", -5) == ""
