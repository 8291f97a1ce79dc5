"""Where long work stands, in words."""

from __future__ import annotations

from engine import quantities
from webapp.jobs.job_manager import Progress
from webapp.messages import msg

MIN_SHOWN_LEFT_S = 3.0  # shorter remaining times are not shown


def step_text(progress: Progress) -> str:
    """ "Waiting for a free process: 2 pieces of work before it." or "2 of 4: fair…, about 8 s left"."""
    return waiting_text(progress) or (
        f"{min(progress.done + 1, progress.total)} of {progress.total}: "
        f"{progress.now or 'beginning'}…{_left(progress)}"
    )


def count_text(progress: Progress) -> str:
    """The same of work whose steps are runs: "12 of 60 runs…, about 8 s left"."""
    return (
        waiting_text(progress)
        or f"{progress.done:,} of {quantities.count(progress.total, 'runs')}…{_left(progress)}"
    )


def said_text(progress: Progress) -> str:
    """The same of work that says itself where it stands: "12 of 60 settings tried…, about 8 s left"."""
    return waiting_text(progress) or f"{progress.now or 'Beginning'}…{_left(progress)}"


def waiting_text(progress: Progress) -> str:
    """Of what waits to begin, or to end; "" of what does neither."""
    if progress.is_ending:
        return "Ending…"
    if progress.state != "queued":
        return ""
    ahead = (
        msg(
            "panels.progress_text.ahead_in_queue",
            ahead=progress.ahead,
            value="task" if progress.ahead == 1 else "tasks",
        )
        if progress.ahead
        else msg("panels.progress_text.next")
    )
    return progress.now or msg("panels.progress_text.waiting_for_free_worker", ahead=ahead)


def _left(progress: Progress) -> str:
    seconds = progress.remaining_s or 0.0
    if seconds < MIN_SHOWN_LEFT_S:
        return ""
    return msg("panels.progress_text.about_left", duration=quantities.rough_duration(1000 * round(seconds)))
