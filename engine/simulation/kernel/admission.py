"""ApplicationMasters that wait until an admission rule lets them start (ADMISSION-1).

PASS_OVER      asked anew each time a node could take the master; nothing is set aside
ACTIVATE       asked when the job arrives, when one of its queue leaves and when the cluster changes, for all
               that are held back there, while any node is up; a master admitted stays so
the others     a master admitted stays so, and its room counts from then on; asked when the job arrives, and
               on every heartbeat for the first in line, if it fits the node
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ACTIVATE, ADMIT, MASTER, NO_OVERTAKING, PASS_OVER
from engine.jit import PolicyFunction, call, inlined
from engine.run_records import JOB, Flags, Record, array, number
from engine.schedulers.amounts import fits
from engine.simulation.hadoop.capacity.users import count_jobs, count_masters
from engine.simulation.hadoop.fair.fair_shares import note_jobs_changing
from engine.simulation.hadoop.queues.usage import count_admitted, note_stale
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.waiting_requests import may_be_held_back, set_active

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Admission(Record):
    """Masters that an admission rule holds back."""

    admits_all: int = number("", "1: no admission rule holds masters")
    admitted: Flags = array(JOB, "", "its master may start")
    masters_interchangeable: int = number(
        "", "1: an admission rule answers alike for all masters of one leaf and size"
    )
    queued_masters: int = number("", "held back by an admission rule that sets room aside")


@inlined
def may_run(s: State, job: int, admission: PolicyFunction, table: int, now: int) -> bool:
    """Is the job's master, which fits a node, a candidate there?"""
    if s.admitted[job] == 1 or s.admits_all == 1:
        return True
    return s.overtaking == PASS_OVER and call(admission, table, job, now) == ADMIT


@inlined
def is_held_back_master(
    v: View, s: State, request: int, admission: PolicyFunction, table: int, now: int
) -> bool:
    """Is it the request of a master that may not start yet?"""
    return v.request_kind[request] == MASTER and not may_run(s, v.request_job[request], admission, table, now)


def admit(v: View, s: State, job: int) -> None:
    if v.request_waiting[v.job_first_request[job] + MASTER] > 0:
        s.unadmitted_count -= may_be_held_back(v, s, v.job_first_request[job] + MASTER)
    s.admitted[job] = 1
    s.queued_masters -= 1
    note_stale(s, job)
    s.event_count += 1
    count_admitted(v, job, 1)
    count_masters(v, job, 1)
    wake_parked(s)


def queue_master(v: View, s: State, job: int, admission: PolicyFunction, table: int, now: int) -> None:
    if s.overtaking != PASS_OVER and s.overtaking != ACTIVATE:
        is_first = s.queued_masters == 0
        s.queued_masters += 1
        if (is_first or s.overtaking != NO_OVERTAKING) and call(admission, table, job, now) == ADMIT:
            admit(v, s, job)


def admit_queued_masters(
    v: View, s: State, node: int, admission: PolicyFunction, table: int, now: int
) -> None:
    """On a node's heartbeat the admission rule is asked for the queued masters in turn, until one does not
    fit the node or must go on waiting.
    """
    i = 0
    while s.queued_masters > 0 and i < v.waiting_count:
        request = v.waiting_requests[i]
        job = v.request_job[request]
        if v.request_kind[request] == MASTER and s.admitted[job] == 0 and v.job_runnable_since[job] >= 0:
            fits_node = fits(s.fit_resource, request, v.node_free_resource, node)
            if not fits_node or call(admission, table, job, now) != ADMIT:
                break
            admit(v, s, job)
        i += 1


def activate_job(v: View, s: State, job: int) -> None:
    """The scheduler may serve the job from now on."""
    note_jobs_changing(v, s)
    set_active(v, s, job, 1)
    count_jobs(v, job, 0, 1)
