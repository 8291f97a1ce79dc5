"""What ran on each node at the same time: events of all nodes in one order, so that sums over time are
cumulative sums.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Events(NamedTuple):
    """Begins and ends of spans, node by node, each in the order of time, ends first. level: the sum of the
    spans' weights after the event.
    """

    node: np.ndarray
    at: np.ndarray
    span: np.ndarray  # which one begins or ends
    begins: np.ndarray  # bool
    level: np.ndarray


def events(node: np.ndarray, begin: np.ndarray, end: np.ndarray, weight: np.ndarray) -> Events:
    """Of spans from `begin` to `end` on nodes."""
    count = len(node)
    span = np.concatenate((np.arange(count), np.arange(count)))
    begins = np.repeat([True, False], count)
    at = np.concatenate((begin, end))
    order = np.lexsort((begins, at, node[span]))
    span, begins = span[order], begins[order]
    return Events(
        node[span], at[order], span, begins, np.cumsum(np.where(begins, weight[span], -weight[span]))
    )


def work_done(node_events: Events, slowdown: float, count: int) -> np.ndarray:
    """How long each span lasted less what it was slowed by the others: the time in which k were on the node
    counts 1 / (1 + slowed (k - 1)).
    """
    lasts = np.diff(node_events.at, append=node_events.at[-1:])
    lasts[np.flatnonzero(np.diff(node_events.node))] = 0
    pace = 1.0 / (1.0 + slowdown * np.maximum(node_events.level - 1, 0))
    until = np.concatenate(([0.0], np.cumsum(lasts * pace)))[:-1]
    total = np.zeros(count)
    np.add.at(total, node_events.span, np.where(node_events.begins, -until, until))
    return total
