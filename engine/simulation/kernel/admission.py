"""ApplicationMasters that wait until an admission rule lets them start (ADMISSION-1).

PASS_OVER      asked anew each time a node could take the master; nothing is set aside
ACTIVATE       asked when the job arrives, when one of its queue leaves and when the cluster changes, for all
               that are held back there, while any node is up; a master admitted stays so
the others     a master admitted stays so, and its room counts from then on; asked when the job arrives, and
               on every heartbeat for the first in line, if it fits the node
"""

from __future__ import annotations

from engine.codes import ACTIVATE, ADMIT, MASTER, NO_OVERTAKING, PASS_OVER, PER_JOB, TAKEN
from engine.jit import call, inlined
from engine.run_records import JOB, JOB_GROUP, QUEUE, Flags, Ints, Record, array, given, number
from engine.schedulers.terms.leaf_order import has_higher_priority
from engine.simulation.hadoop.fair.fair_shares import note_jobs_changing
from engine.simulation.kernel.clock import set_time, wake_parked
from engine.simulation.kernel.refusals import refuse
from engine.simulation.kernel.requests import first_unfinished, request_containers
from engine.simulation.kernel.running_limits import count_run, is_allowed, run_if_allowed
from engine.simulation.kernel.usage import count_admitted, count_unfinished, note_stale
from engine.simulation.kernel.users import count_jobs, count_masters
from engine.simulation.kernel.waiting_requests import may_be_held_back, set_active


class Admission(Record):
    """Masters that are held back, by kinds: those of one user of a leaf and of one size."""

    admits_all: int = number("", "1: no admission rule holds masters")
    admitted: Flags = array(JOB, "", "its master may start")
    is_held_back: Flags = array(JOB, "", "under ACTIVATE: it has arrived, and its master may not start yet")
    masters_interchangeable: int = number(
        "",
        "1: an admission rule answers alike for all masters of one leaf and size",
    )
    activation_pass: int = number("", "how often those held back in a leaf were looked at")
    queued_masters: int = number("", "held back by an admission rule that sets room aside")
    held_back_kind: Ints = given(JOB, "", "of a job, which user of a leaf and size of master")
    held_back_jobs: Ints = array(JOB_GROUP, "", "of a kind")
    held_back_refused: Ints = array(JOB_GROUP, "", "the last pass in which one of the kind was refused")
    queue_held_back_kinds: Ints = array(QUEUE, "", "kinds that some are held back of")
    first_held_back: Ints = array(QUEUE, "", "no job of the leaf before it is")


@inlined
def may_run(s, job, overtaking, admission, table, now):
    """Is the job's master, which fits a node, a candidate there?"""
    if s.admitted[job] == 1 or s.admits_all == 1:
        return True
    return overtaking == PASS_OVER and call(admission, table, job, now) == ADMIT


@inlined
def is_held_back_master(s, request, overtaking, admission, table, now):
    """Is it the request of a master that may not start yet?"""
    return request % PER_JOB == MASTER and not may_run(
        s, request // PER_JOB, overtaking, admission, table, now
    )


def admit(v, s, job):
    if v.request_waiting[PER_JOB * job + MASTER] > 0:
        s.unadmitted_count -= may_be_held_back(s, PER_JOB * job + MASTER)
    s.admitted[job] = 1
    s.queued_masters -= 1
    note_stale(s, job)
    s.event_count += 1
    count_admitted(v, job, 1)
    count_masters(v, job, 1)
    wake_parked(s)


def arrive(v, s, job, overtaking, admission, table, now):
    """A job asks for its master."""
    request_containers(v, s, PER_JOB * job + MASTER, 1, now)
    if v.job_runnable_since[job] >= 0:
        queue_master(v, s, job, overtaking, admission, table, now)


def queue_master(v, s, job, overtaking, admission, table, now):
    if overtaking != PASS_OVER and overtaking != ACTIVATE:
        is_first = s.queued_masters == 0
        s.queued_masters += 1
        if (is_first or overtaking != NO_OVERTAKING) and call(admission, table, job, now) == ADMIT:
            admit(v, s, job)


def admit_queued_masters(v, s, node, admission, table, now):
    """On a node's heartbeat the admission rule is asked for the queued masters in turn, until one does not
    fit the node or must go on waiting.
    """
    i = 0
    while s.queued_masters > 0 and i < v.waiting_count:
        request = v.waiting_requests[i]
        job = request // PER_JOB
        if request % PER_JOB == MASTER and s.admitted[job] == 0 and v.job_runnable_since[job] >= 0:
            fits = (
                v.node_free_memory[node] >= v.request_memory[request]
                and v.node_free_vcores[node] >= s.fit_vcores[request]
            )
            if not fits or call(admission, table, job, now) != ADMIT:
                break
            admit(v, s, job)
        i += 1


def activate(v, s, queue, admission, table, now):
    """A job of a leaf or a node came or left: those held back there, by priority and in job order, whose
    masters may start. None does on an empty cluster.

    In Hadoop AbstractLeafQueue.activateApplications, FifoOrderingPolicyForPendingApps. Who was refused once
    in a pass stands for all of the same user and size of master, for a limit of masters only gets narrower as
    some are admitted.
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


def count_held_back(v, s, job, change):
    """A job is held back (1), or no more (-1)."""
    kind, queue = s.held_back_kind[job], v.job_queue[job]
    s.is_held_back[job] = change > 0
    count_jobs(v, job, change, 0)
    s.queue_held_back_kinds[queue] -= s.held_back_jobs[kind] > 0
    s.held_back_jobs[kind] += change
    s.queue_held_back_kinds[queue] += s.held_back_jobs[kind] > 0
    if change > 0:
        s.first_held_back[queue] = min(s.first_held_back[queue], job)


def next_held_back(v, s, queue, last):
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


def activate_job(v, s, job):
    """The scheduler may serve the job from now on."""
    note_jobs_changing(v, s)
    set_active(v, s, job, 1)
    count_jobs(v, job, 0, 1)


def run_job(v, s, job, overtaking, admission, table, now):
    """The job counts among those that run; under ACTIVATE it begins once its master may start."""
    if overtaking == ACTIVATE:
        count_held_back(v, s, job, 1)
        s.queued_masters += v.job_startup[job] >= 0
        activate(v, s, v.job_queue[job], admission, table, now)
    else:
        activate_job(v, s, job)


def run_waiting_jobs(v, s, finished, overtaking, admission, table, now):
    """A job has left: those that waited for that run, in job order, as far as their limits allow."""
    count_run(v, s, finished, -1)
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if v.job_runnable_since[job] < 0 and is_allowed(v, s, job):
            v.job_runnable_since[job] = now
            note_stale(s, job)
            s.non_runnable_count -= 1
            count_run(v, s, job, 1)
            s.event_count += 1
            run_job(v, s, job, overtaking, admission, table, now)
            if v.job_startup[job] >= 0:
                queue_master(v, s, job, overtaking, admission, table, now)


def jobs_arrive(v, s, overtaking, admission, table, now):
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
            run_job(v, s, job, overtaking, admission, table, now)
    for job in range(first, s.arrived_jobs):
        if s.job_refused[job] != TAKEN:
            continue
        if v.job_startup[job] < 0:
            set_time(s, len(s.awake) + job, now)
        else:
            arrive(v, s, job, overtaking, admission, table, now)
