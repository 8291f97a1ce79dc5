"""A diagnostics line that is pasted into the page: its answer, on the result that is shown."""

from __future__ import annotations

from typing import Any

import pytest
from dash import Dash

from tests.engine.explanation.lines import cluster, masters
from tests.phrases import phrase
from tests.webapp.layout_reading import words
from webapp.panels.decision import pasted_line
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def answer() -> Any:
    """The callback."""
    app = Dash("test")
    app.layout = pasted_line.layout()
    pasted_line.register(app)
    (found,) = [one["callback"].__wrapped__ for one in app.callback_map.values() if "callback" in one]
    return found


def test_it_is_told_on_the_cluster_that_is_shown(answer: Any, cache: SharedCache) -> None:
    task = build_task(RunRequest(cluster().plain(), ("capacity", "fair")))
    saved_tasks.save_task(task).result()
    told = words(answer(masters(), {"key": task.key}))
    assert phrase("explanation.am_percent_is_here", 0.2, "1,639", 2, "3,277", 4) in told
    assert phrase("explanation.masters_of_queue_hold") in told
    assert "AbstractLeafQueue.activateApplications" in told


@pytest.mark.parametrize("result", [None, {}, {"key": "gone"}, {"key": 1}, "nonsense"])
def test_without_a_result_the_property_is_named(answer: Any, cache: SharedCache, result: Any) -> None:
    told = words(answer(masters(), result))
    assert phrase("explanation.hadoops_default_of_am_percent", 0.1) in told


@pytest.mark.parametrize("text", [None, "", " \n", 7, []])
def test_an_empty_field_has_no_answer(answer: Any, text: Any) -> None:
    assert answer(text, None) == []


def test_what_is_not_hadoops_is_said(answer: Any) -> None:
    assert phrase("explanation.may_come_from_application_itself") in words(answer("hello", None))


def test_a_log_is_told_entry_by_entry(answer: Any) -> None:
    log = f"start\n{masters()}\n{masters(request=3072)}\nend"
    told = words(answer(log, None))
    assert told.count("AbstractLeafQueue.activateApplications") == 2
    assert "1.5 GB and 1 vcore" in told and "3 GB and 1 vcore" in told
    assert told.endswith(phrase("explanation.no_sentence_is_in_other_lines", 2))
