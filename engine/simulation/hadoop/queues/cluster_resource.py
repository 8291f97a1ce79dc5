"""What the schedulers do at once when a node has come or gone (OUTAGE-4).

In Hadoop  CapacityScheduler.addNode, removeNode, AbstractParentQueue.updateClusterResource and
           AbstractLeafQueue.updateClusterResource; FairScheduler.addNode, removeNode (triggerUpdate)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import ACTIVATE, STARVED
from engine.schedulers.hadoop.capacity_walk import is_parent
from engine.schedulers.hadoop.user_limits import compute_user_limit
from engine.simulation.hadoop.capacity.activation import activate
from engine.simulation.hadoop.capacity.handed_down_limits import set_limits
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
