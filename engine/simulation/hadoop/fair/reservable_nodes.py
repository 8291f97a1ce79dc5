"""Which nodes a starved job may reserve, and how many (FSAppAttempt.isReservable; RESERVE-1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.codes import NODE_LOCAL, OFF_SWITCH
from engine.schedulers.amounts import is_nothing
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.simulation.applications.seam import nearest_distance, prefers_nodes
from engine.simulation.hadoop.fair.fair_shares import is_starved, reserved_nodes

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State

# of the cluster, or of a rack whose blocks it is for, for one job: yarn.scheduler.fair.reservable-nodes
RESERVABLE_NODES = 0.05


def is_reservable(v: View, s: State, node: int, request: int) -> bool:
    """May a request that does not fit a node, and that may_reserve, reserve it? (FSAppAttempt.isReservable,
    reservationExceedsThreshold)
    """
    job = v.request_job[request]
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[v.job_queue[job]])
    lacks = s.preempts == 1 and not is_nothing(s.min_share_starved_resource, job)
    if not lacks and not is_starved(v, policy, job):
        return False
    is_near = prefers_nodes(v, request) and s.replication > 0
    far = nearest_distance(v, s, job, node) if is_near else OFF_SWITCH
    if far == OFF_SWITCH:
        return reserved_nodes(v, job) < max_reserved_nodes(v.cluster_nodes)
    rack = s.node_rack[node]
    return far == NODE_LOCAL or reserved_on_rack(v, s, job, rack) < max_reserved_nodes(nodes_on_rack(s, rack))


def max_reserved_nodes(nodes: int) -> int:
    """Of so many nodes, for one job."""
    return math.ceil(float(np.float32(nodes) * np.float32(RESERVABLE_NODES)))


def nodes_on_rack(s: State, rack: int) -> int:
    """How many are up there."""
    count = 0
    for place in range(s.rack_begin[rack], s.rack_begin[rack + 1]):
        count += s.is_down[s.rack_nodes[place]] == 0
    return count


def reserved_on_rack(v: View, s: State, job: int, rack: int) -> int:
    count = 0
    first, end = v.job_first_request[job], v.job_first_request[job + 1]
    for node in range(len(v.node_reserved)):
        count += first <= v.node_reserved[node] < end and s.node_rack[node] == rack
    return count
