"""What containers and jobs count as, for the View: usage of jobs and queues, masters, jobs that run
(QUEUE-2).

In Hadoop  FSQueue.incUsedResource, decUsedResource; AbstractCSQueue.allocateResource, releaseResource
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MASTER, ON_CHANGES, ON_WINDOWS, REORDER
from engine.schedulers.amounts import THE_RUN, add
from engine.simulation.hadoop.capacity.users import count_user_usage

if TYPE_CHECKING:
    from engine.run_records import Ints
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def count_used(v: View, s: State, request: int, change: int) -> None:
    """The scheduler counts a container in (1) or out (-1) for its job and the queues above it."""
    job = v.request_job[request]
    kind = v.request_kind[request]
    v.request_held[request] += change
    v.held_count[kind] += change
    add(v.held_resource, kind, v.request_resource, request, change)
    add(v.job_used_resource, job, v.request_resource, request, change)
    v.job_reorder[job] = REORDER
    note_stale(s, job)
    note_demand(v, s, job)
    note_changed(v, s, job)
    note_reduces(s, job)
    count_user_usage(v, job, request, change)
    queue = v.job_queue[job]
    while queue >= 0:
        add(v.queue_used_resource, queue, v.request_resource, request, change)
        queue = v.queue_parent[queue]


def note_changed(v: View, s: State, job: int) -> None:
    """The order is told of the job when it is next asked."""
    if s.is_changed[job] == 0:
        s.is_changed[job] = 1
        v.changed[0] += 1
        v.changed[v.changed[0]] = job


def note_progress(v: View, s: State, job: int) -> None:
    """What a job's scores may depend on beside its holdings has changed: what waits, runs or has ended of
    it.
    """
    if s.keeps_scores == 1:
        note_changed(v, s, job)


def note_stale(s: State, job: int) -> None:
    """What a job's place among others depends on has changed (shortlist.py)."""
    if s.ranks_by > 0 and s.is_stale[job] == 0:
        s.is_stale[job] = 1
        s.stale_jobs[s.stale_count] = job
        s.stale_count += 1


def note_demand(v: View, s: State, job: int) -> None:
    """What a job holds or waits for has changed since FairScheduler last looked."""
    if v.update_interval > 0 and s.is_demand_changed[job] == 0:
        s.is_demand_changed[job] = 1
        s.demand_changed[s.demand_changed_count] = job
        s.demand_changed_count += 1


def note_reduces(s: State, job: int) -> None:
    """What a rule that preempts looks at has changed: at the windows' ends it is asked of such jobs, and of
    those of which it may answer still.
    """
    if s.reduce_start_trigger == ON_WINDOWS:
        s.is_touched[job] = 1


def count_admitted(v: View, job: int, change: int) -> None:
    """The scheduler sets a master's room aside (1), or has it back (-1)."""
    add(v.admitted_resource, THE_RUN, v.request_resource, v.job_first_request[job] + MASTER, change)


def count_running(v: View, s: State, job: int, change: int) -> None:
    """A job has begun (1), or has finished (-1)."""
    v.running_jobs[0] += change
    if v.job_iterations[job] > 1:
        v.running_jobs[1] += change
    if s.reduce_start_trigger == ON_CHANGES:
        s.touch_all = 1


def count_unfinished(v: View, job: int, change: int) -> None:
    """A job has arrived (1) or finished (-1) in its queue and those above."""
    count_in_queues(v, v.queue_jobs, job, change)


def count_in_queues(v: View, counts: Ints, job: int, change: int) -> None:
    """counts: by queue; so many more in the job's and in those above."""
    queue = v.job_queue[job]
    while queue >= 0:
        counts[queue] += change
        queue = v.queue_parent[queue]
