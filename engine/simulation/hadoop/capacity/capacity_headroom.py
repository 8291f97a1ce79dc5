"""What CapacityScheduler tells a master that its job could still have (CapacityHeadroomProvider,
AbstractLeafQueue.getHeadroom, UsersManager.computeUserLimit; RAMPUP-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.resources import (
    NOTHING,
    amount_of,
    componentwise_max,
    componentwise_min,
    minus,
    of_cluster,
    round_down,
    smaller,
)
from engine.schedulers.hadoop.user_limits import compute_user_limit

if TYPE_CHECKING:
    from engine.resource_types import Amount
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def capacity_headroom(v: View, s: State, job: int) -> Amount:
    """What the leaf's limit, as the last walk handed it down, and its user's leave; no more than what is free
    in the cluster.
    """
    if v.cluster_nodes == 0:
        return NOTHING
    queue, user = v.job_queue[job], v.job_user[job]
    left = minus(amount_of(v.queue_limit_resource, queue), used_and_reserved(v, queue))
    left = componentwise_max(left, NOTHING)
    if s.limits_users == 1 and v.limits_users == 1:
        compute_user_limit(v, queue)
        of_user = minus(amount_of(v.queue_user_resource, queue), amount_of(v.user_used_resource, user))
        left = componentwise_min(left, componentwise_max(of_user, NOTHING))
    return smaller(v, minus(of_cluster(v), used_and_reserved(v, 0)), round_down(v, left))
