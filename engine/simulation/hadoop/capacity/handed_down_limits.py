"""What each queue may use, as CapacityScheduler hands it down when the cluster changes
(AbstractParentQueue.updateClusterResource, AbstractLeafQueue.updateClusterResource; OUTAGE-4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.schedulers.hadoop.capacity_walk import is_parent, used_and_reserved
from engine.schedulers.hadoop.shares import round_down, smaller
from engine.schedulers.hadoop.user_limits import max_capacity_of

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


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
