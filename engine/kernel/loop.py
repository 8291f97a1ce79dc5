"""The event loop and nothing else, numbered like the README's account of one step.

    1  the next instant: the earliest end, arrival, timer or beat of a node that is awake
    2  containers end
    3  jobs arrive; windows end
    4  requests appear
    5  jobs that their own reduces block kill some
    6  nodes beat, one after another: the scheduler sees what ended there, and places containers;
       what that causes (4, 5) is handled before the next beat
    7  the instant is over: contention changes the speed of tasks
"""

from __future__ import annotations

from engine.kernel.admission import admit_in_line, arrive
from engine.kernel.candidates import list_candidates
from engine.kernel.clock import earliest, leave, next_awake, set_time, sleep, wake_left
from engine.kernel.contention import settle
from engine.kernel.kills import kill_where_stuck
from engine.kernel.requests import appear
from engine.kernel.running import node_ends, place, see
from engine.kernel.state import ARRIVED, CONTAINERS, FAR, FIELDS, HAPPENED, HELD, LEAST_MEMORY, LEAST_VCORES, LOOKED, ON_WINDOWS, UNFINISHED, WIDTH
from engine.kernel.usage import count_unfinished
from engine.kernel.windows import end_windows, next_window
from engine.policies.policy import ADMISSION_AT, ORDER_AT, REDUCE_START_AT
from engine.speed import bundle, call, compiled, helper
from engine.view import FIELDS as VIEW_FIELDS
from engine.view import LEAVE

FINISHED, DEADLOCK, BAD_ANSWER, MORE_CONTAINERS, MORE_WIDTH, TOO_LONG = range(6)  # how a run ends
LAST_MS = 2**60

view_at = bundle("View", VIEW_FIELDS)
state_at = bundle("State", FIELDS)


@helper
def forget_changes(v, s):
    """The order has been asked: it knows what every job holds."""
    for i in range(1, v.changed[0] + 1):
        s.is_changed[v.changed[i]] = 0
    v.changed[0] = 0


@compiled
def kernel(view, state, functions, tables, heartbeat, per_beat, contention, limits, line):
    """Run until all jobs have finished or nothing can happen any more.

    view, state: tables of a View and a State, both freshly built (the tuples themselves in a plain run);
    functions: of the three parts, in the order of policy.FUNCTIONS, 0 where a part has none; tables: a View's for each part;
    heartbeat: ms, 0 for rounds; per_beat: containers a beat, 0 for no limit; limits, line: as in candidates.py and admission.py.
    Returns (how it ended, node or -1).
    """
    v = view_at(view)
    s = state_at(state)
    nodes = len(s.awake)
    jobs = len(v.job_arrival)
    slowed = contention > 0.0
    order, reduce_start, admission = functions[ORDER_AT], functions[REDUCE_START_AT], functions[ADMISSION_AT]
    order_table, reduce_table, admission_table = tables[ORDER_AT], tables[REDUCE_START_AT], tables[ADMISSION_AT]
    arrived = 0
    cycle = 0
    index = 0
    now = 0
    while s.sizes[UNFINISHED] > 0:
        # 1 the next instant
        upcoming = min(s.times[1], next_window(s, now))
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

        # 3 jobs arrive; windows end
        while arrived < jobs and v.job_arrival[arrived] == now:
            if v.job_startup[arrived] < 0:
                set_time(s, nodes + arrived, now)
            else:
                arrive(v, s, arrived, line, admission, admission_table, now)
            count_unfinished(v, arrived, 1)
            arrived += 1
            s.sizes[ARRIVED] = arrived
            s.sizes[HAPPENED] += 1
        end_windows(v, s, functions, tables, now)

        # 4 requests appear, 5 kills; then 6 beats, each followed by 4 and 5
        visiting = True
        while visiting:
            appear(v, s, reduce_start, reduce_table, now)
            if s.sizes[LOOKED] != ON_WINDOWS:
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
                    see(v, s, node, now)
                    wake_left(s)
                placed = 0
                while per_beat == 0 or placed < per_beat:
                    if s.sizes[HELD] > 0:
                        admit_in_line(v, s, node, admission, admission_table, now)
                    count, held_back = list_candidates(v, s, node, now, limits, line, admission, admission_table)
                    chosen = -1
                    if count > 0:
                        chosen = call(order, order_table, node, count)
                        forget_changes(v, s)
                    if chosen < LEAVE or chosen >= max(count, 1):
                        return BAD_ANSWER, node
                    if chosen < 0:
                        if held_back or count > 0:
                            leave(s, node)
                        else:
                            sleep(s, node)
                        break
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
