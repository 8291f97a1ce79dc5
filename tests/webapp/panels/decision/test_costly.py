"""The list of the most costly decisions: each with its cost and its sentence, a deadlock and nothing found
said.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Scenario, presets
from tests.phrases import phrase
from webapp.jobs.job_manager import Progress, job_manager
from webapp.panels.decision import costly
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


def found(ask: dict[str, Any]) -> tuple:
    """Followed to its end."""
    answer = costly.start_search(ask)
    while answer[2]:
        answer = costly.progress_values(answer[2], job_manager.progress(answer[2]["id"], 1))
    return answer


def test_a_list_with_a_button_each(cache: SharedCache) -> None:
    content, says, work, hidden, value = found(asked(cache, presets()[0].scenario, "fair"))
    assert (says, work, hidden, value) == ("", None, True, 0)
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
    content, says, *_ = found(asked(cache, stuck, "fifo+admit-all"))
    assert content == [] and phrase("common.ends_in_deadlock") in says


@pytest.mark.parametrize("ask", [{}, [], {"key": "0" * 16, "place": 0}])
def test_what_is_not_there_is_run_again(cache: SharedCache, ask: Any) -> None:
    assert costly.start_search(ask) == ([], saved_tasks.TASK_EXPIRED, None, True, 0)


def test_while_it_is_under_way_it_says_how_far_it_is() -> None:
    work = {"id": "1" * 16, "asked": {"key": "0" * 16, "place": 0}}
    answer = costly.progress_values(
        work, Progress(30, 120, "30 of 120 decisions tried, 4 with a better choice", remaining_s=9.0)
    )
    assert answer[1:] == (
        phrase("decision.decisions_tried_with_better_choice", 30, 120, 4, 9),
        work,
        False,
        25,
    )
    assert costly.progress_values(work, Progress(30, 120, "", "cancelled"))[:2] == ([], costly.ENDED)
