"""Headroom: what a scheduler tells a master that its job could still have (RAMPUP-2).

In Hadoop  FSAppAttempt.getHeadroom and SchedulingPolicy.getHeadroom; CapacityHeadroomProvider,
           AbstractLeafQueue.getHeadroom and UsersManager.computeUserLimit; FifoScheduler.updateAppHeadRoom
What has ended counts until the scheduler has seen it. An order that is no scheduler of Hadoop's tells what is
free in the cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import DRF, FAIR_SHARE, QUEUE_LIMIT
from engine.schedulers.hadoop.capacity_walk import used_and_reserved
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.schedulers.hadoop.shares import round_down, smaller
from engine.schedulers.hadoop.user_limits import compute_user_limit
from engine.simulation.hadoop.fair.fair_shares import refresh_shares

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def set_headroom(v: View, s: State, job: int) -> None:
    """headroom_memory and headroom_vcores, for a job."""
    queue = v.job_queue[job]
    if s.headroom == FAIR_SHARE:
        refresh_shares(v, s)
        memory, vcores = fair_headroom(v, s, queue)
    elif s.headroom == QUEUE_LIMIT:
        memory, vcores = capacity_headroom(v, s, job)
    else:
        memory, vcores = (
            v.cluster_memory - v.queue_used_memory[0],
            v.cluster_vcores - v.queue_used_vcores[0],
        )
    v.headroom_memory, v.headroom_vcores = memory, vcores


def fair_headroom(v: View, s: State, queue: int) -> tuple[int, int]:
    """What is free in the cluster, below the leaf's maximum share, and of its fair share; vcores of that
    under drf alone.
    """
    used_memory, used_vcores = v.queue_used_memory[queue], v.queue_used_vcores[queue]
    memory = min(v.cluster_memory - v.queue_used_memory[0], v.queue_max_memory[queue] - used_memory)
    vcores = min(v.cluster_vcores - v.queue_used_vcores[0], v.queue_max_vcores[queue] - used_vcores)
    memory = min(memory, max(v.queue_fair_memory[queue] - used_memory, 0))
    if leaf_policy(s.default_queue_policy, v.queue_policy[queue]) == DRF:
        vcores = min(vcores, max(v.queue_fair_vcores[queue] - used_vcores, 0))
    return memory, vcores


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
