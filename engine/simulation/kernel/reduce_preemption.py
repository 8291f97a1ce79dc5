"""A job that can't place a map because of its own reduces kills some of them (model 17).

Room counts what has ended and was not seen yet: it is on its way. Queue limits are not asked.
"""

from __future__ import annotations

from engine.schedulers.view import MAP, PER_JOB, REDUCE
from engine.simulation.kernel.node_rows import runs
from engine.simulation.kernel.requests import watch, withdraw
from engine.simulation.kernel.state import FAR, ON_WINDOWS
from engine.simulation.kernel.task_arrays import task_at
from engine.simulation.kernel.tries import forget_attempt, stop, unplace
from engine.simulation.run import KILLED


def has_room(v, s, node, memory, vcores):
    return (
        v.node_free_memory[node] + s.unseen_memory[node] >= memory
        and v.node_free_vcores[node] + s.unseen_vcores[node] >= vcores
        and s.used_map_slots[node] - s.unseen_map_slots[node] < s.map_slots[node]
    )


def kills_needed(v, s, node, job):
    """How many of the job's reduces must go for one map of it to fit on the node; FAR when no number does."""
    reduce = PER_JOB * job + REDUCE
    lacking_memory = v.request_memory[PER_JOB * job + MAP] - v.node_free_memory[node] - s.unseen_memory[node]
    lacking_vcores = s.fit_vcores[PER_JOB * job + MAP] - v.node_free_vcores[node] - s.unseen_vcores[node]
    needed = 0
    if lacking_memory > 0:
        needed = (lacking_memory + v.request_memory[reduce] - 1) // v.request_memory[reduce]
    if lacking_vcores > 0:
        needed = max(needed, (lacking_vcores + s.fit_vcores[reduce] - 1) // s.fit_vcores[reduce])
    if s.used_map_slots[node] - s.unseen_map_slots[node] >= s.map_slots[node] or needed > s.per_node[node]:
        needed = FAR
    return needed


def count_reduces(v, s, job, counting):
    """per_node[n] = running reduces of the job on n; back to zeros when not `counting`."""
    for task in range(v.job_reduces[job]):
        count_reduce(s, s.reduce_container[s.reduce_base[job] + task], counting)
        if s.retries[0] == 1:
            count_reduce(s, s.second[task_at(v, s, job, REDUCE, task)], counting)


def count_reduce(s, container, counting):
    if runs(s, container):
        node = s.container_node[container]
        s.per_node[node] = s.per_node[node] + 1 if counting else 0


def later(s, container, latest, node):
    """The one that started later, of two attempts; of equals the second. -1: none; only what runs on the node (-1: anywhere) is chosen."""
    if not runs(s, container) or (node >= 0 and s.container_node[container] != node):
        return latest
    return container if latest < 0 or s.container_start[container] >= s.container_start[latest] else latest


def kill_latest(v, s, job, node, now, slowed):
    """The job's latest-started reduce on the node (-1: anywhere) ends; of equals the one with the highest index."""
    latest = -1
    for task in range(v.job_reduces[job]):
        latest = later(s, s.reduce_container[s.reduce_base[job] + task], latest, node)
        if s.retries[0] == 1:
            latest = later(s, s.second[task_at(v, s, job, REDUCE, task)], latest, node)
    stop(v, s, latest, KILLED, now, slowed)
    if s.retries[0] == 1:
        forget_attempt(v, s, latest)
    else:
        unplace(v, s, job, REDUCE, s.container_index[latest])


def look(v, s, job, now, slowed):
    """Kill for one job if it must; what was found is remembered so that looking again costs little."""
    memory = v.request_memory[PER_JOB * job + MAP]
    vcores = s.fit_vcores[PER_JOB * job + MAP]
    room = s.kill_candidate_node[job]
    known = room >= 0 and has_room(v, s, room, memory, vcores)
    if not known and s.kill_candidate_checked[job] != s.end_count[0]:
        room = -1
        for node in range(len(s.awake)):
            if room < 0 and has_room(v, s, node, memory, vcores):
                room = node
        s.kill_candidate_node[job] = room
        if room < 0:
            count_reduces(v, s, job, True)
            fewest = FAR
            where = -1
            for node in range(len(s.awake)):
                if s.per_node[node] > 0:
                    needed = kills_needed(v, s, node, job)
                    if needed < fewest:
                        fewest = needed
                        where = node
            count_reduces(v, s, job, False)
            if where < 0:
                s.kill_candidate_checked[job] = s.end_count[0]
            else:
                for _ in range(fewest):
                    kill_latest(v, s, job, where, now, slowed)
                s.reduces_blocked[job] = 1
                request = PER_JOB * job + REDUCE
                withdraw(v, s, request, v.request_waiting[request])
                s.again[request], s.backup[request], v.request_backups[request] = 0, -1, 0
                s.kill_candidate_node[job] = where
                watch(v, s, job)


def kill_where_blocked(v, s, now, slowed):
    """Each job that its own reduces keep from placing a map kills some, until none does; not under a rule that pre-empts by itself."""
    if s.reduce_start_trigger[0] == ON_WINDOWS:
        return
    while s.kill_event_count[0] != s.event_count[0]:  # a kill is an event too
        s.kill_event_count[0] = s.event_count[0]
        i = 0
        while i < s.kill_candidate_count[0]:
            job = s.kill_candidates[i]
            look(v, s, job, now, slowed)
            if i < s.kill_candidate_count[0] and s.kill_candidates[i] == job:
                i += 1
