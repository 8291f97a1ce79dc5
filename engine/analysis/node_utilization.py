"""How full each node is over time: utilization of groups of nodes in columns of equal length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.codes import NONE, requests_of
from engine.jit import compiled
from engine.simulation.run import Run

RESOURCES = ("memory", "vcores")


class NodeUtilization(NamedTuple):
    """edges: int64[columns + 1] in ms, from the first arrival to the end of the run; share: float32[lines,
    columns], mean utilization.
    """

    edges: np.ndarray
    share: np.ndarray


def column_edges(run: Run, columns: int) -> np.ndarray:
    """int64[columns + 1]: the run in columns of equal length but for 1 ms; fewer where it lasts fewer ms, one
    where it lasts none.
    """
    first, span = run.first_ms, run.until_ms - run.first_ms
    columns = max(min(columns, span), 1)
    return first + np.arange(columns + 1) * span // columns


def node_utilization(
    run: Run, resource: str, columns: int, line: np.ndarray | None = None
) -> NodeUtilization:
    """Mean over each column of (held by containers, from start to end) / (capacity of the nodes), in exact
    sums.

    line: int64[nodes], the line each node is part of, from 0 and none left out; by default each node has its
    own. A share is above 1 where more vcores are handed out than there are (resources=memory). Cost:
    O(containers + lines x columns).
    """
    c, work = run.containers, run.workload
    line = np.arange(len(work.node_names)) if line is None else line
    requested, capacity = (
        (work.request_memory, work.node_memory)
        if resource == "memory"
        else (work.request_vcores, work.node_vcores)
    )
    edges = column_edges(run, columns)
    lines, count = int(line.max()) + 1, len(edges) - 1
    span = int(edges[-1] - edges[0])
    if not span:
        return NodeUtilization(edges, np.zeros((lines, count), np.float32))
    held, full_columns = np.zeros((lines, count), np.int64), np.zeros((lines, count + 1), np.int64)
    _add_columns(requests_of(work, c), c.node, c.start, c.end, requested, line, edges, held, full_columns)
    held += np.cumsum(full_columns[:, :-1], axis=1) * np.diff(edges)
    capacity_by_line = np.bincount(line, capacity, lines)
    return NodeUtilization(edges, (held / (capacity_by_line[:, None] * np.diff(edges))).astype(np.float32))


@compiled
def _add_columns(request, node, start, end, requested, line, edges, held, full_columns):
    """Adds each container's parts of columns to `held` (amount x ms), and where it covers whole columns the
    amount's rise and fall to `whole`.
    """
    count = len(edges) - 1
    first, span = edges[0], edges[count] - edges[0]
    for i in range(len(start)):
        amount = requested[request[i]]
        row = line[node[i]]
        begins, ends = max(start[i], first), edges[count] if end[i] == NONE else min(end[i], edges[count])
        if begins >= ends:
            continue
        a = min((begins - first) * count // span, count - 1)
        while a + 1 < count and edges[a + 1] <= begins:
            a += 1
        b = min((ends - first) * count // span, count - 1)
        while b + 1 < count and edges[b + 1] < ends:
            b += 1
        while edges[b] >= ends:
            b -= 1
        if a == b:
            held[row, a] += amount * (ends - begins)
        else:
            held[row, a] += amount * (edges[a + 1] - begins)
            held[row, b] += amount * (ends - edges[b])
            full_columns[row, a + 1] += amount
            full_columns[row, b] -= amount
