"""What a click into a Gantt chart finds."""

from __future__ import annotations

import pytest

from engine import Run, Scenario, simulate
from webapp.figures import shared_rows
from webapp.panels.pick import Click, bar, container_at, first_from


@pytest.fixture
def run(small: dict) -> Run:
    """Slowstart 0: the reduce from 0 to 17 s, the maps from 1 to 11 s and from 2 to 12 s, each in a row of its own."""
    small["jobs"][0]["slowstart"] = 0.0
    return simulate(Scenario.of(small), "fifo")


def at(run: Run, row: float, seconds: float, near: float = 0.0) -> str | None:
    found = container_at(run, shared_rows([run]), row, 1000 * seconds, near, 1000 * near)
    return None if found is None else f"{['am', 'reduce', 'map'][run.containers.kind[found]]} {run.containers.index[found]}"


def test_each_bar_is_found_where_it_is_drawn(run: Run) -> None:
    assert [at(run, 0, 5), at(run, 1, 5), at(run, 2, 5)] == ["reduce 0", "map 0", "map 1"]
    assert [at(run, 0.4, 16.9), at(run, -0.4, 0.1)] == ["reduce 0"] * 2


def test_nothing_is_found_where_nothing_is(run: Run) -> None:
    assert at(run, 1, 0.5) is None
    assert at(run, 1, 13) is None
    assert at(run, 7, 5) is None


def test_in_a_picture_the_nearest_is_found(run: Run) -> None:
    assert at(run, 1, 0.5, near=1) == "map 0"
    assert at(run, 1, 11.3, near=0.6) == "map 0"
    assert at(run, 1.4, 11.5, near=0.6) == "map 1"
    assert at(run, 1, 30, near=2) is None


def test_a_bar_is_where_its_click_finds_it(run: Run) -> None:
    needed = shared_rows([run])
    for number in range(len(run.containers.job)):
        where = bar(run, needed, number)
        assert container_at(run, needed, where["row"], (where["start"] + where["end"]) / 2, 0, 0) == number


def test_by_keyboard_the_first_placed_from_then_on_is_found_else_the_last(run: Run) -> None:
    assert [first_from(run, ms) for ms in (0, 1, 1000, 1500, 99_000)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("sent", [None, 3, "x", {}, {"index": 0, "row": "a", "ms": 0, "near": {}}, {"index": 0, "row": 1, "ms": 2, "near": None}])
def test_a_click_that_makes_no_sense_is_none(sent: object) -> None:
    assert Click.of(sent) is None
    assert Click.of({"index": 1, "row": 2.5, "ms": 1000, "near": {"rows": -1, "ms": 4}}) == (1, 2.5, 1000.0, 1.0, 4.0)
