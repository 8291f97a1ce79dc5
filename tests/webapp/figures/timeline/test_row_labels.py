"""What stands beside the rows: names that never overlap, and lines where there is room."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.webapp.figures.timeline.scheduled import BUSY, busy, idle
from tests.webapp.handmade_runs import run
from tests.webapp.svg_reading import read, words
from webapp.figures.timeline.row_labels import LABEL_PX, draw_lines, draw_names, parent_spans
from webapp.figures.timeline.rows import RowOptions, Rows, rows
from webapp.figures.timeline.scene import Scene

ROOM = 92


def shown(of: Rows, room: float = ROOM) -> list[tuple[float, str]]:
    """Height and words of each name; letters of 12 px stand 4 px below their middle."""
    return [
        (float(one.get("y")) - 4, one.text)
        for one in read(draw_names(of, room)).iter("text")
        if one.get("class") == "name"
    ]


def drawn(of: Rows, kind: str) -> list[float]:
    """The heights of the lines of a class."""
    return [
        float(y)
        for path in read(draw_lines(of, 500)).iter("path")
        if path.get("class") == kind
        for y in re.findall(r"M0 ([\d.]+)h500", path.get("d"))
    ]


@pytest.mark.parametrize("px", [96, 240, 600])
@pytest.mark.parametrize(("nodes", "lanes"), [(8, 4), (200, 8), (1, 3), (4000, 1), (50, 1)])
def test_names_never_overlap_and_there_are_as_many_as_fit(nodes: int, lanes: int, px: int) -> None:
    of = rows([idle(nodes, lanes)])._replace(px=px)
    result = shown(of)
    assert result[0][1] == ("n-1" if nodes > 1 else "n")
    heights = [height for height, _ in result]
    assert (np.diff(heights) >= LABEL_PX - 0.1).all()
    assert heights[0] >= 0 and heights[-1] <= px
    assert len(result) >= min(nodes, px // LABEL_PX // 4)


def test_a_name_stands_in_the_middle_of_its_rows() -> None:
    of = rows([busy()])._replace(px=120)  # of 6 rows of 20 px n-1 has 2, n-2 one, n-3 three
    assert shown(of) == [(20, "n-1"), (50, "n-2"), (90, "n-3")]
    assert shown(of.zoomed_to((2.0, 6.0))) == [(15, "n-2"), (75, "n-3")]


def test_the_first_and_the_last_name_are_not_cut_at_the_edges() -> None:
    of = rows([idle(200, 1)])._replace(px=400)  # rows of 2 px
    heights = [height for height, _ in shown(of)]
    assert heights[0] == 6 and heights[-1] <= 394
    # of rows of 43 px little is seen at the edges
    part = [height for height, _ in shown(of.zoomed_to((50.9, 60.1)))]
    assert part[0] >= 6 and part[-1] <= 394 and (np.diff(part) >= LABEL_PX - 0.1).all()


def test_a_name_is_no_markup_and_keeps_its_number() -> None:
    of = lambda name: rows([Scene(run(BUSY[:1], names=[name]))], RowOptions("job"))
    assert shown(of("<b>&")) == [(120, "<b>&")]
    assert [text for _, text in shown(of("a-very-long-name-of-a-job-17"))] == ["a-very…job-17"]


def test_hosts_are_told_apart() -> None:
    hosts = tuple(f"rack-7-a{2115 + number}.smile.com.example.org" for number in range(3))
    of = rows([idle(3)])._replace(names=hosts, px=120)
    assert [text for _, text in shown(of)] == ["rack-7-a2115", "rack-7-a2116", "rack-7-a2117"]
    assert [text for _, text in shown(of, room=64)] == ["rac…2115", "rac…2116", "rac…2117"]


def test_nodes_are_parted_by_lines_while_there_is_room() -> None:
    assert drawn(rows([busy()])._replace(px=120), "between") == [40, 60]
    assert drawn(rows([busy()])._replace(px=120).zoomed_to((1.0, 3.0)), "between") == [60]
    assert drawn(rows([idle(400)])._replace(px=400), "between") == []


def test_racks_are_named_along_the_edge_and_parted() -> None:
    of = rows([Scene(run(BUSY[:1], nodes=4, racks=["<b>", "a", "<b>", "a"]))])._replace(px=200)
    assert parent_spans(of) == [("<b>", 0, 2), ("a", 2, 4)]
    assert words(read(draw_names(of, ROOM)), "parent") == ["<b>", "a"]
    assert drawn(of, "racks") == [100]
    alone = rows([busy()])._replace(px=200)
    assert words(read(draw_names(alone, ROOM)), "parent") == drawn(alone, "racks") == []


def test_without_rows_there_is_no_name() -> None:
    assert draw_names(rows([busy()], RowOptions("lane", find="none such")), ROOM) == ""
