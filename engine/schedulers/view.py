"""View: all that a policy may know, one line a field, with its unit.

A policy names the fields it reads as its parameters. All are one-dimensional arrays, int64 unless said
otherwise; memory in MB, times in ms. What a policy sees of usage is the scheduler's view: a container
counts from its placement until its node's heartbeat after its end. Finished counts are known at once.
A request is one of three a job can have: request_of(job, kind), PER_JOB * job + MASTER, REDUCE or MAP.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# What the fields hold and what policies answer; a policy imports it from here.
from engine.codes import (  # noqa: F401
    ADMIT,
    AS_POLICY,
    ASK,
    BY_ARRIVAL,
    BY_CAPACITY,
    BY_MEMORY,
    BY_MEMORY_SIZE_WEIGHTED,
    BY_PRIORITY,
    BY_UTILIZATION,
    BY_WEIGHT,
    CAPACITY,
    DELAYED,
    DRF,
    FAIR,
    FIFO,
    HOLD,
    IN_PLACE,
    KINDS,
    LEAVE,
    MAP,
    MASTER,
    NO_AM_LIMIT,
    NO_CHANGE,
    NO_QUEUES,
    NODE_LOCAL,
    NONE,
    NOT_YET,
    OFF_SWITCH,
    ORDER_DEFAULT,
    PER_JOB,
    RACK_LOCAL,
    REDUCE,
    REORDER,
    REORDER_LATER,
    UNDECIDED,
    UNLISTED,
    job_of,
    kind_of,
    request_of,
)

JOBS_IN_BLOCK = 64  # of waiting_in_block


class View(NamedTuple):
    now: np.ndarray  # [1] the clock
    cluster_memory: np.ndarray  # [1] of all nodes that are up; 0 while none is
    cluster_vcores: np.ndarray  # [1]
    cluster_nodes: np.ndarray  # [1] how many are up
    heartbeat: np.ndarray  # [1] ms between two heartbeats of a node
    # [1] heartbeats of all nodes so far but those out of band, under an order that counts them
    # (codes.WALKED)
    heartbeat_count: np.ndarray
    seed: np.ndarray  # [2] from the scenario's, for a generator of the policy's own
    candidates: np.ndarray  # requests that fit the node now, in job order; within a job master, reduces, maps
    # requests with waiting containers, in the same order, whether or not they fit or are held back
    waiting_requests: np.ndarray
    waiting_count: np.ndarray  # [1] of them
    # of the first JOBS_IN_BLOCK jobs, of as many after them and so on: those of which a request waits
    waiting_in_block: np.ndarray
    active_waiting_in_block: np.ndarray  # those of them that are active
    counts_vcores: np.ndarray  # [1] 1, or 0 where only memory must fit (resources=memory)
    # [2] whose first container has started and that have not finished; those of them with several iterations
    running_jobs: np.ndarray
    # [1] maps and reduces that have finished and whose end was seen, since the start
    released_containers: np.ndarray
    # [1] running maps, and running reduces of jobs whose maps have all finished
    available_containers: np.ndarray
    idle_memory: np.ndarray  # [1] of the cluster, not held by a running container
    idle_vcores: np.ndarray  # [1]
    held_count: np.ndarray  # [3] containers by kind: masters, reduces, maps
    held_memory: np.ndarray  # [3] MB that these hold
    held_vcores: np.ndarray  # [3]
    admitted_memory: np.ndarray  # [1] of masters from their admission until their end is seen
    admitted_vcores: np.ndarray  # [1]
    # [1] of the cluster, as FairScheduler last noted it; kept as job_fair_memory is
    available_memory: np.ndarray
    available_vcores: np.ndarray  # [1]
    has_job_priorities: np.ndarray  # [1] 1: some jobs have priorities
    holds_masters: np.ndarray  # [1] 1: an admission rule may keep the master of an active job from a node
    update_interval: np.ndarray  # [1] ms between FairScheduler's updates, 0: at each heartbeat
    queue_scheme: np.ndarray  # [1] how the order in use treats queues: NO_QUEUES, BY_WEIGHT or BY_CAPACITY
    # [1] of a container: the minimum allocation, to whose multiples capacity rounds limits
    min_allocation_memory: np.ndarray
    min_allocation_vcores: np.ndarray  # [1]
    # [1] for a reduce-start rule that preempts: what the scheduler tells the job's master that it could still
    # have
    headroom_memory: np.ndarray
    headroom_vcores: np.ndarray  # [1]
    request_memory: np.ndarray  # size of one container of a request
    request_vcores: np.ndarray
    request_asked_memory: np.ndarray  # as its master asked for it, before it was rounded
    request_asked_vcores: np.ndarray
    request_waiting: np.ndarray  # containers asked for and not placed
    request_speculative: np.ndarray  # of those, second attempts of tasks that run: 0 or 1
    request_asked_at: np.ndarray  # when it was asked for
    request_held: np.ndarray  # containers of it that count as usage
    request_reserved: np.ndarray  # nodes that are reserved for one container of it
    request_max_reserved: np.ndarray  # the most there were at a time since there was none
    request_reserved_since: np.ndarray  # `heartbeat_count` when a node was last reserved for it or given up
    # out-of-band heartbeats since then, of nodes reserved for it on which it did not fit
    request_reserved_extra: np.ndarray
    job_arrival: np.ndarray  # when it arrived
    job_queue: np.ndarray  # its leaf, an index of queue_*
    job_user: np.ndarray  # its user in its leaf, an index of user_*
    job_weight: np.ndarray  # float64
    job_priority: np.ndarray  # a larger number goes first
    job_min_memory: np.ndarray  # min_share, 0 without
    job_min_vcores: np.ndarray
    job_input: np.ndarray  # float64, input_mb, -1 without
    job_estimate: np.ndarray  # estimate_s in ms, -1 without
    job_slowstart: np.ndarray  # float64, a share of the maps
    job_family: np.ndarray  # the first job in job order of the same name but for a number at its end
    job_startup: np.ndarray  # of its master, -1 without
    job_fetch: np.ndarray  # float64, ms in which a reduce fetches one map's output
    job_map_mean: np.ndarray  # float64, mean of a map's duration by its distribution, at speed 1
    job_reduce_mean: np.ndarray  # float64
    job_maps: np.ndarray  # tasks of one iteration
    job_reduces: np.ndarray  # tasks of one iteration
    job_iterations: np.ndarray  # how often it runs all its tasks
    job_iteration: np.ndarray  # the running one, from 1; 0 before it has begun
    job_placed_maps: np.ndarray  # of the running iteration
    job_placed_reduces: np.ndarray  # of the running iteration
    job_finished_maps: np.ndarray  # of the running iteration
    job_finished_reduces: np.ndarray  # of the running iteration
    job_running_maps: np.ndarray  # that have started and not ended
    job_running_reduces: np.ndarray  # that have started and not ended
    job_start: np.ndarray  # of its first container, -1 before
    job_finish: np.ndarray  # -1 before
    job_maps_done: np.ndarray  # finished, of all iterations
    job_maps_time: np.ndarray  # from start to end, all of those together
    job_reduces_done: np.ndarray  # finished in all iterations
    job_reduces_time: np.ndarray  # from start to end, all of those together
    # of its maps and reduces: ends seen less starts; with held x now, the time it has held containers
    job_container_time: np.ndarray
    # 1 from its arrival, under am-limit from its activation, to the end of the heartbeat at which its last
    # end was seen
    job_is_active: np.ndarray
    # REORDER: under capacity, its place in a leaf that is BY_MEMORY is to be found anew when the leaf is next
    # asked
    job_reorder: np.ndarray
    # -1 while as many jobs of its queues or its user run as may, then when that ended; 0 where it had not to
    # wait
    job_runnable_since: np.ndarray
    # 1 while its waiting requests make its user one that wants more; kept where users are limited
    job_is_pending: np.ndarray
    # its fair share, as FairScheduler last computed it; kept where a part reads it
    job_fair_memory: np.ndarray
    job_fair_vcores: np.ndarray
    # held and waiting, as FairScheduler last computed it; kept where update_ms is over 0
    job_demand_memory: np.ndarray
    job_demand_vcores: np.ndarray
    job_used_memory: np.ndarray  # what its containers hold, as the scheduler sees it
    job_used_vcores: np.ndarray
    # heartbeats on which its maps were asked, as far as that matters; kept where the order delays them
    job_missed_opportunities: np.ndarray
    missed_opportunities_changed: np.ndarray  # [1] 1 when an order that delays maps itself has changed it
    # how far its waiting maps' blocks are from the node that beats: 0 there, 1 on its rack, 2 elsewhere; kept
    # for such an order
    job_locality: np.ndarray
    job_locality_before: np.ndarray  # the same when this heartbeat began
    # maps near the node that were given on this heartbeat as if they were far; kept by such an order
    job_off_switch_maps: np.ndarray
    job_block_locations: np.ndarray  # nodes and racks with blocks of its maps; kept for such an order, else 0
    # [0] how many jobs' holdings changed since the order was last asked, then those jobs; all at first
    changed: np.ndarray
    node_memory: np.ndarray  # what the node has
    node_vcores: np.ndarray
    node_free_memory: np.ndarray  # what no container holds, as the scheduler sees it
    node_free_vcores: np.ndarray
    node_reserved: np.ndarray  # the request it is reserved for, -1 without
    node_reservation_number: np.ndarray  # how many reservations the run had made before that one
    # reduces that fetch there, where that counts in k (CONTENTION-3), as of the end of the last instant
    node_fetching: np.ndarray
    # float64, how many times as long everything takes there as alone, by contention; then too
    node_slowdown: np.ndarray
    # of its NodeId as Java's HashMap spreads it, were the hosts 10.0.0.1:1234 and so on
    node_hash: np.ndarray
    # [1] an order's answer beside its choice: the node that is given up for it, -1 for none
    node_to_unreserve: np.ndarray
    # [1] an order's answer beside its choice: 0 when the node, or its rack, has a block of the job's waiting
    # maps
    is_off_switch: np.ndarray
    # [1] an order's answer beside LEAVE: 1 when it may choose on a later heartbeat though nothing has changed
    may_choose_later: np.ndarray
    queue_parent: np.ndarray  # -1 for root, which is queue 0
    queue_bottom_up: np.ndarray  # queues, deepest first, then by name
    queue_file_rank: np.ndarray  # rank of first appearance
    queue_policy: np.ndarray  # OWN, FIFO, FAIR or DRF
    queue_ordering: np.ndarray  # under capacity
    queue_priority: np.ndarray  # a larger number goes first
    queue_weight: np.ndarray  # float64
    queue_min_memory: np.ndarray  # minimum share
    queue_min_vcores: np.ndarray
    queue_max_memory: np.ndarray  # maximum share
    queue_max_vcores: np.ndarray
    queue_capacity: np.ndarray  # float64, guaranteed share of the cluster
    queue_max_capacity: np.ndarray  # float64
    queue_used_memory: np.ndarray  # what its containers hold, as the scheduler sees it
    queue_used_vcores: np.ndarray
    queue_reserved_memory: np.ndarray  # where it counts as used: under capacity
    queue_reserved_vcores: np.ndarray
    # of leaves under capacity: what the last walk that looked at a job there let it use
    queue_limit_memory: np.ndarray
    queue_limit_vcores: np.ndarray
    queue_waiting_jobs: np.ndarray  # of leaves: jobs of which a request waits; root has all
    queue_active_waiting_jobs: np.ndarray  # of leaves: those of them that are active
    queue_jobs: np.ndarray  # arrived and not finished, in it and below it
    queue_fair_memory: np.ndarray  # as job_fair_memory
    queue_fair_vcores: np.ndarray
    queue_demand_memory: np.ndarray  # as job_demand_memory, no more than its max_share
    queue_user_limit_factor: np.ndarray  # float64
    queue_min_user_limit: np.ndarray  # float64, percent
    queue_max_container_memory: np.ndarray  # of the largest container
    queue_max_container_vcores: np.ndarray
    # float64, largest part for masters, NaN where the admission rule's own holds, -1 for no limit
    queue_am_share: np.ndarray
    queue_active_users: np.ndarray  # of leaves: users that want more
    # of those, the ones that are not forgotten (kernel/users.py), and what those hold
    queue_counted_active_users: np.ndarray
    queue_active_users_memory: np.ndarray  # what its active users hold together
    queue_active_users_vcores: np.ndarray
    # float64, what its users hold of the cluster, as CapacityScheduler's floats add up
    queue_user_ratio: np.ndarray
    # the most that one user may hold before nothing more is given, as last computed
    queue_user_memory: np.ndarray
    queue_user_vcores: np.ndarray
    queue_user_is_stale: np.ndarray  # 1: that is to be computed again
    queue_waiting_users: np.ndarray  # of leaves: users with jobs none of which may start
    queue_held_back_users: np.ndarray  # none of whose masters had started when that was last computed
    user_used_memory: np.ndarray  # of one user in one leaf: held and reserved
    user_used_vcores: np.ndarray
    user_ratio: np.ndarray  # float64
    user_active_jobs: np.ndarray  # whose masters may start or have started
    user_held_back_jobs: np.ndarray  # whose masters are held back
    user_pending_jobs: np.ndarray  # of which a request waits
    user_is_counted_active: np.ndarray  # 1: it wants more and is not forgotten
    user_masters_memory: np.ndarray  # of active jobs' masters
    user_masters_vcores: np.ndarray
    limits_users: np.ndarray  # [1] 1: what users hold is counted
    # of leaves: held by masters of jobs that have not left, under am-limit from their activation
    queue_masters_memory: np.ndarray
    queue_masters_vcores: np.ndarray
    queue_waiting_memory: np.ndarray  # of leaves: containers waiting x their size
    queue_waiting_vcores: np.ndarray


FLOATS = {
    "job_weight",
    "job_input",
    "job_slowstart",
    "job_fetch",
    "job_map_mean",
    "job_reduce_mean",
    "node_slowdown",
    "queue_weight",
    "queue_capacity",
    "queue_max_capacity",
    "queue_min_user_limit",
    "queue_user_limit_factor",
    "queue_am_share",
    "queue_user_ratio",
    "user_ratio",
}
FIELDS = {name: "float64" if name in FLOATS else "int64" for name in View._fields}
