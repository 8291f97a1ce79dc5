"""The panel of a selected span of time."""

from __future__ import annotations

from tests.webapp.layout_reading import words
from webapp.panels.timeline import interval
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


def test_the_span_is_headed_as_the_axis_counts_it(small: dict, cache: SharedCache) -> None:
    text = words(interval.content(build_task(RunRequest(small, ("fifo",))), (5_250, 65_000)))
    assert text.startswith("0:05.25 to 1:05 59.8 s")
    assert "Containers that ran" in text
