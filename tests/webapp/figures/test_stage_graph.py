"""The stages of an application, drawn from left to right."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from webapp.figures.stage_graph import (
    BETWEEN_PX,
    GAP_PX,
    HEIGHT_PX,
    LANE_PX,
    MARGIN_PX,
    MAX_STAGES,
    WIDTH_PX,
    draw_stages,
)

STEP_PX = WIDTH_PX + BETWEEN_PX


def boxes(text: str) -> dict[str, tuple[float, float]]:
    """Left and top of each box by its title."""
    groups = ElementTree.fromstring(text).findall("g")
    return {
        group.findtext("title", ""): (float(rect.get("x", "")), float(rect.get("y", "")))
        for group in groups
        if (rect := group.find("rect")) is not None
    }


def lines(text: str) -> list[list[float]]:
    """The numbers of each line's path."""
    path = ElementTree.fromstring(text).find("path")
    paths = (path.get("d", "") if path is not None else "").split("M")[1:]
    return [[float(number) for number in re.findall(r"[\d.]+", one)] for one in paths]


def test_a_stage_stands_to_the_right_of_all_that_it_comes_after() -> None:
    drawn = draw_stages(
        [
            {"name": "left", "tasks": 40},
            {"name": "right", "tasks": 1},
            {"name": "join", "tasks": 10, "after": ["left", "right"]},
            {"tasks": 5, "after": ["join", "left"]},
        ]
    )
    first, pitch = MARGIN_PX, HEIGHT_PX + GAP_PX
    height = HEIGHT_PX + GAP_PX + HEIGHT_PX
    # in the second column the line from left to stage4 is above join, as left is above right
    above_join = (height - LANE_PX - GAP_PX - HEIGHT_PX) / 2 + LANE_PX + GAP_PX
    assert boxes(drawn) == {
        "left: 40 tasks": (first, MARGIN_PX),
        "right: 1 task": (first, MARGIN_PX + pitch),
        "join: 10 tasks": (first + STEP_PX, MARGIN_PX + above_join),
        "stage4: 5 tasks": (first + 2 * STEP_PX, MARGIN_PX + (height - HEIGHT_PX) / 2),
    }
    ends = [(path[0], path[-2] if len(path) == 8 else path[-2]) for path in lines(drawn)]
    right = first + WIDTH_PX
    assert ends == [
        (right, first + STEP_PX),
        (right, first + STEP_PX),
        (right + STEP_PX, first + 2 * STEP_PX),
        (right, first + 2 * STEP_PX),
    ]


def test_what_is_no_earlier_stage_draws_no_line_and_names_are_text() -> None:
    drawn = draw_stages([{"name": "<b>&", "tasks": "x", "after": ["late", "<b>&", 3]}, {"name": "late"}])
    assert list(boxes(drawn)) == ["<b>&: ?", "late: ?"] and lines(drawn) == []
    assert draw_stages(MAX_STAGES * [{"tasks": 1}]) and draw_stages((MAX_STAGES + 1) * [{"tasks": 1}]) == ""


def test_a_long_name_is_cut_in_its_box_and_whole_in_its_title() -> None:
    name = "count at WordCount.scala:31"
    drawn = draw_stages([{"name": name, "tasks": 1_000_000}])
    (shown, tasks) = (text.text or "" for text in ElementTree.fromstring(drawn).iter("text"))
    assert list(boxes(drawn)) == [f"{name}: 1,000,000 tasks"]
    assert len(shown) < len(name) and "…" in shown and tasks == "1,000,000 tasks"
