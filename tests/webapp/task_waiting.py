"""Work that a test has begun, followed to its end."""

from __future__ import annotations

from tests.waiting import until
from webapp.services.tasks import Progress, works


def ended(name: str, progress: Progress) -> Progress:
    """How it ended: what takes over 3 s, as on a busy machine, goes to the queue first, however patient the one who began it was."""
    if not progress.under_way:
        return progress
    return until(lambda: None if (found := works.progress(name)).under_way else found)
