"""Tasks on a node slow each other (model 15): with k of them each runs at 1 / (1 + g (k - 1)), with fewer than one at 1."""

from __future__ import annotations

import math

from engine.simulation.kernel.attempts import LONGEST
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.fetches import hear_of_maps
from engine.simulation.kernel.state import FAR

NOISE = 1e-6  # of float arithmetic, below which an end is not rounded up


def slowness(contention, k):
    return 1.0 + contention * max(k - 1.0, 0.0)


def settle(v, s, now, contention):
    """The instant is over: on every node whose k changed the tasks' ends move; new tasks get theirs."""
    for i in range(s.dirty_count[0]):
        node = s.dirty[i]
        before = s.settled_tasks[node]
        slow_before = slowness(contention, before)
        if s.weighs_fetching[0] == 1:
            hear_of_maps(v, s, node, now, slow_before)
        s.is_dirty[node] = 0
        k = s.tasks[node] + s.fetch_weight[0] * v.node_fetching[node]
        s.settled_tasks[node] = k
        slow = slowness(contention, k)
        if s.weighs_fetching[0] == 1 and slow != slow_before:
            s.event_count[0] += 1  # a window may see it
        v.node_slowness[node] = slow
        earliest = FAR
        first = node * s.row_width[0]
        for entry in range(first, first + s.row_count[node]):
            if s.row_left[entry] >= 0.0 and s.row_end[entry] <= FAR:
                begins = s.row_end[entry] == FAR
                if begins or k != before:
                    if not begins:
                        s.row_left[entry] -= (now - s.row_since[entry]) / slow_before
                    s.row_since[entry] = now
                    ahead = math.ceil(min(s.row_left[entry] * slow, LONGEST) - NOISE)
                    s.row_end[entry] = now + max(1, int(ahead))
            earliest = min(earliest, s.row_end[entry])
        set_time(s, node, earliest)
    s.dirty_count[0] = 0
