"""The sentences over the charts."""

from __future__ import annotations

import copy

from tests.phrases import phrase
from webapp.panels.run.headline import sentences
from webapp.services import runs
from webapp.services.cache import Shared
from webapp.services.url_state import Asked


def test_the_best_and_what_is_pinned(cache: Shared, small: dict) -> None:
    pinned = runs.task(Asked(small, ("fifo",)))
    other = copy.deepcopy(small)
    other["jobs"][0]["maps"]["duration_s"] = 20
    own = runs.task(Asked(other, ("fifo", "fair")))
    found = sentences(runs.beside(own, pinned))
    assert found[0].startswith("The makespan is ")
    before, now = pinned.outcomes()[0].metrics["makespan_s"], own.outcomes()[0].metrics["makespan_s"]
    assert now - before == 10
    assert found[-1] == phrase("run.fifo_takes_s_longer_than", 10, f"{before:g}")
    assert sentences(own)[2:] == [phrase("run.fair_fifo_container_for_container", "=")]


def test_what_is_shown_beside_each_other(cache: Shared, small: dict) -> None:
    pinned = runs.task(Asked(small, ("drf", "fifo")))
    own = runs.task(Asked(small | {"name": "other"}, ("fifo", "fair")))
    both = runs.beside(own, pinned)
    assert [(one.name, one.task is both) for one in both.shown] == [("fifo", True), ("fifo", False), ("fair", True), ("drf", False)]
    assert both.key != own.key
    assert both.link == own.link
    assert runs.beside(own, own) is own
