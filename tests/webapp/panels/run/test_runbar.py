"""A draft that can't be run when the page opens: the last good run is shown instead, or a sentence says why nothing is."""

from __future__ import annotations

import pytest

from webapp.panels.run.runbar import Ready, Under, _begin
from webapp.services.cache import Shared


@pytest.fixture
def broken(small: dict) -> dict:
    return {**small, "cluster": {"nodes": []}}


def test_the_last_good_run_is_shown_instead(cache: Shared, small: dict, broken: dict) -> None:
    found = _begin({"scenario": broken, "schedulers": ["fifo"], "spare": {"scenario": small, "schedulers": ["fifo"]}}, None)
    assert isinstance(found, Ready)
    assert "must hold at least one entry" in found.says() and "Shown instead:" in found.says()


@pytest.mark.parametrize("spare", [None, {}, {"scenario": {}, "schedulers": ["fifo"]}, "broken"])
def test_without_a_good_one_a_sentence_says_why(cache: Shared, broken: dict, spare: object) -> None:
    asked = {"scenario": broken, "schedulers": ["fifo"]}
    found = _begin({**asked, "spare": asked if spare == "broken" else spare}, None)
    assert isinstance(found, Under)
    assert "must hold at least one entry" in found.says
