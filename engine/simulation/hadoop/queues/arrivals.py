"""Jobs that arrive, or whose turn has come (JOB-3, JOB-4, ADMISSION-2).

In Hadoop  CapacityScheduler.addApplicationAttempt, FairScheduler.addApplicationAttempt;
           MaxRunningAppsEnforcer and CSMaxRunningAppsEnforcer.updateRunnabilityOnAppRemoval
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ACTIVATE, MASTER, TAKEN
from engine.simulation.hadoop.capacity.activation import activate, count_held_back
from engine.simulation.hadoop.queues.refusals import refuse
from engine.simulation.hadoop.queues.running_limits import count_run, is_allowed, run_if_allowed
from engine.simulation.hadoop.queues.usage import count_unfinished, note_stale
from engine.simulation.kernel.admission import activate_job, queue_master
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.requests import first_unfinished, request_containers

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def jobs_arrive(v: View, s: State, admission: PolicyFunction, table: int, now: int) -> None:
    """The jobs that arrive at this instant and are not refused: one with a master asks for it, one without
    begins at once.
    """
    first = s.arrived_jobs
    while s.arrived_jobs < len(v.job_arrival) and v.job_arrival[s.arrived_jobs] == now:
        job = s.arrived_jobs
        s.arrived_jobs += 1
        if s.refuses == 1 and refuse(v, s, job, now):
            continue
        count_unfinished(v, job, 1)
        s.event_count += 1
        if run_if_allowed(v, s, job):
            run_job(v, s, job, admission, table, now)
    for job in range(first, s.arrived_jobs):
        if s.job_refused[job] != TAKEN:
            continue
        if v.job_startup[job] < 0:
            set_time(s, len(s.awake) + job, now)
        else:
            arrive(v, s, job, admission, table, now)


def arrive(v: View, s: State, job: int, admission: PolicyFunction, table: int, now: int) -> None:
    """A job asks for its master."""
    request_containers(v, s, v.job_first_request[job] + MASTER, 1, now)
    if v.job_runnable_since[job] >= 0:
        queue_master(v, s, job, admission, table, now)


def run_job(v: View, s: State, job: int, admission: PolicyFunction, table: int, now: int) -> None:
    """The job counts among those that run; under ACTIVATE it begins once its master may start."""
    if s.overtaking == ACTIVATE:
        count_held_back(v, s, job, 1)
        s.queued_masters += v.job_startup[job] >= 0
        activate(v, s, v.job_queue[job], admission, table, now)
    else:
        activate_job(v, s, job)


def run_waiting_jobs(
    v: View, s: State, finished: int, admission: PolicyFunction, table: int, now: int
) -> None:
    """A job has left: those that waited for that run, in job order, as far as their limits allow."""
    count_run(v, s, finished, -1)
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if v.job_runnable_since[job] < 0 and is_allowed(v, s, job):
            v.job_runnable_since[job] = now
            note_stale(s, job)
            s.non_runnable_count -= 1
            count_run(v, s, job, 1)
            s.event_count += 1
            run_job(v, s, job, admission, table, now)
            if v.job_startup[job] >= 0:
                queue_master(v, s, job, admission, table, now)
