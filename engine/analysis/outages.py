"""Which nodes of a run were lost, and when they were back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.scenario.field_types import milliseconds
from engine.simulation.run import Run


class Outages(NamedTuple):
    """One entry a time in which a node was lost while the run lasted, in the order of the scenario. Times in ms."""

    node: np.ndarray  # int64, index into workload.node_names
    lost: np.ndarray  # int64
    back: np.ndarray  # int64, the end of the run where it did not come back within it


def outages(run: Run) -> Outages:
    """The outages that the run has seen something of."""
    listed = run.scenario.cluster.outages
    place = {name: number for number, name in enumerate(run.workload.node_names)} if listed else {}
    found = []
    for one in listed:
        lost, back = milliseconds(one.lost_s), run.until_ms if one.back_s is None else milliseconds(one.back_s)
        if lost < run.until_ms and back > run.first_ms:
            found.append((place[one.node], lost, min(back, run.until_ms)))
    return Outages(*np.array(found, np.int64).reshape(-1, 3).T)
