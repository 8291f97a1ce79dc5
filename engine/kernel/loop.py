"""The event loop and nothing else, numbered like the README's account of one step.

    1  the next instant: the earliest end, arrival, timer or beat of a node that is awake
    2  containers end
    3  jobs arrive
    4  requests appear
    5  jobs that their own reduces block kill some
    6  nodes beat, one after another: the scheduler sees what ended there, and places containers;
       what that causes (4, 5) is handled before the next beat
    7  the instant is over: contention changes the speed of tasks
"""

from __future__ import annotations

from engine.kernel.clock import earliest, leave, next_awake, set_time, sleep, wake_left
from engine.kernel.contention import settle
from engine.kernel.kills import kill_where_stuck
from engine.kernel.requests import appear, ask
from engine.kernel.running import node_ends, place, see
from engine.kernel.state import ACTIVE, CONTAINERS, FAR, FIELDS, LEAST_MEMORY, LEAST_VCORES, MASTERS, MOST_MEMORY, MOST_VCORES, UNFINISHED, WIDTH
from engine.speed import bundle, call, compiled, helper
from engine.view import ADMIT, KINDS, MAP, MASTER, REDUCE
from engine.view import FIELDS as VIEW_FIELDS

FINISHED, DEADLOCK, BAD_ANSWER, MORE_CONTAINERS, MORE_WIDTH, TOO_LONG = range(6)  # how a run ends
NO_LIMITS, MAX_SHARES, MAX_CAPACITIES = range(3)  # which limits of queues hold
LAST_MS = 2**60

view_at = bundle("View", VIEW_FIELDS)
state_at = bundle("State", FIELDS)


@helper
def used_share(v, queue, memory_only):
    """The dominant share of the cluster that a queue uses, or its memory's share."""
    share = v.queue_used_memory[queue] / v.cluster_memory[0]
    return share if memory_only else max(share, v.queue_used_vcores[queue] / v.cluster_vcores[0])


