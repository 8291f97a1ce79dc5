"""The capacity split as a picture: as high as the areas it stands for."""

from __future__ import annotations

import base64

import numpy as np

from tests.webapp.figures.timeline.test_capacity_areas import CAPACITY, MADE, split
from tests.webapp.figures.timeline.test_raster import is_phase, unpacked
from webapp import theme
from webapp.figures import run_figure
from webapp.figures.timeline.capacity_areas import Levels, levels
from webapp.figures.timeline.capacity_raster import pieces


def drawn(of: Levels, tall: int) -> np.ndarray:
    """Colours of the picture, uint8[tall, points, 4], the axis ending at the capacity."""
    pixels, palette = unpacked(base64.b64decode(pieces(of, CAPACITY, 1, tall, False)["source"].removeprefix("data:image/png;base64,")))
    return palette[pixels]


def test_each_part_is_as_high_as_its_share() -> None:
    found = levels(split(5_000), "vcores", (0, 10_000), 300)
    assert found.even
    tall = 400
    picture = drawn(found, tall)
    assert picture.shape == (tall, len(found.time) - 1, 4)
    for column in range(0, picture.shape[1], 9):
        for number, key in enumerate(("master", "map", "shuffle")):
            high = sum(is_phase(pixel, key) for pixel in picture[:, column])
            if key != "shuffle":  # whose colour the hatch of waiting has too
                assert abs(high / tall * CAPACITY - found.level[column, number]) <= 2 * CAPACITY / tall
        assert picture[:, column, 3].all()


def test_what_was_killed_later_is_crossed_over_the_reduces() -> None:
    found = levels(split(5_000, killed=True), "vcores", (0, 10_000), 300)
    crossed = np.array([[is_phase(pixel, "killed") for pixel in line] for line in drawn(found, 100)])
    assert crossed.any()
    top = 1 - np.argmax(crossed, axis=0) / 100
    low = (np.argmax(crossed[::-1], axis=0)) / 100
    some = crossed.any(axis=0)
    under = found.level[:-1, :2].sum(axis=1) / CAPACITY
    assert (low[some] >= under[some] - 0.02).all()
    assert (top[some] <= under[some] + found.level[:-1, -1][some] / CAPACITY + 0.02).all()


def test_a_long_run_has_the_picture_and_its_names_for_the_legend() -> None:
    figure = run_figure(MADE, split(5_000), window=(0, 10_000), all_of=(0, 10_000), width=300)
    (image,) = figure["layout"]["images"]
    assert (image["yref"], image["x"], image["sizex"]) == ("y4", 0, 10)
    assert not [trace for trace in figure["data"] if trace.get("stackgroup")]
    named = {trace["name"] for trace in figure["data"] if trace.get("showlegend")}
    assert named == {phase.title for phase in (*theme.PHASES, *theme.IDLE)}
    few = run_figure(MADE, split(50), window=(0, 10_000))
    assert not few["layout"]["images"]
