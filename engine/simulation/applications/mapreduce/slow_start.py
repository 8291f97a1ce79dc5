"""When a job asks for its reduces: as its reduce-start rule says, or after a kill once all its maps are
placed (REDUCE-1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MAP, NOT_YET, ON_WINDOWS, REDUCE
from engine.jit import PolicyFunction, call, inlined
from engine.run_records import JOB, Flags, Ints, Record, array, number
from engine.simulation.kernel.requests import first_unfinished, request_containers

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class ReduceStart(Record):
    """When jobs ask for their reduces."""

    touched: Ints = array(JOB, "", "jobs that may have something to ask for")
    is_touched: Flags = array(JOB, "", "1: it is in `touched`")
    touched_count: int = number("", "of `touched`")
    touch_all: int = number("", "1: any job may have something to ask for")
    asked_reduces: Flags = array(JOB, "", "asked for in this iteration")
    reduces_blocked: Flags = array(
        JOB, "", "killed reduces: none again until all maps are placed; not under a rule that preempts"
    )
    reduces_first: Flags = array(JOB, "", "its waiting reduces go before its maps")
    reduce_start_trigger: int = number("", "ON_ENDS, ON_CHANGES or ON_WINDOWS")
    may_mark_reduces_first: int = number("", "1: under a rule whose reduces go before their job's maps")


def touch(s: State, job: int) -> None:
    """The job may have reduces to ask for at this instant, or at its next window's end."""
    if s.reduce_start_trigger == ON_WINDOWS:
        s.is_touched[job] = 1
    elif s.is_touched[job] == 0:
        s.is_touched[job] = 1
        s.touched[s.touched_count] = job
        s.touched_count += 1


@inlined
def gives_way(v: View, s: State, request: int, other: int) -> bool:
    """Are these maps of a job whose reduces, the other request, come before them?"""
    return (
        s.may_mark_reduces_first == 1
        and v.request_kind[request] == MAP
        and s.reduces_first[v.request_job[request]] == 1
        and other == v.job_first_request[v.request_job[request]] + REDUCE
    )


def touch_all(v: View, s: State) -> None:
    """Something changed that a reduce-start rule may read for any job."""
    s.touch_all = 0
    for job in range(first_unfinished(v, s), s.arrived_jobs):
        if v.job_iteration[job] > 0 and v.job_finish[job] < 0 and s.asked_reduces[job] == 0:
            touch(s, job)


def request_reduces(v: View, s: State, job: int, reduce_start: PolicyFunction, table: int, now: int) -> None:
    """The job's unplaced reduces, when its reduce-start rule says so, or after a kill when all its maps are
    placed.
    """
    if (
        v.job_reduces[job] > 0
        and v.job_iteration[job] > 0
        and v.job_finish[job] < 0
        and s.is_master_down[job] == 0
    ):
        unplaced = v.job_reduces[job] - v.job_placed_reduces[job]
        if s.reduces_blocked[job] == 1 and v.request_waiting[v.job_first_request[job] + MAP] == 0:
            s.reduces_blocked[job] = 0
            s.reduces_first[job] = 0
            request_containers(v, s, v.job_first_request[job] + REDUCE, unplaced, now)
        elif s.asked_reduces[job] == 0:
            answer = call(reduce_start, table, job, now)
            if answer != NOT_YET:
                s.asked_reduces[job] = 1
                s.reduces_first[job] = s.may_mark_reduces_first
                if min(answer, unplaced) > 0:
                    request_containers(v, s, v.job_first_request[job] + REDUCE, min(answer, unplaced), now)
