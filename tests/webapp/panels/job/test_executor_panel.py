"""An application's curve on its page: which jobs have one, what it says and draws, and what is opened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import GantryError, Scenario, quantities
from engine.dashboard import OWN_TIME, executor_headline, measure_run, others_text, present_text
from tests.phrases import phrase
from tests.spark_jobs import MIXED
from tests.webapp.layout_reading import words
from tests.webapp.task_waiting import ended
from webapp.jobs import executor_curves
from webapp.panels.job import executor_panel
from webapp.runs import saved_tasks
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache) -> Task:
    result = build_task(RunRequest(MIXED, ("fair",)))
    saved_tasks.save_task(result).result()
    return result


@pytest.fixture
def found(task):
    begun = executor_panel.begin({"key": task.key, "job": "etl", "scheduler": 0})
    assert ended(begun.id, begun.progress).state == "finished"
    request = executor_curves.ExecutorsRequest.of(begun.asked)
    return request, executor_curves.find_curve(request)


def test_only_a_spark_application_has_a_curve(task):
    shown = task.shown[0]
    assert executor_panel.application_of(shown, "etl") == 0
    assert executor_panel.application_of(shown, "mr") is None
    assert executor_panel.application_of(shown, "gone") is None


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"job": "mr", "scheduler": 0}, phrase("job.no_spark_application", "mr")),
        ({"job": None, "scheduler": 99}, phrase("job.no_spark_application", "None")),
        ({"key": "unknown", "job": "etl"}, saved_tasks.TASK_EXPIRED),
        ({"key": 7, "job": "etl"}, saved_tasks.TASK_EXPIRED),
    ],
)
def test_what_can_not_be_asked_is_told(task, sent, says):
    with pytest.raises(GantryError) as told:
        executor_panel.begin({"key": task.key} | sent)
    assert str(told.value) == says


def test_it_names_the_knee_and_draws_both_curves_over_the_same_numbers(found):
    request, curve = found
    title, headline, pair, basis = executor_panel.content(request, curve, "Charts.", dark=False, width=1200)
    assert words(title) == phrase("job.by_its_executors", "etl", "fair")
    assert words(headline) == executor_headline(curve, 0) and words(basis)
    own, others = (
        executor_panel._picture(key, curve, metric, "", False, 600).figure
        for key, metric in (
            (executor_panel.OWN, executor_panel.OWN_TIME),
            (executor_panel.OTHERS, executor_panel.OTHERS_TIME),
        )
    )
    assert own["layout"]["xaxis"]["range"] == others["layout"]["xaxis"]["range"]
    labels = [shape["label"]["text"] for shape in own["layout"]["shapes"] if "label" in shape]
    assert labels == ["critical path"]
    assert [shape["x0"] for shape in own["layout"]["shapes"] if shape["xref"] == "x"] == [6]
    assert any(trace.get("marker", {}).get("symbol") == "star" for trace in own["data"])
    assert f"{present_text(curve, 0)} Charts. " in words(pair) and others_text(curve, 0) in words(pair)
    size = own["layout"]
    assert size["meta"]["least"] == size["height"], "a low drawer makes no curve flat"


def test_it_says_where_the_charts_show_another_time_and_why(task, found):
    request, curve = found
    said = executor_panel.charts_text(request, curve)
    seconds = measure_run(task.outcome("fair").run, (OWN_TIME,), 0)[0]
    shown = quantities.amount(seconds, "s")
    assert said == phrase("job.charts_show_one_seed", shown)
    study = curve.result.study
    varied = replace(curve, result=replace(curve.result, study=replace(study, jitter=0.1)))
    assert executor_panel.charts_text(request, varied) == phrase("job.charts_do_not_vary", shown)
    assert executor_panel.charts_text(request, replace(curve, present=None)) == ""
    curve.result.values[curve.numbers.index(curve.present), 0, :, study.metrics.index(OWN_TIME)] = seconds
    assert executor_panel.charts_text(request, curve) == "", "both say the same"
    assert executor_panel.charts_text(executor_curves.ExecutorsRequest("gone", 0, "fair"), curve) == ""


def test_a_point_is_opened_beside_what_it_was(task, found):
    request, curve = found
    opened = executor_panel.for_charts(task, request, curve, 3)
    after = Scenario.of(opened["draft"]["scenario"])
    assert after.jobs[0].executors.dynamic.maximum == 3
    assert opened["draft"]["schedulers"] == opened["pinned"]["schedulers"] == ["fair"]
    assert Scenario.of(opened["pinned"]["scenario"]).digest == task.scenario.digest
    for number in (99, None, "x", [3]):
        assert executor_panel.for_charts(task, request, curve, number) is None


def test_what_a_page_says_it_shows_may_be_anything(found):
    request, curve = found
    assert executor_panel._found(request.plain()) == (request, curve)
    assert executor_panel._found({"key": "x"}) == (None, None)
    assert executor_panel._found(request.plain() | {"key": "unknown"})[1] is None
