"""Rows of the Gantt chart: whose they are, in which order, and how high."""

from __future__ import annotations

import pytest

from engine.schedulers.view import MAP
from tests.webapp.figures.timeline.scheduled import BUSY, busy, idle
from tests.webapp.handmade_runs import run
from webapp.figures.highlight import NO_RACK, highlighted_containers
from webapp.figures.timeline.rows import RowOptions, rows
from webapp.figures.timeline.scene import Scene
from webapp.panels.timeline import picking


@pytest.mark.parametrize(("count", "px"), [(1, 96), (7, 240), (240, 240), (300, 290), (32_000, 240)])
def test_all_rows_fill_the_height_there_is(count: int, px: int) -> None:
    of = rows([idle(count)])._replace(px=px)
    assert of.range == (-0.5, count - 0.5)
    assert of.row_px == pytest.approx(px / count)
    part = of.zoomed_to((count / 4, count / 2 + 0.5))
    assert part.row_px == pytest.approx(px / min(max(count / 4 + 0.5, 1), count))


def test_an_idle_node_keeps_a_row() -> None:
    assert rows([busy()]).starts.tolist() == [0, 2, 3, 6]


def test_each_container_is_in_a_lane_of_its_node() -> None:
    assert rows([busy()]).rows_of(busy()).tolist() == [0, 1, 3, 4, 5]


def test_a_node_or_a_job_can_hold_all_in_one_row() -> None:
    assert rows([busy()], RowOptions("node")).rows_of(busy()).tolist() == [0, 0, 2, 2, 2]
    assert rows([busy()], RowOptions("job")).rows_of(busy()).tolist() == [0, 1, 0, 0, 1]
    assert rows([busy()], RowOptions("user")).rows_of(busy()).tolist() == [0] * 5
    assert rows([busy()], RowOptions("job")).names == ("j0", "j1")


def test_a_row_turned_the_other_way_round() -> None:
    closed = rows([busy()], RowOptions("lane", opened=frozenset({"n-3"})))
    assert (closed.rows_of(busy()).tolist(), closed.is_aggregate.tolist()) == (
        [0, 1, 3, 3, 3],
        [False, False, False, True],
    )
    # its containers at 0, 5 and 6 ms: three lanes
    opened = rows([busy()], RowOptions("job", opened=frozenset({"j0"})))
    assert (opened.rows_of(busy()).tolist(), opened.is_aggregate.tolist()) == (
        [0, 3, 1, 2, 3],
        [False, False, False, True],
    )
    user = rows([busy()], RowOptions("user", opened=frozenset({"user"})))
    assert set(rows([busy()], RowOptions("user")).names) == {busy().run.workload.job_users[0]}
    racks = rows([busy(racks=["a", "b", "b"])], RowOptions("rack", opened=frozenset({"b"})))
    assert (racks.names, racks.parents) == (("a", "n-2", "n-3"), ("", "b", "b"))
    assert user.row_count == 1


def test_what_fills_a_row() -> None:
    assert rows([busy()], RowOptions("node")).full.tolist() == [4, 4, 4]  # a node's own vcores
    assert rows([busy(racks=["a", "b", "b"])], RowOptions("rack")).full.tolist() == [4, 8, 8]
    peak = rows([busy()], RowOptions("job")).full
    assert peak.tolist() == [pytest.approx(3, abs=0.2)] * 2  # j0 holds 3 vcores from 6 to 9 ms


@pytest.mark.parametrize(
    ("sort", "names"),
    [("order", "n-1 n-2 n-3"), ("name", "n-1 n-2 n-3"), ("busy", "n-3 n-1 n-2"), ("first", "n-1 n-3 n-2")],
)
def test_rows_are_sorted(sort: str, names: str) -> None:
    assert rows([busy()], RowOptions("lane", sort)).names == tuple(names.split())


def test_numbers_in_names_count_as_numbers() -> None:
    scene = Scene(run(BUSY[:2], jobs=3, names=["job10", "job9", "Job1"]))
    assert rows([scene], RowOptions("job", "name")).names == ("Job1", "job9", "job10")


def test_rows_are_filtered_by_part_of_a_name_or_rack_and_the_others_are_counted() -> None:
    result = rows([busy()], RowOptions("lane", find=" N-3 "))
    assert (result.names, result.hidden, result.rows_of(busy()).tolist()[2:]) == (("n-3",), 2, [0, 1, 2])
    assert (result.rows_of(busy())[:2] < 0).all()
    assert rows([busy(racks=["east", "west", "west"])], RowOptions("lane", find="west")).names == (
        "n-2",
        "n-3",
    )
    nothing = rows([busy()], RowOptions("lane", find="none such"))
    assert (nothing.names, nothing.hidden, nothing.row_count) == ((), 3, 1)


def test_nodes_of_a_rack_stand_together() -> None:
    of = rows([Scene(run(BUSY[:1], nodes=4, racks=["b", "a", "b", "a"]))])
    assert of.names == ("n-1", "n-3", "n-2", "n-4")
    assert of.parents == ("b", "b", "a", "a")


def test_runs_side_by_side_share_their_rows() -> None:
    one = run([{"kind": MAP, "start": 0, "end": 9}, {"kind": MAP, "start": 1, "end": 9}], nodes=2)
    other = run([{"kind": MAP, "start": 0, "end": 9, "node": 1}], nodes=2)
    assert rows([Scene(one), Scene(other)]).starts.tolist() == [0, 2, 3]


def test_what_is_looked_at_is_cut_to_what_there_is() -> None:
    of = rows([busy()])
    assert of.zoomed_to((1.5, 3.0)).seen == (1.5, 3.0)
    assert of.zoomed_to((1.5, 3.0)).drawn == (1, 2)
    assert of.zoomed_to((4.0, 9.0)).seen == (1.0, 6.0)
    assert of.zoomed_to((-3.0, 3.5)).seen is None
    assert of.zoomed_to((2.2, 2.3)).seen == (2.2, 3.2)


def test_the_row_of_the_hosts_without_a_rack_can_be_highlighted() -> None:
    scene = busy(racks=["", "r", ""])
    of = rows([scene], RowOptions("rack"))
    selection = picking.group_of(of, of.names.index(NO_RACK))
    assert selection.text == "rack:(none)"
    mine = highlighted_containers(scene.run, selection.text)
    assert mine.all()  # the rack's own host idles
    assert highlighted_containers(scene.run, "rack:r").tolist() == [False] * len(BUSY)
