"""CapacityScheduler's monitor: what it kills in queues beyond their guarantees, for others (ProportionalCapacityPreemptionPolicy.editSchedule).

Every `monitor_ms`, after the ends of an instant and before its arrivals. Each leaf that is to give something back is asked for its reservations
and containers, those of its last jobs first (FifoCandidatesSelector). A container is marked, which its master hears and ignores, and killed by the
first round `kill_wait_ms` later on which it is chosen again; a reservation is given up at once. Rounds that would change nothing are left out:
with nothing having happened since the last, the next that matters is the one that kills what that one chose.
"""

from __future__ import annotations

import math

import numpy as np

from engine.schedulers.terms.amounts import NOTHING, compare, each_most, has_any, is_within, minus, plus, times
from engine.schedulers.terms.capacity_reserve import is_named_before
from engine.schedulers.terms.leaf_order import by_size, is_by_memory, stands_higher
from engine.schedulers.terms.queue_sharing import how_of, job_rank, waits_for
from engine.schedulers.terms.shares import compare as compare_ranks
from engine.schedulers.view import AS_POLICY, BY_MEMORY_FOR_SIZE, CAPACITY, FIFO, MASTER, PER_JOB
from engine.simulation.kernel.clock import wake_parked
from engine.simulation.kernel.ideal_capacity import compute_ideal, of
from engine.simulation.kernel.node_rows import entry_of
from engine.simulation.kernel.preemption import give_back, preempt
from engine.simulation.kernel.reservations import give_up, jobs_leave
from engine.simulation.kernel.state import ENDED, FAR, RETURNED

PRIORITY_BUCKETS = (8, 6, 12)  # of SchedulerRequestKey in such a map: of masters, reduces and maps
KIND_BIT, CONTAINER_BITS = 61, 30  # of a number that containers are sorted by


