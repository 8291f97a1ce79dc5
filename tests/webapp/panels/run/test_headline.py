"""The sentences over the charts."""

from __future__ import annotations

import copy

from engine import quantities
from tests.phrases import phrase
from webapp.panels.run.headline import sentences
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task, with_pinned
from webapp.url.url_state import RunRequest


def test_the_best_and_what_is_pinned(cache: SharedCache, small: dict) -> None:
    pinned = build_task(RunRequest(small, ("fifo",)))
    other = copy.deepcopy(small)
    other["jobs"][0]["maps"]["duration_s"] = 20
    task = build_task(RunRequest(other, ("fifo", "fair")))
    texts = sentences(with_pinned(task, pinned))
    assert texts[0].startswith("The makespan is ")
    before, now = pinned.outcomes()[0].metrics["makespan_s"], task.outcomes()[0].metrics["makespan_s"]
    assert now - before == 10
    assert texts[-1] == phrase("run.fifo_takes_s_longer_than", "10 s", quantities.duration(1000 * before))
    assert sentences(task)[2:] == [phrase("run.fair_fifo_container_for_container", "=")]


def test_what_is_shown_beside_each_other(cache: SharedCache, small: dict) -> None:
    pinned = build_task(RunRequest(small, ("drf", "fifo")))
    task = build_task(RunRequest(small | {"name": "other"}, ("fifo", "fair")))
    both = with_pinned(task, pinned)
    assert [(one.name, one.task is both) for one in both.shown] == [
        ("fifo", True),
        ("fifo", False),
        ("fair", True),
        ("drf", False),
    ]
    assert both.key != task.key
    assert both.link == task.link
    assert with_pinned(task, task) is task
