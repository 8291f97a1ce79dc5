"""Decisions retraced."""

from __future__ import annotations

import pytest

from engine.dashboard import TooLarge
from tests.phrases import phrase
from webapp.runs import rerun_details
from webapp.runs.cache import SharedCache
from webapp.runs.task import ShownRun, build_task
from webapp.url.url_state import RunRequest


def test_a_decision_is_retraced_once_for_all_steps_past_it(
    cache: SharedCache, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = build_task(RunRequest(small, ("fifo",)))
    rerun_details.explain_container.cache_clear()
    asked = []
    explain = rerun_details.explain
    monkeypatch.setattr(rerun_details, "explain", lambda *what: asked.append(what[2]) or explain(*what))
    rows = [rerun_details.explain_container(ShownRun(task, "fifo"), number) for number in (0, 1, 0, 1)]
    assert asked == [0, 1]
    assert rows[0]["container"] == rows[2]["container"] != rows[1]["container"] == rows[3]["container"]


def test_a_decision_too_far_into_a_run_is_a_sentence(
    cache: SharedCache, small: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun_details, "MAX_RETRACED", 0)
    with pytest.raises(TooLarge, match=phrase("services.containers_were_placed_before", 1)):
        rerun_details.explain_container(ShownRun(build_task(RunRequest(small, ("fair",))), "fair"), 1)
