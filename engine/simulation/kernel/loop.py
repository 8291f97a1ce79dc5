"""The event loop and nothing else, a line a step, as TIME-2 has them.

1  the next instant: the earliest end, arrival, timer, window or heartbeat of a node that is awake
2  containers end; nodes are lost or come back; CapacityScheduler's monitor kills
3  jobs arrive; windows end, and masters send heartbeats that preempt or look for tasks that are late
4  requests appear
5  jobs that their own reduces block kill some; FairScheduler updates what it knows
6  nodes send heartbeats, one after another: the scheduler sees what ended there, and places containers;
   what that causes (4, 5) is handled before the next heartbeat
7  the instant is over: contention changes the speed of tasks
"""

from __future__ import annotations

from engine.codes import (
    ALL_FINISHED,
    CANCELLED,
    DEADLOCK,
    INFINITE,
    OUT_OF_SPANS,
    OUT_OF_TASK_RUNS,
    PAUSED,
    PLACED,
    TOO_LONG,
)
from engine.jit import Functions, Tables, bundle, compiled
from engine.schedulers.policy import ADMISSION_AT, ORDER_AT, REDUCE_START_AT
from engine.schedulers.view import View
from engine.simulation.applications.seam import (
    SPECULATION_MS,
    kill_blocking_reduces,
    make_requests,
    speculate,
)
from engine.simulation.hadoop.capacity.capacity_monitor import monitor_if_due
from engine.simulation.hadoop.fair.fair_updates import update_if_due
from engine.simulation.hadoop.queues.arrivals import jobs_arrive
from engine.simulation.hadoop.queues.preemption import kill_due
from engine.simulation.kernel.contention import settle
from engine.simulation.kernel.heartbeats import (
    advance_to,
    next_heartbeat_node,
    next_instant,
    process_heartbeat,
)
from engine.simulation.kernel.outages import next_outage, process_outages
from engine.simulation.kernel.running import containers_end
from engine.simulation.kernel.state import State
from engine.simulation.kernel.windows import end_windows

LAST_MS = 2**60

view_at = bundle("View", View.layout.places)
state_at = bundle("State", State.layout.places)


def lacks_room(s: State) -> bool:
    """Has something of Spark applications not found room in its log?"""
    return s.run_count > len(s.run_container) or s.target_count > len(s.target_time)


@compiled
def kernel(view: View, state: State, functions: Functions, tables: Tables) -> tuple[int, int]:
    """Run until all jobs have finished, nothing can happen any more, or it is to pause; it goes on from there
    when it is called again.

    view, state: tables of a View and a State, freshly built or as it left them (the tables themselves in a
    plain run);
    functions: addresses, in the order of policy.FUNCTIONS, 0 where a part has none; tables: those of a view's
    for each part; both are tuples. Returns (how it ended, node or -1).
    """
    v = view_at(view)
    s = state_at(state)
    heartbeat = v.heartbeat
    reduce_start, admission = functions[REDUCE_START_AT], functions[ADMISSION_AT]
    order_table, reduce_table, admission_table = (
        tables[ORDER_AT],
        tables[REDUCE_START_AT],
        tables[ADMISSION_AT],
    )
    while s.unfinished_jobs > 0:
        now = next_instant(v, s, heartbeat)  # 1
        if now >= INFINITE:
            return OUT_OF_TASK_RUNS if lacks_room(s) else DEADLOCK, -1
        if now > LAST_MS:
            return TOO_LONG, -1
        if s.cancel_flag[0] != 0:
            return CANCELLED, -1
        if now >= s.pause_ms:
            return PAUSED, -1
        v.now = now
        advance_to(s, now, heartbeat)
        containers_end(v, s, functions, order_table, now)  # 2
        if next_outage(s) == now:
            process_outages(v, s, functions, order_table, admission, admission_table, now)
        monitor_if_due(v, s, admission, admission_table, now)
        jobs_arrive(v, s, admission, admission_table, now)  # 3
        end_windows(v, s, functions, tables, now)
        if s.preempts == 1:
            kill_due(v, s, admission, admission_table, now)
        if s.speculates == 1 and now % SPECULATION_MS == 0:
            speculate(v, s, now)
        make_requests(v, s, reduce_start, reduce_table, now)  # 4
        kill_blocking_reduces(v, s, now)  # 5
        update_if_due(v, s, now)
        node = next_heartbeat_node(s, now, heartbeat)
        while node >= 0:  # 6
            # an instant may have as many heartbeats as there are nodes, and without heartbeats more
            if s.cancel_flag[0] != 0:
                return CANCELLED, -1
            status = process_heartbeat(v, s, node, now, functions, tables)
            if status != PLACED:
                return status, node
            make_requests(v, s, reduce_start, reduce_table, now)
            kill_blocking_reduces(v, s, now)
            node = next_heartbeat_node(s, now, heartbeat)
        if s.has_contention == 1:
            settle(v, s, now)  # 7
    if s.span_count > len(s.span_start):
        return OUT_OF_SPANS, -1
    if lacks_room(s):
        return OUT_OF_TASK_RUNS, -1
    return ALL_FINISHED, -1
