"""Work that a test has begun, followed to its end."""

from __future__ import annotations

from tests.waiting import until
from webapp.jobs.job_manager import Progress, job_manager


def ended(name: str, progress: Progress) -> Progress:
    """How it ended: what takes over 3 s, as on a busy machine, goes to the queue first, however patient the
    one who began it was.
    """
    if not progress.is_active:
        return progress
    return until(lambda: None if (result := job_manager.progress(name)).is_active else result)
