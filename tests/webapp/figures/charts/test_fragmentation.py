"""Free room against what waits: circles, corners, and which nodes fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import Run, Scenario
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers
from webapp.figures.charts.fragmentation import (
    MAX_SIZES,
    fragmentation_figure,
    fragmentation_rows,
    fragmentation_story,
)


def torn() -> Run:
    """Three nodes of 4 GB and 4 vcores: two run a map of 3 vcores until 100, the third four of 1 GB and 1
    vcore; a map of 3 vcores waits until then.
    """
    of = scenario([(4096, 4)] * 3, [{"maps": stage(3, 1024, 3)}, {"maps": stage(4, 1024, 1)}], heartbeat_ms=0)
    rows = [container(0, "map", node, 0, 100, index=node) for node in range(2)] + [
        container(1, "map", 2, 0, 100, index=index) for index in range(4)
    ]
    return run(of, [*rows, container(0, "map", 0, 100, 200, requested=0, index=2)])


def circles(figure: dict) -> dict[str, list[tuple[float, float]]]:
    rows = [trace for trace in figure["data"] if trace["mode"] == "markers"]
    return {
        trace["name"]: list(zip(numbers(trace["x"]).tolist(), numbers(trace["y"]).tolist())) for trace in rows
    }


def test_nodes_with_the_same_room_are_one_circle() -> None:
    figure = fragmentation_figure(torn(), 50)
    assert circles(figure) == {
        phrase("charts.nodes_fit_something_waits"): [],
        phrase("charts.nodes_fit_none"): [(0, 0), (1, 3)],
    }
    hollow = figure["data"][1]
    assert hollow["marker"]["symbol"] == "circle-open"
    assert hollow["marker"]["size"][1] > hollow["marker"]["size"][0]
    assert hollow["ids"] == ["node:node3", ""]
    assert "node1, node2" in hollow["hovertext"][1]


def test_a_corner_stands_at_what_waits() -> None:
    corner = fragmentation_figure(torn(), 50)["data"][-1]
    assert corner["name"] == phrase("charts.map_gb_vcores", 1, 1, 3)
    assert numbers(corner["x"])[:2].tolist() == [3, 3]
    assert numbers(corner["y"])[1:].tolist() == [1, 1]


def test_where_only_memory_must_fit_vcores_are_no_threshold() -> None:
    figure = fragmentation_figure(replace(torn(), memory_only=True), 50)
    assert circles(figure)[phrase("charts.nodes_fit_something_waits")] == [(1, 3)]
    assert numbers(figure["data"][-1]["x"])[0] < 0


def test_a_node_without_a_slot_fits_nothing() -> None:
    plain = scenario([(4096, 4)], [{"maps": stage(2, 1024, 1)}], heartbeat_ms=0).plain()
    plain["cluster"]["nodes"][0]["map_slots"] = 1
    made = run(
        Scenario.of(plain),
        [container(0, "map", 0, 0, 100), container(0, "map", 0, 100, 200, index=1, requested=0)],
    )
    assert circles(fragmentation_figure(made, 50))[phrase("charts.nodes_fit_none")] == [(3, 3)]
    assert phrase("charts.none_fits_node") in fragmentation_story(made, 50, "")
    assert phrase("charts.fit_now_on_node_slots", 1, 1) in fragmentation_story(
        run(made.scenario, [], waiting=[(0, "map", 2, 0)]), 0, ""
    )


def test_when_nothing_waits() -> None:
    figure = fragmentation_figure(torn(), 150)
    assert circles(figure) == {"nodes": [(1, 3), (4, 4)]}
    assert fragmentation_story(torn(), 150, "") == phrase("charts.under_by_hand_at_gb", "0:00.15", 11, 9, 3)


def test_others_than_the_highlighted_node_are_dimmed() -> None:
    result = circles(fragmentation_figure(torn(), 50, highlighted=np.array([False, False, True])))
    assert result["not highlighted"] == [(1, 3)]
    assert result[phrase("charts.nodes_fit_none")] == [(0, 0)]


def test_in_words_and_as_a_table() -> None:
    assert fragmentation_story(torn(), 50, ", the worst moment") == (
        phrase("charts.under_by_hand_at_worst", "0:00.05", 6, 2, 2, 1, 1, 3)
    )
    table = fragmentation_rows(torn(), 50)
    assert table[0] == {
        "What": "waits", "Name": phrase("charts.map_gb_vcores", 1, 1, 3), "Memory (MB)": 1024, "Vcores": 3,
        "Containers": 1, "Fit now": 0, phrase("charts.nodes_fit_one"): 0,
    }  # fmt: skip
    assert [row["Vcores"] for row in table[1:]] == [1, 1, 0]


@pytest.mark.parametrize("dark", [False, True])
def test_of_many_sizes_the_most_wanted_are_drawn(dark: bool) -> None:
    of = scenario([(9000, 9)], [{"maps": stage(1, 100 * n, 1)} for n in range(1, 10)])
    made = run(of, [], waiting=[(n, "map", 1, 0) for n in range(9)])
    names = [
        trace["name"]
        for trace in fragmentation_figure(made, 0, dark=dark)["data"]
        if trace["mode"] == "lines"
    ]
    assert len(names) == MAX_SIZES
    assert names[0] == phrase("charts.map_mb_vcore", 1, 900, 1)
    assert "and 6 further sizes" in fragmentation_story(made, 0, "")
