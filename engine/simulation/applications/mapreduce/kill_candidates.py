"""The jobs that the kill rule has to look at (KILL-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MAP

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def update_kill_candidate(v: View, s: State, job: int) -> None:
    """Keep the list of jobs the kill rule has to look at (KILL-1): waiting maps, no running map, running
    reduces.
    """
    is_candidate = (
        v.request_waiting[v.job_first_request[job] + MAP] > 0
        and v.job_running_maps[job] == 0
        and v.job_running_reduces[job] > 0
    )
    if is_candidate and s.is_kill_candidate[job] == 0:
        i = s.kill_candidate_count
        while i > 0 and s.kill_candidates[i - 1] > job:
            s.kill_candidates[i] = s.kill_candidates[i - 1]
            i -= 1
        s.kill_candidates[i] = job
        s.kill_candidate_count += 1
        s.is_kill_candidate[job] = 1
        s.kill_candidate_node[job] = -1
        s.kill_candidate_checked[job] = -1
    elif not is_candidate and s.is_kill_candidate[job] == 1:
        i = 0
        while s.kill_candidates[i] != job:
            i += 1
        s.kill_candidate_count -= 1
        while i < s.kill_candidate_count:
            s.kill_candidates[i] = s.kill_candidates[i + 1]
            i += 1
        s.is_kill_candidate[job] = 0
