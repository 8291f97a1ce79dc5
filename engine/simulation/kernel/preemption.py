"""Containers that the scheduler kills for other jobs (AbstractYarnScheduler.completedContainer, RMContainerEventType.KILL).

The job and its queues have the use of such a container back at once; its room is free when its node's next beat reports the end. The task waits
again, as after any attempt that ended in vain, and a reduce begins from zero. A job whose master is killed loses all its containers with it and
starts another master, as often as that happens (RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry); what has finished stays.
"""

from __future__ import annotations

from engine.schedulers.view import MASTER, PER_JOB
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.fair_shares import nodes_reserved
from engine.simulation.kernel.node_rows import entry_of, refresh_time, release
from engine.simulation.kernel.requests import touch, watch
from engine.simulation.kernel.reservations import give_up
from engine.simulation.kernel.state import ENDED, RETURNED
from engine.simulation.kernel.tries import forget_attempt, note_again, stop, stop_tasks, wants_again
from engine.simulation.kernel.usage import count_admitted, count_used
from engine.simulation.run import KILLED


def preempt(v, s, container, now, slowed):
    """A container that runs is killed. Before an instant's requests; then `jobs_leave`, if that has left some in `leaving`."""
    job, kind = s.container_job[container], s.container_kind[container]
    if kind == MASTER:
        preempt_master(v, s, container, now, slowed)
    else:
        stop(v, s, container, KILLED, now, slowed)
        give_back(v, s, entry_of(s, container), now)
        if forget_attempt(v, s, container):
            wants_again(v, s, job, kind)
        touch(s, job)
        watch(v, s, job)
    wake_parked(s)


def give_back(v, s, entry, now):
    """What has ended counts no longer for its job and queues, though its node has not reported it."""
    request = s.row_request[entry]
    s.row_end[entry] = RETURNED
    count_used(v, s, request, -1)
    if request % PER_JOB == MASTER:
        count_admitted(v, request // PER_JOB, -1)
    else:
        v.job_served[request // PER_JOB] += now


def preempt_master(v, s, container, now, slowed):
    """All that the job holds goes with its master; one that has finished, and lingers, leaves nothing else behind."""
    job, node = s.container_job[container], s.container_node[container]
    release(v, s, entry_of(s, container), node, KILLED, now)
    refresh_time(s, node)
    if v.job_finish[job] < 0:
        s.master_kills[job] += 1
        s.master_away[job] = 1
        stop_tasks(v, s, job, KILLED, now, slowed)
        s.asked_reduces[job] = s.reduces_blocked[job] = s.reduces_first[job] = 0
        note_again(s, PER_JOB * job + MASTER)
    for place in range(len(s.awake)):
        first = place * s.row_width[0]
        for entry in range(first, first + s.row_count[place]):
            if s.row_request[entry] // PER_JOB == job and s.row_end[entry] == ENDED:
                give_back(v, s, entry, now)
    if nodes_reserved(v, job) > 0:
        for place in range(len(v.node_reserved)):
            if v.node_reserved[place] // PER_JOB == job:
                give_up(v, s, place)
    if v.job_finish[job] >= 0:
        s.leaving[s.leaving_count[0]] = job
        s.leaving_count[0] += 1
