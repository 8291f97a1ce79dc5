"""What each queue may use, as CapacityScheduler hands it down when the cluster changes
(AbstractParentQueue.updateClusterResource, AbstractLeafQueue.updateClusterResource; OUTAGE-4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.schedulers.hadoop.capacity_walk import is_parent, used_and_reserved
from engine.schedulers.hadoop.resources import amount_of, minus, plus, round_down, set_amount, smaller
from engine.schedulers.hadoop.user_limits import max_capacity_of

if TYPE_CHECKING:
    from engine.resource_types import Amount
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def set_limits(v: View, s: State) -> None:
    """queue_limit_resource of all queues."""
    if v.cluster_nodes == 0:
        v.queue_limit_resource[:] = 0
    else:
        for queue in range(len(v.queue_parent)):
            set_amount(v.queue_limit_resource, queue, limit_of(v, s, queue))


def limit_of(v: View, s: State, queue: int) -> Amount:
    """What it may use now: as a walk would hand them down that has come to its parent, under another order
    than capacity its maximum capacity.
    """
    limit = max_capacity_of(v, queue)
    most = round_down(v, limit)
    parent = v.queue_parent[queue]
    if s.hands_down_limits == 0:
        return most
    if parent >= 0:
        left = minus(amount_of(v.queue_limit_resource, parent), used_and_reserved(v, parent))
        limit = smaller(v, round_down(v, plus(left, used_and_reserved(v, queue))), limit)
    return limit if is_parent(v, queue) else smaller(v, most, limit)
