"""Headroom: what a scheduler tells a master that its job could still have (RAMPUP-2).

In Hadoop  FifoScheduler.updateAppHeadRoom; the others in fair_headroom.py and capacity_headroom.py
What has ended counts until the scheduler has seen it. An order that is no scheduler of Hadoop's tells what is
free in the cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FAIR_SHARE, QUEUE_LIMIT
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.resources import amount_of, minus, of_cluster, set_amount
from engine.simulation.hadoop.capacity.capacity_headroom import capacity_headroom
from engine.simulation.hadoop.fair.fair_headroom import fair_headroom
from engine.simulation.hadoop.fair.fair_shares import refresh_shares

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def set_headroom(v: View, s: State, job: int) -> None:
    """View.headroom_resource, for a job."""
    queue = v.job_queue[job]
    if s.headroom == FAIR_SHARE:
        refresh_shares(v, s)
        headroom = fair_headroom(v, s, queue)
    elif s.headroom == QUEUE_LIMIT:
        headroom = capacity_headroom(v, s, job)
    else:
        headroom = minus(of_cluster(v), amount_of(v.queue_used_resource, 0))
    set_amount(v.headroom_resource, THE_RUN, headroom)
