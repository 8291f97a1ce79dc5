"""Where long work stands, in words."""

from __future__ import annotations

from webapp import theme
from webapp.messages import msg
from webapp.services.background_tasks import Progress

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
        or f"{progress.done:,} of {theme.count(progress.total, 'runs')}…{_left(progress)}"
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
            "panels.progress_text.work_before",
            ahead=progress.ahead,
            value="piece" if progress.ahead == 1 else "pieces",
        )
        if progress.ahead
        else msg("panels.progress_text.next")
    )
    return progress.now or msg("panels.progress_text.waiting_for_free_process", ahead=ahead)


def _left(progress: Progress) -> str:
    seconds = progress.remaining_s or 0.0
    if seconds < MIN_SHOWN_LEFT_S:
        return ""
    return (
        msg("panels.progress_text.about_min_left", seconds=seconds / 60)
        if seconds >= 90
        else msg("panels.progress_text.about_s_left", seconds=seconds)
    )