def next_round(v, s, now):
    """When the next round may change something, after the instant `now`; FAR when none does."""
    interval = s.monitor_ms[0]
    if interval == 0:
        return FAR
    if s.monitor_event_count[0] != s.event_count[0]:
        return (now // interval + 1) * interval
    if s.monitor_due[0] >= FAR:
        return FAR
    return (max(s.monitor_due[0], now + 1) + interval - 1) // interval * interval


def monitor_if_due(v, s, line, admission, table, now, slowed):
    if s.monitor_ms[0] == 0 or now % s.monitor_ms[0] != 0:
        return
    s.monitor_event_count[0] = s.event_count[0]
    cluster = v.cluster_memory[0], v.cluster_vcores[0]
    allowed = times(cluster, s.monitor_part[0])
    compute_ideal(v, s, allowed)
    s.picked_count[0] = s.dropped_count[0] = 0
    for leaf in s.leaves_hashed:
        if s.queue_is_spared[leaf] == 0:
            allowed = pick_from(v, s, leaf, to_obtain(v, s, leaf, cluster), allowed, cluster)
    for place in range(s.dropped_count[0]):
        give_up(v, s, s.dropped[place])
    kill_picked(v, s, now, slowed)
    if s.leaving_count[0] > 0:
        jobs_leave(v, s, line, admission, table, now)


def to_obtain(v, s, leaf, cluster):
    """A part of what it is to give back, if it holds more than its guarantee and what is ignored (calculateResToObtainByPartitionForLeafQueues)."""
    counts = v.counts_vcores[0]
    amount = of(s.queue_to_give, leaf)
    if compare(counts, cluster, of(s.queue_holds, leaf), times(of(s.queue_guaranteed, leaf), 1.0 + s.monitor_part[1])) <= 0:
        return NOTHING
    if compare(counts, cluster, amount, NOTHING) > 0:
        if counts == 0:
            return int(amount[0] * s.monitor_part[2] + 0.5), 0
        return rounded_up(amount[0], s.monitor_part[2]), rounded_up(amount[1], s.monitor_part[2])
    return amount


def rounded_up(amount, part):
    return int(math.ceil(np.float32(amount * part)))


def pick_from(v, s, leaf, wanted, allowed, cluster):
    """Reservations and containers of the leaf for what is wanted, into `dropped` and `picked`; what is still allowed on this round."""
    counts = v.counts_vcores[0]
    masters = NOTHING
    tried = s.spared_count[0] = 0
    job = last_job(v, s, leaf, -1)
    while job >= 0 and compare(counts, cluster, wanted, NOTHING) > 0:
        wanted, allowed = pick_reserved(v, s, job, wanted, allowed, cluster)
        count = list_containers(v, s, job)
        place = count - 1
        while place >= 0 and compare(counts, cluster, wanted, NOTHING) > 0:
            container = s.listed[place] % 2**CONTAINER_BITS
            place -= 1
            size = size_of(v, s, container)
            if s.container_kind[container] == MASTER:
                s.spared_masters[s.spared_count[0]] = container
                s.spared_count[0] += 1
                masters = plus(masters, size)
            else:
                is_taken, wanted, allowed = try_size(v, size, wanted, allowed, cluster)
                if is_taken:
                    pick(s, container)
        job = last_job(v, s, leaf, job)
    of_masters = s.monitor_part[3] if math.isnan(v.queue_am_share[leaf]) else float(np.float32(v.queue_am_share[leaf]))
    if of_masters < 0.0 or s.monitor_part[3] < 0.0:
        return allowed
    kept = times(of(s.queue_guaranteed, leaf), of_masters)
    while tried < s.spared_count[0] and compare(counts, cluster, wanted, NOTHING) > 0 and compare(counts, cluster, masters, kept) > 0:
        container = s.spared_masters[tried]
        tried += 1
        size = size_of(v, s, container)
        is_taken, wanted, allowed = try_size(v, size, wanted, allowed, cluster)
        if is_taken:
            pick(s, container)
            masters = minus(masters, size)
    return allowed


def try_size(v, size, wanted, allowed, cluster):
    """Is something of a size taken back, what is then still wanted, and still allowed (tryPreemptContainerAndDeductResToObtain)?"""
    counts = v.counts_vcores[0]
    wanted = wanted[0] - (wanted[0] == 0), wanted[1] - (wanted[1] == 0)
    after = minus(wanted, size)
    helps = compare(counts, cluster, each_most(after, NOTHING), each_most(wanted, NOTHING)) < 0
    if has_any(counts, wanted) and is_within(counts, size, allowed) and helps:
        return True, after, minus(allowed, size)
    return False, wanted, allowed


def size_of(v, s, container):
    request = PER_JOB * s.container_job[container] + s.container_kind[container]
    return v.request_memory[request], v.request_vcores[request]


def pick(s, container):
    s.picked[s.picked_count[0]] = container
    s.picked_count[0] += 1


def last_job(v, s, leaf, before):
    """The leaf's active job that stands last of those before another, -1: of all; -1 when there is none."""
    last = -1
    for job in range(s.arrived_jobs[0]):
        is_active = v.job_queue[job] == leaf and v.job_is_active[job] == 1 and job != before
        if is_active and (before < 0 or stands_before(v, leaf, job, before)) and (last < 0 or stands_before(v, leaf, last, job)):
            last = job
    return last


def stands_before(v, leaf, job, rival):
    """Does a job stand before another in its leaf, by what they hold now?"""
    ordering, how = v.queue_ordering[leaf], how_of(CAPACITY, v.queue_policy[leaf])
    if is_by_memory(ordering):
        one_memory, other_memory = magnitude(v, job, ordering), magnitude(v, rival, ordering)
        if one_memory != other_memory:
            return one_memory < other_memory
    elif ordering == AS_POLICY and how != FIFO:
        one, other = job_rank(v, how, job), job_rank(v, how, rival)
        order = compare_ranks(one[0], one[1], one[2], other[0], other[1], other[2])
        if order != 0.0:
            return order < 0.0
    else:
        return stands_higher(v, job, rival)
    return job < rival


def magnitude(v, job, ordering):
    """FairOrderingPolicy.getMagnitude."""
    memory = float(v.job_used_memory[job])
    return by_size(memory, memory + waits_for(v, job)[0]) if ordering == BY_MEMORY_FOR_SIZE else memory


def list_containers(v, s, job):
    """What the job holds into `listed`, by kind, then as the containers were made; how many there are."""
    count = 0
    for node in range(len(s.row_count)):
        first = node * s.row_width[0]
        for entry in range(first, first + s.row_count[node]):
            if s.row_request[entry] // PER_JOB == job and s.row_end[entry] != RETURNED:
                container = s.row_container[entry]
                s.listed[count] = ((s.row_request[entry] % PER_JOB) << KIND_BIT) + (s.container_made[container] << CONTAINER_BITS) + container
                count += 1
    s.listed[:count].sort()
    return count


def pick_reserved(v, s, job, wanted, allowed, cluster):
    """The job's reserved nodes into `dropped`, as long as anything is wanted, in the order of Hadoop's maps."""
    count = 0
    for request in range(PER_JOB * job, PER_JOB * job + PER_JOB):
        count += v.request_reserved[request]
    last = -1
    while count > 0 and compare(v.counts_vcores[0], cluster, wanted, NOTHING) > 0:
        count -= 1
        best = -1
        for node in range(len(v.node_reserved)):
            if v.node_reserved[node] // PER_JOB == job and (last < 0 or comes_first(v, last, node)) and (best < 0 or comes_first(v, node, best)):
                best = node
        last = best
        request = v.node_reserved[best]
        _, wanted, allowed = try_size(v, (v.request_memory[request], v.request_vcores[request]), wanted, allowed, cluster)
        s.dropped[s.dropped_count[0]] = best
        s.dropped_count[0] += 1
    return wanted, allowed


def comes_first(v, node, rival):
    """Of two nodes reserved for a job: in java.util.HashMaps, of its priorities, then of NodeIds."""
    request, other = v.node_reserved[node], v.node_reserved[rival]
    if request != other:
        return PRIORITY_BUCKETS[request % PER_JOB] < PRIORITY_BUCKETS[other % PER_JOB]
    return is_named_before(v, node, rival, request)


def kill_picked(v, s, now, slowed):
    """What was marked long enough ago is killed, the rest marked; `monitor_due`: when the first of it may be."""
    wait = s.kill_wait_ms[0]
    s.monitor_due[0] = FAR
    for place in range(s.picked_count[0]):
        container = s.picked[place]
        marked = s.container_marked[container]
        if marked >= 0 and marked + 2 * wait < now - s.monitor_ms[0]:  # forgotten on the round before
            marked = -1
        if marked >= 0 and marked + wait <= now:
            s.container_marked[container] = -1
            kill(v, s, container, now, slowed)
        else:
            s.container_marked[container] = marked if marked >= 0 else now
            s.monitor_due[0] = min(s.monitor_due[0], s.container_marked[container] + wait)


def kill(v, s, container, now, slowed):
    """One whose end its node has not yet reported is no longer counted; one that went with its master is gone already."""
    entry = entry_of(s, container)
    if s.row_end[entry] < ENDED:
        preempt(v, s, container, now, slowed)
    elif s.row_end[entry] != RETURNED:
        job = s.container_job[container]
        give_back(v, s, entry, now)
        s.event_count[0] += 1
        wake_parked(s)
        if v.job_finish[job] >= 0 and v.job_used_memory[job] == 0:
            s.leaving[s.leaving_count[0]] = job
            s.leaving_count[0] += 1
