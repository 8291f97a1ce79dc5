"""Fresh arrays for one run: the View that policies read and the kernel's State."""

from __future__ import annotations

import numpy as np

from engine.codes import DRF, FAIR, FIFO, INFINITE, ORDER_DEFAULT, PER_JOB
from engine.schedulers.view import JOBS_IN_BLOCK, View
from engine.simulation.kernel.fair_shares import INCREMENT_MB, INCREMENT_VCORES, INCREMENTS
from engine.simulation.kernel.hash_order import preemption_arrays
from engine.simulation.kernel.state import COUNTERS, NODES_IN_BLOCK, State
from engine.simulation.physics_arrays import Physics
from engine.simulation.queues import POLICIES
from engine.simulation.workload import Workload

POLICY_CODES = {
    POLICIES[None]: ORDER_DEFAULT,
    POLICIES["fifo"]: FIFO,
    POLICIES["fair"]: FAIR,
    POLICIES["drf"]: DRF,
}


def minus_ones(count: int) -> np.ndarray:
    """So many -1; np.full takes twice as long."""
    array = np.empty(count, np.int64)
    array.fill(-1)
    return array


def fresh_view(
    work: Workload,
    seed: tuple[int, int],
    order_tree: int,
    memory_only: bool,
    min_allocation: tuple[int, int],
    absent: np.ndarray,
) -> View:
    """The View at time 0: nothing runs, nothing waits; min_allocation: MB and vcores of the smallest
    container; absent: nodes that are not up yet.
    """
    jobs, queues = len(work.job_arrival), len(work.queues.parent)
    queue_tree = work.queues
    free_memory, free_vcores = work.node_memory.copy(), work.node_vcores.copy()
    free_memory[absent] = free_vcores[absent] = 0
    cluster = free_memory.sum(), free_vcores.sum()

    def zeros(count: int) -> np.ndarray:
        return np.zeros(count, np.int64)

    return View(
        now=zeros(1),
        cluster_memory=np.array([cluster[0]]),
        cluster_vcores=np.array([cluster[1]]),
        cluster_nodes=np.array([len(free_memory) - len(absent)]),
        heartbeat=zeros(1),
        heartbeat_count=zeros(1),
        seed=np.array(seed, np.int64),
        candidates=zeros(PER_JOB * jobs),
        waiting_requests=zeros(PER_JOB * jobs),
        waiting_count=zeros(1),
        waiting_in_block=zeros(jobs // JOBS_IN_BLOCK + 1),
        active_waiting_in_block=zeros(jobs // JOBS_IN_BLOCK + 1),
        counts_vcores=np.array([not memory_only], np.int64),
        running_jobs=zeros(2),
        released_containers=zeros(1),
        available_containers=zeros(1),
        idle_memory=np.array([cluster[0]]),
        idle_vcores=np.array([cluster[1]]),
        held_count=zeros(PER_JOB),
        held_memory=zeros(PER_JOB),
        held_vcores=zeros(PER_JOB),
        admitted_memory=zeros(1),
        admitted_vcores=zeros(1),
        available_memory=zeros(1),
        available_vcores=zeros(1),
        has_job_priorities=np.array([work.job_priority.any()], np.int64),
        holds_masters=zeros(1),
        update_interval=zeros(1),
        queue_scheme=np.array([order_tree]),
        min_allocation_memory=np.array([min_allocation[0]]),
        min_allocation_vcores=np.array([min_allocation[1]]),
        headroom_memory=zeros(1),
        headroom_vcores=zeros(1),
        request_memory=work.request_memory,
        request_vcores=work.request_vcores,
        request_asked_memory=work.asked_memory,
        request_asked_vcores=work.asked_vcores,
        request_waiting=zeros(PER_JOB * jobs),
        request_speculative=zeros(PER_JOB * jobs),
        request_asked_at=zeros(PER_JOB * jobs),
        request_held=zeros(PER_JOB * jobs),
        request_reserved=zeros(PER_JOB * jobs),
        request_max_reserved=zeros(PER_JOB * jobs),
        request_reserved_since=zeros(PER_JOB * jobs),
        request_reserved_extra=zeros(PER_JOB * jobs),
        job_arrival=work.job_arrival,
        job_queue=work.job_queue,
        job_user=work.job_user,
        job_weight=work.job_weight,
        job_priority=work.job_priority,
        job_min_memory=work.job_min_memory,
        job_min_vcores=work.job_min_vcores,
        job_input=work.job_input,
        job_estimate=work.job_estimate,
        job_slowstart=work.job_slowstart,
        job_family=work.job_family,
        job_startup=work.job_startup,
        job_fetch=work.job_fetch_ms,
        job_map_mean=work.job_map_mean,
        job_reduce_mean=work.job_reduce_mean,
        job_maps=work.job_maps,
        job_reduces=work.job_reduces,
        job_iterations=work.job_iterations,
        job_iteration=zeros(jobs),
        job_placed_maps=zeros(jobs),
        job_placed_reduces=zeros(jobs),
        job_finished_maps=zeros(jobs),
        job_finished_reduces=zeros(jobs),
        job_running_maps=zeros(jobs),
        job_running_reduces=zeros(jobs),
        job_start=minus_ones(jobs),
        job_finish=minus_ones(jobs),
        job_maps_done=zeros(jobs),
        job_maps_time=zeros(jobs),
        job_reduces_done=zeros(jobs),
        job_reduces_time=zeros(jobs),
        job_container_time=zeros(jobs),
        job_is_active=zeros(jobs),
        job_reorder=zeros(jobs),
        job_runnable_since=zeros(jobs),
        job_is_pending=zeros(jobs),
        job_fair_memory=zeros(jobs),
        job_fair_vcores=zeros(jobs),
        job_demand_memory=zeros(jobs),
        job_demand_vcores=zeros(jobs),
        job_used_memory=zeros(jobs),
        job_used_vcores=zeros(jobs),
        job_missed_opportunities=zeros(jobs),
        missed_opportunities_changed=zeros(1),
        job_locality=zeros(jobs),
        job_locality_before=zeros(jobs),
        job_off_switch_maps=zeros(jobs),
        job_block_locations=zeros(jobs),
        changed=np.arange(-1, jobs) + np.eye(1, jobs + 1, dtype=np.int64)[0] * (jobs + 1),
        node_memory=work.node_memory,
        node_vcores=work.node_vcores,
        node_free_memory=free_memory,
        node_free_vcores=free_vcores,
        node_reserved=minus_ones(len(work.node_memory)),
        node_reservation_number=zeros(len(work.node_memory)),
        node_fetching=zeros(len(work.node_memory)),
        node_slowdown=np.ones(len(work.node_memory)),
        node_hash=zeros(len(work.node_memory)),
        node_to_unreserve=minus_ones(1),
        is_off_switch=zeros(1),
        may_choose_later=zeros(1),
        queue_parent=queue_tree.parent,
        queue_bottom_up=queue_tree.bottom_up,
        queue_file_rank=queue_tree.in_file,
        queue_policy=queue_tree.policy,
        queue_ordering=queue_tree.ordering,
        queue_priority=queue_tree.priority,
        queue_weight=queue_tree.weight,
        queue_min_memory=queue_tree.min_memory,
        queue_min_vcores=queue_tree.min_vcores,
        queue_max_memory=queue_tree.max_memory,
        queue_max_vcores=queue_tree.max_vcores,
        queue_capacity=queue_tree.capacity,
        queue_max_capacity=queue_tree.max_capacity,
        queue_used_memory=zeros(queues),
        queue_used_vcores=zeros(queues),
        queue_reserved_memory=zeros(queues),
        queue_reserved_vcores=zeros(queues),
        queue_limit_memory=(cluster[0] * queue_tree.max_capacity).astype(np.int64)
        // min_allocation[0]
        * min_allocation[0],
        queue_limit_vcores=(cluster[1] * queue_tree.max_capacity).astype(np.int64)
        // min_allocation[1]
        * min_allocation[1],
        queue_waiting_jobs=zeros(queues),
        queue_active_waiting_jobs=zeros(queues),
        queue_jobs=zeros(queues),
        queue_fair_memory=zeros(queues),
        queue_fair_vcores=zeros(queues),
        queue_demand_memory=zeros(queues),
        queue_user_limit_factor=queue_tree.user_limit_factor,
        queue_min_user_limit=queue_tree.min_user_limit,
        queue_max_container_memory=queue_tree.container_memory,
        queue_max_container_vcores=queue_tree.container_vcores,
        queue_am_share=queue_tree.am_share,
        queue_active_users=zeros(queues),
        queue_counted_active_users=zeros(queues),
        queue_active_users_memory=zeros(queues),
        queue_active_users_vcores=zeros(queues),
        queue_user_ratio=np.zeros(queues),
        queue_user_memory=zeros(queues),
        queue_user_vcores=zeros(queues),
        queue_user_is_stale=np.ones(queues, np.int64),
        queue_waiting_users=zeros(queues),
        queue_held_back_users=zeros(queues),
        user_used_memory=zeros(jobs),
        user_used_vcores=zeros(jobs),
        user_ratio=np.zeros(jobs),
        user_active_jobs=zeros(jobs),
        user_held_back_jobs=zeros(jobs),
        user_pending_jobs=zeros(jobs),
        user_is_counted_active=zeros(jobs),
        user_masters_memory=zeros(jobs),
        user_masters_vcores=zeros(jobs),
        limits_users=zeros(1),
        queue_masters_memory=zeros(queues),
        queue_masters_vcores=zeros(queues),
        queue_waiting_memory=zeros(queues),
        queue_waiting_vcores=zeros(queues),
    )


def fresh_state(
    work: Workload,
    view: View,
    draws: np.ndarray,
    physics: Physics,
    containers: int,
    width: int,
    windows: tuple[int, int],
    launches: bool,
    retries: bool,
    spans: int,
    monitor: dict[str, np.ndarray],
    shortlist: dict[str, np.ndarray],
    cancel_flag: np.ndarray,
    preempts: bool = False,
) -> State:
    """The State at time 0, with room for `containers` containers and `width` at a time on a node; windows:
    ms, 0 without.

    launches: tasks begin later than their containers; retries: a task may have several attempts;
    spans: room for so many in which reduces fetch, -1 where fetching counts for nothing; monitor:
    monitor_arrays.py; shortlist: shortlist_arrays.py;
    cancel_flag: shared with who may end the run.
    """
    jobs, nodes = len(work.job_arrival), len(work.node_memory)
    queues = len(view.queue_parent)
    sharers = max(jobs, queues)
    leaves = 1 << max(1, (nodes + jobs - 1).bit_length())
    maps, reduces, copies = int(work.job_maps.sum()), int(work.job_reduces.sum()), int(physics.replication[0])
    skewed, speculates = len(work.reduce_part) > 0, bool(physics.job_speculates.any())
    tasks_of_job = (work.job_maps + work.job_reduces) * work.job_iterations
    numbers = np.zeros(len(COUNTERS), np.int64)
    counters = {name: numbers[place : place + 1] for place, name in enumerate(COUNTERS)}
    counters["tree_leaves"][0], counters["row_width"][0], counters["unfinished_jobs"][0] = leaves, width, jobs
    counters["launches"][0], counters["retries"][0] = launches, retries
    counters["has_master_heartbeats"][0], counters["speculates"][0] = (
        physics.job_heartbeat_ms.any(),
        speculates,
    )
    counters["skewed"][0], counters["weighs_fetching"][0] = skewed, spans >= 0
    counters["total_map_slots"][0] = work.node_map_slots[work.node_map_slots < INFINITE].sum()
    counters["total_reduce_slots"][0] = work.node_reduce_slots[work.node_reduce_slots < INFINITE].sum()
    counters["limits_slots"][0] = (work.node_map_slots < INFINITE).any() or (
        work.node_reduce_slots < INFINITE
    ).any()
    counters["preempts"][0] = preempts
    counters["threshold_memory"][0], counters["threshold_vcores"][0] = (
        INCREMENTS * INCREMENT_MB,
        INCREMENTS * INCREMENT_VCORES,
    )
    counters["min_waiting_memory"][0] = counters["min_waiting_vcores"][0] = INFINITE

    def zeros(count: int, kind: type = np.int64) -> np.ndarray:
        return np.zeros(count, kind)

    def column(kind: type) -> np.ndarray:
        return np.empty(containers, kind)

    is_down = zeros(nodes, np.int8)
    is_down[physics.absent_nodes] = 1
    return State(
        cancel_flag=cancel_flag,
        timer_tree=np.full(2 * leaves, INFINITE, np.int64),
        awake=zeros(nodes, np.int8),
        awake_in_block=zeros(nodes // NODES_IN_BLOCK + 1),
        parked=zeros(nodes),
        is_parked=zeros(nodes, np.int8),
        dirty=zeros(nodes),
        is_dirty=zeros(nodes, np.int8),
        is_changed=np.ones(jobs, np.int8),
        touched=zeros(jobs),
        is_touched=zeros(jobs, np.int8),
        demand_changed=zeros(jobs),
        is_demand_changed=zeros(jobs, np.int8),
        waiting_memory=zeros(PER_JOB * jobs),
        waiting_vcores=zeros(PER_JOB * jobs),
        waiting_reserves=zeros(PER_JOB * jobs, np.int8),
        row_container=zeros(nodes * width),
        row_request=zeros(nodes * width),
        row_end=zeros(nodes * width),
        row_remaining_ms=np.zeros(nodes * width),
        row_updated_at=zeros(nodes * width),
        row_count=zeros(nodes),
        node_speed=work.node_speed,
        map_slots=work.node_map_slots,
        reduce_slots=work.node_reduce_slots,
        used_map_slots=zeros(nodes),
        used_reduce_slots=zeros(nodes),
        unreported_memory=zeros(nodes),
        unreported_vcores=zeros(nodes),
        unreported_map_slots=zeros(nodes),
        unreported_reduce_slots=zeros(nodes),
        unreported=zeros(nodes),
        running_tasks=zeros(nodes),
        settled_load=np.zeros(nodes),
        fit_vcores=work.request_vcores * view.counts_vcores[0],
        fetch_latest=np.zeros(jobs),
        map_base=np.cumsum(work.job_maps) - work.job_maps,
        map_ends=zeros(maps if skewed else 0),
        hull=zeros(maps if skewed else 0),
        hull_count=zeros(jobs),
        draws=draws,
        draw_base=np.cumsum(tasks_of_job) - tasks_of_job,
        reduce_base=work.reduce_base,
        reduce_part=work.reduce_part,
        reduce_container=minus_ones(reduces),
        reduce_attempt=zeros(reduces),
        allowed_distance=minus_ones(jobs),
        max_missed=np.zeros(2),
        first_reduce=zeros(jobs),
        asked_reduces=zeros(jobs, np.int8),
        reduces_blocked=zeros(jobs, np.int8),
        reduces_first=zeros(jobs, np.int8),
        admitted=zeros(jobs, np.int8),
        is_held_back=zeros(jobs, np.int8),
        window_ms=np.array(windows, np.int64),
        window_end=np.array(windows, np.int64),
        window_unchanged=zeros(len(windows), np.int8),
        window_due=np.full(len(windows), INFINITE, np.int64),
        window_event_count=zeros(len(windows)),
        master_container=minus_ones(jobs),
        job_ready=minus_ones(jobs),
        heartbeat_event_count=minus_ones(jobs),
        due_nodes=zeros(nodes),
        is_due=zeros(nodes, np.int8),
        heartbeat_jobs=zeros(jobs),
        dormant_jobs=zeros(jobs),
        is_dormant=zeros(jobs, np.int8),
        kill_candidates=zeros(jobs),
        is_kill_candidate=zeros(jobs, np.int8),
        kill_candidate_node=minus_ones(jobs),
        kill_candidate_checked=minus_ones(jobs),
        leaving_jobs=zeros(jobs),
        job_owner=work.job_owner,
        owner_running_jobs=zeros(jobs),
        owner_max_running_jobs=work.owner_max_running_jobs,
        queue_running_jobs=zeros(queues),
        queue_max_running_jobs=work.queues.max_running_jobs,
        job_refused=zeros(jobs, np.int8),
        queue_applications=zeros(queues),
        queue_max_applications=np.full(queues, INFINITE, np.int64),
        queue_max_user_applications=np.full(queues, INFINITE, np.int64),
        queue_active_jobs=zeros(queues),
        active_jobs=zeros(jobs),
        schedulable=zeros(sharers),
        schedulable_next=zeros(sharers),
        schedulable_weight=np.zeros(sharers),
        schedulable_min=zeros(sharers),
        schedulable_max=zeros(sharers),
        schedulable_share=zeros(sharers),
        per_node=zeros(nodes),
        is_master_down=zeros(jobs, np.int8),
        master_losses=zeros(jobs),
        master_kills=zeros(jobs),
        is_down=is_down,
        retry_count=zeros(PER_JOB * jobs),
        retry_jobs=zeros(jobs),
        has_retries=zeros(jobs, np.int8),
        backup=minus_ones(PER_JOB * jobs),
        **_attempts(work, retries),
        is_failing=zeros(jobs, np.int8),
        failing_jobs=zeros(jobs),
        speculates_from=zeros(jobs),
        **preemption_arrays(work, containers, width, preempts),
        container_job=column(np.int32),
        container_stage=column(np.int32),
        container_kind=column(np.int8),
        container_index=column(np.int32),
        container_attempt=column(np.int32),
        container_node=column(np.int32),
        container_requested=column(np.int64),
        container_start=column(np.int64),
        container_shuffle_end=column(np.int64),
        container_end=column(np.int64),
        container_outcome=column(np.int8),
        container_begin=column(np.int64) if launches else zeros(0),
        container_work_ms=column(np.float64) if speculates else np.zeros(0),
        container_compute_ms=column(np.int64) if speculates else zeros(0),
        container_map_outputs=column(np.int32) if spans >= 0 else zeros(0, np.int32),
        container_span=column(np.int64) if spans >= 0 else zeros(0),
        span_container=minus_ones(max(spans, 0)),
        span_start=minus_ones(max(spans, 0)),
        span_end=minus_ones(max(spans, 0)),
        map_container=minus_ones(maps if copies or retries else 0),
        first_map=zeros(jobs),
        block_node=minus_ones(maps * copies),
        blocks_by_node=zeros(maps * copies),
        blocks_by_rack=zeros(maps * copies),
        passed_by_node=zeros(maps * copies),
        passed_by_rack=zeros(maps * copies),
        missed_streak=zeros(2),
        job_maps_end=minus_ones(jobs),
        job_shuffle_end=minus_ones(jobs),
        job_failed=zeros(jobs, np.int8),
        **monitor,
        **shortlist,
        **physics._asdict(),
        **counters,
    )


def _attempts(work: Workload, retries: bool) -> dict[str, np.ndarray]:
    """What is kept of each task where it may have several attempts, else nothing."""
    jobs, maps = (len(work.job_arrival), int(work.job_maps.sum())) if retries else (0, 0)
    task_count = maps + int(work.job_reduces.sum()) * retries
    return {
        "map_done": np.zeros(maps, np.int8),
        "second_attempt": np.full(task_count, -1, np.int64),
        "task_attempts": np.zeros(task_count, np.int64),
        "task_failures": np.zeros(task_count, np.int64),
        "done_count": np.zeros(PER_JOB * jobs, np.int64),
        "done_time": np.zeros(PER_JOB * jobs, np.int64),
    }
