"""What CapacityScheduler tells a master that its job could still have (CapacityHeadroomProvider,
AbstractLeafQueue.getHeadroom, UsersManager.computeUserLimit; RAMPUP-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.shares import round_down, smaller
from engine.schedulers.hadoop.user_limits import compute_user_limit

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def capacity_headroom(v: View, s: State, job: int) -> tuple[int, int]:
    """What the leaf's limit, as the last walk handed it down, and its user's leave; no more than what is free
    in the cluster.
    """
    if v.cluster_nodes == 0:
        return 0, 0
    queue, user = v.job_queue[job], v.job_user[job]
    used, of_all = used_and_reserved(v, queue), used_and_reserved(v, 0)
    memory, vcores = (
        max(v.queue_limit_memory[queue] - used[0], 0),
        max(v.queue_limit_vcores[queue] - used[1], 0),
    )
    if s.limits_users == 1 and v.limits_users == 1:
        compute_user_limit(v, queue)
        memory = min(memory, max(v.queue_user_memory[queue] - v.user_used_memory[user], 0))
        vcores = min(vcores, max(v.queue_user_vcores[queue] - v.user_used_vcores[user], 0))
    memory, vcores = round_down(v, memory, vcores)
    return smaller(v, v.cluster_memory - of_all[0], v.cluster_vcores - of_all[1], memory, vcores)
