"""What the schedulers do at once when a node has come or gone (OUTAGE-4).

In Hadoop  CapacityScheduler.addNode, removeNode, AbstractParentQueue.updateClusterResource and
           AbstractLeafQueue.updateClusterResource; FairScheduler.addNode, removeNode (triggerUpdate)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ACTIVATE, STARVED
from engine.schedulers.hadoop.capacity_walk import is_parent, used_and_reserved
from engine.schedulers.hadoop.shares import round_down, smaller
from engine.schedulers.hadoop.user_limits import compute_user_limit, max_capacity_of
from engine.simulation.hadoop.capacity.activation import activate
from engine.simulation.hadoop.capacity.users import recount_ratios
from engine.simulation.hadoop.fair.fair_updates import help_starved, update
from engine.simulation.kernel.waiting_requests import recount_reserving

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def update_cluster_resource(v: View, s: State, admission: PolicyFunction, table: int, now: int) -> None:
    """Limits of queues follow the cluster, masters that fit them now may start, and FairScheduler is
    updated.
    """
    if s.reserves == STARVED:
        recount_reserving(v, s)
    set_limits(v, s)
    if v.limits_users == 1:
        recount_ratios(v)
    v.queue_user_is_stale[:] = 1
    computes_users = s.hands_down_limits == 1 and v.limits_users == 1 and v.cluster_nodes > 0
    for queue in range(len(v.queue_parent)):
        if s.overtaking == ACTIVATE:
            activate(v, s, queue, admission, table, now)
        if computes_users and s.queue_active_jobs[queue] > 0 and not is_parent(v, queue):
            compute_user_limit(v, queue)
    if v.update_interval > 0:
        update(v, s, now)
        if s.preempts == 1:
            help_starved(v, s, now)


def set_limits(v: View, s: State) -> None:
    """queue_limit_* of all queues."""
    if v.cluster_nodes == 0:
        v.queue_limit_memory[:] = 0
        v.queue_limit_vcores[:] = 0
    else:
        for queue in range(len(v.queue_parent)):
            v.queue_limit_memory[queue], v.queue_limit_vcores[queue] = limit_of(v, s, queue)


def limit_of(v: View, s: State, queue: int) -> tuple[int, int]:
    """(memory, vcores) that it may use now: as a walk would hand them down that has come to its parent, under
    another order than capacity its maximum capacity.
    """
    memory, vcores = max_capacity_of(v, queue)
    max_memory, max_vcores = round_down(v, memory, vcores)
    parent = v.queue_parent[queue]
    if s.hands_down_limits == 0:
        return max_memory, max_vcores
    if parent >= 0:
        of_parent, own = used_and_reserved(v, parent), used_and_reserved(v, queue)
        left_memory, left_vcores = round_down(
            v,
            v.queue_limit_memory[parent] - of_parent[0] + own[0],
            v.queue_limit_vcores[parent] - of_parent[1] + own[1],
        )
        memory, vcores = smaller(v, left_memory, left_vcores, memory, vcores)
    if is_parent(v, queue):
        return memory, vcores
    return smaller(v, max_memory, max_vcores, memory, vcores)
