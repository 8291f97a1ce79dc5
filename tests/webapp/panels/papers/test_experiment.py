"""What an experiment's page shows once it has run."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from dash import Dash

from engine import GantryError, paper_experiments, reproduce
from engine.papers import Ordered, Printed
from tests.phrases import phrase
from tests.webapp.followed_work import ended
from tests.webapp.layout_reading import as_json
from tests.webapp.panels.papers.judged import result
from webapp.jobs import paper_results
from webapp.jobs.job_manager import TASK_EXPIRED, Progress
from webapp.panels import long_work
from webapp.panels.papers import experiment as panel
from webapp.runs.cache import SharedCache

NAME = "dynamic-priority/table-1"


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def test_it_is_run_and_begun_again_where_it_was_lost(cache: SharedCache) -> None:
    sent = {"experiment": NAME}
    lost = panel.answer(sent, Progress(0, 1, "", "failed", TASK_EXPIRED), {})
    assert lost == {"found": sent} or lost.asked == sent
    answer = ended(panel.WORK, sent)
    assert (answer["state"], answer["found"]) == ("finished", sent) and paper_results.find_result(NAME)


@pytest.mark.parametrize(
    "sent", [None, 7, [], {}, {"experiment": 7}, {"experiment": ["a"]}, {"experiment": "a/b"}]
)
def test_no_such_experiment(sent: object) -> None:
    begun = long_work.start(panel.WORK, sent if isinstance(sent, dict) else {})
    assert begun["state"] == "failed" and begun["says"]
    with pytest.raises(GantryError):
        panel.answer(sent, Progress(1, 1, "", "finished"), {})


def test_claims_pictures_and_numbers() -> None:
    text = as_json(panel._result(NAME, reproduce(paper_experiments()[NAME]), False, 1000, False))
    assert all(
        line in text
        for line in (
            phrase("papers.holds_order_gain_numbers", 2, 2, 2, 2, 17, 17),
            "Computed now.",
            "Average waiting time",
            "18.33 s",
            phrase("papers.repeated_from_formulas"),
        )
    )


def test_the_page_begins_with_what_was_recorded(cache: SharedCache) -> None:
    """Claims and lamps are there before anything has run; pictures and reasons come with the run."""
    text = as_json(panel.layout(NAME, paper_experiments()[NAME]))
    assert phrase("papers.holds_order_gain_numbers", 2, 2, 2, 2, 17, 17) in text
    assert phrase("papers.as_recorded_with_this_version") in text
    assert "Computed now." not in text and '"claim-17"' in text


def test_an_id_stands_once_on_a_page() -> None:
    claims = (Printed("A", "x", 10, "s", "Table 2"), Ordered("x before y", ("x", "y"), "text"))
    made = result(claims, {"x": [10.0], "y": [11.0]}, {"x": [10.0], "y": [9.0]}, pictures=3)
    text = as_json(panel._result("a/b", made, False, 1200, False))
    ids = re.findall(r'"id": "([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert {"claim-1", "claim-2", "paper-picture-1", "paper-picture-2", "paper-picture-3"} <= set(ids)
    assert '"data-name": "a-b-1"' in text and '"data-name": "a-b-2"' in text


def test_what_no_physics_can_give_is_a_section(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    one = paper_experiments()[NAME]
    assert phrase("papers.what_no_physics_can_give") not in as_json(
        panel.layout(NAME, replace(one, unattainable=()))
    )
    text = as_json(panel.layout(NAME, replace(one, unattainable=("Reordering gains 9 to 16 % at most.",))))
    assert phrase("papers.what_no_physics_can_give") in text and "Reordering gains 9 to 16 % at most." in text


def test_dark_and_large_are_drawn_otherwise() -> None:
    made = reproduce(paper_experiments()[NAME])
    assert as_json(panel._result(NAME, made, True, 1000, True)) != as_json(
        panel._result(NAME, made, False, 1000, False)
    )


@pytest.mark.parametrize(
    ("seen", "look"),
    [
        ({"width": 812.4, "dark": True, "large": True}, (True, 812, True)),
        ({}, (False, 240, False)),
        ({"width": "wide", "dark": "yes", "large": 1}, (False, 240, False)),
        ({"width": math.inf}, (False, 240, False)),
        ({"width": 1e12}, (False, 2400, False)),
    ],
)
def test_a_look_from_anything(seen: dict, look: tuple) -> None:
    assert panel._page_style(seen) == look


def test_the_gantt_charts_of_its_first_scenario(cache: SharedCache) -> None:
    head, room = panel._charts(paper_experiments()[NAME].shows()[0], "a-schedule", False, 800).children
    charts = room.children
    assert "Download" in as_json(head) and '"data-name": "a-schedule"' in as_json(head)
    assert [chart.alt.partition(":")[0] for chart in charts] == ["fifo", "priority-fifo(k1=1)"]
    assert charts[0].alt.startswith("fifo: 6 jobs") and charts[0].src.startswith("data:image/svg+xml;base64,")


def test_of_many_schedulers_the_first_and_the_papers_own_are_drawn(cache: SharedCache) -> None:
    show = paper_experiments()["haste/packing"].shows()[0]
    many = replace(show, schedulers=(*show.schedulers, *paper_experiments()[NAME].shows()[0].schedulers))
    _, room = panel._charts(many, "a-schedule", False, 1200).children
    assert len(many.schedulers) > len(room.children) == 2
    assert room.style == {"gridTemplateColumns": "repeat(2, minmax(0, 1fr))"}
