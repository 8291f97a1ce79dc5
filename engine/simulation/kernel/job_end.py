"""Jobs that are over, and their masters with them (JOB-2, MASTER-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import FINISHED, INFINITE
from engine.simulation.hadoop.queues.usage import count_running, count_unfinished
from engine.simulation.kernel.clock import set_time
from engine.simulation.kernel.node_rows import release, row_entry, set_row_end

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def finish_job(v: View, s: State, job: int, now: int) -> None:
    """The job is over, and its master with it."""
    v.job_finish[job] = now
    count_running(v, s, job, -1)
    count_unfinished(v, job, -1)
    s.unfinished_jobs -= 1
    if s.job_heartbeat_ms[job] > 0:
        set_time(s, len(s.awake) + job, INFINITE)
    if s.master_container[job] >= 0 and s.is_master_down[job] == 0:
        end_master(v, s, s.master_container[job], now + s.job_linger[job], now)


def end_master(v: View, s: State, container: int, end: int, now: int) -> None:
    """Its job has finished: the master ends now or, known from now on, later."""
    node = s.container_node[container]
    if end == now:
        release(v, s, row_entry(s, container), node, FINISHED, now)
    else:
        s.container_end[container] = end
        s.container_outcome[container] = FINISHED
        set_row_end(s, row_entry(s, container), node, end)
