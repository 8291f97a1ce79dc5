"""Which of a leaf's jobs CapacityScheduler activates: those whose ApplicationMasters its limit of masters
lets start (ADMISSION-2, ADMISSION-4).

In Hadoop  AbstractLeafQueue.activateApplications, FifoOrderingPolicyForPendingApps
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ADMIT
from engine.jit import PolicyFunction, call
from engine.run_records import JOB, JOB_GROUP, QUEUE, Flags, Ints, Record, array, given, number
from engine.schedulers.hadoop.leaf_order import has_higher_priority
from engine.simulation.hadoop.capacity.users import count_jobs
from engine.simulation.kernel.admission import activate_job, admit
from engine.simulation.kernel.requests import first_unfinished

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Activation(Record):
    """Jobs that a leaf has not activated yet, by kinds: those of one user of it and of one size of master."""

    is_held_back: Flags = array(JOB, "", "under ACTIVATE: it has arrived, and its master may not start yet")
    activation_pass: int = number("", "how often those held back in a leaf were looked at")
    held_back_kind: Ints = given(JOB, "", "of a job, which user of a leaf and size of master")
    held_back_jobs: Ints = array(JOB_GROUP, "", "of a kind")
    held_back_refused: Ints = array(JOB_GROUP, "", "the last pass in which one of the kind was refused")
    queue_held_back_kinds: Ints = array(QUEUE, "", "kinds that some are held back of")
    first_held_back: Ints = array(QUEUE, "", "no job of the leaf before it is")


def activate(v: View, s: State, queue: int, admission: PolicyFunction, table: int, now: int) -> None:
    """A job of a leaf or a node came or left: those held back there, by priority and in job order, whose
    masters may start. None does on an empty cluster.

    Who was refused once in a pass stands for all of the same user and size of master, for a limit of masters
    only gets narrower as some are admitted.
    """
    if v.cluster_nodes == 0:
        return
    s.activation_pass += 1
    refused = 0
    job = next_held_back(v, s, queue, -1)
    while job >= 0 and (refused < s.queue_held_back_kinds[queue] or s.is_watched == 1):
        kind = s.held_back_kind[job]
        if s.held_back_refused[kind] < s.activation_pass or s.is_watched == 1:
            if v.job_startup[job] < 0 or call(admission, table, job, now) == ADMIT:
                count_held_back(v, s, job, -1)
                activate_job(v, s, job)
                if v.job_startup[job] >= 0:
                    admit(v, s, job)
            else:
                s.held_back_refused[kind] = s.activation_pass
                refused += 1
        job = next_held_back(v, s, queue, job)


def count_held_back(v: View, s: State, job: int, change: int) -> None:
    """A job is held back (1), or no more (-1)."""
    kind, queue = s.held_back_kind[job], v.job_queue[job]
    s.is_held_back[job] = change > 0
    count_jobs(v, job, change, 0)
    s.queue_held_back_kinds[queue] -= s.held_back_jobs[kind] > 0
    s.held_back_jobs[kind] += change
    s.queue_held_back_kinds[queue] += s.held_back_jobs[kind] > 0
    if change > 0:
        s.first_held_back[queue] = min(s.first_held_back[queue], job)


def next_held_back(v: View, s: State, queue: int, last: int) -> int:
    """The job of a leaf that is looked at after the last one (-1: first), -1 when there are no more."""
    best = -1
    first = (
        last + 1
        if last >= 0 and v.has_job_priorities == 0
        else max(first_unfinished(v, s), s.first_held_back[queue])
    )
    for job in range(first, s.arrived_jobs):
        if v.job_queue[job] == queue and s.is_held_back[job] == 1:
            if v.has_job_priorities == 0:
                if last < 0:
                    s.first_held_back[queue] = job
                return job
            if (last < 0 or has_higher_priority(v, last, job)) and (
                best < 0 or has_higher_priority(v, job, best)
            ):
                best = job
    if last < 0 and best < 0:
        s.first_held_back[queue] = s.arrived_jobs
    return best
