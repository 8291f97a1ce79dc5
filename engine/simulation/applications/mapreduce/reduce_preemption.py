"""A job that can't place a map because of its own reduces kills some of them (KILL-1).

Free resources include what has ended and was not reported yet: it is on its way. Queue limits are not asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, KILLED, MAP, ON_WINDOWS, REDUCE
from engine.resource_types import RESOURCE_COUNT
from engine.run_records import JOB, NODE, Flags, Ints, Record, array, number
from engine.simulation.applications.mapreduce.kill_candidates import update_kill_candidate
from engine.simulation.applications.mapreduce.task_arrays import task_at
from engine.simulation.applications.mapreduce.task_lifecycle import drop_attempt, stop_task, unplace
from engine.simulation.kernel.node_rows import is_running, slot_of
from engine.simulation.kernel.requests import withdraw

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class ReducePreemption(Record):
    """Jobs that their own reduces may block."""

    kill_candidates: Ints = array(
        JOB,
        "",
        "jobs with waiting maps, running reduces and no running map, in job order (reduce_preemption.py)",
    )
    is_kill_candidate: Flags = array(JOB, "", "1: it is in `kill_candidates`")
    kill_candidate_count: int = number("", "of `kill_candidates`")
    kill_candidate_node: Ints = array(JOB, "", "a node that had room for a map of it, -1 unknown", initial=-1)
    kill_candidate_checked: Ints = array(
        JOB, "", "`end_count` when it was found to have nothing to kill", initial=-1
    )
    kill_event_count: int = number("", "`event_count` when the kill rule was last looked at")
    per_node: Ints = array(NODE, "", "scratch of the kill rule, zeros between uses")


def free_soon(v: View, s: State, resource: int, node: int) -> int:
    """What the node has free once it has reported what ended."""
    return v.node_free_resource[resource, node] + s.unreported_resource[resource, node]


def has_map_slot(s: State, node: int) -> bool:
    slot = slot_of(node, MAP)
    return s.used_slots[slot] - s.unreported_slots[slot] < s.slots[slot]


def has_room(v: View, s: State, node: int, request: int) -> bool:
    lacking = 0
    for resource in range(RESOURCE_COUNT):
        lacking += s.fit_resource[resource, request] > free_soon(v, s, resource, node)
    return lacking == 0 and has_map_slot(s, node)


def kills_needed(v: View, s: State, node: int, job: int) -> int:
    """How many of the job's reduces must go for one map of it to fit on the node; INFINITE when no number
    does.
    """
    reduce, as_map = v.job_first_request[job] + REDUCE, v.job_first_request[job] + MAP
    needed = 0
    for resource in range(RESOURCE_COUNT):
        lacking = s.fit_resource[resource, as_map] - free_soon(v, s, resource, node)
        freed = s.fit_resource[resource, reduce]
        if lacking > 0:
            needed = max(needed, (lacking + freed - 1) // freed if freed > 0 else INFINITE)
    if not has_map_slot(s, node) or needed > s.per_node[node]:
        needed = INFINITE
    return needed


def count_reduces(v: View, s: State, job: int, counting: int) -> None:
    """per_node[n] = running reduces of the job on n; back to zeros when not `counting`."""
    for task in range(v.job_reduces[job]):
        count_reduce(s, s.reduce_container[s.reduce_base[job] + task], counting)
        if s.retries == 1:
            count_reduce(s, s.second_attempt[task_at(v, s, job, REDUCE, task)], counting)


def count_reduce(s: State, container: int, counting: int) -> None:
    if is_running(s, container):
        node = s.container_node[container]
        s.per_node[node] = s.per_node[node] + 1 if counting else 0


def later_started(s: State, container: int, latest: int, node: int) -> int:
    """The one that started later, of two attempts; of equals the second. -1: none; only what runs on the node
    (-1: anywhere) is chosen.
    """
    if not is_running(s, container) or (node >= 0 and s.container_node[container] != node):
        return latest
    return container if latest < 0 or s.container_start[container] >= s.container_start[latest] else latest


def kill_latest(v: View, s: State, job: int, node: int, now: int) -> None:
    """The job's latest-started reduce on the node (-1: anywhere) ends; of equals the one with the highest
    index.
    """
    latest = -1
    for task in range(v.job_reduces[job]):
        latest = later_started(s, s.reduce_container[s.reduce_base[job] + task], latest, node)
        if s.retries == 1:
            latest = later_started(s, s.second_attempt[task_at(v, s, job, REDUCE, task)], latest, node)
    stop_task(v, s, latest, KILLED, now)
    if s.retries == 1:
        drop_attempt(v, s, latest)
    else:
        unplace(v, s, job, REDUCE, s.container_index[latest])


def kill_if_blocked(v: View, s: State, job: int, now: int) -> None:
    """Kills reduces for one job if it must; the result is remembered so that looking again costs little."""
    as_map = v.job_first_request[job] + MAP
    node_with_room = s.kill_candidate_node[job]
    has_node = node_with_room >= 0 and has_room(v, s, node_with_room, as_map)
    if not has_node and s.kill_candidate_checked[job] != s.end_count:
        node_with_room = -1
        for node in range(len(s.awake)):
            if node_with_room < 0 and has_room(v, s, node, as_map):
                node_with_room = node
        s.kill_candidate_node[job] = node_with_room
        if node_with_room < 0:
            count_reduces(v, s, job, True)
            min_kills = INFINITE
            victim_node = -1
            for node in range(len(s.awake)):
                if s.per_node[node] > 0:
                    needed = kills_needed(v, s, node, job)
                    if needed < min_kills:
                        min_kills = needed
                        victim_node = node
            count_reduces(v, s, job, False)
            if victim_node < 0:
                s.kill_candidate_checked[job] = s.end_count
            else:
                for _ in range(min_kills):
                    kill_latest(v, s, job, victim_node, now)
                s.reduces_blocked[job] = 1
                request = v.job_first_request[job] + REDUCE
                withdraw(v, s, request, v.request_waiting[request])
                s.retry_count[request], s.backup[request], v.request_speculative[request] = 0, -1, 0
                s.kill_candidate_node[job] = victim_node
                update_kill_candidate(v, s, job)


def kill_blocking_reduces(v: View, s: State, now: int) -> None:
    """Each job that its own reduces keep from placing a map kills some, until none does; not under a rule
    that preempts by itself.
    """
    if s.reduce_start_trigger == ON_WINDOWS:
        return
    while s.kill_event_count != s.event_count:  # a kill is an event too
        s.kill_event_count = s.event_count
        i = 0
        while i < s.kill_candidate_count:
            job = s.kill_candidates[i]
            kill_if_blocked(v, s, job, now)
            if i < s.kill_candidate_count and s.kill_candidates[i] == job:
                i += 1
