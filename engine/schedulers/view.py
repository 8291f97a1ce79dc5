"""View: all that a policy may know, one line a field, with its unit.

A policy names the fields it reads as its parameters: numbers, and one-dimensional arrays. What a policy sees
of usage is the scheduler's view: a container counts from its placement until its node's heartbeat after its
end. Finished counts are known at once.
A request is a job's for containers of one kind: MASTER, or a stage of its tasks, REDUCE or MAP. Requests are
numbered job by job, those of a job in this order from job_first_request on; job_of, kind_of and request_of
read that, and nothing else may compute it.
"""

from __future__ import annotations

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
from engine.run_records import (
    JOB,
    JOB_AND_ONE,
    JOB_BLOCK,
    KIND,
    NODE,
    QUEUE,
    REQUEST,
    RUN,
    Amounts,
    Floats,
    Ints,
    Record,
    Size,
    Table,
    amount,
    amounts,
    array,
    given,
    given_amounts,
    laid_out,
    number,
)

JOBS_IN_BLOCK = 64  # of waiting_in_block


class ClusterView(Record):
    """The cluster, the run so far, and what an order answers beside its choice."""

    now: int = number("ms", "the clock")
    cluster_resource: Amounts = amount("of all nodes that are up; 0 while none is")
    cluster_nodes: int = number("", "how many are up")
    heartbeat: int = number("ms", "between two heartbeats of a node")
    heartbeat_count: int = number(
        "",
        "heartbeats of all nodes so far but those out of band, under an order that counts them "
        "(codes.WALKED)",
    )
    seed: Ints = array(Size(RUN, 2), "", "from the scenario's, for a generator of the policy's own")
    counts_vcores: int = number("", "1, or 0 where only memory must fit (resources=memory)")
    running_jobs: Ints = array(
        Size(RUN, 2),
        "",
        "whose first container has started and that have not finished; those of them with several iterations",
    )
    released_containers: int = number(
        "", "maps and reduces that have finished and whose end was seen, since the start"
    )
    available_containers: int = number(
        "", "running maps, and running reduces of jobs whose maps have all finished"
    )
    idle_resource: Amounts = amount("of the cluster, not held by a running container")
    held_count: Ints = array(KIND, "", "containers by kind: masters, reduces, maps")
    held_resource: Amounts = amounts(KIND, "that these hold")
    admitted_resource: Amounts = amount("of masters from their admission until their end is seen")
    available_resource: Amounts = amount(
        "of the cluster, as FairScheduler last noted it; kept as job_fair_resource is"
    )
    has_job_priorities: int = number("", "1: some jobs have priorities")
    holds_masters: int = number("", "1: an admission rule may keep the master of an active job from a node")
    limits_users: int = number("", "1: what users hold is counted")
    update_interval: int = number("ms", "between FairScheduler's updates, 0: at each heartbeat")
    queue_scheme: int = number("", "how the order in use treats queues: NO_QUEUES, BY_WEIGHT or BY_CAPACITY")
    min_allocation_resource: Amounts = amount(
        "of a container: the minimum allocation, to whose multiples capacity rounds limits"
    )
    headroom_resource: Amounts = amount(
        "for a reduce-start rule that preempts: what the scheduler tells the job's master that it "
        "could still have",
    )
    node_to_unreserve: int = number(
        "", "an order's answer beside its choice: the node that is given up for it, -1 for none", initial=-1
    )
    is_off_switch: int = number(
        "",
        "an order's answer beside its choice: 0 when the node, or its rack, has a block of the job's "
        "waiting maps",
    )
    may_choose_later: int = number(
        "",
        "an order's answer beside LEAVE: 1 when it may choose on a later heartbeat though nothing has "
        "changed",
    )


