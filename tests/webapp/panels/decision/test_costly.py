"""The list of the most costly decisions: each with its cost and its sentence, a deadlock and nothing found
said.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import GantryError, Scenario, presets
from tests.phrases import phrase
from tests.webapp.followed_work import ended
from webapp.jobs.job_manager import Progress
from webapp.panels import long_work
from webapp.panels.decision import costly
from webapp.panels.long_work import Begun
from webapp.runs import saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


def text(made: Any) -> str:
    return json.dumps(made, default=lambda one: one.to_plotly_json(), ensure_ascii=False)


def asked(cache: SharedCache, scenario: Scenario, scheduler: str) -> dict[str, Any]:
    task = build_task(RunRequest(scenario.plain(), (scheduler,)))
    saved_tasks.save_task(task).result()
    return {"key": task.key, "place": 0}


def found(ask: dict[str, Any]) -> tuple[list, str]:
    """Followed to its end: the list and the sentence."""
    answer = ended(costly.WORK, ask)
    request, regret = costly._found(answer.get("found"))
    return costly.content(regret, request.place) if request and regret else [], answer["says"]


def test_a_list_with_a_button_each(cache: SharedCache) -> None:
    content, says = found(asked(cache, presets()[0].scenario, "fair"))
    assert says == ""
    rows = content[0].children
    assert len(rows) == 10
    first = rows[0].children
    assert getattr(first, "data-place") == "0" and getattr(first, "data-costly").isdigit()
    assert (
        first.children[0].children == "19 s"
        and phrase("decision.had_gone_map", "wordcount2") in first.children[1].children
    )
    assert content[1].children.startswith(phrase("decision.all_decisions_were_tried_for", 148, 110))


def test_where_nothing_was_costly_it_says_so(cache: SharedCache) -> None:
    """One job alone: there is never another to be served."""
    one = {"maps": {"count": 3, "memory_mb": 1024, "vcores": 1, "duration_s": 1}}
    alone = Scenario.of(
        {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 1024, "vcores": 1}]}, "jobs": [one]}
    )
    content = found(asked(cache, alone, "fifo"))[0]
    assert content[0].children.startswith(phrase("decision.under_fifo_no_other_single") + " ")
    assert content[1].children == phrase("decision.all_decisions_were_tried_for_another", 3, 0)


def test_a_deadlock_is_said(cache: SharedCache) -> None:
    one = {
        "maps": {"count": 1, "memory_mb": 1024, "vcores": 1, "duration_s": 1},
        "am": {"memory_mb": 1024, "vcores": 1},
    }
    stuck = Scenario.of(
        {"version": 1, "cluster": {"nodes": [{"count": 1, "memory_mb": 1024, "vcores": 1}]}, "jobs": [one]}
    )
    content, says = found(asked(cache, stuck, "fifo+admit-all"))
    assert content == [] and phrase("common.ends_in_deadlock") in says


@pytest.mark.parametrize("ask", [{}, [], {"key": "0" * 16, "place": 0}])
def test_what_is_not_there_is_run_again(cache: SharedCache, ask: Any) -> None:
    with pytest.raises(GantryError, match=saved_tasks.TASK_EXPIRED):
        costly.begin(ask)


def test_while_it_is_under_way_it_says_how_far_it_is() -> None:
    progress = Progress(30, 120, "30 of 120 decisions tried, 4 with a better choice", remaining_s=9.0)
    begun = Begun("1" * 16, progress, {"key": "0" * 16, "place": 0})
    assert long_work.status(costly.WORK, begun, {})["says"] == phrase(
        "decision.decisions_tried_with_better_choice", 30, 120, 4, 9
    )
    cancelled = begun._replace(progress=Progress(30, 120, "", "cancelled"))
    assert long_work.status(costly.WORK, cancelled, {}) == {
        "says": costly.WORK.cancelled,
        "state": "cancelled",
        "found": None,
    }
