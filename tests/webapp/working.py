"""Work that a test has begun, followed to its end."""

from __future__ import annotations

import time

from webapp.services.tasks import Progress, works

LONGEST_S = 120


def ended(name: str, progress: Progress) -> Progress:
    """How it ended: what takes over 3 s, as on a busy machine, goes to the queue first, however patient the one who began it was."""
    until = time.monotonic() + LONGEST_S
    while progress.under_way:
        assert time.monotonic() < until, progress
        time.sleep(0.05)
        progress = works.progress(name)
    return progress
