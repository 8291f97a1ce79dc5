"""Two metrics against each other: what was tried, the answer with its intervals, and the present setting."""

from __future__ import annotations

import pytest

from webapp.figures.charts.trade_off import Mark, Measure, trade_off_figure

X, Y = Measure("Makespan", "s"), Measure("Memory utilization", "share")
TRIED = [Mark(120.0, 0.5, "<8> nodes"), Mark(130.0, 0.6, "7 nodes")]
FRONT = [Mark(90.0, 0.55, "9 nodes", 4.0, 0.01), Mark(100.0, 0.8, "6 nodes", 2.0, 0.0)]
PRESENT = Mark(140.0, 0.4, "the present setting")


def figure(**changes) -> dict:
    given = {"tried": TRIED, "beyond": [Mark(60.0, 0.9, "12 nodes")], "front": FRONT, "present": PRESENT}
    return trade_off_figure(X, Y, **(given | changes))


def test_each_kind_has_its_marks() -> None:
    traces = {trace["name"]: trace for trace in figure()["data"]}
    assert list(traces) == ["Beyond a constraint", "Tried", "Present", "Best trade-offs"]
    assert (traces["Tried"]["x"], traces["Tried"]["y"]) == ([120.0, 130.0], [50.0, 60.0])
    assert traces["Present"]["x"] == [140.0]
    assert (
        len({str(trace["marker"]["symbol"]) + str(trace["marker"]["size"]) for trace in traces.values()}) == 4
    )


def test_the_answer_is_connected_and_has_its_intervals() -> None:
    front = figure()["data"][-1]
    assert front["mode"] == "lines+markers"
    assert (front["error_x"]["array"], front["error_y"]["array"]) == ([4.0, 2.0], pytest.approx([1.0, 0.0]))


def test_the_pointer_is_told_the_setting_and_both_metrics() -> None:
    traces = {trace["name"]: trace for trace in figure()["data"]}
    assert (
        traces["Tried"]["hovertext"][0]
        == "<b>&lt;8&gt; nodes</b><br>Makespan 2 min<br>Memory utilization 50 %"
    )
    assert (
        traces["Best trade-offs"]["hovertext"][0]
        == "<b>9 nodes</b><br>Makespan 1 min 30 s ± 4 s<br>Memory utilization 55 % ± 1 %"
    )


def test_all_marks_are_within_the_axes() -> None:
    """The least and largest makespan are 60 and 140 s, the shares 40 and 90 %."""
    layout = figure()["layout"]
    assert layout["xaxis"]["range"][0] < 60 and layout["xaxis"]["range"][1] > 140
    assert layout["yaxis"]["range"][0] < 40 and layout["yaxis"]["range"][1] > 90


def test_without_anything_there_is_a_chart_of_nothing() -> None:
    result = figure(tried=[], beyond=[], front=[], present=None)
    assert result["data"] == [] and result["layout"]["height"] > 0


def test_on_a_telephone_the_legend_is_short_enough_for_two_lines() -> None:
    mark = Mark(1.0, 2.0, "a")
    drawn = {
        width: trade_off_figure(
            Measure("Makespan", "s"), Measure("Cost", "x"), [mark], [mark], [mark], mark, width=width
        )
        for width in (328, 700)
    }
    names = {width: {trace["name"] for trace in figure["data"]} for width, figure in drawn.items()}
    assert names == {
        328: {"Beyond", "Tried", "Present", "Best"},
        700: {"Beyond a constraint", "Tried", "Present", "Best trade-offs"},
    }
    assert drawn[328]["layout"]["margin"]["t"] == 2 * drawn[700]["layout"]["margin"]["t"]
