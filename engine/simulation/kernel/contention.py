"""Tasks on a node slow each other (model 15): with k of them each runs at 1 / (1 + g (k - 1))."""

from __future__ import annotations

import math

from engine.simulation.kernel.attempts import LONGEST
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.state import FAR

NOISE = 1e-6  # of float arithmetic, below which an end is not rounded up


def settle(s, now, contention):
    """The instant is over: on every node whose k changed the tasks' ends move; new tasks get theirs."""
    for i in range(s.dirty_count[0]):
        node = s.dirty[i]
        s.is_dirty[node] = 0
        before = s.settled_tasks[node]
        k = s.tasks[node]
        s.settled_tasks[node] = k
        slowness = 1.0 + contention * (k - 1)
        earliest = FAR
        first = node * s.row_width[0]
        for entry in range(first, first + s.row_count[node]):
            if s.row_left[entry] >= 0.0 and s.row_end[entry] <= FAR:
                begins = s.row_end[entry] == FAR
                if begins or k != before:
                    if not begins:
                        s.row_left[entry] -= (now - s.row_since[entry]) / (1.0 + contention * (before - 1))
                    s.row_since[entry] = now
                    ahead = math.ceil(min(s.row_left[entry] * slowness, LONGEST) - NOISE)
                    s.row_end[entry] = now + max(1, int(ahead))
            earliest = min(earliest, s.row_end[entry])
        set_time(s, node, earliest)
    s.dirty_count[0] = 0
