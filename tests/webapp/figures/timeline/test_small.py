"""Two runs as Gantt charts on one time axis."""

from __future__ import annotations

from engine import guide
from engine.simulation.simulate import simulate
from tests.webapp.made import numbers
from webapp.figures import case_figure
from webapp.theme import DARK


def test_both_charts_have_one_axis_the_same_rows_and_every_container() -> None:
    case = guide("haste").wins
    runs = [simulate(case.scenario, name) for name in case.schedulers]
    figure = case_figure(runs, ["<one>", "other"], dark=True, width=600)
    layout = figure["layout"]
    assert layout["xaxis"]["range"] == [0, 1.02 * max(run.until_ms for run in runs) / 1000]
    assert layout["yaxis"]["range"] == layout["yaxis2"]["range"]
    assert [note["text"] for note in layout["annotations"]] == ["&lt;one&gt;", "other"]
    assert layout["paper_bgcolor"] == DARK.paper
    for axis, run in zip(("y", "y2"), runs):
        drawn = {container for trace in figure["data"] if trace["yaxis"] == axis for container in trace.get("customdata", []) if container >= 0}
        assert drawn == set(range(len(run.containers.kind)))
        ends = [numbers(trace["base"]) + numbers(trace["x"]) for trace in figure["data"] if trace["yaxis"] == axis]
        assert abs(max(end.max() for end in ends) - run.until_ms / 1000) < 1e-6


def test_it_keeps_still_under_a_finger() -> None:
    case = guide("fifo").wins
    layout = case_figure([simulate(case.scenario, name) for name in case.schedulers], case.schedulers, width=300)["layout"]
    assert layout["dragmode"] is False
    assert layout["xaxis"]["fixedrange"] and layout["yaxis"]["fixedrange"] and layout["yaxis2"]["fixedrange"]
