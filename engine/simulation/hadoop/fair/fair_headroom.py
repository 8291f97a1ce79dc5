"""What FairScheduler tells a master that its job could still have (FSAppAttempt.getHeadroom,
SchedulingPolicy.getHeadroom; RAMPUP-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.resource_types import RESOURCE_COUNT, put
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.schedulers.hadoop.resources import NOTHING
from engine.simulation.hadoop.fair.fair_shares import shared_resources

if TYPE_CHECKING:
    from engine.resource_types import Amount
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def fair_headroom(v: View, s: State, queue: int) -> Amount:
    """What is free in the cluster, below the leaf's maximum share, and of its fair share; of that memory
    alone but under drf.
    """
    shared = shared_resources(leaf_policy(s.default_queue_policy, v.queue_policy[queue]))
    headroom = NOTHING
    for resource in range(RESOURCE_COUNT):
        used = v.queue_used_resource[resource, queue]
        left = min(
            v.cluster_resource[resource, THE_RUN] - v.queue_used_resource[resource, 0],
            v.queue_max_resource[resource, queue] - used,
        )
        if resource < shared:
            left = min(left, max(v.queue_fair_resource[resource, queue] - used, 0))
        headroom = put(headroom, resource, left)
    return headroom
