"""Rows of the Gantt chart: their heights are whole pixels, and names that do not fit are left out."""

from __future__ import annotations

import numpy as np
import pytest

from engine.run import MAP
from tests.webapp.made import run
from webapp.figures.rows import HIDDEN, LABEL_PX, LETTER_PX, LETTERED_PX, MOST_PX, axis, racks, rows, shared_rows


@pytest.mark.parametrize("count", [1, 2, 5, 30, 59, 61, 240, 480])
def test_a_row_is_a_whole_number_of_pixels(count: int) -> None:
    of = rows(np.full(count, 1), [""] * count)
    assert of.row_px == int(of.row_px) >= 1
    assert of.px == count * of.row_px <= (LETTERED_PX if of.row_px >= LETTER_PX else MOST_PX)


@pytest.mark.parametrize("count", [481, 1000, 32_000])
def test_a_pixel_line_is_a_whole_number_of_rows(count: int) -> None:
    of = rows(np.full(count, 1), [""] * count)
    assert of.px <= MOST_PX
    assert 0 <= of.px * of.per_px - count < of.per_px
    assert of.bottom == of.px * of.per_px - 0.5


def test_an_idle_node_keeps_a_row() -> None:
    assert rows(np.array([2, 0, 3]), [""] * 3).starts.tolist() == [0, 2, 3, 6]


def test_nodes_of_a_rack_stand_together() -> None:
    of = rows(np.array([1, 1, 1, 1]), ["b", "a", "b", "a"])
    assert of.nodes.tolist() == [0, 2, 1, 3]
    assert of.first.tolist() == [0, 2, 1, 3]
    assert racks(of, ["b", "a", "b", "a"]) == [("b", 0, 2), ("a", 2, 4)]


def test_only_the_nodes_asked_for_are_shown() -> None:
    of = rows(np.array([2, 3, 4, 5]), [""] * 4, (1, 3))
    assert of.first.tolist() == [HIDDEN, 0, 3, HIDDEN]
    assert of.count == 7


def test_runs_side_by_side_share_their_rows() -> None:
    one = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 1, "end": 9}], nodes=2)
    other = run([{"kind": MAP, "start": 0, "end": 9, "node": 1}], nodes=2)
    assert shared_rows([one, other]).tolist() == [2, 1]


@pytest.mark.parametrize(("nodes", "lanes"), [(8, 4), (200, 8), (1, 3), (4000, 1), (50, 1)])
def test_names_never_overlap(nodes: int, lanes: int) -> None:
    of = rows(np.full(nodes, lanes), [""] * nodes)
    shown = axis(of, [f"worker-{number + 1}" for number in range(nodes)], 12)
    assert shown["ticktext"][0] == "worker-1"
    assert (np.diff(shown["tickvals"]) * of.row_px >= LABEL_PX).all()
    assert len(shown["tickvals"]) >= min(nodes, 15)


def test_a_name_is_no_markup_and_keeps_its_number() -> None:
    of = rows(np.array([1]), [""])
    assert axis(of, ["<b>&"], 12)["ticktext"] == ["&lt;b&gt;&amp;"]
    assert axis(of, ["a-very-long-name-of-a-node-17"], 12)["ticktext"] == ["a-ver…ode-17"]


def test_nodes_are_parted_by_lines_while_there_is_room() -> None:
    assert axis(rows(np.array([2, 1]), [""] * 2), ["a", "b"], 9)["minor"]["tickvals"] == [1.5]
    assert "minor" not in axis(rows(np.full(400, 1), [""] * 400), ["n"] * 400, 9)
