"""What a master of MapReduce has to ask for at its next heartbeat (MASTER-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def begins_iteration(v: View, job: int) -> int:
    """Is the next heartbeat's work to ask for the maps of an iteration: the first, or the one after an
    iteration that is over?
    """
    exceeds_user_limit = (
        v.job_finished_maps[job] == v.job_maps[job] and v.job_finished_reduces[job] == v.job_reduces[job]
    )
    return v.job_iteration[job] == 0 or exceeds_user_limit


def may_ask(v: View, s: State, job: int) -> bool:
    """Are there reduces that the job has still to ask for, and a master to do so?"""
    return (
        v.job_reduces[job] > 0
        and v.job_finish[job] < 0
        and s.is_master_down[job] == 0
        and (s.asked_reduces[job] == 0 or s.reduces_blocked[job] == 1)
    )
