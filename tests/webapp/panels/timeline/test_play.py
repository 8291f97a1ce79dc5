"""The cluster at the cursor, and the instants that Play stops at."""

from __future__ import annotations

import re

import pytest

from tests.phrases import phrase
from tests.webapp.svg_reading import read
from webapp.panels.timeline.play import nodes_at, step
from webapp.runs.cache import SharedCache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache: SharedCache, small: dict) -> Task:
    """Slowstart 0, fifo: the reduce from 0 to 17 s, the maps from 1 to 11 s and from 2 to 12 s."""
    small["jobs"][0]["slowstart"] = 0.0
    return build_task(RunRequest(small, ("fifo+slowstart", "fair+slowstart")))


def test_every_open_run_is_shown_as_it_is_then(task: Task) -> None:
    html = nodes_at(task, {"at": 1_500, "px": 300})["html"]
    assert re.findall("<strong>(.*?)</strong>", html) == ["fifo+slowstart", "fair+slowstart"]
    assert re.findall(r'data-running="(\d+)"', html) == ["2", "2"]
    assert re.findall('<p class="play-happened">(.*?)</p>', html)[0] == phrase(
        "timeline.gets_map_one", "0:01", "node1", 0
    )
    for drawing in re.findall("<svg.*?</svg>", html):
        read(drawing)
    assert re.findall("<strong>(.*?)</strong>", nodes_at(task, {"at": 0, "charts": [1]})["html"]) == [
        "fair+slowstart"
    ]
    assert re.findall(r'data-running="(\d+)"', nodes_at(task, {"at": 60_000})["html"]) == ["0", "0"]


def test_names_in_the_boxes_are_no_markup(cache: SharedCache, small: dict) -> None:
    small["jobs"][0]["name"] = "<b>&lt;"
    html = nodes_at(build_task(RunRequest(small, ("fifo",))), {"at": 1_500})["html"]
    assert "of &lt;b&gt;&amp;lt;</p>" in html and "<b>" not in html


def test_a_step_leads_from_decision_to_decision(task: Task) -> None:
    sent = {"charts": [0]}
    assert [step(task, sent | {"at": at, "by": 1})["at"] for at in (-1, 0, 1_000, 2_000)] == [
        0,
        1_000,
        2_000,
        None,
    ]
    assert [step(task, sent | {"at": at, "by": -1})["at"] for at in (0, 1_000, 60_000)] == [None, 0, 2_000]


@pytest.mark.parametrize("at", [None, "x", float("nan"), float("inf"), 10**400, []])
def test_a_time_that_is_none_is_answered_with_nothing(task: Task, at: object) -> None:
    assert nodes_at(task, {"at": at}) == step(task, {"at": at, "by": 1}) == {}
    assert step(task, {"at": 0, "by": 2}) == {}
