"""What is kept of each task where it may have several attempts: a job's maps, then its reduces.

map_container and reduce_container hold a task's attempt, -1 while it waits; `second` holds one that runs
beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MAP, REDUCE
from engine.run_records import (
    JOB,
    MAP_TASK,
    MAPS_ARE_KEPT,
    REDUCE_TASK,
    REQUEST,
    RETRIES,
    RUN,
    TASK,
    Flags,
    Floats,
    Ints,
    Record,
    Size,
    array,
    given,
    number,
)

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Tasks(Record):
    """Which container each task has."""

    map_base: Ints = given(JOB, "", "where a job's maps begin in what is kept of maps")
    reduce_base: Ints = given(JOB, "", "where a job's reduces begin in what is kept of reduces")
    reduce_container: Ints = array(REDUCE_TASK, "", "-1 while not placed", initial=-1)
    reduce_attempt: Ints = array(REDUCE_TASK, "", "its next attempt")
    first_reduce: Ints = array(JOB, "", "no unplaced reduce below this")
    map_container: Ints = array(MAP_TASK, "", "-1 while not placed", initial=-1, when=MAPS_ARE_KEPT)
    first_map: Ints = array(JOB, "", "no unplaced map below this")


class Attempts(Record):
    """Tasks that may have several attempts."""

    retries: int = number("", "1: a task may have several attempts")
    launches: int = number("", "1: tasks begin later than their containers")
    is_master_down: Flags = array(JOB, "", "1: the job's master was lost, and no other has started up")
    master_losses: Ints = array(JOB, "", "how often its master was lost")
    master_kills: Ints = array(JOB, "", "how often it was preempted")
    retry_count: Ints = array(REQUEST, "", "of a request, how many containers are to be requested again")
    retry_jobs: Ints = array(JOB, "", "jobs with such requests")
    has_retries: Flags = array(JOB, "", "1: it is in `retry_jobs`")
    retry_job_count: int = number("", "of `retry_jobs`")
    map_done: Flags = array(MAP_TASK, "", "1: it has finished", when=RETRIES)
    second_attempt: Ints = array(
        TASK, "", "of a task, the attempt that runs beside its first, -1 none", initial=-1, when=RETRIES
    )
    task_attempts: Ints = array(TASK, "", "attempts so far", when=RETRIES)
    task_failures: Ints = array(TASK, "", "failures so far", when=RETRIES)
    done_count: Ints = array(
        REQUEST, "", "of a request, attempts that have finished in this iteration", when=RETRIES
    )
    done_time: Ints = array(REQUEST, "ms", "they took in all", when=RETRIES)
    fails: int = number("", "1: attempts may fail")
    is_failing: Flags = array(JOB, "", "a task of the job has failed too often")
    failing_jobs: Ints = array(JOB, "", "in this instant")
    failing_count: int = number("", "of `failing_jobs`")
    failures: Floats = given(
        Size(RUN, 3), "", "probability, at which part of the work or -1, how often a task may"
    )


def attempt_of(v: View, s: State, job: int, kind: int, index: int) -> int:
    """The container of a task's attempt; of one that has finished, the one that did."""
    return (
        s.map_container[s.map_base[job] + index]
        if kind == MAP
        else s.reduce_container[s.reduce_base[job] + index]
    )


def set_attempt(v: View, s: State, job: int, kind: int, index: int, container: int) -> None:
    if kind == MAP:
        s.map_container[s.map_base[job] + index] = container
    else:
        s.reduce_container[s.reduce_base[job] + index] = container


def task_at(v: View, s: State, job: int, kind: int, index: int) -> int:
    """Where a task stands in the arrays of all tasks: a job's maps, then its reduces."""
    return s.map_base[job] + s.reduce_base[job] + index + (v.job_maps[job] if kind == REDUCE else 0)


def count_of(v: View, job: int, kind: int) -> int:
    return v.job_maps[job] if kind == MAP else v.job_reduces[job]


def clear_tasks(v: View, s: State, job: int) -> None:
    """An iteration begins: no task of it has an attempt."""
    for index in range(v.job_maps[job]):
        s.map_done[s.map_base[job] + index] = 0
    for kind in (REDUCE, MAP):
        s.done_count[v.job_first_request[job] + kind] = 0
        s.done_time[v.job_first_request[job] + kind] = 0
        for index in range(count_of(v, job, kind)):
            at = task_at(v, s, job, kind, index)
            s.task_attempts[at] = 0
            s.task_failures[at] = 0
