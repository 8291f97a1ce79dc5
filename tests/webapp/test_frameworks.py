"""Every chart, list and file of the page has applications of each framework."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from dash import html

from tests.phrases import phrase
from tests.spark_jobs import SPARK
from tests.stage_jobs import DEMAND, STAGES, on_one_node
from tests.webapp.layout_reading import words
from webapp.panels.compare.chart_catalogue import CHARTS, ChartStyle
from webapp.panels.job import job, reasons
from webapp.panels.timeline import interval
from webapp.report import report
from webapp.runs import text_search
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

SIZE = {"memory_mb": 1024, "vcores": 1, "duration_s": 3}
MAPREDUCE = {"name": "mr", "maps": {"count": 2, **SIZE}, "reduces": {"count": 1, **SIZE}}


@pytest.fixture
def task(cache: SharedCache) -> Task:
    return build_task(RunRequest(on_one_node(6, STAGES, DEMAND, SPARK, MAPREDUCE), ("fair", "fifo")))


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.key)
def test_charts(task: Task, chart) -> None:
    drawn = chart.picture(task, ChartStyle())
    assert drawn.figure["data"] and drawn.story and drawn.table


def test_a_report(task: Task) -> None:
    text = "".join(report(task, datetime(2026, 1, 2, tzinfo=UTC)))
    assert all(name in text for name in ("dag", "held", "etl", "mr"))


def test_a_span_counts_every_kind(task: Task) -> None:
    text = words(interval.content(task, (0, 20_000)))
    assert "executors" in text and "6 tasks" in text and "2 maps" in text


@pytest.mark.parametrize("text", ["dag/2/task/0", "held/1/task/1/1", "ETL/1/executor/0"])
def test_containers_of_every_kind_are_found(task: Task, text: str) -> None:
    found = text_search.find_matches(task, text)
    assert found is not None and [len(indices) for indices in found.containers] == [1, 1]


def test_a_task_that_never_starts_is_explained(cache: SharedCache) -> None:
    """The second stage's container needs what no node has in both resources."""
    size = {"memory_mb": 1024, "vcores": 1}
    stages = [
        {"name": "a", "tasks": 1, "duration_s": 1, **size},
        {"name": "b", "after": ["a"], "tasks": 1, "duration_s": 1, "memory_mb": 4096, "vcores": 4},
    ]
    scenario = on_one_node(1, STAGES | {"stages": stages})
    scenario["cluster"]["nodes"] = [
        {"name": name, "count": 1, "memory_mb": memory, "vcores": vcores}
        for name, memory, vcores in (("n", 1024, 4), ("m", 4096, 1))
    ]
    task = build_task(RunRequest(scenario, ("fifo",)))
    assert task.shown[0].outcome.run.status == "deadlock"
    told = words(html.Div(reasons.content(task.shown[0], "dag")))
    assert phrase("application.fits_no_node") in told


def test_a_jobs_containers_are_listed(task: Task) -> None:
    run = task.shown[0].outcome.run
    assert [len(job.containers(run, name)[0]) for name in ("dag", "held", "mr")] == [4, 2, 3]
