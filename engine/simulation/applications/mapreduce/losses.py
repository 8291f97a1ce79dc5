"""What follows for a job whose containers are lost: of nodes that go, or killed for other jobs (OUTAGE-1 to
OUTAGE-3, PREEMPT-3).

In Hadoop  JobImpl.actOnUnusableNode, TaskAttemptImpl (TA_KILL), RMAppAttemptImpl
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MAP
from engine.simulation.applications.mapreduce.fetches import map_lost
from engine.simulation.applications.mapreduce.kill_candidates import update_kill_candidate
from engine.simulation.applications.mapreduce.slow_start import touch
from engine.simulation.applications.mapreduce.task_lifecycle import (
    drop_attempt,
    retry_task,
    unplace,
)

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def attempt_lost(v: View, s: State, container: int) -> None:
    """An attempt has been stopped by others: its task runs again unless another attempt goes on."""
    job, kind = s.container_job[container], s.container_kind[container]
    if drop_attempt(v, s, container):
        retry_task(v, s, job, kind)
    touch(s, job)
    update_kill_candidate(v, s, job)


def forget_reduces(s: State, job: int) -> None:
    """A new master decides anew which reduces it asks for."""
    s.asked_reduces[job] = s.reduces_blocked[job] = s.reduces_first[job] = 0


def map_outputs_lost(v: View, s: State, job: int, node: int, now: int) -> None:
    """Finished maps of the job's iteration whose output lay on the node run again; reduces that lack it wait
    for them.
    """
    lost = 0
    had_all_maps = v.job_finished_maps[job] == v.job_maps[job]
    for index in range(v.job_maps[job]):
        at = s.map_base[job] + index
        if s.map_done[at] == 1 and s.container_node[s.map_container[at]] == node:
            s.map_done[at] = 0
            unplace(v, s, job, MAP, index)
            v.job_finished_maps[job] -= 1
            lost += 1
            if s.is_master_down[job] == 0:
                retry_task(v, s, job, MAP)
    if lost == 0:
        return
    s.job_maps_end[job] = -1
    if had_all_maps:
        v.available_containers -= v.job_running_reduces[job]
    map_lost(v, s, job, now)
    touch(s, job)
    update_kill_candidate(v, s, job)
