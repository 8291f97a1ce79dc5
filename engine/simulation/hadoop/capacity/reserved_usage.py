"""What is reserved counts as used by a user, and is counted by queues (FiCaSchedulerApp.reserve, unreserve,
ResourceUsage.incReserved; RESERVE-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import REORDER
from engine.schedulers.amounts import add
from engine.simulation.hadoop.capacity.users import count_user_usage

if TYPE_CHECKING:
    from engine.schedulers.view import View


def count_reserved_usage(v: View, request: int, change: int) -> None:
    """So many more nodes are reserved for a request (fewer when negative)."""
    v.job_reorder[v.request_job[request]] = REORDER
    count_user_usage(v, v.request_job[request], request, change)
    queue = v.job_queue[v.request_job[request]]
    while queue >= 0:
        add(v.queue_reserved_resource, queue, v.request_resource, request, change)
        queue = v.queue_parent[queue]
