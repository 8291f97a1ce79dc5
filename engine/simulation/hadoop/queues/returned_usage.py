"""Containers that the ResourceManager takes back: their use counts no longer at once, their room is free when
their node reports the end (PREEMPT-3).

In Hadoop  AbstractYarnScheduler.completedContainer, SchedulerNode.releaseContainer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MASTER, RETURNED
from engine.simulation.hadoop.fair.preemption_claims import unmark
from engine.simulation.hadoop.queues.usage import count_admitted, count_used

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def release_usage(v: View, s: State, entry: int, now: int) -> None:
    """What has ended counts no longer for its job and queues, though its node has not reported it."""
    request = s.row_request[entry]
    s.row_end[entry] = RETURNED
    unmark(v, s, s.row_container[entry])
    count_used(v, s, request, -1)
    if v.request_kind[request] == MASTER:
        count_admitted(v, v.request_job[request], -1)
    else:
        v.job_container_time[v.request_job[request]] += now
