"""Where work stands, in words."""

from __future__ import annotations

import pytest

from tests.phrases import phrase
from webapp.jobs.job_manager import Progress
from webapp.panels.progress_text import count_text, step_text


@pytest.mark.parametrize(
    ("progress", "step", "count"),
    [
        (Progress(0, 4, ""), "1 of 4: beginning…", "0 of 4 runs…"),
        (Progress(1, 4, "fair"), "2 of 4: fair…", "1 of 4 runs…"),
        (
            Progress(1, 4, "fair", remaining_s=8.4),
            phrase("panels.fair_about_s_left", 2, 4, 8),
            phrase("panels.runs_about_s_left", 1, 4, 8),
        ),
        (
            Progress(1, 4, "fair", remaining_s=200.0),
            phrase("panels.fair_about_min_left", 2, 4, 3),
            phrase("panels.runs_about_min_left", 1, 4, 3),
        ),
        (Progress(1, 4, "fair", remaining_s=1.0), "2 of 4: fair…", "1 of 4 runs…"),
        (Progress(0, 4, "", "queued"), *["Waiting for a free worker: next in the queue."] * 2),
        (
            Progress(0, 4, "", "queued", ahead=1),
            *["Waiting for a free worker: 1 task ahead in the queue."] * 2,
        ),
        (
            Progress(0, 4, "", "queued", ahead=12),
            *["Waiting for a free worker: 12 tasks ahead in the queue."] * 2,
        ),
    ],
)
def test_the_words(progress: Progress, step: str, count: str) -> None:
    assert (step_text(progress), count_text(progress)) == (step, count)
