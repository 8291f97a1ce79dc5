"""Decisions retraced."""

from __future__ import annotations

import pytest

from engine import TooLarge
from tests.phrases import phrase
from webapp.services import replays, runs
from webapp.services.cache import Shared
from webapp.services.url_state import Asked


def test_a_decision_is_retraced_once_for_all_steps_past_it(cache: Shared, small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    task = runs.task(Asked(small, ("fifo",)))
    replays.why.cache_clear()
    asked = []
    explain = replays.explain
    monkeypatch.setattr(replays, "explain", lambda *what: asked.append(what[2]) or explain(*what))
    found = [replays.why(task, "fifo", number) for number in (0, 1, 0, 1)]
    assert asked == [0, 1]
    assert found[0]["container"] == found[2]["container"] != found[1]["container"] == found[3]["container"]


def test_a_decision_too_far_into_a_run_is_a_sentence(cache: Shared, small: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_RETRACED", 0)
    with pytest.raises(TooLarge, match=phrase("services.containers_were_placed_before", 1)):
        replays.why(runs.task(Asked(small, ("fair",))), "fair", 1)
