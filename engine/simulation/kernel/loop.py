"""The event loop and nothing else, a line a step, numbered like the engine's README has them.

1  the next instant: the earliest end, arrival, timer, window or beat of a node that is awake
2  containers end; nodes are lost or come back; CapacityScheduler's monitor kills
3  jobs arrive; windows end, and masters beat that pre-empt or look for tasks that are late
4  requests appear
5  jobs that their own reduces block kill some; FairScheduler updates what it knows
6  nodes beat, one after another: the scheduler sees what ended there, and places containers;
   what that causes (4, 5) is handled before the next beat
7  the instant is over: contention changes the speed of tasks
"""

from __future__ import annotations

from engine.jit import bundle, compiled
from engine.schedulers.policy import ADMISSION_AT, ORDER_AT, REDUCE_START_AT
from engine.schedulers.view import FIELDS as VIEW_FIELDS
from engine.simulation.kernel.admission import jobs_arrive
from engine.simulation.kernel.beats import PLACED, beat, next_beating, next_instant, turn_to
from engine.simulation.kernel.capacity_monitor import monitor_if_due
from engine.simulation.kernel.contention import settle
from engine.simulation.kernel.fair_updates import update_if_due
from engine.simulation.kernel.kills import kill_where_blocked
from engine.simulation.kernel.outages import next_outage, outages
from engine.simulation.kernel.preemption import kill_due
from engine.simulation.kernel.requests import appear
from engine.simulation.kernel.running import containers_end
from engine.simulation.kernel.speculation import LOOK_MS, speculate
from engine.simulation.kernel.state import FAR, FIELDS
from engine.simulation.kernel.windows import end_windows

FINISHED, DEADLOCK, TOO_LONG, MORE_SPANS, HALTED, PAUSED = -1, -2, -3, -4, -5, -6  # how a run ends, beside what `beat` gives up for
LAST_MS = 2**60

view_at = bundle("View", VIEW_FIELDS)
state_at = bundle("State", FIELDS)


@compiled
def kernel(view, state, functions, tables, heartbeat, per_beat, contention, limits, line):
    """Run until all jobs have finished, nothing can happen any more, or it is to pause; it goes on from there when it is called again.

    view, state: tables of a View and a State, freshly built or as it left them (the tuples themselves in a plain run);
    functions: addresses, in the order of policy.FUNCTIONS, 0 where a part has none; tables: those of a view's for each part; both are tuples;
    heartbeat: ms, 0 for rounds; per_beat: containers a beat, 0 for no limit; limits, line: as in candidates.py and admission.py.
    Returns (how it ended, node or -1).
    """
    v = view_at(view)
    s = state_at(state)
    slowed = contention > 0.0
    order, reduce_start, admission = functions[ORDER_AT], functions[REDUCE_START_AT], functions[ADMISSION_AT]
    order_table, reduce_table, admission_table = tables[ORDER_AT], tables[REDUCE_START_AT], tables[ADMISSION_AT]
    while s.unfinished_jobs[0] > 0:
        now = next_instant(v, s, heartbeat)  # 1
        if now >= FAR:
            return DEADLOCK, -1
        if now > LAST_MS:
            return TOO_LONG, -1
        if s.halt[0] != 0:
            return HALTED, -1
        if now >= s.pause_ms[0]:
            return PAUSED, -1
        v.now[0] = now
        turn_to(s, now, heartbeat)
        containers_end(v, s, functions, order_table, now, slowed)  # 2
        if next_outage(s) == now:
            outages(v, s, functions, order_table, line, admission, admission_table, now, slowed)
        monitor_if_due(v, s, line, admission, admission_table, now, slowed)
        jobs_arrive(v, s, line, admission, admission_table, now)  # 3
        end_windows(v, s, functions, tables, now, slowed)
        if s.preempts[0] == 1:
            kill_due(v, s, line, admission, admission_table, now, slowed)
        if s.speculates[0] == 1 and now % LOOK_MS == 0:
            speculate(v, s, now, contention)
        appear(v, s, reduce_start, reduce_table, now)  # 4
        kill_where_blocked(v, s, now, slowed)  # 5
        update_if_due(v, s, now)
        node = next_beating(s, now, heartbeat)
        while node >= 0:  # 6
            if s.halt[0] != 0:  # an instant may have as many beats as there are nodes, and without heartbeats more
                return HALTED, -1
            done = beat(v, s, node, now, per_beat, limits, line, slowed, functions, order, order_table, admission, admission_table)
            if done != PLACED:
                return done, node
            appear(v, s, reduce_start, reduce_table, now)
            kill_where_blocked(v, s, now, slowed)
            node = next_beating(s, now, heartbeat)
        if slowed:
            settle(v, s, now, contention)  # 7
    if s.span_count[0] > len(s.span_start):
        return MORE_SPANS, -1
    return FINISHED, -1
