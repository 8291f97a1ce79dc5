"""Containers that the scheduler kills for other jobs (AbstractYarnScheduler.completedContainer, RMContainerEventType.KILL).

The job and its queues have the use of such a container back at once; its room is free when its node's next beat reports the end. The task waits
again, as after any attempt that ended in vain, and a reduce begins from zero. A job whose master is killed loses all its containers with it and
starts another master, as often as that happens (RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry); what has finished stays.
"""

from __future__ import annotations

from engine.schedulers.view import MASTER, PER_JOB
from engine.simulation.kernel.claimed_room import unmark
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.fair_shares import nodes_reserved
from engine.simulation.kernel.node_rows import entry_of, refresh_time, release
from engine.simulation.kernel.requests import touch, watch
from engine.simulation.kernel.reservations import give_up, jobs_leave
from engine.simulation.kernel.state import ENDED, FAR, RETURNED
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
    unmark(v, s, s.row_container[entry])
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
        start_anew(s, job, now)
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


def start_anew(s, job, now):
    """Another attempt of the job is another application to FairScheduler: it has not been starved yet."""
    if s.preempts[0] == 1:
        s.starved_memory[job] = s.starved_vcores[job] = s.least_memory[job] = s.least_vcores[job] = 0
        s.at_share_since[job], s.next_check[job], s.containers_made[job] = now, 0, 0


def kill_due(v, s, line, admission, table, now, slowed):
    """Whoever has been warned for long enough, and has not ended, is killed (FSPreemptionThread.PreemptContainersTask)."""
    while s.kill_first[0] < s.kill_count[0] and s.kill_at[s.kill_first[0]] <= now:
        container = s.kill_container[s.kill_first[0]]
        s.kill_first[0] += 1
        if s.is_marked[container] == 1:
            entry = entry_of(s, container)
            if s.row_end[entry] == ENDED:
                give_back(v, s, entry, now)
                wake_parked(s)
            else:
                preempt(v, s, container, now, slowed)
    if s.leaving_count[0] > 0:
        jobs_leave(v, s, line, admission, table, now)


def next_kill(s):
    """When the next container is killed; FAR when none is."""
    return s.kill_at[s.kill_first[0]] if s.kill_first[0] < s.kill_count[0] else FAR
