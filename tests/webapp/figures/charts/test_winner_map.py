"""The map of the winner, read back pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dashboard import Winner
from webapp import theme
from webapp.figures.charts.winner_map import HATCH_PX, PLOT_PX, SHADES, map_figure, palette, pixels

NOBODY = Winner(-1, -1, float("nan"), float("nan"), False)
ONE = SHADES + 2  # colours of a scheduler


def won(place: int, margin: float, is_clear: bool = True) -> Winner:
    return Winner(place, 1 - place, margin, 1.0, is_clear)


def test_a_cell_has_its_winner_s_colour_the_stronger_the_larger_the_margin() -> None:
    """Two columns, two rows, y changing first: below left scheduler 0 by 8, above it 1 by 4; right nobody
    known, and above it 0, not told apart.
    """
    result = pixels([won(0, 8), won(1, 4), NOBODY, won(0, 2, False)], 2, 2, 2, 400)
    assert result.shape == (PLOT_PX, 400)
    middle = {
        (column, row): result[PLOT_PX * (3 - 2 * row) // 4, 100 + 200 * column]
        for column in (0, 1)
        for row in (0, 1)
    }
    # the largest margin of all: the last shade of the first scheduler
    assert middle[0, 0] == 1 + 2 + SHADES - 1
    assert middle[0, 1] == 1 + ONE + 2 + round(0.5 * (SHADES - 1))
    assert middle[1, 0] == 0
    unclear = result[5 : PLOT_PX // 2 - 5, 210:390]
    assert set(unclear.ravel().tolist()) == {1, 2}
    assert (unclear == 2).mean() == pytest.approx(1 / HATCH_PX, abs=0.01)


def test_colours_of_a_margin_go_towards_the_scheduler_s_own() -> None:
    for dark in (False, True):
        colours = palette(2, dark)
        assert tuple(colours[ONE * 2, :3].tolist()) == theme.rgb(theme.scheduler(1, dark))
        paper = np.array(theme.rgb(theme.look(dark).paper))
        far = np.abs(colours[1 : ONE + 1, :3].astype(int) - paper).sum(1)
        assert far[0] < far[1] and (np.diff(far[2:]) > 0).all() and far[0] < far[2]


def test_ten_thousand_cells_are_one_picture_and_few_marks() -> None:
    cells = [won(place % 2, place) for place in range(10_000)]
    figure = map_figure(
        cells, range(100), range(100), ["fifo", "<b>fair"], x_title="x (s)", y_title="y (MB)", width=800
    )
    assert len(figure["data"]) == 2 and all(len(trace["x"]) == 1 for trace in figure["data"])
    assert figure["data"][1]["name"] == "&lt;b&gt;fair"
    assert len(figure["layout"]["images"][0]["source"]) < 200_000
    assert len(figure["layout"]["xaxis"]["tickvals"]) <= 8
    assert figure["layout"]["xaxis"]["title"]["text"] == "x (s)" and figure["layout"]["yaxis"]["range"] == [
        -0.5,
        99.5,
    ]