class RequestView(Record):
    """Requests, job by job, within a job master, reduces, maps."""

    candidates: Ints = array(
        REQUEST, "", "requests that fit the node now, in job order; within a job master, reduces, maps"
    )
    waiting_requests: Ints = array(
        REQUEST,
        "",
        "requests with waiting containers, in the same order, whether or not they fit or are held back",
    )
    waiting_count: int = number("", "of them")
    waiting_in_block: Ints = array(
        JOB_BLOCK,
        "",
        "of the first JOBS_IN_BLOCK jobs, of as many after them and so on: those of which a request waits",
    )
    active_waiting_in_block: Ints = array(JOB_BLOCK, "", "those of them that are active")
    request_job: Ints = given(REQUEST, "", "its job")
    request_kind: Ints = given(REQUEST, "", "MASTER, REDUCE or MAP")
    job_first_request: Ints = given(JOB_AND_ONE, "", "of a job; the last entry: how many requests there are")
    request_resource: Amounts = given_amounts(REQUEST, "size of one container of a request")
    request_asked_resource: Amounts = given_amounts(
        REQUEST, "as its master asked for it, before it was rounded"
    )
    request_waiting: Ints = array(REQUEST, "", "containers asked for and not placed")
    request_speculative: Ints = array(REQUEST, "", "of those, second attempts of tasks that run: 0 or 1")
    request_asked_at: Ints = array(REQUEST, "ms", "when it was asked for")
    request_held: Ints = array(REQUEST, "", "containers of it that count as usage")
    request_reserved: Ints = array(REQUEST, "", "nodes that are reserved for one container of it")
    request_max_reserved: Ints = array(REQUEST, "", "the most there were at a time since there was none")
    request_reserved_since: Ints = array(
        REQUEST, "ms", "`heartbeat_count` when a node was last reserved for it or given up"
    )
    request_reserved_extra: Ints = array(
        REQUEST, "", "out-of-band heartbeats since then, of nodes reserved for it on which it did not fit"
    )


