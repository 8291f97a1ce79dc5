"""Masters as all frameworks have them: their start-up, and heartbeats from its end on, `job_heartbeat_ms` ms
apart, at which a master asks for containers and learns of them (MASTER-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import MASTER
from engine.run_records import Floats
from engine.simulation.applications.attempt_draws import STARTUP, attempt_draw_ms
from engine.simulation.durations import CONSTANT, LAW_SIZE
from engine.simulation.hadoop.capacity.users import count_masters
from engine.simulation.hadoop.queues.usage import count_admitted
from engine.simulation.kernel.clock import set_time

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def start_master(v: View, s: State, job: int, container: int, now: int) -> None:
    """It asks for the job's tasks when it has started up."""
    if s.launches == 1:
        s.container_begin[container] = now
    s.master_container[job] = container
    if s.admitted[job] == 0:
        s.admitted[job] = 1
        count_admitted(v, job, 1)
        count_masters(v, job, 1)
    s.container_attempt[container] += s.master_losses[job] + s.master_kills[job]
    s.job_ready[job] = now + startup_ms(v, s, job, s.container_attempt[container])
    set_time(s, len(s.awake) + job, s.job_ready[job])


def startup_ms(v: View, s: State, job: int, attempt: int) -> int:
    """From a master's placement until it asks for maps."""
    law = s.startup_law[LAW_SIZE * job : LAW_SIZE * job + LAW_SIZE]
    if law[0] == CONSTANT:
        return v.job_startup[job]
    return drawn_startup_ms(law, s.job_key[job], attempt)


def drawn_startup_ms(law: Floats, key: int, attempt: int) -> int:
    """The same where its law is random; key: the job's."""
    return attempt_draw_ms(law, key, attempt, STARTUP, 0, MASTER, 0)


def next_heartbeat(s: State, job: int, time: int) -> int:
    """The job's first heartbeat at `time` or later; `time` itself where the master asks and learns at
    once.
    """
    beat = s.job_heartbeat_ms[job]
    if beat == 0:
        return time
    return s.job_ready[job] + (time - s.job_ready[job] + beat - 1) // beat * beat


def wake_at(s: State, job: int, time: int) -> None:
    """The master looks then, if not before."""
    leaf = len(s.awake) + job
    if s.is_master_down[job] == 0 and time < s.timer_tree[s.tree_leaves + leaf]:
        set_time(s, leaf, time)


def learns_at(s: State, job: int, now: int) -> int:
    """When the master learns of a container placed at `now`: at its first heartbeat after that."""
    return next_heartbeat(s, job, now + 1) if s.job_heartbeat_ms[job] > 0 else now
