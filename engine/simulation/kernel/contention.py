"""Tasks on a node slow each other (CONTENTION-1): with k of them each runs at 1 / (1 + g (k - 1)), with fewer
than one at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE
from engine.simulation.applications.seam import runs_slots, settle_slots, update_fetches
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.slowed_work import slowdown, slowed_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def settle(v: View, s: State, now: int) -> None:
    """The instant is over: on every node whose k changed the tasks' ends move; new tasks get theirs."""
    for i in range(s.dirty_count):
        node = s.dirty[i]
        load_before = s.settled_load[node]
        slowdown_before = slowdown(s.contention, load_before)
        if s.weighs_fetching == 1:
            update_fetches(v, s, node, now, slowdown_before)
        s.is_dirty[node] = 0
        k = s.running_tasks[node] + s.fetch_weight * v.node_fetching[node]
        s.settled_load[node] = k
        slowdown_now = slowdown(s.contention, k)
        if s.weighs_fetching == 1 and slowdown_now != slowdown_before:
            s.event_count += 1  # a window may see it
        v.node_slowdown[node] = slowdown_now
        earliest = INFINITE
        first = node * s.row_width
        for entry in range(first, first + s.row_count[node]):
            if s.row_remaining_ms[entry] >= 0.0 and s.row_end[entry] <= INFINITE:
                is_new = s.row_end[entry] == INFINITE
                if is_new or k != load_before:
                    if not is_new:
                        s.row_remaining_ms[entry] -= (now - s.row_updated_at[entry]) / slowdown_before
                    s.row_updated_at[entry] = now
                    s.row_end[entry] = slowed_end(now, s.row_remaining_ms[entry], slowdown_now)
            elif runs_slots(v, s, entry):
                settle_slots(s, entry, now, k != load_before, slowdown_before, slowdown_now)
            earliest = min(earliest, s.row_end[entry])
        s.settled_launching[node] = s.launching[node]
        set_time(s, node, earliest)
    s.dirty_count = 0