@helper
def within_limits(v, s, request, limits, memory_only):
    """May the request's queue and all above it have one container more?"""
    queue = v.job_queue[request // KINDS]
    allowed = True
    while queue >= 0 and allowed:
        if limits == MAX_SHARES:
            allowed = v.queue_used_memory[queue] + v.request_memory[request] <= v.queue_max_memory[queue] and (
                memory_only or v.queue_used_vcores[queue] + v.request_vcores[request] <= v.queue_max_vcores[queue]
            )
        elif v.queue_parent[queue] >= 0:
            allowed = used_share(v, queue, memory_only) < v.queue_max_capacity[queue]
        queue = v.queue_parent[queue]
    return allowed


@helper
def list_candidates(v, s, node, now, limits, memory_only, admission, table):
    """Fill v.candidates with what fits the node; (how many, was anything that fits held back)."""
    memory = v.node_free_memory[node]
    vcores = v.node_free_vcores[node]
    count = 0
    held_back = False
    if memory >= s.sizes[LEAST_MEMORY] and vcores >= s.sizes[LEAST_VCORES]:
        maps = s.used_map_slots[node] < s.map_slots[node]
        reduces = s.used_reduce_slots[node] < s.reduce_slots[node]
        everything = memory >= s.sizes[MOST_MEMORY] and vcores >= s.sizes[MOST_VCORES] and s.sizes[MASTERS] == 0
        if everything and maps and reduces and limits == NO_LIMITS:
            count = s.sizes[ACTIVE]
            v.candidates[:count] = s.active[:count]
            return count, held_back
        for i in range(s.sizes[ACTIVE]):
            if s.active_memory[i] <= memory and s.active_vcores[i] <= vcores:
                request = s.active[i]
                kind = request % KINDS
                if (kind == MAP and not maps) or (kind == REDUCE and not reduces):
                    continue
                if limits != NO_LIMITS and not within_limits(v, s, request, limits, memory_only):
                    held_back = True
                    continue
                if kind == MASTER and call(admission, table, request // KINDS, now) != ADMIT:
                    held_back = True
                    continue
                v.candidates[count] = request
                count += 1
    return count, held_back


@helper
def forget_changes(v, s):
    """The order has been asked: it knows what every job holds."""
    for i in range(1, v.changed[0] + 1):
        s.is_changed[v.changed[i]] = 0
    v.changed[0] = 0


@compiled
def kernel(view, state, order, reduce_start, admission, order_table, reduce_table, admission_table, heartbeat, per_beat, contention, limits, memory_only):
    """Run until all jobs have finished or nothing can happen any more.

    view, state: tables of a View and a State, both freshly built (the tuples themselves in a plain run);
    order, reduce_start, admission: bound policies with their tables; heartbeat: ms, 0 for rounds;
    per_beat: containers a beat, 0 for no limit. Returns (how it ended, node or -1).
    """
    v = view_at(view)
    s = state_at(state)
    nodes = len(s.awake)
    jobs = len(v.job_arrival)
    slowed = contention > 0.0
    arrived = 0
    cycle = 0
    index = 0
    now = 0
    while s.sizes[UNFINISHED] > 0:
        # 1 the next instant
        upcoming = s.times[1]
        if arrived < jobs:
            upcoming = min(upcoming, v.job_arrival[arrived])
        if heartbeat > 0:
            node = next_awake(s, index)
            turn = cycle
            if node < 0:
                node = next_awake(s, 0)
                turn = cycle + 1
            if node >= 0:
                upcoming = min(upcoming, node * heartbeat // nodes + turn * heartbeat)
        if upcoming >= FAR:
            return DEADLOCK, -1
        if upcoming > LAST_MS:
            return TOO_LONG, -1
        now = upcoming
        v.now[0] = now
        if heartbeat > 0:
            turn = now // heartbeat
            due = (now % heartbeat * nodes + heartbeat - 1) // heartbeat
            if turn > cycle or (turn == cycle and due > index):
                cycle = turn
                index = due
        else:
            index = 0

        # 2 containers end
        while s.times[1] == now:
            leaf = earliest(s)
            if leaf >= nodes:
                break
            node_ends(v, s, leaf, now, slowed)

        # 3 jobs arrive
        while arrived < jobs and v.job_arrival[arrived] == now:
            if s.startup[arrived] < 0:
                set_time(s, nodes + arrived, now)
            else:
                ask(v, s, KINDS * arrived + MASTER, 1, now)
            arrived += 1

        # 4 requests appear, 5 kills; then 6 beats, each followed by 4 and 5
        visiting = True
        while visiting:
            appear(v, s, reduce_start, reduce_table, now)
            kill_where_stuck(v, s, now)
            if s.sizes[UNFINISHED] == 0:
                break
            node = next_awake(s, index)
            if heartbeat > 0:
                turn = cycle
                if node < 0:
                    node = next_awake(s, 0)
                    turn = cycle + 1
                visiting = node >= 0 and node * heartbeat // nodes + turn * heartbeat == now
                if visiting:
                    cycle = turn
                    index = node + 1
            else:
                if node < 0:
                    node = next_awake(s, 0)
                visiting = node >= 0
                index = node + 1
            if visiting:
                if s.unseen[node] > 0:
                    see(v, s, node)
                    wake_left(s)
                placed = 0
                while per_beat == 0 or placed < per_beat:
                    count, held_back = list_candidates(v, s, node, now, limits, memory_only, admission, admission_table)
                    chosen = -1
                    if count > 0:
                        chosen = call(order, order_table, node, count)
                        forget_changes(v, s)
                    if chosen < 0:
                        if held_back or count > 0:
                            leave(s, node)
                        else:
                            sleep(s, node)
                        break
                    if chosen >= count:
                        return BAD_ANSWER, node
                    if s.sizes[CONTAINERS] == len(s.container_job):
                        return MORE_CONTAINERS, node
                    if s.row_count[node] == s.sizes[WIDTH]:
                        return MORE_WIDTH, node
                    place(v, s, v.candidates[chosen], node, now, slowed)
                    wake_left(s)
                    placed += 1
                if v.node_free_memory[node] < s.sizes[LEAST_MEMORY] or v.node_free_vcores[node] < s.sizes[LEAST_VCORES]:
                    sleep(s, node)

        # 7 the instant is over
        if slowed:
            settle(s, now, contention)
    return FINISHED, -1