class JobView(Record):
    """Jobs."""

    job_arrival: Ints = given(JOB, "ms", "when it arrived")
    job_queue: Ints = given(JOB, "", "its leaf, an index of queue_*")
    job_user: Ints = given(JOB, "", "its user in its leaf, an index of user_*")
    job_weight: Floats = given(JOB, "", "its weight")
    job_priority: Ints = given(JOB, "", "a larger number goes first")
    job_min_resource: Amounts = given_amounts(JOB, "min_share, 0 without")
    job_input: Floats = given(JOB, "", "input_mb, -1 without")
    job_estimate: Ints = given(JOB, "ms", "estimate_s in ms, -1 without")
    job_slowstart: Floats = given(JOB, "", "a share of the maps")
    job_family: Ints = given(
        JOB, "", "the first job in job order of the same name but for a number at its end"
    )
    job_startup: Ints = given(JOB, "ms", "of its master, -1 without")
    job_fetch: Floats = given(JOB, "ms", "in which a reduce fetches one map's output")
    job_map_mean: Floats = given(JOB, "ms", "mean of a map's duration by its distribution, at speed 1")
    job_reduce_mean: Floats = given(JOB, "ms", "mean of a reduce's duration by its distribution, at speed 1")
    job_maps: Ints = given(JOB, "", "tasks of one iteration")
    job_reduces: Ints = given(JOB, "", "tasks of one iteration")
    job_iterations: Ints = given(JOB, "", "how often it runs all its tasks")
    job_iteration: Ints = array(JOB, "", "the running one, from 1; 0 before it has begun")
    job_placed_maps: Ints = array(JOB, "", "of the running iteration")
    job_placed_reduces: Ints = array(JOB, "", "of the running iteration")
    job_finished_maps: Ints = array(JOB, "", "of the running iteration")
    job_finished_reduces: Ints = array(JOB, "", "of the running iteration")
    job_running_maps: Ints = array(JOB, "", "that have started and not ended")
    job_running_reduces: Ints = array(JOB, "", "that have started and not ended")
    job_start: Ints = array(JOB, "ms", "of its first container, -1 before", initial=-1)
    job_finish: Ints = array(JOB, "ms", "-1 before", initial=-1)
    job_maps_done: Ints = array(JOB, "", "finished, of all iterations")
    job_maps_time: Ints = array(JOB, "ms", "from start to end, all of those together")
    job_reduces_done: Ints = array(JOB, "", "finished in all iterations")
    job_reduces_time: Ints = array(JOB, "ms", "from start to end, all of those together")
    job_container_time: Ints = array(
        JOB,
        "ms",
        "of its maps and reduces: ends seen less starts; with held x now, the time it has held containers",
    )
    job_is_active: Ints = array(
        JOB,
        "",
        "1 from its arrival, under am-limit from its activation, to the end of the heartbeat at which "
        "its last end was seen",
    )
    job_reorder: Ints = array(
        JOB,
        "",
        "REORDER: under capacity, its place in a leaf that is BY_MEMORY is to be found anew when the "
        "leaf is next asked",
    )
    job_runnable_since: Ints = array(
        JOB,
        "ms",
        "-1 while as many jobs of its queues or its user run as may, then when that ended; 0 where it "
        "had not to wait",
    )
    job_is_pending: Ints = array(
        JOB,
        "",
        "1 while its waiting requests make its user one that wants more; kept where users are limited",
    )
    job_fair_resource: Amounts = amounts(
        JOB, "its fair share, as FairScheduler last computed it; kept where a part reads it"
    )
    job_demand_resource: Amounts = amounts(
        JOB, "held and waiting, as FairScheduler last computed it; kept where update_ms is over 0"
    )
    job_used_resource: Amounts = amounts(JOB, "what its containers hold, as the scheduler sees it")
    job_missed_opportunities: Ints = array(
        JOB,
        "",
        "heartbeats on which its maps were asked, as far as that matters; kept where the order delays them",
    )
    missed_opportunities_changed: int = number("", "1 when an order that delays maps itself has changed it")
    job_locality: Ints = array(
        JOB,
        "",
        "how far its waiting maps' blocks are from the node that beats: 0 there, 1 on its rack, 2 "
        "elsewhere; kept for such an order",
    )
    job_locality_before: Ints = array(JOB, "", "the same when this heartbeat began")
    job_off_switch_maps: Ints = array(
        JOB,
        "",
        "maps near the node that were given on this heartbeat as if they were far; kept by such an order",
    )
    job_block_locations: Ints = array(
        JOB, "", "nodes and racks with blocks of its maps; kept for such an order, else 0"
    )
    changed: Ints = array(
        JOB_AND_ONE,
        "",
        "how many jobs' holdings changed since the order was last asked, then those jobs; all at first",
    )


class NodeView(Record):
    """Nodes."""

    node_resource: Amounts = given_amounts(NODE, "what the node has")
    node_free_resource: Amounts = amounts(NODE, "what no container holds, as the scheduler sees it")
    node_reserved: Ints = array(NODE, "", "the request it is reserved for, -1 without", initial=-1)
    node_reservation_number: Ints = array(NODE, "", "how many reservations the run had made before that one")
    node_fetching: Ints = array(
        NODE,
        "",
        "reduces that fetch there, where that counts in k (CONTENTION-3), as of the end of the last instant",
    )
    node_slowdown: Floats = array(
        NODE, "", "how many times as long everything takes there as alone, by contention; then too", initial=1
    )
    node_hash: Ints = array(
        NODE, "", "of its NodeId as Java's HashMap spreads it, were the hosts 10.0.0.1:1234 and so on"
    )


