"""What is kept of each task where it may have several attempts: a job's maps, then its reduces.

map_container and reduce_container hold a task's attempt, -1 while it waits; `second` holds one that runs
beside it.
"""

from __future__ import annotations

from engine.codes import MAP, PER_JOB, REDUCE


def attempt_of(v, s, job, kind, index):
    """The container of a task's attempt; of one that has finished, the one that did."""
    return (
        s.map_container[s.map_base[job] + index]
        if kind == MAP
        else s.reduce_container[s.reduce_base[job] + index]
    )


def set_attempt(v, s, job, kind, index, container):
    if kind == MAP:
        s.map_container[s.map_base[job] + index] = container
    else:
        s.reduce_container[s.reduce_base[job] + index] = container


def task_at(v, s, job, kind, index):
    """Where a task stands in the arrays of all tasks: a job's maps, then its reduces."""
    return s.map_base[job] + s.reduce_base[job] + index + (v.job_maps[job] if kind == REDUCE else 0)


def count_of(v, job, kind):
    return v.job_maps[job] if kind == MAP else v.job_reduces[job]


def first_unplaced(first, container, base, job):
    """The job's lowest task of a kind that has no attempt; first: of each job where to look from, container:
    of tasks, a job's from `base` on.
    """
    index = first[job]
    while container[base + index] >= 0:
        index += 1
    first[job] = index
    return index


def clear_tasks(v, s, job):
    """An iteration begins: no task of it has an attempt."""
    for index in range(v.job_maps[job]):
        s.map_done[s.map_base[job] + index] = 0
    for kind in (REDUCE, MAP):
        s.done_count[PER_JOB * job + kind] = 0
        s.done_time[PER_JOB * job + kind] = 0
        for index in range(count_of(v, job, kind)):
            at = task_at(v, s, job, kind, index)
            s.task_attempts[at] = 0
            s.task_failures[at] = 0
