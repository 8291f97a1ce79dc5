"""The picture of full nodes, read back pixel by pixel."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
import pytest

from engine.schedulers.view import MAP
from engine.simulation.run import Run
from tests.phrases import phrase
from tests.webapp.handmade_runs import numbers, run
from webapp import theme
from webapp.figures.charts.node_heatmap import (
    MAX_PX,
    SHADES,
    heat_figure,
    heat_rows,
    heat_story,
    node_lines,
    palette,
)


def full(nodes: int = 3, racks: list[str] | None = None) -> Run:
    """Node 1 runs a map of 1 of 4 GB for 10 s, node 2 four of them for the first 5 s."""
    spans = [{"kind": MAP, "start": 0, "end": 10_000, "node": 1}] + [
        {"kind": MAP, "start": 0, "end": 5_000, "node": 2} for _ in range(4)
    ]
    return run(spans, nodes=nodes, racks=racks)


def pixels(figure: dict) -> np.ndarray:
    """The indices of the picture's first image."""
    data = base64.b64decode(figure["layout"]["images"][0]["source"].partition(",")[2])
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", data[start - 8 : start - 4])
    return np.frombuffer(zlib.decompress(data[start : start + length]), np.uint8).reshape(height, width + 1)[
        :, 1:
    ]


def test_a_pixel_is_as_dark_as_its_node_is_full() -> None:
    figure = heat_figure(full(), "memory", width=514)  # 92 and 22 of it are margins
    result = pixels(figure)
    assert result.shape == (3 * 18, 400)
    idle, quarter, whole = (int(result[18 * node, 0]) for node in range(3))
    assert (idle, quarter, whole) == (1, 1 + round(0.25 * (SHADES - 1)), SHADES)
    assert result[36, 199] == SHADES
    assert result[36, 200] == 1
    assert (result[17] == 0).all()  # rows are parted by a line of nothing


def test_colours_go_from_almost_paper_to_ink_in_both_schemes() -> None:
    for dark in (False, True):
        colours, look = palette(dark), theme.look(dark)
        bright = [
            theme.luminance(f"#{red:02x}{green:02x}{blue:02x}")
            for red, green, blue in colours[1 : SHADES + 1, :3].tolist()
        ]
        steps = np.diff(bright) * (1 if dark else -1)
        assert (steps > 0).all()
        assert tuple(colours[SHADES, :3]) == theme.rgb(look.ink)
        assert tuple(colours[1, :3]) != theme.rgb(look.paper)


def test_others_than_the_highlighted_nodes_are_dimmed() -> None:
    result = pixels(heat_figure(full(), "memory", highlighted=np.array([False, False, True])))
    assert result[36, 0] == SHADES
    assert result[18, 0] > SHADES


def test_nodes_of_a_rack_stand_together_and_many_share_a_line() -> None:
    assert [nodes.tolist() for nodes in node_lines(["a", "b", "a"]).nodes] == [[0], [2], [1]]
    of = node_lines([""] * 4000)
    assert len(of.nodes) <= MAX_PX
    assert len(of.nodes[0]) == 10  # 4,000 / 420, rounded up
    assert np.bincount(of.line).max() == 10
    figure = heat_figure(full(1000), "vcores")
    assert pixels(figure).shape[0] == len(node_lines([""] * 1000).nodes)
    assert "ids" not in figure["data"][0]


def test_the_pointer_is_told_the_node_and_its_share() -> None:
    trace = heat_figure(full(), "memory", width=514)["data"][0]
    at = list(
        zip(
            numbers(trace["y"]).tolist(),
            numbers(trace["x"]).tolist(),
            numbers(trace["customdata"]).tolist(),
            trace["text"],
            trace["ids"],
        )
    )
    assert at[0][2:] == (0.0, "<b>n-1</b> at 0:00.012", "node:n-1")
    assert {share for row, _, share, *_ in at if row == 1} == {25}


def test_in_words_and_as_a_table() -> None:
    # 0, 25 % and 50 %: 25 % on average.
    assert heat_story(full(), "memory") == phrase(
        "charts.under_fifo_nodes_memory_used", 25, 0, "n-1", 50, "n-3", 1
    )
    assert heat_rows(full(racks=["x", "x", "y"]))[2] == {
        "Node": "n-3",
        "Rack": "y",
        "Memory used (%)": 50.0,
        "Vcores used (%)": 50.0,
        "Containers": 4,
    }
    assert phrase("charts.line_mean_up_nodes", 3) in heat_story(full(1000), "memory")


def test_a_run_that_takes_no_time() -> None:
    figure = heat_figure(run([], status="deadlock"), "memory")
    assert pixels(figure).max() == 1
    low, high = figure["layout"]["xaxis"]["range"]
    assert high == pytest.approx(low + 0.001)
