"""What an experiment's page shows once it has run."""

from __future__ import annotations

import math

import pytest
from dash import Dash

from engine import Alike, Experiment, Ordered, Picture, Printed, Result, Series, paper_experiments, reproduce
from engine.papers.judge import find, verdict
from engine.papers.schema import Measured
from tests.webapp.laid_out import as_json
from webapp.panels.papers import experiment as panel
from webapp.panels.papers.claims import claims_table
from webapp.services.cache import Shared

NAME = "dynamic-priority/table-1"


@pytest.fixture(autouse=True)
def app() -> Dash:
    return Dash("test")


def result(*claims, samples: dict, why: str = "", notes: tuple[str, ...] = ()) -> Result:
    pictures = (Picture("Fig. 1", "bars", "", "Time (s)", (Series("ours", ("a",), (1.0,)),)),)
    one = Experiment("key", "Title", "Fig. 1", "Set.", "Notice.", lambda: (), lambda tell: Measured(samples), claims, why=why)
    findings = tuple(find(claim, samples) for claim in claims)
    return Result(one, Measured(samples, pictures, notes), findings, *verdict(findings))


def test_verdict_pictures_and_numbers() -> None:
    text = as_json(panel._found(NAME, reproduce(paper_experiments()[NAME]), False, 1000, False))
    assert all(line in text for line in (" agrees", "computed now, on 4 claims", "Average waiting time", "18.33 s", "0.0 %"))
    assert "Why it differs" not in text


def test_what_differs_says_why_and_what_was_tried() -> None:
    claims = (Printed("Gain", "x", 154, "%", "Fig. 7", side=True), Ordered("SAF is faster", ("a/makespan_s", "b/makespan_s"), "text"))
    found = result(*claims, samples={"x": [-3.0], "a/makespan_s": [2.0], "b/makespan_s": [1.0]}, why="A reason.", notes=("Tried 1 thing.",))
    text = as_json(panel._found("a/b", found, False, 1000, False))
    assert "101.9 %" in text
    assert all(line in text for line in (" differs", "Why it differs", "A reason.", "What was tried", "Tried 1 thing.", "does not hold", "a < b", "2 s"))


def test_the_reason_stands_beside_the_verdict_and_nowhere_else() -> None:
    found = result(Printed("Gain", "x", 154, "%", "Fig. 7", side=True), samples={"x": [-3.0]}, why="A reason.")._replace(verdict="differs")
    answer, *others = panel._found("a/b", found, False, 1000, False)
    assert "A reason." in as_json(answer) and " differs" in as_json(answer)
    assert "A reason." not in as_json(others)


def test_each_claim_can_be_linked_to() -> None:
    rows = claims_table(reproduce(paper_experiments()[NAME]).findings).children.children[1].children
    assert [row.id for row in rows] == ["claim-1", "claim-2", "claim-3", "claim-4"]


def test_claims_without_a_verdict_say_so() -> None:
    claims = (Printed("A", "x", 10, "s", "Table 2", fitted=True), Printed("B", "x", 10, "s", "Fig. 8", unjudged="the paper does not define it"))
    text = as_json(claims_table([find(claim, {"x": [9.0]}) for claim in claims]))
    assert "used in the fit, no verdict" in text
    assert "no verdict: the paper does not define it" in text
    assert "✓" not in text


def test_a_deadlock_is_named() -> None:
    claims = (Printed("A", "x", 10, "s", "Fig. 2"), Alike("B", ("x", "y"), "text"))
    text = as_json(claims_table([find(claim, {"x": [math.inf], "y": [1.0]}) for claim in claims]))
    assert text.count("deadlock") >= 3
    assert "Infinity" not in text


def test_two_pictures_stand_beside_each_other_where_there_is_room() -> None:
    found = reproduce(paper_experiments()[NAME])
    wide, narrow = (panel._found(NAME, found, False, width, False)[1].children[0] for width in (1000, 500))
    assert wide.children[1].children.figure["layout"]["height"] == narrow.children[1].children.figure["layout"]["height"]
    assert as_json(panel._found(NAME, found, True, 1000, True)) != as_json(panel._found(NAME, found, False, 1000, False))


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
    assert panel._look(seen) == look


def test_the_gantt_charts_of_its_first_scenario(cache: Shared) -> None:
    head, *charts = panel._charts(paper_experiments()[NAME].shows()[0], "a-schedule-1", False, 800).children
    assert "Download" in as_json(head) and '"data-name": "a-schedule-1"' in as_json(head)
    assert [chart.alt.partition(":")[0] for chart in charts] == ["fifo", "priority-fifo(k1=1)"]
    assert charts[0].alt.startswith("fifo: 6 jobs") and charts[0].src.startswith("data:image/svg+xml;base64,")
