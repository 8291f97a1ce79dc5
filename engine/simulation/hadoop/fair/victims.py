"""Which containers FairScheduler kills for a starved job: the first node, in the order of its hash map, on
which containers enough may go, masters last (PREEMPT-2).

In Hadoop  FSPreemptionThread, FSAppAttempt.getStarvedResourceRequests and canContainerBePreempted,
           SchedulerNode.getRunningContainersWithAMsAtTheEnd
Ours       containers are hashed as of application_1_0001, application_1_0002, …, by their number in their
           job, reserved ones counted
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.codes import INFINITE, MASTER, REDUCE, RETURNED, container_request
from engine.java_hash import WORD, spread, table_size
from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.run_records import (
    CONTAINER,
    JOB,
    NODE,
    PREEMPTS,
    WIDTH,
    Amounts,
    Flags,
    Ints,
    Record,
    amount,
    amounts,
    array,
    given,
    number,
)
from engine.schedulers.amounts import THE_RUN, add, assign, clear, fits, is_nothing, subtract
from engine.schedulers.hadoop.queue_sharing import leaf_policy
from engine.simulation.hadoop.fair.fair_shares import is_below
from engine.simulation.hadoop.fair.preemption_claims import add_claim
from engine.simulation.hadoop.fair.starvation import lack_of, pop_starved

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Victims(Record):
    """Containers that FairScheduler kills."""

    warning_ms: int = number("ms", "from mark to kill")
    spares_masters: int = number("", "1: none is killed")
    node_order: Ints = given(NODE, "", "nodes as Hadoop lists them")
    max_on_node: Ints = array(NODE, "", "containers at a time", when=PREEMPTS)
    node_containers: Ints = array(WIDTH, "", "scratch: containers of a node", when=PREEMPTS)
    considered: Ints = array(WIDTH, "", "scratch: those of them that may go", when=PREEMPTS)
    considered_count: int = number("", "of `considered`")
    considered_resource: Amounts = amounts(
        JOB, "of a job, what containers considered would leave it", when=PREEMPTS
    )
    room_resource: Amounts = amount("scratch: what a node has free, with those of them gone")
    left_resource: Amounts = amount("scratch: what a job would be left, with a further one gone")
    victims: Ints = array(WIDTH, "", "scratch: those that shall", when=PREEMPTS)
    victim_count: int = number("", "of `victims`")
    marked_resource: Amounts = amounts(JOB, "by job, to be killed", when=PREEMPTS)
    containers_created: Ints = array(JOB, "", "by job, reserved ones too", when=PREEMPTS)
    kill_at: Ints = array(CONTAINER, "ms", "in their order", when=PREEMPTS)
    kill_container: Ints = array(CONTAINER, "", "the container to be killed", when=PREEMPTS)
    kill_head: int = number("", "the next entry of kill_at")
    kill_count: int = number("", "of kill_at")
    container_hash: Ints = array(CONTAINER, "", "its hash", when=PREEMPTS)
    is_marked: Flags = array(CONTAINER, "", "to be killed", when=PREEMPTS)
    is_killed: Flags = array(CONTAINER, "", "scratch", when=PREEMPTS)


MAP_ORDER = (REDUCE, MASTER)  # of a job's first requests in a hash map of priorities
FIRST_ATTEMPT, APPLICATION, NUMBER = WORD - 1219638209, 347671, 31  # ContainerId.hashCode


def preempt_for_starved(v: View, s: State, now: int) -> None:
    """For each starved job in turn: its victims are marked, and killed after the warning time."""
    while s.starved_count > 0:
        job = pop_starved(s)
        for resource in range(RESOURCE_COUNT):
            s.job_lacks_resource[resource, THE_RUN] = lack_of(s, job, resource)
        first = v.job_first_request[job]
        for place in range(v.job_first_request[job + 1] - first):
            if is_nothing(s.job_lacks_resource, THE_RUN):
                break
            request = first + (MAP_ORDER[place] if place < len(MAP_ORDER) else place)
            count = v.request_waiting[request]
            if count > 0:
                memory = s.job_lacks_resource[MEMORY, THE_RUN]
                count = min(count, int(np.float32(memory) / np.float32(v.request_memory[request])))
                for _ in range(count):
                    if not choose_victims(v, s, request):
                        break
                    mark_victims(v, s, job, now)
                subtract(s.job_lacks_resource, THE_RUN, v.request_resource, request, count)
        s.next_starvation_check[job] = now + s.next_starvation_check_ms


def choose_victims(v: View, s: State, request: int) -> bool:
    """victims[:victim_count], on one node, with the fewest masters. Are there any that make room for one
    container of the request?
    """
    s.victim_count = 0
    max_masters = INFINITE
    for place in range(len(s.node_order)):
        node = s.node_order[place]
        if s.is_down[node] == 0:
            masters = choose_on_node(v, s, node, request, max_masters)
            if masters >= 0:
                max_masters = masters
                s.victim_count = s.considered_count
                for i in range(s.considered_count):
                    s.victims[i] = s.considered[i]
                if masters == 0:
                    break
    return s.victim_count > 0


def choose_on_node(v: View, s: State, node: int, request: int, max_masters: int) -> int:
    """considered[:considered_count]: what may go there; how many masters, -1 when it is not enough or they
    are not fewer than `max_masters`.
    """
    assign(s.room_resource, THE_RUN, v.node_free_resource, node)
    subtract(s.room_resource, THE_RUN, s.claimed_resource, node, 1)
    if v.node_reserved[node] >= 0:
        subtract(s.room_resource, THE_RUN, s.fit_resource, v.node_reserved[node], 1)
    s.considered_count = 0
    masters, enough_masters = 0, -1
    for i in range(list_containers(v, s, node)):
        container = s.node_containers[i]
        job, kind = s.container_job[container], s.container_kind[container]
        if v.job_is_active[job] == 0:
            continue
        victim_request = container_request(v, s, container)
        if can_be_preempted(v, s, container):
            masters += kind == MASTER
            if kind == MASTER and masters >= max_masters:
                break
            s.considered[s.considered_count] = container
            s.considered_count += 1
            add(s.considered_resource, job, v.request_resource, victim_request, 1)
            add(s.room_resource, THE_RUN, s.fit_resource, victim_request, 1)
        if fits(s.fit_resource, request, s.room_resource, THE_RUN):
            enough_masters = masters
            break
    for i in range(s.considered_count):
        clear(s.considered_resource, s.container_job[s.considered[i]])
    return enough_masters


def can_be_preempted(v: View, s: State, container: int) -> bool:
    """Would its job still have its fair share, with all that is marked and considered gone too? Its queue, or
    a parent, may forbid it.
    """
    job, kind = s.container_job[container], s.container_kind[container]
    queue, request = v.job_queue[job], container_request(v, s, container)
    if (
        s.allows_preemption[queue] == 0
        or (kind == MASTER and s.spares_masters == 1)
        or s.is_killed[container] == 1
    ):
        return False
    assign(s.left_resource, THE_RUN, v.job_used_resource, job)
    add(s.left_resource, THE_RUN, s.marked_resource, job, -1)
    add(s.left_resource, THE_RUN, s.considered_resource, job, -1)
    add(s.left_resource, THE_RUN, v.request_resource, request, -1)
    policy = leaf_policy(s.default_queue_policy, v.queue_policy[queue])
    return not is_below(v, policy, s.left_resource, THE_RUN, v.job_fair_resource, job)


def list_containers(v: View, s: State, node: int) -> int:
    """node_containers: what is there as the scheduler knows it and not marked, tasks against the order of the
    node's hash map, then masters in it; how many.
    """
    table = table_size(s.max_on_node[node])
    count = 0
    first = node * s.row_width
    for entry in range(first, first + s.row_count[node]):
        container = s.row_container[entry]
        s.is_killed[container] = s.row_end[entry] == RETURNED
        if s.is_marked[container] == 0:
            place = count
            while place > 0 and precedes(s, container, s.node_containers[place - 1], table):
                s.node_containers[place] = s.node_containers[place - 1]
                place -= 1
            s.node_containers[place] = container
            count += 1
    return count


def precedes(s: State, container: int, other: int, table: int) -> bool:
    master, other_master = s.container_kind[container] == MASTER, s.container_kind[other] == MASTER
    if master != other_master:
        return other_master
    bucket, other_bucket = bucket_of(s, container, table), bucket_of(s, other, table)
    if bucket != other_bucket:
        return (bucket < other_bucket) == master
    return (container < other) == master


def bucket_of(s: State, container: int, table: int) -> int:
    return spread(s.container_hash[container]) & (table - 1)


def next_container_hash(s: State, job: int) -> int:
    """The hash of the job's next container."""
    s.containers_created[job] += 1
    attempt = s.master_losses[job] + s.master_kills[job]
    return (FIRST_ATTEMPT + APPLICATION * job + attempt + NUMBER * s.containers_created[job]) % WORD


def mark_victims(v: View, s: State, starved: int, now: int) -> None:
    """The victims are to be killed for a starved job, for which their room is kept."""
    for i in range(s.victim_count):
        container = s.victims[i]
        job, request = s.container_job[container], container_request(v, s, container)
        s.is_marked[container] = 1
        add(s.marked_resource, job, v.request_resource, request, 1)
        add_claim(s, s.container_node[container], starved, v.request_resource, request)
        s.kill_at[s.kill_count] = now + s.warning_ms
        s.kill_container[s.kill_count] = container
        s.kill_count += 1
    s.event_count += 1
