"""Which nodes of a run were lost, and when they were back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.simulation.physics_arrays import physics
from engine.simulation.run import Run


class Outages(NamedTuple):
    """One entry a time in which a node was lost while the run lasted, in the order of their beginnings. Times
    in ms.
    """

    node: np.ndarray  # int64, index into workload.node_names
    lost: np.ndarray  # int64
    back: np.ndarray  # int64, the end of the run where it did not come back within it


def outages(run: Run) -> Outages:
    """The outages that the run has seen something of."""
    rows = []
    if run.scenario.cluster.outages:
        nodes_physics = physics(run.scenario, run.workload)
        changes = list(
            zip(
                nodes_physics.outage_at.tolist(),
                nodes_physics.outage_node.tolist(),
                nodes_physics.outage_is_back.tolist(),
            )
        )
        for index, (lost, node, is_back) in enumerate(changes):
            back = next(
                (at for at, other, later in changes[index + 1 :] if other == node and later), run.until_ms
            )
            if not is_back and lost < run.until_ms and back > run.first_ms:
                rows.append((node, lost, min(back, run.until_ms)))
    return Outages(*np.array(rows, np.int64).reshape(-1, 3).T)
