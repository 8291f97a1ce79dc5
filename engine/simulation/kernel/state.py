"""The kernel's own arrays, in addition to the View: clocks, what runs where, and the containers it writes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NODES_IN_BLOCK = 64  # nodes to a block of `awake`


class State(NamedTuple):
    """Arrays the kernel keeps for itself. A row is the list of containers on a node, `width` entries a
    node.
    """

    timer_tree: np.ndarray  # tournament tree: earliest end of each node, then the timer of each job
    awake: np.ndarray  # int8, a node that may be given a container on its next heartbeat
    awake_in_block: np.ndarray
    parked: np.ndarray  # nodes that wait until something changes
    is_parked: np.ndarray  # int8
    dirty: np.ndarray  # nodes whose tasks' speed may have changed in this instant
    is_dirty: np.ndarray  # int8
    is_changed: np.ndarray  # int8, a job is in View.changed
    touched: np.ndarray  # jobs that may have something to ask for
    is_touched: np.ndarray  # int8
    demand_changed: np.ndarray  # jobs that hold or want other than at FairScheduler's last update
    is_demand_changed: np.ndarray  # int8
    waiting_memory: np.ndarray  # what a container of View.waiting must find free on a node
    waiting_vcores: np.ndarray
    waiting_reserves: np.ndarray  # int8, it may reserve a node
    row_container: np.ndarray
    row_request: np.ndarray  # the request it was placed for, so that its end reads nothing far away
    row_end: np.ndarray
    # float64 ms of work left at k = 1, or of output to fetch where that counts in k; -1 while there is none
    row_remaining_ms: np.ndarray
    row_updated_at: np.ndarray  # when row_remaining_ms was true
    row_count: np.ndarray
    node_speed: np.ndarray
    map_slots: np.ndarray
    reduce_slots: np.ndarray
    used_map_slots: np.ndarray  # the scheduler's view, as node_free_*
    used_reduce_slots: np.ndarray
    unreported_memory: np.ndarray  # of containers that ended and were not reported yet
    unreported_vcores: np.ndarray
    unreported_map_slots: np.ndarray
    unreported_reduce_slots: np.ndarray
    unreported: np.ndarray  # how many
    running_tasks: np.ndarray  # k of the contention rule, without what fetches
    settled_load: np.ndarray  # k when the previous instant was over
    fit_vcores: np.ndarray  # request_vcores, or zeros when only memory must fit
    fetch_latest: np.ndarray  # shuffle.after_map
    map_base: np.ndarray  # where a job's maps begin in what is kept of maps
    map_ends: np.ndarray  # where parts are uneven: of the maps that have ended, in ascending order
    # of a job whose maps have all ended: which of them can hold up a shuffle, in ascending order
    hull: np.ndarray
    hull_count: np.ndarray
    draws: np.ndarray
    draw_base: np.ndarray  # where a job's draws begin
    block_node: np.ndarray  # `replication` a map, -1 beyond the nodes; blocks.py
    blocks_by_node: np.ndarray
    blocks_by_rack: np.ndarray
    passed_by_node: np.ndarray
    passed_by_rack: np.ndarray
    # [2] heartbeats on which nothing but missed scheduling opportunities changed, the last of them in a row,
    # and event_count then
    missed_streak: np.ndarray
    # how far from its blocks a job takes nodes, -1 before it was asked; under RELAXED
    allowed_distance: np.ndarray
    # float64, missed opportunities, as a part of the nodes, after which it takes farther ones: than
    # node-local, than rack-local
    max_missed: np.ndarray
    reduce_base: np.ndarray  # where a job's reduces begin in the next three
    reduce_part: np.ndarray  # Workload's
    reduce_container: np.ndarray  # -1 while not placed
    reduce_attempt: np.ndarray
    first_reduce: np.ndarray  # no unplaced reduce below this
    asked_reduces: np.ndarray  # int8, asked for in this iteration
    # int8, killed reduces: none again until all maps are placed; not under a rule that preempts
    reduces_blocked: np.ndarray
    reduces_first: np.ndarray  # int8, its waiting reduces go before its maps
    admitted: np.ndarray  # int8, its master may start
    is_held_back: np.ndarray  # int8, under ACTIVATE: it has arrived, and its master may not start yet
    window_ms: np.ndarray  # of the order's windows and the reduce-start rule's, 0 without
    window_end: np.ndarray  # of the one that runs
    # int8, its last end changed nothing: the next matters after something has happened
    window_unchanged: np.ndarray
    window_due: np.ndarray  # then it matters from this time on, even if nothing has
    window_event_count: np.ndarray  # `event_count` at its last end
    master_container: np.ndarray
    job_ready: np.ndarray  # when its master has started up, -1 before it is placed
    heartbeat_event_count: np.ndarray  # `event_count` at the master's last heartbeat
    heartbeat_jobs: np.ndarray  # scratch of send_master_heartbeats
    dormant_jobs: np.ndarray  # whose heartbeats change nothing until something happens
    is_dormant: np.ndarray  # int8
    due_nodes: np.ndarray  # that send heartbeats out of band at this instant, in their order
    is_due: np.ndarray  # int8
    # jobs with waiting maps, running reduces and no running map, in job order (reduce_preemption.py)
    kill_candidates: np.ndarray
    is_kill_candidate: np.ndarray  # int8
    kill_candidate_node: np.ndarray  # a node that had room for a map of it, -1 unknown
    kill_candidate_checked: np.ndarray  # `end_count` when it was found to have nothing to kill
    per_node: np.ndarray  # scratch of the kill rule, zeros between uses
    leaving_jobs: np.ndarray  # jobs whose last end was seen on this heartbeat
    job_owner: np.ndarray  # the first job of its user, in whatever queue
    # by job_owner: its user's running jobs, and how many may run; running_limits.py
    owner_running_jobs: np.ndarray
    owner_max_running_jobs: np.ndarray
    queue_running_jobs: np.ndarray  # in it and below it
    queue_max_running_jobs: np.ndarray
    job_refused: np.ndarray  # int8, why it is refused: what is known before, then what was found
    queue_applications: np.ndarray  # arrived, not refused and not left, in it and below it
    queue_max_applications: np.ndarray  # of a leaf, and of the system in root's place
    queue_max_user_applications: np.ndarray  # of one user of a leaf
    queue_active_jobs: np.ndarray  # in it and below it; waiting_requests.py, fair_shares.py
    active_jobs: np.ndarray  # as they became active; some have left since the list was last looked at
    schedulable: np.ndarray  # what shares a resource: queues or jobs (Hadoop: Schedulable)
    # of the first of some that are equal, the index after them; of jobs the first alone has the next two:
    schedulable_next: np.ndarray
    schedulable_weight: np.ndarray
    schedulable_min: np.ndarray
    schedulable_max: np.ndarray
    schedulable_share: np.ndarray  # its computed share, of the first of those that are equal
    # Where a task may have several attempts (task_arrays.py, task_lifecycle.py).
    is_master_down: np.ndarray  # int8, the job's master was lost, and no other has started up
    master_losses: np.ndarray
    master_kills: np.ndarray  # how often it was preempted
    is_down: np.ndarray  # int8, a node that is lost
    retry_count: np.ndarray  # of a request, how many containers are to be requested again
    retry_jobs: np.ndarray  # jobs with such requests
    has_retries: np.ndarray  # int8
    backup: np.ndarray  # of a request, the task that waits for its speculative attempt, -1 none
    map_container: np.ndarray  # -1 while not placed
    map_done: np.ndarray  # int8
    first_map: np.ndarray  # no unplaced map below this
    second_attempt: np.ndarray  # of a task, the attempt that runs beside its first, -1 none
    task_attempts: np.ndarray
    task_failures: np.ndarray
    done_count: np.ndarray  # of a request, attempts that have finished in this iteration
    done_time: np.ndarray  # ms they took in all
    is_failing: np.ndarray  # int8, a task of the job has failed too often
    failing_jobs: np.ndarray  # in this instant
    job_speculates: np.ndarray  # bits FOR_MAPS, FOR_REDUCES
    speculates_from: np.ndarray  # no speculative attempt is looked for before
    # Where jobs are preempted (starvation.py, victims.py, preemption_claims.py).
    preemption_threshold: np.ndarray  # float64, of the cluster's use
    starved_jobs: np.ndarray  # a heap of jobs
    starved_memory: np.ndarray  # what a job lacks of its fair share
    starved_vcores: np.ndarray
    min_share_starved_memory: np.ndarray  # and of its leaf's minimum share
    min_share_starved_vcores: np.ndarray
    last_at_fair_share: np.ndarray  # when it last was seen to have its fair share
    next_starvation_check: np.ndarray  # before which it is not looked at
    ranked_jobs: np.ndarray  # scratch: jobs of a leaf
    leaf_order: np.ndarray  # leaves as Hadoop lists them
    last_at_min_share: np.ndarray  # when a leaf last was seen to have its minimum share
    min_share_timeout: np.ndarray  # QueueTree's
    fair_share_timeout: np.ndarray
    fair_share_threshold: np.ndarray
    allows_preemption: np.ndarray  # int8
    node_order: np.ndarray  # nodes as Hadoop lists them
    max_on_node: np.ndarray  # containers at a time
    node_containers: np.ndarray  # scratch: containers of a node
    considered: np.ndarray  # scratch: those of them that may go
    considered_memory: np.ndarray  # by job
    considered_vcores: np.ndarray
    victims: np.ndarray  # scratch: those that shall
    marked_memory: np.ndarray  # by job, to be killed
    marked_vcores: np.ndarray
    containers_created: np.ndarray  # by job, reserved ones too
    reserved_hash: np.ndarray  # of the container a node is reserved for
    claim_node: np.ndarray
    claim_job: np.ndarray
    claim_memory: np.ndarray
    claim_vcores: np.ndarray
    node_claims: np.ndarray  # how many
    claimed_memory: np.ndarray
    claimed_vcores: np.ndarray
    kill_at: np.ndarray  # in their order
    kill_container: np.ndarray
    container_hash: np.ndarray  # its hash
    is_marked: np.ndarray  # int8, to be killed
    is_killed: np.ndarray  # int8, scratch
    container_job: np.ndarray
    container_stage: np.ndarray
    container_kind: np.ndarray
    container_index: np.ndarray
    container_attempt: np.ndarray
    container_node: np.ndarray
    container_requested: np.ndarray
    container_start: np.ndarray
    container_shuffle_end: np.ndarray
    container_end: np.ndarray
    container_outcome: np.ndarray
    container_begin: np.ndarray  # when its task begins; empty where that is its start
    # maps whose output a reduce has fetched or is fetching; empty where fetching counts for nothing, as is
    # the next
    container_map_outputs: np.ndarray
    # float64 ms that its task computes if it does not fail; empty where no job speculates
    container_work_ms: np.ndarray
    container_compute_ms: np.ndarray  # ms that it does compute
    container_span: np.ndarray  # of the spans the one in which it fetches, -1 while it does not
    span_container: np.ndarray  # fetch_spans.py
    span_start: np.ndarray
    span_end: np.ndarray  # -1 until then
    job_maps_end: np.ndarray
    job_shuffle_end: np.ndarray
    job_failed: np.ndarray  # int8
    # CapacityScheduler's monitor (capacity_monitor.py, ideal_allocation.py), empty without; amounts hold two
    # entries a queue or user, MB and vcores.
    # float64: of the cluster that one round may choose, the dead zone, of what is to be given, of a queue for
    # masters or -1
    monitor_parameters: np.ndarray
    queues_in_file: np.ndarray
    leaves_in_hash_order: np.ndarray  # leaves in the order of a java.util.HashSet of their names
    queue_is_leaf: np.ndarray  # int8
    queue_disables_preemption: np.ndarray  # int8, disable_preemption
    queue_current: np.ndarray
    queue_guaranteed: np.ndarray
    queue_max: np.ndarray
    queue_pending: np.ndarray  # beyond what it holds
    queue_pending_unreserved: np.ndarray  # that less what nodes are reserved for
    queue_untouchable: np.ndarray
    queue_preemptable_extra: np.ndarray
    queue_ideal: np.ndarray
    queue_to_preempt: np.ndarray
    queue_normalized_guarantee: np.ndarray  # float64
    queue_ideal_ratio: np.ndarray  # float64
    user_pending: np.ndarray
    user_pending_unreserved: np.ndarray
    heap: np.ndarray  # queues that want more
    underserved_queues: np.ndarray
    listed_containers: np.ndarray  # numbers of a job's containers
    selected_containers: np.ndarray  # containers
    skipped_masters: np.ndarray
    dropped_reservations: np.ndarray  # reserved nodes
    node_reserved_sequence: np.ndarray  # how many containers and reservations had been made before
    container_sequence: np.ndarray  # the same of a container, or of the reservation it came from
    container_marked: np.ndarray  # when the monitor first chose it, -1 before
    # Requests of one leaf and size (waiting_requests.py), none of few jobs or many sizes; the first of each
    # (shortlist.py), empty where all candidates are listed.
    # of a request: which leaf, size and kind of container; of requests that may reserve, the second half, as
    # of ranked_place
    group_of: np.ndarray
    group_begin: np.ndarray  # where its heap begins in `ranked`
    group_size: np.ndarray
    group_waiting: np.ndarray  # requests of it that wait
    group_memory: np.ndarray
    group_vcores: np.ndarray
    ranked: np.ndarray  # heaps of requests
    ranked_first: np.ndarray  # float64, their jobs' rank_first
    ranked_second: np.ndarray  # float64
    ranked_place: np.ndarray  # of a request, -1 while it is in none
    rank_first: np.ndarray  # float64, of a job, twice, as entries are numbered
    rank_second: np.ndarray  # float64
    is_starving: np.ndarray  # int8, of a job, below its fair share when that was last asked
    usage_share: np.ndarray  # of a job, what it then held (fair_shares.py)
    stale_jobs: np.ndarray  # whose rank and requests are to be looked at
    is_stale: np.ndarray  # int8
    has_mixed_requests: np.ndarray  # int8, a job whose master and tasks wait at once
    # Masters that are held back (admission.py), by kinds: those of one user of a leaf and of one size.
    held_back_kind: np.ndarray  # of a job
    held_back_jobs: np.ndarray  # of a kind
    held_back_refused: np.ndarray  # the last pass in which one of the kind was refused
    queue_held_back_kinds: np.ndarray  # kinds that some are held back of
    first_held_back: np.ndarray  # no job of the leaf before it is
    # Physics (simulation/physics_arrays.py).
    job_key: np.ndarray
    startup_law: np.ndarray
    job_heartbeat_ms: np.ndarray  # ms between heartbeats of the master, 0: it asks and learns at once
    job_linger: np.ndarray  # ms that a master outlives its job
    launch_law: np.ndarray
    stragglers: np.ndarray
    shuffle_latency: np.ndarray
    fetch_weight: np.ndarray
    failures: np.ndarray  # probability, at which part of the work or -1, how often a task may
    absent_nodes: np.ndarray  # at first
    outage_at: np.ndarray  # when nodes are lost or come; in the order of time, then of nodes
    outage_node: np.ndarray
    outage_is_back: np.ndarray  # int8
    replication: np.ndarray
    distance_factor: np.ndarray
    node_rack: np.ndarray
    rack_nodes: np.ndarray
    rack_place: np.ndarray
    rack_begin: np.ndarray
    cancel_flag: np.ndarray  # one number, not 0 once the run is cancelled (cancellation.py)
    # Counters, one number each (COUNTERS).
    tree_leaves: np.ndarray  # of `timer_tree`
    row_width: np.ndarray  # entries a node has in row_*
    container_count: np.ndarray  # written so far
    arrived_jobs: np.ndarray
    unfinished_jobs: np.ndarray
    heartbeat_round: np.ndarray  # where the walk over the nodes that send heartbeats stands
    heartbeat_node: np.ndarray
    first_unfinished_job: np.ndarray  # no job before it has still to finish
    active_count: np.ndarray  # of active_jobs
    queued_masters: np.ndarray  # held back by an admission rule that sets room aside
    admits_all: np.ndarray  # 1: no admission rule holds masters
    activation_pass: np.ndarray  # how often those held back in a leaf were looked at
    is_watched: np.ndarray  # 1: somebody sees each answer of a part, so none is left out
    # 1: waiting_requests is made when somebody is to go through it (waiting_requests.py)
    lists_lazily: np.ndarray
    is_list_stale: np.ndarray
    first_waiting: np.ndarray  # where lists_lazily: no job before it has a request that waits
    limits_slots: np.ndarray  # 1: some node may have no more than so many maps or reduces
    unadmitted_count: np.ndarray  # waiting masters that are not admitted, where a rule may hold them
    min_waiting_memory: np.ndarray  # of all that waits: a node with less free needs no look
    min_waiting_vcores: np.ndarray
    max_waiting_memory: np.ndarray  # a node with as much free fits everything
    max_waiting_vcores: np.ndarray
    touched_count: np.ndarray
    demand_changed_count: np.ndarray
    touch_all: np.ndarray  # 1: any job may have something to ask for
    dirty_count: np.ndarray
    parked_count: np.ndarray
    kill_candidate_count: np.ndarray
    end_count: np.ndarray  # containers that have ended
    event_count: np.ndarray  # all that has happened and a window may see
    kill_event_count: np.ndarray  # `event_count` when the kill rule was last looked at
    last_event_ms: np.ndarray  # of the last start or end
    reduce_start_trigger: np.ndarray  # ON_ENDS, ON_CHANGES or ON_WINDOWS
    may_mark_reduces_first: np.ndarray  # 1: under a rule whose reduces go before their job's maps
    order_follows_jobs: np.ndarray  # 1: the order learns when jobs begin and finish
    stops_job: np.ndarray  # NEVER, UNSERVED, FITTING or ALWAYS (codes.py)
    reserves: np.ndarray  # NO_RESERVATIONS, STARVED or WALKED (codes.py)
    delays: np.ndarray  # NO_DELAYS, RELAXED or COUNTED (codes.py); NO_DELAYS where maps have no blocks
    # containers far from their blocks that a node is given on a heartbeat, 0: no limit of their own
    max_off_switch: np.ndarray
    spreads_load: np.ndarray  # 1: a node takes no more tasks of a kind than its part of those there are
    total_map_slots: np.ndarray  # on the nodes that limit them
    total_reduce_slots: np.ndarray
    serves_first: np.ndarray  # 1: the order serves the first candidate whatever the others are
    reserving_count: np.ndarray  # waiting requests that may reserve a node
    # 1: the order is asked though nothing fits, for another rule reads what it leaves behind
    walks_always: np.ndarray
    limits_running: np.ndarray  # 1: some queue or user may have no more than so many jobs that run
    refuses: np.ndarray  # 1: some job may be refused when it arrives
    non_runnable_count: np.ndarray  # jobs that wait for that
    # 1: a node is given containers until half of what it had free is exceeded
    uses_dynamic_max_assign: np.ndarray
    limits_users: np.ndarray  # 1: users of queues are limited
    # FREE, FAIR_SHARE or QUEUE_LIMIT (codes.py), where the reduce-start rule asks for it
    headroom: np.ndarray
    reservation_count: np.ndarray  # made so far
    idle_heartbeats: np.ndarray  # in a row since which nothing has happened
    idle_event_count: np.ndarray  # `event_count` at the last heartbeat
    threshold_memory: np.ndarray  # what is less reserves no node under STARVED
    threshold_vcores: np.ndarray
    default_queue_policy: np.ndarray  # of queues without one: FAIR or DRF
    leaving_count: np.ndarray
    needs_fair_shares: np.ndarray  # 1: a part reads fair shares
    shares_are_stale: np.ndarray  # 1: jobs have come or gone since the fair shares were computed
    update_event_count: np.ndarray  # `event_count` at FairScheduler's last update
    stale_since_heartbeat: np.ndarray  # `heartbeats_so_far` when they became so
    launches: np.ndarray  # 1: tasks begin later than their containers
    retry_job_count: np.ndarray
    failing_count: np.ndarray
    next_outage: np.ndarray
    speculation_due: np.ndarray  # when the next look for late tasks may find something, if nothing happens
    speculation_event_count: np.ndarray  # `event_count` at the last one
    retries: np.ndarray  # 1: a task may have several attempts
    fails: np.ndarray  # 1: attempts may fail
    speculates: np.ndarray  # 1: some job starts speculative attempts
    sends_out_of_band: np.ndarray  # 1: a node sends a heartbeat as soon as a container on it ends
    due_first: np.ndarray  # in `due_nodes`
    due_count: np.ndarray
    is_out_of_band: np.ndarray  # 1: the heartbeat that is under way is out of band
    has_master_heartbeats: np.ndarray  # 1: some masters have heartbeats of their own
    dormant_count: np.ndarray
    dormant_event_count: np.ndarray  # `event_count` when the first of them began to rest
    weighs_fetching: np.ndarray  # 1: a reduce that fetches counts in k, and k slows it
    preempts: np.ndarray  # 1: FairScheduler kills for starved jobs
    starved_count: np.ndarray
    considered_count: np.ndarray
    victim_count: np.ndarray
    claim_count: np.ndarray
    kill_head: np.ndarray
    kill_count: np.ndarray
    warning_ms: np.ndarray  # from mark to kill
    next_starvation_check_ms: np.ndarray
    spares_masters: np.ndarray  # 1: none is killed
    # after which, if nothing has happened, starvation will change nothing more
    starvation_horizon_ms: np.ndarray
    starvation_deadline: np.ndarray
    span_count: np.ndarray  # begun so far, more than there is room for if there are so many
    monitor_ms: np.ndarray  # between rounds of CapacityScheduler's monitor, 0: it does not kill
    kill_wait_ms: np.ndarray
    monitor_event_count: np.ndarray  # `event_count` at its last round
    monitor_due: np.ndarray  # when what that chose may be killed
    heap_count: np.ndarray
    selected_count: np.ndarray
    skipped_count: np.ndarray
    dropped_count: np.ndarray
    skewed: np.ndarray  # 1: the output of some job's maps is divided unevenly
    ranks_by: np.ndarray  # FAIR or DRF: the first of each group is listed alone; 0: all candidates are
    group_count: np.ndarray
    stale_count: np.ndarray
    mixed_count: np.ndarray
    # 1: the order's walk finds its candidates itself, for nothing but room and the order decides what may be
    # placed
    walks_unlisted: np.ndarray
    # 1: an order that keeps scores is to be told of every job whose tasks or requests have changed
    keeps_scores: np.ndarray
    shortlist_depth: np.ndarray  # how many jobs of a group are listed
    # 1: an admission rule answers alike for all masters of one leaf and size
    masters_interchangeable: np.ndarray
    hands_down_limits: np.ndarray  # 1: queues have limits as CapacityScheduler hands them down
    stretches: np.ndarray  # 1: an attempt may compute for longer or shorter than its draw
    # the kernel returns before the first instant at this time or later, INFINITE: it does not
    pause_ms: np.ndarray
    # the container whose choice is changed, by how many there were before it, EXCLUDED or NO_ALTERNATIVE
    excluded_container: np.ndarray
    excluded_node: np.ndarray  # the node it was chosen for
    excluded_job: np.ndarray  # its job, which is then left out


COUNTERS = State._fields[State._fields.index("tree_leaves") :]

_KINDS = {
    "int8": "awake is_parked is_dirty is_changed is_touched is_demand_changed asked_reduces "
    "reduces_blocked reduces_first admitted is_held_back "
    "window_unchanged is_master_down is_down has_retries map_done is_failing outage_is_back job_failed "
    "job_refused "
    "is_dormant is_due is_kill_candidate "
    "waiting_reserves container_kind container_outcome is_marked is_killed allows_preemption "
    "queue_is_leaf queue_disables_preemption is_stale has_mixed_requests is_starving",
    "int32": (
        "container_job container_stage container_index container_attempt container_node container_map_outputs"
    ),
    "float64": "row_remaining_ms settled_load node_speed fetch_latest draws schedulable_weight "
    "startup_law launch_law stragglers failures reduce_part fetch_weight "
    "distance_factor max_missed container_work_ms preemption_threshold fair_share_threshold "
    "monitor_parameters queue_normalized_guarantee queue_ideal_ratio usage_share rank_first rank_second "
    "ranked_first ranked_second",
    "uint64": "job_key",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
FIELDS = {name: _KIND_OF.get(name, "int64") for name in State._fields}
