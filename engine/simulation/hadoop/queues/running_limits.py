"""No more jobs run at a time than their queues and their user allow; the others wait, with all they ask for
(JOB-4, JOB-5).

In Hadoop  MaxRunningAppsEnforcer, CSMaxRunningAppsEnforcer: a job is looked at when it comes, and those that
           wait, in the order of submission, whenever one has left (JOB-3)
What a job that waits asks for counts as demand of its queues. It has no fair share, nodes give it nothing,
and no limit of masters counts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.run_records import JOB, QUEUE, Ints, Record, array, given, number
from engine.simulation.hadoop.queues.usage import count_in_queues

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class RunningLimits(Record):
    """How many jobs may run at a time."""

    limits_running: int = number("", "1: some queue or user may have no more than so many jobs that run")
    non_runnable_count: int = number("", "jobs that wait for that")
    job_owner: Ints = given(JOB, "", "the first job of its user, in whatever queue")
    owner_running_jobs: Ints = array(
        JOB, "", "by job_owner: its user's running jobs, and how many may run; running_limits.py"
    )
    owner_max_running_jobs: Ints = given(
        JOB, "", "how many of its user's jobs may run at a time, by job_owner"
    )
    queue_running_jobs: Ints = array(QUEUE, "", "in it and below it")
    queue_max_running_jobs: Ints = given(QUEUE, "", "how many jobs may run at a time, in it and below it")


def is_allowed(v: View, s: State, job: int) -> bool:
    """Do its user, its queue and all queues above have fewer jobs that run than they may?"""
    allowed = s.owner_running_jobs[s.job_owner[job]] < s.owner_max_running_jobs[s.job_owner[job]]
    queue = v.job_queue[job]
    while queue >= 0 and allowed:
        allowed = s.queue_running_jobs[queue] < s.queue_max_running_jobs[queue]
        queue = v.queue_parent[queue]
    return allowed


def run_if_allowed(v: View, s: State, job: int) -> bool:
    """A job has arrived: may it run?"""
    if s.limits_running == 0:
        return True
    if is_allowed(v, s, job):
        count_run(v, s, job, 1)
        return True
    v.job_runnable_since[job] = -1
    s.non_runnable_count += 1
    return False


def count_run(v: View, s: State, job: int, change: int) -> None:
    """A job runs (1), or has left (-1)."""
    s.owner_running_jobs[s.job_owner[job]] += change
    count_in_queues(v, s.queue_running_jobs, job, change)
