"""What a click into a Gantt chart finds."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Run, Scenario, capacity_split, simulate
from tests.phrases import phrase
from webapp.figures import RowOptions, Scene, rows
from webapp.panels.timeline.picking import (
    Click,
    bar,
    container_at,
    extent,
    first_from,
    first_visible,
    group_at,
    group_of,
    levels_at,
    neighbour_in_row,
)

NEAR = {"rows": 1, "ms": 4}


@pytest.fixture
def run(small: dict) -> Run:
    """Slowstart 0: the reduce from 0 to 17 s, the maps from 1 to 11 s and from 2 to 12 s, each in a row of
    its own.
    """
    small["jobs"][0]["slowstart"] = 0.0
    return simulate(Scenario.of(small), "fifo+slowstart")


def at(run: Run, row: float, seconds: float, near: float = 0.0) -> str | None:
    scene = Scene(run)
    result = container_at(scene, rows([scene]), row, 1000 * seconds, near, 1000 * near)
    return (
        None
        if result is None
        else f"{['am', 'reduce', 'map'][run.containers.kind[result]]} {run.containers.index[result]}"
    )


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
    scene = Scene(run)
    of = rows([scene])
    for number in range(len(run.containers.job)):
        where = bar(scene, of, number)
        assert container_at(scene, of, where["row"], (where["start"] + where["end"]) / 2, 0, 0) == number


def test_by_keyboard_the_first_placed_from_then_on_is_found_else_the_last(run: Run) -> None:
    assert [first_from(run, ms) for ms in (0, 1, 1000, 1500, 99_000)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "sent",
    [None, 3, "x", {}, {"index": 0, "row": "a", "ms": 0, "near": {}}, {"index": 0, "row": 1, "ms": 2, "near": None},  # noqa: E501
     {"index": 0, "row": float("nan"), "ms": 2, "near": NEAR}, {"index": 0, "row": 1, "ms": float("inf"), "near": NEAR},  # noqa: E501
     {"index": 10**400, "row": 1, "ms": 2, "near": NEAR}],
)  # fmt: skip
def test_a_click_that_makes_no_sense_is_none(sent: object) -> None:
    assert Click.of(sent) is None
    assert Click.of({"index": 1, "row": 2.5, "ms": 1000, "near": {"rows": -1, "ms": 4}}) == (
        1,
        2.5,
        1000.0,
        1.0,
        4.0,
    )


def test_a_row_of_a_job_says_what_the_job_holds_just_then(run: Run) -> None:
    scene = Scene(run)
    jobs = rows([scene], RowOptions("job"))
    result = group_at(scene, jobs, 0.3, 5_000)
    assert result["text"] == [
        "one",
        "at 0:05",
        "Map: 2 containers, 2 vcores",
        phrase("timeline.waiting_for_maps_container_vcore", 1, 1),
    ]
    assert result["group"] == "job:one"
    assert group_at(scene, jobs, 0, 60_000)["text"][2:] == ["holds nothing"]
    assert group_at(scene, rows([scene]), 0, 5_000) is None


def test_a_row_is_known_by_its_name(run: Run) -> None:
    scene = Scene(run)
    assert group_of(rows([scene]), 2).text == "node:node1"
    assert group_of(rows([scene]), 3) is None
    user = run.workload.job_users[0]
    assert group_of(rows([scene], RowOptions("user")), 0).text == f"user:{user}"
    assert group_of(rows([scene], RowOptions("user", opened=frozenset({user}))), 0).text == "job:one"


def test_the_neighbours_of_a_row(run: Run) -> None:
    scene = Scene(run)
    nodes = rows([scene], RowOptions("node"))  # all three in one row, by their starts
    assert [neighbour_in_row(scene, nodes, number, 1) for number in range(3)] == [1, 2, None]
    assert [neighbour_in_row(scene, nodes, number, -1) for number in range(3)] == [None, 0, 1]
    assert neighbour_in_row(scene, rows([scene]), 0, 1) is None
    assert first_visible(scene, rows([scene]), (11_500, 11_900)) == 0
    assert first_visible(scene, rows([scene]).zoomed_to((1.0, 3.0)), (11_500, 11_900)) == 2
    assert first_visible(scene, rows([scene]), (60_000, 61_000)) is None


def test_a_strip_says_its_level_with_its_unit(run: Run) -> None:
    split = capacity_split(run)
    # At 5 s the reduce and both maps run: 3 of 4 vcores; the reduce waits for maps, and nobody wants the
    # fourth vcore.
    assert levels_at(run, split, "vcores", 5_000) == ["at 0:05", "3 vcores, 75 % in use"]
    assert levels_at(run, split, "memory", 5_000) == ["at 0:05", "3,072 MB, 75 % in use"]
    assert levels_at(run, split, "capacity", 5_000) == [
        "at 0:05",
        "Map: 2 vcores, 50 %",
        phrase("timeline.waiting_for_maps_vcore", 1, 25),
        "Idle: 1 vcore, 25 %",
    ]
    assert levels_at(run, split, "capacity", 90_000) == ["at 1:30"]


def test_how_far_a_highlight_reaches(run: Run) -> None:
    scene = Scene(run)
    assert extent(scene, rows([scene]), "job:one") == (0, 17_000, 0, 3)
    assert extent(scene, rows([scene]), "phase:map") == (1_000, 12_000, 1, 3)
    assert extent(scene, rows([scene]), "job:two") is None
    assert extent(scene, rows([scene]), None) is None


def test_a_row_of_a_job_that_holds_nothing_says_what_waits(small: dict) -> None:
    """And of a job that was refused, why."""
    small["jobs"].append(small["jobs"][0] | {"name": "y", "rejected": "unwanted"})
    scene = Scene(simulate(Scenario.of(small), "fifo"))
    jobs, c = rows([scene], RowOptions("job")), scene.run.containers
    then = int(c.start[np.argmax(c.start - c.requested)]) - 1
    refused = group_at(scene, jobs, 1, then)
    assert refused["text"][2] == "refused: unwanted"
    assert (refused["waiting"], len(refused["text"])) == (then, 4)
    assert "waiting" not in group_at(scene, jobs, 1, scene.run.until_ms)
