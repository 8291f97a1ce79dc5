"""What an experiment's page shows once it has run."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from dash import Dash

from engine import GantryError, paper_experiments, reproduce
from engine.dashboard import Ordered, Printed
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


def test_verdict_pictures_and_numbers() -> None:
    text = as_json(panel._result(NAME, reproduce(paper_experiments()[NAME]), False, 1000, False))
    assert all(
        line in text
        for line in (
            " agrees",
            phrase("papers.computed_now_on_claims", 17),
            "Calibration: ",
            "Average waiting time",
            "18.33 s",
            "0 %",
        )
    )
    assert "Why it differs" not in text


def test_what_differs_says_why_and_what_was_tried() -> None:
    claims = (
        Printed("Gain", "x", 154, "%", "Fig. 7", side=True),
        Ordered("SAF is faster", ("a/makespan_s", "b/makespan_s"), "text"),
    )
    samples = {"x": [-3.0], "a/makespan_s": [2.0], "b/makespan_s": [1.0]}
    answer, *others = panel._result(
        "a/b", result(claims, samples, why="A reason.", notes=("Tried 1 thing.",)), False, 1000, False
    )
    assert all(line in as_json(answer) for line in (" differs", "Why it differs", "A reason."))
    assert "A reason." not in as_json(others), "the reason stands beside the verdict and nowhere else"
    assert all(
        line in as_json(others)
        for line in ("101.9 %", "What was tried", "Tried 1 thing.", "does not hold", "a < b", "2 s")
    )


def test_readings_stand_beside_each_other_each_with_its_verdict() -> None:
    claims = (Printed("A", "x", 10, "s", "Table 2"), Ordered("x before y", ("x", "y"), "text"))
    result_ = result(claims, {"x": [10.0], "y": [11.0]}, {"x": [10.0], "y": [9.0]})
    parts = panel._result("a/b", result_, False, 1200, False)
    text = as_json(parts)
    assert phrase("papers.depends_on_reading") in as_json(parts[0]) and phrase(
        "papers.under_each_readings", 2
    ) in as_json(parts[0])
    assert all(
        line in text
        for line in (
            phrase("papers.calibrated_as_first"),
            phrase("papers.calibrated_as_second"),
            "on 2 claims",
        )
    )
    ids = re.findall(r'"id": "([^"]+)"', text)
    assert len(ids) == len(set(ids)), "an id stands once on a page"
    assert {"claim-1", "claim-2", "paper-picture-first-1", "paper-picture-second-1"} <= set(ids)
    assert '"data-name": "a-b-first-1"' in text and '"data-name": "a-b-second-1"' in text


def test_what_no_physics_can_give_is_a_section(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    one = paper_experiments()[NAME]
    assert phrase("papers.what_no_physics_can_give") not in as_json(
        panel.layout(NAME, replace(one, unattainable=()))
    )
    text = as_json(panel.layout(NAME, replace(one, unattainable=("Reordering gains 9 to 16 % at most.",))))
    assert phrase("papers.what_no_physics_can_give") in text and "Reordering gains 9 to 16 % at most." in text


def test_two_pictures_stand_beside_each_other_where_there_is_room() -> None:
    result_ = reproduce(paper_experiments()[NAME])
    wide, narrow = (panel._result(NAME, result_, False, width, False)[2].children[0] for width in (1000, 500))
    assert (
        wide.children[1].children.figure["layout"]["height"]
        == narrow.children[1].children.figure["layout"]["height"]
    )
    assert as_json(panel._result(NAME, result_, True, 1000, True)) != as_json(
        panel._result(NAME, result_, False, 1000, False)
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
    head, *charts = panel._charts(paper_experiments()[NAME].shows()[0], "a-schedule-1", False, 800).children
    assert "Download" in as_json(head) and '"data-name": "a-schedule-1"' in as_json(head)
    assert [chart.alt.partition(":")[0] for chart in charts] == ["fifo", "priority-fifo(k1=1)"]
    assert charts[0].alt.startswith("fifo: 6 jobs") and charts[0].src.startswith("data:image/svg+xml;base64,")