class QueueView(Record):
    """Queues, and users of one leaf each."""

    queue_parent: Ints = given(QUEUE, "", "-1 for root, which is queue 0")
    queue_bottom_up: Ints = given(QUEUE, "", "queues, deepest first, then by name")
    queue_file_rank: Ints = given(QUEUE, "", "rank of first appearance")
    queue_policy: Ints = given(QUEUE, "", "OWN, FIFO, FAIR or DRF")
    queue_ordering: Ints = given(QUEUE, "", "under capacity")
    queue_priority: Ints = given(QUEUE, "", "a larger number goes first")
    queue_weight: Floats = given(QUEUE, "", "its weight")
    queue_min_resource: Amounts = given_amounts(QUEUE, "minimum share")
    queue_max_resource: Amounts = given_amounts(QUEUE, "maximum share")
    queue_capacity: Floats = given(QUEUE, "", "guaranteed share of the cluster")
    queue_max_capacity: Floats = given(QUEUE, "", "largest share of the cluster")
    queue_used_resource: Amounts = amounts(QUEUE, "what its containers hold, as the scheduler sees it")
    queue_reserved_resource: Amounts = amounts(QUEUE, "where it counts as used: under capacity")
    queue_limit_resource: Amounts = amounts(
        QUEUE, "of leaves under capacity: what the last walk that looked at a job there let it use"
    )
    queue_waiting_jobs: Ints = array(QUEUE, "", "of leaves: jobs of which a request waits; root has all")
    queue_active_waiting_jobs: Ints = array(QUEUE, "", "of leaves: those of them that are active")
    queue_jobs: Ints = array(QUEUE, "", "arrived and not finished, in it and below it")
    queue_fair_resource: Amounts = amounts(QUEUE, "as job_fair_resource")
    queue_demand_memory: Ints = array(QUEUE, "MB", "as job_demand_memory, no more than its max_share")
    queue_user_limit_factor: Floats = given(QUEUE, "", "of its capacity, how much one user may hold")
    queue_min_user_limit: Floats = given(QUEUE, "", "percent")
    queue_max_container_resource: Amounts = given_amounts(QUEUE, "of the largest container")
    queue_am_share: Floats = given(
        QUEUE, "", "largest part for masters, NaN where the admission rule's own holds, -1 for no limit"
    )
    queue_active_users: Ints = array(QUEUE, "", "of leaves: users that want more")
    queue_counted_active_users: Ints = array(
        QUEUE, "", "of those, the ones that are not forgotten, and what those hold"
    )
    queue_active_users_resource: Amounts = amounts(QUEUE, "what its active users hold together")
    queue_user_ratio: Floats = array(
        QUEUE, "", "what its users hold of the cluster, as CapacityScheduler's floats add up"
    )
    queue_user_resource: Amounts = amounts(
        QUEUE, "the most that one user may hold before nothing more is given, as last computed"
    )
    queue_user_is_stale: Ints = array(QUEUE, "", "1: that is to be computed again", initial=1)
    queue_waiting_users: Ints = array(QUEUE, "", "of leaves: users with jobs none of which may start")
    queue_held_back_users: Ints = array(
        QUEUE, "", "none of whose masters had started when that was last computed"
    )
    user_used_resource: Amounts = amounts(JOB, "of one user in one leaf: held and reserved")
    user_ratio: Floats = array(
        JOB, "", "what the user holds of the cluster, as CapacityScheduler's floats add up"
    )
    user_active_jobs: Ints = array(JOB, "", "whose masters may start or have started")
    user_held_back_jobs: Ints = array(JOB, "", "whose masters are held back")
    user_pending_jobs: Ints = array(JOB, "", "of which a request waits")
    user_is_counted_active: Ints = array(JOB, "", "1: it wants more and is not forgotten")
    user_masters_resource: Amounts = amounts(JOB, "of active jobs' masters")
    queue_masters_resource: Amounts = amounts(
        QUEUE,
        "of leaves: held by masters of jobs that have not left, under am-limit from their activation",
    )
    queue_waiting_resource: Amounts = amounts(QUEUE, "of leaves: containers waiting x their size")


@laid_out
class View(Table, ClusterView, RequestView, JobView, NodeView, QueueView):
    """All that policies may know of a run."""
