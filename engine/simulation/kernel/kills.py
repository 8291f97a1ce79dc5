"""A job that can't place a map because of its own reduces kills some of them (model 17).

Room counts what has ended and was not seen yet: it is on its way. Queue limits are not asked.
"""

from __future__ import annotations

from engine.kernel.requests import watch, withdraw
from engine.kernel.running import KILLED, entry_of, release
from engine.kernel.state import ENDS, FAR, SUSPECTS
from engine.speed import helper
from engine.view import KINDS, MAP, REDUCE


@helper
def has_room(v, s, node, memory, vcores):
    return (
        v.node_free_memory[node] + s.unseen_memory[node] >= memory
        and v.node_free_vcores[node] + s.unseen_vcores[node] >= vcores
        and s.used_map_slots[node] - s.unseen_map_slots[node] < s.map_slots[node]
    )


@helper
def kills_needed(v, s, node, job):
    """How many of the job's reduces must go for one map of it to fit on the node; FAR when no number does."""
    reduce = KINDS * job + REDUCE
    lacking_memory = v.request_memory[KINDS * job + MAP] - v.node_free_memory[node] - s.unseen_memory[node]
    lacking_vcores = s.fit_vcores[KINDS * job + MAP] - v.node_free_vcores[node] - s.unseen_vcores[node]
    needed = 0
    if lacking_memory > 0:
        needed = (lacking_memory + v.request_memory[reduce] - 1) // v.request_memory[reduce]
    if lacking_vcores > 0:
        needed = max(needed, (lacking_vcores + s.fit_vcores[reduce] - 1) // s.fit_vcores[reduce])
    if s.used_map_slots[node] - s.unseen_map_slots[node] >= s.map_slots[node] or needed > s.per_node[node]:
        needed = FAR
    return needed


@helper
def count_reduces(v, s, job, counting):
    """per_node[n] = running reduces of the job on n; back to zeros when not `counting`."""
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        if container >= 0:
            node = s.container_node[container]
            s.per_node[node] = s.per_node[node] + 1 if counting else 0


@helper
def kill_latest(v, s, job, node, now):
    """The job's latest-started reduce on the node (-1: anywhere) ends; of equals the one with the highest index."""
    latest = -1
    for task in range(v.job_reduces[job]):
        container = s.reduce_container[s.reduce_base[job] + task]
        later = container >= 0 and (node < 0 or s.container_node[container] == node)
        if later and (latest < 0 or s.container_start[container] >= s.container_start[s.reduce_container[s.reduce_base[job] + latest]]):
            latest = task
    container = s.reduce_container[s.reduce_base[job] + latest]
    release(v, s, entry_of(s, container), s.container_node[container], KILLED, now)
    s.reduce_container[s.reduce_base[job] + latest] = -1
    s.first_reduce[job] = min(s.first_reduce[job], latest)
    v.job_placed_reduces[job] -= 1
    v.job_running_reduces[job] -= 1


@helper
def look(v, s, job, now):
    """Kill for one job if it must; what was found is remembered so that looking again costs little."""
    memory = v.request_memory[KINDS * job + MAP]
    vcores = s.fit_vcores[KINDS * job + MAP]
    room = s.suspect_room[job]
    known = room >= 0 and has_room(v, s, room, memory, vcores)
    if not known and s.suspect_checked[job] != s.sizes[ENDS]:
        room = -1
        for node in range(len(s.awake)):
            if room < 0 and has_room(v, s, node, memory, vcores):
                room = node
        s.suspect_room[job] = room
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
                s.suspect_checked[job] = s.sizes[ENDS]
            else:
                for _ in range(fewest):
                    kill_latest(v, s, job, where, now)
                s.barred[job] = 1
                withdraw(v, s, KINDS * job + REDUCE, v.request_waiting[KINDS * job + REDUCE])
                s.suspect_room[job] = where
                watch(v, s, job)


@helper
def kill_where_stuck(v, s, now):
    i = 0
    while i < s.sizes[SUSPECTS]:
        job = s.suspects[i]
        look(v, s, job, now)
        if i < s.sizes[SUSPECTS] and s.suspects[i] == job:
            i += 1
