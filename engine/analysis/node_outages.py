"""Which nodes of a run were not up, and when: lost until they were back, or not there before they joined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.simulation.physics_arrays import physics
from engine.simulation.run import Run


class Outages(NamedTuple):
    """One entry a time in which a node was down while the run lasted, in the order of their beginnings. Times
    in ms.
    """

    node: np.ndarray  # int64, index into workload.node_names
    lost: np.ndarray  # int64, 0 where it was not there at first
    back: np.ndarray  # int64, the end of the run where it did not come within it


def outages(run: Run) -> Outages:
    """The outages that the run has seen something of."""
    rows = []
    if run.scenario.cluster.varies:
        nodes_physics = physics(run.scenario, run.workload)
        down_since = dict.fromkeys(nodes_physics.absent_nodes.tolist(), 0)
        columns = nodes_physics.outage_at, nodes_physics.outage_node, nodes_physics.outage_is_back
        for at, node, is_back in zip(*(column.tolist() for column in columns)):
            if is_back:
                rows.append((down_since.pop(node), node, at))
            else:
                down_since[node] = at
        rows += [(lost, node, run.until_ms) for node, lost in down_since.items()]
    seen = [
        (node, lost, min(back, run.until_ms))
        for lost, node, back in sorted(rows)
        if lost < run.until_ms and back > run.first_ms
    ]
    return Outages(*np.array(seen, np.int64).reshape(-1, 3).T)
