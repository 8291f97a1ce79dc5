"""Whom FairScheduler kills for a starved job: the first node, in the order of its hash map, on which containers enough may go, masters last.

In Hadoop  FSPreemptionThread, FSAppAttempt.getStarvedResourceRequests and canContainerBePreempted, SchedulerNode.getRunningContainersWithAMsAtTheEnd
Ours       containers are hashed as of application_1_0001, application_1_0002, …, by their number in their job, reserved ones counted
"""

from __future__ import annotations

import numpy as np

from engine.schedulers.terms.java_hash import WORD, spread, table_size
from engine.schedulers.terms.queue_sharing import how_of
from engine.schedulers.view import MAP, MASTER, PER_JOB, REDUCE
from engine.simulation.kernel.claimed_room import add_claim
from engine.simulation.kernel.starvation import is_below, take_starved
from engine.simulation.kernel.state import FAR, RETURNED

FIRST_ATTEMPT, APPLICATION, NUMBER = WORD - 1219638209, 347671, 31  # ContainerId.hashCode


def help_starved(v, s, now):
    """Each starved job in turn: what is to go for it is marked, and killed when it has been warned for long enough."""
    while s.starved_count[0] > 0:
        job = take_starved(s)
        memory, vcores = s.starved_memory[job] + s.least_memory[job], s.starved_vcores[job] + s.least_vcores[job]
        for place in range(PER_JOB):
            if memory == 0 and vcores == 0:
                break
            request = PER_JOB * job + (REDUCE if place == 0 else MASTER if place == 1 else MAP)  # the order of a hash map of priorities
            count = v.request_waiting[request]
            if count > 0:
                count = min(count, int(np.float32(memory) / np.float32(v.request_memory[request])))
                for _ in range(count):
                    if not choose(v, s, request):
                        break
                    mark(v, s, job, now)
                memory, vcores = max(memory - count * v.request_memory[request], 0), max(vcores - count * v.request_vcores[request], 0)
        s.next_check[job] = now + s.next_check_ms[0]


def choose(v, s, request):
    """victims[:victim_count], on one node, with the fewest masters. Are there any that make room for one container of the request?"""
    s.victim_count[0] = 0
    most_masters = FAR
    for place in range(len(s.node_order)):
        node = s.node_order[place]
        if s.is_down[node] == 0:
            masters = choose_on(v, s, node, request, most_masters)
            if masters >= 0:
                most_masters = masters
                s.victim_count[0] = s.considered_count[0]
                for i in range(s.considered_count[0]):
                    s.victims[i] = s.considered[i]
                if masters == 0:
                    break
    return s.victim_count[0] > 0


def choose_on(v, s, node, request, most_masters):
    """considered[:considered_count]: what may go there; how many masters, -1 when it is not enough or they are not fewer than `most_masters`."""
    memory, vcores = v.node_free_memory[node] - s.claimed_memory[node], v.node_free_vcores[node] - s.claimed_vcores[node]
    if v.node_reserved[node] >= 0:
        memory -= v.request_memory[v.node_reserved[node]]
        vcores -= s.fit_vcores[v.node_reserved[node]]
    memory, vcores = max(memory, 0), max(vcores, 0)
    s.considered_count[0] = 0
    masters, found = 0, -1
    for i in range(list_containers(v, s, node)):
        container = s.on_node[i]
        job, kind = s.container_job[container], s.container_kind[container]
        if v.job_is_active[job] == 0:
            continue
        own = PER_JOB * job + kind
        if may_go(v, s, container):
            masters += kind == MASTER
            if kind == MASTER and masters >= most_masters:
                break
            s.considered[s.considered_count[0]] = container
            s.considered_count[0] += 1
            s.considered_memory[job] += v.request_memory[own]
            s.considered_vcores[job] += v.request_vcores[own]
            memory += v.request_memory[own]
            vcores += s.fit_vcores[own]
        if v.request_memory[request] <= memory and s.fit_vcores[request] <= vcores:
            found = masters
            break
    for i in range(s.considered_count[0]):
        s.considered_memory[s.container_job[s.considered[i]]] = s.considered_vcores[s.container_job[s.considered[i]]] = 0
    return found


def may_go(v, s, container):
    """Does it leave its job at its fair share, with all that is marked and considered gone too? Its queue, or a parent, may forbid it."""
    job, kind = s.container_job[container], s.container_kind[container]
    queue, own = v.job_queue[job], PER_JOB * job + kind
    if s.allows_preemption[queue] == 0 or (kind == MASTER and s.spares_masters[0] == 1) or s.is_killed[container] == 1:
        return False
    memory = v.job_used_memory[job] - s.marked_memory[job] - s.considered_memory[job] - v.request_memory[own]
    vcores = v.job_used_vcores[job] - s.marked_vcores[job] - s.considered_vcores[job] - v.request_vcores[own]
    return not is_below(v, how_of(s.own_policy[0], v.queue_policy[queue]), memory, vcores, v.job_fair_memory[job], v.job_fair_vcores[job])


def list_containers(v, s, node):
    """on_node: what is there as the scheduler knows it and not marked, tasks against the order of the node's hash map, then masters in it; how many."""
    table = table_size(s.most_on_node[node])
    count = 0
    first = node * s.row_width[0]
    for entry in range(first, first + s.row_count[node]):
        container = s.row_container[entry]
        s.is_killed[container] = s.row_end[entry] == RETURNED
        if s.is_marked[container] == 0:
            place = count
            while place > 0 and goes_before(s, container, s.on_node[place - 1], table):
                s.on_node[place] = s.on_node[place - 1]
                place -= 1
            s.on_node[place] = container
            count += 1
    return count


def goes_before(s, container, other, table):
    master, other_master = s.container_kind[container] == MASTER, s.container_kind[other] == MASTER
    if master != other_master:
        return other_master
    bucket, other_bucket = bucket_of(s, container, table), bucket_of(s, other, table)
    if bucket != other_bucket:
        return (bucket < other_bucket) == master
    return (container < other) == master


def bucket_of(s, container, table):
    return spread(s.container_code[container]) & (table - 1)


def code_of(s, job):
    """The hash of the job's next container."""
    s.containers_made[job] += 1
    attempt = s.master_losses[job] + s.master_kills[job]
    return (FIRST_ATTEMPT + APPLICATION * job + attempt + NUMBER * s.containers_made[job]) % WORD


def mark(v, s, starved, now):
    """The victims are to be killed for a starved job, for which their room is kept."""
    memory, vcores = 0, 0
    for i in range(s.victim_count[0]):
        container = s.victims[i]
        job, own = s.container_job[container], PER_JOB * s.container_job[container] + s.container_kind[container]
        s.is_marked[container] = 1
        s.marked_memory[job] += v.request_memory[own]
        s.marked_vcores[job] += v.request_vcores[own]
        memory += v.request_memory[own]
        vcores += v.request_vcores[own]
        s.kill_at[s.kill_count[0]] = now + s.warning_ms[0]
        s.kill_container[s.kill_count[0]] = container
        s.kill_count[0] += 1
    s.event_count[0] += 1
    add_claim(s, s.container_node[s.victims[0]], starved, memory, vcores)
