"""Containers earlier, later and elsewhere: a mark each, or a picture of their mean shift."""

from __future__ import annotations

import base64

import numpy as np

from tests.phrases import phrase
from tests.webapp.figures.charts.shifting import shifting
from tests.webapp.figures.timeline.pixels import unpacked
from tests.webapp.handmade_runs import numbers
from webapp import theme
from webapp.figures.charts.container_shifts import (
    MAX_MARKS,
    SHADES,
    shift_rows,
    shift_table,
    shifts_figure,
    strongest_ms,
)

OF = shifting([(0, 0), (1_000, 3_000), (2_000, 500)], [(0, 0), (0, 1), (0, 0)])


def by_name(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if "name" in trace}


def test_a_mark_says_by_shape_and_colour_which_way_and_hollow_elsewhere() -> None:
    figure = shifts_figure(OF)
    assert figure["layout"]["meta"]["mode"] == "exact"
    marks = by_name(figure)
    assert set(marks) == {
        phrase("charts.earlier_on_same_node"),
        phrase("charts.later_on_another_node"),
        phrase("charts.at_same_time_on_same"),
    }
    earlier, later = (
        marks[phrase("charts.earlier_on_same_node")],
        marks[phrase("charts.later_on_another_node")],
    )
    assert (numbers(earlier["x"]).tolist(), earlier["marker"]["symbol"], earlier["marker"]["color"]) == (
        [0.5],
        "triangle-left",
        theme.EARLIER.light,
    )
    assert (numbers(later["x"]).tolist(), later["marker"]["symbol"], later["marker"]["color"]) == (
        [3.0],
        "triangle-right-open",
        theme.LATER.light,
    )
    assert later["hovertext"] == [
        "<b>j0, map 1</b><br>iteration 1, on n-2 instead of n-1<br>starts at 0:03, 2 s later<br>ends at "
        "0:04, 2 s later"
    ]


def test_a_tail_reaches_from_the_first_start_to_the_second() -> None:
    tails = [trace for trace in shifts_figure(OF)["data"] if trace["mode"] == "lines"]
    assert [numbers(trace["x"])[:2].tolist() for trace in tails] == [[2.0, 0.5], [1.0, 3.0]]


def test_a_selection_dims_the_others() -> None:
    of = shifting([(0, 1_000), (0, 1_000)], jobs=2)
    marks = [
        trace
        for trace in shifts_figure(of, highlighted=np.array([False, True]))["data"]
        if trace["mode"] == "markers"
    ]
    assert [(mark["hovertext"][0][:9], mark["opacity"] < 0.5, mark["showlegend"]) for mark in marks] == [
        ("<b>j1, ma", False, True),
        ("<b>j0, ma", True, False),
    ]


def test_a_jobs_containers_are_spread_over_its_row_in_the_order_of_their_starts() -> None:
    of = shifting([(0, 9_000), (0, 5_000), (0, 3_000), (0, 1_000)], jobs=2)
    result = shift_rows(of)
    # Job 0 has the first and third: from 9 s and 3 s, so the third comes first. Matched are job by job, task
    # by task.
    assert result.row.tolist() == [0, 0, 1, 1]
    assert result.place.tolist() == [0.75, 0.25, 0.75, 0.25]


def test_many_containers_are_a_picture_of_their_mean_shift() -> None:
    # 3,000 maps, 1 s each, one after another on node 0: the first half 2 s earlier, the second 2 s later.
    count = MAX_MARKS + 1_000
    now = [1_000 * number + 2_000 for number in range(count)]
    of = shifting(
        [(start + (2_000 if number < count // 2 else -2_000), start) for number, start in enumerate(now)]
    )
    figure = shifts_figure(of, width=636)  # 500 pixels for 3,002 s and a little
    assert figure["layout"]["meta"]["mode"] == "raster"
    assert by_name(figure)[phrase("charts.later_full_colour_by_s", 2)]["x"] == [None]
    (image,) = figure["layout"]["images"]
    pixels, palette = unpacked(base64.b64decode(image["source"].removeprefix("data:image/png;base64,")))
    assert pixels.shape == (44, 500)
    # A job's row goes from top left to bottom right, for its containers start one after another.
    strong = {"earlier": 1 + SHADES, "later": 1 + 2 * SHADES}
    assert set(np.unique(pixels[:21])) == {0, strong["earlier"]}
    assert set(np.unique(pixels[23:])) == {0, strong["later"]}
    assert tuple(palette[strong["earlier"], :3]) == theme.rgb(theme.EARLIER.light)
    assert tuple(palette[strong["later"], :3]) == theme.rgb(theme.LATER.light)


def test_more_jobs_than_pixels_share_lines() -> None:
    of = shifting([(0, 1_000 * number) for number in range(1_000)], jobs=1_000)
    result = shift_rows(of)
    assert (result.px, result.per_px, result.exact) == (334, 3, False)  # 1,000 jobs of which 3 share a line
    figure = shifts_figure(of)
    assert figure["layout"]["images"][0]["sizey"] == 1_002
    assert figure["layout"]["yaxis"]["range"] == [1_001.5, -0.5]
    assert len(figure["layout"]["yaxis"]["tickvals"]) < 30


def test_the_strongest_shade_is_what_95_percent_do_not_exceed() -> None:
    assert strongest_ms(shifting([(0, number) for number in range(101)])) == 95
    assert strongest_ms(shifting([(0, 0)] * 99 + [(0, 70)])) == 70  # most don't shift: the largest
    assert strongest_ms(shifting([(0, 0)])) == 1


def test_the_table_counts_shifts_by_classes() -> None:
    # -1.5, 0, 0 and 2 s: in (-2, -1], [0, 0] and (1, 2]; those between are there with nothing.
    table = shift_table(shifting([(1_500, 0), (0, 0), (5, 5), (0, 2_000)]))
    assert (table[0]["Shift from (s)"], table[0]["to (s)"], table[0]["Starts (containers)"]) == (
        -2.0,
        -1.0,
        1,
    )
    assert (table[-1]["Shift from (s)"], table[-1]["to (s)"], table[-1]["Ends (containers)"]) == (1.0, 2.0, 1)
    assert [row["Starts (containers)"] for row in table if row["Shift from (s)"] == row["to (s)"] == 0] == [2]
    assert all(before["to (s)"] == after["Shift from (s)"] for before, after in zip(table, table[1:]))
    assert sum(row["Starts (containers)"] for row in table) == 4
