"""The curve of a metric: bands, stars, and no more marks than an eye can tell apart."""

from __future__ import annotations

from typing import Any

from tests.webapp.handmade_runs import numbers
from webapp.figures.charts.parameter_sweep import MAX_MARKS, sweep_figure
from webapp.figures.frame import CLOCK_CHARACTER_PX


def figure_of(columns: list[list[float | None]], **more: Any) -> dict:
    names = [f"s{place}" for place in range(len(columns))]
    values = list(range(1, len(columns[0]) + 1))
    return sweep_figure(
        names,
        values,
        columns,
        range(len(columns)),
        title="Makespan (s)",
        tunable="Nodes (nodes)",
        unit="s",
        **more,
    )


def stars(figure: dict) -> list[tuple[float, float]]:
    return [
        (trace["x"][0], trace["y"][0])
        for trace in figure["data"]
        if trace.get("marker", {}).get("symbol") == "star"
    ]


def test_a_band_is_as_wide_as_the_interval_and_ends_at_a_gap() -> None:
    figure = figure_of([[10.0, 8.0, None, 6.0]], halves=[[1.0, 2.0, None, 0.5]], stars=[None])
    bands = [trace for trace in figure["data"] if trace.get("fill") == "toself"]
    assert len(bands) == 1  # the last value stands alone
    assert numbers(bands[0]["y"]).tolist() == [9, 6, 10, 11]  # low at 1 and 2 nodes, high back
    assert figure["layout"]["yaxis"]["range"][0] < 5.5 and figure["layout"]["yaxis"]["range"][1] > 11
    curve = next(trace for trace in figure["data"] if trace["mode"] == "lines+markers")
    assert curve["hovertext"][1].endswith("8 s ± 2 s")


def test_stars_stand_where_the_study_says_and_nowhere_else() -> None:
    columns = [[10.0, 8.0, 9.0], [7.0, 6.0, 5.0]]
    assert stars(figure_of(columns)) == []
    assert stars(figure_of(columns, stars=[1, 2])) == [(2, 8), (3, 5)]
    assert stars(figure_of(columns, stars=[None, None])) == []
    assert stars(figure_of(columns, stars=[None, 1])) == [(2, 6)]


def test_of_ten_thousand_values_some_hundreds_are_drawn_and_both_ends() -> None:
    column = [float(value % 7) for value in range(10_000)]
    figure = figure_of([column, column], halves=[column, column], stars=[None, None])
    drawn = [numbers(trace["x"]) for trace in figure["data"] if trace["mode"] == "lines+markers"]
    assert sum(map(len, drawn)) <= MAX_MARKS + 2 * len(drawn)
    assert (drawn[0][0], drawn[0][-1]) == (1, 10_000)


def test_times_of_hours_have_room_beside_the_title() -> None:
    minutes, hours = (figure_of([[30.0, top]])["layout"]["margin"]["l"] for top in (1200.0, 52_000.0))
    assert hours - minutes == 3 * CLOCK_CHARACTER_PX  # 12:00:00 after 20:00
