"""Pictures after a paper's own."""

from __future__ import annotations

import pytest

from engine.dashboard import Picture, Series
from webapp.figures.charts.paper_charts import LARGE_SCALE, MAX_BAR_PX, PLOT_PX, printed_figure, printed_table

PAPER = Series("DRF", (8, 16), (400.0, 200.0), paper=True)
OURS = Series("DRF", (8, 16), (390.0, None), (380.0, None), (405.0, None))


def picture(kind: str, *series: Series) -> Picture:
    return Picture("Fig. 8 (b)", kind, "Number of nodes", "Makespan (s)", series)


@pytest.mark.parametrize("kind", ["bars", "stacked"])
def test_bars_stand_in_groups_or_on_one_another_and_the_papers_are_hollow(kind: str) -> None:
    figure = printed_figure(picture(kind, PAPER, OURS))
    paper, ours = figure["data"]
    assert figure["layout"]["barmode"] == {"bars": "group", "stacked": "stack"}[kind]
    assert figure["layout"]["xaxis"]["type"] == "category"
    assert (paper["name"], ours["name"]) == ("DRF (paper)", "DRF")
    assert paper["x"] == ["8", "16"]
    assert paper["marker"]["color"].endswith(",0)")
    assert ours["marker"]["color"] != paper["marker"]["color"]


def test_intervals_reach_from_the_mean_to_their_ends() -> None:
    ours = printed_figure(picture("bars", PAPER, OURS))["data"][1]
    assert (ours["error_y"]["array"], ours["error_y"]["arrayminus"]) == ([15.0, 0], [10.0, 0])


def test_lines_have_a_number_axis_and_steps_hold() -> None:
    figure = printed_figure(picture("lines", PAPER, OURS))
    assert "type" not in figure["layout"]["xaxis"]
    assert [trace["mode"] for trace in figure["data"]] == ["lines+markers"] * 2
    assert figure["data"][0]["marker"]["symbol"].endswith("-open")
    steps = printed_figure(picture("steps", OURS))["data"][0]
    assert (steps["mode"], steps["line"]["shape"]) == ("lines", "hv")


def test_series_can_be_told_apart_without_colour() -> None:
    many = [Series(str(place), (1, 2), (1.0, 2.0)) for place in range(6)]
    dashes = [trace["line"]["dash"] for trace in printed_figure(picture("lines", *many))["data"]]
    shades = [
        (trace["marker"]["color"], str(trace["marker"].get("pattern")))
        for trace in printed_figure(picture("bars", *many))["data"]
    ]
    assert len(set(dashes)) == len(set(shades)) == 6


def test_one_series_of_ours_needs_no_legend() -> None:
    assert not printed_figure(picture("bars", OURS))["layout"]["showlegend"]
    assert printed_figure(picture("bars", PAPER))["layout"]["showlegend"]


def test_two_bars_are_no_two_walls() -> None:
    gap = printed_figure(picture("bars", OURS), width=1000)["layout"]["bargap"]
    assert (1 - gap) * (1000 - 62 - 16) / 2 == pytest.approx(MAX_BAR_PX)


def test_large_letters() -> None:
    small, large = (printed_figure(picture("lines", OURS), large=one)["layout"] for one in (False, True))
    assert large["xaxis"]["tickfont"]["size"] == pytest.approx(
        LARGE_SCALE * small["xaxis"]["tickfont"]["size"]
    )
    assert large["height"] > small["height"] > PLOT_PX


def test_the_table_has_every_number_with_its_interval_and_unit() -> None:
    head, body = printed_table(picture("lines", PAPER, OURS))
    assert head == ["Number of nodes", "DRF (paper) (s)", "DRF (s)"]
    assert body == [["8", "400", "390 ± 12"], ["16", "200", "–"]]


def test_lines_of_near_numbers_are_drawn_from_near_and_bars_always_from_zero() -> None:
    near, far = Series("ours", (1, 2), (300.0, 350.0)), Series("ours", (1, 2), (3.0, 350.0))
    axis = lambda kind, one: printed_figure(picture(kind, one))["layout"]["yaxis"]["rangemode"]
    assert [axis("lines", near), axis("lines", far), axis("bars", near)] == ["normal", "tozero", "tozero"]
