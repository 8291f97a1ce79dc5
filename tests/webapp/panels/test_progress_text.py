"""Where work stands, in words."""

from __future__ import annotations

import pytest

from webapp.panels.progress_text import count_text, step_text
from webapp.services.tasks import Progress


@pytest.mark.parametrize(
    ("progress", "step", "count"),
    [
        (Progress(0, 4, ""), "1 of 4: beginning…", "0 of 4 runs…"),
        (Progress(1, 4, "fair"), "2 of 4: fair…", "1 of 4 runs…"),
        (Progress(1, 4, "fair", left_s=8.4), "2 of 4: fair…, about 8 s left", "1 of 4 runs…, about 8 s left"),
        (Progress(1, 4, "fair", left_s=200.0), "2 of 4: fair…, about 3 min left", "1 of 4 runs…, about 3 min left"),
        (Progress(1, 4, "fair", left_s=1.0), "2 of 4: fair…", "1 of 4 runs…"),
        (Progress(0, 4, "", "queued"), *["Waiting for a free process: it is the next."] * 2),
        (Progress(0, 4, "", "queued", ahead=1), *["Waiting for a free process: 1 piece of work before it."] * 2),
        (Progress(0, 4, "", "queued", ahead=12), *["Waiting for a free process: 12 pieces of work before it."] * 2),
    ],
)
def test_the_words(progress: Progress, step: str, count: str) -> None:
    assert (step_text(progress), count_text(progress)) == (step, count)
