"""What a notebook shows of runs, comparisons, studies and predictions."""

from __future__ import annotations

import re
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from engine import compare, explain, load, predict, quantities, sample, simulate, study, summary
from engine.rich_display import RichDisplay
from tests import handmade_runs as by_hand
from tests.engine.schedulers.busy import busy
from tests.engine.studies.made_results import PLAIN, SLOW
from tests.webapp.svg_reading import boxes, words
from webapp.notebook import register


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setattr("engine.rich_display._draw", None)
    assert RichDisplay()._repr_html_() is None
    register()


def shown(value: RichDisplay) -> ElementTree.Element:
    """What a notebook shows, which must be well-formed, without its style."""
    return ElementTree.fromstring(re.sub(r"<style>.*?</style>", "", value._repr_html_(), flags=re.DOTALL))


def charts(page: ElementTree.Element) -> list[ElementTree.Element]:
    return [drawing for drawing in page.iter("svg") if drawing.get("role") == "img"]


def rows(page: ElementTree.Element) -> list[list[str | None]]:
    """The cells of its table, the head first."""
    return [[cell.text for cell in row] for row in page.iter("tr")]


def test_a_run_is_its_chart_and_its_numbers():
    run = simulate(busy(), "fair")
    page = shown(run)
    [chart] = charts(page)
    assert len(boxes(chart, "p-map")) == (run.frame()["kind"] == "map").sum()
    assert chart.get("aria-label").startswith("fair: ")
    makespan = quantities.amount(summary(run)["makespan_s"], "s")
    assert rows(page)[:2] == [[None, "fair"], ["Makespan", makespan]]


def test_a_comparison_has_its_charts_on_one_time_axis_and_marks_the_best():
    compared = compare(busy(), ["fair", "fifo"])
    page = shown(compared)
    times = [words(chart, "time") for chart in charts(page)]
    assert len(times) == 2 and times[0] == times[1]
    makespans = compared.frame()["makespan_s"].tolist()
    assert makespans[0] != makespans[1]
    expected = [quantities.amount(value, "s") for value in makespans]
    best = makespans.index(min(makespans))
    expected[best] = f"★ {expected[best]}"
    assert rows(page)[1] == ["Makespan", *expected]


def test_what_was_measured_is_never_the_best():
    recorded = load(sample("recorded-batch.json")).scenario
    page = shown(compare(recorded, ["measured", "fair", "fifo"]))
    assert not [row for row in rows(page) if (row[1] or "").startswith("★")]
    assert [row for row in rows(page) if "★" in "".join(filter(None, row))]


def test_a_study_is_a_table_of_means_with_the_answer_in_words():
    result = study(PLAIN, ("fair", "fifo"), {SLOW: [0.05, 0.8]}, seeds=3, jitter=0.2, processes=1)
    page = shown(result)
    cells = rows(page)
    assert cells[0][-2:] == ["fair", "fifo"] and SLOW in cells[1]
    assert cells[2][0] == "Makespan" and "±" in cells[2][-1]
    assert "fair" in page.find("details/pre").text
    mean_s = result.of("makespan_s")[0, 0].mean()
    assert repr(result).splitlines()[2].split()[:3] == ["0.05", "fair", f"{mean_s:.6f}"]


def test_a_prediction_says_how_far_off_it_is():
    prediction = predict(load(sample("recorded-batch.json")).scenario, "fair")
    page = shown(prediction)
    assert page.find("p").text and prediction.replay.rows[0].name in page.find("details/pre").text
    assert prediction.replay.rows[0].name in repr(prediction)
    assert prediction.frame()["name"].tolist() == [row.name for row in prediction.replay.rows]


def test_an_explanation_is_what_the_command_line_prints():
    told = explain(simulate(busy(), "fair"), "fair", 0)
    page = shown(told)
    assert f"{page.find('p').text}\n{page.find('pre').text}" == repr(told)
    assert page.find("p").text == f"{told['because']}."
    rows = told.frame().to_dict("records")
    assert [row["job"] for row in rows] == [row["job"] for row in told["candidates"]]
    assert {*told["candidates"][0]["terms"]} < {*rows[0]}


def test_a_run_that_is_stuck_says_so():
    stage = by_hand.stage(1, 1024, 1)
    scenario = by_hand.scenario([(4096, 4)], [{"name": "<b>&", "maps": stage}])
    stuck = by_hand.run(scenario, [by_hand.container(0, "map", 0, 0, None)])
    page = shown(stuck)
    assert page.find("p").text.endswith(stuck.because)
    assert "<b>" not in stuck._repr_html_()


def test_the_style_is_its_own_and_follows_the_notebook():
    style = re.search(r"<style>(.*?)</style>", simulate(busy(), "fair")._repr_html_(), re.DOTALL)[1]
    assert style.startswith(".gantry-output{") and style.endswith("}") and ":root" not in style
    depths = [*accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in style[style.index("{") :])]
    assert min(depths[:-1]) == 1 and depths[-1] == 0, "a rule stands outside"
    for notebook, scheme in (("true", "light"), ("false", "dark")):
        assert re.search(rf'\[data-jp-theme-light="{notebook}"\] &[^{{]*{{color-scheme:{scheme}}}', style)
