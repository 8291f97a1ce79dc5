"""How far off the simulation is with each thing more that it is given."""

from __future__ import annotations

from webapp.figures.charts.replay_variants import VariantError, variants_figure

ROWS = (
    VariantError("Durations from the history only, and nothing else", 0.2, 0.34),
    VariantError("+ <launch", 0.02, 0.05),
)


def test_a_bar_to_the_median_and_a_mark_at_ninety_percent() -> None:
    figure = variants_figure(ROWS)
    bars, marks = figure["data"]
    assert (bars["x"], marks["x"]) == ([0.2, 0.02], [0.34, 0.05])
    assert [text.strip() for text in marks["text"]] == ["20 %, 34 %", "2 %, 5 %"]
    assert figure["layout"]["xaxis"]["range"][1] > 0.34


def test_long_titles_stand_in_two_lines() -> None:
    first, second = variants_figure(ROWS, width=360)["layout"]["yaxis"]["ticktext"]
    assert first.count("<br>") == 1 and second == "+ &lt;launch"


def test_rows_with_two_lines_stay_high_enough_for_them() -> None:
    two, one = (variants_figure(ROWS[place:], width=360)["layout"] for place in (0, 1))
    assert two["meta"]["least"] == two["height"] and one["meta"]["least"] < one["height"]
