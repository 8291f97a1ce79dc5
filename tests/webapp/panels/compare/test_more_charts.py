"""Every picture of a task, whatever the page asks for; and the section's callbacks where the page sends
nonsense.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from dash import Dash, html

from engine import Scenario, presets
from tests.phrases import phrase
from webapp.app import app
from webapp.panels.compare import chart_catalogue, more_charts
from webapp.panels.compare.chart_card import NOTHING, card, output_values, outputs
from webapp.panels.compare.chart_catalogue import CHARTS, Chart, ChartContent, ChartStyle, choice
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

CHART = {chart.key: chart for chart in CHARTS}
DEADLOCK = {
    "version": 1,
    "name": "stuck",
    "cluster": {"nodes": [{"count": 1, "memory_mb": 2048, "vcores": 2}]},
    "jobs": [
        {
            "name": f"j{number}",
            "am": {"memory_mb": 1024, "vcores": 1},
            "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 5},
        }
        for number in range(2)
    ],
}


def tasked(plain: dict[str, Any], names: list[str]) -> Task:
    return build_task(RunRequest(Scenario.of(plain).plain(), names))


def every(task: Task, name: str | None, look: ChartStyle) -> list:
    """The picture of every chart, of those with choices one for each."""
    cases = []
    for chart in CHARTS:
        values = [
            one["value"]
            for control in chart.controls
            for part in control.build()
            for one in getattr(part, "data", None) or []
        ] or [None]
        cases += [chart.picture(task, look, name, *([value] if chart.controls else [])) for value in values]
    return cases


@pytest.mark.parametrize("key", [preset.key for preset in presets()])
def test_every_picture_of_the_presets(cache, key: str) -> None:
    plain = next(preset.scenario.plain() for preset in presets() if preset.key == key)
    task = tasked(plain, ["fifo", "fair"])
    for picture in every(
        task, "fair", ChartStyle(f"job:{task.outcomes()[0].run.workload.job_names[0]}", True, 500)
    ):
        assert picture.figure["layout"]["height"] > 0
        assert "\n" not in picture.story
        assert picture.story.endswith(".")
        assert picture.table
        assert (picture.of == "fair") == ("fifo" not in picture.story)


@pytest.mark.parametrize(
    "highlight",
    [None, "user:default", "queue:root.default", "node:node1", "job:none", "phase:map", "nonsense"],
)
def test_a_deadlock_of_one_node(cache, highlight: str | None) -> None:
    # Both masters start, neither map fits: nothing ever ends.
    task = tasked(DEADLOCK, ["fair+admit-all"])
    assert task.outcomes()[0].run.status == "deadlock"
    for picture in every(task, "no such scheduler", ChartStyle(highlight)):
        assert picture.story


def test_one_job_that_is_over_at_once(cache) -> None:
    plain = DEADLOCK | {"jobs": [{"maps": {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 0}}]}
    for picture in every(tasked(plain, ["fifo"]), None, ChartStyle()):
        assert picture.table


def test_what_the_page_asks_for_may_be_anything(cache, small) -> None:
    task = tasked(small, ["fifo"])
    look = ChartStyle()
    story = lambda key, *given: CHART[key].picture(task, look, *given).story
    assert story("fair-shares", None, "planet") == story("fair-shares", "fifo", "job")
    assert story("heat", ["fifo"], ["gold"]) == story("heat", "fifo", "memory")
    assert story("lifecycles", None, "-1") == story("lifecycles", "fifo", "all")
    run = task.outcomes()[0].run
    assert story("fragmentation", None, 10**9) == story("fragmentation", None, run.until_ms / 1000)
    assert ChartStyle.of(7, None, "wide") == ChartStyle()
    assert ChartStyle.of("job:a", "dark", 10**6) == ChartStyle("job:a", True, 4000)
    assert [chart_catalogue.in_ms(value) for value in (1.5, "now", None, 1e300, float("inf"))] == [
        1500,
        None,
        None,
        None,
        None,
    ]


def test_a_card_is_filled_by_what_its_outputs_say() -> None:
    picture = replace(
        CHART["queue"].empty,
        story="All wait.",
        of="fifo",
        table=[{"From (s)": 0.0, "fifo": None}, {"From (s)": 1.0, "fifo": 2}],
    )
    figure, style, story, badge, table = output_values(picture)
    assert (style, story, badge) == ({"height": 260, "minHeight": 260}, "All wait.", "fifo")
    assert figure["layout"]["meta"]["title"] == phrase("compare.how_long_queue_fifo")
    assert [column["type"] for column in table[-1].columnDefs] == ["rightAligned", "rightAligned"]
    assert len(outputs("queue")) == len(output_values(picture, with_table=False))
    ids = {component.id for component in card(picture)._traverse() if getattr(component, "id", None)}
    assert {one.component_id for one in outputs("queue")} <= ids
    assert "meta" not in NOTHING["layout"]


def test_nothing_is_drawn_before_the_tab_is_opened() -> None:
    callback_ = next(callback for key, callback in app.callback_map.items() if "more-room.children" in key)
    assert [one["id"] for one in callback_["inputs"]] == ["open-more"]
    assert not [
        component for component in more_charts.layout()._traverse() if type(component).__name__ == "Graph"
    ]


def test_cards_are_drawn_as_wide_as_they_stand() -> None:
    # Two of 430 px and 16 px between them fit into 876 px.
    assert [more_charts.card_width(room) for room in (440, 875, 876, 1900)] == [
        438,
        873,
        428,
        (1900 - 3 * 16) // 4 - 2,
    ]


def test_a_chart_is_one_record(cache, small, monkeypatch) -> None:
    """Its card, its controls and what fills it come from the record alone."""
    shade = choice("shade-colour", {"red": "Red", "blue": "Blue"}, "Colour")
    make = lambda task, name, look, colour: ChartContent(
        {"data": [], "layout": {"height": look.width}}, f"{name} is {colour}.", [{"Colour": colour}]
    )
    chart = Chart("shade", "Which colour?", "A sentence.", make, is_per_scheduler=True, controls=(shade,))
    monkeypatch.setattr(chart_catalogue, "CHARTS", (*CHARTS, chart))
    app_ = Dash("shade", suppress_callback_exceptions=True)
    app_.layout = html.Div(more_charts.room())
    more_charts.register(app_)
    assert {"shade-graph", "shade-colour", "shade-story"} <= {
        part.id for part in app_.layout._traverse() if getattr(part, "id", None)
    }
    filling = next(one for key, one in app_.callback_map.items() if "shade-graph" in key)
    assert [one["id"] for one in filling["inputs"]][-2:] == ["more-scheduler", "shade-colour"]
    picture = chart.picture(tasked(small, ["fifo"]), ChartStyle(width=300), "fifo", "blue")
    assert (picture.story, picture.of, picture.figure["layout"]["height"]) == ("fifo is blue.", "fifo", 300)
