"""Heartbeats of masters that have them: from the end of the start-up on, `job_heartbeat_ms` ms apart, the
master asks for containers and learns of them (MASTER-2).
"""

from __future__ import annotations


def next_heartbeat(s, job, time):
    """The job's first heartbeat at `time` or later; `time` itself where the master asks and learns at
    once.
    """
    beat = s.job_heartbeat_ms[job]
    if beat == 0:
        return time
    return s.job_ready[job] + (time - s.job_ready[job] + beat - 1) // beat * beat


def learns_at(s, job, now):
    """When the master learns of a container placed at `now`: at its first heartbeat after that."""
    return next_heartbeat(s, job, now + 1) if s.job_heartbeat_ms[job] > 0 else now


def begins_iteration(v, job):
    """Is the next heartbeat's work to ask for the maps of an iteration: the first, or the one after an
    iteration that is over?
    """
    exceeds_user_limit = (
        v.job_finished_maps[job] == v.job_maps[job] and v.job_finished_reduces[job] == v.job_reduces[job]
    )
    return v.job_iteration[job] == 0 or exceeds_user_limit


def may_ask(v, s, job):
    """Are there reduces that the job has still to ask for, and a master to do so?"""
    return (
        v.job_reduces[job] > 0
        and v.job_finish[job] < 0
        and s.is_master_down[job] == 0
        and (s.asked_reduces[job] == 0 or s.reduces_blocked[job] == 1)
    )
