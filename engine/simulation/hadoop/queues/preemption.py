"""Containers that the scheduler kills for other jobs (AbstractYarnScheduler.completedContainer,
RMContainerEventType.KILL; PREEMPT-3, PREEMPT-5).

The job and its queues have the use of such a container back at once; its room is free when its node's next
heartbeat reports the end. The task waits again, as after any attempt whose work is lost, and a reduce begins
from zero. A job whose master is killed loses all its containers with it and starts another master, as often
as that happens (RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry); what has finished stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ENDED, INFINITE, KILLED, MASTER
from engine.simulation.applications.seam import master_lost, stop_attempt, task_lost
from engine.simulation.hadoop.fair.fair_shares import reserved_nodes
from engine.simulation.hadoop.queues.reservations import jobs_leave, unreserve
from engine.simulation.hadoop.queues.returned_usage import release_usage
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.node_rows import refresh_time, release, row_entry

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def preempt(v: View, s: State, container: int, now: int) -> None:
    """A container that runs is killed. Before an instant's requests; then `jobs_leave`, if that has left some
    in `leaving_jobs`.
    """
    if s.container_kind[container] == MASTER:
        preempt_master(v, s, container, now)
    else:
        stop_attempt(v, s, container, KILLED, now)
        release_usage(v, s, row_entry(s, container), now)
        task_lost(v, s, container, now)
    wake_parked(s)


def preempt_master(v: View, s: State, container: int, now: int) -> None:
    """All that the job holds goes with its master; one that has finished, and lingers, leaves nothing else
    behind.
    """
    job, node = s.container_job[container], s.container_node[container]
    release(v, s, row_entry(s, container), node, KILLED, now)
    refresh_time(s, node)
    if v.job_finish[job] < 0:
        s.master_kills[job] += 1
        master_lost(v, s, job, now)
        reset_starvation(s, job, now)
    for place in range(len(s.awake)):
        first = place * s.row_width
        for entry in range(first, first + s.row_count[place]):
            if v.request_job[s.row_request[entry]] == job and s.row_end[entry] == ENDED:
                release_usage(v, s, entry, now)
    if reserved_nodes(v, job) > 0:
        own, end = v.job_first_request[job], v.job_first_request[job + 1]
        for place in range(len(v.node_reserved)):
            if own <= v.node_reserved[place] < end:
                unreserve(v, s, place)
    if v.job_finish[job] >= 0:
        s.leaving_jobs[s.leaving_count] = job
        s.leaving_count += 1


def reset_starvation(s: State, job: int, now: int) -> None:
    """Another attempt of the job is another application to FairScheduler: it has not been starved yet."""
    if s.preempts == 1:
        s.starved_memory[job] = s.starved_vcores[job] = s.min_share_starved_memory[
            job
        ] = s.min_share_starved_vcores[job] = 0
        s.last_at_fair_share[job], s.next_starvation_check[job], s.containers_created[job] = now, 0, 0


def kill_due(v: View, s: State, admission: PolicyFunction, table: int, now: int) -> None:
    """Whoever has been warned for long enough, and has not ended, is killed
    (FSPreemptionThread.PreemptContainersTask).
    """
    while s.kill_head < s.kill_count and s.kill_at[s.kill_head] <= now:
        container = s.kill_container[s.kill_head]
        s.kill_head += 1
        if s.is_marked[container] == 1:
            entry = row_entry(s, container)
            if s.row_end[entry] == ENDED:
                release_usage(v, s, entry, now)
                wake_parked(s)
            else:
                preempt(v, s, container, now)
    if s.leaving_count > 0:
        jobs_leave(v, s, admission, table, now)


def next_kill(s: State) -> int:
    """When the next container is killed; INFINITE when none is."""
    return s.kill_at[s.kill_head] if s.kill_head < s.kill_count else INFINITE
