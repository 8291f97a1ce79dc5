"""When a launched reduce fetches and when it waits for maps (SHUFFLE-1), for all reduces of an iteration that
divide its output evenly at little cost.

A reduce fetches one map's output after another, c ms each, a part no sooner than its map has ended; when it
has fetched what there is, it waits. Two reduces of an iteration differ only in the backlog they start with:
once the later one has caught up it fetches and waits exactly when the other does. So each reduce needs the
moment at which it catches up, and each iteration the gaps of a reduce launched before its first map ended:
maps + reduces steps, not maps x reduces. Moments are rounded up to 1 ms, as the end of the shuffle is.

With F1 <= F2 <= … and H_k = F_k - (k - 1) c, a reduce that never fell behind has k parts at k c + max over j
<= k of H_j; one launched at S has caught up after the first k parts with H_(k+1) > S, at S + k c. Where parts
are uneven c is a reduce's own, and each reduce stands alone, maps x reduces steps after all.
"""

from __future__ import annotations

import math

import numpy as np

from engine.codes import NOISE_MS
from engine.jit import compiled


@compiled
def map_ends_by_iteration(iteration, end, iterations):
    """(first, ends): the map ends of iteration i, in ascending order, are ends[first[i] : first[i + 1]]."""
    first = np.zeros(iterations + 1, np.int64)
    for stage in iteration:
        first[stage + 1] += 1
    for i in range(iterations):
        first[i + 1] += first[i]
    ends = np.empty(len(end), np.int64)
    filled = first[:-1].copy()
    for i in range(len(end)):
        ends[filled[iteration[i]]] = end[i]
        filled[iteration[i]] += 1
    for i in range(iterations):
        ends[first[i] : first[i + 1]].sort()
    return first, ends


@compiled
def caught_up(iteration, start, leave, first, ends, maps, fetch_ms):
    """For each reduce the ms at which it first waits for a map, or would if one were missing; `leave` when it
    leaves before.

    iteration, start, leave: per reduce, leave is the end of its shuffle or of itself; maps, fetch_ms: per
    iteration.
    """
    latest = np.empty(len(ends), np.float64)  # running maximum of H
    for i in range(len(maps)):
        max_backlog = -math.inf
        for position in range(first[i], first[i + 1]):
            max_backlog = max(max_backlog, ends[position] - (position - first[i]) * fetch_ms[i])
            latest[position] = max_backlog
    at = np.empty(len(start), np.int64)
    for reduce in range(len(start)):
        i = iteration[reduce]
        finished = first[i + 1] - first[i]
        parts = np.searchsorted(latest[first[i] : first[i + 1]], float(start[reduce]), side="right")
        if parts == finished and finished == maps[i]:
            at[reduce] = leave[reduce]
        else:
            at[reduce] = min(leave[reduce], math.ceil(start[reduce] + parts * fetch_ms[i] - NOISE_MS))
    return at


@compiled
def caught_up_alone(iteration, start, leave, first, ends, maps, fetch_ms):
    """The same where fetch_ms is one a reduce."""
    at = np.empty(len(start), np.int64)
    for reduce in range(len(start)):
        i, part_ms = iteration[reduce], fetch_ms[reduce]
        finished = first[i + 1] - first[i]
        parts = 0
        while parts < finished and ends[first[i] + parts] - parts * part_ms <= start[reduce]:
            parts += 1
        at[reduce] = leave[reduce]
        if parts < finished or finished < maps[i]:
            at[reduce] = min(leave[reduce], math.ceil(start[reduce] + parts * part_ms - NOISE_MS))
    return at


@compiled
def waiting_gaps(iteration, first, ends, maps, fetch_ms, since, until):
    """(group, from, to) of the times in which reduces that have caught up wait, those that touch [since,
    until) only.

    A group is an iteration's reduces, or one of them: iteration, fetch_ms, since and until are one a group.
    """
    capacity = 0
    for group in range(len(iteration)):
        capacity += first[iteration[group] + 1] - first[iteration[group]] + 1
    waits, begins, closes = (
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
    )
    count = 0
    for group in range(len(iteration)):
        i, part_ms = iteration[group], fetch_ms[group]
        begin = since[group]
        max_backlog = -math.inf
        # one more that never ends
        last = first[i + 1] if first[i + 1] - first[i] == maps[i] else first[i + 1] + 1
        for position in range(first[i], last):
            end = ends[position] if position < first[i + 1] else until[group]
            if begin >= until[group]:
                break
            if count and waits[count - 1] == group and closes[count - 1] == begin:
                closes[count - 1] = end
            elif end > begin:
                waits[count], begins[count], closes[count] = group, begin, end
                count += 1
            part = position - first[i]
            max_backlog = max(max_backlog, end - part * part_ms)
            begin = max(since[group], math.ceil((part + 1) * part_ms + max_backlog - NOISE_MS))
    return waits[:count], begins[:count], closes[:count]
