"""No more jobs run at a time than their queues and their user allow; the others wait, with all they ask for
(JOB-4, JOB-5).

In Hadoop  MaxRunningAppsEnforcer, CSMaxRunningAppsEnforcer: a job is looked at when it comes, and those that
           wait, in the order of submission, whenever one has left (JOB-3)
What a job that waits asks for counts as demand of its queues. It has no fair share, nodes give it nothing,
and no limit of masters counts it.
"""

from __future__ import annotations

from engine.simulation.kernel.usage import count_in_queues


def is_allowed(v, s, job):
    """Do its user, its queue and all queues above have fewer jobs that run than they may?"""
    allowed = s.owner_running_jobs[s.job_owner[job]] < s.owner_max_running_jobs[s.job_owner[job]]
    queue = v.job_queue[job]
    while queue >= 0 and allowed:
        allowed = s.queue_running_jobs[queue] < s.queue_max_running_jobs[queue]
        queue = v.queue_parent[queue]
    return allowed


def run_if_allowed(v, s, job):
    """A job has arrived: may it run?"""
    if s.limits_running[0] == 0:
        return True
    if is_allowed(v, s, job):
        count_run(v, s, job, 1)
        return True
    v.job_runnable_since[job] = -1
    s.non_runnable_count[0] += 1
    return False


def count_run(v, s, job, change):
    """A job runs (1), or has left (-1)."""
    s.owner_running_jobs[s.job_owner[job]] += change
    count_in_queues(v, s.queue_running_jobs, job, change)
